// History of the selected character over the last half minute, a few numbers per frame, for the timeline and the plots.

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
      if (now !== clips) this.moments.length = 0; // the states belong to another database
      clips = now;
    });
    studio.on("frame", (frame) => this.add(frame));
  }

  /** Return the moments from the frame `first` to the frame `last`. */
  between(first: number, last: number): Moment[] {
    return this.moments.slice(this.firstAt(first), this.firstAt(last + 1));
  }

  /** Return the moment of the frame `number`, or of the next frame received. */
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
      moments.pop(); // sent again after a reconnection
    else if (newest && frame.number < newest.number) moments.length = 0; // the server was restarted
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

/** Return whether the goal changed. Compares response times, since the heading to a fixed point changes as well. */
function goalChanged(before: Frame, after: Frame): boolean {
  if (before.selected !== after.selected) return false;
  const { response, answered } = before.figures;
  return after.figures.response < response - 1e-6 || (answered && !after.figures.answered);
}
