// Rows of places, poses and the path: drag along a row to change their time, Delete removes the selected one.

import { button, make } from "../ui/dom";
import type { Composer } from "./composer";
import { snapped, type Moment } from "./document";
import { dragFrom, stretch, timeAt } from "./strip";

export function removeSelected(composer: Composer): void {
  if (!composer.moment) return;
  composer.document.remove(composer.moment);
  composer.select(null, null);
  composer.changed();
}

export class MomentRows {
  readonly element = make("div", { id: "moment-rows" });

  private dragging = false;

  constructor(private readonly composer: Composer) {
    composer.on("document", () => this.draw());
    composer.on("selection", () => this.draw());
  }

  private draw(): void {
    if (this.dragging) return; // a motion has come meanwhile
    const { places, poses, path } = this.composer.document;
    const rows: HTMLElement[] = [];
    if (places.length)
      rows.push(this.row("places", "Places", places, (place) => `Place ${place.x_m} m, ${place.z_m} m`));
    if (path) rows.push(this.pathRow());
    if (poses.length) rows.push(this.row("poses", "Poses", poses, (pin) => `Pose of ${pin.take} at ${pin.take_s} s`));
    this.element.replaceChildren(...rows);
  }

  private row<T extends Moment>(id: string, name: string, moments: T[], describe: (moment: T) => string): HTMLElement {
    const { composer } = this;
    const strip = make("div", { class: "strip", id });
    for (const moment of moments) {
      const diamond = make("button", {
        class: "moment",
        type: "button",
        title: `${describe(moment)}; Delete removes it`,
      });
      diamond.setAttribute("aria-pressed", String(moment === composer.moment));
      stretch(diamond, composer, moment.time_s, moment.time_s);
      diamond.style.width = "";
      diamond.addEventListener("pointerdown", (event) => {
        const move = (moved: PointerEvent): void => {
          moment.time_s = snapped(timeAt(moved, strip, composer));
          diamond.style.left = `${(100 * moment.time_s) / composer.seconds}%`;
          composer.show(moment.time_s);
        };
        composer.play(false);
        this.dragging = true;
        dragFrom(event, diamond, move, () => {
          this.dragging = false;
          composer.changed();
          composer.select(null, moment);
          composer.show(moment.time_s);
        });
      });
      strip.append(diamond);
    }
    const remove = button({ id: `clear-${id}`, title: `Remove all ${id}`, icon: "close", class: "button tiny" }, () => {
      for (const moment of moments) composer.document.remove(moment);
      composer.changed();
    });
    return make("div", { class: "row" }, make("span", { class: "row-name" }, name, remove), strip);
  }

  private pathRow(): HTMLElement {
    const { composer } = this;
    const path = composer.document.path!;
    const strip = make("div", { class: "strip", id: "path" });
    const block = make("div", { class: "goal path", title: "Time of the path; drag its end" });
    const handle = make("i", { class: "handle" });
    stretch(block, composer, path.start_s, path.end_s);
    block.append(handle);
    handle.addEventListener("pointerdown", (event) => {
      this.dragging = true;
      dragFrom(
        event,
        handle,
        (moved) => {
          path.end_s = Math.max(snapped(timeAt(moved, strip, composer)), path.start_s + 0.5);
          stretch(block, composer, path.start_s, path.end_s);
        },
        () => {
          this.dragging = false;
          composer.changed();
        },
      );
    });
    strip.append(block);
    const remove = button({ id: "clear-path", title: "Remove the path", icon: "close", class: "button tiny" }, () => {
      composer.document.path = null;
      composer.changed();
    });
    return make("div", { class: "row" }, make("span", { class: "row-name" }, "Path", remove), strip);
  }
}
