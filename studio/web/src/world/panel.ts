// The toolbar of a world: tools for obstacles, who is sent where, orders for everyone, layers and export.

import "./world.css";
import { exportMenu } from "../motions/export";
import type { Studio } from "../studio";
import { button, make, Segmented } from "../ui/dom";
import type { IconName } from "../ui/icons";
import type { Layer, Orders, Tool, WorldEditor } from "./editor";

const TOOLS: [Tool, string, IconName, string][] = [
  ["box", "Box", "box", "Drag a box on the ground"],
  ["disc", "Disc", "disc", "Drag a round obstacle on the ground, from its centre"],
  ["wall", "Wall", "wall", "Drag a wall on the ground"],
];
const ORDERS: [Orders, string, string][] = [
  ["go", "Stay", "Walk to the clicked place and stay there"],
  ["cross", "Cross", "Walk to the opposite side of the room, and back"],
  ["wander", "Wander", "Walk to places anywhere in the room"],
  ["chase", "Chase", "Follow the selected character, which wanders; steer it with WASD"],
];
const LAYERS: [Layer, string, string][] = [
  ["plans", "Plans", "Planned path of every character, next 2 s"],
  ["goals", "Goals", "Goal of every character"],
  ["fan", "Futures", "All futures that the selected character compares; red ones collide"],
  ["rays", "Sight", "Area that the selected character can see"],
];

export class WorldPanel {
  readonly element: HTMLElement;
  readonly toggle: HTMLButtonElement; // enters and leaves the world
  private readonly tools = new Map<Tool, HTMLButtonElement>();
  private readonly layers = new Map<Layer, HTMLButtonElement>();
  private readonly who = new Segmented("send", "Characters that a click sends", (who) => this.editor.setEveryone(who === "all"));
  private readonly orders = new Segmented("orders", "Orders", (what) => this.editor.order(what as Orders));
  private readonly remove: HTMLButtonElement;

  constructor(
    private readonly studio: Studio,
    private readonly editor: WorldEditor,
  ) {
    const about = "World: characters find their way around obstacles and each other (N)";
    this.toggle = button({ id: "world-toggle", title: about, icon: "wall", label: "World" }, () => this.enter());
    for (const [tool, label, look, title] of TOOLS)
      this.tools.set(tool, button({ id: `world-${tool}`, title, icon: look, label }, () => this.take(tool)));
    this.remove = button({ id: "world-remove", title: "Remove the selected obstacle (Delete)", icon: "close" }, () =>
      editor.removeSelected(),
    );
    const undo = button({ id: "world-undo", title: "Undo (Ctrl+Z)", icon: "undo" }, () => editor.undo());
    this.who.setChoices([
      { value: "one", label: "One", title: "A click on the ground sends the selected character" },
      { value: "all", label: "All", title: "A click on the ground sends everyone" },
    ]);
    this.orders.setChoices(ORDERS.map(([value, label, title]) => ({ value, label, title })));
    for (const [layer, label, title] of LAYERS)
      this.layers.set(
        layer,
        button({ id: `layer-${layer}`, title, label, class: "button small" }, () =>
          editor.setLayer(layer, !editor.layers[layer]),
        ),
      );
    const downloads = exportMenu([
      { id: "export-crowd", label: "Crowd, glTF", file: "crowd.glb", href: () => "crowd.glb" },
      { id: "export-world", label: "World, JSON", file: "world.json", href: () => "world.json" },
    ]);
    const group = (...parts: HTMLElement[]): HTMLElement => make("div", { class: "group" }, ...parts);
    const label = (text: string): HTMLElement => make("span", { class: "label" }, text);
    this.element = make(
      "section",
      { id: "world-panel", class: "panel", "aria-label": "World" },
      group(...this.tools.values(), this.remove, undo),
      group(label("Click sends"), this.who.element),
      group(label("Everyone"), this.orders.element),
      group(label("Show"), ...this.layers.values()),
      downloads,
    );
    studio.on("world", () => this.show());
    studio.on("hello", () => this.show());
    studio.on("status", () => this.show());
    editor.on("room", () => this.show());
    editor.on("layers", () => this.show());
    window.addEventListener("keydown", (event) => this.press(event));
    this.show();
  }

  private enter(): void {
    this.editor.setTool("none");
    this.editor.enter(!this.editor.active);
  }

  private take(tool: Tool): void {
    this.editor.setTool(this.editor.tool === tool ? "none" : tool);
  }

  private press(event: KeyboardEvent): void {
    if (event.target instanceof HTMLInputElement && event.target.type !== "range") return;
    const undo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
    if (!undo && (event.ctrlKey || event.metaKey || event.altKey)) return;
    if (event.key.toLowerCase() === "n" && !this.toggle.hidden && !event.repeat) this.enter();
    if (!this.editor.active) return;
    if (undo) this.editor.undo();
    else if (event.key === "Delete" || event.key === "Backspace") this.editor.removeSelected();
    else if (event.key === "Escape" && this.editor.tool !== "none") this.editor.setTool("none");
    else return;
    event.preventDefault();
  }

  private show(): void {
    const { studio, editor } = this;
    const task = studio.hello?.tasks.find(({ name }) => name === studio.status?.task);
    this.toggle.hidden = !studio.world || !task?.worlds;
    this.toggle.setAttribute("aria-pressed", String(editor.active));
    this.element.hidden = !editor.active;
    document.body.classList.toggle("in-world", editor.active);
    for (const [tool, made] of this.tools) made.setAttribute("aria-pressed", String(editor.tool === tool));
    for (const [layer, made] of this.layers) made.setAttribute("aria-pressed", String(editor.layers[layer]));
    this.remove.disabled = editor.selected === null;
    this.who.select(editor.everyone ? "all" : "one");
    this.orders.select(studio.world?.orders ?? "go");
  }
}
