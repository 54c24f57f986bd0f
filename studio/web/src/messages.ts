// Written by scripts/build_studio from src/motionfields/studio/messages.py: change that, not this.

export const VERSION = 1;
export const MOST_CHARACTERS = 200;
export const HISTORY_SECONDS = 30;
export const ROTATION_UNIT = 32767;

/** A part of the body: a capsule in the frame of one joint. */
export interface Part {
  joint: number;
  name: string;
  side: string;
  start: [number, number, number];
  end: [number, number, number];
  radius: number;
}

/** A task that the character can do. */
export interface TaskInfo {
  name: string;
  command_names: string[];
  top_speed: number;
}

/** A clip of the data: its states are the rows from `start` on, up to those of the next clip. */
export interface ClipInfo {
  name: string;
  start: number;
}

/** The first message, and again whenever the character or its tasks change: all that stays as it is. */
export interface Hello {
  type: "hello";
  version: number;
  title: string;
  frame_time: number;
  joint_names: string[];
  parents: number[];
  offsets: [number, number, number][];
  parts: Part[];
  feet: [number, number];
  tasks: TaskInfo[];
  clips: ClipInfo[];
  can_push: boolean;
  source_skate: number;
  source_jerk: number;
}

/** There is no character yet; what is being done. */
export interface Preparing {
  type: "preparing";
  doing: string;
  share: number;
}

/** How the simulation is run; sent whenever it changes. */
export interface Status {
  type: "status";
  task: string;
  count: number;
  selected: number;
  paused: boolean;
  speed: number;
  pace: number;
  oldest: number;
  newest: number;
  taken: number;
  taking: boolean;
}

/** What the selected character is told. */
export interface Goal {
  kind: string;
  x: number;
  z: number;
  heading: number;
  speed: number;
}

/** A ball in the air. */
export interface BallState {
  position: [number, number, number];
  radius: number;
}

/** A push that acts, or the hit of a ball. */
export interface PushState {
  character: number;
  joint: number;
  point: [number, number, number];
  force: [number, number, number];
}

/** Measures of the selected character at one frame. */
export interface Figures {
  facing: number;
  error: number;
  response: number;
  answered: boolean;
  speed: number;
  skate: number;
  jerk: number;
  distance: number;
}

/** One frame of the simulation, as it was; the same message when it is looked back at. */
export interface Frame {
  type: "frame";
  number: number;
  time: number;
  task: string;
  selected: number;
  roots: Uint8Array;
  rotations: Uint8Array;
  planted: Uint8Array;
  states: Uint8Array;
  variants: Uint8Array;
  headings: Uint8Array;
  goal: Goal;
  balls: BallState[];
  pushes: PushState[];
  figures: Figures;
}

/** One of the most similar moments of the data. */
export interface Neighbor {
  state: number;
  distance: number;
  weight: number;
}

/** One thing the character could do at this frame: follow `state` of the data. */
export interface Action {
  state: number;
  variant: number;
  distance: number;
  reward: number;
  cost: number;
  future: number;
  score: number;
}

/** Poses to show beside the character. */
export interface Ghosts {
  roots: Uint8Array;
  rotations: Uint8Array;
}

/** Why one character went on as it did: the decision that led to the frame `number`. */
export interface Reasons {
  type: "reasons";
  number: number;
  character: number;
  state: number;
  variant: number;
  chosen: number;
  chosen_variant: number;
  params: number[];
  param_names: string[];
  neighbors: Neighbor[];
  action_count: number;
  actions: Action[];
  headings: number[];
  values: number[];
  neighbor_ghosts: Ghosts;
  action_ghosts: Ghosts;
}

/** A message of this client was not carried out. */
export interface Refused {
  type: "refused";
  reason: string;
}

/** Go in the world direction (x, z); its length, at most 1, is the share of the pace. (0, 0) lets go. */
export interface Steer {
  type: "steer";
  x: number;
  z: number;
}

/** Go to a point on the ground. */
export interface Go {
  type: "go";
  x: number;
  z: number;
}

/** Follow the line on the ground through the point (x, z) in the direction `heading`. */
export interface Follow {
  type: "follow";
  x: number;
  z: number;
  heading: number;
}

/** The speed in m/s that full steering asks for. */
export interface Pace {
  type: "pace";
  speed: number;
}

/** Push a part of a body. */
export interface Push {
  type: "push";
  character: number;
  joint: number;
  point: [number, number, number];
  force: [number, number, number];
  duration?: number;
}

/** Throw a ball. */
export interface Throw {
  type: "throw";
  position: [number, number, number];
  velocity: [number, number, number];
}

/** Let the crowd be so many characters. */
export interface Gather {
  type: "gather";
  count: number;
}

/** Look at a character. */
export interface Select {
  type: "select";
  character: number;
}

/** Do another task. */
export interface Do {
  type: "do";
  task: string;
}

/** Pause or go on, at a speed of time. */
export interface Clock {
  type: "clock";
  paused: boolean;
  speed?: number;
}

/** Pause, and go one frame on. */
export interface Step {
  type: "step";
}

/** Send the frame `number` again, or the oldest or newest one where it is out of reach. */
export interface Look {
  type: "look";
  number: number;
}

/** Send the reasons for what a character did at the frame `number`. */
export interface Ask {
  type: "ask";
  number: number;
  character: number;
}

/** Begin a new take of the selected character, or end it; it is at `take.bvh` beside the page. */
export interface Take {
  type: "take";
  on: boolean;
}

export type FromServer = Hello | Preparing | Status | Frame | Reasons | Refused;


export type FromClient = Steer | Go | Follow | Pace | Push | Throw | Gather | Select | Do | Clock | Step | Look | Ask | Take;
