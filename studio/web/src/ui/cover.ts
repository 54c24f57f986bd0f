// The card over the scene while there is nothing to show: connecting, preparing, connection lost.

import type { Link } from "../connection";
import type { Preparing } from "../messages";
import { make, setText } from "./dom";
import { capital } from "./format";

type State = "connecting" | "preparing" | "lost" | "ready";

/** What the card depends on. */
export interface Source {
  link: Link;
  preparing: Preparing | null;
  ready: boolean; // whether the first message about the character has come
}

export class Cover {
  readonly element: HTMLElement;
  private readonly title = make("h2", { id: "card-title" });
  private readonly text = make("p", { id: "card-text" });
  private readonly progress = make("progress", { id: "card-progress", max: "1", "aria-label": "Progress" });
  private readonly spinner = make("i", { class: "spinner" });

  constructor(private readonly source: () => Source) {
    const card = make(
      "div",
      { id: "card", class: "panel", role: "status" },
      this.spinner,
      this.title,
      this.text,
      this.progress,
    );
    this.element = make("div", { id: "cover" }, card);
    this.show();
  }

  show(): void {
    const { preparing } = this.source();
    const state = this.state();
    document.body.dataset.state = state;
    this.element.hidden = state === "ready";
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
      const { doing, share } = preparing!;
      setText(this.title, "Preparing the character");
      this.text.replaceChildren(
        `${capital(doing)}\u2026`,
        make("small", {}, "The first start compiles code; later starts take seconds."),
      );
      this.progress.value = Math.min(Math.max(share, 0), 1);
    }
  }

  private state(): State {
    const { link, preparing, ready } = this.source();
    if (link === "lost") return "lost";
    if (link === "open" && preparing) return "preparing";
    return link === "open" && ready ? "ready" : "connecting";
  }
}
