// Compass around the selected character: a thin ring, and arrows for the desired and the actual facing.

import { Group, Mesh, RingGeometry, type MeshBasicMaterial, type Vector3 } from "three";
import type { Goal } from "../../messages";
import { nearest } from "../angles";
import type { Palette } from "../palette";
import { FlatArrow } from "./flat_arrow";
import { flatMaterial } from "./flat_material";

const RADIUS = 0.46; // metres, of the ring
const GAP = 0.07;
const EASE_SECONDS = 0.12;

export class Compass {
  readonly group = new Group();
  private readonly ring: Mesh<RingGeometry, MeshBasicMaterial>;
  private readonly desired = new FlatArrow(0.085, 0.26, 0.006);
  private readonly facing = new FlatArrow(0.03, 0.12, 0.007);
  private heading = 0; // eased, like the two below
  private length = 0;
  private alpha = 0;

  constructor() {
    const geometry = new RingGeometry(RADIUS - 0.009, RADIUS + 0.009, 72).rotateX(-Math.PI / 2);
    this.ring = new Mesh(geometry, flatMaterial());
    this.ring.material.opacity = 0.55;
    this.ring.position.y = 0.005;
    this.ring.renderOrder = 3;
    this.group.add(this.ring, this.desired.mesh, this.facing.mesh);
  }

  paint(palette: Palette): void {
    this.ring.material.color.copy(palette.accent);
    this.desired.paint(palette.accent);
    this.facing.paint(palette.facing);
  }

  /** Place the compass; return whether it is still easing. Without a `goal` or a `facing`, only the ring is shown. */
  place(root: Vector3, goal: Goal | null, facing: number | null, elapsed: number): boolean {
    const share = 1 - Math.exp(-elapsed / EASE_SECONDS);
    const pointing = goal !== null && goal.kind !== "stand";
    const length = pointing ? 0.62 + 0.24 * Math.min(goal.speed, 3) : 0.3;
    if (goal && this.alpha < 0.01) this.heading = goal.heading;
    const turnLeft = goal ? nearest(goal.heading, this.heading) - this.heading : 0;
    const [lengthLeft, alphaLeft] = [length - this.length, (pointing ? 0.95 : 0) - this.alpha];
    this.heading += share * turnLeft;
    this.length += share * lengthLeft;
    this.alpha += share * alphaLeft;
    this.ring.position.x = root.x;
    this.ring.position.z = root.z;
    this.desired.point(root.x, root.z, this.heading, RADIUS + GAP, this.length, this.alpha);
    this.facing.point(root.x, root.z, facing ?? 0, RADIUS - 0.1, 0.34, facing === null ? 0 : 0.9);
    return Math.abs(turnLeft) + Math.abs(lengthLeft) + Math.abs(alphaLeft) > 1e-3;
  }
}
