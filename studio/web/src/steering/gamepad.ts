// A gamepad: the left stick steers, the right one turns the camera, A throws a ball, start pauses.

import type { View } from "../scene/view";
import type { Studio } from "../studio";
import type { Steer } from "./steer";

const DEAD_ZONE = 0.15;
const THROW = 0; // buttons of the standard layout
const PAUSE = 9;
const TURN_SPEED = 7; // camera drag in pixels per picture at full deflection

export function listenToGamepads(studio: Studio, view: View, steer: Steer, throwBall: () => void): void {
  let polling = false;
  let pressed: boolean[] = [];

  function poll(): void {
    const pad = navigator.getGamepads().find((one) => one?.connected);
    polling = Boolean(pad);
    if (!pad) return steer.ask("pad", 0, 0);
    const [right, down] = live(pad.axes[0], pad.axes[1]);
    steer.ask("pad", right, -down);
    const [turn, tilt] = live(pad.axes[2] ?? 0, pad.axes[3] ?? 0);
    if (turn || tilt) view.turnCamera(-turn * TURN_SPEED, tilt * TURN_SPEED);
    const now = pad.buttons.map((button) => button.pressed);
    const isNew = (button: number) => now[button] && !pressed[button];
    if (isNew(THROW)) throwBall();
    if (isNew(PAUSE) && studio.status) studio.pause(!studio.status.paused);
    pressed = now;
    requestAnimationFrame(poll);
  }

  window.addEventListener("gamepadconnected", () => {
    if (!polling) poll();
  });
}

/** Rescale a stick position so that it starts at 0 at the edge of the dead zone and reaches 1. */
function live(x: number, y: number): [number, number] {
  const length = Math.hypot(x, y);
  if (length < DEAD_ZONE) return [0, 0];
  const scale = Math.min((length - DEAD_ZONE) / (1 - DEAD_ZONE), 1) / length;
  return [x * scale, y * scale];
}
