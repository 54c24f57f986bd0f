// Files dropped on the page, and the progress of training on them.

import type { Making } from "../messages";
import type { Studio } from "../studio";
import { make, setText } from "./dom";
import type { Toast } from "./toast";

const READ = [".bvh", ".glb", ".gltf", ".fbx", ".field", ".ctrl"];

export class Workshop {
  readonly element: HTMLElement; // the card with the progress
  readonly target = make("div", { id: "drop", hidden: "" }, make("p", {}, "Drop takes, a field or a controller"));
  private readonly text = make("p");
  private readonly progress = make("progress", { max: "1", "aria-label": "Progress" });

  constructor(
    private readonly studio: Studio,
    private readonly toast: Toast,
  ) {
    this.element = make("div", { id: "making", class: "panel", role: "status", hidden: "" }, this.text, this.progress);
    studio.on("making", (message) => this.show(message));
    studio.on("link", () => this.show({ type: "making", doing: "", share: 1 }));
    let depth = 0; // of elements that the files are dragged over
    const over = (change: number): void => {
      depth = Math.max(depth + change, 0);
      this.target.hidden = depth === 0;
    };
    window.addEventListener("dragenter", (event) => hasFiles(event) && over(1));
    window.addEventListener("dragleave", (event) => hasFiles(event) && over(-1));
    window.addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
    window.addEventListener("drop", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      over(-depth);
      void this.load([...event.dataTransfer!.files]);
    });
  }

  /** Send `files` to the server, and let it go on with them. */
  async load(files: File[]): Promise<void> {
    const known = files.filter(({ name }) => READ.some((suffix) => name.toLowerCase().endsWith(suffix)));
    if (!known.length) return this.toast.show(`Drop files that end in ${READ.join(", ")}.`);
    try {
      for (const [i, file] of known.entries()) {
        this.show({ type: "making", doing: `sending ${file.name}`, share: i / known.length });
        const address = new URL(`files/${encodeURIComponent(file.name)}`, document.baseURI);
        const answer = await fetch(address, { method: "PUT", body: file });
        if (!answer.ok) throw new Error(await answer.text());
      }
    } catch (error) {
      this.show({ type: "making", doing: "", share: 1 });
      return this.toast.show((error as Error).message);
    }
    this.show({ type: "making", doing: "reading the files", share: 0 });
    this.studio.send({ type: "load", files: known.map(({ name }) => name) });
  }

  private show({ doing, share }: Making): void {
    this.element.hidden = doing === "";
    setText(this.text, doing && `${doing[0].toUpperCase()}${doing.slice(1)}\u2026`);
    this.progress.value = Math.min(Math.max(share, 0), 1);
  }
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
