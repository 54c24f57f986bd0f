// Base of the 3D views: a stage on a canvas, and the camera that pointers move.

import type { Vector3 } from "three";
import { Stage } from "./stage";

export class StageView {
  protected readonly stage: Stage;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.stage = new Stage(canvas);
  }

  pickGround(x: number, y: number): Vector3 | null {
    return this.stage.pickGround(x, y);
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
}
