// The panel of figures: measures of the selected character, as numbers and as plots of the last ten seconds.

import type { Figures, Hello } from "../messages";
import type { Studio } from "../studio";
import { atMostEvery, button, make, setText } from "./dom";
import { ErrorPlot } from "./error_plot";
import { degrees, fixed } from "./format";
import { recall, remember } from "./memory";
import { Sparkline } from "./sparkline";
import type { Trace } from "./trace";

const SHEET = matchMedia("(max-width: 640px) and (min-height: 521px)"); // as in the style sheet
const PLOT_SECONDS = 10;
const RAD = 180 / Math.PI; // degrees in a radian

interface Measure {
  id: string;
  label: string;
  unit: string;
  digits: number;
  value(figures: Figures, hello: Hello): number;
  reference?(hello: Hello): number; // the same measure in the source clips, for comparison
  about: string;
}

const MEASURES: Measure[] = [
  {
    id: "speed",
    label: "Speed",
    unit: "m/s",
    digits: 2,
    value: (figures) => figures.speed,
    about: "Speed over the ground",
  },
  {
    id: "foot",
    label: "Support foot",
    unit: "cm/s",
    digits: 1,
    value: (figures) => 100 * figures.foot,
    reference: (hello) => 100 * hello.source_foot,
    about: "Ground speed of the lower foot; the dashed line is the mean of the captured data",
  },
  {
    id: "spin",
    label: "Foot spin",
    unit: "\u00b0/s",
    digits: 0,
    value: (figures) => RAD * figures.spin,
    reference: (hello) => RAD * hello.source_spin,
    about: "Yaw speed of the lower foot; the dashed line is the mean of the captured data",
  },
  {
    id: "twist",
    label: "Torso twist",
    unit: "\u00b0",
    digits: 0,
    value: (figures) => RAD * figures.twist,
    reference: (hello) => RAD * hello.source_twist,
    about: "Yaw of the shoulders against the hips; the dashed line is the mean of the captured data",
  },
  {
    id: "replayed",
    label: "Replayed",
    unit: "%",
    digits: 0,
    value: (figures) => 100 * figures.replayed,
    about: "Share of the turning frames in the last second that repeat a recently shown moment of the data",
  },
  {
    id: "jerk",
    label: "Jerk",
    unit: "\u00d7 data",
    digits: 2,
    value: (figures, hello) => figures.jerk / hello.source_jerk,
    reference: () => 1,
    about: "Mean joint jerk relative to the captured data (dashed line)",
  },
  {
    id: "distance",
    label: "Data distance",
    unit: "\u00d7 data",
    digits: 2,
    value: (figures) => figures.distance,
    reference: () => 1,
    about: "Distance to the nearest captured state, relative to the spacing of captured states (dashed line)",
  },
];

interface Row {
  measure: Measure;
  number: HTMLElement;
  source: HTMLElement;
  spark: Sparkline;
}

export class FiguresPanel {
  readonly element: HTMLElement;
  private readonly response = make("span", { id: "figure-response", class: "number big" }, "\u2013");
  private readonly answer = make("span", { id: "figure-answered", class: "answer" });
  private readonly error = make("span", { id: "figure-error", class: "number big" }, "\u2013");
  private readonly errorPlot: ErrorPlot;
  private readonly rows: Row[];

  constructor(
    private readonly studio: Studio,
    private readonly trace: Trace,
  ) {
    this.errorPlot = new ErrorPlot(() => this.drawPlots());
    this.rows = MEASURES.map((measure) => ({
      measure,
      number: make("span", { id: `figure-${measure.id}`, class: "number" }, "\u2013"),
      source: make("span", { class: "source" }),
      spark: new Sparkline(() => this.drawPlots()),
    }));
    this.element = this.build();
    studio.on(
      "shown",
      atMostEvery(1000 / 15, () => this.drawPlots()),
    );
    studio.on(
      "shown",
      atMostEvery(150, () => this.showNumbers()),
    );
    studio.on("why", (open) => {
      if (open && SHEET.matches) this.setClosed(true); // there is room for one sheet
    });
  }

  drawPlots(): void {
    const { studio } = this;
    if (!studio.shown || !studio.hello) return;
    const last = studio.shown.number;
    const first = last - Math.round(PLOT_SECONDS / studio.hello.frame_time) + 1;
    const moments = this.trace.between(first, last);
    this.errorPlot.draw(moments, first, last); // also while folded, because it counts the pushes
    if (this.element.classList.contains("closed")) return;
    for (const { measure, spark } of this.rows) {
      const values = moments.map(
        (moment) => [moment.number, measure.value(moment.figures, studio.hello!)] as [number, number],
      );
      spark.draw(values, first, last, measure.reference?.(studio.hello));
    }
  }

  private build(): HTMLElement {
    const fold = button({ id: "figures-fold", title: "Collapse or expand the measures", icon: "chevron" }, () => {
      const closed = !this.element.classList.contains("closed");
      this.setClosed(closed);
      remember("figures", closed ? "closed" : "open");
    });
    const response = make("div", {
      class: "figure",
      title: "Time from the goal change until the character faces within 5\u00b0 of the goal",
    });
    response.append(
      make("span", { class: "label" }, "Response"),
      this.answer,
      this.response,
      make("span", { class: "unit" }, "s"),
    );
    const error = make("div", {
      class: "figure",
      title: "Angle from the current to the desired facing, positive to the left",
    });
    error.append(
      make("span", { class: "label" }, "Heading error"),
      this.error,
      make("span", { class: "unit" }, "\u00b0"),
    );
    const rows = this.rows.map(({ measure, number, source, spark }) => {
      const label = make("span", { class: "label" }, measure.label, source);
      const unit = make("span", { class: "unit" }, measure.unit);
      return make("div", { class: "measure", title: measure.about }, label, spark.canvas, number, unit);
    });
    const header = make("header", {}, make("h2", {}, "Measures"), fold);
    const body = make("div", { class: "figures-body" }, response, error, this.errorPlot.canvas, ...rows);
    const element = make("section", { id: "figures", class: "panel", "aria-label": "Measures" }, header, body);
    const remembered = recall("figures");
    const small = matchMedia("(max-width: 640px), (max-height: 520px)").matches;
    const closed = remembered === null ? small : remembered === "closed";
    element.classList.toggle("closed", closed);
    document.body.classList.toggle("figures-open", !closed);
    return element;
  }

  private setClosed(closed: boolean): void {
    this.element.classList.toggle("closed", closed);
    document.body.classList.toggle("figures-open", !closed);
    if (closed) return;
    if (SHEET.matches && this.studio.why) this.studio.openWhy(false);
    this.showNumbers();
  }

  private showNumbers(): void {
    const { shown, hello } = this.studio;
    if (!shown || !hello) return;
    const { figures } = shown;
    setText(this.response, fixed(figures.response, 2));
    setText(this.answer, figures.answered ? "reached" : "turning");
    this.answer.classList.toggle("done", figures.answered);
    setText(this.error, degrees(figures.error));
    for (const { measure, number, source } of this.rows) {
      setText(number, fixed(measure.value(figures, hello), measure.digits));
      if (measure.id === "foot") setText(source, `data ${fixed(100 * hello.source_foot, 1)}`);
    }
  }
}
