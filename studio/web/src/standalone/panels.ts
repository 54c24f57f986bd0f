// The panels of an exported page: those of the studio that need no server.

import type { View } from "../scene/view";
import { ShareButtons } from "../share/buttons";
import type { Studio } from "../studio";
import { Bar } from "../ui/bar";
import { Commands } from "../ui/commands";
import { button, make } from "../ui/dom";
import { Help, makeHint } from "../ui/help";
import { listenToKeys, releaseFocusAfterUse } from "../ui/keys";
import { States } from "../ui/states";
import { TakeButton } from "../ui/take";
import { ThemeSwitch } from "../ui/theme";
import { Timeline } from "../ui/timeline";
import { Trace } from "../ui/trace";
import type { Toast } from "../ui/toast";
import { Transport } from "../ui/transport";
import type { LocalServer } from "./local";

const MISSING = ["push it", "throw a ball", "throw a ball there", "explain this frame", "start or stop recording", "task", "world with obstacles", "compare controllers", "move it", "send the other group: everyone in mode One, one in mode All"];
const HINT = ["WASD, arrows or the stick steer", "click the ground to go there", "the slider gathers a crowd"];

/** Create the panels, and return where notices are shown. */
export function startLocalPanels(studio: Studio, view: View, server: LocalServer): Toast {
  const root = document.querySelector<HTMLElement>("#ui")!;
  const trace = new Trace(studio); // created first, so that it receives each frame before the panels draw it
  const commands = new Commands(studio, view);
  const theme = new ThemeSwitch(view);
  const help = new Help(MISSING);
  const take = new TakeButton(studio); // the style sheet hides what needs a server
  const timeline = new Timeline(studio, trace, commands);
  const transport = new Transport(studio, commands, timeline, take);
  const states = new States(studio);
  const share = new ShareButtons(studio, view, states.notice);
  const link = button({ id: "link", title: "Copy a link to this moment (K)", icon: "link", label: "Link" }, copyLink);
  const bar = new Bar(studio, view, commands, theme, help, [link, share.video, share.gif]);
  const bottom = make("div", { class: "bottom" }, transport.element);
  root.append(make("div", { class: "corner" }, makeHint(HINT)), bottom, states.cover, states.badge, states.notice.element, bar.element, help.dialog);
  theme.onChange(() => timeline.draw());
  releaseFocusAfterUse(root);
  listenToKeys(studio, { commands, help, take, theme, share, close });
  window.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey;
    if (event.key.toLowerCase() === "k" && !event.repeat && !typing) copyLink();
  });
  return states.notice;

  /** Put the link to the displayed moment into the address of the page and, if the browser allows it, the clipboard. */
  async function copyLink(): Promise<void> {
    try {
      history.replaceState(null, "", await server.link(studio.shown?.number ?? 0));
      await navigator.clipboard.writeText(location.href);
      states.notice.show("Copied the link to this moment.");
    } catch (error) {
      const failed = error instanceof DOMException; // the clipboard is not allowed
      states.notice.show(failed ? "The page address now links to this moment." : (error as Error).message);
    }
  }

  function close(): boolean {
    if (help.dialog.open) help.dialog.close();
    else if (bar.menuOpen) bar.openMenu(false);
    else return false;
    return true;
  }
}
