// Polar plot of the state value over the goal direction: facing is up, left is left, higher values are farther out.

import type { Reasons } from "../messages";
import { make, setText } from "./dom";
import { makeSvg } from "./svg";
import { degrees, fixed } from "./format";

const OUTER = 68;
const INNER = 14; // radius of the lowest value, so that its angle remains visible

export class PolarPlot {
  readonly element: HTMLElement;
  private readonly shape = makeSvg("path", { class: "polar-shape" });
  private readonly best = makeSvg("circle", { class: "polar-best", r: 3.5 });
  private readonly wanted = makeSvg("path", { class: "polar-wanted" });
  private readonly wantedText = make("b", { class: "number" });
  private readonly bestText = make("b", { class: "number" });
  private readonly rangeText = make("b", { class: "number" });

  constructor() {
    const svg = makeSvg("svg", { class: "polar", viewBox: "-106 -92 212 166", role: "img" });
    svg.setAttribute("aria-label", "Value of this state for goals in all directions");
    for (const radius of [INNER, (INNER + OUTER) / 2, OUTER])
      svg.append(makeSvg("circle", { class: "polar-ring", r: radius }));
    for (let turn = 0; turn < 12; turn++) {
      const angle = (turn * Math.PI) / 6;
      svg.append(makeSvg("path", { class: "polar-ring", d: `M${point(angle, OUTER - 3)}L${point(angle, OUTER)}` }));
    }
    svg.append(
      label("facing", 0, -OUTER - 14),
      label("left", -OUTER - 13, 4, "end"),
      label("right", OUTER + 13, 4, "start"),
    );
    svg.append(
      this.shape,
      makeSvg("path", { class: "polar-facing", d: "M0 7V-7M-4 -3 0 -7 4 -3" }),
      this.wanted,
      this.best,
    );
    const legend = make("dl", { class: "polar-legend" });
    legend.append(make("dt", { class: "key-wanted" }, "Goal"), make("dd", {}, this.wantedText));
    legend.append(make("dt", { class: "key-best" }, "Best"), make("dd", {}, this.bestText));
    legend.append(make("dt", {}, "Values"), make("dd", {}, this.rangeText));
    this.element = make("div", { class: "polar-box" }, svg, legend);
  }

  show(reasons: Reasons): void {
    const { headings, values } = reasons;
    this.element.hidden = values.length === 0; // a task without a direction
    if (!values.length) return;
    const low = Math.min(...values);
    const high = Math.max(...values);
    const radius = (value: number): number =>
      INNER + (high > low ? (value - low) / (high - low) : 0.5) * (OUTER - INNER);
    this.shape.setAttribute("d", `M${headings.map((heading, i) => point(heading, radius(values[i]))).join("L")}Z`);
    const best = values.indexOf(high);
    const [x, y] = point(headings[best], OUTER).split(" ");
    this.best.setAttribute("cx", x);
    this.best.setAttribute("cy", y);
    setText(this.bestText, `${degrees(headings[best])}\u00b0`);
    setText(this.rangeText, `${fixed(low, 2)} \u2026 ${fixed(high, 2)}`);
    const wanted = reasons.param_names[0] === "angle" ? reasons.params[0] : null;
    this.wanted.style.visibility = wanted === null ? "hidden" : "visible";
    setText(this.wantedText, wanted === null ? "\u2013" : `${degrees(wanted)}\u00b0`);
    if (wanted === null) return;
    const head = [point(wanted - 0.09, OUTER + 9), point(wanted, OUTER), point(wanted + 0.09, OUTER + 9)];
    this.wanted.setAttribute("d", `M${point(wanted, INNER)}L${point(wanted, OUTER)}M${head.join("L")}Z`);
  }
}

/** Return the plot position for an angle to the left of the facing. */
function point(angle: number, radius: number): string {
  return `${(-radius * Math.sin(angle)).toFixed(2)} ${(-radius * Math.cos(angle)).toFixed(2)}`;
}

function label(text: string, x: number, y: number, anchor = "middle"): SVGElement {
  const element = makeSvg("text", { class: "polar-label", x, y, "text-anchor": anchor });
  element.textContent = text;
  return element;
}
