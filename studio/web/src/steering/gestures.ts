// Drag gestures of the pointer: a push, a line or a turn of the camera.

import "./gestures.css";
import { Vector3 } from "three";
import type { Picked, View } from "../scene/view";
import type { Studio } from "../studio";

const NEWTONS_PER_METRE = 400;
const MOST_NEWTONS = 600;
const PUSH_SECONDS = 0.1;
const SHORTEST_LINE = 0.3; // metres

export interface Gesture {
  move(x: number, y: number): void;
  end(): void;
  cancel(): void;
}

/** Drag on a body to push it: the arrow goes from the body, which may keep walking, to the pointer. */
export class PushDrag implements Gesture {
  private readonly label = document.createElement("div");
  private readonly force = new Vector3(); // newtons
  private at: [number, number];
  private active = true;

  constructor(
    private readonly studio: Studio,
    private readonly view: View,
    private readonly picked: Picked,
    x: number,
    y: number,
  ) {
    this.at = [x, y];
    this.label.className = "push-label";
    document.body.append(this.label);
    this.follow();
  }

  move(x: number, y: number): void {
    this.at = [x, y];
  }

  end(): void {
    const { character, joint, local } = this.picked;
    this.cancel();
    const message = { character, joint, point: local.toArray(), force: this.force.toArray() };
    this.studio.send({ type: "push", ...message, duration: PUSH_SECONDS });
  }

  cancel(): void {
    this.active = false;
    this.label.remove();
    this.view.showForce(null);
  }

  private follow(): void {
    if (!this.active) return;
    const { character, joint, local } = this.picked;
    const [x, y] = this.at;
    const from = this.view.pointOf(character, joint, local);
    const to = this.view.pickPlane(x, y, from);
    this.force.subVectors(to, from).multiplyScalar(NEWTONS_PER_METRE).clampLength(0, MOST_NEWTONS);
    to.copy(from).addScaledVector(this.force, 1 / NEWTONS_PER_METRE);
    this.view.showForce(from, to);
    this.label.textContent = `${Math.round(this.force.length())} N`;
    this.label.style.transform = `translate(calc(${x}px - 50%), ${y - 44}px)`;
    requestAnimationFrame(() => this.follow());
  }
}

/** Draw a line on the ground to follow. */
export class LineDrag implements Gesture {
  private to: Vector3;

  constructor(
    private readonly studio: Studio,
    private readonly view: View,
    private readonly from: Vector3,
  ) {
    this.to = from;
  }

  move(x: number, y: number): void {
    this.to = this.view.pickGround(x, y) ?? this.to;
    this.view.showDrawnLine(this.from, this.to);
  }

  end(): void {
    this.cancel();
    const { from, to } = this;
    if (from.distanceTo(to) < SHORTEST_LINE) return;
    this.studio.send({ type: "follow", x: from.x, z: from.z, heading: Math.atan2(to.x - from.x, to.z - from.z) });
  }

  cancel(): void {
    this.view.showDrawnLine(null);
  }
}

/** Turn the camera, or move it sideways. */
export class CameraDrag implements Gesture {
  constructor(
    private readonly view: View,
    private x: number,
    private y: number,
    private readonly sideways = false,
  ) {}

  move(x: number, y: number): void {
    const [dx, dy] = [x - this.x, y - this.y];
    if (this.sideways) this.view.panCamera(dx, dy);
    else this.view.turnCamera(dx, dy);
    [this.x, this.y] = [x, y];
  }

  end(): void {}

  cancel(): void {}
}
