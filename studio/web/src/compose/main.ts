// Entry point of the page that composes motion: creates the state, the scene and the panels.

import "../style.css";
import "./compose.css";
import { makeBar } from "../motions/bar";
import { Cover } from "../ui/cover";
import { make } from "../ui/dom";
import { releaseFocusAfterUse } from "../ui/keys";
import { ThemeSwitch } from "../ui/theme";
import { Toast } from "../ui/toast";
import { Composer } from "./composer";
import { GroundInput } from "./ground";
import { listenToKeys } from "./keys";
import { Panel } from "./panel";
import { ComposeView } from "./view";

declare global {
  interface Window {
    composer: { composer: Composer; view: ComposeView }; // for tests and for use in the browser console
  }
}

const composer = new Composer();
const view = new ComposeView(composer, document.querySelector<HTMLCanvasElement>("#scene")!);
const ground = new GroundInput(composer, view);
const theme = new ThemeSwitch(view);
const bar = makeBar("compose", view, theme);
composer.on("scene", (scene) => bar.setTitle(scene.title));
const panel = new Panel(composer);
const cover = new Cover(() => ({ link: composer.link, preparing: composer.preparing, ready: composer.scene !== null }));
for (const name of ["link", "preparing", "scene"] as const) composer.on(name, () => cover.show());
const toast = new Toast();
composer.on("refused", (reason) => toast.show(reason));
const hint = make("div", { id: "tool-hint", class: "panel", hidden: "" });
composer.on("tool", () => {
  hint.hidden = composer.tool === "none";
  hint.textContent =
    composer.tool === "place"
      ? "Press on the ground and drag to set the heading; the place belongs to the time shown. Esc cancels."
      : "Draw a path on the ground; it starts at the time shown. Esc cancels.";
  view.canvas.style.cursor = composer.tool === "none" ? "default" : "crosshair";
});
const root = document.querySelector<HTMLElement>("#ui")!;
root.append(hint, panel.element, cover.element, toast.element, bar.element);
releaseFocusAfterUse(root);
listenToKeys(composer, { theme, cancel: () => ground.cancel() });
window.composer = { composer, view };
