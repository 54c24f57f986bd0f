// Interpolates the displayed pose between simulation frames, at the display's own rate.

import type { Frame } from "../messages";
import type { Studio } from "../studio";
import { blend, readPose, type Pose } from "./pose";

const DELAY_FRAMES = 1.5; // delay behind the newest frame, so that the next one has arrived before it is needed
const CATCH_UP_SECONDS = 0.4; // time constant with which the clock corrects its error
const LOST_SECONDS = 0.35; // a clock with a larger error is reset
const LONGEST_GAP = 6; // frames; poses are not interpolated across a longer gap
const FASTEST = 12; // m/s; a root that is faster has jumped and is not interpolated

/** The displayed pose, and the two simulation frames it lies between. */
export interface Shown {
  pose: Pose;
  frame: Frame;
  before: Frame; // the earlier frame; equal to `frame` if nothing is interpolated
  share: number; // position between `before` (0) and `frame` (1)
  time: number; // seconds of simulated time
}

export class Playback {
  private clock = 0; // simulated time of the displayed pose, seconds
  private arrived = 0; // arrival time of the newest frame, seconds of the page's clock
  private readonly poses = new WeakMap<Frame, Pose>();
  private mixed: Pose = { count: 0, roots: new Float64Array(0), rotations: new Float32Array(0) };

  constructor(private readonly studio: Studio) {
    studio.on("frame", () => (this.arrived = performance.now() / 1000));
  }

  /** Return what to display now, `elapsed` seconds after the last call. */
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

  /** Advance the clock at the playback speed and correct its error gradually, to avoid visible jumps. */
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
