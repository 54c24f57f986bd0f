// The bar at the bottom: the timeline, play and pause, steps, speed, and the take.

import type { Status } from "../messages";
import type { Studio } from "../studio";
import { placeInClip, selectedRow, swatch } from "./clips";
import { SPEEDS, type Commands } from "./commands";
import { atMostEvery, button, make, Segmented, setText } from "./dom";
import { icon } from "./icons";
import type { TakeButton } from "./take";
import type { Timeline } from "./timeline";

export class Transport {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly live: HTMLButtonElement;
  private readonly speed: Segmented;
  private readonly nextSpeed: HTMLButtonElement; // replaces the row of speeds on narrow screens
  private readonly time = make("span", { id: "time", class: "time" }, "0:00.0");
  private readonly clip = make("span", { id: "clip", class: "clip-name" });
  private clipShown = "";

  constructor(
    private readonly studio: Studio,
    commands: Commands,
    timeline: Timeline,
    take: TakeButton,
  ) {
    this.play = button({ id: "play", title: "Pause (space)", icon: "pause", class: "button icon-only main" }, () =>
      commands.togglePause(),
    );
    this.live = button({ id: "live", title: "Return to the current frame and play", label: "Live" }, () =>
      commands.goLive(),
    );
    this.speed = new Segmented("speed", "Playback speed", (value) => commands.setSpeed(Number(value)));
    this.speed.setChoices(
      SPEEDS.map((speed) => ({
        value: String(speed),
        label: String(speed),
        title: `Playback speed ${speed} ([ slower, ] faster)`,
      })),
    );
    this.nextSpeed = button({ id: "next-speed", title: "Playback speed", label: "1\u00d7" }, () =>
      commands.nextSpeed(),
    );
    const buttons = make(
      "div",
      { class: "transport-buttons" },
      button({ id: "step-back", title: "Previous frame (,)", icon: "stepBack" }, () => commands.stepBack()),
      this.play,
      button({ id: "step-on", title: "Next frame (.)", icon: "stepOn" }, () => commands.stepOn()),
    );
    this.element = make(
      "section",
      { id: "transport", class: "panel", "aria-label": "Time" },
      timeline.element,
      make("div", { class: "readout" }, this.time, this.clip),
      buttons,
      make("div", { class: "transport-end" }, this.live, this.speed.element, this.nextSpeed, take.element),
    );
    studio.on("status", (status) => this.showStatus(status));
    studio.on(
      "shown",
      atMostEvery(100, () => this.showTime()),
    );
  }

  private showStatus(status: Status): void {
    const paused = String(status.paused);
    if (this.play.dataset.paused !== paused) {
      this.play.dataset.paused = paused;
      const title = status.paused ? "Play (space)" : "Pause (space)";
      this.play.title = title;
      this.play.setAttribute("aria-label", title);
      this.play.replaceChildren(icon(status.paused ? "play" : "pause"));
    }
    setText(this.nextSpeed.firstChild!, `${status.speed}\u00d7`);
    this.speed.select(String(SPEEDS.find((speed) => Math.abs(speed - status.speed) < 1e-6) ?? status.speed));
  }

  private showTime(): void {
    const { shown, hello } = this.studio;
    if (!shown || !hello) return;
    this.live.classList.toggle("away", this.studio.lookingAt === null);
    setText(this.time, clock(shown.time));
    const place = placeInClip(hello.clips, selectedRow(shown));
    const name = place?.name ?? "";
    if (name === this.clipShown) return;
    this.clipShown = name;
    this.clip.replaceChildren(...(name ? [swatch(name), make("span", { title: name }, name)] : []));
  }
}

/** Minutes, seconds and tenths. */
function clock(seconds: number): string {
  const tenths = Math.floor(seconds * 10 + 1e-6);
  const minutes = Math.floor(tenths / 600);
  return `${minutes}:${((tenths % 600) / 10).toFixed(1).padStart(4, "0")}`;
}
