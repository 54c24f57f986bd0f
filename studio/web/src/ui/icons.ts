// The icons: 20 by 20, one stroke width, the colour of the text around them.

import { makeSvg } from "./svg";

const PATHS = {
  play: "M6.5 4.2v11.6L15.8 10z",
  pause: "M6.5 4.5v11M13.5 4.5v11",
  stepBack: "M14.5 5v10L8 10zM5.5 5v10",
  stepOn: "M5.5 5v10l6.5-5zM14.5 5v10",
  download: "M10 3.5v8.5M6.2 8.6 10 12.4l3.8-3.8M4 16.2h12",
  follow: "M10 3.6a2.1 2.1 0 1 0 .01 0M6.2 16.4v-3.6a3.8 3.8 0 0 1 7.6 0v3.6",
  orbit: "M10 8a2 2 0 1 0 .01 0M16.5 12.5A7 7 0 1 1 16 6.4M16.5 3v3.7h-3.7",
  top: "M10 8a2 2 0 1 0 .01 0M3.5 7V3.5H7M13 3.5h3.5V7M16.5 13v3.5H13M7 16.5H3.5V13",
  sun: "M10 6.6a3.4 3.4 0 1 0 .01 0M10 2.2v1.6M10 16.2v1.6M2.2 10h1.6M16.2 10h1.6M4.5 4.5l1.1 1.1M14.4 14.4l1.1 1.1M4.5 15.5l1.1-1.1M14.4 5.6l1.1-1.1",
  moon: "M16.2 11.8A6.8 6.8 0 1 1 8.2 3.8a5.4 5.4 0 0 0 8 8z",
  help: "M7.3 7.4a2.7 2.7 0 1 1 4.3 2.2c-1 .7-1.6 1.2-1.6 2.4M10 15.2v.1",
  why: "M10 3.5v4M10 7.5 5 12v4.5M10 7.5l5 4.5v4.5M10 7.5v9",
  menu: "M3.5 6h13M3.5 10h13M3.5 14h13",
  close: "M5 5l10 10M15 5 5 15",
  chevron: "M5.5 7.8 10 12.3l4.5-4.5",
  mirror: "M10 3.5v13M7 6.5 3.5 13.5H7zM13 6.5l3.5 7H13z",
  undo: "M4.5 8.5h7a4 4 0 0 1 0 8H8M7.5 5.2 4.2 8.5l3.3 3.3",
  place: "M10 17c-3-3.6-4.6-6-4.6-8.4a4.6 4.6 0 0 1 9.2 0C14.6 11 13 13.400 10 17zM10 7.300a1.400 1.400 0 1 0 .01 0",
  path: "M4 16c0-4 3-3.500 6-6s2-6 6-6",
  pin: "M10 3a2 2 0 1 0 .01 0M10 7v5M5.500 9.200 10 8l4.500 1.200M7 17l3-5 3 5",
  loop: "M5 8.500a5 5 0 0 1 9-1.500M15 11.500a5 5 0 0 1-9 1.500M14.500 3.800V7.200H11M5.500 16.200v-3.400H9",
  check: "M4.500 10.500 8.500 14.500 15.500 6",
  compare: "M7 4a2 2 0 1 0 .01 0M13 4a2 2 0 1 0 .01 0M4.500 16v-4a2.500 2.500 0 0 1 5 0v4M10.500 16v-4a2.500 2.500 0 0 1 5 0v4",
  video: "M3.5 6h8.500v8H3.500zM12 9l4.500-2.500v7L12 11",
  film: "M3.500 5h13v10h-13zM6.500 5v10M13.500 5v10M3.500 8.300h3M3.500 11.700h3M13.500 8.300h3M13.500 11.700h3",
  link: "M8.200 11.800 11.800 8.200M9 6.500l1.800-1.800a3.200 3.200 0 0 1 4.500 4.500L13.500 11M11 13.500l-1.800 1.800a3.200 3.200 0 0 1-4.500-4.500L6.500 9",
  box: "M4 5.5h12v9H4z",
  disc: "M10 4a6 6 0 1 0 .01 0",
  wall: "M3.5 6h13v8h-13zM3.500 10h13M8 6v4M12.500 10v4",
  turn: "M15.5 12.5A5.7 5.7 0 1 0 10 15.7M15.8 7.6l-.3 4.9-4.6-1.5",
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGElement {
  const svg = makeSvg("svg", { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true" });
  svg.append(makeSvg("path", { d: PATHS[name] }));
  return svg;
}

/** Logo of the project: turning arrows of a field. */
export function mark(): SVGElement {
  const svg = makeSvg("svg", { class: "mark", viewBox: "0 0 20 20", "aria-hidden": "true" });
  svg.append(makeSvg("path", { d: "M3 16.5c0-6 2-10 7-13M8 17c0-4.5 1.5-7.5 5-9.8M13 17.3c0-3 1-5 3.3-6.6" }));
  svg.append(makeSvg("path", { d: "M6.8 3.3 10 3.5 9 6.5M10 6.7l3 .5-1.2 2.8", class: "mark-heads" }));
  return svg;
}
