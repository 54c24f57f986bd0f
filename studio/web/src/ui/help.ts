// The hint of the first visit, and the overlay with all keys and gestures.

import { button, make } from "./dom";
import { recall, remember } from "./memory";

const KEYS: [title: string, rows: [keys: string[], what: string][]][] = [
  [
    "Steer",
    [
      [["W", "A", "S", "D"], "steer"],
      [["\u2191", "\u2190", "\u2193", "\u2192"], "steer"],
      [["Shift"], "slower"],
      [["B"], "throw a ball"],
      [["1", "2", "3"], "task"],
    ],
  ],
  [
    "Time",
    [
      [["Space"], "pause or play"],
      [[",", "."], "previous, next frame"],
      [["[", "]"], "slower, faster"],
      [["R"], "start or stop recording"],
      [["V"], "start or stop a video"],
      [["G"], "GIF of the last seconds"],
      [["K"], "link to this moment"],
    ],
  ],
  [
    "View",
    [
      [["C"], "next camera"],
      [["N"], "world with obstacles"],
      [["M"], "compare controllers"],
      [["Y"], "explain this frame"],
      [["L"], "light or dark theme"],
      [["O"], "body type"],
      [["H"], "this help"],
      [["Esc"], "close"],
    ],
  ],
];

const GESTURES: [title: string, rows: [how: string, what: string][]][] = [
  [
    "Mouse",
    [
      ["drag a body", "push it"],
      ["click the ground", "go there"],
      ["drag on the ground", "follow that line (task line)"],
      ["Shift + click", "throw a ball there"],
      ["click a body", "select that character"],
      ["in a world: drag an obstacle", "move it"],
      ["in a world: Shift + click", "send the other group: everyone in mode One, one in mode All"],
      ["drag elsewhere, wheel", "turn the camera, zoom"],
    ],
  ],
  [
    "Touch and gamepad",
    [
      ["stick, bottom left", "steer"],
      ["tap the ground", "go there"],
      ["drag a body", "push it"],
      ["two fingers", "turn the camera, zoom"],
      ["gamepad, left stick", "steer"],
    ],
  ],
];

export class Help {
  readonly dialog: HTMLDialogElement;

  /** `without` names what a page cannot do, in the words of the tables above. */
  constructor(without: string[] = []) {
    const close = button({ id: "help-close", title: "Close (Esc)", icon: "close" }, () => this.dialog.close());
    const sections = [
      ...KEYS.map(([title, rows]) =>
        section(
          title,
          rows
            .filter(([, what]) => !without.includes(what))
            .map(([keys, what]) => [keys.map((key) => make("kbd", {}, key)), what]),
        ),
      ),
      ...GESTURES.map(([title, rows]) =>
        section(
          title,
          rows.filter(([, what]) => !without.includes(what)).map(([how, what]) => [[make("span", {}, how)], what]),
        ),
      ),
    ];
    const header = make("header", {}, make("h2", {}, "Keys and gestures"), close);
    this.dialog = make("dialog", { id: "help", class: "panel", "aria-label": "Keys and gestures" }, header);
    this.dialog.append(make("div", { class: "help-body" }, ...sections));
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close(); // on the backdrop
    });
  }

  toggle(): void {
    if (this.dialog.open) this.dialog.close();
    else {
      this.dialog.showModal();
      (document.activeElement as HTMLElement | null)?.blur(); // otherwise the next space would press the close button
    }
  }
}

function section(title: string, rows: [HTMLElement[], string][]): HTMLElement {
  const list = make("dl");
  for (const [keys, what] of rows) list.append(make("dt", {}, ...keys), make("dd", {}, what));
  return make("section", {}, make("h3", {}, title), list);
}

/** Return the hint for new users; it is hidden once it has been dismissed. */
export function makeHint(own?: string[]): HTMLElement {
  const touch = matchMedia("(pointer: coarse)").matches;
  const words = own ?? (touch
    ? ["The stick steers", "tap the ground to go there", "drag the body to push", "Why? explains each frame"]
    : [
        "WASD or arrows steer",
        "drag the body to push",
        "click the ground to go there",
        "B throws a ball",
        "Y explains why",
      ]);
  const hint = make(
    "div",
    { id: "hint", class: "panel", role: "note" },
    make("p", {}, ...words.map((word) => make("span", {}, word))),
  );
  const dismiss = button({ id: "hint-close", title: "Dismiss the hint", icon: "close" }, () => {
    remember("hint", "seen");
    hint.remove();
  });
  hint.append(dismiss);
  hint.hidden = recall("hint") === "seen";
  return hint;
}
