// Helpers for panels: elements, buttons, segmented controls, and rate-limited functions.

import { icon, type IconName } from "./icons";

type Child = Node | string;

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Set the text only if it differs, since writing the same text again still costs a layout. */
export function setText(node: Node, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

export interface ButtonOptions {
  id: string;
  title: string; // what it does, and its key in brackets
  icon?: IconName;
  label?: string;
  class?: string;
}

export function button(options: ButtonOptions, onClick: () => void): HTMLButtonElement {
  const element = make("button", {
    id: options.id,
    type: "button",
    title: options.title,
    "aria-label": options.title,
    class: options.class ?? (options.label ? "button" : "button icon-only"),
  });
  if (options.icon) element.append(icon(options.icon));
  if (options.label) element.append(make("span", {}, options.label));
  element.addEventListener("click", onClick);
  return element;
}

export interface Choice {
  value: string;
  label: string;
  title: string;
  icon?: IconName; // in place of the label
}

/** A row of buttons, one of which is selected. */
export class Segmented {
  readonly element: HTMLElement;
  private buttons: HTMLButtonElement[] = [];
  private selected: string | null = null;

  constructor(
    private readonly id: string,
    label: string,
    private readonly onPick: (value: string) => void,
  ) {
    this.element = make("div", { id, class: "segmented", role: "group", "aria-label": label });
  }

  setChoices(choices: Choice[]): void {
    this.buttons = choices.map((choice) => {
      const look = choice.icon ? { icon: choice.icon } : { label: choice.label };
      const made = button({ id: `${this.id}-${choice.value}`, title: choice.title, class: "segment", ...look }, () =>
        this.onPick(choice.value),
      );
      made.dataset.value = choice.value;
      return made;
    });
    this.element.replaceChildren(...this.buttons);
    this.selected = null;
  }

  select(value: string): void {
    if (value === this.selected) return;
    this.selected = value;
    for (const made of this.buttons) made.setAttribute("aria-pressed", String(made.dataset.value === value));
  }
}

/** Return a function that calls `run` at most every `pause` ms: at once, or as soon as that time has passed. */
export function atMostEvery(pause: number, run: () => void): () => void {
  let last = -Infinity;
  let timer: number | null = null;
  const fire = (): void => {
    timer = null;
    last = performance.now();
    run();
  };
  return () => {
    if (timer !== null) return;
    const wait = last + pause - performance.now();
    if (wait <= 0) fire();
    else timer = window.setTimeout(fire, wait);
  };
}

/** Return a function that calls `run` once it has not been called for `pause` ms. */
export function afterQuiet(pause: number, run: () => void): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(run, pause);
  };
}
