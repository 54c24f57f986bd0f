// The world in the scene: the room, moving obstacles, goals, the plans that characters follow, and for the selected one
// its futures and its sight.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  RingGeometry,
  type MeshBasicMaterial,
  type Raycaster,
} from "three";
import { MOST_CHARACTERS, PLAN_PLACES, type Frame, type PlanReasons } from "../messages";
import type { Obstacle, RoomFile } from "../motions/room";
import { RoomMesh } from "../motions/room_mesh";
import { flatMaterial } from "../scene/marks/flat_material";
import type { Palette } from "../scene/palette";
import type { Layer } from "./editor";

const MOVER_HEIGHT = 0.45; // metres
const MOST_FUTURES = 128;
const SCALE = 6; // seconds of cost above the best at which a future has the colour of the worst
const FRESH = 15; // frames for which futures are displayed

export class WorldLayers {
  readonly group = new Group();
  private readonly room = new RoomMesh();
  private readonly movers = new Group();
  private readonly moverPaint = new MeshLambertMaterial();
  private readonly plans = new Bands(MOST_CHARACTERS, 0.05, 0.006);
  private readonly fan = new Bands(MOST_FUTURES, 0.04, 0.008);
  private readonly chosen = new Bands(1, 0.09, 0.01);
  private readonly goals = new InstancedMesh(new RingGeometry(0.1, 0.14, 24).rotateX(-Math.PI / 2), flatMaterial(), MOST_CHARACTERS);
  private readonly sight: Mesh<BufferGeometry, MeshBasicMaterial>;
  private palette: Palette | null = null;
  private drawnRoom: RoomFile | null = null;

  constructor() {
    const sight = new BufferGeometry();
    sight.setAttribute("position", new BufferAttribute(new Float32Array(3 * 3 * 512), 3));
    this.sight = new Mesh(sight, flatMaterial());
    this.sight.material.opacity = 0.16;
    this.sight.position.y = 0.004;
    this.sight.renderOrder = 1;
    this.sight.frustumCulled = this.goals.frustumCulled = false;
    this.goals.renderOrder = 3;
    this.goals.position.y = 0.007;
    this.group.add(this.room.group, this.movers, this.plans.mesh, this.fan.mesh, this.chosen.mesh, this.goals, this.sight);
    this.group.visible = false;
  }

  paint(palette: Palette): void {
    this.palette = palette;
    this.room.paint(palette);
    this.moverPaint.color.copy(palette.push);
    this.goals.material.color.copy(palette.accent);
    this.sight.material.color.copy(palette.neighbor);
    this.plans.mesh.material.opacity = 0.75;
    this.fan.mesh.material.opacity = 0.6;
  }

  showRoom(room: RoomFile | null, selected: Obstacle | null): void {
    this.group.visible = room !== null;
    this.drawnRoom = room;
    if (room) this.room.show(room, selected);
  }

  pick(caster: Raycaster): Obstacle | null {
    return this.drawnRoom ? this.room.pick(caster) : null;
  }

  /** Show what characters do at a frame. */
  show(frame: Frame, selected: number, plans: PlanReasons | null, layers: Record<Layer, boolean>): void {
    const { walks } = frame;
    if (!walks || !this.palette) return;
    const { facing, accent } = this.palette;
    this.showMovers(floats(walks.movers));
    const [told, goals] = [floats(walks.plans), floats(walks.goals)];
    const count = goals.length / 2;
    const goingTo = (i: number): boolean => Number.isFinite(goals[2 * i]) && walks.reached[i] === 0;
    this.plans.draw(told, layers.plans ? count : 0, (i) => (i === selected ? accent : facing));
    this.goals.count = 0;
    for (let i = 0; layers.goals && i < count; i += 1)
      if (goingTo(i) && i !== selected)
        this.goals.setMatrixAt(this.goals.count++, new Matrix4().makeTranslation(goals[2 * i], 0, goals[2 * i + 1]));
    this.goals.instanceMatrix.needsUpdate = true;
    const fresh = plans !== null && plans.character === selected && Math.abs(frame.number - plans.number) <= FRESH;
    this.showFutures(fresh && layers.fan ? plans : null);
    this.showSight(fresh && layers.rays ? plans : null);
  }

  private showFutures(reasons: PlanReasons | null): void {
    this.fan.mesh.visible = this.chosen.mesh.visible = reasons !== null;
    if (!reasons) return;
    const { planted, push, accent } = this.palette!;
    const places = floats(reasons.places);
    const best = Math.min(...reasons.plans.map((plan) => plan.total));
    const color = new Color();
    this.fan.draw(places, reasons.plans.length, (i) => {
      const plan = reasons.plans[i];
      const bad = plan.hit > 0 ? 1 : Math.min((plan.total - best) / SCALE, 0.85);
      return color.copy(planted).lerp(push, bad);
    });
    const size = 2 * PLAN_PLACES;
    this.chosen.draw(places.slice(reasons.chosen * size, (reasons.chosen + 1) * size), 1, () => accent);
  }

  private showSight(reasons: PlanReasons | null): void {
    this.sight.visible = reasons !== null;
    if (!reasons) return;
    const rays = floats(reasons.rays);
    const [x, z] = reasons.place;
    const at = this.sight.geometry.getAttribute("position");
    const end = (k: number): [number, number] => {
      const angle = reasons.facing + ((k + 0.5) / rays.length - 0.5) * 2 * Math.PI;
      const depth = rays[(k + rays.length) % rays.length];
      return [x + depth * Math.sin(angle), z + depth * Math.cos(angle)];
    };
    for (let k = 0; k < rays.length; k += 1) {
      const [ax, az] = end(k);
      const [bx, bz] = end(k + 1);
      at.setXYZ(3 * k, x, 0, z);
      at.setXYZ(3 * k + 1, ax, 0, az);
      at.setXYZ(3 * k + 2, bx, 0, bz);
    }
    at.needsUpdate = true;
    this.sight.geometry.setDrawRange(0, 3 * rays.length);
  }

  private showMovers(blocks: Float32Array): void {
    const count = blocks.length / 6;
    while (this.movers.children.length > count) {
      const last = this.movers.children.at(-1) as Mesh;
      last.geometry.dispose();
      last.removeFromParent();
    }
    for (let i = 0; i < count; i += 1) {
      const [x, z, halfX, halfZ, yaw, radius] = blocks.subarray(6 * i, 6 * i + 6);
      let mesh = this.movers.children[i] as Mesh | undefined;
      if (!mesh) {
        const round = halfX === 0 && halfZ === 0;
        const shape = round
          ? new CylinderGeometry(radius, radius, MOVER_HEIGHT, 40)
          : new BoxGeometry(2 * (halfX + radius), MOVER_HEIGHT, 2 * (halfZ + radius));
        mesh = new Mesh(shape, this.moverPaint);
        mesh.castShadow = mesh.receiveShadow = true;
        this.movers.add(mesh);
      }
      mesh.position.set(x, MOVER_HEIGHT / 2, z);
      mesh.rotation.y = yaw;
    }
  }
}

/** Many short bands on the ground, each through `PLAN_PLACES` points, that fade out towards their ends. */
class Bands {
  readonly mesh: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly places: BufferAttribute;
  private readonly colors: BufferAttribute;

  constructor(
    most: number,
    private readonly width: number,
    height: number,
  ) {
    const geometry = new BufferGeometry();
    const vertices = most * PLAN_PLACES * 2;
    this.places = new BufferAttribute(new Float32Array(3 * vertices), 3);
    this.colors = new BufferAttribute(new Float32Array(4 * vertices), 4);
    geometry.setAttribute("position", this.places);
    geometry.setAttribute("color", this.colors);
    const index: number[] = [];
    for (let band = 0; band < most; band += 1)
      for (let k = 0; k + 1 < PLAN_PLACES; k += 1) {
        const a = 2 * (band * PLAN_PLACES + k);
        index.push(a, a + 1, a + 2, a + 1, a + 3, a + 2);
      }
    geometry.setIndex(index);
    this.mesh = new Mesh(geometry, flatMaterial(true));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
    this.mesh.position.y = height;
  }

  /** Draw `count` bands through `points` [band, PLAN_PLACES, 2]. */
  draw(points: Float32Array, count: number, colorOf: (band: number) => Color): void {
    const { places, colors, width } = this;
    for (let band = 0; band < count; band += 1) {
      const color = colorOf(band);
      const at = (k: number): [number, number] => {
        const from = 2 * (band * PLAN_PLACES + Math.min(Math.max(k, 0), PLAN_PLACES - 1));
        return [points[from], points[from + 1]];
      };
      for (let k = 0; k < PLAN_PLACES; k += 1) {
        const [[ax, az], [bx, bz], [x, z]] = [at(k - 1), at(k + 1), at(k)];
        const length = Math.hypot(bx - ax, bz - az);
        const [sx, sz] = length > 1e-4 ? [((bz - az) / length) * (width / 2), (-(bx - ax) / length) * (width / 2)] : [0, 0];
        const vertex = 2 * (band * PLAN_PLACES + k);
        places.setXYZ(vertex, x + sx, 0, z + sz);
        places.setXYZ(vertex + 1, x - sx, 0, z - sz);
        const alpha = 1 - 0.75 * (k / (PLAN_PLACES - 1));
        colors.setXYZW(vertex, color.r, color.g, color.b, alpha);
        colors.setXYZW(vertex + 1, color.r, color.g, color.b, alpha);
      }
    }
    places.needsUpdate = colors.needsUpdate = true;
    this.mesh.geometry.setDrawRange(0, count * (PLAN_PLACES - 1) * 6);
  }
}

function floats(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer as ArrayBuffer);
}
