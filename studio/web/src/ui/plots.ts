// Canvases that stay crisp on every screen, and the lines that are drawn on them.

import { make } from "./dom";

/** Canvas as large as its CSS box, drawn in CSS pixels. */
export class Plot {
  readonly canvas: HTMLCanvasElement;
  width = 0;
  height = 0;
  private readonly context: CanvasRenderingContext2D;

  constructor(attributes: Record<string, string>, onResize: () => void) {
    this.canvas = make("canvas", attributes);
    this.context = this.canvas.getContext("2d")!;
    new ResizeObserver(() => {
      this.width = this.canvas.clientWidth;
      this.height = this.canvas.clientHeight;
      this.canvas.width = Math.round(this.width * devicePixelRatio);
      this.canvas.height = Math.round(this.height * devicePixelRatio);
      onResize();
    }).observe(this.canvas);
  }

  /** Clear the canvas and return its context, or null while it is not visible. */
  begin(): CanvasRenderingContext2D | null {
    if (!this.width || !this.height) return null;
    this.context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    this.context.clearRect(0, 0, this.width, this.height);
    return this.context;
  }
}

export interface LineScale {
  x(number: number): number;
  y(value: number): number;
}

/** Draw a line through the values of frames; it breaks at missing values and at jumps larger than `leap`. */
export function drawLine(
  context: CanvasRenderingContext2D,
  points: Iterable<[number: number, value: number]>,
  scale: LineScale,
  leap = Infinity,
): void {
  context.beginPath();
  let before = NaN;
  for (const [number, value] of points) {
    if (!Number.isFinite(value)) {
      before = NaN;
      continue;
    }
    const joined = Math.abs(value - before) <= leap; // false after a gap, since comparisons with NaN are false
    if (joined) context.lineTo(scale.x(number), scale.y(value));
    else context.moveTo(scale.x(number), scale.y(value));
    before = value;
  }
  context.stroke();
}

/** Return the x at which a line of one pixel covers whole pixels. */
export function crisp(x: number): number {
  return Math.round(x - 0.5) + 0.5;
}
