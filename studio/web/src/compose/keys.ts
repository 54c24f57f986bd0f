// The keys of the page that composes motion.

import type { ThemeSwitch } from "../ui/theme";
import type { Composer } from "./composer";
import { removeSelected } from "./moments";

export function listenToKeys(composer: Composer, parts: { theme: ThemeSwitch; cancel: () => void }): void {
  window.addEventListener("keydown", (event) => {
    const { target } = event;
    if (target instanceof HTMLElement && target.matches("input, select, textarea")) return;
    const frame = composer.scene?.frame_time ?? 1 / 30;
    if ((event.ctrlKey || event.metaKey) && event.code === "KeyZ") composer.undo();
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (event.code === "Space") composer.play(!composer.playing);
    else if (event.key === ",") composer.show(composer.time - frame);
    else if (event.key === ".") composer.show(composer.time + frame);
    else if (event.key === "Escape") parts.cancel();
    else if (event.key === "Delete" || event.key === "Backspace") removeSelected(composer);
    else if (event.code === "KeyL") parts.theme.toggle();
    else if (/^[1-3]$/.test(event.key)) composer.choose(Number(event.key) - 1);
    else return;
    event.preventDefault();
  });
}
