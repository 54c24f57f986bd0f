// The bar at the top of a page that makes motions.

import type { CameraMode } from "../scene/view";
import { CAMERAS } from "../ui/commands";
import { button, make, Segmented, setText } from "../ui/dom";
import { icon, mark } from "../ui/icons";
import type { ThemeSwitch } from "../ui/theme";

/** The view, as far as the bar changes it. */
export interface BarView {
  readonly cameraMode: CameraMode;
  setCamera(mode: CameraMode): void;
}

export interface Bar {
  element: HTMLElement;
  setTitle(title: string): void;
  showCamera(): void; // after the page has changed it
}

/** Create the bar of the page `name`. */
export function makeBar(name: string, view: BarView, theme: ThemeSwitch): Bar {
  const title = make("span", { id: "title" });
  const camera = new Segmented("camera", "Camera", (mode) => {
    view.setCamera(mode as CameraMode);
    camera.select(mode);
  });
  camera.setChoices(CAMERAS.map((mode) => ({ value: mode, label: mode, title: `Camera: ${mode}`, icon: mode })));
  camera.select(view.cameraMode);
  const themeButton = button({ id: "theme", title: "Light or dark theme (L)", icon: "sun" }, () => theme.toggle());
  const showTheme = (): void =>
    themeButton.firstElementChild!.replaceWith(icon(theme.theme === "dark" ? "sun" : "moon"));
  theme.onChange(showTheme);
  showTheme();
  const brand = make("div", { class: "brand" }, mark(), make("h1", {}, "motionfields", title));
  return {
    element: make("header", { id: "bar" }, brand, make("div", { class: "spacer" }), camera.element, themeButton),
    setTitle: (text) => {
      setText(title, `${text} \u00b7 ${name}`);
      document.title = `${text} \u00b7 ${name} \u00b7 motionfields studio`;
    },
    showCamera: () => camera.select(view.cameraMode),
  };
}
