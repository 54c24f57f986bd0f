// All panels over the scene, and the keys that work on them.

import type { View } from "../scene/view";
import { ShareButtons } from "../share/buttons";
import type { Studio } from "../studio";
import type { WorldEditor } from "../world/editor";
import { WorldPanel } from "../world/panel";
import { Bar } from "./bar";
import { Commands } from "./commands";
import { Compare } from "./compare";
import { make } from "./dom";
import { FiguresPanel } from "./figures";
import { Help, makeHint } from "./help";
import { listenToKeys, releaseFocusAfterUse } from "./keys";
import { Findings } from "./findings";
import { States } from "./states";
import { TakeButton } from "./take";
import { ThemeSwitch } from "./theme";
import { Timeline } from "./timeline";
import { Trace } from "./trace";
import { Transport } from "./transport";
import { WhyPanel } from "./why";
import { Workshop } from "./workshop";

export function startPanels(studio: Studio, view: View, editor: WorldEditor): void {
  const root = document.querySelector<HTMLElement>("#ui")!;
  const trace = new Trace(studio); // created first, so that it receives each frame before the panels draw it
  const commands = new Commands(studio, view);
  const theme = new ThemeSwitch(view);
  const help = new Help(["link to this moment"]);
  const take = new TakeButton(studio);
  const timeline = new Timeline(studio, trace, commands);
  const transport = new Transport(studio, commands, timeline, take);
  const figures = new FiguresPanel(studio, trace);
  const why = new WhyPanel(studio, view);
  const states = new States(studio);
  const findings = new Findings(studio);
  const workshop = new Workshop(studio, states.notice);
  const share = new ShareButtons(studio, view, states.notice);
  const world = new WorldPanel(studio, editor);
  const bar = new Bar(studio, view, commands, theme, help, [share.video, share.gif]);
  const compare = new Compare(studio, view);
  bar.addMode(world.toggle);
  bar.addMode(compare.toggle);
  const showRoom = (): void => view.showRoom(editor.active ? editor.room : null, editor.selected);
  editor.on("room", showRoom);
  editor.on("layers", () => view.setLayers(editor.layers));
  view.setLayers(editor.layers);

  const corner = make("div", { class: "corner" }, makeHint(), findings.element);
  const bottom = make("div", { class: "bottom" }, world.element, take.result, transport.element);
  root.append(compare.element, figures.element, corner, why.element, bottom, states.cover, states.badge, states.notice.element, bar.element, help.dialog);
  root.append(workshop.element, workshop.target);
  theme.onChange(() => {
    timeline.draw();
    figures.drawPlots();
  });
  releaseFocusAfterUse(root);
  listenToKeys(studio, { commands, help, take, theme, share, compare, close });

  function close(): boolean {
    if (help.dialog.open) help.dialog.close();
    else if (bar.menuOpen) bar.openMenu(false);
    else if (studio.why) studio.openWhy(false);
    else return false;
    return true;
  }
}
