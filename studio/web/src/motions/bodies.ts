// Bodies of finished motions at one time: the selected motion, and others beside it.

import type { Vector3 } from "three";
import { Bodies } from "../scene/body/bodies";
import { GhostBodies } from "../scene/body/ghosts";
import { detailFor } from "../scene/body/loft";
import type { Palette } from "../scene/palette";
import { blend, WorldPose, type Character, type Pose } from "../scene/pose";
import type { Stage } from "../scene/stage";

const FASTEST = 1e3; // metres between frames; motions have no jumps

export interface Frames {
  pose: Pose; // [frame] in place of characters
  planted: Uint8Array; // [frame, 2]
}

export class MotionBodies {
  ghosts: GhostBodies | null = null;
  private bodies: Bodies | null = null;
  private world: WorldPose | null = null;

  constructor(private readonly stage: Stage) {}

  /** Place the bodies of `motions` at a frame, which may lie between two; return whether colours still change. */
  show(
    character: Character,
    motions: Frames[],
    frame: number,
    look: { chosen: number; apart: number; palette: Palette; elapsed: number },
  ): boolean {
    const pose = poseAt(motions, frame);
    for (let i = 0; i < motions.length; i += 1) pose.roots[3 * i] += look.apart * (i - look.chosen);
    this.engage(character, pose, look.palette);
    this.world!.set(pose);
    this.bodies!.place(this.world!);
    const planted = new Uint8Array(motions.length * 2);
    motions.forEach((motion, i) => {
      const at = Math.min(Math.round(frame), motion.planted.length / 2 - 1);
      planted.set(motion.planted.subarray(2 * at, 2 * at + 2), 2 * i);
    });
    return this.bodies!.color(motions.length, look.chosen, planted, look.palette, look.elapsed);
  }

  /** Return the world position of a joint of a displayed body. */
  place(motion: number, joint: number, into: Vector3): Vector3 {
    return this.world!.place(motion, joint, into);
  }

  /** Create the bodies for the skeleton, once there is a first pose. */
  private engage(character: Character, pose: Pose, palette: Palette): void {
    if (this.bodies && this.bodies.detail === detailFor(pose.count)) return;
    this.bodies?.group.removeFromParent();
    this.bodies?.dispose();
    this.bodies = new Bodies(character, pose);
    this.stage.scene.add(this.bodies.group);
    if (this.ghosts) return;
    this.world = WorldPose.of(character);
    this.ghosts = new GhostBodies(character, pose);
    this.ghosts.paint(palette);
    this.stage.scene.add(this.ghosts.group);
    this.stage.rig.startBehind(Math.PI);
    this.stage.rig.frame(2);
  }
}

/** Return the poses of motions at a frame, which may lie between two; each ends at its last frame. */
export function poseAt(motions: Frames[], frame: number): Pose {
  const joints = motions[0].pose.rotations.length / motions[0].pose.count;
  const into: Pose = { count: 1, roots: new Float64Array(3), rotations: new Float32Array(joints) };
  const pose: Pose = {
    count: motions.length,
    roots: new Float64Array(3 * motions.length),
    rotations: new Float32Array(joints * motions.length),
  };
  motions.forEach((one, i) => {
    const before = Math.min(Math.floor(frame), one.pose.count - 1);
    const after = Math.min(before + 1, one.pose.count - 1);
    blend(cut(one.pose, before, joints), cut(one.pose, after, joints), frame - before, FASTEST, into);
    pose.roots.set(into.roots, 3 * i);
    pose.rotations.set(into.rotations, joints * i);
  });
  return pose;
}

/** Return the way of a root over the ground, (x, z) in metres at each frame. */
export function wayOf(pose: Pose): [number, number][] {
  return Array.from({ length: pose.count }, (_, i) => [pose.roots[3 * i], pose.roots[3 * i + 2]]);
}

/** Return one frame of a motion as a pose, without copying. */
function cut(pose: Pose, frame: number, length: number): Pose {
  return {
    count: 1,
    roots: pose.roots.subarray(3 * frame, 3 * frame + 3),
    rotations: pose.rotations.subarray(length * frame, length * (frame + 1)),
  };
}
