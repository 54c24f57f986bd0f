// A notice that disappears by itself.

import { make, setText } from "./dom";

const SHORTEST_MS = 4000;
const MS_PER_LETTER = 60;

export class Toast {
  readonly element = make("div", { id: "toast", role: "alert", hidden: "" });
  private timer = 0;

  show(text: string): void {
    setText(this.element, text);
    this.element.hidden = false;
    clearTimeout(this.timer);
    const pause = Math.max(SHORTEST_MS, MS_PER_LETTER * text.length);
    this.timer = window.setTimeout(() => (this.element.hidden = true), pause);
  }
}
