// Recording a take of the selected character, and its download as BVH or glTF.

import type { Status } from "../messages";
import type { Studio } from "../studio";
import { atMostEvery, button, make, setText } from "./dom";
import { icon } from "./icons";

export class TakeButton {
  readonly element: HTMLElement; // the button
  readonly result: HTMLElement; // the links to the last take
  private readonly record: HTMLButtonElement;
  private readonly seconds = make("span", { id: "take-seconds", class: "take-seconds" });
  private readonly download: HTMLAnchorElement;
  private readonly length = make("span", { class: "muted" });
  private taking = false;
  private stoppedHere = false; // only the page that ended the take downloads it automatically

  constructor(private readonly studio: Studio) {
    this.record = button({ id: "take", title: "Record a take (R)", class: "button take" }, () => this.toggle());
    this.record.append(make("i", { class: "record-dot" }), this.seconds);
    this.download = link("download-take", "take.bvh", "BVH");
    this.download.append(this.length);
    this.element = this.record;
    const dismiss = button(
      { id: "download-close", title: "Dismiss", icon: "close" },
      () => (this.result.hidden = true),
    );
    const asGltf = link("download-take-gltf", "take.glb", "glTF");
    this.result = make("div", { class: "panel take-result", hidden: "" }, this.download, asGltf, dismiss);
    studio.on("status", (status) => this.show(status));
    studio.on(
      "frame",
      atMostEvery(100, () => this.showSeconds()),
    );
  }

  toggle(): void {
    const taking = this.studio.status?.taking ?? false;
    this.stoppedHere = taking;
    this.studio.send({ type: "take", on: !taking });
  }

  private show(status: Status): void {
    const { taking, taken } = status;
    this.record.setAttribute("aria-pressed", String(taking));
    const title = taking ? "Stop recording and download the take (R)" : "Record a take (R)";
    this.record.title = title;
    this.record.setAttribute("aria-label", title);
    this.showSeconds();
    const ended = this.taking && !taking && taken > 0;
    this.taking = taking;
    if (taking) this.result.hidden = true;
    if (!ended) return;
    setText(this.length, this.duration());
    this.result.hidden = false;
    if (this.stoppedHere) this.download.click();
    this.stoppedHere = false;
  }

  private showSeconds(): void {
    setText(this.seconds, this.studio.status?.taking ? this.duration() : "Record");
  }

  private duration(): string {
    const { status, hello } = this.studio;
    return `${((status?.taken ?? 0) * (hello?.frame_time ?? 0)).toFixed(1)} s`;
  }
}

function link(id: string, file: string, kind: string): HTMLAnchorElement {
  const title = `Download the take as ${kind}`;
  const options = { id, class: "button", href: file, download: file, title, "aria-label": title };
  return make("a", options, icon("download"), make("span", {}, file));
}
