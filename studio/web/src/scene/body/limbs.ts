// Arms and legs: rounded forms along their bones, with a ball at the first joint.

import { Vector3, type BufferGeometry } from "three";
import { ball, loft, merged, type Detail, type Section } from "./loft";
import { find, lengthOf, type Limb, type Stance } from "./stance";

/** A form along a bone: [share of its length, half width, half depth, shift forward], in radii of the part. */
type Form = [number, number, number, number][];

const FORMS: Record<string, Form> = {
  thigh: [
    [0.03, 1.06, 1.1, 0],
    [0.2, 1.06, 1.14, 0.06],
    [0.5, 0.92, 0.98, 0.1],
    [0.78, 0.72, 0.76, 0.06],
    [0.9, 0.62, 0.66, 0],
  ],
  shank: [
    [0.1, 1.0, 1.04, 0.1],
    [0.28, 1.2, 1.28, -0.26],
    [0.5, 1.02, 1.1, -0.16],
    [0.75, 0.76, 0.82, 0],
    [0.92, 0.66, 0.72, 0],
  ],
  "upper arm": [
    [0, 1.3, 1.36, 0],
    [0.16, 1.24, 1.34, 0],
    [0.45, 1.06, 1.16, 0],
    [0.86, 0.84, 0.88, 0],
  ],
  forearm: [
    [0.11, 0.98, 0.98, 0],
    [0.28, 1.14, 1.2, 0],
    [0.6, 0.9, 0.98, 0],
    [0.93, 0.62, 0.76, 0],
  ],
};

/** Bulge of the ends of a form, and radius of the ball at its near end, in radii of the part. */
const ENDS: Record<string, { domes: [number, number]; ball: number }> = {
  thigh: { domes: [0.95, 0.4], ball: 0 },
  shank: { domes: [0.45, 0.45], ball: 1.06 },
  "upper arm": { domes: [1.25, 0.5], ball: 0 },
  forearm: { domes: [0.6, 0.5], ball: 0.98 },
};

export function limbShape(limb: Limb, stance: Stance, detail: Detail): BufferGeometry {
  const { part, start, end } = limb;
  const form = FORMS[part.name];
  const ends = ENDS[part.name];
  const axis = end.clone().sub(start).normalize();
  const deep = across(axis, stance.forward);
  const wide = new Vector3().crossVectors(deep, axis);
  const sections: Section[] = form.map(([share, width, depth, shift]) => ({
    at: start.clone().lerp(end, share).addScaledVector(deep, shift * part.radius),
    across: width * part.radius,
    deep: depth * part.radius,
  }));
  const domes: [number, number] = [ends.domes[0] * part.radius, ends.domes[1] * part.radius];
  const body = loft(sections, { across: wide, deep, domes }, detail);
  return ends.ball ? merged([body, ball(start, ends.ball * part.radius, detail)]) : body;
}

/** A mitten: flat across the palm, with a thumb at its forward side. */
export function handShape(limb: Limb, stance: Stance, detail: Detail): BufferGeometry {
  const { start, end, part } = limb;
  const forearm = lengthOf(find(stance.limbs, "forearm", part.side)) || 0.25;
  const length = Math.min(Math.max(lengthOf(limb), 0.62 * forearm), 0.75 * forearm);
  const axis = end.clone().sub(start).normalize();
  const wide = across(axis, stance.forward);
  const flat = new Vector3().crossVectors(wide, axis);
  const form: Form = [[0.16, 0.14, 0.11, 0], [0.32, 0.225, 0.12, 0.02], [0.55, 0.245, 0.115, 0.02], [0.8, 0.2, 0.09, 0]];
  const palm = form.map(([share, width, depth, shift]) => ({
    at: start.clone().addScaledVector(axis, share * length).addScaledVector(wide, shift * length),
    across: width * length,
    deep: depth * length,
  }));
  const thumb = [[0.24, 0.1], [0.42, 0.26], [0.58, 0.31]].map(([along, out], joint) => ({
    at: start.clone().addScaledVector(axis, along * length).addScaledVector(wide, out * length),
    across: (0.085 - 0.01 * joint) * length,
    deep: (0.085 - 0.01 * joint) * length,
  }));
  const options = { across: wide, deep: flat, square: 2.3 };
  const shapes = [
    loft(palm, { ...options, domes: [0.06 * length, 0.2 * length] }, detail),
    ball(start, 0.14 * length, detail),
  ];
  if (detail.small) shapes.push(loft(thumb, { ...options, domes: [0.02, 0.07 * length] }, detail));
  return merged(shapes);
}

/** A rounded wedge with a flat sole, perpendicular to the shank when the body stands. */
export function footShape(limb: Limb, stance: Stance, detail: Detail): BufferGeometry {
  const { start, end, part } = limb;
  const shank = find(stance.limbs, "shank", part.side);
  const up = shank ? shank.start.clone().sub(shank.end).normalize() : new Vector3(0, 1, 0);
  const bone = end.clone().sub(start);
  const forward = across(up, bone);
  const wide = new Vector3().crossVectors(up, forward);
  const unit = stance.leg / 0.835; // the form below is for a leg length of 0.835 m
  const drop = -bone.dot(up) + 0.022 * unit; // from the ankle to the sole
  const toes = Math.max(bone.dot(forward), 0.15 * unit);
  const form = [ // forward from the ankle, half width, height of the instep above the sole
    [-0.045 * unit, 0.03 * unit, 0.8 * drop],
    [-0.005 * unit, 0.035 * unit, 1.12 * drop],
    [0.35 * toes, 0.038 * unit, 0.92 * drop],
    [0.68 * toes, 0.048 * unit, 0.62 * drop],
    [0.95 * toes, 0.04 * unit, 0.42 * drop],
  ];
  const sections = form.map(([along, width, height]) => ({
    at: start.clone().addScaledVector(forward, along).addScaledVector(up, height / 2 - drop),
    across: width,
    deep: height / 2,
  }));
  const domes: [number, number] = [0.025 * unit, 0.03 * unit];
  return merged([
    loft(sections, { across: wide, deep: up, domes, square: 2.7 }, detail),
    ball(start, 0.036 * unit, detail),
  ]);
}

/** The unit vector nearest to `wanted` at a right angle to the unit vector `axis`; any, if they are parallel. */
export function across(axis: Vector3, wanted: Vector3): Vector3 {
  const flat = wanted.clone().addScaledVector(axis, -wanted.dot(axis));
  if (flat.lengthSq() < 1e-4) return across(axis, new Vector3(axis.y, axis.z, axis.x));
  return flat.normalize();
}
