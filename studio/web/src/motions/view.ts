// The 3D scene of pages that make motions: bodies, marks of places, the camera, and a clock that plays the motion.

import { Vector3 } from "three";
import { PALETTES } from "../scene/palette";
import { StageView } from "../scene/stage_view";
import type { CameraMode } from "../scene/view";
import { MotionBodies } from "./bodies";
import { PlaceMark } from "./place_mark";

/** State of a page: which moment of its motion is displayed. */
interface Player {
  readonly time: number; // seconds
  readonly seconds: number; // length of the motion
  readonly playing: boolean;
  show(seconds: number): void;
}

export abstract class MotionView extends StageView {
  protected readonly bodies: MotionBodies;
  protected palette = PALETTES.dark;
  protected readonly root = new Vector3(); // of the selected motion
  protected readonly marks: PlaceMark[] = [];
  protected stale = true; // whether the poses are out of date
  private last = 0;

  constructor(
    private readonly player: Player,
    canvas: HTMLCanvasElement,
  ) {
    super(canvas);
    this.bodies = new MotionBodies(this.stage);
    this.stage.rig.setMode("orbit");
  }

  get cameraMode(): CameraMode {
    return this.stage.rig.mode;
  }

  /** Return the screen position of a point, in CSS pixels. */
  screenOf(x: number, z: number, y = 0): { x: number; y: number } {
    return this.stage.screenOf(new Vector3(x, y, z));
  }

  /** Place the bodies at the displayed time. */
  protected abstract showPoses(elapsed: number): void;

  /** Return the point that the camera looks at. */
  protected abstract lookedAt(): Vector3;

  /** Return the number of bodies that are displayed. */
  protected abstract bodyCount(): number;

  /** Display frames from now on. */
  protected run(): void {
    requestAnimationFrame((now) => this.tick(now));
  }

  /** Advance by `elapsed` seconds whatever moves besides the motion. */
  protected advance(_elapsed: number): void {}

  /** Make sure that there are `count` marks. */
  protected keepMarks(count: number): void {
    while (this.marks.length > count) this.marks.pop()!.dispose();
    while (this.marks.length < count) {
      const mark = new PlaceMark();
      this.stage.scene.add(mark.group);
      this.marks.push(mark);
    }
  }

  private tick(milliseconds: number): void {
    this.run();
    const { player } = this;
    const now = milliseconds / 1000;
    const elapsed = Math.min(now - this.last, 0.25);
    this.last = now;
    if (player.playing && this.bodyCount()) {
      const next = player.time + elapsed;
      player.show(next >= player.seconds ? 0 : next);
    }
    this.advance(elapsed);
    if (this.stale) this.showPoses(elapsed);
    if (this.stage.rig.update(this.lookedAt(), elapsed, player.playing)) this.stage.dirty = true;
    this.stage.draw(this.bodyCount(), elapsed);
  }
}
