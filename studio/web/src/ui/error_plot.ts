// The heading error over the last ten seconds, with the band that counts as reached, goal changes and pushes.

import { crisp, drawLine, Plot } from "./plots";
import { currentPalette, type Palette } from "./theme";
import type { Moment } from "./trace";

const RANGES = [15, 45, 90, 180]; // degrees; the smallest range that contains the line is used
const BAND = 5;
const LABELS = 34; // pixels to the left of the plot

export class ErrorPlot {
  private readonly plot: Plot;

  constructor(onResize: () => void) {
    this.plot = new Plot(
      { id: "error-plot", role: "img", "aria-label": "Heading error over the last ten seconds" },
      onResize,
    );
    this.canvas.dataset.pushes = "0";
  }

  get canvas(): HTMLCanvasElement {
    return this.plot.canvas;
  }

  draw(moments: Moment[], first: number, last: number): void {
    this.canvas.dataset.pushes = String(moments.filter((moment) => moment.pushed).length);
    const context = this.plot.begin();
    if (!context) return;
    const palette = currentPalette();
    const { width, height } = this.plot;
    const errors = moments.map((moment) => [moment.number, (moment.figures.error * 180) / Math.PI] as [number, number]);
    const largest = errors.reduce((most, [, error]) => Math.max(most, Math.abs(error) || 0), 0);
    const range = RANGES.find((limit) => largest <= limit) ?? 180;
    const x = (number: number): number => LABELS + ((number - first) / (last - first)) * (width - LABELS - 1);
    const y = (error: number): number => height / 2 - (error / range) * (height / 2 - 5);

    context.fillStyle = palette.good;
    context.globalAlpha = 0.16;
    context.fillRect(LABELS, y(BAND), width - LABELS, y(-BAND) - y(BAND));
    context.globalAlpha = 1;
    this.drawScale(context, palette, range, y);
    for (const moment of moments) {
      if (!moment.pushed && !moment.goalChanged) continue;
      context.strokeStyle = moment.pushed ? palette.push : palette.accent;
      context.globalAlpha = moment.pushed ? 0.75 : 0.5;
      context.beginPath();
      context.moveTo(crisp(x(moment.number)), 0);
      context.lineTo(crisp(x(moment.number)), height);
      context.stroke();
    }
    context.globalAlpha = 1;
    context.strokeStyle = palette.text;
    context.lineWidth = 1.5;
    context.lineJoin = "round";
    drawLine(context, errors, { x, y }, 180); // a jump from one side of 180 degrees to the other is not motion
  }

  private drawScale(
    context: CanvasRenderingContext2D,
    palette: Palette,
    range: number,
    y: (error: number) => number,
  ): void {
    context.font = "10px system-ui, sans-serif";
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.fillStyle = palette.muted;
    context.strokeStyle = palette.line;
    context.lineWidth = 1;
    for (const error of [range, 0, -range]) {
      context.fillText(error < 0 ? `\u2212${range}` : String(error), LABELS - 5, y(error) + 0.5);
      context.beginPath();
      context.moveTo(LABELS, crisp(y(error)));
      context.lineTo(this.plot.width, crisp(y(error)));
      context.stroke();
    }
  }
}
