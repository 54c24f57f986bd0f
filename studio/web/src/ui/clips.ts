// Lookup of the clip that a state belongs to, and the colour of that clip everywhere in the page.

import type { ClipInfo, Frame } from "../messages";
import { make } from "./dom";

export interface PlaceInClip {
  clip: number; // its index
  name: string;
  frame: number;
  length: number | null; // null for the last clip, since only the start of the next clip marks an end
}

/** Return the place of the state `row`: in the clip with the largest start that is not after it. */
export function placeInClip(clips: ClipInfo[], row: number): PlaceInClip | null {
  let low = 0;
  let high = clips.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (clips[middle].start <= row) low = middle + 1;
    else high = middle;
  }
  const clip = low - 1;
  if (clip < 0) return null;
  const { name, start } = clips[clip];
  const next = clips[clip + 1];
  return { clip, name, frame: row - start, length: next ? next.start - start : null };
}

/** Return the current state of the selected character; -1 if the frame does not contain it. */
export function selectedRow(frame: Frame): number {
  const at = 4 * frame.selected;
  if (at + 4 > frame.states.byteLength) return -1;
  return new DataView(frame.states.buffer, frame.states.byteOffset + at, 4).getInt32(0, true);
}

/** Return a hue in degrees that depends only on the name, so that a clip looks the same in every session. */
export function clipHue(name: string): number {
  let hash = 2166136261;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822519); // mix again: many names differ only in their last letters
  return ((hash ^ (hash >>> 13)) >>> 0) % 360;
}

export function clipColor(name: string, lightness: string): string {
  return `oklch(${lightness} 0.085 ${clipHue(name)})`;
}

export function swatch(name: string): HTMLElement {
  return make("i", { class: "swatch", style: `--hue: ${clipHue(name)}` });
}
