// The 3D scene of composition: the selected motion, its alternatives, and the places, path and poses of the timeline.

import { Vector3 } from "three";
import { Bodies } from "../scene/body/bodies";
import { GhostBodies } from "../scene/body/ghosts";
import { detailFor } from "../scene/body/loft";
import { PALETTES } from "../scene/palette";
import { blend, readPose, WorldPose, type Pose } from "../scene/pose";
import { Stage } from "../scene/stage";
import type { CameraMode, Theme } from "../scene/view";
import type { Composed, Composer } from "./composer";
import type { Place } from "./document";
import { PlaceMark } from "./place_mark";
import { Ribbon } from "./ribbon";

const APART = 1.3; // metres between motions that are compared and start at the same place
const FASTEST = 1e3; // metres between frames; motions have no jumps

export class ComposeView {
  private readonly stage: Stage;
  private palette = PALETTES.dark;
  private bodies: Bodies | null = null;
  private ghosts: GhostBodies | null = null;
  private world: WorldPose | null = null;
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
    this.stage.rig.setMode("orbit");
    this.stage.scene.add(this.trace.mesh, this.path.mesh);
    this.setTheme("dark");
    composer.on("motions", () => this.showMotions());
    composer.on("time", () => (this.stale = true));
    composer.on("document", () => this.showGoals());
    composer.on("selection", () => this.showGoals());
    composer.on("sourcepose", (message) => {
      if (!message || !this.ghosts) this.ghosts?.hide();
      else this.ghosts.showPose(this.beside(readPose(message)));
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
    this.ghosts?.paint(this.palette);
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
    const points: [number, number][] = [];
    if (selected)
      for (let i = 0; i < selected.pose.count; i += 1)
        points.push([selected.pose.roots[3 * i], selected.pose.roots[3 * i + 2]]);
    this.trace.draw(points);
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
    const pose = this.poseAt(shown, composer.time / composer.scene.frame_time);
    this.engage(pose);
    this.world!.set(pose);
    this.bodies!.place(this.world!);
    const chosen = composer.compare ? Math.min(composer.rank, shown.length - 1) : 0;
    const planted = new Uint8Array(shown.length * 2);
    shown.forEach(({ motion }, i) => {
      const frame = Math.min(Math.round(composer.time / composer.scene!.frame_time), motion.planted.length / 2 - 1);
      planted.set(motion.planted.subarray(2 * frame, 2 * frame + 2), 2 * i);
    });
    this.stale = this.bodies!.color(shown.length, chosen, planted, this.palette, elapsed);
    this.centre(shown.length, chosen);
    this.stage.dirty = true;
  }

  /** Centre the camera on the selected motion, or, to compare, where all are visible. */
  private centre(count: number, chosen: number): void {
    this.world!.place(chosen, 0, this.root);
    if (count < 2) return;
    const places = Array.from({ length: count }, (_, i) => this.world!.place(i, 0, new Vector3()));
    this.root.set(0, 0, 0);
    for (const place of places) this.root.addScaledVector(place, 1 / count);
    this.stage.rig.contain(Math.max(...places.map((place) => place.distanceTo(this.root))));
  }

  /** Return the poses of motions at a frame, which may lie between two. */
  private poseAt(shown: Composed[], frame: number): Pose {
    const joints = shown[0].pose.rotations.length / shown[0].pose.count;
    const into: Pose = { count: 1, roots: new Float64Array(3), rotations: new Float32Array(joints) };
    const pose: Pose = {
      count: shown.length,
      roots: new Float64Array(3 * shown.length),
      rotations: new Float32Array(joints * shown.length),
    };
    const { places, path } = this.composer.document;
    const apart = this.composer.compare && !places.length && !path ? APART : 0;
    shown.forEach((one, i) => {
      const before = Math.min(Math.floor(frame), one.pose.count - 1);
      const after = Math.min(before + 1, one.pose.count - 1);
      blend(cut(one.pose, before, joints), cut(one.pose, after, joints), frame - before, FASTEST, into);
      into.roots[0] += apart * (i - Math.min(this.composer.rank, shown.length - 1));
      pose.roots.set(into.roots, 3 * i);
      pose.rotations.set(into.rotations, joints * i);
    });
    return pose;
  }

  /** Create the bodies for the skeleton, once there is a first pose. */
  private engage(pose: Pose): void {
    const { scene } = this.composer;
    if (this.bodies && this.bodies.detail === detailFor(pose.count)) return;
    this.bodies?.group.removeFromParent();
    this.bodies?.dispose();
    this.bodies = new Bodies(scene!, pose);
    this.stage.scene.add(this.bodies.group);
    if (this.ghosts) return;
    this.world = WorldPose.of(scene!);
    this.ghosts = new GhostBodies(scene!, pose);
    this.ghosts.paint(this.palette);
    this.stage.scene.add(this.ghosts.group);
    this.stage.rig.startBehind(Math.PI);
    this.stage.rig.frame(2);
  }

  /** Return a source pose moved to the displayed body, a little to its side. */
  private beside(pose: Pose): Pose {
    pose.roots[0] += this.root.x + 0.8;
    pose.roots[2] += this.root.z;
    return pose;
  }
}

/** Return one frame of a motion as a pose, without copying. */
function cut(pose: Pose, frame: number, length: number): Pose {
  return {
    count: 1,
    roots: pose.roots.subarray(3 * frame, 3 * frame + 3),
    rotations: pose.rotations.subarray(length * frame, length * (frame + 1)),
  };
}
