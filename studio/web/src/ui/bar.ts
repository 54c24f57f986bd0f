// The bar at the top: title, task, camera, crowd, pace, theme, Why? and help; on narrow screens most of it is in a menu.

import { MOST_CHARACTERS, type Hello, type Status } from "../messages";
import type { CameraMode, View } from "../scene/view";
import type { Studio } from "../studio";
import { CAMERAS, type Commands } from "./commands";
import { button, make, Segmented, setText } from "./dom";
import { capital } from "./format";
import type { Help } from "./help";
import { icon, mark } from "./icons";
import { NumberSlider } from "./slider";
import type { ThemeSwitch } from "./theme";

const CAMERA_NAMES: Record<CameraMode, string> = { follow: "Follow", orbit: "Orbit", top: "Top" };

export class Bar {
  readonly element: HTMLElement;
  private readonly title = make("span", { id: "title" });
  private readonly tasks: Segmented;
  private readonly camera: Segmented;
  private readonly crowd: NumberSlider;
  private readonly pace: NumberSlider;
  private readonly why: HTMLButtonElement;
  private readonly menu: HTMLButtonElement;

  constructor(
    private readonly studio: Studio,
    view: View,
    commands: Commands,
    theme: ThemeSwitch,
    help: Help,
  ) {
    this.tasks = new Segmented("task", "Task", (name) => commands.doTask(name));
    this.camera = new Segmented("camera", "Camera", (mode) => {
      view.setCamera(mode as CameraMode);
      this.camera.select(mode);
    });
    this.camera.setChoices(
      CAMERAS.map((mode) => ({
        value: mode,
        label: mode,
        title: `Camera: ${CAMERA_NAMES[mode].toLowerCase()} (C)`,
        icon: mode,
      })),
    );
    this.crowd = new NumberSlider(
      {
        id: "crowd",
        label: "Crowd",
        title: "Number of characters",
        min: 1,
        max: MOST_CHARACTERS,
        step: 1,
        digits: 0,
        unit: "",
      },
      (count) => studio.send({ type: "gather", count }),
    );
    this.pace = new NumberSlider(
      {
        id: "pace",
        label: "Pace",
        title: "Walking speed when steered",
        min: 0,
        max: 1,
        step: 0.01,
        digits: 2,
        unit: "m/s",
      },
      (speed) => studio.send({ type: "pace", speed }),
    );
    this.why = button({ id: "why-toggle", title: "Why did it do that? (Y)", icon: "why", label: "Why?" }, () =>
      commands.toggleWhy(),
    );
    this.why.setAttribute("aria-pressed", "false");
    this.menu = button({ id: "menu", title: "More controls", icon: "menu" }, () => this.openMenu(!this.menuOpen));
    this.menu.setAttribute("aria-expanded", "false");
    const themeButton = button({ id: "theme", title: "Light or dark theme (L)", icon: "sun", label: "Theme" }, () =>
      theme.toggle(),
    );
    const showTheme = (): void =>
      themeButton.firstElementChild!.replaceWith(icon(theme.theme === "dark" ? "sun" : "moon"));
    theme.onChange(showTheme);
    showTheme();
    const helpButton = button(
      { id: "help-toggle", title: "Keys and gestures (H)", icon: "help", label: "Keys" },
      () => {
        this.openMenu(false);
        help.toggle();
      },
    );
    const camera = make(
      "div",
      { class: "field" },
      make("span", { class: "label camera-label" }, "Camera"),
      this.camera.element,
    );
    const page = make("div", { class: "page-buttons" }, themeButton, helpButton);
    const controls = make("div", { class: "controls" }, camera, this.crowd.element, this.pace.element, page);
    const brand = make("div", { class: "brand" }, mark(), make("h1", {}, "motionfields", this.title));
    this.element = make("header", { id: "bar" }, brand, this.tasks.element, controls, this.why, this.menu);
    studio.on("hello", (hello) => this.showHello(hello));
    studio.on("status", (status) => this.showStatus(status));
    studio.on("why", (open) => this.why.setAttribute("aria-pressed", String(open)));
    studio.on("shown", () => this.camera.select(view.cameraMode)); // the scene may change it too
    view.canvas.addEventListener("pointerdown", () => this.openMenu(false));
  }

  get menuOpen(): boolean {
    return this.element.classList.contains("menu-open");
  }

  openMenu(open: boolean): void {
    this.element.classList.toggle("menu-open", open);
    this.menu.setAttribute("aria-expanded", String(open));
  }

  private showHello(hello: Hello): void {
    setText(this.title, hello.title);
    document.title = `${hello.title} \u00b7 motionfields studio`;
    this.tasks.setChoices(
      hello.tasks.map(({ name }, i) => ({ value: name, label: capital(name), title: `Task: ${name} (${i + 1})` })),
    );
    if (this.studio.status) this.showStatus(this.studio.status);
  }

  private showStatus(status: Status): void {
    this.tasks.select(status.task);
    this.crowd.show(status.count);
    const topSpeed = this.studio.hello?.tasks.find((task) => task.name === status.task)?.top_speed ?? 0;
    this.pace.element.classList.toggle("absent", !(topSpeed > 0));
    if (topSpeed > 0) this.pace.show(status.pace, topSpeed);
  }
}
