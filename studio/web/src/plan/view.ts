// The 3D scene of planning: the room, the search, the motion and its alternatives, and what is being drawn.

import { Plane, Vector3 } from "three";
import { poseAt, wayOf } from "../motions/bodies";
import type { Spot } from "../motions/place_mark";
import { Ribbon } from "../motions/ribbon";
import { RoomMesh } from "../motions/room_mesh";
import { MotionView } from "../motions/view";
import { PALETTES } from "../scene/palette";
import type { CameraMode, Theme } from "../scene/view";
import type { StrokeEntry } from "./document";
import { Frontier } from "./frontier";
import { PLANS, type Planner } from "./planner";
import { StrokeMeshes } from "./strokes";

const VISIBLE_SHARE = { orbit: 0.46, top: 0.64 }; // of the room's diagonal that the camera is to show around the middle
const BAR_SHARE = 0.07; // of the room's depth by which it is seen lower from above, since the bar covers the top
const CLOSE = 40; // pixels from a joint within which a press chooses it

/** Plane that a stroke is drawn in: through a joint, facing the camera. */
export interface DrawingPlane {
  origin: Vector3;
  right: Vector3;
  up: Vector3;
}

export class PlanView extends MotionView {
  onCamera: () => void = () => {}; // called after the page has changed the camera itself
  private readonly room = new RoomMesh();
  private readonly frontier = new Frontier();
  private readonly strokes = new StrokeMeshes();
  private readonly trace = new Ribbon(0.09, 0.006, 0.85);
  private readonly others = Array.from({ length: PLANS - 1 }, () => new Ribbon(0.06, 0.005, 0.6));
  private readonly drawn = new Ribbon(0.09, 0.008, 0.95); // path that is being drawn, or that the motion follows

  constructor(
    private readonly planner: Planner,
    canvas: HTMLCanvasElement,
  ) {
    super(planner, canvas);
    const ribbons = [this.trace, this.drawn, ...this.others].map(({ mesh }) => mesh);
    this.stage.scene.add(this.room.group, this.frontier.group, this.strokes.group, ...ribbons);
    this.setTheme("dark");
    planner.on("motions", () => this.showMotions());
    planner.on("time", () => (this.stale = true));
    planner.on("tool", () => this.changeTool());
    planner.on("document", () => this.showDocument());
    planner.on("searching", () => {
      if (planner.searching && planner.working) this.frontier.show(planner.searching);
      this.stage.dirty = true;
    });
    planner.on("scene", () => this.showRoom());
    this.run();
  }

  setCamera(mode: CameraMode): void {
    this.stage.rig.setMode(mode);
    this.stage.rig.frame(1);
    if (mode !== "follow") this.showRoom();
  }

  setTheme(theme: Theme): void {
    this.palette = PALETTES[theme];
    this.stage.paint(this.palette);
    for (const part of [this.room, this.frontier, this.strokes]) part.paint(this.palette);
    this.trace.paint(this.palette.facing);
    for (const ribbon of this.others) ribbon.paint(this.palette.action);
    this.drawn.paint(this.palette.accent);
    this.bodies.ghosts?.paint(this.palette);
    this.stale = true;
    this.showDocument();
  }

  /** Return the screen position of a joint of the selected motion. */
  screenOfJoint(joint: number): { x: number; y: number } {
    return this.stage.screenOf(this.bodies.place(0, joint, new Vector3()));
  }

  /** Return the joint that a press at a screen position chooses, or the one chosen before. */
  pickJoint(x: number, y: number): number {
    const { drawable } = this.planner.scene!;
    const away = drawable.map((joint) => {
      const at = this.screenOfJoint(joint);
      return Math.hypot(at.x - x, at.y - y);
    });
    const least = Math.min(...away);
    return least < CLOSE ? drawable[away.indexOf(least)] : this.planner.joint;
  }

  /** Return the plane through a joint of the selected motion that faces the camera. */
  drawingPlane(joint: number): DrawingPlane {
    const [right, up] = [new Vector3(), new Vector3()];
    this.stage.rig.camera.matrixWorld.extractBasis(right, up, new Vector3());
    return { origin: this.bodies.place(0, joint, new Vector3()), right, up };
  }

  /** Return the point of a plane at a screen position, in metres along its axes. */
  pickPlane(plane: DrawingPlane, x: number, y: number): [number, number] | null {
    const normal = plane.right.clone().cross(plane.up);
    const flat = new Plane().setFromNormalAndCoplanarPoint(normal, plane.origin);
    const point = this.stage.aim(x, y).ray.intersectPlane(flat, new Vector3());
    if (!point) return null;
    const from = point.sub(plane.origin);
    return [from.dot(plane.right), from.dot(plane.up)];
  }

  /** Show a path while the user draws it; null shows that of the document. */
  showDrawn(points: [number, number][] | null): void {
    const path = this.planner.document.strokes.find((stroke) => !stroke.joint && stroke.points_m[0].length === 2);
    this.drawn.draw(points ?? (path?.points_m as [number, number][] | undefined) ?? []);
    this.stage.dirty = true;
  }

  /** Show a stroke while the user draws it. */
  showStroke(stroke: StrokeEntry): void {
    this.strokes.show([...this.planner.document.strokes, stroke]);
    this.stage.dirty = true;
  }

  /** Display the document as it is, with a place or a box that is being dragged. */
  showDocument(): void {
    const { document, selected } = this.planner;
    this.room.show(document.room, selected);
    this.showMarks(document.spots);
    this.strokes.show(document.strokes);
    this.showDrawn(null);
  }

  private showMarks(spots: Spot[]): void {
    const { document, selected } = this.planner;
    this.keepMarks(spots.length);
    spots.forEach((spot, i) => {
      const color = spot === document.start ? this.palette.facing : this.palette.accent;
      this.marks[i].show(spot, color, spot === selected);
    });
  }

  protected advance(elapsed: number): void {
    if (!this.planner.working && this.frontier.fade(elapsed)) this.stage.dirty = true;
  }

  protected bodyCount(): number {
    return this.planner.ghosts ? this.planner.motions.length : 1;
  }

  /** Return the point that the camera looks at: the character, or the middle of the room. */
  protected lookedAt(): Vector3 {
    if (this.cameraMode === "follow") return this.root;
    const [x0, z0, x1, z1] = this.planner.document.room.bounds_m;
    const up = this.cameraMode === "top" ? BAR_SHARE * (z1 - z0) : 0;
    return new Vector3((x0 + x1) / 2, 0, (z0 + z1) / 2 + up);
  }

  /** Move back until the room is visible. */
  private showRoom(): void {
    const [x0, z0, x1, z1] = this.planner.document.room.bounds_m;
    const share = VISIBLE_SHARE[this.cameraMode === "top" ? "top" : "orbit"];
    this.stage.rig.contain(share * Math.hypot(x1 - x0, z1 - z0));
  }

  /** Show the character closely to draw strokes for its joints. */
  private changeTool(): void {
    if (this.planner.tool === "stroke" && this.cameraMode !== "follow") {
      this.setCamera("follow");
      this.onCamera();
    }
    this.stale = true;
  }

  private showMotions(): void {
    const { shown, motions, ghosts } = this.planner;
    const rest = ghosts ? motions.filter((one) => one !== shown) : [];
    this.trace.draw(shown ? wayOf(shown.pose) : []);
    this.others.forEach((ribbon, i) => ribbon.draw(rest[i] ? wayOf(rest[i].pose) : []));
    this.stale = true;
    this.stage.dirty = true;
  }

  /** Place the body of the selected motion, and the ghosts of the others, at the displayed time. */
  protected showPoses(elapsed: number): void {
    const { shown, scene, motions, ghosts, time, tool } = this.planner;
    if (!shown || !scene) return;
    const frames = (one: typeof shown) => ({ pose: one.pose, planted: one.motion.planted });
    const frame = time / scene.frame_time;
    const look = { chosen: 0, apart: 0, palette: this.palette, elapsed };
    const first = this.bodies.ghosts === null;
    this.stale = this.bodies.show(scene, [frames(shown)], frame, look);
    if (first) {
      this.stage.rig.startBehind(((this.planner.document.start.heading_deg ?? 0) * Math.PI) / 180);
      this.showRoom();
    }
    const rest = ghosts ? motions.filter((one) => one !== shown) : [];
    if (rest.length) this.bodies.ghosts!.showPose(poseAt(rest.map(frames), frame));
    else this.bodies.ghosts!.hide();
    this.bodies.place(0, 0, this.root);
    const joints = tool === "stroke" ? scene.drawable : [];
    const places = joints.map((joint) => this.bodies.place(0, joint, new Vector3()));
    this.strokes.showJoints(places, joints.indexOf(this.planner.joint));
    this.stage.dirty = true;
  }
}
