// Commands of the characters from what the user last asked for; as in src/motionfields/studio/steering.py.

import type { Goal } from "../messages";
import type { Seen } from "../../../../runtime/web/motionfields.js";

const CLOSE = 0.6; // metres; a nearer point counts as reached
const SLOWING = 0.8; // 1/s; near a point, the speed is at most this times the distance left

export interface Wish {
  kind: "heading" | "point" | "line";
  heading: number; // radians
  x: number; // of a point or a line
  z: number;
  share: number; // of the pace, 0 to 1
}

export class LocalSteering {
  wish: Wish = { kind: "heading", heading: 0, x: 0, z: 0, share: 1 };
  private starts: Seen[] = [];
  private headings: number[] = [];

  constructor(
    private readonly names: string[],
    public pace: number,
  ) {}

  /** Replace the wish, for characters at `ground`. */
  tell(wish: Wish, ground: Seen[]): void {
    this.wish = wish;
    this.starts = ground;
    const aimed = (one: Seen) => Math.atan2(wish.x - one.x, wish.z - one.z);
    this.headings = ground.map((one) => (wish.kind === "point" ? aimed(one) : wish.heading));
  }

  /** Return the commands [n, column] of the characters at `ground`. */
  commands(ground: Seen[]): Float64Array {
    const out = new Float64Array(ground.length * this.names.length);
    ground.forEach((one, i) => {
      const told = this.told(one, i);
      this.names.forEach((name, column) => (out[i * this.names.length + column] = told[name] ?? 0));
    });
    return out;
  }

  /** Return the goal of character `i`, whose commands are in `commands`. */
  goal(i: number, commands: Float64Array): Goal {
    const told: Record<string, number> = {};
    this.names.forEach((name, column) => (told[name] = commands[i * this.names.length + column]));
    const line = "point_x" in told;
    const kind = told.speed === 0 ? "stand" : line ? "line" : this.wish.kind;
    const [x, z] = line ? [told.point_x, told.point_z] : [this.wish.x, this.wish.z];
    return { kind, x, z, heading: told.heading ?? 0, speed: told.speed ?? 0 };
  }

  private told(one: Seen, i: number): Record<string, number> {
    const { wish } = this;
    let speed = wish.share * this.pace;
    if (wish.kind === "point") {
      const distance = Math.hypot(wish.x - one.x, wish.z - one.z);
      if (distance > CLOSE) this.headings[i] = Math.atan2(wish.x - one.x, wish.z - one.z);
      speed = distance > CLOSE ? Math.min(speed, SLOWING * distance) : 0;
    }
    const [x, z] = wish.kind === "line" ? [wish.x, wish.z] : [this.starts[i].x, this.starts[i].z];
    const heading = this.headings[i];
    return { heading, facing: heading, speed, point_x: x, point_z: z };
  }
}
