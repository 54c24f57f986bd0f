// Methods side by side: one character for each controller with the same commands, and its method written over it.

import "./compare.css";
import type { View } from "../scene/view";
import type { Studio } from "../studio";
import { button, make, setText } from "./dom";

const OVER_NECK = 0.38; // metres from the neck to the label over the head

export class Compare {
  readonly toggle: HTMLButtonElement;
  readonly element = make("div", { id: "methods" });

  constructor(
    private readonly studio: Studio,
    private readonly view: View,
  ) {
    const title = "Compare: one character for each controller, steered by the same command (M)";
    this.toggle = button({ id: "compare-toggle", title, icon: "compare", label: "Compare" }, () => this.switch());
    studio.on("hello", () => this.show());
    studio.on("status", () => this.show());
    view.onDrawn(() => this.place());
    this.show();
  }

  /** Start or end the comparison. */
  switch(): void {
    if (!this.toggle.hidden) this.studio.send({ type: "compare", on: !this.compared.length });
  }

  private get compared(): string[] {
    return this.studio.status?.compared ?? [];
  }

  private show(): void {
    const { hello, status } = this.studio;
    const commands = (name: string | undefined) => hello?.tasks.find((task) => task.name === name)?.command_names.join();
    const alike = hello?.tasks.filter(({ name }) => commands(name) === commands(status?.task)) ?? [];
    this.toggle.hidden = alike.length < 2;
    this.toggle.setAttribute("aria-pressed", String(this.compared.length > 0));
    const labels = labelsOf(this.compared);
    while (this.element.childElementCount > labels.length) this.element.lastElementChild!.remove();
    while (this.element.childElementCount < labels.length) this.element.append(make("span", { class: "method" }));
    labels.forEach((label, i) => {
      const made = this.element.children[i];
      setText(made, label);
      made.classList.toggle("selected", i === status?.selected);
    });
  }

  /** Move the labels over the heads. */
  private place(): void {
    const { hello, shown } = this.studio;
    if (!this.compared.length || !hello || !shown) return;
    const neck = hello.parts.find(({ name }) => name === "neck")?.joint ?? 0;
    const present = shown.states.length / Int32Array.BYTES_PER_ELEMENT === this.compared.length;
    for (const [i, made] of [...this.element.children].entries()) {
      const { x, y } = this.view.screenOf(i, neck, OVER_NECK);
      (made as HTMLElement).hidden = !present;
      (made as HTMLElement).style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -100%)`;
    }
  }
}

/** Return the methods of controllers, from names such as "velocity (graph)"; the names themselves if methods repeat. */
function labelsOf(names: string[]): string[] {
  const methods = names.map((name) => /\((.+)\)/.exec(name)?.[1] ?? "field");
  return new Set(methods).size === names.length ? methods : names;
}
