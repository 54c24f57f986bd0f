// Converts steering input of keys, sticks and pads from screen directions to world directions for the server.

import type { View } from "../scene/view";
import type { Studio } from "../studio";

const MOST_OFTEN_MS = 100; // shortest time between messages while input is held: camera and sticks never rest
const SMALLEST_CHANGE = 0.02;

export type Source = "keys" | "stick" | "pad";

export class Steer {
  private readonly asked = new Map<Source, { right: number; up: number }>();
  private sent = { x: 0, z: 0 };
  private sentAt = 0;
  private running = false;

  constructor(
    private readonly studio: Studio,
    private readonly view: View,
  ) {
    studio.on("link", () => (this.sent = { x: 0, z: 0 })); // after a reconnection, held input is sent again
  }

  /** Steer to the right and up on the screen; a length of 1 is the full pace, (0, 0) stops steering. */
  ask(source: Source, right: number, up: number): void {
    if (right === 0 && up === 0) {
      if (!this.asked.delete(source)) return;
    } else this.asked.set(source, { right, up });
    this.view.holdYaw(this.asked.size > 0);
    if (this.asked.size === 0) return this.tell({ x: 0, z: 0 });
    if (source === "keys") this.tell(this.wanted()); // sent at once, since keys rarely change
    if (!this.running) this.run();
  }

  private run(): void {
    this.running = this.asked.size > 0;
    if (!this.running) return;
    if (performance.now() - this.sentAt >= MOST_OFTEN_MS) {
      const wanted = this.wanted();
      if (Math.hypot(wanted.x - this.sent.x, wanted.z - this.sent.z) > SMALLEST_CHANGE) this.tell(wanted);
    }
    requestAnimationFrame(() => this.run());
  }

  private tell(direction: { x: number; z: number }): void {
    this.sent = direction;
    this.sentAt = performance.now();
    this.studio.send({ type: "steer", ...direction });
  }

  /** Return the world direction of the source with the largest input. */
  private wanted(): { x: number; z: number } {
    let most = { right: 0, up: 0 };
    for (const one of this.asked.values()) if (Math.hypot(one.right, one.up) > Math.hypot(most.right, most.up)) most = one;
    const length = Math.max(Math.hypot(most.right, most.up), 1);
    const [sin, cos] = [Math.sin(this.view.cameraYaw()), Math.cos(this.view.cameraYaw())];
    return { x: (most.up * sin - most.right * cos) / length, z: (most.up * cos + most.right * sin) / length };
  }
}
