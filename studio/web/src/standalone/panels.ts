// The panels of an exported page: those of the studio that need no server.

import type { View } from "../scene/view";
import type { Studio } from "../studio";
import { Bar } from "../ui/bar";
import { Commands } from "../ui/commands";
import { make } from "../ui/dom";
import { Help, makeHint } from "../ui/help";
import { listenToKeys, releaseFocusAfterUse } from "../ui/keys";
import { States } from "../ui/states";
import { TakeButton } from "../ui/take";
import { ThemeSwitch } from "../ui/theme";
import { Timeline } from "../ui/timeline";
import { Trace } from "../ui/trace";
import { Transport } from "../ui/transport";

const MISSING = ["push it", "throw a ball", "throw a ball there", "explain this frame", "start or stop recording", "task"];
const HINT = ["WASD, arrows or the stick steer", "click the ground to go there", "the slider gathers a crowd"];

export function startLocalPanels(studio: Studio, view: View): void {
  const root = document.querySelector<HTMLElement>("#ui")!;
  const trace = new Trace(studio); // created first, so that it receives each frame before the panels draw it
  const commands = new Commands(studio, view);
  const theme = new ThemeSwitch(view);
  const help = new Help(MISSING);
  const take = new TakeButton(studio); // the style sheet hides what needs a server
  const timeline = new Timeline(studio, trace, commands);
  const transport = new Transport(studio, commands, timeline, take);
  const states = new States(studio);
  const bar = new Bar(studio, view, commands, theme, help);
  const bottom = make("div", { class: "bottom" }, transport.element);
  root.append(makeHint(HINT), bottom, states.cover, states.badge, states.toast, bar.element, help.dialog);
  theme.onChange(() => timeline.draw());
  releaseFocusAfterUse(root);
  listenToKeys(studio, { commands, help, take, theme, close });

  function close(): boolean {
    if (help.dialog.open) help.dialog.close();
    else if (bar.menuOpen) bar.openMenu(false);
    else return false;
    return true;
  }
}
