// The panel at the bottom: tools, the timeline, the strip of pieces, and what was found.

import { button, make, Segmented, setText } from "../ui/dom";
import { icon } from "../ui/icons";
import type { Composer } from "./composer";
import type { Brush } from "./document";
import { composeExport } from "./export";
import { MomentRows } from "./moments";
import { PieceStrip } from "./pieces";
import { PosePicker } from "./pose_picker";
import { LabelRows } from "./rows";
import { Ruler } from "./ruler";

const BRUSHES: [Brush, string, string][] = [
  ["want", "Want", "Paint where a label is wanted"],
  ["avoid", "Avoid", "Paint where a label must not show"],
  ["erase", "Free", "Erase: the label may be present or absent"],
];

export class Panel {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly time = make("span", { id: "time", class: "time" }, "0.0 s");
  private readonly length = make("input", {
    id: "length",
    type: "number",
    min: "1",
    max: "60",
    step: "1",
    "aria-label": "Length in seconds",
  });
  private readonly loop: HTMLButtonElement;
  private readonly tools: Record<"place" | "path", HTMLButtonElement>;
  private readonly alternatives: Segmented;
  private readonly compare: HTMLButtonElement;
  private readonly progress = make("progress", { id: "progress", max: "1", "aria-label": "Progress" });
  private readonly picker: PosePicker;

  constructor(private readonly composer: Composer) {
    this.play = button(
      { id: "play", title: "Play or pause (space)", icon: "play", class: "button icon-only main" },
      () => composer.play(!composer.playing),
    );
    const brush = new Segmented("brush", "Brush", (value) => {
      composer.brush = value as Brush;
      brush.select(value);
    });
    brush.setChoices(BRUSHES.map(([value, label, title]) => ({ value, label, title })));
    brush.select(composer.brush);
    this.tools = {
      place: this.tool("place", "Place", "Drag a place and a heading on the ground"),
      path: this.tool("path", "Path", "Draw a path on the ground"),
    };
    this.picker = new PosePicker(composer);
    this.loop = button({ id: "loop", title: "Make the motion a loop", icon: "loop" }, () => {
      composer.document.loop = !composer.document.loop;
      composer.changed();
    });
    const force = button({ id: "force", title: "Meet all places, even with a large warp", label: "Force" }, () => {
      composer.forced = !composer.forced;
      force.setAttribute("aria-pressed", String(composer.forced));
      composer.again();
    });
    this.alternatives = new Segmented("alternatives", "Alternatives", (value) => composer.choose(Number(value)));
    this.compare = button(
      { id: "compare", title: "Show all alternatives side by side", icon: "compare", label: "Compare" },
      () => composer.setCompare(!composer.compare),
    );
    this.length.addEventListener("change", () => {
      const seconds = Math.min(Math.max(this.length.valueAsNumber || composer.seconds, 1), 60);
      composer.document.setSeconds(seconds);
      composer.changed();
    });
    const undo = button({ id: "undo", title: "Undo (Ctrl+Z)", icon: "undo" }, () => composer.undo());
    const length = make(
      "label",
      { class: "field" },
      make("span", { class: "label" }, "Length"),
      this.length,
      make("span", { class: "unit" }, "s"),
    );
    const goals = make("div", { class: "group" }, this.tools.place, this.tools.path, this.picker.toggle);
    const found = make("div", { class: "group" }, this.alternatives.element, this.compare, composeExport(composer));
    const toolbar = make(
      "div",
      { class: "toolbar" },
      this.play,
      this.time,
      brush.element,
      goals,
      length,
      this.loop,
      force,
      undo,
      make("div", { class: "spacer" }),
      found,
    );
    const rows = make("div", { class: "rows" }, new LabelRows(composer).element, new MomentRows(composer).element);
    const lines = make("div", { class: "lines" }, new Ruler(composer).element, rows);
    const pieces = new PieceStrip(composer);
    this.element = make(
      "section",
      { id: "compose-panel", class: "panel bottom-panel", "aria-label": "Timeline" },
      this.progress,
      toolbar,
      this.picker.element,
      lines,
      pieces.element,
    );
    composer.on("time", () => this.showTime());
    composer.on("document", () => this.showDocument());
    composer.on("motions", () => this.showMotions());
    composer.on("working", () => this.showWorking());
    composer.on("tool", () => {
      for (const name of ["place", "path"] as const)
        this.tools[name].setAttribute("aria-pressed", String(composer.tool === name));
    });
    this.showMotions();
    this.showWorking();
  }

  private tool(name: "place" | "path", label: string, title: string): HTMLButtonElement {
    return button({ id: `tool-${name}`, title, icon: name, label }, () =>
      this.composer.setTool(this.composer.tool === name ? "none" : name),
    );
  }

  private showTime(): void {
    const { playing, time } = this.composer;
    setText(this.time, `${time.toFixed(1)} s`);
    if (this.play.getAttribute("aria-pressed") === String(playing)) return;
    this.play.setAttribute("aria-pressed", String(playing));
    this.play.firstElementChild!.replaceWith(icon(playing ? "pause" : "play"));
  }

  private showDocument(): void {
    this.length.value = String(this.composer.seconds);
    this.loop.setAttribute("aria-pressed", String(this.composer.document.loop));
    this.showTime();
  }

  private showMotions(): void {
    const { motions, rank, compare } = this.composer;
    const choices = motions.map(({ motion }, i) => ({
      value: String(i),
      label: String(i + 1),
      title: `Motion ${i + 1}: cost ${motion.cost.toFixed(1)}, labels met ${Math.round(100 * motion.labels_met)} % (${i + 1})`,
    }));
    this.alternatives.setChoices(choices.length ? choices : [{ value: "0", label: "1", title: "The best motion" }]);
    this.alternatives.select(String(Math.min(rank, Math.max(motions.length - 1, 0))));
    this.compare.setAttribute("aria-pressed", String(compare));
    this.compare.disabled = motions.length < 2;
  }

  private showWorking(): void {
    const { working } = this.composer;
    this.progress.classList.toggle("away", !working);
    if (working) this.progress.value = Math.max(working.share, 0.04);
    this.element.dataset.working = String(working !== null);
  }
}
