// Steering: everything the user does to the character rather than to the page.

import type { View } from "../scene/view";
import type { Studio } from "../studio";
import type { WorldEditor } from "../world/editor";
import { listenToGamepads } from "./gamepad";
import { listenToKeys } from "./keys";
import { PointerInput } from "./pointer";
import { Steer } from "./steer";
import { makeStick } from "./stick";
import { Throwing } from "./throwing";

export function startSteering(studio: Studio, view: View, editor: WorldEditor): void {
  const steer = new Steer(studio, view);
  const throwing = new Throwing(studio, view);
  const throwBall = () => throwing.atChest();
  listenToKeys(steer, throwBall);
  listenToGamepads(studio, view, steer, throwBall);
  new PointerInput(studio, view, throwing, editor);
  makeStick(steer);
}
