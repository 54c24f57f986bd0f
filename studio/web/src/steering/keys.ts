// The keys that steer and throw; all others belong to the panels.

import type { Steer } from "./steer";

const DIRECTIONS: Record<string, [number, number]> = {
  KeyW: [0, 1],
  KeyS: [0, -1],
  KeyA: [-1, 0],
  KeyD: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

export function listenToKeys(steer: Steer, throwBall: () => void): void {
  const held = new Set<string>();
  let slow = false;

  function tell(): void {
    let [right, up] = [0, 0];
    for (const code of held) {
      right += DIRECTIONS[code][0];
      up += DIRECTIONS[code][1];
    }
    const length = Math.hypot(right, up);
    const share = length > 0 ? (slow ? 0.5 : 1) / length : 0; // normalised, so that two keys are not faster than one
    steer.ask("keys", right * share, up * share);
  }

  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isForControl(event)) return;
    if (event.key === "Shift") slow = true;
    else if (event.code in DIRECTIONS) {
      event.preventDefault(); // arrows must not scroll
      if (event.repeat) return;
      held.add(event.code);
    } else {
      if (event.code === "KeyB" && !event.repeat) throwBall();
      return;
    }
    if (held.size) tell();
  });

  window.addEventListener("keyup", (event) => {
    if (event.key === "Shift") slow = false;
    else if (!held.delete(event.code)) return;
    tell();
  });

  window.addEventListener("blur", () => {
    held.clear();
    slow = false;
    tell();
  });
}

/** Return whether a key belongs to the focused control: text for a field, arrows for a slider. */
function isForControl(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.matches("textarea, select")) return true;
  if (!(target instanceof HTMLInputElement)) return false;
  return target.type !== "range" || event.code.startsWith("Arrow");
}
