// Drags on the ground of a world: a new box, disc or wall, or an obstacle that is moved.

import type { Vector3 } from "three";
import type { Box, Disc, Obstacle, Wall } from "../motions/room";
import type { View } from "../scene/view";
import type { Gesture } from "../steering/gestures";
import type { WorldEditor } from "./editor";

const SMALLEST = 0.15; // metres

/** Return the drag that a press at a screen position begins, if the editor or an obstacle is concerned. */
export function worldDrag(editor: WorldEditor, view: View, x: number, y: number): Gesture | null {
  if (!editor.active) return null;
  const at = view.pickGround(x, y);
  if (editor.tool !== "none") return at && new ObstacleDrag(editor, view, drawn(editor, at));
  const obstacle = view.pickObstacle(x, y);
  return obstacle && at ? new ObstacleDrag(editor, view, moved(editor, obstacle, at)) : null;
}

/** How an obstacle follows the pointer. */
interface Change {
  follow(at: Vector3): void;
  end(): void; // e.g. removes an obstacle that is too small
  cancel(): void;
}

class ObstacleDrag implements Gesture {
  constructor(
    private readonly editor: WorldEditor,
    private readonly view: View,
    private readonly change: Change,
  ) {
    editor.dragging = true;
  }

  move(x: number, y: number): void {
    const at = this.view.pickGround(x, y);
    if (!at) return;
    this.change.follow(at);
    this.editor.drag();
  }

  end(): void {
    this.editor.dragging = false;
    this.change.end();
    this.editor.changed();
  }

  cancel(): void {
    this.editor.dragging = false;
    this.change.cancel();
    this.editor.changed();
  }
}

function drawn(editor: WorldEditor, from: Vector3): Change {
  const [x, z] = [round(from.x), round(from.z)];
  const make = { box: newBox, disc: newDisc, wall: newWall }[editor.tool as "box" | "disc" | "wall"];
  const { obstacle, follow, size } = make(x, z);
  let added = false;
  return {
    follow: (at) => {
      follow(at);
      if (!added && size() >= SMALLEST) editor.add(obstacle);
      added ||= size() >= SMALLEST;
    },
    end: () => {
      if (added && size() < SMALLEST) editor.remove(obstacle);
    },
    cancel: () => editor.remove(obstacle),
  };
}

interface Drawn {
  obstacle: Obstacle;
  follow(at: Vector3): void;
  size(): number;
}

function newBox(x: number, z: number): Drawn {
  const box: Box = { x_m: x, z_m: z, width_m: 0, depth_m: 0 };
  const follow = (at: Vector3): void => {
    [box.x_m, box.z_m] = [round((x + at.x) / 2), round((z + at.z) / 2)];
    [box.width_m, box.depth_m] = [round(Math.abs(at.x - x)), round(Math.abs(at.z - z))];
  };
  return { obstacle: box, follow, size: () => Math.min(box.width_m, box.depth_m) };
}

function newDisc(x: number, z: number): Drawn {
  const disc: Disc = { x_m: x, z_m: z, radius_m: 0 };
  const follow = (at: Vector3): void => {
    disc.radius_m = round(Math.hypot(at.x - x, at.z - z));
  };
  return { obstacle: disc, follow, size: () => disc.radius_m };
}

function newWall(x: number, z: number): Drawn {
  const wall: Wall = { from_m: [x, z], to_m: [x, z], thickness_m: 0.1 };
  const follow = (at: Vector3): void => {
    wall.to_m = [round(at.x), round(at.z)];
  };
  return { obstacle: wall, follow, size: () => Math.hypot(wall.to_m[0] - x, wall.to_m[1] - z) };
}

function moved(editor: WorldEditor, obstacle: Obstacle, from: Vector3): Change {
  const start = structuredClone(obstacle);
  editor.select(obstacle);
  return {
    follow: (at) => shift(obstacle, start, at.x - from.x, at.z - from.z),
    end: () => {},
    cancel: () => shift(obstacle, start, 0, 0),
  };
}

/** Place an obstacle `dx`, `dz` metres from where it was. */
function shift(obstacle: Obstacle, start: Obstacle, dx: number, dz: number): void {
  if ("from_m" in obstacle && "from_m" in start) {
    obstacle.from_m = [round(start.from_m[0] + dx), round(start.from_m[1] + dz)];
    obstacle.to_m = [round(start.to_m[0] + dx), round(start.to_m[1] + dz)];
  } else if (!("from_m" in obstacle) && !("from_m" in start)) {
    obstacle.x_m = round(start.x_m + dx);
    obstacle.z_m = round(start.z_m + dz);
  }
}

const round = (metres: number): number => Math.round(metres * 100) / 100;
