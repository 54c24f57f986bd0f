// The world that the user edits: its room, the tool in hand, the selected obstacle, and which layers are displayed.

import { Emitter } from "../events";
import type { WorldState } from "../messages";
import type { Obstacle, RoomFile } from "../motions/room";
import type { Studio } from "../studio";
import { Versions } from "../versions";

export type Tool = "none" | "box" | "disc" | "wall";
export type Layer = "plans" | "goals" | "fan" | "rays";
export type Orders = "go" | "cross" | "wander" | "chase";

const MOST_OFTEN_MS = 250; // shortest time between two versions of a room while an obstacle is dragged

interface Events {
  room: void; // another room, selection or tool
  layers: void;
}

export class WorldEditor extends Emitter<Events> {
  room: RoomFile = { room: 1, bounds_m: [-10, -10, 10, 10] };
  selected: Obstacle | null = null;
  tool: Tool = "none";
  everyone = false; // whether a click sends everyone
  dragging = false;
  readonly layers: Record<Layer, boolean> = { plans: true, goals: true, fan: false, rays: false };
  private readonly versions = new Versions();
  private sentAt = 0;

  constructor(private readonly studio: Studio) {
    super();
    studio.on("world", (world) => this.receive(world));
  }

  get active(): boolean {
    return this.studio.world?.on ?? false;
  }

  enter(on: boolean): void {
    this.studio.send({ type: "enter", on });
  }

  order(what: Orders): void {
    this.studio.send({ type: "order", what });
  }

  setTool(tool: Tool): void {
    this.tool = tool;
    this.select(null);
  }

  setLayer(layer: Layer, shown: boolean): void {
    this.layers[layer] = shown;
    this.studio.showPlans(this.layers.fan || this.layers.rays);
    this.emit("layers", undefined);
  }

  setEveryone(everyone: boolean): void {
    this.everyone = everyone;
    this.emit("room", undefined);
  }

  select(obstacle: Obstacle | null): void {
    this.selected = obstacle;
    this.emit("room", undefined);
  }

  add(obstacle: Obstacle): void {
    const { room } = this;
    if ("width_m" in obstacle) (room.boxes ??= []).push(obstacle);
    else if ("radius_m" in obstacle) (room.discs ??= []).push(obstacle);
    else (room.walls ??= []).push(obstacle);
    this.select(obstacle);
  }

  remove(obstacle: Obstacle): void {
    const { room } = this;
    room.boxes = room.boxes?.filter((one) => one !== obstacle);
    room.discs = room.discs?.filter((one) => one !== obstacle);
    room.walls = room.walls?.filter((one) => one !== obstacle);
    this.select(null);
  }

  removeSelected(): void {
    if (!this.selected) return;
    this.remove(this.selected);
    this.changed();
  }

  undo(): void {
    const text = this.versions.back();
    if (!text) return;
    this.room = JSON.parse(text) as RoomFile;
    this.selected = null;
    this.send(text);
    this.emit("room", undefined);
  }

  /** Display the room while an obstacle is dragged; characters avoid it where it is. */
  drag(): void {
    this.emit("room", undefined);
    if (performance.now() - this.sentAt >= MOST_OFTEN_MS) this.send(this.text());
  }

  /** Send the room as the user has changed it. */
  changed(): void {
    const text = this.text();
    if (this.versions.change(text)) this.send(text);
    this.emit("room", undefined);
  }

  private text(): string {
    return JSON.stringify(this.room);
  }

  private send(text: string): void {
    this.sentAt = performance.now();
    this.studio.send({ type: "build", room: text });
  }

  /** Take the room of the server, unless it is the one that this page sent or the user is changing it. */
  private receive(world: WorldState): void {
    if (this.dragging) return;
    const room = JSON.parse(world.room) as RoomFile;
    const same = JSON.stringify(sorted(room)) === JSON.stringify(sorted(this.room));
    if (!same) {
      this.room = room;
      this.selected = null;
    }
    this.versions.begin(this.text());
    this.emit("room", undefined);
  }
}

/** Return the parts of a room in one order, rounded, to compare rooms. */
function sorted({ bounds_m, boxes = [], walls = [], discs = [] }: RoomFile): unknown {
  const round = (value: number | undefined): number => Math.round((value ?? 0) * 1e6) / 1e6;
  return [
    bounds_m.map(round),
    boxes.map((box) => [box.x_m, box.z_m, box.width_m, box.depth_m, box.yaw_deg].map(round)),
    walls.map((wall) => [...wall.from_m, ...wall.to_m, wall.thickness_m ?? 0.1].map(round)),
    discs.map((disc) => [disc.x_m, disc.z_m, disc.radius_m].map(round)),
  ];
}
