// A notice of what the character cannot do with its data, from a survey; it opens to a list, and can be dismissed.

import type { Finding } from "../messages";
import type { Studio } from "../studio";
import { button, make } from "./dom";
import { icon } from "./icons";
import { recall, remember } from "./memory";

export class Findings {
  readonly element = make("section", { id: "findings", class: "panel", "aria-label": "Findings about the data" });
  private shown = "";

  constructor(studio: Studio) {
    this.element.hidden = true;
    studio.on("hello", ({ findings }) => this.show(findings));
  }

  private show(findings: Finding[]): void {
    const texts = findings.map(({ text }) => text).join("\n");
    if (texts === this.shown) return; // the message came again for another reason: an opened list stays open
    this.shown = texts;
    this.element.hidden = findings.length === 0 || recall("findings") === texts;
    const count = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
    const list = make("ul", {}, ...findings.map(({ text, advice }) => make("li", {}, text, make("small", {}, advice))));
    const summary = make("summary", {}, `${count} about the data`, icon("chevron"));
    const dismiss = button({ id: "findings-close", title: "Dismiss these findings", icon: "close" }, () => {
      remember("findings", texts);
      this.element.hidden = true;
    });
    this.element.replaceChildren(make("details", {}, summary, list), dismiss);
  }
}
