// Written by scripts/build_studio from src/motionfields/studio/messages.py: change that, not this.

export const VERSION = 1;
export const MOST_CHARACTERS = 200;
export const HISTORY_SECONDS = 30;
export const PLAN_PLACES = 9;
export const ROTATION_UNIT = 32767;

/** Leg of a costume that the page bends so that its foot is where that of the plain character is. */
export interface CostumeLeg {
  hip: number;
  knee: number;
  ankle: number;
  source_ankle: number;
  source_toe: number;
  stretch: number;
}

/** Character of the user's own that the page draws in place of the plain body, and the joints that drive it. */
export interface Costume {
  parents: number[];
  offsets: [number, number, number][];
  sources: number[];
  turns: [number, number, number, number][];
  size: number;
  source_hips: [number, number];
  hips: [number, number];
  legs: CostumeLeg[];
}

/** Part of the mesh of a costume at rest, with its root at the origin. */
export interface CostumeSurface {
  positions: Uint8Array;
  normals: Uint8Array;
  texture_places: Uint8Array;
  joints: Uint8Array;
  weights: Uint8Array;
  triangles: Uint8Array;
  material: number;
}

/** Material of a costume; images are numbers of `CostumeMesh.images`, or -1. */
export interface CostumeMaterial {
  color: [number, number, number];
  opacity: number;
  cutoff: number;
  blended: boolean;
  metalness: number;
  roughness: number;
  emissive: [number, number, number];
  color_image: number;
  surface_image: number;
  normal_image: number;
  emissive_image: number;
  two_sided: boolean;
  unlit: boolean;
}

/** Picture of a costume. */
export interface CostumeImage {
  kind: string;
  data: Uint8Array;
}

/** Mesh of a costume, which pages fetch as `costume.msgpack`. */
export interface CostumeMesh {
  surfaces: CostumeSurface[];
  materials: CostumeMaterial[];
  images: CostumeImage[];
}

/** Part of the body: a capsule in the frame of one joint. */
export interface Part {
  joint: number;
  name: string;
  side: string;
  start: [number, number, number];
  end: [number, number, number];
  radius: number;
}

/** Task that the character can do. */
export interface TaskInfo {
  name: string;
  command_names: string[];
  top_speed: number;
  agility?: number;
  worlds?: boolean;
}

/** Clip of the database: its states run from `start` up to the start of the next clip. */
export interface ClipInfo {
  name: string;
  start: number;
}

/** A motion that the data does not allow, and advice on what to capture or change. */
export interface Finding {
  text: string;
  advice: string;
}

/** Static facts about the character and its tasks; the first message, sent again whenever the tasks change. */
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
  source_foot: number;
  source_spin: number;
  source_twist: number;
  source_jerk: number;
  findings: Finding[];
  costume?: Costume | null;
}

/** Progress while there is no character yet. */
export interface Preparing {
  type: "preparing";
  doing: string;
  share: number;
}

/** State of the simulation controls; sent whenever it changes. */
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
  compared?: string[];
}

/** Current goal of the selected character. */
export interface Goal {
  kind: string;
  x: number;
  z: number;
  heading: number;
  speed: number;
}

/** Ball in the air. */
export interface BallState {
  position: [number, number, number];
  radius: number;
}

/** Push that is acting, or the hit of a ball. */
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
  foot: number;
  spin: number;
  twist: number;
  replayed: number;
  jerk: number;
  distance: number;
}

/** Plans and goals of the characters in a world, at one frame. */
export interface Walks {
  plans: Uint8Array;
  goals: Uint8Array;
  reached: Uint8Array;
  movers: Uint8Array;
}

/** One frame of the simulation; a past frame is sent again as the same message. */
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
  walks?: Walks | null;
}

/** One of the database states nearest to the displayed state. */
export interface Neighbor {
  state: number;
  distance: number;
  weight: number;
}

/** Action available at this frame: follow the database state `state`. */
export interface Action {
  state: number;
  variant: number;
  distance: number;
  reward: number;
  cost: number;
  future: number;
  score: number;
}

/** Poses to draw as translucent bodies around the character. */
export interface Ghosts {
  roots: Uint8Array;
  rotations: Uint8Array;
}

/** Decision of one character that led to the frame `number`: its neighbours, action values and state values. */
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

/** World that characters walk through; sent whenever it changes. */
export interface WorldState {
  type: "worldstate";
  on: boolean;
  room: string;
  orders: string;
}

/** One of the plans of a character, with its costs in seconds. */
export interface PlanScore {
  heading: number;
  speed: number;
  total: number;
  arrive: number;
  near: number;
  hit: number;
  turn: number;
  change: number;
  gap: number;
  when: number;
  blocker: number;
}

/** Decision of one character in a world: all futures that it compared. */
export interface PlanReasons {
  type: "planreasons";
  number: number;
  character: number;
  decided: number;
  chosen: number;
  goal: string;
  place: [number, number];
  facing: number;
  plans: PlanScore[];
  places: Uint8Array;
  rays: Uint8Array;
}

/** Progress of a controller that is being made beside the session; an empty `doing` ends it. */
export interface Making {
  type: "making";
  doing: string;
  share: number;
}

/** Notice that a message of this client was not carried out. */
export interface Refused {
  type: "refused";
  reason: string;
}

/** Walk in the world direction (x, z); its length, at most 1, is the share of the pace. (0, 0) stops steering. */
export interface Steer {
  type: "steer";
  x: number;
  z: number;
}

/** Walk to a point on the ground. In a world, everyone gets a place of their own around it. */
export interface Go {
  type: "go";
  x: number;
  z: number;
  everyone?: boolean;
}

/** Follow the line on the ground through the point (x, z) in the direction `heading`. */
export interface Follow {
  type: "follow";
  x: number;
  z: number;
  heading: number;
}

/** Set the speed in m/s that is commanded at full steering. */
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

/** Resize the crowd to `count` characters. */
export interface Gather {
  type: "gather";
  count: number;
}

/** Select a character. */
export interface Select {
  type: "select";
  character: number;
}

/** Switch to another task. */
export interface Do {
  type: "do";
  task: string;
}

/** Move one character by each controller with the commands of the current one, side by side; or end that. */
export interface Compare {
  type: "compare";
  on: boolean;
}

/** Pause or resume, and set the playback speed (1 is real time). */
export interface Clock {
  type: "clock";
  paused: boolean;
  speed?: number;
}

/** Pause and advance by one frame. */
export interface Step {
  type: "step";
}

/** Let characters find their way through the world, or steer them by hand again. */
export interface Enter {
  type: "enter";
  on: boolean;
}

/** Replace the obstacles of the world. */
export interface Build {
  type: "build";
  room: string;
}

/** Tell everyone in the world what to do: go where they are sent, cross, wander, or chase the selected character. */
export interface Order {
  type: "order";
  what: "chase" | "cross" | "go" | "wander";
}

/** Request the frame `number` again, clamped to the oldest and newest ones in the history. */
export interface Look {
  type: "look";
  number: number;
}

/** Request the `Reasons` of a character for the frame `number`. */
export interface Ask {
  type: "ask";
  number: number;
  character: number;
}

/** Request the `PlanReasons` of a character for the frame `number`. */
export interface AskPlan {
  type: "askplan";
  number: number;
  character: number;
}

/** Start or stop recording a take of the selected character; the server offers it as `take.bvh` and `take.glb`. */
export interface Take {
  type: "take";
  on: boolean;
}

/** Go on with files that the page has sent: a controller, or a field or takes to train a controller on. */
export interface Load {
  type: "load";
  files: string[];
  task?: string;
}

/** Train the current task again with another agility, and switch to the result. */
export interface Retrain {
  type: "retrain";
  agility: number;
}

/** Label of the data. */
export interface LabelInfo {
  name: string;
  seconds: number;
}

/** Take of the data, or its mirror image. */
export interface TakeInfo {
  name: string;
  seconds: number;
}

/** Static facts about the character and its data; the first message, sent again after answers about pieces. */
export interface Scene {
  type: "scene";
  version: number;
  title: string;
  frame_time: number;
  joint_names: string[];
  parents: number[];
  offsets: [number, number, number][];
  parts: Part[];
  feet: [number, number];
  labels: LabelInfo[];
  takes: TakeInfo[];
  timeline: string;
}

/** Progress of the request `revision`. */
export interface Working {
  type: "working";
  revision: number;
  doing: string;
  share: number;
}

/** Uninterrupted part of a take in a motion. */
export interface PieceInfo {
  start: number;
  end: number;
  take: string;
  take_start: number;
  mirrored: boolean;
  labels: string[];
}

/** Goal that not all of its frames meet. */
export interface MissedInfo {
  label: string;
  wanted: boolean;
  share: number;
  reason: string;
  runs: [number, number][];
}

/** One composed motion for the request `revision`. */
export interface Motion {
  type: "motion";
  revision: number;
  rank: number;
  last: boolean;
  number: number;
  roots: Uint8Array;
  rotations: Uint8Array;
  planted: Uint8Array;
  cost: number;
  labels_met: number;
  shift_share: number;
  pieces: PieceInfo[];
  missed: MissedInfo[];
}

/** Pose of a source frame, at the origin, facing +z. */
export interface SourcePose {
  type: "sourcepose";
  take: string;
  time: number;
  roots: Uint8Array;
  rotations: Uint8Array;
}

/** Compose motions for a timeline; a newer request of the same page replaces this one. */
export interface Compose {
  type: "compose";
  revision: number;
  timeline: string;
  count?: number;
  forced?: boolean;
}

/** Say whether the motion `number` is right to show `label` from `start` up to `end` seconds. */
export interface Judge {
  type: "judge";
  number: number;
  start: number;
  end: number;
  label: string;
  right: boolean;
}

/** Request the pose of `take` at `time` seconds. */
export interface Peek {
  type: "peek";
  take: string;
  time: number;
}

/** Static facts about the character and its room; the first message. */
export interface PlanScene {
  type: "planscene";
  version: number;
  title: string;
  frame_time: number;
  joint_names: string[];
  parents: number[];
  offsets: [number, number, number][];
  parts: Part[];
  feet: [number, number];
  room: string;
  start: [number, number];
  goal: [number, number];
  drawable: number[];
}

/** Progress of the request `revision`. */
export interface Searching {
  type: "searching";
  revision: number;
  rank: number;
  seconds: number;
  cost: number | null;
  bound: number;
  expanded: number;
  open: Uint8Array;
  closed: Uint8Array;
}

/** Distances of a motion from one stroke, in metres. */
export interface FitInfo {
  joint: string;
  mean: number;
  p95: number;
  reached: number;
}

/** One motion for the request `revision`. */
export interface Planned {
  type: "planned";
  revision: number;
  rank: number;
  number: number;
  roots: Uint8Array;
  rotations: Uint8Array;
  planted: Uint8Array;
  cost: number;
  bound: number | null;
  step_count: number;
  clearance: number;
  fits: FitInfo[];
  strokes: string;
  limits: string[];
}

/** No other motion of the request `revision` follows. */
export interface Finished {
  type: "finished";
  revision: number;
}

/** Plan motions to a place. */
export interface PlanTo {
  type: "planto";
  revision: number;
  room: string;
  start: [number, number];
  start_facing: number;
  to: [number, number];
  facing?: number | null;
  through?: [number, number][];
  within?: number;
  count?: number;
}

/** Find a motion that follows strokes; the room only serves to report the clearance. */
export interface Draw {
  type: "draw";
  revision: number;
  room: string;
  strokes: string;
}

/** Replace the plan `number` between two times by a motion through places. */
export interface Redraw {
  type: "redraw";
  revision: number;
  room: string;
  number: number;
  begin: number;
  end: number;
  through?: [number, number][];
  within?: number;
}

export type FromServer = Hello | Preparing | Status | Frame | Reasons | WorldState | PlanReasons | Making | Refused;


export type FromClient = Steer | Go | Follow | Pace | Push | Throw | Gather | Select | Do | Enter | Build | Order | Compare | Clock | Step | Look | Ask | AskPlan | Take | Load | Retrain;


export type FromComposer = Scene | Preparing | Working | Motion | SourcePose | Refused;


export type ToComposer = Compose | Judge | Peek;


export type FromPlanner = PlanScene | Preparing | Searching | Planned | Finished | Refused;


export type ToPlanner = PlanTo | Draw | Redraw;
