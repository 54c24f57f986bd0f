// What was found, in words: cost and bound of the search and of the motion, and what limits it.

import { make, setText } from "../ui/dom";
import type { Planner } from "./planner";
import { SearchPlot } from "./search_plot";

export class Report {
  readonly element: HTMLElement;
  private readonly plot = new SearchPlot();
  private readonly summary = make("p", { id: "summary" });
  private readonly limits = make("p", { id: "limits", role: "status" });

  constructor(private readonly planner: Planner) {
    const texts = make("div", { class: "texts" }, this.summary, this.limits);
    this.element = make("div", { class: "report" }, this.plot.element, texts);
    planner.on("searching", () => this.show());
    planner.on("motions", () => this.show());
    this.show();
  }

  private show(): void {
    const { planner } = this;
    this.plot.element.toggleAttribute("hidden", !planner.moments.length);
    this.plot.show(planner.moments);
    setText(this.summary, this.words());
    const texts = planner.refused ? [planner.refused] : (planner.shown?.motion.limits ?? []);
    setText(this.limits, texts.map(sentence).join(" "));
    this.limits.classList.toggle("refused", planner.refused !== null);
  }

  private words(): string {
    const { working, searching, shown, document, motions, rank } = this.planner;
    if (this.planner.refused) return "No motion.";
    const first = motions.length === 0 || motions[0].motion.revision !== searching?.revision;
    if (working && document.strokes.length) return "Looking for a motion that follows the strokes\u2026";
    if (working && searching && first) {
      const { cost, bound, expanded } = searching;
      const found = cost === null ? "no motion yet" : `cost ${cost.toFixed(2)} s`;
      return `Searching: ${found}, lower bound ${bound.toFixed(2)} s, ${expanded.toLocaleString("en")} states.`;
    }
    if (!shown) return working ? "Searching\u2026" : "";
    const { cost, bound, step_count, clearance, fits } = shown.motion;
    const seconds = `${this.planner.seconds.toFixed(1)} s, ${step_count} steps`;
    if (bound === null) {
      const near = fits.map(({ joint, mean }) => `${joint} ${(100 * mean).toFixed(1)} cm`).join(", ");
      return `${seconds}. Mean distance from the stroke: ${near}.`;
    }
    const ratio = cost / Math.max(bound, 1e-9);
    const proof = ratio <= 1.0005 ? "the cheapest" : `within ${(100 * (ratio - 1)).toFixed(1)} % of the cheapest`;
    const which = motions.length > 1 ? `Route ${rank + 1} of ${motions.length}: ` : "";
    const costs = `cost ${cost.toFixed(2)} s, lower bound ${bound.toFixed(2)} s (${proof})`;
    return `${which}${seconds}, ${costs}, clearance ${clearance.toFixed(2)} m.`;
  }
}

/** Return a text that begins with a capital letter and ends with a full stop. */
function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
