// State of the page: the timeline, the motions that were composed for it, and which moment of them is displayed.

import { Connection, type Link } from "../connection";
import { Emitter } from "../events";
import { VERSION } from "../messages";
import type { FromComposer, Motion, PieceInfo, Preparing, Scene, SourcePose, ToComposer, Working } from "../messages";
import { afterQuiet } from "../ui/dom";
import { readPose, type Pose } from "../scene/pose";
import { Versions } from "../versions";
import { TimelineDocument, type Brush, type Moment } from "./document";

export const MOTIONS = 3; // best and alternatives
const QUIET_MS = 120; // after a stroke, before the request
const FIRST_ROWS = 5;

export type Tool = "none" | "place" | "path";

export interface Composed {
  motion: Motion;
  pose: Pose; // [frame] in place of characters
}

export interface Events {
  link: Link;
  preparing: Preparing;
  scene: Scene;
  document: void;
  motions: void; // others have come, or another one is selected
  working: void;
  time: void;
  selection: void; // of a piece or a goal
  tool: void;
  sourcepose: SourcePose | null;
  refused: string;
}

export class Composer extends Emitter<Events> {
  link: Link = "connecting";
  preparing: Preparing | null = null;
  scene: Scene | null = null;
  readonly document = new TimelineDocument();
  motions: Composed[] = [];
  rank = 0; // of the selected motion
  compare = false; // whether all motions are displayed
  working: Working | null = null;
  time = 0; // seconds, displayed
  playing = false;
  brush: Brush = "want";
  tool: Tool = "none";
  forced = false;
  piece: PieceInfo | null = null; // selected
  moment: Moment | null = null; // selected
  tookSeconds = 0; // from the last stroke to its motion

  private readonly connection: Connection<FromComposer, ToComposer>;
  private readonly versions = new Versions();
  private revision = 0;
  private changedAt = 0;
  private readonly requestSoon = afterQuiet(QUIET_MS, () => this.request());

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

  get selected(): Composed | null {
    return this.motions[Math.min(this.rank, this.motions.length - 1)] ?? null;
  }

  /** Length of the displayed motion, seconds. */
  get seconds(): number {
    return this.document.seconds;
  }

  /** Display the document as the user has changed it, and compose it. */
  changed(): void {
    if (this.versions.change(this.document.write())) {
      this.changedAt = performance.now();
      this.requestSoon();
    }
    this.time = Math.min(this.time, this.seconds);
    this.emit("document", undefined);
  }

  undo(): void {
    const text = this.versions.back();
    if (!text) return;
    this.document.read(text);
    this.select(null, null);
    this.changedAt = performance.now();
    this.requestSoon();
    this.emit("document", undefined);
  }

  /** Compose the document again, after answers or with another setting. */
  again(): void {
    this.changedAt = performance.now();
    this.request();
  }

  choose(rank: number): void {
    this.rank = rank;
    this.piece = null;
    this.emit("selection", undefined);
    this.emit("motions", undefined);
  }

  select(piece: PieceInfo | null, moment: Moment | null): void {
    this.piece = piece;
    this.moment = moment;
    this.emit("selection", undefined);
  }

  setTool(tool: Tool): void {
    this.tool = tool;
    if (tool !== "none") this.playing = false;
    this.emit("tool", undefined);
    this.emit("time", undefined);
  }

  show(seconds: number): void {
    this.time = Math.min(Math.max(seconds, 0), this.seconds);
    this.emit("time", undefined);
  }

  play(playing: boolean): void {
    this.playing = playing;
    this.emit("time", undefined);
  }

  setCompare(compare: boolean): void {
    this.compare = compare;
    this.emit("motions", undefined);
  }

  /** Say whether the selected piece is right to show a label, and compose again. */
  judge(label: string, right: boolean): void {
    const { piece, selected } = this;
    if (!piece || !selected) return;
    const { start, end } = piece;
    this.connection.send({ type: "judge", number: selected.motion.number, start, end, label, right });
    this.again();
  }

  /** Show the pose of a source frame as a ghost; null hides it. */
  peek(take: string | null, time = 0): void {
    if (take === null) this.emit("sourcepose", null);
    else this.connection.send({ type: "peek", take, time });
  }

  private request(): void {
    this.revision += 1;
    const { revision, forced } = this;
    this.working = { type: "working", revision, doing: "searching", share: 0 };
    this.emit("working", undefined);
    this.connection.send({ type: "compose", revision, timeline: this.versions.text, count: MOTIONS, forced });
  }

  private receive(message: FromComposer): void {
    switch (message.type) {
      case "preparing":
        this.preparing = message;
        return this.emit("preparing", message);
      case "scene":
        return this.begin(message);
      case "working":
        if (message.revision !== this.revision) return;
        this.working = message.doing === "done" ? null : message;
        return this.emit("working", undefined);
      case "motion":
        return this.receiveMotion(message);
      case "sourcepose":
        return this.emit("sourcepose", message);
      case "refused":
        this.working = null;
        this.emit("working", undefined);
        return this.emit("refused", message.reason);
    }
  }

  private begin(scene: Scene): void {
    if (scene.version !== VERSION) location.reload();
    this.preparing = null;
    const first = this.scene === null;
    this.scene = scene;
    if (first) {
      this.document.read(scene.timeline);
      const longest = [...scene.labels].sort((one, other) => other.seconds - one.seconds);
      for (const { name } of longest.slice(0, FIRST_ROWS))
        if (this.document.rows.length < FIRST_ROWS) this.document.addRow(name);
      this.versions.begin(this.document.write());
    }
    this.emit("scene", scene);
    this.emit("document", undefined);
    this.again();
  }

  private receiveMotion(motion: Motion): void {
    if (motion.revision !== this.revision) return;
    const composed = { motion, pose: readPose(motion) };
    if (motion.rank === 0) {
      this.motions = [composed];
      this.tookSeconds = (performance.now() - this.changedAt) / 1000;
      this.piece = null;
      this.emit("selection", undefined);
    } else this.motions.push(composed);
    this.emit("motions", undefined);
  }
}
