// Poses of a crowd: reading from messages, blending, and forward kinematics.

import { Quaternion, Vector3 } from "three";
import { ROTATION_UNIT } from "../messages";
import type { Hello } from "../messages";

/** The skeleton and the parts of the body. */
export type Character = Pick<Hello, "parents" | "offsets" | "parts" | "feet">;

/** Poses as messages hold them. */
export interface PackedPoses {
  roots: Uint8Array;
  rotations: Uint8Array;
}

/** Poses as received: roots [character, 3] in metres, rotations [character, joint, 4] wxyz. */
export interface Pose {
  count: number;
  roots: Float64Array;
  rotations: Float32Array;
}

/** Copy bytes out of a message: typed arrays need an aligned start, and the message gives none. */
function aligned(bytes: Uint8Array): ArrayBuffer {
  return bytes.slice().buffer as ArrayBuffer;
}

export function readPose(message: PackedPoses): Pose {
  const roots = new Float64Array(aligned(message.roots));
  const packed = new Int16Array(aligned(message.rotations));
  const rotations = new Float32Array(packed.length);
  for (let i = 0; i < packed.length; i += 1) rotations[i] = packed[i] / ROTATION_UNIT;
  return { count: roots.length / 3, roots, rotations };
}

/** Read the position of one root of a frame, without reading the others. */
export function readRoot(frame: PackedPoses, character: number, into: Vector3): Vector3 {
  const bytes = frame.roots;
  const view = new DataView(bytes.buffer, bytes.byteOffset + character * 24, 24);
  return into.set(view.getFloat64(0, true), view.getFloat64(8, true), view.getFloat64(16, true));
}

/** Blend two poses with equal character counts. A character whose root moves more than `reach` takes the pose `to`. */
export function blend(from: Pose, to: Pose, share: number, reach: number, into: Pose): void {
  const joints = to.rotations.length / 4 / Math.max(to.count, 1);
  for (let character = 0; character < to.count; character += 1) {
    const root = character * 3;
    const away = Math.hypot(
      to.roots[root] - from.roots[root],
      to.roots[root + 1] - from.roots[root + 1],
      to.roots[root + 2] - from.roots[root + 2],
    );
    const part = away > reach ? 1 : share;
    for (let axis = root; axis < root + 3; axis += 1)
      into.roots[axis] = from.roots[axis] + part * (to.roots[axis] - from.roots[axis]);
    const [start, end] = [character * joints * 4, (character + 1) * joints * 4];
    for (let at = start; at < end; at += 4) blendRotation(from.rotations, to.rotations, part, into.rotations, at);
  }
}

/** Interpolate rotations by normalised linear interpolation, which is accurate enough for neighbouring frames. */
function blendRotation(from: Float32Array, to: Float32Array, share: number, into: Float32Array, at: number): void {
  const dot = from[at] * to[at] + from[at + 1] * to[at + 1] + from[at + 2] * to[at + 2] + from[at + 3] * to[at + 3];
  const near = dot < 0 ? share - 1 : 1 - share; // negated if needed to take the shorter arc
  const w = near * from[at] + share * to[at];
  const x = near * from[at + 1] + share * to[at + 1];
  const y = near * from[at + 2] + share * to[at + 2];
  const z = near * from[at + 3] + share * to[at + 3];
  const norm = Math.hypot(w, x, y, z) || 1;
  into[at] = w / norm;
  into[at + 1] = x / norm;
  into[at + 2] = y / norm;
  into[at + 3] = z / norm;
}

/** World positions and rotations of all joints of many characters: forward kinematics over flat arrays. */
export class WorldPose {
  count = 0;
  readonly joints: number;
  places = new Float64Array(0); // [character, joint, 3], world positions in metres
  turns = new Float64Array(0); // [character, joint, 4] xyzw, world_from_joint

  constructor(
    private readonly parents: number[],
    private readonly offsets: [number, number, number][],
  ) {
    this.joints = parents.length;
  }

  static of(hello: Character): WorldPose {
    return new WorldPose(hello.parents, hello.offsets);
  }

  set(pose: Pose): void {
    const { joints } = this;
    this.count = pose.count;
    if (this.places.length < pose.count * joints * 3) {
      this.places = new Float64Array(pose.count * joints * 3);
      this.turns = new Float64Array(pose.count * joints * 4);
    }
    for (let character = 0; character < pose.count; character += 1) this.setCharacter(pose, character);
  }

  place(character: number, joint: number, into: Vector3): Vector3 {
    return into.fromArray(this.places, (character * this.joints + joint) * 3);
  }

  turn(character: number, joint: number, into: Quaternion): Quaternion {
    return into.fromArray(this.turns, (character * this.joints + joint) * 4);
  }

  /** Return the world position of a point in the frame of a joint. */
  point(character: number, joint: number, local: Vector3, into: Vector3): Vector3 {
    this.turn(character, joint, rotation);
    this.place(character, joint, origin);
    return into.copy(local).applyQuaternion(rotation).add(origin);
  }

  /** Return the point `world` in the frame of a joint. */
  local(character: number, joint: number, world: Vector3, into: Vector3): Vector3 {
    this.turn(character, joint, rotation).conjugate();
    this.place(character, joint, origin);
    return into.copy(world).sub(origin).applyQuaternion(rotation);
  }

  private setCharacter(pose: Pose, character: number): void {
    const { places, turns, parents, offsets, joints } = this;
    const first = character * joints;
    for (let joint = 0; joint < joints; joint += 1) {
      const own = (first + joint) * 4;
      const w = pose.rotations[own];
      const x = pose.rotations[own + 1];
      const y = pose.rotations[own + 2];
      const z = pose.rotations[own + 3];
      const at = (first + joint) * 3;
      if (parents[joint] < 0) {
        turns[own] = x;
        turns[own + 1] = y;
        turns[own + 2] = z;
        turns[own + 3] = w;
        for (let axis = 0; axis < 3; axis += 1) places[at + axis] = pose.roots[character * 3 + axis];
        continue;
      }
      const above = (first + parents[joint]) * 4;
      const px = turns[above];
      const py = turns[above + 1];
      const pz = turns[above + 2];
      const pw = turns[above + 3];
      turns[own] = pw * x + px * w + py * z - pz * y;
      turns[own + 1] = pw * y - px * z + py * w + pz * x;
      turns[own + 2] = pw * z + px * y - py * x + pz * w;
      turns[own + 3] = pw * w - px * x - py * y - pz * z;
      rotation.set(px, py, pz, pw);
      origin.fromArray(offsets[joint]).applyQuaternion(rotation);
      const parent = (first + parents[joint]) * 3;
      places[at] = places[parent] + origin.x;
      places[at + 1] = places[parent + 1] + origin.y;
      places[at + 2] = places[parent + 2] + origin.z;
    }
  }
}

const rotation = new Quaternion();
const origin = new Vector3();
