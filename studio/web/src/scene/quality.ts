// Keeps the page fluent where graphics are slow: fewer pixels, smaller shadows, at last none.

export interface Level {
  pixels: number; // the highest ratio to CSS pixels
  shadowSize: number; // 0 for none
}

const LEVELS: Level[] = [
  { pixels: 2, shadowSize: 2048 },
  { pixels: 1, shadowSize: 2048 },
  { pixels: 1, shadowSize: 1024 },
  { pixels: 0.75, shadowSize: 512 },
  { pixels: 0.5, shadowSize: 0 },
];
const SLOW_SECONDS = 0.045; // from one frame to the next
const PATIENCE = 8; // slow frames, before it gives way; it never comes back, for that would flicker
const WORST = 2.5; // of how many slow frames a single one can be as bad

export class Quality {
  private level: number;
  private slow = 0;
  /** The address of the page can ask for the best pictures, however slow: for screenshots. */
  private readonly fixed = new URLSearchParams(location.search).get("quality") === "best";

  constructor(private readonly apply: (level: Level) => void) {
    this.level = window.devicePixelRatio > 1 ? 0 : 1;
    this.apply(LEVELS[this.level]);
  }

  /** Note that a frame came `seconds` after the one before, when both were drawn. */
  note(seconds: number): void {
    const slowness = Math.min(seconds / SLOW_SECONDS, WORST);
    this.slow = slowness > 1 ? this.slow + slowness : Math.max(this.slow - 1, 0);
    if (this.fixed || this.slow < PATIENCE || this.level + 1 === LEVELS.length) return;
    this.level += 1;
    this.slow = 0;
    this.apply(LEVELS[this.level]);
  }
}
