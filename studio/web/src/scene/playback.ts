// Which pose to show at this moment: between the last two frames of the simulation, at the display's own rate.

import type { Frame } from "../messages";
import type { Studio } from "../studio";
import { blend, readPose, type Pose } from "./pose";

const DELAY_FRAMES = 1.5; // behind the newest frame, so that the next one has come before it is needed
const CATCH_UP_SECONDS = 0.4; // in which a clock that is off comes right
const LOST_SECONDS = 0.35; // a clock this far off starts anew
const LONGEST_GAP = 6; // frames; across a longer one nothing is known of the way
const FASTEST = 12; // m/s, of a root; what is faster has jumped

/** What is shown: a pose, and the frame of the simulation it is nearest to. */
export interface Shown {
  pose: Pose;
  frame: Frame;
  before: Frame; // the frame that it comes from; the same one where nothing is in between
  share: number; // of the way from `before` to `frame`
  time: number; // of the simulation
}

export class Playback {
  private clock = 0; // simulation seconds, of what is shown
  private arrived = 0; // when the newest frame came, seconds of the page
  private readonly poses = new WeakMap<Frame, Pose>();
  private mixed: Pose = { count: 0, roots: new Float64Array(0), rotations: new Float32Array(0) };

  constructor(private readonly studio: Studio) {
    studio.on("frame", () => (this.arrived = performance.now() / 1000));
  }

  /** What to show now, `elapsed` seconds of the page after the last time. */
  at(now: number, elapsed: number): Shown | null {
    const { shown, lookingAt, frames } = this.studio;
    if (!shown) return null;
    const newest = frames.at(-1);
    if (lookingAt !== null || !newest || newest !== shown) return this.exactly(shown);
    this.advance(newest, now, elapsed);
    let after = frames.length - 1;
    while (after > 0 && frames[after - 1].time >= this.clock) after -= 1;
    if (after === 0) return this.exactly(frames[0]);
    return this.between(frames[after - 1], frames[after]);
  }

  private exactly(frame: Frame): Shown {
    this.clock = frame.time;
    return { pose: this.poseOf(frame), frame, before: frame, share: 1, time: frame.time };
  }

  /** Let the clock run at the speed of the simulation, and drift to where it should be: never a visible jump. */
  private advance(newest: Frame, now: number, elapsed: number): void {
    const { status, hello } = this.studio;
    const frameTime = hello?.frame_time ?? 1 / 30;
    const speed = status?.speed ?? 1;
    const delay = status?.paused ? 0 : DELAY_FRAMES * frameTime;
    const since = Math.min((now - this.arrived) * speed, frameTime);
    const right = newest.time - delay + (status?.paused ? 0 : since);
    const off = right - this.clock;
    if (Math.abs(off) > LOST_SECONDS * Math.max(speed, 0.3)) this.clock = right;
    else if (status?.paused) this.clock += Math.min(Math.max(off, 0), elapsed * speed);
    else this.clock += elapsed * speed + off * Math.min(elapsed / CATCH_UP_SECONDS, 1);
    this.clock = Math.min(this.clock, newest.time);
    if (status?.paused && off < 1e-4) this.clock = newest.time;
  }

  private between(before: Frame, frame: Frame): Shown {
    const [from, to] = [this.poseOf(before), this.poseOf(frame)];
    const length = frame.time - before.time;
    const share = length > 0 ? Math.min(Math.max((this.clock - before.time) / length, 0), 1) : 1;
    const gap = frame.number - before.number;
    const alike = from.count === to.count && from.rotations.length === to.rotations.length;
    if (!alike || gap > LONGEST_GAP || share === 1)
      return { pose: to, frame, before: frame, share: 1, time: frame.time };
    if (this.mixed.rotations.length !== to.rotations.length)
      this.mixed = { count: to.count, roots: to.roots.slice(), rotations: to.rotations.slice() };
    blend(from, to, share, FASTEST * length, this.mixed);
    return { pose: this.mixed, frame, before, share, time: this.clock };
  }

  private poseOf(frame: Frame): Pose {
    let pose = this.poses.get(frame);
    if (!pose) this.poses.set(frame, (pose = readPose(frame)));
    return pose;
  }
}
