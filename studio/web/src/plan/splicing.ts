// Drawing over a part of what is there: which times of a motion a drawn path replaces, and strokes with a part replaced.

import type { StrokeEntry } from "./document";

const SPACING = 0.7; // metres between the places that a redrawn path passes
const ENDS = 0.35; // metres of the ends of a redrawn path at which the motion is left and met again

type Point = [number, number];

/** The stretch of a motion that a drawn path replaces, in frames, and the places to pass in it. */
export interface Stretch {
  begin: number;
  end: number;
  through: Point[];
}

/** Return the stretch of `way` (one point each frame) between the frames nearest to the ends of `drawn`. */
export function stretchOf(way: Point[], drawn: Point[]): Stretch {
  const [first, last] = [nearest(way, drawn[0]), nearest(way, drawn.at(-1)!)];
  const along = first <= last ? drawn : [...drawn].reverse();
  return { begin: Math.min(first, last), end: Math.max(first, last), through: spaced(along) };
}

/** Return strokes in which the new one replaces what was drawn for its joint in its time. */
export function withStroke(strokes: StrokeEntry[], added: StrokeEntry): StrokeEntry[] {
  const times = added.times_s!;
  const [start, end] = [times[0], times.at(-1)!];
  const kept: StrokeEntry[] = [];
  for (const stroke of strokes) {
    const old = stroke.times_s;
    if (stroke.joint !== added.joint || !old || old.at(-1)! <= start || old[0] >= end) kept.push(stroke);
    else
      for (const part of [part_of(stroke, (time) => time < start), part_of(stroke, (time) => time > end)])
        if (part.points_m.length >= 2) kept.push(part);
  }
  return [...kept, added];
}

/** Return a ground stroke with the part between the points nearest to the ends of `drawn` replaced; times are free. */
export function respliced(stroke: StrokeEntry, drawn: Point[]): StrokeEntry {
  const points = stroke.points_m as Point[];
  const [first, last] = [nearest(points, drawn[0]), nearest(points, drawn.at(-1)!)];
  const along = first <= last ? drawn : [...drawn].reverse();
  const [low, high] = [Math.min(first, last), Math.max(first, last)];
  return { points_m: [...points.slice(0, low), ...along, ...points.slice(high + 1)] };
}

function part_of(stroke: StrokeEntry, keep: (time: number) => boolean): StrokeEntry {
  const chosen = (_: unknown, i: number): boolean => keep(stroke.times_s![i]);
  return { ...stroke, points_m: stroke.points_m.filter(chosen), times_s: stroke.times_s!.filter(chosen) };
}

function nearest(way: Point[], [x, z]: Point): number {
  const away = way.map(([a, b]) => Math.hypot(a - x, b - z));
  return away.indexOf(Math.min(...away));
}

/** Return places along a drawn path, some metres apart, without its ends. */
function spaced(points: Point[]): Point[] {
  const way = [0];
  for (let i = 1; i < points.length; i += 1)
    way.push(way[i - 1] + Math.hypot(points[i][0] - points[i - 1][0], points[i][1] - points[i - 1][1]));
  const inner = way.at(-1)! - 2 * ENDS;
  const count = Math.max(1, Math.min(30, Math.round(inner / SPACING)));
  return Array.from({ length: count }, (_, i) => {
    const at = count === 1 ? way.at(-1)! / 2 : ENDS + (inner * i) / (count - 1);
    return points[Math.max(0, way.findIndex((length) => length >= at))];
  });
}
