// The bar at the top of the page that composes motion.

import type { CameraMode } from "../scene/view";
import { CAMERAS } from "../ui/commands";
import { button, make, Segmented, setText } from "../ui/dom";
import { icon, mark } from "../ui/icons";
import type { ThemeSwitch } from "../ui/theme";
import type { Composer } from "./composer";
import type { ComposeView } from "./view";

export function composeBar(composer: Composer, view: ComposeView, theme: ThemeSwitch): HTMLElement {
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
  composer.on("scene", (scene) => {
    setText(title, `${scene.title} \u00b7 compose`);
    document.title = `${scene.title} \u00b7 compose \u00b7 motionfields studio`;
  });
  const brand = make("div", { class: "brand" }, mark(), make("h1", {}, "motionfields", title));
  return make("header", { id: "bar" }, brand, make("div", { class: "spacer" }), camera.element, themeButton);
}
