// The bar at the top: title, task, camera, crowd, pace, theme, Why? and help; on narrow screens most of it is in a menu.

import { MOST_CHARACTERS, type Hello, type Status } from "../messages";
import type { CameraName, View } from "../scene/view";
import type { Studio } from "../studio";
import { CAMERA_NAMES, type Commands } from "./commands";
import { button, make, Segmented, setText } from "./dom";
import { capital } from "./format";
import type { Help } from "./help";
import { icon, mark } from "./icons";
import { NumberSlider } from "./slider";
import type { ThemeSwitch } from "./theme";

export class Bar {
  readonly element: HTMLElement;
  private readonly title = make("span", { id: "title" });
  private readonly tasks: Segmented;
  private readonly camera: HTMLSelectElement;
  private readonly crowd: NumberSlider;
  private readonly pace: NumberSlider;
  private readonly agility: NumberSlider;
  private readonly why: HTMLButtonElement;
  private readonly menu: HTMLButtonElement;

  constructor(
    private readonly studio: Studio,
    view: View,
    commands: Commands,
    theme: ThemeSwitch,
    help: Help,
    more: HTMLElement[], // further buttons of the page
  ) {
    this.tasks = new Segmented("task", "Task", (name) => commands.doTask(name));
    const names = CAMERA_NAMES.map((name) => make("option", {}, name));
    this.camera = make("select", { id: "camera", title: "Camera (C)", "aria-label": "Camera" }, ...names);
    this.camera.addEventListener("change", () => {
      view.setCamera(this.camera.value as CameraName);
      this.camera.blur(); // keys steer again
    });
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
    this.agility = new NumberSlider(
      {
        id: "agility",
        label: "Agility",
        title: "Smooth (0) or quick to respond (1); another value trains the controller again",
        min: 0,
        max: 1,
        step: 0.1,
        digits: 1,
        unit: "",
      },
      (agility) => this.setAgility(agility),
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
    const body = button({ id: "body", title: "Body type: sturdy or slim (O)", icon: "follow", label: "Body" }, () =>
      view.nextBody(),
    );
    const camera = make(
      "div",
      { class: "field" },
      make("span", { class: "label camera-label" }, "Camera"),
      this.camera,
    );
    const page = make("div", { class: "page-buttons" }, ...more, body, themeButton, helpButton);
    const controls = make("div", { class: "controls" }, camera, this.crowd.element, this.pace.element, this.agility.element, page);
    const brand = make("div", { class: "brand" }, mark(), make("h1", {}, "motionfields", this.title));
    this.element = make("header", { id: "bar" }, brand, this.tasks.element, controls, this.why, this.menu);
    studio.on("hello", (hello) => this.showHello(hello));
    studio.on("status", (status) => this.showStatus(status));
    studio.on("why", (open) => this.why.setAttribute("aria-pressed", String(open)));
    studio.on("shown", () => (this.camera.value = view.cameraName)); // the key C changes it too
    view.canvas.addEventListener("pointerdown", () => this.openMenu(false));
    new ResizeObserver(() => this.fit()).observe(this.element);
  }

  /** Add a button beside Why?. It may be hidden until there is a use for it. */
  addMode(made: HTMLButtonElement): void {
    this.why.before(made);
    new MutationObserver(() => this.fit()).observe(made, { attributeFilter: ["hidden"] });
  }

  get menuOpen(): boolean {
    return this.element.classList.contains("menu-open");
  }

  openMenu(open: boolean): void {
    this.element.classList.toggle("menu-open", open);
    this.menu.setAttribute("aria-expanded", String(open));
  }

  /** Move the controls into the menu if the bar is too short for all of them. */
  private fit(): void {
    const { classList } = this.element;
    classList.remove("narrow");
    classList.toggle("narrow", this.element.scrollWidth > this.element.clientWidth);
  }

  private showHello(hello: Hello): void {
    setText(this.title, hello.title);
    document.title = `${hello.title} \u00b7 motionfields studio`;
    this.tasks.setChoices(
      hello.tasks.map(({ name }, i) => ({ value: name, label: capital(name), title: `Task: ${name} (${i + 1})` })),
    );
    if (this.studio.status) this.showStatus(this.studio.status);
    this.fit();
  }

  /** Switch to a controller of this task with that agility, or let the server train one. */
  private setAgility(agility: number): void {
    const { hello, status } = this.studio;
    const task = status?.task.split(" (agility")[0] ?? "";
    const known = hello?.tasks.find((one) => one.name.split(" (agility")[0] === task && one.agility === agility);
    if (known) this.studio.send({ type: "do", task: known.name });
    else this.studio.send({ type: "retrain", agility });
  }

  private showStatus(status: Status): void {
    this.tasks.select(status.task);
    this.crowd.show(status.count);
    this.agility.show(this.studio.hello?.tasks.find((task) => task.name === status.task)?.agility ?? 0.5);
    const topSpeed = this.studio.hello?.tasks.find((task) => task.name === status.task)?.top_speed ?? 0;
    const absent = !(topSpeed > 0);
    const changed = this.pace.element.classList.contains("absent") !== absent;
    this.pace.element.classList.toggle("absent", absent);
    if (changed) this.fit();
    if (topSpeed > 0) this.pace.show(status.pace, topSpeed);
  }
}
