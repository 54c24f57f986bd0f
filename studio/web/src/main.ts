// Entry point of the page: creates the studio, the scene, the steering and the panels.

import "./style.css";
import { startScene } from "./scene/scene";
import type { View } from "./scene/view";
import { startSteering } from "./steering/steering";
import { Studio } from "./studio";
import { WorldEditor } from "./world/editor";
import { startPanels } from "./ui/panels";

declare global {
  interface Window {
    studio: { studio: Studio; view: View }; // for tests and for use in the browser console
  }
}

const studio = new Studio();
const view = startScene(studio, document.querySelector<HTMLCanvasElement>("#scene")!);
const editor = new WorldEditor(studio);
startSteering(studio, view, editor);
startPanels(studio, view, editor);
window.studio = { studio, view };
