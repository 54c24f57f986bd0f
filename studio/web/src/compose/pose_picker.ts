// Pins a pose at the displayed time: choose a take and a time in it; a ghost in the scene shows the pose.

import { atMostEvery, button, make, setText } from "../ui/dom";
import type { Composer } from "./composer";
import { snapped } from "./document";

export class PosePicker {
  readonly toggle: HTMLButtonElement;
  readonly element: HTMLElement;
  private readonly take = make("select", { id: "pose-take", "aria-label": "Take" });
  private readonly slider = make("input", {
    id: "pose-time",
    type: "range",
    min: "0",
    max: "1",
    step: "0.0333",
    "aria-label": "Time in the take",
  });
  private readonly at = make("span", { class: "number muted" });
  private readonly pin: HTMLButtonElement;
  private readonly look = atMostEvery(80, () => this.composer.peek(this.take.value, this.slider.valueAsNumber));

  constructor(private readonly composer: Composer) {
    this.toggle = button({ id: "tool-pose", title: "Pin a pose from a source frame", icon: "pin", label: "Pose" }, () =>
      this.open(this.element.hidden === true),
    );
    this.pin = button({ id: "pose-pin", title: "Show this pose at the displayed time", label: "Pin" }, () =>
      this.add(),
    );
    const close = button({ id: "pose-close", title: "Close", icon: "close" }, () => this.open(false));
    const field = make("div", { class: "field" }, this.slider, this.at);
    this.element = make(
      "div",
      { id: "pose-picker", hidden: "" },
      make("span", { class: "label" }, "Pose of"),
      this.take,
      field,
      this.pin,
      close,
    );
    this.take.addEventListener("change", () => this.begin(0));
    this.slider.addEventListener("input", () => this.show());
    composer.on("scene", ({ takes }) => {
      if (this.take.options.length) return;
      this.take.replaceChildren(...takes.map(({ name }) => make("option", { value: name }, name)));
    });
    composer.on("time", () => this.showPin());
  }

  /** Open or close; opens at the source frame of the displayed moment. */
  private open(open: boolean): void {
    this.element.hidden = !open;
    this.toggle.setAttribute("aria-pressed", String(open));
    if (!open) return this.composer.peek(null);
    const { selected, time } = this.composer;
    this.composer.play(false);
    const piece = selected?.motion.pieces.find(({ start, end }) => start <= time && time < end);
    if (piece) this.take.value = piece.take;
    this.begin(piece ? piece.take_start + time - piece.start : 0);
  }

  private begin(time: number): void {
    const take = this.composer.scene?.takes.find(({ name }) => name === this.take.value);
    this.slider.max = String(Math.max((take?.seconds ?? 1) - 0.05, 0));
    this.slider.value = String(time);
    this.show();
  }

  private show(): void {
    setText(this.at, `${this.slider.valueAsNumber.toFixed(2)} s`);
    const share = this.slider.valueAsNumber / (Number(this.slider.max) || 1);
    this.slider.style.setProperty("--share", share.toFixed(4));
    this.showPin();
    this.look();
  }

  private showPin(): void {
    setText(this.pin.querySelector("span")!, `Pin at ${snapped(this.composer.time).toFixed(1)} s`);
  }

  private add(): void {
    const { composer } = this;
    const time_s = snapped(composer.time);
    composer.document.poses = composer.document.poses.filter((one) => one.time_s !== time_s);
    composer.document.poses.push({
      time_s,
      take: this.take.value,
      take_s: Number(this.slider.valueAsNumber.toFixed(2)),
    });
    composer.changed();
    this.open(false);
  }
}
