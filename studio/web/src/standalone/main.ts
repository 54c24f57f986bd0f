// Entry point of an exported page: the studio's scene and controls on a simulation inside the page.

import "../style.css";
import "./standalone.css";
import { Crowd } from "../../../../runtime/web/motionfields.js";
import { embedded, inOrder } from "../embedded";
import { MOST_CHARACTERS, type Hello } from "../messages";
import { startScene } from "../scene/scene";
import type { View } from "../scene/view";
import { startSteering } from "../steering/steering";
import { Studio } from "../studio";
import { WorldEditor } from "../world/editor";
import { LocalServer } from "./local";
import { digest, readMoment } from "./moment";
import { startLocalPanels } from "./panels";

declare global {
  interface Window {
    standalone: { studio: Studio; view: View; server: LocalServer }; // for tests and for use in the browser console
  }
}

const hello = JSON.parse(document.getElementById("hello")!.textContent!) as Hello;
const [module, pack] = await Promise.all([embedded("runtime"), embedded("pack").then(inOrder)]);
const crowd = await Crowd.open(module, pack, MOST_CHARACTERS);
const moment = await readMoment(location.hash).catch((error: Error) => error);
const wanted = moment instanceof Error ? null : moment;
let server!: LocalServer;
const studio = new Studio(
  (onMessage, onLink) => (server = new LocalServer(hello, crowd, digest(pack), onMessage, onLink, wanted)),
);
const view = startScene(studio, document.querySelector<HTMLCanvasElement>("#scene")!);
const editor = new WorldEditor(studio);
startSteering(studio, view, editor);
const toast = startLocalPanels(studio, view, server);
if (moment instanceof Error) toast.show(moment.message);
addEventListener("hashchange", () => location.reload());
window.standalone = { studio, view, server };
