// An arrow that lies on the ground and fades in from its tail. Bodies in front of it do not hide it: it shines through.

import { BufferAttribute, BufferGeometry, GreaterDepth, Mesh, type Color, type MeshBasicMaterial } from "three";
import { flatMaterial } from "./flat_material";

const THROUGH = 0.8; // opacity behind a body, as a share; white, since bodies have the colours of the marks

export class FlatArrow {
  readonly mesh: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly behind: Mesh<BufferGeometry, MeshBasicMaterial>; // drawn only where something is in front
  private length = -1;
  private inner = -1;

  /** Create an arrow; `width` is the width of the shaft and `head` that of the head, in metres. */
  constructor(
    private readonly width: number,
    private readonly head: number,
    height: number,
  ) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(7 * 3), 3));
    const alphas = new Float32Array(7 * 4).fill(1);
    alphas[3] = alphas[7] = 0; // the tail
    geometry.setAttribute("color", new BufferAttribute(alphas, 4));
    geometry.setIndex([0, 1, 2, 2, 1, 3, 4, 5, 6]);
    const material = flatMaterial(true);
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 4;
    this.mesh.position.y = height;
    this.behind = new Mesh(geometry, flatMaterial(true));
    this.behind.material.depthFunc = GreaterDepth;
    this.behind.frustumCulled = false;
    this.behind.renderOrder = 4;
    this.mesh.add(this.behind);
  }

  paint(color: Color): void {
    this.mesh.material.color.copy(color);
  }

  /** Point from (x, z) in the direction `heading`, starting `inner` metres away and `length` metres long. */
  point(x: number, z: number, heading: number, inner: number, length: number, alpha: number): void {
    const { mesh } = this;
    mesh.visible = alpha > 0.01 && length > 0.01;
    mesh.material.opacity = alpha;
    this.behind.material.opacity = THROUGH * alpha;
    mesh.position.x = x;
    mesh.position.z = z;
    mesh.rotation.y = heading;
    if (length === this.length && inner === this.inner) return;
    this.length = length;
    this.inner = inner;
    const [half, side] = [this.width / 2, Math.min(this.head, length) / 2];
    const neck = inner + length - 1.5 * side;
    const tip = inner + length;
    const outline = [-half, inner, half, inner, -half, neck, half, neck, -side, neck, side, neck, 0, tip];
    const places = mesh.geometry.getAttribute("position");
    for (let i = 0; i < 7; i += 1) places.setXYZ(i, outline[2 * i], 0, outline[2 * i + 1]);
    places.needsUpdate = true;
  }
}
