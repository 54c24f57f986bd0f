// The 3D scene: displays the state of the studio at the display's rate, and draws only when something changed.

import { Plane, Vector3 } from "three";
import type { Frame } from "../messages";
import type { Studio } from "../studio";
import type { Obstacle, RoomFile } from "../motions/room";
import { recall, remember } from "../ui/memory";
import type { Layer } from "../world/editor";
import { WorldLayers } from "../world/layers";
import { Actors } from "./actors";
import { BUILDS } from "./body/shape";
import { FlatArrow } from "./marks/flat_arrow";
import { SolidArrow } from "./marks/solid_arrow";
import { PALETTES } from "./palette";
import { Playback, type Shown } from "./playback";
import { readPose } from "./pose";
import { StageView } from "./stage_view";
import type { CameraName, Picked, Theme, View } from "./view";

export function startScene(studio: Studio, canvas: HTMLCanvasElement): View {
  return new SceneView(studio, canvas);
}

class SceneView extends StageView implements View {
  private readonly playback: Playback;
  private actors: Actors | null = null;
  private palette = PALETTES.dark;
  private body = Number(recall("body") ?? 0) % BUILDS.length || 0; // type of the first character
  private ghostKinds = { neighbors: false, actions: false };
  private ghostsStale = false;
  private last = 0; // time of the last loop run, seconds of the page's clock
  private shownLast: { frame: unknown; time: number } = { frame: null, time: NaN };
  private easing = false;
  private framed = 0; // number of characters that the camera distance was set for
  private kept = false; // whether every picture is drawn
  private readonly drawnListeners: ((canvas: HTMLCanvasElement) => void)[] = [];
  private readonly world = new WorldLayers();
  private layers: Record<Layer, boolean> = { plans: false, goals: false, fan: false, rays: false };
  private worldStale = false;
  private readonly force = new SolidArrow();
  private readonly drawn = new FlatArrow(0.05, 0.3, 0.006);

  constructor(
    private readonly studio: Studio,
    canvas: HTMLCanvasElement,
  ) {
    super(canvas);
    this.playback = new Playback(studio);
    this.drawn.mesh.visible = false;
    this.stage.scene.add(this.force.group, this.drawn.mesh, this.world.group);
    this.setTheme("dark");
    studio.on("hello", () => this.dismiss());
    studio.on("reasons", () => (this.ghostsStale = true));
    studio.on("shown", () => (this.ghostsStale = this.worldStale = true));
    studio.on("plans", () => (this.worldStale = true));
    studio.on("status", () => (this.easing = true)); // another character may be selected
    requestAnimationFrame((now) => this.tick(now));
  }

  get cameraName(): CameraName {
    return this.stage.rig.name;
  }

  pickBody(x: number, y: number): Picked | null {
    const hit = this.actors?.pick(this.stage.aim(x, y));
    if (!this.actors || !hit) return null;
    const { character, point, part } = hit;
    const local = this.actors.world.local(character, part.joint, point, new Vector3());
    return { character, joint: part.joint, point, local };
  }

  pickPlane(x: number, y: number, at: Vector3): Vector3 {
    const facing = new Vector3().subVectors(this.stage.rig.camera.position, at);
    if (Math.abs(facing.y) < 3 * Math.hypot(facing.x, facing.z)) facing.setY(0); // upright, unless seen from above
    const plane = new Plane().setFromNormalAndCoplanarPoint(facing.normalize(), at);
    return this.stage.aim(x, y).ray.intersectPlane(plane, new Vector3()) ?? at.clone();
  }

  pickObstacle(x: number, y: number): Obstacle | null {
    return this.world.pick(this.stage.aim(x, y));
  }

  showRoom(room: RoomFile | null, selected: Obstacle | null): void {
    this.world.showRoom(room, selected);
    this.worldStale = this.stage.dirty = true;
  }

  setLayers(layers: Record<Layer, boolean>): void {
    this.layers = { ...layers };
    this.worldStale = true;
  }

  screenOfGround(x: number, z: number): { x: number; y: number } {
    return this.stage.screenOf(new Vector3(x, 0, z));
  }

  cameraYaw(): number {
    return this.stage.rig.yaw;
  }

  ray(x: number, y: number): { origin: Vector3; direction: Vector3 } {
    const { origin, direction } = this.stage.aim(x, y).ray;
    return { origin: origin.clone(), direction: direction.clone() };
  }

  setCamera(name: CameraName): void {
    this.stage.rig.choose(name, this.studio.shown?.figures.facing ?? 0);
  }

  showForce(from: Vector3 | null, to?: Vector3): void {
    if (from && to) this.force.show(from, to);
    else this.force.hide();
    this.stage.dirty = true;
  }

  showDrawnLine(from: Vector3 | null, to?: Vector3): void {
    this.stage.dirty = true;
    this.drawn.mesh.visible = false;
    if (!from || !to) return;
    const heading = Math.atan2(to.x - from.x, to.z - from.z);
    this.drawn.point(from.x, from.z, heading, 0, Math.hypot(to.x - from.x, to.z - from.z), 0.95);
  }

  setTheme(theme: Theme): void {
    this.palette = PALETTES[theme];
    this.stage.paint(this.palette);
    this.actors?.paint(this.palette);
    this.world.paint(this.palette);
    this.worldStale = true;
    this.force.paint(this.palette.push);
    this.drawn.paint(this.palette.accent);
    this.easing = true; // bodies are recoloured in the next picture
  }

  nextBody(): void {
    this.body = (this.body + 1) % BUILDS.length;
    remember("body", String(this.body));
    this.actors?.setFirst(this.body);
    this.easing = true;
  }

  setGhosts(kinds: { neighbors: boolean; actions: boolean }): void {
    this.ghostKinds = { ...kinds };
    this.ghostsStale = true;
  }

  screenOf(character: number, joint: number, up = 0): { x: number; y: number } {
    const point = this.pointOf(character, joint);
    return this.stage.screenOf(point.setY(point.y + up));
  }

  pointOf(character: number, joint: number, local = ORIGIN): Vector3 {
    const world = this.actors?.world;
    return world && character < world.count ? world.point(character, joint, local, new Vector3()) : new Vector3();
  }

  chest(): Vector3 {
    return this.actors?.chest(new Vector3()) ?? new Vector3(0, 1.2, 0);
  }

  holdYaw(held: boolean): void {
    this.stage.rig.held = held;
  }

  onDrawn(listener: (canvas: HTMLCanvasElement) => void): void {
    this.drawnListeners.push(listener);
  }

  keepDrawing(kept: boolean): void {
    this.kept = kept;
  }

  drawPast(frame: Frame, use: (canvas: HTMLCanvasElement) => void): void {
    const { actors, stage } = this;
    if (!actors) return;
    const pose = readPose(frame);
    const middle = stage.rig.middle.clone();
    actors.show({ pose, frame, before: frame, share: 1, time: frame.time }, SETTLED);
    stage.rig.middle.set(actors.root.x, middle.y, actors.root.z);
    stage.rig.place();
    stage.dirty = true;
    stage.draw(pose.count, 0);
    use(this.canvas);
    stage.rig.middle.copy(middle);
    stage.rig.place();
    this.shownLast = { frame: null, time: NaN }; // the present is drawn again
  }

  private tick(milliseconds: number): void {
    requestAnimationFrame((now) => this.tick(now));
    const now = milliseconds / 1000;
    const elapsed = Math.min(now - this.last, 0.25);
    this.last = now;
    const shown = this.playback.at(now, elapsed);
    if (shown) this.show(shown, elapsed);
    const moved = this.stage.rig.update(this.actors?.root ?? ORIGIN, elapsed, this.studio.lookingAt === null);
    if (moved || this.kept) this.stage.dirty = true;
    const drawn = this.stage.dirty;
    this.stage.draw(shown?.pose.count ?? 1, elapsed);
    if (drawn) for (const listener of this.drawnListeners) listener(this.canvas);
  }

  private show(shown: Shown, elapsed: number): void {
    const { frame, pose, time } = shown;
    this.actors ??= this.engage(shown);
    if (!this.actors) return;
    const same = this.shownLast.frame === frame && this.shownLast.time === time;
    if (!same || this.easing) {
      this.easing = this.actors.show(shown, elapsed);
      this.shownLast = { frame, time };
      this.stage.dirty = true;
    }
    if (this.ghostsStale) this.haunt();
    if (this.worldStale) this.showWorld();
    if (pose.count !== this.framed) this.stage.rig.frame((this.framed = pose.count));
  }

  /** Create the bodies for the skeleton of the hello message, once there is a first pose. */
  private engage(shown: Shown): Actors | null {
    const { hello } = this.studio;
    const bytes = shown.pose.count * (hello?.parents.length ?? 0) * 8;
    if (!hello || shown.frame.rotations.length !== bytes) return null; // the frame is of another skeleton
    const actors = new Actors(this.studio, hello, readPose(shown.frame), this.palette, this.body, () => (this.easing = true));
    this.stage.scene.add(actors.group);
    if (!this.framed) this.stage.rig.startBehind(shown.frame.figures.facing);
    return actors;
  }

  private dismiss(): void {
    this.actors?.dispose();
    this.actors = null;
    this.shownLast = { frame: null, time: NaN };
  }

  private showWorld(): void {
    this.worldStale = false;
    const { shown, plans } = this.studio;
    if (!shown?.walks || !this.actors) return;
    this.world.show(shown, this.actors.selected, plans, this.layers);
    this.stage.dirty = true;
  }

  private haunt(): void {
    this.ghostsStale = false;
    this.actors?.haunt(this.studio.reasons, this.ghostKinds, this.studio.shown?.number ?? 0);
    this.stage.dirty = true;
  }
}

const SETTLED = 1; // seconds after which eased marks are at rest
const ORIGIN = new Vector3();
