// Timeline of the last half minute: the clips that the motion follows, goal changes and pushes.
// A transparent range input on top of it handles pointer, touch and keys.

import { HISTORY_SECONDS } from "../messages";
import type { Studio } from "../studio";
import { clipColor } from "./clips";
import type { Commands } from "./commands";
import { atMostEvery, make, setText } from "./dom";
import { crisp, Plot } from "./plots";
import { currentPalette, type Palette } from "./theme";
import type { Moment, Trace } from "./trace";

const BAND_TOP = 11; // top of the strip of clips, below the row of marks
const BAND_HEIGHT = 16;
const TICK_SECONDS = 5;

export class Timeline {
  readonly element: HTMLElement;
  private readonly plot: Plot;
  private readonly input: HTMLInputElement;
  private readonly tip = make("output", { class: "tip", hidden: "" });
  private dragging = false;
  private first = 0; // frames at the two ends of the strip
  private last = 1;
  private readonly redraw = atMostEvery(1000 / 15, () => this.draw());

  constructor(
    private readonly studio: Studio,
    private readonly trace: Trace,
    private readonly commands: Commands,
  ) {
    this.plot = new Plot({ class: "timeline-strip", "aria-hidden": "true" }, () => this.draw());
    this.input = make("input", {
      id: "timeline",
      type: "range",
      step: "1",
      "aria-label": "Look back over the last 30 seconds",
    });
    this.element = make("div", { class: "timeline" }, this.plot.canvas, this.input, this.tip);
    this.listen();
    studio.on("frame", this.redraw);
    studio.on("shown", this.redraw);
    studio.on("status", this.redraw);
  }

  draw(): void {
    if (!this.dragging) this.fitRange();
    const context = this.plot.begin();
    if (!context) return;
    const palette = currentPalette();
    context.fillStyle = palette.track;
    context.beginPath();
    context.roundRect(0, BAND_TOP, this.plot.width, BAND_HEIGHT, 4);
    context.fill();
    const moments = this.trace.between(this.first, this.last);
    this.drawClips(context, moments, palette);
    this.drawAxis(context, palette);
    this.drawMarks(context, moments, palette);
    this.drawPlayhead(context, palette);
  }

  private listen(): void {
    const { input } = this;
    input.addEventListener("pointerdown", (event) => {
      this.dragging = true;
      input.setPointerCapture(event.pointerId);
      this.scrub(this.numberAt(event));
    });
    for (const end of ["pointerup", "pointercancel"]) {
      input.addEventListener(end, () => {
        this.dragging = false;
        input.blur();
        this.redraw();
      });
    }
    input.addEventListener("pointermove", (event) => {
      if (this.dragging) this.scrub(this.numberAt(event));
      this.showTip(this.numberAt(event));
    });
    input.addEventListener("pointerleave", () => (this.tip.hidden = true));
    input.addEventListener("input", () => {
      // Input from keys. Drags are handled above, since some browsers let a finger drag only the thumb.
      if (!this.dragging) this.scrub(input.valueAsNumber);
    });
  }

  private scrub(number: number): void {
    this.commands.scrub(Math.max(this.studio.status?.oldest ?? 0, this.first, number));
  }

  private numberAt(event: PointerEvent): number {
    const box = this.input.getBoundingClientRect();
    const share = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
    return Math.round(this.first + share * (this.last - this.first));
  }

  private fitRange(): void {
    const { studio, input } = this;
    const length = Math.round(HISTORY_SECONDS / (studio.hello?.frame_time ?? 1 / 30));
    this.last = Math.max(studio.frames.at(-1)?.number ?? 0, 1);
    this.first = this.last - length + 1; // below 0 in the first half minute: the strip fills from the right
    input.min = String(this.first);
    input.max = String(this.last);
    input.value = String(studio.shown?.number ?? this.last);
    input.setAttribute("aria-valuetext", this.ago(studio.shown?.number ?? this.last));
  }

  private x(number: number): number {
    return ((number - this.first) / (this.last - this.first)) * this.plot.width;
  }

  /** Return the time before the newest frame, in words. */
  private ago(number: number): string {
    const seconds = (this.last - number) * (this.studio.hello?.frame_time ?? 0);
    return number >= this.last ? "now" : `\u2212${seconds.toFixed(1)} s`;
  }

  private drawClips(context: CanvasRenderingContext2D, moments: Moment[], palette: Palette): void {
    const shown = this.studio.lookingAt ?? this.last;
    context.save();
    context.beginPath();
    context.roundRect(0, BAND_TOP, this.plot.width, BAND_HEIGHT, 4);
    context.clip();
    for (let i = 0; i < moments.length;) {
      const { place, number } = moments[i];
      const past = number <= shown;
      let end = i + 1;
      while (end < moments.length && moments[end].place?.clip === place?.clip && moments[end].number <= shown === past)
        end++;
      const left = this.x(number);
      const right = this.x(moments[end]?.number ?? this.last);
      i = end;
      if (!place) continue;
      context.globalAlpha = past ? 1 : 0.4;
      context.fillStyle = clipColor(place.name, palette.clipLightness);
      context.fillRect(left, BAND_TOP, Math.max(right - left - (right - left > 4 ? 1 : 0), 0.5), BAND_HEIGHT);
    }
    context.restore();
  }

  private drawAxis(context: CanvasRenderingContext2D, palette: Palette): void {
    const bottom = BAND_TOP + BAND_HEIGHT;
    context.fillStyle = palette.muted;
    context.strokeStyle = palette.line;
    context.font = "10px system-ui, sans-serif";
    context.textBaseline = "alphabetic";
    context.lineWidth = 1;
    const sparse = this.plot.width < 360;
    for (let ago = 0; ago <= HISTORY_SECONDS; ago += sparse ? 2 * TICK_SECONDS : TICK_SECONDS) {
      const x = crisp(this.plot.width * (1 - ago / HISTORY_SECONDS));
      context.textAlign = ago === 0 ? "right" : ago === HISTORY_SECONDS ? "left" : "center";
      context.fillText(ago === 0 ? "now" : `\u2212${ago} s`, ago === 0 ? this.plot.width : Math.max(x, 0), bottom + 13);
    }
  }

  private drawMarks(context: CanvasRenderingContext2D, moments: Moment[], palette: Palette): void {
    for (const moment of moments) {
      const x = this.x(moment.number);
      if (moment.pushed) {
        context.fillStyle = palette.push;
        context.fillRect(x - 1, 2, 2, BAND_TOP - 3);
      }
      if (moment.goalChanged) {
        context.fillStyle = palette.accent;
        context.beginPath();
        context.moveTo(x - 3.5, 3);
        context.lineTo(x + 3.5, 3);
        context.lineTo(x, BAND_TOP - 2);
        context.fill();
      }
    }
  }

  private drawPlayhead(context: CanvasRenderingContext2D, palette: Palette): void {
    const number = this.studio.lookingAt ?? this.last;
    const x = Math.min(Math.max(this.x(number), 1), this.plot.width - 1);
    context.fillStyle = palette.text;
    context.fillRect(x - 1, 0, 2, BAND_TOP + BAND_HEIGHT + 2);
    if (this.studio.lookingAt === null) return;
    context.beginPath();
    context.roundRect(x - 5, 0, 10, BAND_TOP - 2, 2); // handle
    context.fill();
  }

  private showTip(number: number): void {
    const moment = this.trace.at(number);
    const known = moment !== undefined && Math.abs(moment.number - number) < 3;
    this.tip.hidden = !known;
    if (!known) return;
    const { place } = moment;
    const near = this.trace.between(number - 4, number + 4);
    const words = [this.ago(number), place ? `${place.name} \u00b7 ${place.frame}` : ""];
    if (near.some((other) => other.goalChanged)) words.push("goal changed");
    if (near.some((other) => other.pushed)) words.push("pushed");
    setText(this.tip, words.join("   "));
    this.tip.style.setProperty("--at", `${this.x(number)}px`);
  }
}
