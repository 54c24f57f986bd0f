// What the scene offers to the controls and the panels.

import type { Vector3 } from "three";

export type CameraMode = "follow" | "orbit" | "top";
export type Theme = "dark" | "light";

/** What lies under a point of the screen. */
export interface Picked {
  character: number;
  joint: number;
  point: Vector3; // in the world
  local: Vector3; // in the frame of the joint
}

export interface View {
  readonly canvas: HTMLCanvasElement;
  /** The part of a body at a place of the screen (CSS pixels), if any. */
  pickBody(x: number, y: number): Picked | null;
  /** The point of the ground at a place of the screen, if any. */
  pickGround(x: number, y: number): Vector3 | null;
  /** The point at the place of the screen on the upright plane through `at` that faces the camera. */
  pickPlane(x: number, y: number, at: Vector3): Vector3;
  /** Which way the camera looks over the ground, a yaw: steering is relative to it. */
  cameraYaw(): number;
  /** The camera's place and, for throwing, the direction through a place of the screen. */
  ray(x: number, y: number): { origin: Vector3; direction: Vector3 };
  setCamera(mode: CameraMode): void;
  readonly cameraMode: CameraMode;
  /** While the user drags a push: the arrow from the body, or null. */
  showForce(from: Vector3 | null, to?: Vector3): void;
  /** While the user draws a line on the ground, or null. */
  showDrawnLine(from: Vector3 | null, to?: Vector3): void;
  setTheme(theme: Theme): void;
  /** Show the ghosts of the last reasons: neighbours, actions, both or none. */
  setGhosts(kinds: { neighbors: boolean; actions: boolean }): void;
  /** Where a joint of a character is on the screen, in CSS pixels. */
  screenOf(character: number, joint: number): { x: number; y: number };
  /** Where a point in the frame of a joint (by default its origin) is in the world, as it is displayed. */
  pointOf(character: number, joint: number, local?: Vector3): Vector3;
  /** The middle of the chest of the selected character, in the world: what a ball is thrown at. */
  chest(): Vector3;
  /** Turn the camera by a drag over so many CSS pixels. */
  turnCamera(dx: number, dy: number): void;
  /** Move the middle of the picture by a drag over so many CSS pixels, except in the "follow" mode. */
  panCamera(dx: number, dy: number): void;
  /** Change the camera's distance: below 1 is nearer. */
  zoomCamera(factor: number): void;
  /** While the user steers, the camera does not turn by itself. */
  holdYaw(held: boolean): void;
}
