// The strip of source pieces of the selected motion, and the answers about the selected one.

import { clipHue, swatch } from "../ui/clips";
import { button, make, setText } from "../ui/dom";
import type { Composer } from "./composer";
import type { PieceInfo } from "../messages";
import { stretch } from "./strip";

export class PieceStrip {
  readonly element: HTMLElement;
  private readonly strip = make("div", { id: "pieces", class: "strip" });
  private readonly detail = make("div", { id: "piece", class: "detail" });
  private readonly summary = make("span", { id: "summary", class: "muted number" });

  constructor(private readonly composer: Composer) {
    const row = make(
      "div",
      { class: "row pieces-row" },
      make("span", { class: "row-name" }, "Source pieces"),
      this.strip,
    );
    this.element = make("div", { class: "found" }, row, make("div", { class: "answers" }, this.detail, this.summary));
    composer.on("motions", () => this.draw());
    composer.on("document", () => this.draw());
    composer.on("selection", () => this.draw());
    composer.on("working", () => this.summarise());
    composer.on("refused", (reason) => setText(this.summary, reason));
  }

  private draw(): void {
    const pieces = this.composer.selected?.motion.pieces ?? [];
    this.strip.replaceChildren(...pieces.map((piece) => this.block(piece)));
    this.showDetail();
    this.summarise();
  }

  private block(piece: PieceInfo): HTMLElement {
    const { composer } = this;
    const chosen = composer.piece?.start === piece.start;
    const title = `${piece.take}, ${piece.take_start.toFixed(1)} s`;
    const block = make(
      "button",
      { class: "piece", type: "button", title, style: `--hue: ${clipHue(piece.take)}` },
      piece.take,
    );
    block.setAttribute("aria-pressed", String(chosen));
    stretch(block, composer, piece.start, Math.min(piece.end, composer.seconds));
    block.addEventListener("click", () => {
      composer.select(piece, null);
      composer.play(false);
      composer.show(piece.start);
    });
    return block;
  }

  private showDetail(): void {
    const { piece } = this.composer;
    if (!piece) {
      setText(this.detail, "Click a piece to see its source and to confirm or reject its labels.");
      this.detail.classList.add("muted");
      return;
    }
    this.detail.classList.remove("muted");
    const length = (piece.end - piece.start).toFixed(1);
    const words = `${piece.take_start.toFixed(1)} s, for ${length} s${piece.mirrored ? ", mirrored" : ""}`;
    this.detail.replaceChildren(swatch(piece.take), make("b", {}, piece.take), make("span", { class: "muted" }, words));
    for (const label of piece.labels) {
      const answer = (right: boolean): HTMLButtonElement =>
        button(
          {
            id: `${right ? "right" : "wrong"}-${label}`,
            title: right ? `Right: this piece shows ${label}` : `Wrong: this piece does not show ${label}`,
            icon: right ? "check" : "close",
            class: "button tiny",
          },
          () => this.composer.judge(label, right),
        );
      this.detail.append(make("span", { class: "chip answer" }, make("span", {}, label), answer(true), answer(false)));
    }
  }

  private summarise(): void {
    const { working, selected, tookSeconds } = this.composer;
    if (!selected) return setText(this.summary, working ? "Searching\u2026" : "");
    const { labels_met, cost, shift_share, missed } = selected.motion;
    const parts = [`labels ${Math.round(100 * labels_met)} %`, `cost ${cost.toFixed(1)}`];
    if (shift_share > 0) parts.push(`warp ${(100 * shift_share).toFixed(1)} %`);
    parts.push(working ? `${working.doing}\u2026` : `${tookSeconds.toFixed(1)} s`);
    this.summary.title = missed.map(({ label, reason }) => `${label}: ${reason}`).join("\n");
    setText(this.summary, parts.join(" \u00b7 "));
  }
}
