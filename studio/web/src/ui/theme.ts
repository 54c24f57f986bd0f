// Light or dark: the page, the scene, and the colours that canvases read from the style sheet.

import type { Theme, View } from "../scene/view";
import { recall, remember } from "./memory";

const FOLLOWS = matchMedia("(prefers-color-scheme: light)");

export interface Palette {
  text: string;
  muted: string;
  line: string;
  track: string;
  accent: string;
  good: string;
  push: string;
  clipLightness: string;
}

let palette: Palette | null = null;

/** Return the colours of the theme; cached per theme, since reading a computed style is slow. */
export function currentPalette(): Palette {
  if (palette) return palette;
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  palette = {
    text: read("text"),
    muted: read("muted"),
    line: read("line"),
    track: read("track"),
    accent: read("accent"),
    good: read("good"),
    push: read("push"),
    clipLightness: read("clip-lightness"),
  };
  return palette;
}

export class ThemeSwitch {
  theme: Theme = "dark";
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly view: Pick<View, "setTheme">) {
    const remembered = recall("theme");
    this.apply(remembered === "light" || remembered === "dark" ? remembered : FOLLOWS.matches ? "light" : "dark");
    FOLLOWS.addEventListener("change", (event) => {
      if (recall("theme") === null) this.apply(event.matches ? "light" : "dark");
    });
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  toggle(): void {
    const theme = this.theme === "dark" ? "light" : "dark";
    remember("theme", theme);
    this.apply(theme);
  }

  private apply(theme: Theme): void {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
    palette = null;
    this.view.setTheme(theme);
    for (const listener of this.listeners) listener();
  }
}
