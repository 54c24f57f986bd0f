// The camera: a rig with a centre, a yaw, a pitch and a distance; its modes differ in what moves these.

import { PerspectiveCamera, Vector3 } from "three";
import { nearest } from "./angles";
import type { CameraMode, CameraName } from "./view";

const FIELD_OF_VIEW = 36; // degrees, vertical
const HEIGHT = 0.92; // height of the point looked at, metres above the ground
const PICTURE_UP = 0.055; // shift of the picture, share of the screen height, since panels cover more at the bottom
const MIDDLE_SECONDS = 0.18; // time constant with which the centre follows the character (exponential easing, as below)
const EASE_SECONDS = 0.22; // time constant for camera moves by the user and changes of mode
const SWING_SECONDS = 1.8; // time constant with which the yaw turns behind a moving character
const QUIET_SECONDS = 2.5; // pause of automatic turning after the user turned the camera
const SLOWEST = 0.35; // m/s; a slower character has no direction of travel
const RADIANS_PER_PIXEL = 0.005;
const PITCH = { follow: 0.3, orbit: 0.3, top: Math.PI / 2 - 1e-3 };
const PITCH_RANGE = [0.02, 1.5];
const VISIBLE = 2.2; // distance over the radius that is visible
const DISTANCE_RANGE = [1.6, 60];

/** A named camera: its mode, and where it starts. */
interface Preset {
  mode: CameraMode;
  aside?: number; // radians from the facing of the character to the viewing direction
  pitch?: number;
  near?: number; // factor of the distance
  height?: number; // metres, of the point looked at
}

export const PRESETS: Record<CameraName, Preset> = {
  Follow: { mode: "follow" },
  Front: { mode: "orbit", aside: Math.PI - 0.35, pitch: 0.16 },
  Side: { mode: "orbit", aside: -Math.PI / 2, pitch: 0.1 },
  Feet: { mode: "orbit", aside: -Math.PI / 2, pitch: 0.14, near: 0.42, height: 0.3 },
  Orbit: { mode: "orbit" },
  Top: { mode: "top" },
};

export class CameraRig {
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.1, 400);
  mode: CameraMode = "follow";
  name: CameraName = "Follow";
  held = false; // whether the user steers
  yaw = 0; // viewing direction over the ground, radians
  distance = 5;
  readonly middle = new Vector3(0, HEIGHT, 0);

  private pitch = PITCH.follow;
  private readonly goal = { yaw: 0, pitch: PITCH.follow, distance: 5 };
  private readonly pan = new Vector3();
  private readonly travel = new Vector3(); // eased velocity of the character
  private readonly last = new Vector3();
  private quiet = 0; // seconds
  private started = false;
  private height = HEIGHT;
  private standBack = 1; // distance factor for narrow screens

  setMode(mode: CameraMode): void {
    if (mode === this.mode) return;
    if (this.mode === "top") this.goal.distance /= 1.6;
    if (mode === "top") this.goal.distance *= 1.6;
    this.mode = mode;
    this.goal.pitch = PITCH[mode];
    if (mode === "top") this.goal.yaw = nearest(0, this.yaw);
    else this.pan.set(0, 0, 0);
  }

  /** Use the camera `name`, for a character that faces `facing`. */
  choose(name: CameraName, facing: number): void {
    const [preset, before] = [PRESETS[name], PRESETS[this.name]];
    this.name = name;
    this.setMode(preset.mode);
    this.height = preset.height ?? HEIGHT;
    this.goal.distance *= (preset.near ?? 1) / (before.near ?? 1);
    this.goal.pitch = preset.pitch ?? PITCH[preset.mode];
    this.pan.set(0, 0, 0);
    if (preset.aside !== undefined) this.goal.yaw = nearest(facing + preset.aside, this.yaw);
  }

  /** Set the camera distance for a crowd of `count` characters. */
  frame(count: number): void {
    this.goal.distance = Math.min(4.9 + 0.9 * Math.sqrt(count - 1), 15) * (this.mode === "top" ? 1.6 : 1);
    this.goal.distance *= PRESETS[this.name].near ?? 1;
    if (!this.started) this.distance = 1.15 * this.goal.distance; // start farther away and move in
  }

  /** Move back until everything within `radius` metres of the centre is visible; never moves nearer. */
  contain(radius: number): void {
    this.goal.distance = clamp(Math.max(this.goal.distance, VISIBLE * radius), DISTANCE_RANGE);
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / height;
    this.standBack = Math.min(Math.max(1.15 / this.camera.aspect, 1), 1.45);
    this.camera.setViewOffset(width, height, 0, PICTURE_UP * height, width, height);
  }

  turn(dx: number, dy: number): void {
    this.quiet = QUIET_SECONDS;
    if (this.mode === "top") return this.shift(dx, dy);
    this.goal.yaw += dx * -RADIANS_PER_PIXEL;
    this.goal.pitch = clamp(this.goal.pitch + dy * RADIANS_PER_PIXEL, PITCH_RANGE);
  }

  shift(dx: number, dy: number): void {
    if (this.mode === "follow") return;
    const metres = (2 * this.distance * Math.tan((FIELD_OF_VIEW * Math.PI) / 360)) / window.innerHeight;
    const [sin, cos] = [Math.sin(this.yaw), Math.cos(this.yaw)];
    this.pan.x += metres * (dx * cos + dy * sin);
    this.pan.z += metres * (-dx * sin + dy * cos);
  }

  zoom(factor: number): void {
    this.goal.distance = clamp(this.goal.distance * factor, DISTANCE_RANGE);
  }

  /** Update the rig for the character's current position; return whether anything moved visibly. */
  update(place: Vector3, elapsed: number, animated: boolean): boolean {
    this.observe(place, elapsed, animated);
    const jumped = !this.started || place.distanceTo(this.last) > 4;
    const before = [this.yaw, this.pitch, this.distance, ...this.middle.toArray()];
    const target = place.clone().add(this.pan).setY(this.height);
    const ease = share(elapsed, EASE_SECONDS);
    if (jumped) this.middle.copy(target);
    else this.middle.lerp(target, share(elapsed, MIDDLE_SECONDS));
    if (!this.started) this.yaw = this.goal.yaw;
    this.yaw += (this.goal.yaw - this.yaw) * ease;
    this.pitch += (this.goal.pitch - this.pitch) * ease;
    this.distance += (this.goal.distance - this.distance) * ease;
    this.last.copy(place);
    this.started = true;
    const after = [this.yaw, this.pitch, this.distance, ...this.middle.toArray()];
    if (after.every((value, i) => Math.abs(value - before[i]) < 2e-5) && !jumped) return false;
    this.place();
    return true;
  }

  /** Place the camera according to the rig. */
  place(): void {
    const back = this.distance * this.standBack;
    const level = back * Math.cos(this.pitch);
    this.camera.position.set(
      this.middle.x - Math.sin(this.yaw) * level,
      this.middle.y + back * Math.sin(this.pitch),
      this.middle.z - Math.cos(this.yaw) * level,
    );
    this.camera.lookAt(this.middle);
    this.camera.updateMatrixWorld();
  }

  /** Start behind a character that faces `heading`, a little to the side. */
  startBehind(heading: number): void {
    this.goal.yaw = heading - 0.5;
  }

  /** Turn the yaw slowly towards the direction of travel, except when the character walks towards the camera. */
  private observe(place: Vector3, elapsed: number, animated: boolean): void {
    this.quiet = Math.max(this.quiet - elapsed, 0);
    if (!animated || !this.started || elapsed <= 0) return;
    const moved = place.clone().sub(this.last).divideScalar(elapsed).setY(0);
    if (moved.length() < 12) this.travel.lerp(moved, share(elapsed, 0.5));
    if (this.mode !== "follow" || this.held || this.quiet > 0) return;
    const speed = this.travel.length();
    if (speed < SLOWEST) return;
    const off = nearest(Math.atan2(this.travel.x, this.travel.z), this.goal.yaw) - this.goal.yaw;
    this.goal.yaw += Math.sin(off) * share(elapsed, SWING_SECONDS) * Math.min(speed, 1);
  }
}

const share = (elapsed: number, seconds: number) => 1 - Math.exp(-elapsed / seconds);
const clamp = (value: number, [low, high]: number[]) => Math.min(Math.max(value, low), high);
