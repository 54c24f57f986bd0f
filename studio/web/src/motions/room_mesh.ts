// The room: its bounds on the ground, and its obstacles as low solids.

import { BoxGeometry, CylinderGeometry, Group, Mesh, MeshLambertMaterial, type BufferGeometry, type Color, type Raycaster } from "three";
import type { Palette } from "../scene/palette";
import { Ribbon } from "./ribbon";
import type { Box, Obstacle, RoomFile } from "./room";

const HEIGHT = 0.45; // metres; obstacles have none, and low ones hide less of the motion
const WALL = 0.1; // metres, thickness by default

export class RoomMesh {
  readonly group = new Group();
  private readonly bounds = new Ribbon(0.06, 0.003, 0.5);
  private readonly solid = new MeshLambertMaterial();
  private readonly chosen = new MeshLambertMaterial();
  private solids: Mesh<BufferGeometry, MeshLambertMaterial>[] = [];

  constructor() {
    this.group.add(this.bounds.mesh);
  }

  paint(palette: Palette): void {
    this.bounds.paint(palette.line);
    this.solid.color.copy(mixed(palette.body, palette.joint, 0.45));
    this.chosen.color.copy(palette.accent);
  }

  show(room: RoomFile, selected: unknown): void {
    for (const solid of this.solids) {
      solid.geometry.dispose();
      solid.removeFromParent();
    }
    this.solids = [];
    const [x0, z0, x1, z1] = room.bounds_m;
    this.bounds.draw(outline(x0, z0, x1, z1));
    for (const box of room.boxes ?? []) this.addBox(box, box === selected, box);
    for (const wall of room.walls ?? []) {
      const { from_m: from, to_m: to, thickness_m: thick } = wall;
      const yaw_deg = (Math.atan2(to[0] - from[0], to[1] - from[1]) * 180) / Math.PI;
      const depth_m = Math.hypot(to[0] - from[0], to[1] - from[1]) + (thick ?? WALL);
      const middle = { x_m: (from[0] + to[0]) / 2, z_m: (from[1] + to[1]) / 2 };
      this.addBox({ ...middle, width_m: thick ?? WALL, depth_m, yaw_deg }, wall === selected, wall);
    }
    for (const disc of room.discs ?? []) {
      const shape = new CylinderGeometry(disc.radius_m, disc.radius_m, HEIGHT, 40);
      this.add(shape, disc.x_m, disc.z_m, 0, disc === selected, disc);
    }
  }

  /** Return the obstacle that a ray meets first. */
  pick(caster: Raycaster): Obstacle | null {
    const [hit] = caster.intersectObjects(this.solids, false);
    return hit ? (hit.object.userData.obstacle as Obstacle) : null;
  }

  private addBox(box: Box, selected: boolean, obstacle: Obstacle): void {
    const yaw = ((box.yaw_deg ?? 0) * Math.PI) / 180;
    this.add(new BoxGeometry(box.width_m, HEIGHT, box.depth_m), box.x_m, box.z_m, yaw, selected, obstacle);
  }

  private add(
    shape: BufferGeometry,
    x: number,
    z: number,
    yaw: number,
    selected: boolean,
    obstacle: Obstacle,
  ): void {
    const solid = new Mesh(shape, selected ? this.chosen : this.solid);
    solid.position.set(x, HEIGHT / 2, z);
    solid.rotation.y = yaw;
    solid.userData.obstacle = obstacle;
    solid.castShadow = solid.receiveShadow = true;
    this.solids.push(solid);
    this.group.add(solid);
  }
}

function mixed(one: Color, other: Color, share: number): Color {
  return one.clone().lerp(other, share);
}

/** Return the outline of a rectangle; points near the corners keep the band at its full width beside them. */
function outline(x0: number, z0: number, x1: number, z1: number): [number, number][] {
  const corners: [number, number][] = [
    [x0, z0],
    [x1, z0],
    [x1, z1],
    [x0, z1],
  ];
  const at = (i: number, j: number, share: number): [number, number] => [
    corners[i][0] + share * (corners[j][0] - corners[i][0]),
    corners[i][1] + share * (corners[j][1] - corners[i][1]),
  ];
  const points = [0, 1, 2, 3].flatMap((i) => [corners[i], at(i, (i + 1) % 4, 0.002), at(i, (i + 1) % 4, 0.998)]);
  return [...points, corners[0]];
}
