// The timeline that the user paints: labels, places, a path, poses. Reads and writes the JSON of timeline files.

export const SNAP = 0.1; // seconds
export const PACE = 1.2; // m/s, at which a newly drawn path is followed

export type Brush = "want" | "avoid" | "erase";

export interface LabelGoal {
  label: string;
  start_s: number;
  end_s: number;
  wanted?: boolean;
  weight?: number;
  hard?: boolean;
}

export interface Place {
  time_s: number;
  x_m: number;
  z_m: number;
  heading_deg?: number;
}

export interface PathLine {
  points_m: [number, number][];
  start_s: number;
  end_s: number;
}

export interface Pin {
  time_s: number;
  take: string;
  take_s: number;
  weight?: number;
}

/** A goal at one time. */
export type Moment = Place | Pin;

interface File {
  timeline: number;
  seconds: number;
  labels?: LabelGoal[];
  places?: Place[];
  path?: PathLine;
  poses?: Pin[];
  loop?: boolean;
}

export class TimelineDocument {
  seconds = 20;
  rows: string[] = []; // labels that have a row, in order
  labels: LabelGoal[] = [];
  places: Place[] = [];
  path: PathLine | null = null;
  poses: Pin[] = [];
  loop = false;
  private rest: Partial<File> = {}; // parts of a file that the page does not edit

  /** Take over the timeline of a file; rows that are there stay. */
  read(text: string): void {
    const { timeline, seconds, labels, places, path, poses, loop, ...rest } = JSON.parse(text) as File;
    this.seconds = seconds;
    this.labels = labels ?? [];
    this.places = places ?? [];
    this.path = path ?? null;
    this.poses = poses ?? [];
    this.loop = loop ?? false;
    this.rest = rest;
    for (const { label } of this.labels) this.addRow(label);
  }

  write(): string {
    const { seconds, labels, places, path, poses, loop, rest } = this;
    const file: File = { timeline: 1, seconds, ...rest };
    if (labels.length) file.labels = labels;
    if (places.length) file.places = places;
    if (path) file.path = path;
    if (poses.length) file.poses = poses;
    if (loop) file.loop = true;
    return JSON.stringify(file, null, 2);
  }

  addRow(label: string): void {
    if (!this.rows.includes(label)) this.rows.push(label);
  }

  removeRow(label: string): void {
    this.rows = this.rows.filter((row) => row !== label);
    this.labels = this.labels.filter((goal) => goal.label !== label);
  }

  /** Paint a row from `start` to `end` seconds over what is there. */
  paint(label: string, start: number, end: number, brush: Brush): void {
    const kept: LabelGoal[] = [];
    for (const goal of this.labels) {
      if (goal.label !== label || goal.end_s <= start || goal.start_s >= end) kept.push(goal);
      else {
        if (goal.start_s < start) kept.push({ ...goal, end_s: start });
        if (goal.end_s > end) kept.push({ ...goal, start_s: end });
      }
    }
    if (brush !== "erase") kept.push(...this.joined(kept, label, start, end, brush === "want"));
    this.labels = kept.sort((one, other) => one.start_s - other.start_s);
  }

  /** Change the length; goals beyond the end are shortened or dropped. */
  setSeconds(seconds: number): void {
    this.seconds = seconds;
    this.labels = this.labels.filter((goal) => goal.start_s < seconds);
    for (const goal of this.labels) goal.end_s = Math.min(goal.end_s, seconds);
    this.places = this.places.filter((place) => place.time_s <= seconds);
    this.poses = this.poses.filter((pin) => pin.time_s <= seconds);
    if (this.path && this.path.start_s >= seconds) this.path = null;
    if (this.path) this.path.end_s = Math.min(this.path.end_s, seconds);
  }

  /** Put a place at its time, in place of one that is there. */
  setPlace(place: Place): void {
    this.places = this.places.filter((one) => Math.abs(one.time_s - place.time_s) > SNAP / 2);
    this.places.push(place);
    this.loop = false; // a loop has no places
  }

  setPath(points: [number, number][], start: number): void {
    const [first, ...others] = points;
    let length = 0;
    let last = first;
    for (const point of others) {
      length += Math.hypot(point[0] - last[0], point[1] - last[1]);
      last = point;
    }
    const end = Math.min(snapped(start + length / PACE), this.seconds);
    this.path = { points_m: points, start_s: start, end_s: Math.max(end, start + 1) };
    this.loop = false;
  }

  remove(moment: Moment): void {
    this.places = this.places.filter((one) => one !== moment);
    this.poses = this.poses.filter((one) => one !== moment);
  }

  /** Return the painted stretch, joined with neighbours of the same kind, which are removed from `goals`. */
  private joined(goals: LabelGoal[], label: string, start: number, end: number, wanted: boolean): LabelGoal[] {
    const added: LabelGoal = { label, start_s: start, end_s: end, ...(wanted ? {} : { wanted: false }) };
    for (let i = goals.length - 1; i >= 0; i -= 1) {
      const goal = goals[i];
      const plain = goal.weight === undefined && !goal.hard;
      if (goal.label !== label || (goal.wanted ?? true) !== wanted || !plain) continue;
      if (goal.end_s !== start && goal.start_s !== end) continue;
      added.start_s = Math.min(added.start_s, goal.start_s);
      added.end_s = Math.max(added.end_s, goal.end_s);
      goals.splice(i, 1);
    }
    return [added];
  }
}

/** Return a time on the grid of the timeline. */
export function snapped(seconds: number): number {
  return Number((Math.round(seconds / SNAP) * SNAP).toFixed(3));
}
