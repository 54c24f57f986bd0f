// The tables of the Why? panel: available actions and nearest database states.

import type { Action, ClipInfo, Neighbor } from "../messages";
import { placeInClip, swatch } from "./clips";
import { make } from "./dom";
import { fixed } from "./format";
import { icon } from "./icons";

const MIRROR = ".mirror"; // suffix of mirror images, shown as a symbol because names are long

export interface Table {
  element: HTMLElement;
  body: HTMLTableSectionElement;
}

export function makeTable(id: string, columns: [name: string, about: string][]): Table {
  const heads = columns.map(([name, about]) => make("th", { scope: "col", title: about }, name));
  const body = make("tbody");
  const table = make("table", { id }, make("thead", {}, make("tr", {}, ...heads)), body);
  return { element: make("div", { class: "table-box", tabindex: "-1" }, table), body };
}

export const ACTION_COLUMNS: [string, string][] = [
  ["clip \u00b7 frame", "Captured frame that the character would follow"],
  ["reward", "Reward of the next frame"],
  ["cost", "Smoothness cost of the transition"],
  ["future", "Discounted value of the state it leads to"],
  ["score", "Reward \u2212 cost + future; the highest score wins"],
  ["behind", "Difference from the best score"],
];

export const NEIGHBOR_COLUMNS: [string, string][] = [
  ["clip \u00b7 frame", "Captured frame"],
  ["distance", "Distance relative to the median spacing of the data"],
  ["weight", "Similarity weight"],
];

export function actionRows(actions: Action[], clips: ClipInfo[]): HTMLTableRowElement[] {
  const best = actions[0]?.score ?? 0;
  const widest = Math.max(best - (actions.at(-1)?.score ?? best), 1e-9);
  return actions.map((action, rank) => {
    const behind = best - action.score;
    const row = make("tr", {
      "data-state": String(action.state),
      "data-variant": String(action.variant),
      "data-score": String(action.score),
    });
    if (rank === 0) row.classList.add("winner");
    row.append(clipCell(action.state, clips, action.variant === 1));
    row.append(numberCell(action.reward), numberCell(action.cost), numberCell(action.future), numberCell(action.score));
    const text = rank === 0 ? "best" : fixed(-behind, behind < 0.995 ? 3 : 2);
    row.append(barCell(text, behind / widest));
    return row;
  });
}

export function neighborRows(neighbors: Neighbor[], clips: ClipInfo[]): HTMLTableRowElement[] {
  const heaviest = Math.max(...neighbors.map((neighbor) => neighbor.weight), 1e-9);
  return neighbors.map((neighbor) => {
    const row = make("tr", { "data-state": String(neighbor.state), "data-weight": String(neighbor.weight) });
    row.append(clipCell(neighbor.state, clips, false), numberCell(neighbor.distance));
    row.append(barCell(`${fixed(100 * neighbor.weight, 1)} %`, neighbor.weight / heaviest));
    return row;
  });
}

function clipCell(row: number, clips: ClipInfo[], turned: boolean): HTMLTableCellElement {
  const place = placeInClip(clips, row);
  const name = place?.name ?? "?";
  const cell = make("td", { class: "clip-cell" });
  const mirrored = name.endsWith(MIRROR);
  const line = make("span", { class: "clip-line", title: `${name}, frame ${place?.frame ?? row}` }, swatch(name));
  line.append(make("span", { class: "clip-text" }, mirrored ? name.slice(0, -MIRROR.length) : name));
  if (mirrored) line.append(make("span", { class: "mirrored", title: "Mirror image" }, icon("mirror")));
  line.append(make("span", { class: "clip-frame" }, String(place?.frame ?? row)));
  if (turned) line.append(make("span", { class: "turn", title: "With an extra turn" }, icon("turn")));
  cell.append(line);
  return cell;
}

/** Return a cell with a number of about three digits; the tooltip shows five decimals. */
function numberCell(value: number): HTMLTableCellElement {
  const digits = Math.abs(value) < 9.995 ? 2 : Math.abs(value) < 99.95 ? 1 : 0;
  return make("td", { class: "number", title: fixed(value, 5) }, fixed(value, digits));
}

function barCell(text: string, share: number): HTMLTableCellElement {
  const bar = make("i", { class: "bar", style: `--share: ${Math.min(Math.max(share, 0), 1).toFixed(3)}` });
  return make("td", { class: "number bar-cell" }, make("span", {}, text), bar);
}
