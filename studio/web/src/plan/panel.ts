// The panel at the bottom: tools, time, and what was found.

import { button, make, Segmented, setText } from "../ui/dom";
import { icon, type IconName } from "../ui/icons";
import { exportMenu, jsonAddress } from "../motions/export";
import type { Planner, Tool } from "./planner";
import { Report } from "./report";

const TOOLS: [Tool, string, IconName, string][] = [
  ["goal", "Goal", "place", "Set the goal: press on the ground, and drag to set the facing (G)"],
  ["via", "Via", "pin", "Add a place to pass on the way (V)"],
  ["box", "Box", "top", "Drag a box on the ground (B)"],
  ["path", "Path", "path", "Draw a path on the ground to follow (P)"],
  ["stroke", "Stroke", "turn", "Draw the path of a joint in the view, at the time shown (S)"],
  ["redraw", "Redraw", "loop", "Draw over part of the route to replace it (R)"],
];
const SECONDS = [0.3, 1, 5];

export class PlanPanel {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly time = make("span", { id: "time", class: "time" }, "0.0 s");
  private readonly scrubber = make("input", {
    id: "scrubber",
    type: "range",
    min: "0",
    step: "any",
    value: "0",
    "aria-label": "Time of the motion",
  });
  private readonly tools = new Map<Tool, HTMLButtonElement>();
  private readonly joint = make("select", { id: "joint", title: "Joint to draw for", "aria-label": "Joint" });
  private readonly ways: Segmented;
  private readonly ghosts: HTMLButtonElement;
  private readonly goalAgain: HTMLButtonElement;

  constructor(private readonly planner: Planner) {
    const main = { id: "play", title: "Play or pause (space)", icon: "play", class: "button icon-only main" } as const;
    this.play = button(main, () => planner.play(!planner.playing));
    for (const [name, label, look, title] of TOOLS)
      this.tools.set(name, button({ id: `tool-${name}`, title, icon: look, label }, () => toggleTool(planner, name)));
    const within = new Segmented("within", "Seconds to search", (value) => {
      within.select(value);
      planner.setWithin(Number(value));
    });
    within.setChoices(
      SECONDS.map((seconds) => ({ value: String(seconds), label: `${seconds} s`, title: `Search for ${seconds} s` })),
    );
    within.select(String(planner.within));
    this.ways = new Segmented("ways", "Alternatives", (value) => planner.choose(Number(value)));
    this.ghosts = button({ id: "ghosts", title: "Show the other routes as ghosts (A)", icon: "compare" }, () =>
      planner.setGhosts(!planner.ghosts),
    );
    this.goalAgain = button({ id: "clear-strokes", title: "Delete the strokes and plan to the goal", icon: "close" }, () =>
      planner.clearStrokes(),
    );
    const undo = button({ id: "undo", title: "Undo (Ctrl+Z)", icon: "undo" }, () => planner.undo());
    this.joint.addEventListener("change", () => planner.setJoint(Number(this.joint.value)));
    this.scrubber.addEventListener("input", () => {
      planner.play(false);
      planner.show(this.scrubber.valueAsNumber);
    });
    const drawing = make("div", { class: "group" }, ...this.tools.values(), this.joint, this.goalAgain, undo);
    const found = make("div", { class: "group" }, this.ways.element, this.ghosts, planExport(planner));
    const spacer = make("div", { class: "spacer" });
    const search = make("div", { class: "field" }, make("span", { class: "label" }, "Search"), within.element);
    const toolbar = make("div", { class: "toolbar" }, this.play, this.time, drawing, search, spacer, found);
    const report = new Report(planner);
    this.element = make(
      "section",
      { id: "plan-panel", class: "panel bottom-panel", "aria-label": "Plan" },
      make("div", { class: "activity" }),
      toolbar,
      make("div", { class: "field" }, this.scrubber),
      report.element,
    );
    planner.on("time", () => this.showTime());
    planner.on("motions", () => this.showMotions());
    planner.on("document", () => this.showDocument());
    planner.on("searching", () => (this.element.dataset.working = String(planner.working)));
    planner.on("tool", () => this.showTool());
    planner.on("scene", () => this.listJoints());
    this.showMotions();
    this.showDocument();
    this.showTool();
  }

  private showTime(): void {
    const { playing, time, seconds } = this.planner;
    setText(this.time, `${time.toFixed(1)} s`);
    this.scrubber.max = String(seconds);
    this.scrubber.value = String(time);
    this.scrubber.style.setProperty("--share", String(seconds ? time / seconds : 0));
    if (this.play.getAttribute("aria-pressed") === String(playing)) return;
    this.play.setAttribute("aria-pressed", String(playing));
    this.play.firstElementChild!.replaceWith(icon(playing ? "pause" : "play"));
  }

  private showMotions(): void {
    const { motions, rank, ghosts } = this.planner;
    const choices = motions.map(({ motion }, i) => ({
      value: String(i),
      label: String(i + 1),
      title: `Route ${i + 1}: cost ${motion.cost.toFixed(2)} s (${i + 1})`,
    }));
    this.ways.setChoices(choices.length ? choices : [{ value: "0", label: "1", title: "The cheapest route" }]);
    this.ways.select(String(rank));
    this.ghosts.setAttribute("aria-pressed", String(ghosts));
    this.ghosts.disabled = motions.length < 2;
    this.tools.get("redraw")!.disabled = this.tools.get("stroke")!.disabled = motions.length === 0;
    this.showTime();
  }

  private showDocument(): void {
    this.goalAgain.hidden = this.planner.document.strokes.length === 0;
  }

  private showTool(): void {
    for (const [name, made] of this.tools) made.setAttribute("aria-pressed", String(this.planner.tool === name));
    this.joint.hidden = this.planner.tool !== "stroke";
    this.joint.value = String(this.planner.joint);
  }

  private listJoints(): void {
    const { joint_names: names, drawable } = this.planner.scene!;
    const others = names.map((_, joint) => joint).filter((joint) => !drawable.includes(joint));
    const entries = [...drawable, ...others].map((joint) => make("option", { value: String(joint) }, names[joint]));
    this.joint.replaceChildren(...entries);
    this.showTool();
  }
}

/** Take a tool, or put it away. */
export function toggleTool(planner: Planner, name: Tool): void {
  planner.setTool(planner.tool === name ? "none" : name);
}

function planExport(planner: Planner): HTMLElement {
  const motion = (suffix: string) => () => (planner.shown ? `motion-${planner.shown.motion.number}.${suffix}` : null);
  const strokes = () => (planner.document.strokes.length ? jsonAddress(planner.document.strokesText()) : null);
  const room = () => jsonAddress(planner.document.roomText());
  return exportMenu([
    { id: "export-glb", label: "Motion, glTF", file: "planned.glb", href: motion("glb") },
    { id: "export-bvh", label: "Motion, BVH", file: "planned.bvh", href: motion("bvh") },
    { id: "export-room", label: "Room, JSON", file: "room.json", href: room },
    { id: "export-strokes", label: "Strokes, JSON", file: "strokes.json", href: strokes },
  ]);
}
