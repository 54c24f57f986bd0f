// Throws balls from beside the camera, aimed to hit: compensates for gravity and for the motion of the character.

import { Vector3 } from "three";
import { readRoot } from "../scene/pose";
import type { View } from "../scene/view";
import type { Studio } from "../studio";

const SPEED = 9; // m/s
const GRAVITY = 9.81; // m/s2
const FARTHEST = 6; // longest flight of a ball, metres
const NEAREST = 1.5;
const SHARE = 0.75; // start of the throw, as a share of the distance to the camera; nearer balls would fill the screen
const STEEPEST = 0.5; // radians; limits the angle when the camera is overhead
const ASIDE = 0.45; // metres
const LOWEST = 0.4;

export class Throwing {
  constructor(
    private readonly studio: Studio,
    private readonly view: View,
  ) {}

  /** Throw a ball at the chest of the selected character. */
  atChest(): void {
    this.at(this.view.chest(), true);
  }

  /** Throw a ball at `target`; if it `moves` with the selected character, aim at its predicted position. */
  at(target: Vector3, moves: boolean): void {
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

  /** Return the velocity of the selected character over the last frames, m/s. */
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
