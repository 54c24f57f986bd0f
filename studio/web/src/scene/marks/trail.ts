// Path of the selected character: a ribbon on the ground that fades with time.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Mesh, Vector3, type MeshBasicMaterial } from "three";
import type { Frame } from "../../messages";
import type { Palette } from "../palette";
import { readRoot } from "../pose";
import { flatMaterial } from "./flat_material";

const SECONDS = 6;
const POINTS = 160; // maximum number; with more frames, only every second or third one is used
const WIDTH = 0.045;
const STRENGTH = 0.75;
const NEAREST = 0.02; // minimum distance in metres between points, so that a standing character leaves no knot
const FARTHEST = 1.5; // metres; a larger distance is a jump

export class Trail {
  readonly mesh: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly places = new Float32Array(POINTS * 6);
  private readonly alphas = new Float32Array(POINTS * 8).fill(1);
  private readonly points = Array.from({ length: POINTS }, () => new Vector3());
  private readonly ages = new Float32Array(POINTS);

  constructor() {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(this.places, 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute("color", new BufferAttribute(this.alphas, 4).setUsage(DynamicDrawUsage));
    const index: number[] = [];
    for (let i = 0; i + 1 < POINTS; i += 1) index.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 1, 2 * i + 3, 2 * i + 2);
    geometry.setIndex(index);
    const material = flatMaterial(true);
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
  }

  paint(palette: Palette): void {
    this.mesh.material.color.copy(palette.accent);
  }

  /** Draw the trail up to `root`, the character's position at `time`. */
  place(frames: Frame[], character: number, root: Vector3, time: number, frameTime: number): void {
    const stride = Math.max(1, Math.ceil(SECONDS / frameTime / (POINTS - 2)));
    let count = 1;
    this.points[0].copy(root);
    this.ages[0] = 0;
    for (let i = frames.length - 1; i >= 0 && count < POINTS; i -= 1) {
      const frame = frames[i];
      if (frame.time >= time) continue;
      if (time - frame.time > SECONDS) break;
      if (frame.number % stride !== 0) continue; // always the same frames, so that the ribbon does not shimmer
      if (frame.roots.length < (character + 1) * 24) break;
      readRoot(frame, character, this.points[count]);
      const step = this.points[count].distanceTo(this.points[count - 1]);
      if (step > FARTHEST) break;
      if (step < NEAREST) continue;
      this.ages[count] = time - frame.time;
      count += 1;
    }
    this.draw(count);
  }

  private draw(count: number): void {
    for (let i = 0; i < count; i += 1) {
      along.subVectors(this.points[Math.max(i - 1, 0)], this.points[Math.min(i + 1, count - 1)]).setY(0);
      if (along.lengthSq() < 1e-8) along.set(0, 0, 1e-6);
      const fade = 1 - this.ages[i] / SECONDS;
      const half = (WIDTH / 2) * (0.35 + 0.65 * fade);
      side.set(along.z, 0, -along.x).setLength(half);
      const { x, z } = this.points[i];
      this.places.set([x + side.x, 0.004, z + side.z, x - side.x, 0.004, z - side.z], i * 6);
      this.alphas[i * 8 + 3] = this.alphas[i * 8 + 7] = STRENGTH * fade * fade;
    }
    const { geometry } = this.mesh;
    geometry.setDrawRange(0, Math.max(count - 1, 0) * 6);
    geometry.getAttribute("position").needsUpdate = true;
    geometry.getAttribute("color").needsUpdate = true;
  }
}

const along = new Vector3();
const side = new Vector3();
