// State of the page: the last messages, the frames of the last half minute, and which of them is displayed.
// The scene, the controls and the panels read it and listen to it; they do not depend on each other.

import { Connection, type Link, type Server } from "./connection";
import { Emitter } from "./events";
import { HISTORY_SECONDS, VERSION } from "./messages";
import type { Frame, FromClient, FromServer, Hello, Making, PlanReasons, Preparing, Reasons, Status, WorldState } from "./messages";

export interface Events {
  link: Link;
  preparing: Preparing;
  hello: Hello;
  status: Status;
  frame: Frame; // a new frame of the simulation
  shown: Frame; // the displayed frame: the newest, or a past one
  reasons: Reasons;
  world: WorldState;
  plans: PlanReasons; // the futures that the selected character compared
  making: Making;
  refused: string;
  why: boolean; // the panel was opened or closed
}

/** Starts a connection that calls back with messages and with changes of the link. */
export type Connect = (
  onMessage: (message: FromServer) => void,
  onLink: (link: Link) => void,
) => Server<FromClient>;

export class Studio extends Emitter<Events> {
  link: Link = "connecting";
  preparing: Preparing | null = null;
  hello: Hello | null = null;
  status: Status | null = null;
  shown: Frame | null = null;
  world: WorldState | null = null; // null on pages without worlds
  plans: PlanReasons | null = null; // of the selected character, for the displayed frame or one shortly before
  reasons: Reasons | null = null; // for the displayed frame, or the last one received before it
  readonly frames: Frame[] = []; // received frames, in order; with gaps if the connection was slow
  lookingAt: number | null = null; // number of the displayed past frame; null for the newest
  why = false; // whether the panel is open; reasons are requested only then

  private readonly connection: Server<FromClient>;
  private showsPlans = false; // whether the futures are displayed in the scene
  private askedPlan = false;
  private asked: number | null = null; // number of the frame whose reasons were requested
  private wanted: number | null = null; // number of the frame to request after the pending one arrives
  private looked: number | null = null;

  constructor(connect: Connect = (onMessage, onLink) => new Connection<FromServer, FromClient>(onMessage, onLink)) {
    super();
    this.connection = connect(
      (message) => this.receive(message),
      (link) => this.linked(link),
    );
  }

  send(message: FromClient): void {
    this.connection.send(message);
  }

  /** Display the past frame `number` and pause; null returns to the newest frame. */
  look(number: number | null): void {
    this.lookingAt = number;
    if (number === null) {
      const newest = this.frames.at(-1);
      if (newest) this.show(newest);
      return;
    }
    if (this.status && !this.status.paused) this.send({ type: "clock", paused: true, speed: this.status.speed });
    if (this.looked === null) this.fetch(number);
    else this.wanted = number; // one request at a time, so that dragging does not flood the connection
  }

  /** Pause or resume; resuming returns to the newest frame. */
  pause(paused: boolean): void {
    if (!paused && this.lookingAt !== null) this.look(null);
    this.send({ type: "clock", paused, speed: this.status?.speed ?? 1 });
  }

  openWhy(open: boolean): void {
    this.why = open;
    this.emit("why", open);
    this.ask();
    this.askPlan();
  }

  /** Set whether the futures of the selected character are displayed in the scene. */
  showPlans(shown: boolean): void {
    this.showsPlans = shown;
    this.askPlan();
  }

  private linked(link: Link): void {
    this.link = link;
    this.askedPlan = false;
    this.asked = this.looked = this.wanted = this.lookingAt = null;
    this.emit("link", link);
  }

  private receive(message: FromServer): void {
    switch (message.type) {
      case "preparing":
        this.preparing = message;
        return this.emit("preparing", message);
      case "hello":
        if (message.version !== VERSION) location.reload();
        this.preparing = null;
        if (this.hello && this.hello.joint_names.join() !== message.joint_names.join()) this.forget();
        this.hello = message;
        return this.emit("hello", message);
      case "status":
        this.status = message;
        this.emit("status", message);
        return this.ask(); // another character may have been selected
      case "frame":
        return this.receiveFrame(message);
      case "reasons":
        this.asked = null;
        this.reasons = message;
        this.emit("reasons", message);
        return this.ask();
      case "worldstate":
        this.world = message;
        if (!message.on) this.plans = null;
        return this.emit("world", message);
      case "planreasons":
        this.askedPlan = false;
        this.plans = message;
        this.emit("plans", message);
        return this.askPlan();
      case "making":
        return this.emit("making", message);
      case "refused":
        this.asked = null;
        this.askedPlan = false;
        return this.emit("refused", message.reason);
    }
  }

  /** Forget the frames of another character. */
  private forget(): void {
    this.frames.length = 0;
    this.plans = null;
    this.shown = this.reasons = this.lookingAt = this.asked = this.looked = this.wanted = null;
  }

  private receiveFrame(frame: Frame): void {
    const newest = this.frames.at(-1);
    if (this.looked !== null && newest && frame.number <= newest.number) {
      this.looked = null;
      if (this.wanted !== null) this.fetch(this.wanted);
      if (this.lookingAt !== null) this.show(frame);
      return;
    }
    if (newest?.number === frame.number) this.frames.pop(); // sent again after a reconnection
    else if (newest && frame.number < newest.number) this.frames.length = 0; // the server was restarted
    this.frames.push(frame);
    const length = Math.round(HISTORY_SECONDS / (this.hello?.frame_time ?? 1 / 30));
    while (this.frames.length && this.frames[0].number <= frame.number - length) this.frames.shift();
    if (this.status) {
      // The server sends a status only when something else in it changes.
      if (this.status.taking) this.status.taken += Math.max(frame.number - this.status.newest, 0);
      this.status.newest = frame.number;
      this.status.oldest = Math.max(this.status.oldest, frame.number - length + 1);
    }
    this.emit("frame", frame);
    if (this.lookingAt === null) this.show(frame);
  }

  private show(frame: Frame): void {
    this.shown = frame;
    this.emit("shown", frame);
    this.ask();
    this.askPlan();
  }

  private fetch(number: number): void {
    this.looked = number;
    this.wanted = null;
    this.send({ type: "look", number });
  }

  /** Request the reasons of the displayed frame, one request at a time. */
  private ask(): void {
    const { shown, reasons } = this;
    if (!this.why || !shown || this.asked !== null) return;
    const selected = this.status?.selected ?? shown.selected;
    const count = shown.states.length / Int32Array.BYTES_PER_ELEMENT;
    const character = selected < count ? selected : shown.selected; // the selected one may not exist in that frame
    if (reasons?.number === shown.number && reasons.character === character) return;
    this.asked = shown.number;
    this.send({ type: "ask", number: shown.number, character });
  }

  /** Request the futures of the selected character, one request at a time, if they are displayed anywhere. */
  private askPlan(): void {
    const { shown, plans } = this;
    if (!(this.why || this.showsPlans) || !shown?.walks || this.askedPlan) return;
    const character = this.lookingAt === null ? (this.status?.selected ?? shown.selected) : shown.selected;
    if (character * 8 >= shown.walks.goals.length) return;
    if (plans?.number === shown.number && plans.character === character) return;
    this.askedPlan = true;
    this.send({ type: "askplan", number: shown.number, character });
  }
}
