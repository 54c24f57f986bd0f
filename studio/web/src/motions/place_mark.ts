// Mark of a place on the ground: a ring, and an arrow for the heading.

import { Group, Mesh, RingGeometry, type Color } from "three";
import { FlatArrow } from "../scene/marks/flat_arrow";
import { flatMaterial } from "../scene/marks/flat_material";
/** A place on the ground, with the heading that is wanted there, if any. */
export interface Spot {
  x_m: number;
  z_m: number;
  heading_deg?: number;
}

const RING = 0.2; // metres
export const ARROW = 0.9; // metres from the place to the tip

export class PlaceMark {
  readonly group = new Group();
  private readonly ring = new Mesh(new RingGeometry(0.7 * RING, RING, 40).rotateX(-Math.PI / 2), flatMaterial());
  private readonly arrow = new FlatArrow(0.07, 0.3, 0.008);

  constructor() {
    this.ring.renderOrder = 3;
    this.group.add(this.ring, this.arrow.mesh);
  }

  show(place: Spot, color: Color, selected: boolean): void {
    this.ring.material.color.copy(color);
    this.arrow.paint(color);
    this.ring.position.set(place.x_m, 0.008, place.z_m);
    this.ring.scale.setScalar(selected ? 1.25 : 1);
    const heading = ((place.heading_deg ?? 0) * Math.PI) / 180;
    this.arrow.point(place.x_m, place.z_m, heading, RING, ARROW - RING, place.heading_deg === undefined ? 0 : 0.95);
  }

  dispose(): void {
    this.ring.geometry.dispose();
    this.ring.material.dispose();
    this.arrow.mesh.geometry.dispose();
    this.arrow.mesh.material.dispose();
    this.group.removeFromParent();
  }
}
