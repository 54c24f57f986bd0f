// Rooms, in the form of their JSON files.

export interface Box {
  x_m: number;
  z_m: number;
  width_m: number;
  depth_m: number;
  yaw_deg?: number;
}

export interface Wall {
  from_m: [number, number];
  to_m: [number, number];
  thickness_m?: number;
}

export interface Disc {
  x_m: number;
  z_m: number;
  radius_m: number;
}

export type Obstacle = Box | Wall | Disc;

export interface RoomFile {
  room: number;
  bounds_m: [number, number, number, number];
  radius_m?: number;
  boxes?: Box[];
  walls?: Wall[];
  discs?: Disc[];
}

/** Return a place in the frame of a box: metres along its width and its depth from the middle. */
export function ownPlace(box: Box, x: number, z: number): { x: number; z: number } {
  const yaw = ((box.yaw_deg ?? 0) * Math.PI) / 180;
  const [dx, dz] = [x - box.x_m, z - box.z_m];
  return { x: Math.cos(yaw) * dx - Math.sin(yaw) * dz, z: Math.cos(yaw) * dz + Math.sin(yaw) * dx };
}

export function insideBox(box: Box, x: number, z: number): boolean {
  const own = ownPlace(box, x, z);
  return Math.abs(own.x) <= box.width_m / 2 && Math.abs(own.z) <= box.depth_m / 2;
}
