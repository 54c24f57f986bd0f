// Keyboard shortcuts of the panels; the steering keys are in steering/keys.ts.

import type { Studio } from "../studio";
import type { Commands } from "./commands";
import type { Compare } from "./compare";
import type { Help } from "./help";
import type { ShareButtons } from "../share/buttons";
import type { TakeButton } from "./take";
import type { ThemeSwitch } from "./theme";

export interface KeyTargets {
  commands: Commands;
  help: Help;
  take: TakeButton;
  theme: ThemeSwitch;
  share: ShareButtons;
  compare?: Compare; // on pages with several controllers
  close(): boolean; // close the topmost panel; returns whether there was one
}

export function listenToKeys(studio: Studio, targets: KeyTargets): void {
  const { commands, help, take, theme, share } = targets;
  const actions: Record<string, () => void> = {
    " ": () => commands.togglePause(),
    ",": () => commands.stepBack(),
    ".": () => commands.stepOn(),
    "[": () => commands.changeSpeed(-1),
    "]": () => commands.changeSpeed(1),
    c: () => commands.nextCamera(),
    o: () => commands.nextBody(),
    y: () => commands.toggleWhy(),
    h: () => help.toggle(),
    "?": () => help.toggle(),
    l: () => theme.toggle(),
    r: () => take.toggle(),
    v: () => share.toggleVideo(),
    g: () => share.saveGif(),
    m: () => targets.compare?.switch(),
  };
  const once = new Set(["c", "o", "y", "h", "?", "l", "r", "v", "g", "m", " "]); // ignore key repeat for these
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) || (event.key === " " && event.target instanceof HTMLElement && event.target.matches("button, summary"))) return;
    if (event.key === "Escape") return void (targets.close() && event.preventDefault());
    const key = event.key.toLowerCase();
    if (event.repeat && once.has(key)) return;
    const task = /^[1-9]$/.test(key) ? studio.hello?.tasks[Number(key) - 1]?.name : undefined;
    const action = task !== undefined ? () => commands.doTask(task) : actions[key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLInputElement)) return target instanceof HTMLTextAreaElement;
  return target.type !== "range";
}

/** Remove the focus from controls after pointer use; otherwise space and arrow keys would operate them. */
export function releaseFocusAfterUse(root: HTMLElement): void {
  root.addEventListener("click", (event) => {
    const used = event.detail > 0 && (event.target as Element).closest<HTMLElement>("button, a, summary");
    if (used) used.blur();
  });
  root.addEventListener("pointerup", (event) => {
    if (event.target instanceof HTMLInputElement && event.target.type === "range") event.target.blur();
  });
  root.addEventListener("keydown", (event) => {
    if (isTyping(event.target) && event.key === "Enter") (event.target as HTMLElement).blur();
  });
}
