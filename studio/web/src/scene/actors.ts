// The characters and all marks around them: rebuilt for a new skeleton, placed for every picture.

import { Group, Mesh, SkinnedMesh, Vector3, type Raycaster } from "three";
import type { Frame, Hello, Reasons } from "../messages";
import type { Studio } from "../studio";
import { nearest } from "./angles";
import { Bodies, type BodyHit } from "./body/bodies";
import { Costumes } from "./body/costume";
import { GhostBodies } from "./body/ghosts";
import { detailFor } from "./body/loft";
import { Compass } from "./marks/compass";
import { Footmarks } from "./marks/footmarks";
import { GoalMark } from "./marks/goal_mark";
import { Impacts } from "./marks/impacts";
import { Trail } from "./marks/trail";
import type { Palette } from "./palette";
import type { Shown } from "./playback";
import { WorldPose, type Pose } from "./pose";

const GHOST_FRAMES = 15; // ghosts further than this from the displayed frame are hidden

export class Actors {
  readonly group = new Group();
  readonly root = new Vector3(); // of the selected character
  readonly world: WorldPose;
  selected = 0;
  private bodies: Bodies;
  private readonly costumes: Costumes | null;
  private readonly ghosts: GhostBodies;
  private readonly footmarks: Footmarks;
  private readonly trail = new Trail();
  private readonly compass = new Compass();
  private readonly goalMark = new GoalMark();
  private readonly impacts = new Impacts();

  constructor(
    private readonly studio: Studio,
    private readonly hello: Hello,
    seen: Pose,
    private palette: Palette,
    private first: number, // body type of the first character
    onChange: () => void,
  ) {
    this.world = WorldPose.of(hello);
    this.bodies = new Bodies(hello, seen, first);
    this.costumes = hello.costume ? new Costumes(hello.costume, onChange) : null;
    this.ghosts = new GhostBodies(hello, seen);
    this.footmarks = new Footmarks(hello);
    const marks = [this.footmarks.mesh, this.trail.mesh, this.compass.group, this.goalMark.group, this.impacts.group];
    this.group.add(this.bodies.group, this.ghosts.group, ...marks);
    if (this.costumes) this.group.add(this.costumes.group);
    this.paint(palette);
  }

  paint(palette: Palette): void {
    this.palette = palette;
    const { ghosts, footmarks, trail, compass, goalMark, impacts } = this;
    for (const one of [ghosts, footmarks, trail, compass, goalMark, impacts]) one.paint(palette);
  }

  /** Give the first character another body type. */
  setFirst(first: number): void {
    this.first = first;
    this.bodies.setFirst(first);
  }

  /** Show a pose and its marks; return whether an animation is still running, so that another picture is needed. */
  show({ pose, frame, before, share, time }: Shown, elapsed: number): boolean {
    if (detailFor(pose.count) !== this.bodies.detail) this.rebuild(pose);
    this.world.set(pose);
    this.bodies.place(this.world);
    this.bodies.group.visible = !this.costumes?.place(this.world); // hidden bodies can still be picked
    this.selected = Math.min(this.chosen(frame), pose.count - 1);
    this.world.place(this.selected, 0, this.root);
    this.trail.place(this.studio.frames, this.selected, this.root, time, this.hello.frame_time);
    this.impacts.throwBalls(before, frame, share);
    const known = frame.selected === this.selected; // whether the frame contains the goal and facing of this character
    const facing = known ? between(before.figures.facing, frame.figures.facing, share) : null;
    const goal = known ? frame.goal : null;
    const eases = [
      this.bodies.color(pose.count, this.selected, frame.planted, this.palette, elapsed),
      this.compass.place(this.root, goal, facing, elapsed),
      this.goalMark.place(this.root, goal, elapsed),
      this.impacts.push(frame.pushes, this.world, elapsed),
    ];
    this.footmarks.place(this.world, this.bodies.plantedShare, this.selected);
    return eases.includes(true);
  }

  /** Show the ghosts of `reasons` if they are switched on and near the frame `number`; hide them otherwise. */
  haunt(reasons: Reasons | null, kinds: { neighbors: boolean; actions: boolean }, number: number): void {
    const fresh = reasons && Math.abs(number - reasons.number) <= GHOST_FRAMES && reasons.character === this.selected;
    if (fresh && (kinds.neighbors || kinds.actions)) this.ghosts.show(reasons, kinds);
    else this.ghosts.hide();
  }

  pick(ray: Raycaster): BodyHit | null {
    return this.bodies.pick(ray);
  }

  /** Return the world position of the middle of the uppermost spine part. */
  chest(into: Vector3): Vector3 {
    const part = this.hello.parts.filter(({ name }) => name === "spine").at(-1) ?? this.hello.parts[0];
    into.fromArray(part.start).lerp(new Vector3(...part.end), 0.5);
    return this.world.point(this.selected, part.joint, into, into);
  }

  dispose(): void {
    this.group.traverse((one) => {
      if (!(one instanceof Mesh) || one instanceof SkinnedMesh) return;
      one.geometry.dispose();
      one.material.dispose();
    });
    this.bodies.dispose();
    this.costumes?.dispose();
    this.group.removeFromParent();
  }

  /** Return the selected character: for a past frame the one selected then, otherwise the current selection. */
  private chosen(frame: Frame): number {
    return this.studio.lookingAt === null && this.studio.status ? this.studio.status.selected : frame.selected;
  }

  private rebuild(pose: Pose): void {
    this.bodies.group.removeFromParent();
    this.bodies.dispose();
    this.bodies = new Bodies(this.hello, pose, this.first);
    this.group.add(this.bodies.group);
  }
}

/** Interpolate between two angles along the shorter arc. */
function between(from: number, to: number, share: number): number {
  return from + share * (nearest(to, from) - from);
}
