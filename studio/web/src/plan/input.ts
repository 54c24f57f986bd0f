// Pointer input on the scene: goals, places on the way, boxes, paths and strokes.

import { ARROW, type Spot } from "../motions/place_mark";
import { SceneInput, type Drag } from "../motions/scene_input";
import { ownPlace, type Box } from "../motions/room";
import type { StrokeEntry } from "./document";
import type { Planner } from "./planner";
import type { PlanView } from "./view";

const NEAR = 0.28; // metres from a mark within which a press takes hold of it
const CORNER = 0.2; // metres from the corner of a box within which a press resizes it
const SHORTEST_HEADING = 0.3; // metres; a shorter drag sets no heading
const SMALLEST_BOX = 0.15; // metres
const STEP = 0.1; // metres between the points of a path
const SHORTEST_PATH = 0.5; // metres
const STROKE_STEP = 0.012; // metres between the points of a stroke
const SHORTEST_STROKE = 0.05; // metres
const FASTEST_STROKE = 2.5; // m/s, mean; a stroke drawn faster is slowed down

type Ground = { x: number; z: number };

export class PlanInput extends SceneInput {
  constructor(
    private readonly planner: Planner,
    private readonly view: PlanView,
  ) {
    super(view);
  }

  cancel(): void {
    super.cancel();
    this.planner.setTool("none");
    this.planner.select(null);
  }

  protected begin(event: PointerEvent): Drag | null {
    const { clientX: x, clientY: y } = event;
    if (this.planner.tool === "stroke") return this.planner.shown ? this.stroke(x, y, event.timeStamp) : null;
    const at = this.view.pickGround(x, y);
    if (!at) return null;
    switch (this.planner.tool) {
      case "goal":
        return this.newGoal(at);
      case "via":
        return this.newPlace(at);
      case "box":
        return this.newBox(at);
      case "path":
        return this.path(at, (points) => this.planner.drawPath(points));
      case "redraw":
        return this.path(at, (points) => this.planner.redraw(points));
    }
    return this.hold(at);
  }

  /** Take hold of what is there: a mark, the tip of its arrow, a box or its corner. */
  private hold(at: Ground): Drag | null {
    const { document } = this.planner;
    const spot = document.spotAt(at.x, at.z, NEAR);
    if (spot) return this.move(spot, at);
    for (const other of document.spots) {
      const heading = ((other.heading_deg ?? 0) * Math.PI) / 180;
      const [tipX, tipZ] = [other.x_m + ARROW * Math.sin(heading), other.z_m + ARROW * Math.cos(heading)];
      if (other.heading_deg !== undefined && Math.hypot(at.x - tipX, at.z - tipZ) < NEAR) return this.turn(other);
    }
    const { selected } = this.planner;
    if (selected && "width_m" in selected && nearCorner(selected, at)) return this.resize(selected, at);
    const box = document.boxAt(at.x, at.z);
    if (box) return this.move(box, at);
    this.planner.select(null);
    return null;
  }

  private newGoal(at: Ground): Drag {
    const { document } = this.planner;
    document.goal = { x_m: round(at.x), z_m: round(at.z) };
    document.strokes = [];
    this.view.showDocument();
    return this.turn(document.goal);
  }

  private newPlace(at: Ground): Drag {
    const { document } = this.planner;
    const spot: Spot = { x_m: round(at.x), z_m: round(at.z) };
    document.through.push(spot);
    document.strokes = [];
    return this.move(spot, at);
  }

  private newBox(at: Ground): Drag {
    const { document } = this.planner;
    const box: Box = { x_m: round(at.x), z_m: round(at.z), width_m: 0, depth_m: 0 };
    document.boxes.push(box);
    return this.stretch(box, at, () => {
      if (Math.min(box.width_m, box.depth_m) < SMALLEST_BOX) document.remove(box);
    });
  }

  private resize(box: Box, at: Ground): Drag {
    const own = ownPlace(box, at.x, at.z);
    const yaw = ((box.yaw_deg ?? 0) * Math.PI) / 180;
    const [x, z] = [(-Math.sign(own.x) * box.width_m) / 2, (-Math.sign(own.z) * box.depth_m) / 2];
    const opposite = {
      x: box.x_m + Math.cos(yaw) * x + Math.sin(yaw) * z,
      z: box.z_m + Math.cos(yaw) * z - Math.sin(yaw) * x,
    };
    return this.stretch(box, opposite, () => {
      box.width_m = Math.max(box.width_m, SMALLEST_BOX);
      box.depth_m = Math.max(box.depth_m, SMALLEST_BOX);
    });
  }

  /** Drag one corner of a box while the other stays at `fixed`. */
  private stretch(box: Box, fixed: Ground, finish: () => void): Drag {
    this.planner.selected = box;
    return this.onGround((at) => {
      [box.x_m, box.z_m] = [fixed.x, fixed.z];
      const own = ownPlace(box, at.x, at.z);
      [box.width_m, box.depth_m] = [round(Math.abs(own.x)), round(Math.abs(own.z))];
      [box.x_m, box.z_m] = [round((fixed.x + at.x) / 2), round((fixed.z + at.z) / 2)];
    }, finish);
  }

  private move(thing: Spot | Box, from: Ground): Drag {
    this.planner.select(thing);
    const [dx, dz] = [thing.x_m - from.x, thing.z_m - from.z];
    return this.onGround((at) => {
      [thing.x_m, thing.z_m] = [round(at.x + dx), round(at.z + dz)];
    });
  }

  private turn(spot: Spot): Drag {
    this.planner.selected = spot;
    return this.onGround((at) => {
      const [dx, dz] = [at.x - spot.x_m, at.z - spot.z_m];
      if (Math.hypot(dx, dz) >= SHORTEST_HEADING) spot.heading_deg = Math.round((Math.atan2(dx, dz) * 180) / Math.PI);
    });
  }

  /** Return a drag that changes the document by places on the ground, and sends it at its end. */
  private onGround(change: (at: Ground) => void, finish: () => void = () => {}): Drag {
    return {
      move: (x, y) => {
        const at = this.view.pickGround(x, y);
        if (at) change(at);
        this.view.showDocument();
      },
      end: () => {
        finish();
        if (this.planner.tool !== "box" && this.planner.tool !== "via") this.planner.setTool("none");
        this.planner.changed();
      },
    };
  }

  private path(at: Ground, use: (points: [number, number][]) => void): Drag {
    const points: [number, number][] = [[round(at.x), round(at.z)]];
    let length = 0;
    return {
      move: (x, y) => {
        const ground = this.view.pickGround(x, y);
        const [lastX, lastZ] = points.at(-1)!;
        const step = ground ? Math.hypot(ground.x - lastX, ground.z - lastZ) : 0;
        if (!ground || step < STEP) return;
        length += step;
        points.push([round(ground.x), round(ground.z)]);
        this.view.showDrawn(points);
      },
      end: () => {
        this.planner.setTool("none");
        if (length >= SHORTEST_PATH) use(points);
        this.view.showDrawn(null);
      },
    };
  }

  private stroke(startX: number, startY: number, began: number): Drag {
    const joint = this.view.pickJoint(startX, startY);
    this.planner.setJoint(joint);
    const plane = this.view.drawingPlane(joint);
    const points = [this.view.pickPlane(plane, startX, startY) ?? [0, 0]];
    const times = [0];
    let length = 0;
    const entry = (): StrokeEntry => {
      const slow = Math.max(1, length / FASTEST_STROKE / Math.max(times.at(-1)!, 1e-3));
      return {
        ...(joint === 0 ? {} : { joint: this.planner.scene!.joint_names[joint] }),
        view: { origin_m: plane.origin.toArray(), right: plane.right.toArray(), up: plane.up.toArray() },
        points_m: points,
        times_s: times.map((time) => time * slow),
      };
    };
    return {
      move: (x, y, milliseconds) => {
        const point = this.view.pickPlane(plane, x, y);
        const [lastX, lastY] = points.at(-1)!;
        const seconds = (milliseconds - began) / 1000;
        const step = point ? Math.hypot(point[0] - lastX, point[1] - lastY) : 0;
        if (!point || step < STROKE_STEP || seconds <= times.at(-1)!) return;
        length += step;
        points.push(point);
        times.push(seconds);
        this.view.showStroke(entry());
      },
      end: () => {
        if (length >= SHORTEST_STROKE) this.planner.drawStroke(entry());
        else this.view.showDocument();
      },
    };
  }
}

function nearCorner(box: Box, at: Ground): boolean {
  const own = ownPlace(box, at.x, at.z);
  return Math.hypot(Math.abs(own.x) - box.width_m / 2, Math.abs(own.z) - box.depth_m / 2) < CORNER;
}

const round = (metres: number) => Math.round(metres * 100) / 100;
