// Lowers the rendering quality on slow graphics hardware: fewer pixels, smaller shadows, finally no shadows.

export interface Level {
  pixels: number; // maximum device pixels per CSS pixel
  shadowSize: number; // 0 for none
}

const LEVELS: Level[] = [
  { pixels: 2, shadowSize: 2048 },
  { pixels: 1, shadowSize: 2048 },
  { pixels: 1, shadowSize: 1024 },
  { pixels: 0.75, shadowSize: 512 },
  { pixels: 0.5, shadowSize: 0 },
];
const SLOW_SECONDS = 0.045; // a longer time between two frames counts as slow
const PATIENCE = 8; // slow frames before the quality drops; it never rises again, to avoid flicker
const WORST = 2.5; // maximum weight of a single slow frame

/**
 * What the page's address asks for: `?quality=best` keeps the initial quality, for screenshots; `?quality=fast` starts
 * with the lowest one and without antialiasing, for machines without a graphics card. Otherwise it adapts.
 */
export const WANTED = new URLSearchParams(location.search).get("quality");

export class Quality {
  private level: number;
  private slow = 0;

  constructor(private readonly apply: (level: Level) => void) {
    this.level = WANTED === "fast" ? LEVELS.length - 1 : window.devicePixelRatio > 1 ? 0 : 1;
    this.apply(LEVELS[this.level]);
  }

  /** Record the time in `seconds` between two successive drawn frames. */
  note(seconds: number): void {
    const slowness = Math.min(seconds / SLOW_SECONDS, WORST);
    this.slow = slowness > 1 ? this.slow + slowness : Math.max(this.slow - 1, 0);
    if (WANTED === "best" || this.slow < PATIENCE || this.level + 1 === LEVELS.length) return;
    this.level += 1;
    this.slow = 0;
    this.apply(LEVELS[this.level]);
  }
}
