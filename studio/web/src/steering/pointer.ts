// Pointer input on the scene: clicks, drags, two-finger gestures and the wheel.

import type { Vector3 } from "three";
import type { Picked, View } from "../scene/view";
import type { Studio } from "../studio";
import type { WorldEditor } from "../world/editor";
import { worldDrag } from "../world/gestures";
import { CameraDrag, LineDrag, PushDrag, type Gesture } from "./gestures";
import type { Throwing } from "./throwing";

const STILL_PIXELS = 6; // a press that moves less is a click
const HOVER_MS = 100;
const ZOOM_PER_PIXEL = 0.0012;
const PIXELS_PER_LINE = 20; // for wheels that report lines
const PINCH = 6; // factor for touch-pad pinches, which arrive as small wheel events
const LARGEST_TURN = 240; // pixels

/** A press, with the target under it when it began. */
interface Press {
  event: PointerEvent;
  body: Picked | null;
  ground: Vector3 | null;
  gesture: Gesture | null; // the gesture it became by moving; null while it is still
}

export class PointerInput {
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private press: Press | null = null;
  private hovered = 0; // time at which the cursor was last set

  constructor(
    private readonly studio: Studio,
    private readonly view: View,
    private readonly throwing: Throwing,
    private readonly editor: WorldEditor,
  ) {
    const { canvas } = view;
    canvas.style.touchAction = "none";
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", (event) => {
      this.fingers.delete(event.pointerId);
      this.cancel();
    });
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    window.addEventListener("keydown", (event) => this.escape(event), { capture: true });
  }

  private down(event: PointerEvent): void {
    event.preventDefault();
    (document.activeElement as HTMLElement | null)?.blur(); // keys steer again
    this.view.canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.fingers.size > 1) return this.cancel(); // two fingers are for the camera
    const { clientX: x, clientY: y } = event;
    const primary = event.button === 0 && !event.altKey;
    const body = primary && this.editor.tool === "none" ? this.view.pickBody(x, y) : null;
    const ground = primary && !body ? this.view.pickGround(x, y) : null;
    this.press = { event, body, ground, gesture: null };
  }

  private move(event: PointerEvent): void {
    const { clientX: x, clientY: y } = event;
    if (this.fingers.size === 2) this.moveFingers(event);
    if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, { x, y });
    else if (event.pointerType === "mouse") this.hover(x, y);
    const { press } = this;
    if (!press) return;
    const away = Math.hypot(x - press.event.clientX, y - press.event.clientY);
    if (!press.gesture && away > STILL_PIXELS) press.gesture = this.drag(press);
    press.gesture?.move(x, y);
  }

  private up(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    const { press } = this;
    this.press = null;
    if (press?.gesture) press.gesture.end();
    else if (press) this.click(press);
  }

  private drag({ event, body, ground }: Press): Gesture {
    const { clientX: x, clientY: y, button, shiftKey } = event;
    const own = button === 0 && !event.altKey && (ground || this.editor.tool !== "none") ? worldDrag(this.editor, this.view, x, y) : null;
    if (own) return own;
    if (body && this.studio.hello?.can_push) return new PushDrag(this.studio, this.view, body, x, y);
    if (body) this.askForPushes(body);
    if (ground && this.drawsLines) return new LineDrag(this.studio, this.view, ground);
    return new CameraDrag(this.view, x, y, button === 1 || (button === 2 && shiftKey));
  }

  /** Send a push of no force: the answer says why there are none, or none yet. */
  private askForPushes({ character, joint, local }: Picked): void {
    this.studio.send({ type: "push", character, joint, point: local.toArray(), force: [0, 0, 0], duration: 0.1 });
  }

  private click({ event, body, ground }: Press): void {
    const { studio, throwing, editor } = this;
    if (editor.active && (ground || !body)) return this.clickWorld(event, ground);
    if (event.shiftKey && body) throwing.at(body.point, body.character === studio.shown?.selected);
    else if (event.shiftKey && ground) throwing.at(ground, false);
    else if (body) studio.send({ type: "select", character: body.character });
    else if (ground && !this.drawsLines) studio.send({ type: "go", x: ground.x, z: ground.z });
  }

  /** A click in a world selects an obstacle, or sends characters to a place. */
  private clickWorld({ clientX: x, clientY: y, shiftKey }: PointerEvent, ground: Vector3 | null): void {
    const { editor } = this;
    if (editor.tool !== "none") return;
    const obstacle = this.view.pickObstacle(x, y);
    editor.select(obstacle);
    if (obstacle || !ground) return;
    this.studio.send({ type: "go", x: ground.x, z: ground.z, everyone: editor.everyone !== shiftKey });
  }

  private get drawsLines(): boolean {
    const { hello, status } = this.studio;
    return hello?.tasks.find((task) => task.name === status?.task)?.command_names.includes("point_x") ?? false;
  }

  private cancel(): void {
    this.press?.gesture?.cancel();
    this.press = null;
  }

  private escape(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !this.press) return;
    this.cancel();
    event.stopImmediatePropagation(); // so that it does not also close a panel
  }

  private moveFingers(event: PointerEvent): void {
    const before = this.fingers.get(event.pointerId);
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (!before || !other) return;
    const { clientX: x, clientY: y } = event;
    this.view.turnCamera((x - before.x) / 2, (y - before.y) / 2);
    const [was, is] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(x - other.x, y - other.y)];
    if (was > 0 && is > 0) this.view.zoomCamera(was / is);
  }

  private hover(x: number, y: number): void {
    if (performance.now() - this.hovered < HOVER_MS) return;
    this.hovered = performance.now();
    if (this.editor.tool !== "none") return void (this.view.canvas.style.cursor = "crosshair");
    const body = this.view.pickBody(x, y);
    const movable = !body && this.editor.active && this.view.pickObstacle(x, y) !== null;
    this.view.canvas.style.cursor = movable ? "move" : body ? (this.studio.hello?.can_push ? "grab" : "pointer") : "default";
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const scale = (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? PIXELS_PER_LINE : 1) * (event.ctrlKey ? PINCH : 1);
    const pixels = Math.min(Math.max(event.deltaY * scale, -LARGEST_TURN), LARGEST_TURN);
    this.view.zoomCamera(Math.exp(pixels * ZOOM_PER_PIXEL));
  }
}
