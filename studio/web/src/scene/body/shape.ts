// The mannequin: a geometry for every part of the body, in the frame of its joint.

import { Matrix4, Quaternion, Vector3, type BufferGeometry } from "three";
import type { Character, Pose } from "../pose";
import { footShape, handShape, limbShape } from "./limbs";
import type { Detail } from "./loft";
import { standing, type Limb, type Stance } from "./stance";
import { headShape, neckShape, Torso, type TorsoForm } from "./torso";

/** A body type. */
export interface Build {
  torso: TorsoForm;
  limbs: number; // factor of the widths of arms and legs
}

/** The body types: sturdy and slim. */
export const BUILDS: Build[] = [
  { torso: "sturdy", limbs: 1 },
  { torso: "slim", limbs: 0.84 },
];

/** Return the shapes of `hello.parts`, in their order. `seen` is any pose of the body. */
export function bodyShapes(hello: Character, seen: Pose, detail: Detail, build = BUILDS[0]): BufferGeometry[] {
  const stance = standing(hello, seen);
  const torso = new Torso(stance, build.torso);
  const head = stance.limbs.filter(({ part }) => part.name === "neck").at(-1);
  return stance.limbs.map((limb) => {
    const shape = partShape(limb, limb === head, stance, torso, { ...detail, limbs: build.limbs });
    return shape.applyMatrix4(jointFromWorld(stance, limb.part.joint));
  });
}

function partShape(
  limb: Limb,
  isHead: boolean,
  stance: Stance,
  torso: Torso,
  detail: Detail & { limbs: number },
): BufferGeometry {
  switch (limb.part.name) {
    case "pelvis":
    case "spine":
      return torso.shape(limb, detail);
    case "neck":
      return isHead ? headShape(limb, stance, detail) : neckShape(limb, stance, detail);
    case "hand":
      return handShape(limb, stance, detail);
    case "foot":
      return footShape(limb, stance, detail);
    default:
      return limbShape({ ...limb, part: { ...limb.part, radius: detail.limbs * limb.part.radius } }, stance, detail);
  }
}

function jointFromWorld(stance: Stance, joint: number): Matrix4 {
  const turn: Quaternion = stance.turn(joint);
  return new Matrix4().compose(stance.place(joint), turn, new Vector3(1, 1, 1)).invert();
}
