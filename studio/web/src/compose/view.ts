// The 3D scene of composition: the selected motion, its alternatives, and the places, path and poses of the timeline.

import { Vector3 } from "three";
import { wayOf } from "../motions/bodies";
import { PALETTES } from "../scene/palette";
import { readPose, type Pose } from "../scene/pose";
import type { CameraMode, Theme } from "../scene/view";
import type { Composed, Composer } from "./composer";
import type { Place } from "./document";
import { Ribbon } from "../motions/ribbon";
import { MotionView } from "../motions/view";

const APART = 1.3; // metres between motions that are compared and start at the same place

export class ComposeView extends MotionView {
  private readonly trace = new Ribbon(0.03, 0.004, 0.55);
  private readonly path = new Ribbon(0.06, 0.006, 0.95);
  private draft: Place | null = null; // that the user is dragging

  constructor(
    private readonly composer: Composer,
    canvas: HTMLCanvasElement,
  ) {
    super(composer, canvas);
    this.stage.scene.add(this.trace.mesh, this.path.mesh);
    this.setTheme("dark");
    composer.on("motions", () => this.showMotions());
    composer.on("time", () => (this.stale = true));
    composer.on("document", () => this.showGoals());
    composer.on("selection", () => this.showGoals());
    composer.on("sourcepose", (message) => {
      if (!message) this.bodies.ghosts?.hide();
      else this.bodies.ghosts?.showPose(this.beside(readPose(message)));
      this.stage.dirty = true;
    });
    this.run();
  }

  setCamera(mode: CameraMode): void {
    this.stage.rig.setMode(mode);
  }

  setTheme(theme: Theme): void {
    this.palette = PALETTES[theme];
    this.stage.paint(this.palette);
    this.trace.paint(this.palette.facing);
    this.path.paint(this.palette.accent);
    this.bodies.ghosts?.paint(this.palette);
    this.stale = true;
    this.showGoals();
  }

  /** Show a place while the user drags it; null hides it. */
  showDraft(place: Place | null): void {
    this.draft = place;
    this.showGoals();
  }

  /** Show a path while the user draws it; null shows that of the timeline. */
  showDrawn(points: [number, number][] | null): void {
    this.path.draw(points ?? this.composer.document.path?.points_m ?? []);
    this.stage.dirty = true;
  }

  protected lookedAt(): Vector3 {
    return this.root;
  }

  protected bodyCount(): number {
    return this.displayed().length;
  }

  private displayed(): Composed[] {
    const { selected, motions, compare } = this.composer;
    return compare ? motions : selected ? [selected] : [];
  }

  private showMotions(): void {
    this.stale = true;
    const { selected } = this.composer;
    this.trace.draw(selected ? wayOf(selected.pose) : []);
    this.stage.dirty = true;
  }

  private showGoals(): void {
    const { document, moment } = this.composer;
    const places = [...document.places.filter((place) => place !== this.draft), ...(this.draft ? [this.draft] : [])];
    this.keepMarks(places.length);
    places.forEach((place, i) => this.marks[i].show(place, this.palette.accent, place === moment));
    this.showDrawn(null);
  }

  /** Place the bodies of the displayed motions at the displayed time. */
  protected showPoses(elapsed: number): void {
    const { composer } = this;
    const shown = this.displayed();
    if (!shown.length || !composer.scene) return;
    const frames = shown.map(({ pose, motion }) => ({ pose, planted: motion.planted }));
    const chosen = composer.compare ? Math.min(composer.rank, shown.length - 1) : 0;
    const { places, path } = composer.document;
    const apart = composer.compare && !places.length && !path ? APART : 0;
    const look = { chosen, apart, palette: this.palette, elapsed };
    this.stale = this.bodies.show(composer.scene, frames, composer.time / composer.scene.frame_time, look);
    this.centre(shown.length, chosen);
    this.stage.dirty = true;
  }

  /** Centre the camera on the selected motion, or, to compare, where all are visible. */
  private centre(count: number, chosen: number): void {
    this.bodies.place(chosen, 0, this.root);
    if (count < 2) return;
    const places = Array.from({ length: count }, (_, i) => this.bodies.place(i, 0, new Vector3()));
    this.root.set(0, 0, 0);
    for (const place of places) this.root.addScaledVector(place, 1 / count);
    this.stage.rig.contain(Math.max(...places.map((place) => place.distanceTo(this.root))));
  }

  /** Return a source pose moved to the displayed body, a little to its side. */
  private beside(pose: Pose): Pose {
    pose.roots[0] += this.root.x + 0.8;
    pose.roots[2] += this.root.z;
    return pose;
  }
}
