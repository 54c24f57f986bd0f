// Links that reproduce a moment: the commands since the page was opened, and the frames at which they came.

import type { FromClient } from "../messages";

export interface Moment {
  page: number; // digest of the character, since another one would move differently
  number: number; // of the frame
  commands: [frame: number, command: FromClient][]; // each came after that frame
}

/** Commands that change where characters go. */
export const REPLAYED = new Set<string>(["steer", "go", "follow", "pace", "gather", "select"]);
export const LONGEST_FRAMES = 60_000; // frames of a moment that can be shared, about half an hour
const NAME = "#moment=";
const LONGEST_LINK = 100_000; // letters

export async function writeMoment(moment: Moment): Promise<string> {
  const data = await through(new TextEncoder().encode(JSON.stringify(moment)), new CompressionStream("deflate-raw"));
  const letters = btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join(""));
  return NAME + letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Return the moment in the end `hash` of an address; null if it has none. Throws an `Error` if it is broken. */
export async function readMoment(hash: string): Promise<Moment | null> {
  if (!hash.startsWith(NAME)) return null;
  try {
    if (hash.length > LONGEST_LINK) throw new Error("too long");
    const letters = atob(hash.slice(NAME.length).replaceAll("-", "+").replaceAll("_", "/"));
    const data = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const text = new TextDecoder().decode(await through(data, new DecompressionStream("deflate-raw")));
    const { page, number, commands } = JSON.parse(text) as Moment;
    const right = Number.isInteger(number) && number >= 1 && number <= LONGEST_FRAMES && Array.isArray(commands);
    if (!right || !commands.every(isCommand)) throw new Error("not a moment");
    return { page, number, commands };
  } catch {
    throw new Error("The link to this moment is broken.");
  }
}

function isCommand([frame, { type, ...values }]: Moment["commands"][number]): boolean {
  return Number.isInteger(frame) && REPLAYED.has(type) && Object.values(values).every(Number.isFinite);
}

/** Return a number that other bytes hardly have (FNV-1a). */
export function digest(bytes: Uint8Array): number {
  let hash = 2166136261;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 16777619);
  return hash >>> 0;
}

async function through(data: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([data]).stream().pipeThrough(stream)).arrayBuffer());
}
