// The Why? panel: the decision that led to the displayed frame, in one sentence, as a plot and as tables.

import type { Reasons } from "../messages";
import type { View } from "../scene/view";
import type { Studio } from "../studio";
import { placeInClip, swatch } from "./clips";
import { atMostEvery, button, make, setText } from "./dom";
import { degrees, fixed } from "./format";
import { PolarPlot } from "./polar";
import { inWords } from "./sentence";
import { WhyFuture } from "../world/why_future";
import { ACTION_COLUMNS, actionRows, makeTable, NEIGHBOR_COLUMNS, neighborRows } from "./why_tables";

const READABLE_MS = 250; // shortest time between text updates while the motion runs

const UNITS: Record<string, string> = { speed: "m/s", distance: "m" };

export class WhyPanel {
  readonly element: HTMLElement;
  private readonly sentence = make("p", { id: "why-sentence", class: "sentence" });
  private readonly headline = make("p", { id: "why-headline", class: "headline" });
  private readonly params = make("div", { id: "why-params", class: "chips" });
  private readonly polar = new PolarPlot();
  private readonly actions = makeTable("why-actions", ACTION_COLUMNS);
  private readonly actionsTitle = make("h3", {}, "Actions");
  private readonly neighbors = makeTable("why-neighbors", NEIGHBOR_COLUMNS);
  private readonly ghosts = { neighbors: true, actions: false };

  constructor(
    private readonly studio: Studio,
    private readonly view: View,
  ) {
    this.element = this.build();
    const now = (): void => this.show();
    const readably = atMostEvery(READABLE_MS, now);
    studio.on("reasons", () => (studio.status?.paused || studio.lookingAt !== null ? now() : readably()));
    studio.on("why", (open) => this.setOpen(open));
    studio.on("refused", (reason) => {
      if (!studio.reasons) setText(this.headline, reason); // nothing to show yet
    });
    setText(this.headline, "Waiting for the scores\u2026");
    this.element.classList.add("empty");
  }

  private build(): HTMLElement {
    const close = button({ id: "why-close", title: "Close (Y or Esc)", icon: "close" }, () =>
      this.studio.openWhy(false),
    );
    const ghosts = make("div", { class: "ghosts", role: "group", "aria-label": "Ghosts in the scene" });
    ghosts.append(make("span", { class: "label" }, "Ghosts"), this.ghostButton("neighbors", "Neighbours"));
    ghosts.append(this.ghostButton("actions", "Actions"));
    const header = make("header", {}, make("h2", {}, "Why?"), ghosts, close);
    const body = make(
      "div",
      { class: "why-body" },
      new WhyFuture(this.studio).element,
      this.sentence,
      this.headline,
      this.params,
      this.polar.element,
      this.actionsTitle,
      this.actions.element,
      make("h3", {}, "Most similar states in the data"),
      this.neighbors.element,
    );
    const element = make("section", { id: "why", class: "panel", "aria-label": "Why?" }, header, body);
    element.hidden = true;
    return element;
  }

  private ghostButton(kind: "neighbors" | "actions", label: string): HTMLButtonElement {
    const title = kind === "neighbors" ? "Show similar states as ghosts" : "Show where the actions lead as ghosts";
    const made = button({ id: `ghosts-${kind}`, title, label, class: "button small" }, () => {
      this.ghosts[kind] = !this.ghosts[kind];
      made.setAttribute("aria-pressed", String(this.ghosts[kind]));
      this.view.setGhosts({ ...this.ghosts });
    });
    made.setAttribute("aria-pressed", String(this.ghosts[kind]));
    return made;
  }

  private setOpen(open: boolean): void {
    this.element.hidden = !open;
    document.body.classList.toggle("why-open", open);
    this.view.setGhosts(open ? { ...this.ghosts } : { neighbors: false, actions: false });
    if (open) this.show();
  }

  private show(): void {
    const { reasons, hello } = this.studio;
    if (!this.studio.why || !reasons || !hello) return;
    const { dataset } = this.element;
    dataset.number = String(reasons.number);
    dataset.character = String(reasons.character);
    dataset.chosen = String(reasons.chosen);
    dataset.state = String(reasons.state);
    this.element.classList.remove("empty");
    this.sentence.replaceChildren(...inWords(reasons, hello.clips));
    this.showHeadline(reasons);
    this.showParams(reasons);
    this.polar.show(reasons);
    const { actions, action_count, neighbors } = reasons;
    setText(
      this.actionsTitle,
      actions.length < action_count ? `Best ${actions.length} of ${action_count} actions` : "Actions",
    );
    this.actions.body.replaceChildren(...actionRows(actions, hello.clips));
    this.neighbors.body.replaceChildren(...neighborRows(neighbors, hello.clips));
  }

  private showHeadline(reasons: Reasons): void {
    const { hello, status } = this.studio;
    const place = placeInClip(hello!.clips, reasons.chosen);
    const who = (status?.count ?? 1) > 1 ? `, character ${reasons.character}` : "";
    const name = place?.name ?? `state ${reasons.chosen}`;
    const frame = place ? `, frame ${place.frame}${place.length ? ` of ${place.length}` : ""}` : "";
    const turn = reasons.chosen_variant === 1 ? " with an extra turn" : "";
    const best = reasons.action_count > 1 ? `, the highest score of ${reasons.action_count} actions` : "";
    this.headline.replaceChildren(
      make("span", { class: "muted" }, `Frame ${reasons.number}${who} \u00b7 `),
      "followed ",
      swatch(name),
      make("b", {}, name),
      `${frame}${turn}${best}`,
    );
  }

  private showParams(reasons: Reasons): void {
    const chips = reasons.params.map((value, i) => {
      const name = reasons.param_names[i] ?? `parameter ${i}`;
      const text = name === "angle" ? `${degrees(value)}\u00b0` : `${fixed(value, 2)} ${UNITS[name] ?? ""}`;
      return make(
        "span",
        { class: "chip", "data-param": name },
        make("span", {}, name),
        make("b", { class: "number" }, text),
      );
    });
    this.params.replaceChildren(...chips);
  }
}
