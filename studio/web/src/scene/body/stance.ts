// An upright pose of the body, in which parts are shaped, because up, left and forward are well defined there.

import { Quaternion, Vector3 } from "three";
import type { Part } from "../../messages";
import { WorldPose, type Character, type Pose } from "../pose";

/** Part with its ends in the world frame of the stance. */
export interface Limb {
  part: Part;
  start: Vector3;
  end: Vector3;
}

export interface Stance {
  limbs: Limb[]; // in the order of the parts
  left: Vector3; // horizontal, like forward
  forward: Vector3;
  leg: number; // length of thigh plus shank in metres, the unit of body size
  place(joint: number): Vector3;
  turn(joint: number): Quaternion;
}

const UP = new Vector3(0, 1, 0);

/** Return the stance of a skeleton: its rest pose if that is upright, otherwise the first pose received. */
export function standing(hello: Character, seen: Pose): Stance {
  const rest: Pose = { count: 1, roots: new Float64Array(3), rotations: new Float32Array(hello.parents.length * 4) };
  for (let joint = 0; joint < hello.parents.length; joint += 1) rest.rotations[joint * 4] = 1;
  const resting = stanceOf(hello, rest);
  return isUpright(resting) ? resting : stanceOf(hello, seen);
}

function stanceOf(hello: Character, pose: Pose): Stance {
  const world = WorldPose.of(hello);
  world.set({ ...pose, count: 1 });
  const limbs = hello.parts.map((part) => ({
    part,
    start: world.point(0, part.joint, new Vector3(...part.start), new Vector3()),
    end: world.point(0, part.joint, new Vector3(...part.end), new Vector3()),
  }));
  const place = (joint: number) => world.place(0, joint, new Vector3());
  const left = new Vector3(1, 0, 0);
  const thighs = ["left", "right"].map((side) => find(limbs, "thigh", side));
  if (thighs[0] && thighs[1]) left.subVectors(thighs[0].start, thighs[1].start).setY(0).normalize();
  const leg = lengthOf(find(limbs, "thigh", "left")) + lengthOf(find(limbs, "shank", "left"));
  return {
    limbs,
    left,
    forward: new Vector3().crossVectors(left, UP),
    leg: leg || 0.85,
    place,
    turn: (joint) => world.turn(0, joint, new Quaternion()),
  };
}

export function find(limbs: Limb[], name: string, side = ""): Limb | undefined {
  return limbs.find(({ part }) => part.name === name && part.side === side);
}

export function lengthOf(limb: Limb | undefined): number {
  return limb ? limb.start.distanceTo(limb.end) : 0;
}

function isUpright({ limbs, leg }: Stance): boolean {
  const shank = find(limbs, "shank", "left");
  const thigh = find(limbs, "thigh", "left");
  const spine = limbs.filter(({ part }) => part.name === "spine");
  const legsDown = shank && thigh ? thigh.start.y - shank.end.y > 0.7 * leg : true;
  return legsDown && spine.every(({ start, end }) => end.y >= start.y - 1e-6);
}
