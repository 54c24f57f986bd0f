// Torso and head. The torso is a pelvis, a darker core and a chest, for any number of spine joints.

import { CatmullRomCurve3, Vector3, type BufferGeometry } from "three";
import { across } from "./limbs";
import { loft, type Detail, type Section } from "./loft";
import { find, type Limb, type Stance } from "./stance";

/** Profile: [height, half width, half depth, shift forward]. Height 0 is at the hips and 1 at the shoulders; the other
 * values are in units of half the shoulder distance. */
const FORMS = {
  sturdy: [
    [-0.18, 0.38, 0.36, -0.02],
    [-0.09, 0.7, 0.54, -0.06],
    [0.04, 0.87, 0.62, -0.08],
    [0.18, 0.85, 0.58, -0.03],
    [0.34, 0.74, 0.5, 0.03],
    [0.5, 0.78, 0.54, 0.05],
    [0.68, 0.9, 0.61, 0.07],
    [0.84, 0.97, 0.6, 0.04],
    [0.97, 0.88, 0.52, -0.02],
    [1.09, 0.56, 0.4, -0.08],
    [1.18, 0.38, 0.36, -0.08],
  ],
  slim: [
    [-0.18, 0.38, 0.36, -0.04],
    [-0.09, 0.72, 0.55, -0.08],
    [0.04, 0.9, 0.62, -0.09],
    [0.18, 0.82, 0.55, -0.04],
    [0.34, 0.61, 0.43, 0.03],
    [0.5, 0.64, 0.47, 0.05],
    [0.68, 0.77, 0.57, 0.09],
    [0.84, 0.84, 0.53, 0.05],
    [0.97, 0.79, 0.46, -0.02],
    [1.09, 0.5, 0.36, -0.08],
    [1.18, 0.34, 0.33, -0.08],
  ],
} as const;
const HEIGHTS = FORMS.sturdy.map(([height]) => height); // the same for both

export type TorsoForm = keyof typeof FORMS;

const PELVIS_TOP = 0.2;
const CORE_BOTTOM = 0.08; // well inside the pelvis, so that a bend opens no gap
const CORE_TOP = 0.7; // well inside the chest
const CORE_SHARE = 0.9; // share of the profile's width
const CORE_HIDDEN_SHARE = 0.62; // share inside the pelvis and the chest, smaller so that a bent core does not stick out
const CHEST_BOTTOM = 0.5;
const OVERLAP = 0.05; // of neighbouring parts of the core, in heights of the torso
const THICKNESS = 0.36; // unit of depths, as a share of the height

export class Torso {
  private readonly low: number;
  private readonly height: number;
  private readonly wide: number; // half the shoulder distance, metres
  private readonly thick: number; // unit of depths in metres, smaller for a short torso
  private readonly middles: Vector3[]; // points on the body's centre line, from the hips up to the neck
  private readonly form: CatmullRomCurve3;

  constructor(
    private readonly stance: Stance,
    form: TorsoForm,
  ) {
    const { limbs } = stance;
    const pelvis = find(limbs, "pelvis")!;
    const hips = pelvis.start.clone().lerp(pelvis.end, 0.5);
    const spines = limbs.filter(({ part }) => part.name === "spine");
    const shoulders = ["left", "right"].map((side) => find(limbs, "upper arm", side)?.start);
    const top = spines.at(-1)?.end ?? hips.clone().setY(hips.y + 0.6 * stance.leg);
    const both = shoulders[0] && shoulders[1];
    this.low = hips.y;
    this.height = (both ? shoulders[0]!.y : top.y) - hips.y;
    this.wide = both ? shoulders[0]!.distanceTo(shoulders[1]!) / 2 : 0.22 * stance.leg;
    this.thick = Math.min(Math.max(THICKNESS * this.height, 0.8 * this.wide), this.wide);
    const middles = [hips, ...spines.map(({ start }) => start), top];
    this.middles = middles.filter(({ y }, i) => i === 0 || y > middles[i - 1].y + 0.01);
    this.form = new CatmullRomCurve3(
      FORMS[form].map(([, width, depth, shift]) => new Vector3(width, depth, shift)),
      false,
      "catmullrom",
    );
  }

  /** Return the shape of a torso part: `limb` is the pelvis or a part of the spine, the last being the chest. */
  shape(limb: Limb, detail: Detail): BufferGeometry {
    const spines = this.stance.limbs.filter(({ part }) => part.name === "spine");
    const hasCore = spines.length > 1;
    const [bottom, top] = [HEIGHTS[0], HEIGHTS.at(-1)!];
    if (spines.length === 0) return this.piece(bottom, top, [0.2, 0.12], detail);
    if (limb.part.name === "pelvis") return this.piece(bottom, hasCore ? PELVIS_TOP : 0.4, [0.2, 0.2], detail);
    if (limb === spines.at(-1)) return this.piece(hasCore ? CHEST_BOTTOM : 0.36, top, [0.22, 0.12], detail);
    const from = limb === spines[0] ? CORE_BOTTOM : this.heightOf(limb.start.y) - OVERLAP;
    const to = limb === spines.at(-2) ? CORE_TOP : this.heightOf(limb.end.y) + OVERLAP;
    return this.piece(from, Math.max(to, from + OVERLAP), [0.1, 0.1], detail, true);
  }

  /** Return the torso between two heights; `domes` are in units of half the shoulder distance. */
  private piece(from: number, to: number, domes: [number, number], detail: Detail, core = false): BufferGeometry {
    const count = Math.max(3, Math.round((to - from) / (detail.small ? 0.08 : 0.13)));
    const heights = Array.from({ length: count + 1 }, (_, i) => from + ((to - from) * i) / count);
    const sections = heights.map((height) => this.section(height, core ? coreShare(height) : 1));
    const options = {
      across: this.stance.left,
      deep: this.stance.forward,
      domes: [domes[0] * this.wide, domes[1] * this.wide] as [number, number],
      square: 2.3,
      dark: core,
    };
    return loft(sections, options, { ...detail, steps: Math.max(1, detail.steps - 2) });
  }

  private heightOf(y: number): number {
    return (y - this.low) / this.height;
  }

  private section(height: number, share: number): Section {
    const y = this.low + height * this.height;
    const form = this.form.getPoint(formShare(height));
    const at = this.middle(y).addScaledVector(this.stance.forward, form.z * this.thick);
    return { at, across: form.x * this.wide * share, deep: form.y * this.thick * share };
  }

  /** Return the point of the centre line at a height; vertical beyond the ends of the spine. */
  private middle(y: number): Vector3 {
    const points = this.middles;
    const next = points.findIndex((point) => point.y >= y);
    if (next < 0) return points.at(-1)!.clone().setY(y);
    if (next === 0) return points[0].clone().setY(y);
    const [below, above] = [points[next - 1], points[next]];
    return below.clone().lerp(above, (y - below.y) / (above.y - below.y));
  }
}

/** Return the core's share of the profile width at a height. */
function coreShare(height: number): number {
  const hidden = Math.max(PELVIS_TOP - height, height - CHEST_BOTTOM + OVERLAP, 0) / (PELVIS_TOP - CORE_BOTTOM);
  return CORE_SHARE + (CORE_HIDDEN_SHARE - CORE_SHARE) * Math.min(hidden, 1);
}

/** Return the curve parameter of a height; the points of a form are evenly spaced over 0 to 1. */
function formShare(height: number): number {
  const last = HEIGHTS.length - 1;
  let next = HEIGHTS.findIndex((at) => at >= height);
  if (next < 0) next = last;
  if (next === 0) next = 1;
  const [below, above] = [HEIGHTS[next - 1], HEIGHTS[next]];
  const share = Math.min(Math.max((height - below) / (above - below), 0), 1);
  return (next - 1 + share) / last;
}

export function neckShape(limb: Limb, stance: Stance, detail: Detail): BufferGeometry {
  const axis = limb.end.clone().sub(limb.start).normalize();
  const radius = 0.066 * stance.leg;
  const sections = [-0.3, 0.1, 0.6, 1.2].map((share, i) => ({
    at: limb.start.clone().lerp(limb.end, share),
    across: radius * (i === 0 ? 1.15 : 1),
    deep: 1.05 * radius * (i === 0 ? 1.1 : 1),
  }));
  const deep = across(axis, stance.forward);
  const wide = new Vector3().crossVectors(axis, deep);
  return loft(sections, { across: wide, deep, domes: [0.01, 0.01], dark: true }, detail);
}

/** The head: [height from the chin, half width, half depth, shift forward], in heights of the head. */
const HEAD: [number, number, number, number][] = [
  [0.04, 0.15, 0.17, 0.13],
  [0.15, 0.225, 0.255, 0.08],
  [0.32, 0.29, 0.34, 0.03],
  [0.48, 0.32, 0.385, 0.005],
  [0.64, 0.33, 0.4, -0.005],
];
const HEAD_HEIGHT = 0.285; // share of the leg length
const CROWN = 0.05; // of its height, above the end of its bone
const AHEAD = 0.05; // of its height, before its bone
const VISOR = { low: 0.44, high: 0.62, angle: 1.15 }; // heights of the head, radians from the front

export function headShape(limb: Limb, stance: Stance, detail: Detail): BufferGeometry {
  const height = HEAD_HEIGHT * stance.leg;
  const up = limb.end.clone().sub(limb.start).normalize();
  const deep = across(up, stance.forward);
  const wide = new Vector3().crossVectors(up, deep);
  const chin = limb.end.clone().addScaledVector(up, (CROWN - 1) * height);
  const sections = HEAD.map(([share, width, depth, shift]) => ({
    at: chin.clone().addScaledVector(up, share * height).addScaledVector(deep, (shift + AHEAD) * height),
    across: width * height,
    deep: depth * height,
  }));
  const domes: [number, number] = [0.04 * height, 0.36 * height];
  const fine = { ...detail, sides: Math.round(1.6 * detail.sides), steps: detail.steps + 1, dome: 2 * detail.dome };
  const head = loft(sections, { across: wide, deep, domes, square: 2.1 }, fine);
  drawVisor(head, chin.addScaledVector(deep, AHEAD * height), up, deep, height);
  return head;
}

/** Darken a band over the eyes to show the direction of the head. Its edge is where the vertex flag crosses 0.5. */
function drawVisor(head: BufferGeometry, chin: Vector3, up: Vector3, deep: Vector3, height: number): void {
  const places = head.getAttribute("position");
  const flags = head.getAttribute("dark");
  const at = new Vector3();
  const middle = (VISOR.low + VISOR.high) / 2;
  for (let i = 0; i < places.count; i += 1) {
    at.fromBufferAttribute(places, i).sub(chin);
    const rise = (at.dot(up) / height - middle) / ((VISOR.high - VISOR.low) / 2);
    const turn = at.addScaledVector(up, -at.dot(up)).angleTo(deep) / VISOR.angle;
    flags.setX(i, Math.min(Math.max(1 - 0.5 * Math.hypot(rise ** 2, turn ** 2), 0), 1));
  }
}
