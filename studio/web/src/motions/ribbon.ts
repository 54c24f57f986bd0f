// A band on the ground through given points.

import { BufferAttribute, BufferGeometry, Mesh, type Color, type MeshBasicMaterial } from "three";
import { flatMaterial } from "../scene/marks/flat_material";

const MOST = 2000; // points

export class Ribbon {
  readonly mesh: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly places = new Float32Array(MOST * 6);

  constructor(
    private readonly width: number,
    private readonly height: number,
    opacity: number,
  ) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(this.places, 3));
    const index: number[] = [];
    for (let i = 0; i + 1 < MOST; i += 1) index.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 1, 2 * i + 3, 2 * i + 2);
    geometry.setIndex(index);
    const material = flatMaterial();
    material.opacity = opacity;
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
  }

  paint(color: Color): void {
    this.mesh.material.color.copy(color);
  }

  /** Draw through `points`, (x, z) in metres; with more than fit, only some of them. */
  draw(points: [number, number][]): void {
    const stride = Math.max(1, Math.ceil(points.length / MOST));
    const used = points.filter((_, i) => i % stride === 0);
    used.forEach(([x, z], i) => {
      const [ax, az] = used[Math.max(i - 1, 0)];
      const [bx, bz] = used[Math.min(i + 1, used.length - 1)];
      const length = Math.hypot(bx - ax, bz - az) || 1;
      const [sx, sz] = [((bz - az) / length) * (this.width / 2), (-(bx - ax) / length) * (this.width / 2)];
      this.places.set([x + sx, this.height, z + sz, x - sx, this.height, z - sz], 6 * i);
    });
    this.mesh.geometry.setDrawRange(0, Math.max(used.length - 1, 0) * 6);
    this.mesh.geometry.getAttribute("position").needsUpdate = true;
  }
}
