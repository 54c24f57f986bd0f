// Adapts the rendering quality to the graphics hardware: fewer pixels, smaller shadows, finally no shadows. It drops
// after slow frames, and rises again once frames have been quick for a while.

export interface Level {
  pixels: number; // maximum device pixels per CSS pixel
  shadowSize: number; // 0 for none
}

export const LEVELS: Level[] = [
  { pixels: 2, shadowSize: 2048 },
  { pixels: 1, shadowSize: 2048 },
  { pixels: 1, shadowSize: 1024 },
  { pixels: 0.75, shadowSize: 512 },
  { pixels: 0.5, shadowSize: 0 },
];
const SLOW_SECONDS = 0.045; // a longer time between two frames counts as slow
const PATIENCE = 8; // slow frames before the quality drops
const WORST = 2.5; // maximum weight of a single slow frame
const QUICK_SECONDS = 5; // of quick frames before the quality rises
const LONGEST_SECONDS = 160; // the same after many attempts that failed
const ATTEMPT_SECONDS = 10; // a drop within this time after a rise is a failed attempt, and doubles the wait

/**
 * What the page's address asks for: `?quality=best` keeps the initial quality, for screenshots; `?quality=fast` keeps
 * the lowest one, without antialiasing, for machines without a graphics card. Otherwise it adapts.
 */
export const WANTED = new URLSearchParams(location.search).get("quality");

export class Quality {
  private readonly best: number;
  private level: number;
  private slow = 0;
  private quick = 0; // seconds of quick frames since the last slow one
  private wait = QUICK_SECONDS;
  private sinceRise = Infinity; // seconds

  constructor(
    private readonly apply: (level: Level) => void,
    private readonly wanted = WANTED,
  ) {
    this.best = window.devicePixelRatio > 1 ? 0 : 1;
    this.level = wanted === "fast" ? LEVELS.length - 1 : this.best;
    this.apply(LEVELS[this.level]);
  }

  /** Record the time in `seconds` between two successive drawn frames. */
  note(seconds: number): void {
    if (this.wanted === "best" || this.wanted === "fast") return;
    const slowness = Math.min(seconds / SLOW_SECONDS, WORST);
    this.slow = slowness > 1 ? this.slow + slowness : Math.max(this.slow - 1, 0);
    this.quick = slowness > 1 ? 0 : this.quick + seconds;
    this.sinceRise += seconds;
    if (this.slow >= PATIENCE && this.level + 1 < LEVELS.length) this.drop();
    else if (this.quick >= this.wait && this.level > this.best) this.rise();
  }

  private drop(): void {
    const failed = this.sinceRise < ATTEMPT_SECONDS;
    this.wait = failed ? Math.min(2 * this.wait, LONGEST_SECONDS) : QUICK_SECONDS;
    this.use(this.level + 1);
  }

  private rise(): void {
    this.sinceRise = 0;
    this.use(this.level - 1);
  }

  private use(level: number): void {
    this.level = level;
    this.slow = this.quick = 0;
    this.apply(LEVELS[level]);
  }
}
