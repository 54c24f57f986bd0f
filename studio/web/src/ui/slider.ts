// A slider with an editable number beside it.

import { afterQuiet, make } from "./dom";

const QUIET_MS = 200; // time without movement before the value is sent

export interface SliderOptions {
  id: string;
  label: string;
  title: string;
  min: number;
  max: number;
  step: number;
  digits: number;
  unit: string;
}

export class NumberSlider {
  readonly element: HTMLElement;
  private readonly range: HTMLInputElement;
  private readonly number: HTMLInputElement;
  private changing = false; // by the user; meanwhile older values from the server are ignored

  constructor(
    private readonly options: SliderOptions,
    onChange: (value: number) => void,
  ) {
    const { id, label, title, unit } = options;
    const limits = { min: String(options.min), max: String(options.max), step: String(options.step) };
    this.range = make("input", { id, type: "range", title, "aria-label": title, ...limits });
    this.number = make("input", { id: `${id}-number`, type: "number", title, "aria-label": title, ...limits });
    const name = make("span", { class: "label" }, label);
    this.element = make("div", { class: "field" }, name, this.range, this.number);
    if (unit) this.element.append(make("span", { class: "unit" }, unit));
    const commit = (): void => {
      if (!this.changing) return;
      this.changing = false;
      onChange(this.range.valueAsNumber);
    };
    const commitSoon = afterQuiet(QUIET_MS, commit);
    this.range.addEventListener("input", () => {
      this.changing = true;
      this.setValue(this.range.valueAsNumber);
      commitSoon();
    });
    this.range.addEventListener("change", commit);
    this.number.addEventListener("focus", () => this.number.select());
    this.number.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.setValue(this.range.valueAsNumber);
      this.number.blur();
    });
    this.number.addEventListener("change", () => {
      const typed = this.number.valueAsNumber;
      if (Number.isNaN(typed)) return this.setValue(this.range.valueAsNumber);
      this.changing = true;
      this.setValue(Math.min(Math.max(typed, options.min), Number(this.range.max)));
      commit();
    });
  }

  /** Show the value from the server. */
  show(value: number, max = this.options.max): void {
    if (Number(this.range.max) !== max) this.range.max = this.number.max = String(max);
    if (!this.changing && document.activeElement !== this.number) this.setValue(value);
  }

  private setValue(value: number): void {
    this.range.value = String(value);
    this.number.value = value.toFixed(this.options.digits);
    const { min, max } = this.range;
    const share = (this.range.valueAsNumber - Number(min)) / (Number(max) - Number(min) || 1);
    this.range.style.setProperty("--share", share.toFixed(4));
  }
}
