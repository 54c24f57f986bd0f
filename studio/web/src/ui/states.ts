// Notices over the scene: connecting, preparing, connection lost, paused, past frame, message refused.

import type { Studio } from "../studio";
import { atMostEvery, make, setText } from "./dom";
import { capital } from "./format";

const TOAST_MS = 4000;

type State = "connecting" | "preparing" | "lost" | "ready";

export class States {
  readonly cover: HTMLElement;
  readonly badge = make("div", { id: "badge", role: "status", hidden: "" });
  readonly toast = make("div", { id: "toast", role: "alert", hidden: "" });
  private readonly title = make("h2", { id: "card-title" });
  private readonly text = make("p", { id: "card-text" });
  private readonly progress = make("progress", { id: "card-progress", max: "1", "aria-label": "Progress" });
  private readonly spinner = make("i", { class: "spinner" });
  private toastTimer = 0;

  constructor(private readonly studio: Studio) {
    const card = make(
      "div",
      { id: "card", class: "panel", role: "status" },
      this.spinner,
      this.title,
      this.text,
      this.progress,
    );
    this.cover = make("div", { id: "cover" }, card);
    const show = (): void => this.showCard();
    studio.on("link", show);
    studio.on("preparing", show);
    studio.on("hello", show);
    studio.on("refused", (reason) => this.showToast(reason));
    const showBadge = atMostEvery(60, () => this.showBadge());
    studio.on("status", showBadge);
    studio.on("shown", showBadge);
    this.showCard();
  }

  private state(): State {
    const { link, preparing, hello } = this.studio;
    if (link === "lost") return "lost";
    if (link === "open" && preparing) return "preparing";
    return link === "open" && hello ? "ready" : "connecting";
  }

  private showCard(): void {
    const state = this.state();
    document.body.dataset.state = state;
    this.cover.hidden = state === "ready";
    this.progress.hidden = state !== "preparing";
    this.spinner.hidden = state === "preparing";
    if (state === "connecting") {
      setText(this.title, "Connecting\u2026");
      setText(this.text, "Waiting for motionfields to answer.");
    } else if (state === "lost") {
      setText(this.title, "Connection lost");
      this.text.replaceChildren(
        "Is ",
        make("code", {}, "motionfields"),
        " still running? Trying again\u2026 If you restarted it, open the new address that it printed.",
      );
    } else if (state === "preparing") {
      const { doing, share } = this.studio.preparing!;
      setText(this.title, "Preparing the character");
      this.text.replaceChildren(
        `${capital(doing)}\u2026`,
        make("small", {}, "The first start compiles code; later starts take seconds."),
      );
      this.progress.value = Math.min(Math.max(share, 0), 1);
    }
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

  private showToast(reason: string): void {
    setText(this.toast, reason);
    this.toast.hidden = false;
    clearTimeout(this.toastTimer);
    this.toastTimer = window.setTimeout(() => (this.toast.hidden = true), TOAST_MS);
  }
}
