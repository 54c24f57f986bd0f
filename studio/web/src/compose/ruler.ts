// The ruler above the rows: drag along it to show another time; a line through all rows marks it.

import { make } from "../ui/dom";
import type { Composer } from "./composer";
import { dragFrom, timeAt } from "./strip";

export class Ruler {
  readonly element: HTMLElement;
  private readonly strip = make("div", { id: "ruler", class: "strip", role: "slider", "aria-label": "Time" });
  private readonly ticks = make("div", { class: "ticks" });
  private readonly head = make("div", { id: "playhead" });

  constructor(private readonly composer: Composer) {
    this.strip.append(this.ticks, this.head);
    this.element = make("div", { class: "row ruler" }, make("span", { class: "row-name" }), this.strip);
    this.strip.addEventListener("pointerdown", (event) => {
      const scrub = (moved: PointerEvent): void => composer.show(timeAt(moved, this.strip, composer));
      composer.play(false);
      scrub(event);
      dragFrom(event, this.strip, scrub, () => {});
    });
    composer.on("time", () => this.showTime());
    composer.on("document", () => this.draw());
  }

  private draw(): void {
    const { seconds } = this.composer;
    const step = seconds <= 12 ? 1 : seconds <= 40 ? 2 : 5;
    const ticks: HTMLElement[] = [];
    for (let at = 0; at <= seconds; at += step) {
      const tick = make("span", { class: "tick" }, `${at}`);
      tick.style.left = `${(100 * at) / seconds}%`;
      ticks.push(tick);
    }
    this.ticks.replaceChildren(...ticks);
    this.showTime();
  }

  private showTime(): void {
    const { time, seconds } = this.composer;
    this.head.style.left = `${(100 * time) / seconds}%`;
    this.strip.setAttribute("aria-valuenow", time.toFixed(2));
  }
}
