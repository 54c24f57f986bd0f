// Throws balls so that they hit: from beside the camera, with the lift that gravity takes, ahead of one that walks.

import { Vector3 } from "three";
import { readRoot } from "../scene/pose";
import type { View } from "../scene/view";
import type { Studio } from "../studio";

const SPEED = 9; // m/s
const GRAVITY = 9.81; // m/s2
const FARTHEST = 6; // metres that a ball flies
const NEAREST = 1.5;
const SHARE = 0.75; // of the way to the camera: any nearer, and the ball fills the screen
const STEEPEST = 0.5; // radians; from a camera overhead it still comes from the side
const ASIDE = 0.45; // metres
const LOWEST = 0.4;

export class Throwing {
  constructor(
    private readonly studio: Studio,
    private readonly view: View,
  ) {}

  /** At the chest of the selected character. */
  atChest(): void {
    this.at(this.view.chest(), true);
  }

  /** At a point, or where it will be if it is that of the selected character, which moves. */
  at(target: Vector3, moves: boolean): void {
    if (!this.studio.hello?.can_push) return;
    const from = this.start(target);
    const flight = from.distanceTo(target) / SPEED;
    const aim = moves ? target.clone().addScaledVector(this.velocity(), flight) : target;
    const velocity = aim.clone().sub(from).divideScalar(flight);
    velocity.y += (GRAVITY * flight) / 2;
    this.studio.send({ type: "throw", position: from.toArray(), velocity: velocity.toArray() });
  }

  private start(target: Vector3): Vector3 {
    const yaw = this.view.cameraYaw();
    const { origin } = this.view.ray(innerWidth / 2, innerHeight / 2);
    const away = origin.distanceTo(target);
    const pitch = Math.min(Math.asin(Math.min(Math.max((origin.y - target.y) / away, -1), 1)), STEEPEST);
    const distance = Math.min(Math.max(SHARE * away, NEAREST), FARTHEST);
    const level = distance * Math.cos(pitch);
    const from = new Vector3(
      target.x - Math.sin(yaw) * level - Math.cos(yaw) * ASIDE,
      target.y + distance * Math.sin(pitch),
      target.z - Math.cos(yaw) * level + Math.sin(yaw) * ASIDE,
    );
    return from.setY(Math.max(from.y, LOWEST));
  }

  /** How fast the selected character travels, over the last frames. */
  private velocity(): Vector3 {
    const { frames, status } = this.studio;
    const [now, before] = [frames.at(-1), frames.at(-8)];
    const velocity = new Vector3();
    if (!now || !before || status?.paused || now.time <= before.time) return velocity;
    const bytes = (now.selected + 1) * 24;
    if (before.roots.length < bytes || now.roots.length < bytes) return velocity;
    readRoot(now, now.selected, velocity).sub(readRoot(before, now.selected, new Vector3()));
    velocity.divideScalar(now.time - before.time).setY(0);
    return velocity.length() < SPEED ? velocity : velocity.set(0, 0, 0);
  }
}
