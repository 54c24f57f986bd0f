// The places that a search has reached, as dots on the ground: those it may go on from, and those it has left behind.

import { BufferAttribute, BufferGeometry, Group, Points, PointsMaterial } from "three";
import type { Searching } from "../messages";
import type { Palette } from "../scene/palette";

const SIZE = 0.06; // metres
const HEIGHT = 0.004;
const FADE_SECONDS = 1.2; // after the search has ended

export class Frontier {
  readonly group = new Group();
  private readonly open = dots(0.9);
  private readonly closed = dots(0.35);
  private strength = 0;

  constructor() {
    this.group.add(this.closed, this.open);
    this.group.visible = false;
  }

  paint(palette: Palette): void {
    this.open.material.color.copy(palette.accent);
    this.closed.material.color.copy(palette.neighbor);
  }

  show(search: Searching): void {
    this.strength = 1;
    place(this.open, search.open);
    place(this.closed, search.closed);
    this.update();
  }

  /** Fade after the search; return whether it is still visible. */
  fade(elapsed: number): boolean {
    if (this.strength === 0) return false;
    this.strength = Math.max(0, this.strength - elapsed / FADE_SECONDS);
    this.update();
    return true;
  }

  private update(): void {
    this.group.visible = this.strength > 0;
    this.open.material.opacity = 0.9 * this.strength;
    this.closed.material.opacity = 0.35 * this.strength;
  }
}

function dots(opacity: number): Points<BufferGeometry, PointsMaterial> {
  const material = new PointsMaterial({ size: SIZE, transparent: true, opacity, depthWrite: false, toneMapped: false });
  const points = new Points(new BufferGeometry(), material);
  points.frustumCulled = false;
  points.renderOrder = 1;
  return points;
}

function place(points: Points, bytes: Uint8Array): void {
  const flat = new Float32Array(bytes.slice().buffer);
  const places = new Float32Array((flat.length / 2) * 3);
  for (let i = 0; 2 * i < flat.length; i += 1) places.set([flat[2 * i], HEIGHT, flat[2 * i + 1]], 3 * i);
  points.geometry.dispose();
  points.geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(places, 3));
}
