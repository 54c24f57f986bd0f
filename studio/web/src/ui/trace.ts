// The last half minute of the selected character in a few numbers per frame: what the timeline and the plots draw.

import type { Figures, Frame } from "../messages";
import type { Studio } from "../studio";
import { placeInClip, selectedRow, type PlaceInClip } from "./clips";

export interface Moment {
  number: number;
  place: PlaceInClip | null;
  goalChanged: boolean;
  pushed: boolean;
  figures: Figures;
}

export class Trace {
  readonly moments: Moment[] = [];
  private last: Frame | null = null;

  constructor(private readonly studio: Studio) {
    let clips = "";
    studio.on("hello", (hello) => {
      const now = hello.clips.map((clip) => clip.name).join();
      if (now !== clips) this.moments.length = 0; // rows of other data
      clips = now;
    });
    studio.on("frame", (frame) => this.add(frame));
  }

  /** The moments from the frame `first` to the frame `last`. */
  between(first: number, last: number): Moment[] {
    return this.moments.slice(this.firstAt(first), this.firstAt(last + 1));
  }

  /** The moment of the frame `number`, or of the next one that came. */
  at(number: number): Moment | undefined {
    return this.moments[this.firstAt(number)];
  }

  private firstAt(number: number): number {
    let low = 0;
    let high = this.moments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.moments[middle].number < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private add(frame: Frame): void {
    const { moments, studio } = this;
    const newest = moments.at(-1);
    if (newest?.number === frame.number)
      moments.pop(); // told again when the link came back
    else if (newest && frame.number < newest.number) moments.length = 0; // the server began anew
    moments.push({
      number: frame.number,
      place: placeInClip(studio.hello?.clips ?? [], selectedRow(frame)),
      goalChanged: this.last !== null && goalChanged(this.last, frame),
      pushed: frame.pushes.some((push) => push.character === frame.selected),
      figures: frame.figures,
    });
    const oldest = studio.frames[0]?.number ?? frame.number;
    while (moments[0].number < oldest) moments.shift();
    this.last = frame;
  }
}

/** The heading towards a point changes all the time; the server's clock since the goal changed falls only when it did. */
function goalChanged(before: Frame, after: Frame): boolean {
  if (before.selected !== after.selected) return false;
  const { response, answered } = before.figures;
  return after.figures.response < response - 1e-6 || (answered && !after.figures.answered);
}
