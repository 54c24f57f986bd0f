// An arrow in the air, for forces.

import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Quaternion, Vector3, type Color } from "three";

const UP = new Vector3(0, 1, 0);
const HEAD = 0.13; // metres
const RADIUS = 0.013;

export class SolidArrow {
  readonly group = new Group();
  private readonly material = new MeshBasicMaterial({ transparent: true, toneMapped: false });
  private readonly shaft = new Mesh(new CylinderGeometry(RADIUS, 0.55 * RADIUS, 1, 12).translate(0, 0.5, 0), this.material);
  private readonly head = new Mesh(new ConeGeometry(3.2 * RADIUS, HEAD, 20).translate(0, -HEAD / 2, 0), this.material);

  constructor() {
    this.group.add(this.shaft, this.head);
    this.group.visible = false;
    this.shaft.renderOrder = this.head.renderOrder = 12;
  }

  paint(color: Color): void {
    this.material.color.copy(color);
  }

  show(from: Vector3, to: Vector3, alpha = 1): void {
    along.subVectors(to, from);
    const length = along.length();
    this.group.visible = length > 0.02 && alpha > 0.01;
    if (!this.group.visible) return;
    this.material.opacity = alpha;
    const size = Math.min(1, length / (1.6 * HEAD));
    this.head.scale.setScalar(size);
    this.head.position.y = length;
    this.shaft.scale.set(1, Math.max(length - 0.9 * HEAD * size, 1e-3), 1);
    this.group.position.copy(from);
    this.group.quaternion.copy(turn.setFromUnitVectors(UP, along.divideScalar(length)));
  }

  hide(): void {
    this.group.visible = false;
  }
}

const along = new Vector3();
const turn = new Quaternion();
