// Notices over the scene: connecting, preparing, connection lost, paused, past frame, message refused.

import type { Studio } from "../studio";
import { Cover } from "./cover";
import { atMostEvery, make, setText } from "./dom";
import { Toast } from "./toast";

export class States {
  readonly cover: HTMLElement;
  readonly badge = make("div", { id: "badge", role: "status", hidden: "" });
  readonly notice = new Toast();

  constructor(private readonly studio: Studio) {
    const cover = new Cover(() => ({ link: studio.link, preparing: studio.preparing, ready: studio.hello !== null }));
    this.cover = cover.element;
    const show = (): void => cover.show();
    studio.on("link", show);
    studio.on("preparing", show);
    studio.on("hello", show);
    studio.on("refused", (reason) => {
      if (!studio.why || studio.reasons) this.notice.show(reason); // otherwise the panel shows it
    });
    const showBadge = atMostEvery(60, () => this.showBadge());
    studio.on("status", showBadge);
    studio.on("shown", showBadge);
  }

  private showBadge(): void {
    const { status, shown, lookingAt, hello } = this.studio;
    const past = lookingAt !== null;
    this.badge.hidden = !past && !status?.paused;
    this.badge.classList.toggle("past", past);
    if (!past) return setText(this.badge, "Paused");
    const newest = this.studio.frames.at(-1)?.number ?? 0;
    const ago = (newest - (shown?.number ?? newest)) * (hello?.frame_time ?? 0);
    setText(this.badge, `Looking back \u2212${ago.toFixed(ago < 0.995 ? 2 : 1)} s`);
  }
}
