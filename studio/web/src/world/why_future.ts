// Part of the Why? panel: why the selected character follows this future, and not another.

import type { PlanReasons, PlanScore } from "../messages";
import type { Studio } from "../studio";
import { atMostEvery, make } from "../ui/dom";
import { fixed } from "../ui/format";
import { makeTable } from "../ui/why_tables";

const READABLE_MS = 250; // shortest time between text updates while the motion runs
const ROWS = 6;
const COLUMNS: [string, string][] = [
  ["plan", "Heading relative to the facing, and speed"],
  ["goal", "Seconds to the goal, or the cost of being away from it"],
  ["near", "Cost of coming near to obstacles and others, seconds"],
  ["hit", "Cost of collisions, seconds"],
  ["habit", "Cost of turning, changing speed and remaining standing, in seconds"],
  ["total", "Sum; the lowest wins"],
];
const CLEAR = 1.5; // metres; a larger gap is not worth a word

export class WhyFuture {
  readonly element: HTMLElement;
  private readonly sentence = make("p", { id: "why-future", class: "sentence" });
  private readonly table = makeTable("why-plans", COLUMNS);

  constructor(private readonly studio: Studio) {
    const title = make("h3", {}, "Why this future");
    this.element = make("div", { class: "why-future" }, title, this.sentence, this.table.element);
    this.element.hidden = true;
    const readably = atMostEvery(READABLE_MS, () => this.show());
    studio.on("plans", () => (studio.status?.paused ? this.show() : readably()));
    studio.on("world", () => this.show());
    studio.on("why", () => this.show());
  }

  private show(): void {
    const { plans, world, why } = this.studio;
    this.element.hidden = !world?.on || !plans;
    if (!why || !plans || !world?.on) return;
    this.element.dataset.number = String(plans.number);
    this.element.dataset.chosen = String(plans.chosen);
    this.sentence.replaceChildren(...inWords(plans));
    const order = plans.plans.map((_, i) => i).sort((a, b) => plans.plans[a].total - plans.plans[b].total);
    this.table.body.replaceChildren(...order.slice(0, ROWS).map((i) => row(plans.plans[i], i === plans.chosen)));
  }
}

function row(plan: PlanScore, chosen: boolean): HTMLTableRowElement {
  const made = make("tr", { "data-total": String(plan.total) });
  if (chosen) made.classList.add("winner");
  const habit = plan.turn + plan.change;
  const numbers = [plan.arrive, plan.near, plan.hit, habit, plan.total];
  const words = plan.speed === 0 ? "standing" : `${direction(plan)}, ${fixed(plan.speed, 2)} m/s`;
  made.append(make("td", {}, make("span", { class: "clip-text" }, words)));
  made.append(...numbers.map((value, i) => make("td", { class: i === 2 && value > 0 ? "number hit" : "number" }, fixed(value, 2))));
  return made;
}

/** Return the sentences about a decision: what it does, and why not what looks quickest. */
function inWords(reasons: PlanReasons): (Node | string)[] {
  const chosen = reasons.plans[reasons.chosen];
  const others = reasons.plans.filter((plan) => plan !== chosen && plan.arrive < chosen.arrive - 0.05);
  const quicker = others.sort((a, b) => a.arrive - b.arrive)[0];
  const does = chosen.speed === 0 ? "It stands" : `It goes ${direction(chosen)} at ${fixed(chosen.speed, 1)} m/s`;
  const parts: (Node | string)[] = [make("b", {}, does), `: ${gain(reasons, chosen)}${nearest(chosen)}.`];
  if (quicker) {
    const words = quicker.speed === 0 ? "Standing" : `Going ${direction(quicker)} at ${fixed(quicker.speed, 1)} m/s`;
    parts.push(` ${words} would ${reasons.goal === "reach" ? "be quicker" : "suit the goal better"}, but ${fault(quicker)}.`);
  }
  return parts;
}

function gain({ goal }: PlanReasons, { arrive, hit }: PlanScore): string {
  if (hit > 0) return "every plan comes too close to something; this one stays farthest away";
  if (goal === "reach" || goal === "through") return `it reaches its goal in ${fixed(arrive, 1)} s`;
  if (goal === "follow") return "that keeps its distance to the one it follows";
  return goal === "hold" ? "that keeps it at its goal" : "it has no goal, and keeps out of the way";
}

function nearest({ gap, when, blocker }: PlanScore): string {
  if (blocker === -3 || gap > CLEAR) return ", with nothing near";
  return `, and ${name(blocker)} comes nearest, ${fixed(Math.max(gap, 0), 2)} m beyond the margin after ${fixed(when, 1)} s`;
}

function fault({ hit, near, turn, change, blocker, when }: PlanScore): string {
  if (hit > 0) return `it would touch ${name(blocker)} after ${fixed(when, 1)} s`;
  if (near > turn + change) return `it passes close to ${name(blocker)} after ${fixed(when, 1)} s`;
  return turn > change ? "it turns more" : "it changes speed more";
}

function name(blocker: number): string {
  if (blocker >= 0) return `character ${blocker}`;
  return blocker === -2 ? "a moving obstacle" : "an obstacle";
}

function direction({ heading, speed }: PlanScore): string {
  if (speed === 0) return "standing";
  const degrees = Math.round((Math.abs(heading) * 180) / Math.PI);
  if (degrees < 3) return "straight on";
  return degrees > 175 ? "back" : `${degrees}\u00b0 ${heading > 0 ? "left" : "right"}`;
}
