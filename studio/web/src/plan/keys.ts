// The keys of the page that plans motion.

import type { ThemeSwitch } from "../ui/theme";
import type { Planner, Tool } from "./planner";
import { toggleTool } from "./panel";

const TOOLS: Record<string, Tool> = {
  KeyG: "goal",
  KeyV: "via",
  KeyB: "box",
  KeyP: "path",
  KeyS: "stroke",
  KeyR: "redraw",
};
const TURN = 15; // degrees by which a key turns the selected box

export function listenToKeys(planner: Planner, parts: { theme: ThemeSwitch; cancel: () => void }): void {
  window.addEventListener("keydown", (event) => {
    const { target } = event;
    if (target instanceof HTMLElement && target.matches("input, select, textarea")) return;
    const frame = planner.scene?.frame_time ?? 1 / 30;
    if ((event.ctrlKey || event.metaKey) && event.code === "KeyZ") planner.undo();
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (event.code === "Space") planner.play(!planner.playing);
    else if (event.key === ",") planner.show(planner.time - frame);
    else if (event.key === ".") planner.show(planner.time + frame);
    else if (event.key === "Escape") parts.cancel();
    else if (event.key === "Delete" || event.key === "Backspace") planner.removeSelected();
    else if (event.code === "KeyQ") turnBox(planner, TURN);
    else if (event.code === "KeyE") turnBox(planner, -TURN);
    else if (event.code === "KeyL") parts.theme.toggle();
    else if (event.code === "KeyA") planner.setGhosts(!planner.ghosts);
    else if (event.code in TOOLS) toggleTool(planner, TOOLS[event.code]);
    else if (/^[1-3]$/.test(event.key)) planner.choose(Number(event.key) - 1);
    else return;
    event.preventDefault();
  });
}

function turnBox(planner: Planner, degrees: number): void {
  const { selected } = planner;
  if (!selected || !("width_m" in selected)) return;
  selected.yaw_deg = (((selected.yaw_deg ?? 0) + degrees + 540) % 360) - 180;
  planner.changed();
}
