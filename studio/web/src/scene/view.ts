// Interface of the scene for the controls and the panels.

import type { Vector3 } from "three";
import type { Frame } from "../messages";
import type { Obstacle, RoomFile } from "../motions/room";
import type { Layer } from "../world/editor";

export type CameraMode = "follow" | "orbit" | "top";
/** A camera that the user chooses by name. */
export type CameraName = "Follow" | "Front" | "Side" | "Feet" | "Orbit" | "Top";
export type Theme = "dark" | "light";

/** Body part under a point of the screen. */
export interface Picked {
  character: number;
  joint: number;
  point: Vector3; // in the world
  local: Vector3; // in the frame of the joint
}

export interface View {
  readonly canvas: HTMLCanvasElement;
  /** Return the body part at a screen position (CSS pixels), if any. */
  pickBody(x: number, y: number): Picked | null;
  /** Return the ground point at a screen position, if any. */
  pickGround(x: number, y: number): Vector3 | null;
  /** Return the obstacle of the world at a screen position, if any. */
  pickObstacle(x: number, y: number): Obstacle | null;
  /** Show the room of the world; null hides the world. */
  showRoom(room: RoomFile | null, selected: Obstacle | null): void;
  /** Set what is displayed of a world. */
  setLayers(layers: Record<Layer, boolean>): void;
  /** Return the screen position of a point on the ground, in CSS pixels. */
  screenOfGround(x: number, z: number): { x: number; y: number };
  /** Return the point at a screen position on the vertical plane through `at` that faces the camera. */
  pickPlane(x: number, y: number, at: Vector3): Vector3;
  /** Return the yaw of the camera in radians; steering is relative to it. */
  cameraYaw(): number;
  /** Return the camera position and the direction through a screen position, for throwing. */
  ray(x: number, y: number): { origin: Vector3; direction: Vector3 };
  /** Use a camera; Front, Side and Feet start beside the selected character and keep their direction. */
  setCamera(name: CameraName): void;
  readonly cameraName: CameraName;
  /** Show the arrow of a push while the user drags it; null hides it. */
  showForce(from: Vector3 | null, to?: Vector3): void;
  /** Show the line that the user draws on the ground; null hides it. */
  showDrawnLine(from: Vector3 | null, to?: Vector3): void;
  setTheme(theme: Theme): void;
  /** Switch to the next body type, sturdy or slim; in a crowd, neighbours have different ones. */
  nextBody(): void;
  /** Show the ghosts of the last reasons: neighbours, actions, both or none. */
  setGhosts(kinds: { neighbors: boolean; actions: boolean }): void;
  /** Return the screen position of a point `up` metres over a joint, in CSS pixels. */
  screenOf(character: number, joint: number, up?: number): { x: number; y: number };
  /** Return the displayed world position of a point in the frame of a joint (by default its origin). */
  pointOf(character: number, joint: number, local?: Vector3): Vector3;
  /** Return the world position of the selected character's chest, the target of thrown balls. */
  chest(): Vector3;
  /** Turn the camera by a drag, in CSS pixels. */
  turnCamera(dx: number, dy: number): void;
  /** Move the camera's centre by a drag, in CSS pixels; no effect in the "follow" mode. */
  panCamera(dx: number, dy: number): void;
  /** Multiply the camera's distance by a factor; below 1 is nearer. */
  zoomCamera(factor: number): void;
  /** Call `listener` with the canvas after every picture, before the browser clears it. */
  onDrawn(listener: (canvas: HTMLCanvasElement) => void): void;
  /** Set whether to draw at the rate of the display even if nothing changes, as a recording needs it. */
  keepDrawing(kept: boolean): void;
  /** Draw a past frame with the present camera around its selected character, and call `use` with the picture. */
  drawPast(frame: Frame, use: (canvas: HTMLCanvasElement) => void): void;
  /** Set whether the user is steering; meanwhile the camera does not turn by itself. */
  holdYaw(held: boolean): void;
}
