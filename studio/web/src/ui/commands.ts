// User commands: buttons and keys call the same functions here.

import type { CameraMode, CameraName, View } from "../scene/view";
import type { Studio } from "../studio";

export const SPEEDS = [0.1, 0.25, 0.5, 1];
export const CAMERAS: CameraMode[] = ["follow", "orbit", "top"]; // of the page that composes
export const CAMERA_NAMES: CameraName[] = ["Follow", "Front", "Side", "Feet", "Orbit", "Top"];

export class Commands {
  constructor(
    private readonly studio: Studio,
    private readonly view: View,
  ) {}

  togglePause(): void {
    if (this.studio.status) this.studio.pause(!this.studio.status.paused);
  }

  goLive(): void {
    this.studio.look(null);
    this.studio.pause(false);
  }

  stepBack(): void {
    const { shown, status, studio } = this.now();
    if (shown && status && shown.number > status.oldest) studio.look((studio.lookingAt ?? shown.number) - 1);
  }

  stepOn(): void {
    const { studio } = this;
    if (studio.lookingAt === null) return studio.send({ type: "step" });
    this.scrub(studio.lookingAt + 1);
  }

  /** Display the frame `number`; from the newest one on, return to the newest frame and pause. */
  scrub(number: number): void {
    const newest = this.studio.frames.at(-1)?.number ?? 0;
    if (number < newest) return this.studio.look(number);
    this.studio.look(null);
    if (!this.studio.status?.paused) this.studio.pause(true);
  }

  setSpeed(speed: number): void {
    const { status, studio } = this.now();
    if (status) studio.send({ type: "clock", paused: status.paused, speed });
  }

  /** Switch to the next speed, up (1) or down (-1). */
  changeSpeed(direction: number): void {
    const speed = this.studio.status?.speed ?? 1;
    const others = SPEEDS.filter((other) => (other - speed) * direction > 1e-6);
    if (others.length) this.setSpeed(direction > 0 ? others[0] : others[others.length - 1]);
  }

  /** Switch to the next lower speed, and from the lowest to the highest. */
  nextSpeed(): void {
    const speed = this.studio.status?.speed ?? 1;
    this.setSpeed(SPEEDS.filter((other) => other < speed - 1e-6).at(-1) ?? SPEEDS[SPEEDS.length - 1]);
  }

  doTask(name: string | undefined): void {
    if (name !== undefined) this.studio.send({ type: "do", task: name });
  }

  nextCamera(): void {
    const next = (CAMERA_NAMES.indexOf(this.view.cameraName) + 1) % CAMERA_NAMES.length;
    this.view.setCamera(CAMERA_NAMES[next]);
  }

  nextBody(): void {
    this.view.nextBody();
  }

  toggleWhy(): void {
    this.studio.openWhy(!this.studio.why);
  }

  private now() {
    return { studio: this.studio, shown: this.studio.shown, status: this.studio.status };
  }
}
