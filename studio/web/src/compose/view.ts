// The 3D scene of composition: the selected motion, its alternatives, and the places, path and poses of the timeline.

import { Vector3 } from "three";
import { MotionBodies, wayOf } from "../motions/bodies";
import { PALETTES } from "../scene/palette";
import { readPose, type Pose } from "../scene/pose";
import { Stage } from "../scene/stage";
import type { CameraMode, Theme } from "../scene/view";
import type { Composed, Composer } from "./composer";
import type { Place } from "./document";
import { PlaceMark } from "../motions/place_mark";
import { Ribbon } from "../motions/ribbon";

const APART = 1.3; // metres between motions that are compared and start at the same place

export class ComposeView {
  private readonly stage: Stage;
  private palette = PALETTES.dark;
  private readonly bodies: MotionBodies;
  private readonly root = new Vector3();
  private readonly trace = new Ribbon(0.03, 0.004, 0.55);
  private readonly path = new Ribbon(0.06, 0.006, 0.95);
  private marks: PlaceMark[] = [];
  private draft: Place | null = null; // that the user is dragging
  private last = 0;
  private stale = true; // whether the poses are out of date

  constructor(
    private readonly composer: Composer,
    readonly canvas: HTMLCanvasElement,
  ) {
    this.stage = new Stage(canvas);
    this.bodies = new MotionBodies(this.stage);
    this.stage.rig.setMode("orbit");
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
    requestAnimationFrame((now) => this.tick(now));
  }

  get cameraMode(): CameraMode {
    return this.stage.rig.mode;
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

  turnCamera(dx: number, dy: number): void {
    this.stage.rig.turn(dx, dy);
  }

  panCamera(dx: number, dy: number): void {
    this.stage.rig.shift(dx, dy);
  }

  zoomCamera(factor: number): void {
    this.stage.rig.zoom(factor);
  }

  /** Return the ground point (x, z) at a screen position, if any. */
  pickGround(x: number, y: number): { x: number; z: number } | null {
    return this.stage.pickGround(x, y);
  }

  /** Return the screen position of a ground point, in CSS pixels. */
  screenOf(x: number, z: number): { x: number; y: number } {
    return this.stage.screenOf(new Vector3(x, 0, z));
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

  private tick(milliseconds: number): void {
    requestAnimationFrame((now) => this.tick(now));
    const { composer } = this;
    const now = milliseconds / 1000;
    const elapsed = Math.min(now - this.last, 0.25);
    this.last = now;
    if (composer.playing && composer.selected) {
      const next = composer.time + elapsed;
      composer.show(next >= composer.seconds ? 0 : next);
    }
    if (this.stale) this.showPoses(elapsed);
    if (this.stage.rig.update(this.root, elapsed, composer.playing)) this.stage.dirty = true;
    this.stage.draw(this.displayed().length, elapsed);
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
    while (this.marks.length > places.length) this.marks.pop()!.dispose();
    while (this.marks.length < places.length) {
      const mark = new PlaceMark();
      this.stage.scene.add(mark.group);
      this.marks.push(mark);
    }
    places.forEach((place, i) => this.marks[i].show(place, this.palette.accent, place === moment));
    this.showDrawn(null);
  }

  /** Place the bodies of the displayed motions at the displayed time. */
  private showPoses(elapsed: number): void {
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
