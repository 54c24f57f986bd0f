// Entry point of the page that plans motion: creates the state, the scene and the panels.

import "../style.css";
import "../compose/compose.css";
import "./plan.css";
import { makeBar } from "../motions/bar";
import { Cover } from "../ui/cover";
import { make, setText } from "../ui/dom";
import { releaseFocusAfterUse } from "../ui/keys";
import { ThemeSwitch } from "../ui/theme";
import { PlanInput } from "./input";
import { listenToKeys } from "./keys";
import { PlanPanel } from "./panel";
import { Planner, type Tool } from "./planner";
import { PlanView } from "./view";

declare global {
  interface Window {
    planner: { planner: Planner; view: PlanView }; // for tests and for use in the browser console
  }
}

const HINTS: Record<Tool, string> = {
  none: "",
  goal: "Press on the ground to set the goal, and drag to set the facing. Esc cancels.",
  via: "Click places to pass on the way, in order. Delete removes the selected one; Esc ends.",
  box: "Drag from corner to corner. Q and E turn the selected box, Delete removes it; Esc ends.",
  path: "Draw a path on the ground; the character follows it at its own speed. Esc cancels.",
  stroke: "Drag a dot to draw the path of that joint; the speed of your hand sets its timing. Esc ends.",
  redraw: "Draw a detour that leaves the old route and meets it again. Esc cancels.",
};

const planner = new Planner();
const view = new PlanView(planner, document.querySelector<HTMLCanvasElement>("#scene")!);
const input = new PlanInput(planner, view);
const theme = new ThemeSwitch(view);
const bar = makeBar("plan", view, theme);
view.onCamera = () => bar.showCamera();
planner.on("scene", (scene) => bar.setTitle(scene.title));
const panel = new PlanPanel(planner);
const cover = new Cover(() => ({ link: planner.link, preparing: planner.preparing, ready: planner.scene !== null }));
for (const name of ["link", "preparing", "scene"] as const) planner.on(name, () => cover.show());
const hint = make("div", { id: "tool-hint", class: "panel", hidden: "" });
planner.on("tool", () => {
  hint.hidden = planner.tool === "none";
  setText(hint, HINTS[planner.tool]);
  view.canvas.style.cursor = planner.tool === "none" ? "default" : "crosshair";
});
const root = document.querySelector<HTMLElement>("#ui")!;
root.append(hint, panel.element, cover.element, bar.element);
releaseFocusAfterUse(root);
listenToKeys(planner, { theme, cancel: () => input.cancel() });
window.planner = { planner, view };
