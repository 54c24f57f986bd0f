// What the page knows: the last messages, the frames of the last half minute, and which of them is looked at.
// The scene, the controls and the panels read it and listen to it; they know nothing of each other.

import { Connection, type Link } from "./connection";
import { HISTORY_SECONDS, VERSION } from "./messages";
import type { Frame, FromClient, FromServer, Hello, Preparing, Reasons, Status } from "./messages";

export interface Events {
  link: Link;
  preparing: Preparing;
  hello: Hello;
  status: Status;
  frame: Frame; // a new one of the simulation
  shown: Frame; // the one to show: the newest, or the one looked back at
  reasons: Reasons;
  refused: string;
  why: boolean; // the panel was opened or closed
}

type Listener<K extends keyof Events> = (event: Events[K]) => void;

export class Studio {
  link: Link = "connecting";
  preparing: Preparing | null = null;
  hello: Hello | null = null;
  status: Status | null = null;
  shown: Frame | null = null;
  reasons: Reasons | null = null; // for the frame shown, or the last one before it
  readonly frames: Frame[] = []; // those that came, in order; gaps where the link was slow
  lookingAt: number | null = null; // the number of a past frame, or the newest
  why = false; // whether the panel is open: only then are reasons asked for

  private readonly listeners: { [K in keyof Events]?: Listener<K>[] } = {};
  private readonly connection: Connection;
  private asked: number | null = null; // the frame whose reasons are on their way
  private wanted: number | null = null; // the frame looked for while another one is on its way
  private looked: number | null = null;

  constructor() {
    this.connection = new Connection(
      (message) => this.receive(message),
      (link) => this.linked(link),
    );
  }

  on<K extends keyof Events>(name: K, listener: Listener<K>): void {
    ((this.listeners[name] ??= []) as Listener<K>[]).push(listener);
  }

  send(message: FromClient): void {
    this.connection.send(message);
  }

  /** Show the frame `number` of the past and pause, or with null the newest one again. */
  look(number: number | null): void {
    this.lookingAt = number;
    if (number === null) {
      const newest = this.frames.at(-1);
      if (newest) this.show(newest);
      return;
    }
    if (this.status && !this.status.paused) this.send({ type: "clock", paused: true, speed: this.status.speed });
    if (this.looked === null) this.fetch(number);
    else this.wanted = number; // one at a time, so that dragging never floods the link
  }

  /** Pause or go on; going on returns to the newest frame. */
  pause(paused: boolean): void {
    if (!paused && this.lookingAt !== null) this.look(null);
    this.send({ type: "clock", paused, speed: this.status?.speed ?? 1 });
  }

  openWhy(open: boolean): void {
    this.why = open;
    this.emit("why", open);
    this.ask();
  }

  private emit<K extends keyof Events>(name: K, event: Events[K]): void {
    for (const listener of (this.listeners[name] ?? []) as Listener<K>[]) listener(event);
  }

  private linked(link: Link): void {
    this.link = link;
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
      case "refused":
        this.asked = null;
        return this.emit("refused", message.reason);
    }
  }

  private receiveFrame(frame: Frame): void {
    const newest = this.frames.at(-1);
    if (this.looked !== null && newest && frame.number <= newest.number) {
      this.looked = null;
      if (this.wanted !== null) this.fetch(this.wanted);
      if (this.lookingAt !== null) this.show(frame);
      return;
    }
    if (newest?.number === frame.number) this.frames.pop(); // told again when the link came back
    else if (newest && frame.number < newest.number) this.frames.length = 0; // the server began anew
    this.frames.push(frame);
    const length = Math.round(HISTORY_SECONDS / (this.hello?.frame_time ?? 1 / 30));
    while (this.frames.length && this.frames[0].number <= frame.number - length) this.frames.shift();
    if (this.status) {
      // The server tells these only now and then.
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
  }

  private fetch(number: number): void {
    this.looked = number;
    this.wanted = null;
    this.send({ type: "look", number });
  }

  /** Ask for the reasons of the frame shown, one question at a time. */
  private ask(): void {
    const { shown, reasons } = this;
    if (!this.why || !shown || this.asked !== null) return;
    const selected = this.status?.selected ?? shown.selected;
    const count = shown.states.length / Int32Array.BYTES_PER_ELEMENT;
    const character = selected < count ? selected : shown.selected; // it may not have been there yet
    if (reasons?.number === shown.number && reasons.character === character) return;
    this.asked = shown.number;
    this.send({ type: "ask", number: shown.number, character });
  }
}
