// The request that the user draws: the room, start, goal, places on the way, and strokes. Rooms and strokes have the form
// of their JSON files.

import type { Spot } from "../motions/place_mark";
import { insideBox, type Box, type RoomFile } from "../motions/room";

export interface StrokeEntry {
  points_m: number[][];
  joint?: string;
  times_s?: number[];
  view?: { origin_m: number[]; right: number[]; up: number[] };
}

interface Content {
  room: RoomFile;
  start: Spot;
  goal: Spot;
  through: Spot[];
  strokes: StrokeEntry[];
}

export class PlanDocument implements Content {
  room: RoomFile = { room: 1, bounds_m: [-5, -2, 5, 8] };
  start: Spot = { x_m: 0, z_m: 0, heading_deg: 0 };
  goal: Spot = { x_m: 0, z_m: 4 };
  through: Spot[] = [];
  strokes: StrokeEntry[] = []; // with strokes, the motion follows them and not the goal

  get boxes(): Box[] {
    return (this.room.boxes ??= []);
  }

  read(text: string): void {
    Object.assign(this, JSON.parse(text) as Content);
  }

  write(): string {
    const { room, start, goal, through, strokes } = this;
    return JSON.stringify({ room, start, goal, through, strokes } satisfies Content);
  }

  roomText(): string {
    return JSON.stringify(this.room, null, 2);
  }

  strokesText(): string {
    return JSON.stringify({ sketch: 1, strokes: this.strokes }, null, 2);
  }

  /** Return the spot that can be dragged at a place on the ground, within `reach` metres. */
  spotAt(x: number, z: number, reach: number): Spot | null {
    return this.spots.find((spot) => Math.hypot(spot.x_m - x, spot.z_m - z) < reach) ?? null;
  }

  get spots(): Spot[] {
    return this.strokes.length ? [] : [this.goal, ...this.through, this.start];
  }

  /** Return the box under a place on the ground. */
  boxAt(x: number, z: number): Box | null {
    return this.boxes.find((box) => insideBox(box, x, z)) ?? null;
  }

  remove(thing: Spot | Box): void {
    this.through = this.through.filter((spot) => spot !== thing);
    this.room.boxes = this.boxes.filter((box) => box !== thing);
  }
}
