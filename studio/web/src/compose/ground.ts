// Pointer input on the scene: drags of places, headings and paths on the ground.

import { SceneInput, type Drag } from "../motions/scene_input";
import type { Composer } from "./composer";
import type { Place } from "./document";
import { ARROW } from "../motions/place_mark";
import type { ComposeView } from "./view";
import { snapped } from "./document";

const NEAR = 0.28; // metres from a mark within which a press takes hold of it
const SHORTEST_HEADING = 0.3; // metres; a shorter drag sets no heading
const STEP = 0.12; // metres between the points of a path
const SHORTEST_PATH = 1; // metres

export class GroundInput extends SceneInput {
  constructor(
    private readonly composer: Composer,
    private readonly view: ComposeView,
  ) {
    super(view);
  }

  cancel(): void {
    super.cancel();
    this.view.showDraft(null);
    this.view.showDrawn(null);
    this.composer.setTool("none");
  }

  protected begin(event: PointerEvent): Drag | null {
    const ground = this.view.pickGround(event.clientX, event.clientY);
    if (!ground) return null;
    if (this.composer.tool === "place") return this.newPlace(ground);
    if (this.composer.tool === "path") return this.newPath(ground);
    for (const place of this.composer.document.places) {
      if (Math.hypot(ground.x - place.x_m, ground.z - place.z_m) < NEAR) return this.move(place);
      const heading = ((place.heading_deg ?? 0) * Math.PI) / 180;
      const [tipX, tipZ] = [place.x_m + ARROW * Math.sin(heading), place.z_m + ARROW * Math.cos(heading)];
      if (place.heading_deg !== undefined && Math.hypot(ground.x - tipX, ground.z - tipZ) < NEAR)
        return this.turn(place);
    }
    return null;
  }

  /** Press on a place and drag to give it a heading; it belongs to the displayed time. */
  private newPlace(at: { x: number; z: number }): Drag {
    const place: Place = { time_s: snapped(this.composer.time), x_m: round(at.x), z_m: round(at.z) };
    this.view.showDraft(place);
    return {
      move: (x, y) => {
        this.face(place, x, y);
        this.view.showDraft(place);
      },
      end: () => {
        this.composer.document.setPlace(place);
        this.composer.setTool("none");
        this.finish(place);
      },
    };
  }

  private newPath(at: { x: number; z: number }): Drag {
    const points: [number, number][] = [[round(at.x), round(at.z)]];
    let length = 0;
    return {
      move: (x, y) => {
        const ground = this.view.pickGround(x, y);
        const [lastX, lastZ] = points.at(-1)!;
        if (!ground) return;
        const step = Math.hypot(ground.x - lastX, ground.z - lastZ);
        if (step < STEP) return;
        length += step;
        points.push([round(ground.x), round(ground.z)]);
        this.view.showDrawn(points);
      },
      end: () => {
        this.composer.setTool("none");
        if (length >= SHORTEST_PATH) this.composer.document.setPath(points, snapped(this.composer.time));
        this.finish(null);
      },
    };
  }

  private move(place: Place): Drag {
    this.composer.select(null, place);
    return {
      move: (x, y) => {
        const ground = this.view.pickGround(x, y);
        if (ground) [place.x_m, place.z_m] = [round(ground.x), round(ground.z)];
        this.view.showDraft(place);
      },
      end: () => this.finish(place),
    };
  }

  private turn(place: Place): Drag {
    this.composer.select(null, place);
    return {
      move: (x, y) => {
        this.face(place, x, y);
        this.view.showDraft(place);
      },
      end: () => this.finish(place),
    };
  }

  /** Turn a place towards a screen position. */
  private face(place: Place, x: number, y: number): void {
    const ground = this.view.pickGround(x, y);
    if (!ground) return;
    const [dx, dz] = [ground.x - place.x_m, ground.z - place.z_m];
    if (Math.hypot(dx, dz) >= SHORTEST_HEADING) place.heading_deg = Math.round((Math.atan2(dx, dz) * 180) / Math.PI);
  }

  private finish(place: Place | null): void {
    this.view.showDraft(null);
    this.composer.changed();
    if (place) this.composer.select(null, place);
  }
}

const round = (metres: number) => Math.round(metres * 100) / 100;
