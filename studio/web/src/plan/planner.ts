// State of the page: what was drawn, the search, the motions that were found, and which moment of them is displayed.

import { Connection, type Link } from "../connection";
import { Emitter } from "../events";
import { VERSION } from "../messages";
import type { FromPlanner, Planned, PlanScene, Preparing, Searching, ToPlanner } from "../messages";
import { wayOf } from "../motions/bodies";
import type { Spot } from "../motions/place_mark";
import { readPose, type Pose } from "../scene/pose";
import { Versions } from "../versions";
import type { Box } from "../motions/room";
import { PlanDocument, type StrokeEntry } from "./document";
import { respliced, stretchOf, withStroke } from "./splicing";

export const PLANS = 3; // cheapest and alternatives
const ROOT_STEP = 0.2; // seconds between the points of a motion that strokes are added to

export type Tool = "none" | "goal" | "via" | "box" | "path" | "stroke" | "redraw";

export interface Shown {
  motion: Planned;
  pose: Pose; // [frame] in place of characters
}

/** One moment of a search. */
export interface Moment {
  seconds: number;
  cost: number | null;
  bound: number;
}

export interface Events {
  link: Link;
  preparing: Preparing;
  scene: PlanScene;
  document: void;
  motions: void; // others have come, or another one is selected
  searching: void;
  time: void;
  tool: void;
}

export class Planner extends Emitter<Events> {
  link: Link = "connecting";
  preparing: Preparing | null = null;
  scene: PlanScene | null = null;
  readonly document = new PlanDocument();
  motions: Shown[] = [];
  rank = 0; // of the selected motion
  ghosts = true; // whether the other motions are displayed
  working = false;
  searching: Searching | null = null; // newest report of the search
  moments: Moment[] = []; // of the search for the cheapest motion
  refused: string | null = null; // why there is no motion
  time = 0; // seconds, displayed
  playing = false;
  tool: Tool = "none";
  joint = 0; // that strokes are drawn for
  within = 1; // seconds to search
  selected: Spot | Box | null = null;

  private readonly connection: Connection<FromPlanner, ToPlanner>;
  private readonly versions = new Versions();
  private revision = 0;

  constructor() {
    super();
    this.connection = new Connection(
      (message) => this.receive(message),
      (link) => {
        this.link = link;
        this.emit("link", link);
      },
    );
  }

  get shown(): Shown | null {
    return this.motions[Math.min(this.rank, this.motions.length - 1)] ?? null;
  }

  /** Length of the displayed motion, seconds. */
  get seconds(): number {
    return this.shown ? (this.shown.pose.count - 1) * this.scene!.frame_time : 0;
  }

  /** Display the document as the user has changed it, and look for a motion. */
  changed(): void {
    if (this.versions.change(this.document.write())) this.request();
    this.emit("document", undefined);
  }

  undo(): void {
    const text = this.versions.back();
    if (!text) return;
    this.document.read(text);
    this.select(null);
    this.request();
  }

  setTool(tool: Tool): void {
    this.tool = tool;
    if (tool !== "none") this.play(false);
    this.emit("tool", undefined);
  }

  setJoint(joint: number): void {
    this.joint = joint;
    this.emit("tool", undefined);
  }

  setWithin(seconds: number): void {
    this.within = seconds;
    this.request();
  }

  setGhosts(ghosts: boolean): void {
    this.ghosts = ghosts;
    this.emit("motions", undefined);
  }

  select(thing: Spot | Box | null): void {
    this.selected = thing;
    this.emit("document", undefined);
  }

  removeSelected(): void {
    if (!this.selected) return;
    this.document.remove(this.selected);
    this.selected = null;
    this.changed();
  }

  choose(rank: number): void {
    this.rank = Math.min(rank, Math.max(this.motions.length - 1, 0));
    this.show(this.time);
    this.emit("motions", undefined);
  }

  show(seconds: number): void {
    this.time = Math.min(Math.max(seconds, 0), this.seconds);
    this.emit("time", undefined);
  }

  play(playing: boolean): void {
    this.playing = playing && this.shown !== null;
    this.emit("time", undefined);
  }

  /** Follow a path over the ground. */
  drawPath(points: [number, number][]): void {
    this.document.strokes = [{ points_m: points }];
    this.changed();
  }

  /** Let a joint follow a stroke from the displayed time on; the rest of the motion stays about as it is. */
  drawStroke(stroke: StrokeEntry): void {
    const shift = this.shown ? this.time : 0;
    const added = { ...stroke, times_s: stroke.times_s!.map((time) => time + shift) };
    this.document.strokes = withStroke(this.timedStrokes(added.times_s.at(-1)!), added);
    this.changed();
  }

  /** Replace the part of the displayed motion between the ends of a path that is drawn over it. */
  redraw(points: [number, number][]): void {
    const { shown, document } = this;
    if (!shown) return;
    if (document.strokes.length) {
      const path = document.strokes.find((stroke) => !stroke.joint);
      if (path) this.drawPath(respliced(path, points).points_m as [number, number][]);
      return;
    }
    const { begin, end, through } = stretchOf(wayOf(shown.pose), points);
    const { frame_time } = this.scene!;
    this.versions.keep();
    this.begin();
    this.connection.send({
      type: "redraw",
      revision: this.revision,
      room: document.roomText(),
      number: shown.motion.number,
      begin: begin * frame_time,
      end: end * frame_time,
      through,
      within: this.within,
    });
  }

  /** Forget the strokes, and plan to the goal again. */
  clearStrokes(): void {
    this.document.strokes = [];
    this.changed();
  }

  /** Return the strokes with the times of the displayed motion, or its way over the ground up to `end` if there are none. */
  private timedStrokes(end: number): StrokeEntry[] {
    const { shown } = this;
    if (!shown) return [];
    if (shown.motion.strokes) return (JSON.parse(shown.motion.strokes) as { strokes: StrokeEntry[] }).strokes;
    const { frame_time } = this.scene!;
    const way = wayOf(shown.pose);
    const stride = Math.max(1, Math.round(ROOT_STEP / frame_time));
    const frames = way.map((_, i) => i).filter((i) => i % stride === 0 || i === way.length - 1);
    const path = { points_m: frames.map((i) => [...way[i]]), times_s: frames.map((i) => i * frame_time) };
    if (end > path.times_s.at(-1)!) {
      path.points_m.push([...way.at(-1)!]);
      path.times_s.push(end);
    }
    return [path];
  }

  private begin(): void {
    this.revision += 1;
    this.working = true;
    this.searching = null;
    this.refused = null;
    this.moments = [];
    this.emit("searching", undefined);
  }

  private request(): void {
    if (!this.scene) return;
    this.begin();
    const { document, revision, within } = this;
    const room = document.roomText();
    if (document.strokes.length) {
      this.connection.send({ type: "draw", revision, room, strokes: document.strokesText() });
      return;
    }
    const { start, goal, through } = document;
    this.connection.send({
      type: "planto",
      revision,
      room,
      start: [start.x_m, start.z_m],
      start_facing: radians(start.heading_deg ?? 0),
      to: [goal.x_m, goal.z_m],
      facing: goal.heading_deg === undefined ? null : radians(goal.heading_deg),
      through: through.map((spot) => [spot.x_m, spot.z_m]),
      within,
      count: PLANS,
    });
  }

  private receive(message: FromPlanner): void {
    switch (message.type) {
      case "preparing":
        this.preparing = message;
        return this.emit("preparing", message);
      case "planscene":
        return this.start(message);
      case "searching":
        if (message.revision !== this.revision) return;
        this.searching = message;
        if (message.rank === 0) this.moments.push(message);
        return this.emit("searching", undefined);
      case "planned":
        if (message.revision === this.revision) this.receiveMotion(message);
        return;
      case "finished":
        if (message.revision !== this.revision) return;
        this.working = false;
        return this.emit("searching", undefined);
      case "refused":
        this.working = false;
        this.refused = message.reason;
        this.motions = [];
        this.play(false);
        this.emit("motions", undefined);
        return this.emit("searching", undefined);
    }
  }

  private start(scene: PlanScene): void {
    if (scene.version !== VERSION) location.reload();
    this.preparing = null;
    const first = this.scene === null;
    this.scene = scene;
    if (first) {
      this.document.room = JSON.parse(scene.room);
      [this.document.start.x_m, this.document.start.z_m] = scene.start;
      [this.document.goal.x_m, this.document.goal.z_m] = scene.goal;
      this.joint = scene.drawable[2] ?? 0;
      this.versions.begin(this.document.write());
    }
    this.emit("scene", scene);
    this.emit("document", undefined);
    this.request();
  }

  private receiveMotion(motion: Planned): void {
    const shown = { motion, pose: readPose(motion) };
    if (motion.rank === 0) {
      this.motions = [shown];
      this.rank = 0;
      if (motion.bound !== null) {
        const seconds = (this.moments.at(-1)?.seconds ?? 0) + 1e-3;
        this.moments.push({ seconds, cost: motion.cost, bound: motion.bound });
      }
      this.show(this.time);
    } else this.motions.push(shown);
    this.emit("motions", undefined);
    this.emit("searching", undefined);
  }
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
