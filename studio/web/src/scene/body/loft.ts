// Rounded solids: elliptic sections along an axis, joined by a smooth skin and closed by domes.

import { BufferAttribute, BufferGeometry, CatmullRomCurve3, Vector3 } from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

/** One section: its centre, and its half widths along the two axes of the loft. */
export interface Section {
  at: Vector3;
  across: number;
  deep: number;
}

export interface LoftOptions {
  across: Vector3; // unit vectors, both at right angles to the axis of the loft
  deep: Vector3;
  domes: [number, number]; // metres that the two ends bulge out
  square?: number; // exponent of the superellipse: 2 is an ellipse, larger values are squarer
  dark?: boolean; // use the dark joint colour instead of the character's colour
}

/** Mesh resolution of bodies; crowds use less. */
export interface Detail {
  sides: number;
  steps: number; // rings per interval between two sections
  dome: number; // rings of a dome
  small: boolean; // whether to include small forms: thumbs, round joints
}

export const FINE: Detail = { sides: 24, steps: 3, dome: 5, small: true };
const MEDIUM: Detail = { sides: 14, steps: 2, dome: 3, small: true };
export const COARSE: Detail = { sides: 10, steps: 1, dome: 2, small: false };
const ROUGH: Detail = { sides: 6, steps: 1, dome: 1, small: false };

/** Return the mesh resolution for a crowd of `count` bodies. */
export function detailFor(count: number): Detail {
  if (count <= 8) return FINE;
  return count <= 40 ? MEDIUM : COARSE;
}

export function loft(sections: Section[], options: LoftOptions, detail: Detail): BufferGeometry {
  const rings = withDomes(smooth(sections, detail.steps), options.domes, detail.dome);
  const { sides } = detail;
  const corner = 2 / (options.square ?? 2);
  const places: number[] = [];
  for (const ring of rings) {
    for (let side = 0; side < sides; side += 1) {
      const angle = (2 * Math.PI * side) / sides;
      const x = ring.across * bent(Math.cos(angle), corner);
      const z = ring.deep * bent(Math.sin(angle), corner);
      const { at } = ring;
      places.push(
        at.x + x * options.across.x + z * options.deep.x,
        at.y + x * options.across.y + z * options.deep.y,
        at.z + x * options.across.z + z * options.deep.z,
      );
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.setIndex(skin(rings.length, sides, facesOut(rings, options)));
  geometry.computeVertexNormals();
  return toned(geometry, options.dark ?? false);
}

/** A ball, for a joint. */
export function ball(at: Vector3, radius: number, detail: Detail): BufferGeometry {
  const section = { at, across: radius, deep: radius };
  const axes = { across: new Vector3(1, 0, 0), deep: new Vector3(0, 0, 1) };
  const above = { ...section, at: at.clone().add(new Vector3(0, 1e-4, 0)) };
  const cut = detail.small ? { ...detail, steps: 1 } : ROUGH;
  return loft([section, above], { ...axes, domes: [radius, radius], dark: true }, cut);
}

/** Merge several geometries with the same attributes into one. */
export function merged(geometries: BufferGeometry[]): BufferGeometry {
  return mergeGeometries(geometries)!;
}

/** Set the vertex attribute that marks dark vertices for the body material: a flag above 0.5 is dark. */
function toned(geometry: BufferGeometry, dark: boolean): BufferGeometry {
  const flags = new Float32Array(geometry.getAttribute("position").count).fill(dark ? 1 : 0);
  return geometry.setAttribute("dark", new BufferAttribute(flags, 1));
}

const bent = (value: number, power: number) => Math.sign(value) * Math.abs(value) ** power;

function smooth(sections: Section[], steps: number): Section[] {
  const centres = new CatmullRomCurve3(sections.map(({ at }) => at), false, "catmullrom");
  const widths = new CatmullRomCurve3(sections.map(({ across, deep }) => new Vector3(across, deep, 0)), false, "catmullrom");
  const count = (sections.length - 1) * steps;
  const rings: Section[] = [];
  for (let ring = 0; ring <= count; ring += 1) {
    const width = widths.getPoint(ring / count);
    rings.push({ at: centres.getPoint(ring / count), across: width.x, deep: width.y });
  }
  return rings;
}

function withDomes(rings: Section[], domes: [number, number], count: number): Section[] {
  const dome = (end: Section, before: Section, height: number) => {
    const out = end.at.clone().sub(before.at).normalize();
    return Array.from({ length: count }, (_, step) => {
      const angle = (Math.PI / 2) * ((step + 1) / count);
      const width = Math.max(Math.cos(angle), 1e-3);
      const at = end.at.clone().addScaledVector(out, height * Math.sin(angle));
      return { at, across: end.across * width, deep: end.deep * width };
    });
  };
  const first = dome(rings[0], rings[1], domes[0]).reverse();
  return [...first, ...rings, ...dome(rings.at(-1)!, rings.at(-2)!, domes[1])];
}

/** Return whether the winding order of the rings makes the triangles face outwards. */
function facesOut(rings: Section[], { across, deep }: LoftOptions): boolean {
  const axis = rings.at(-1)!.at.clone().sub(rings[0].at);
  return new Vector3().crossVectors(across, deep).dot(axis) > 0;
}

function skin(rings: number, sides: number, out: boolean): number[] {
  const index: number[] = [];
  for (let ring = 0; ring + 1 < rings; ring += 1) {
    for (let side = 0; side < sides; side += 1) {
      const a = ring * sides + side;
      const b = ring * sides + ((side + 1) % sides);
      const [c, d] = [a + sides, b + sides];
      if (out) index.push(a, b, c, b, d, c);
      else index.push(a, c, b, b, c, d);
    }
  }
  return index;
}
