// One plain sentence about a decision: the goal, what the character did, and why that was best.

import type { Action, ClipInfo, Reasons } from "../messages";
import { placeInClip, swatch } from "./clips";
import { make } from "./dom";

const AHEAD = Math.PI / 36; // radians; a goal within this is straight ahead

/** What the chosen action is better at than the next one, by the term of the score that differs most. */
const ADVANTAGES: Record<"reward" | "cost" | "future", string> = {
  reward: "has a higher reward now",
  cost: "is smoother",
  future: "reaches the goal sooner",
};

/** Return the sentence about `reasons`: text, and the name of the clip. */
export function inWords(reasons: Reasons, clips: ClipInfo[]): (Node | string)[] {
  const name = placeInClip(clips, reasons.chosen)?.name ?? `state ${reasons.chosen}`;
  const clip = [swatch(name), make("b", {}, name)];
  const goal = goalOf(reasons);
  if (reasons.action_count <= 1) return [`${goal}; it continues with `, ...clip, ", since no decision is due in this frame."];
  const stays = reasons.chosen === reasons.state;
  const did = stays ? "it continues with " : `it changes ${sameClip(reasons, clips) ? "to another frame of" : "to"} `;
  return [`${goal}; ${did}`, ...clip, `: that ${advantage(reasons.actions)} than the next best action.`];
}

function goalOf({ params, param_names }: Reasons): string {
  const speed = params[param_names.indexOf("speed")];
  if (speed === 0) return "The command is to stand";
  const angle = params[param_names.indexOf("angle")];
  if (angle === undefined) return "It follows its goal";
  if (Math.abs(angle) < AHEAD) return "The goal is straight ahead";
  const degrees = Math.round((Math.abs(angle) * 180) / Math.PI);
  return degrees > 175 ? "The goal is behind it" : `The goal is ${degrees}\u00b0 to the ${angle > 0 ? "left" : "right"}`;
}

function sameClip({ chosen, state }: Reasons, clips: ClipInfo[]): boolean {
  return placeInClip(clips, chosen)?.clip === placeInClip(clips, state)?.clip;
}

function advantage([best, next]: Action[]): string {
  if (!next) return "scores higher";
  const gains = { reward: best.reward - next.reward, cost: next.cost - best.cost, future: best.future - next.future };
  const terms = Object.keys(gains) as (keyof typeof gains)[];
  return ADVANTAGES[terms.reduce((most, term) => (gains[term] > gains[most] ? term : most))];
}
