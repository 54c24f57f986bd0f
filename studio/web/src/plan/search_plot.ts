// Plot of a search: cost of the best motion and proven bound over the seconds of the search.

import { makeSvg } from "../ui/svg";
import type { Moment } from "./planner";

const [WIDTH, HEIGHT, EDGE] = [220, 52, 3]; // of the drawing; it is stretched to its place

export class SearchPlot {
  readonly element = makeSvg("svg", {
    id: "search-plot",
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": "Cost and bound of the search over time",
  });
  private readonly gap = makeSvg("path", { class: "gap" });
  private readonly cost = makeSvg("path", { class: "cost" });
  private readonly bound = makeSvg("path", { class: "bound" });

  constructor() {
    this.element.append(this.gap, this.bound, this.cost);
  }

  show(moments: Moment[]): void {
    const known = moments.filter((moment) => moment.cost !== null) as { seconds: number; cost: number; bound: number }[];
    const last = Math.max(moments.at(-1)?.seconds ?? 0, 1e-3);
    const high = Math.max(...known.map((moment) => moment.cost), ...moments.map((moment) => moment.bound), 1e-3);
    const low = Math.min(...moments.map((moment) => moment.bound), high);
    const x = (seconds: number): number => (seconds / last) * WIDTH;
    const y = (value: number): number => HEIGHT - EDGE - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE);
    const costs = known.map(({ seconds, cost }): [number, number] => [x(seconds), y(cost)]);
    const bounds = moments.map(({ seconds, bound }): [number, number] => [x(seconds), y(bound)]);
    this.cost.setAttribute("d", stairs(costs, WIDTH));
    this.bound.setAttribute("d", stairs(bounds, WIDTH));
    const under = known.map(({ seconds, bound }): [number, number] => [x(seconds), y(bound)]);
    const back = stairs(under, WIDTH).slice(1).split("L").reverse().join("L");
    this.gap.setAttribute("d", costs.length ? `${stairs(costs, WIDTH)}L${back}Z` : "");
  }
}

/** Return a path that keeps each value until the next one, up to `end`. */
function stairs(points: [number, number][], end: number): string {
  if (!points.length) return "";
  const parts = points.flatMap(([x, y], i) => (i ? [`${x} ${points[i - 1][1]}`, `${x} ${y}`] : [`${x} ${y}`]));
  return `M${[...parts, `${end} ${points.at(-1)![1]}`].join("L")}`;
}
