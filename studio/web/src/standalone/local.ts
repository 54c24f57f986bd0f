// A simulation in the page, which speaks the messages of the studio's server.

import type { Link, Server } from "../connection";
import { HISTORY_SECONDS, MOST_CHARACTERS, ROTATION_UNIT } from "../messages";
import type { Figures, Frame, FromClient, FromServer, Goal, Hello } from "../messages";
import type { Crowd, Seen } from "../../../../runtime/web/motionfields.js";
import { LONGEST_FRAMES, REPLAYED, writeMoment, type Moment } from "./moment";
import { LocalSteering, type Wish } from "./steering";

const LONGEST_WAIT = 0.25; // seconds of simulated time that are made up after a pause of the page
const ANSWERED = Math.PI / 36; // radians
const REPLAY_MS = 40; // of work between two pictures while a moment is computed
const SPACING = 1.4; // metres between characters that join

export class LocalServer implements Server<FromClient> {
  private readonly steering: LocalSteering;
  private readonly history: Frame[] = [];
  private count = 1;
  private selected = 0;
  private paused = false;
  private speed = 1;
  private number = 0;
  private due = 0; // seconds of simulated time that have not been computed yet
  private last = performance.now();
  private readonly commands: Moment["commands"] = []; // since the page was opened
  private replaying = false;

  constructor(
    private readonly hello: Hello,
    private readonly crowd: Crowd,
    private readonly page: number, // digest of the character
    private readonly onMessage: (message: FromServer) => void,
    onLink: (link: Link) => void,
    moment: Moment | null = null,
  ) {
    const [task] = hello.tasks;
    this.steering = new LocalSteering(task.command_names, task.top_speed);
    queueMicrotask(() => {
      onLink("open");
      onMessage(hello);
      this.ask({ kind: "heading", heading: this.crowd.look(0).facing, x: 0, z: 0, share: 1 });
      if (moment?.page === page) return this.replay(moment);
      this.tellStatus();
      this.run(this.last);
      if (moment) onMessage({ type: "refused", reason: "This link belongs to another page; the character starts from the beginning." });
    });
  }

  /** Return the end of an address that reproduces the frame `number`. */
  link(number: number): Promise<string> {
    if (number > LONGEST_FRAMES) throw new Error("The page has been open for too long; reload it to share moments.");
    return writeMoment({ page: this.page, number, commands: this.commands.filter(([frame]) => frame < number) });
  }

  send(message: FromClient): void {
    if (this.replaying) return;
    if (REPLAYED.has(message.type)) this.commands.push([this.number, message]);
    this.obey(message);
  }

  /** Compute the frames up to a moment with its commands, and pause there. */
  private replay(moment: Moment): void {
    this.replaying = true;
    const first = moment.number - HISTORY_SECONDS / this.hello.frame_time;
    const until = performance.now() + REPLAY_MS;
    while (this.number < moment.number && performance.now() < until) {
      const due = moment.commands.slice(this.commands.length).filter(([frame]) => frame <= this.number);
      this.commands.push(...due);
      for (const [, command] of due) this.obey(command);
      this.tick(this.number + 1 > first);
    }
    if (this.number < moment.number) {
      this.onMessage({ type: "preparing", doing: "computing the moment", share: this.number / moment.number });
      return void setTimeout(() => this.replay(moment));
    }
    this.replaying = false;
    this.paused = true;
    this.onMessage(this.hello);
    this.onMessage(this.history.at(-1)!);
    this.tellStatus();
    this.last = performance.now();
    this.run(this.last);
  }

  private obey(message: FromClient): void {
    const { wish } = this.steering;
    switch (message.type) {
      case "steer": {
        const share = Math.min(Math.hypot(message.x, message.z), 1);
        const heading = share > 0 ? Math.atan2(message.x, message.z) : wish.heading;
        if (share > 0 || wish.kind === "heading") this.ask({ kind: "heading", heading, x: 0, z: 0, share });
        return;
      }
      case "go":
        return this.ask({ kind: "point", heading: 0, x: message.x, z: message.z, share: 1 });
      case "follow":
        return this.ask({ kind: "line", heading: message.heading, x: message.x, z: message.z, share: 1 });
      case "pace":
        this.steering.pace = message.speed;
        return this.tellStatus();
      case "gather":
        return this.gather(Math.min(Math.max(Math.round(message.count), 1), MOST_CHARACTERS));
      case "select":
        this.selected = Math.min(message.character, this.count - 1);
        return this.tellStatus();
      case "clock":
        this.paused = message.paused;
        this.speed = message.speed ?? this.speed;
        return this.tellStatus();
      case "step":
        this.paused = true;
        this.tick();
        return this.tellStatus();
      case "look": {
        const at = Math.min(Math.max(message.number - this.history[0].number, 0), this.history.length - 1);
        return this.onMessage(this.history[at]);
      }
      case "push":
      case "throw":
        return this.onMessage({ type: "refused", reason: "Exported pages have no pushes; use motionfields play" });
      default:
        return;
    }
  }

  private run(now: number): void {
    this.due += this.paused ? 0 : Math.min((now - this.last) / 1000, LONGEST_WAIT) * this.speed;
    this.last = now;
    for (; this.due >= this.hello.frame_time && !this.paused; this.due -= this.hello.frame_time) this.tick();
    requestAnimationFrame((next) => this.run(next));
  }

  private ground(): Seen[] {
    return Array.from({ length: this.count }, (_, i) => this.crowd.look(i));
  }

  private ask(wish: Wish): void {
    this.steering.tell(wish, this.ground());
  }

  private tick(published = true): void {
    const commands = this.steering.commands(this.ground());
    this.crowd.step(commands, this.count);
    this.number += 1;
    const frame = this.frame(commands);
    this.history.push(frame);
    if (this.history.length > HISTORY_SECONDS / this.hello.frame_time) this.history.shift();
    if (published) this.onMessage(frame);
  }

  private frame(commands: Float64Array): Frame {
    const { count, crowd, number, hello } = this;
    const seen = this.ground();
    const roots = new Float64Array(3 * count);
    const rotations = new Int16Array(4 * crowd.joints * count);
    for (let i = 0; i < count; i += 1) {
      roots.set(crowd.root(i), 3 * i);
      const from = crowd.rotations(i);
      for (let k = 0; k < from.length; k += 1) rotations[from.length * i + k] = Math.round(from[k] * ROTATION_UNIT);
    }
    const goal = this.steering.goal(this.selected, commands);
    const heading = hello.tasks[0].command_names.indexOf("heading");
    return {
      type: "frame",
      number,
      time: number * hello.frame_time,
      task: hello.tasks[0].name,
      selected: this.selected,
      roots: bytes(roots),
      rotations: bytes(rotations),
      planted: Uint8Array.from(seen.flatMap(({ locked }) => [locked & 1, locked >> 1])),
      states: bytes(Int32Array.from(seen, ({ state }) => state)),
      variants: Uint8Array.from(seen, ({ variant }) => variant),
      headings: bytes(Float32Array.from(seen, (_, i) => commands[i * crowd.columns + heading])),
      goal,
      balls: [],
      pushes: [],
      figures: this.figures(seen[this.selected], goal, roots),
    };
  }

  /** Return what the marks and the timeline show; the measures of quality need motionfields play. */
  private figures({ facing }: Seen, goal: Goal, roots: Float64Array): Figures {
    const error = goal.kind === "stand" ? 0 : wrapped(goal.heading - facing);
    const before = this.history.at(-1);
    const at = 3 * this.selected;
    let speed = 0;
    if (before && before.roots.length === roots.byteLength) {
      const old = new Float64Array(before.roots.slice().buffer);
      speed = Math.hypot(roots[at] - old[at], roots[at + 2] - old[at + 2]) / this.hello.frame_time;
    }
    const answered = Math.abs(error) < ANSWERED;
    const unmeasured = { foot: 0, spin: 0, twist: 0, replayed: 0, jerk: 0, distance: 0 };
    return { facing: wrapped(facing), error, response: 0, answered, speed, ...unmeasured };
  }

  /** Change the number of characters; new ones join round the selected one and face the same way. */
  private gather(count: number): void {
    const middle = this.crowd.look(Math.min(this.selected, this.count - 1));
    for (let i = this.count; i < count; i += 1) {
      const [radius, angle] = [SPACING * Math.sqrt(i), 2.39996 * i]; // a sunflower: even distances
      this.crowd.place(i, middle.x + radius * Math.sin(angle), middle.z + radius * Math.cos(angle), middle.facing);
    }
    this.count = count;
    this.selected = Math.min(this.selected, count - 1);
    this.ask(this.steering.wish);
    this.tellStatus();
  }

  private tellStatus(): void {
    this.onMessage({
      type: "status",
      task: this.hello.tasks[0].name,
      count: this.count,
      selected: this.selected,
      paused: this.paused,
      speed: this.speed,
      pace: this.steering.pace,
      oldest: this.history[0]?.number ?? 0,
      newest: this.number,
      taken: 0,
      taking: false,
    });
  }
}

const bytes = (array: Float64Array | Float32Array | Int16Array | Int32Array) => new Uint8Array(array.buffer as ArrayBuffer);
const wrapped = (angle: number) => Math.atan2(Math.sin(angle), Math.cos(angle));
