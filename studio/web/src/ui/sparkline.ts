// A small plot of one measure: a line above zero, and a dashed line at the value of the source clips.

import { crisp, drawLine, Plot } from "./plots";
import { currentPalette } from "./theme";

const BIN = 2; // pixels; finer detail would only flicker

export class Sparkline {
  private readonly plot: Plot;

  constructor(onResize: () => void) {
    this.plot = new Plot({ class: "spark", "aria-hidden": "true" }, onResize);
  }

  get canvas(): HTMLCanvasElement {
    return this.plot.canvas;
  }

  draw(values: [number, number][], first: number, last: number, reference?: number): void {
    const context = this.plot.begin();
    if (!context) return;
    const palette = currentPalette();
    const { width, height } = this.plot;
    const largest = values.reduce((most, [, value]) => (value > most ? value : most), 1.6 * (reference ?? 0));
    const top = largest || 1;
    const x = (number: number): number => ((number - first) / (last - first)) * (width - 2);
    const y = (value: number): number => height - 1.5 - (value / top) * (height - 3);
    if (reference !== undefined) {
      context.strokeStyle = palette.muted;
      context.globalAlpha = 0.6;
      context.setLineDash([2, 3]);
      context.beginPath();
      context.moveTo(0, crisp(y(reference)));
      context.lineTo(width, crisp(y(reference)));
      context.stroke();
      context.setLineDash([]);
      context.globalAlpha = 1;
    }
    context.strokeStyle = palette.accent;
    context.lineWidth = 1.25;
    context.lineJoin = "round";
    drawLine(context, binned(values, (BIN * (last - first)) / width), { x, y });
  }
}

/** Return the mean of every `size` frames; bins are tied to frame numbers, so that the line does not shimmer. */
function* binned(values: [number, number][], size: number): Generator<[number, number]> {
  for (let i = 0; i < values.length;) {
    const bin = Math.floor(values[i][0] / size);
    let sum = 0;
    let count = 0;
    for (; i < values.length && Math.floor(values[i][0] / size) === bin; i++, count++) sum += values[i][1];
    yield [(bin + 0.5) * size, sum / count];
  }
}
