// Label rows: painted with the mouse; stretches that the motion misses are hatched.

import { button, make } from "../ui/dom";
import type { Composer } from "./composer";
import { SNAP, snapped } from "./document";
import { dragFrom, stretch, timeAt } from "./strip";

interface Row {
  element: HTMLElement;
  strip: HTMLElement;
}

export class LabelRows {
  readonly element = make("div", { id: "label-rows" });
  private readonly list = make("div", { class: "label-list" });
  private readonly rows = new Map<string, Row>();
  private readonly add = make("select", { id: "add-label", "aria-label": "Add a label" });

  constructor(private readonly composer: Composer) {
    const adder = make("div", { class: "row adder" }, this.add);
    this.element.append(this.list, adder);
    this.add.addEventListener("change", () => {
      composer.document.addRow(this.add.value);
      composer.changed();
      this.list.lastElementChild?.scrollIntoView({ block: "nearest" });
    });
    composer.on("document", () => this.draw());
    composer.on("motions", () => this.draw());
    composer.on("scene", () => this.draw());
  }

  private draw(): void {
    const { scene, document } = this.composer;
    if (!scene) return;
    const elements = document.rows.map((label) => this.row(label).element);
    if (
      elements.some((element, i) => this.list.children[i] !== element) ||
      elements.length !== this.list.children.length
    )
      this.list.replaceChildren(...elements);
    for (const label of document.rows) this.fill(label, this.row(label).strip);
    const left = scene.labels.filter(({ name }) => !document.rows.includes(name));
    const options = left.map(({ name, seconds }) =>
      make("option", { value: name }, `${name} (${seconds.toFixed(0)} s)`),
    );
    this.add.replaceChildren(make("option", { value: "", selected: "", disabled: "" }, "Add label\u2026"), ...options);
    this.add.parentElement!.hidden = left.length === 0;
  }

  /** Return the row of a label; rows are kept, because motions arrive while the user paints. */
  private row(label: string): Row {
    const known = this.rows.get(label);
    if (known) return known;
    const { composer } = this;
    const strip = make("div", { class: "strip paintable", "data-label": label });
    strip.addEventListener("pointerdown", (event) => this.paint(event, strip, label));
    const remove = button(
      { id: `remove-${label}`, title: `Remove the row ${label}`, icon: "close", class: "button tiny" },
      () => {
        composer.document.removeRow(label);
        composer.changed();
      },
    );
    const name = make("span", { class: "row-name", title: label }, label, remove);
    const row = { element: make("div", { class: "row" }, name, strip), strip };
    this.rows.set(label, row);
    return row;
  }

  /** Show the goals of a row, and the stretches that the selected motion misses; a stroke under way stays. */
  private fill(label: string, strip: HTMLElement): void {
    const { composer } = this;
    const blocks: HTMLElement[] = [];
    for (const goal of composer.document.labels.filter((one) => one.label === label)) {
      const kind = (goal.wanted ?? true) ? "want" : "avoid";
      const block = make("div", { class: `goal ${kind}${goal.hard ? " hard" : ""}` });
      stretch(block, composer, goal.start_s, goal.end_s);
      blocks.push(block);
    }
    for (const missed of composer.selected?.motion.missed ?? []) {
      if (missed.label !== label) continue;
      for (const [start, end] of missed.runs) {
        const mark = make("div", { class: "missed" });
        stretch(mark, composer, start, end);
        blocks.push(mark);
      }
    }
    strip.replaceChildren(...blocks, ...strip.querySelectorAll(".stroke"));
  }

  /** Paint while the pointer is dragged; the row shows the stroke before the document has it. */
  private paint(event: PointerEvent, strip: HTMLElement, label: string): void {
    const { composer } = this;
    const brush = event.button === 2 ? "erase" : event.shiftKey ? "avoid" : composer.brush;
    const from = timeAt(event, strip, composer);
    const stroke = make("div", { class: `goal ${brush} stroke` });
    strip.append(stroke);
    let [start, end] = [0, 0];
    const move = (moved: PointerEvent): void => {
      const to = timeAt(moved, strip, composer);
      start = snapped(Math.min(from, to));
      end = snapped(Math.max(from, to, start + SNAP));
      stretch(stroke, composer, start, end);
    };
    move(event);
    dragFrom(event, strip, move, () => {
      stroke.remove();
      composer.document.paint(label, start, Math.min(end, composer.seconds), brush);
      composer.changed();
    });
  }
}
