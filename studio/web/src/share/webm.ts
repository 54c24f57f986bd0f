// Writes encoded pictures as a WebM file (https://www.webmproject.org/docs/container/), with its length and an index.

export interface Chunk {
  data: Uint8Array;
  time: number; // milliseconds
  key: boolean; // whether it can be decoded alone
}

export interface Track {
  codec: "V_VP8" | "V_VP9";
  width: number; // pixels
  height: number;
  frameTime: number; // milliseconds
}

const ID = {
  header: 0x1a45dfa3,
  segment: 0x18538067,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  track: 0xae,
  video: 0xe0,
  cues: 0x1c53bb6b,
  cue: 0xbb,
  cluster: 0x1f43b675,
  block: 0xa3,
};
const LONGEST_CLUSTER = 30000; // milliseconds; times in a cluster are 16-bit numbers

/** Return a file of `chunks`, which are in the order of their times and start with a key picture. */
export function webm(track: Track, chunks: Chunk[]): Blob {
  const length = chunks.length ? chunks.at(-1)!.time + track.frameTime : 0;
  const head = [
    element(ID.info, number(0x2ad7b1, 1e6), real(0x4489, length), text(0x4d80, "motionfields"), text(0x5741, "motionfields")),
    element(ID.tracks, trackEntry(track)),
  ];
  const clusters = clustersOf(chunks);
  const bodies = clusters.map(clusterBody);
  const before = size(head) + size([cues(clusters, bodies, 0)]); // the index has the same length whatever its places are
  const segment = [...head, cues(clusters, bodies, before), ...bodies];
  const header = element(
    ID.header,
    ...[number(0x4286, 1), number(0x42f7, 1), number(0x42f2, 4), number(0x42f3, 8)],
    ...[text(0x4282, "webm"), number(0x4287, 4), number(0x4285, 2)],
  );
  return new Blob([header, element(ID.segment, ...segment)] as BlobPart[], { type: "video/webm" });
}

function trackEntry({ codec, width, height, frameTime }: Track): Uint8Array {
  const picture = element(ID.video, number(0xb0, width), number(0xba, height));
  const facts = [number(0xd7, 1), number(0x73c5, 1), number(0x83, 1), text(0x86, codec)];
  return element(ID.track, ...facts, number(0x23e383, Math.round(frameTime * 1e6)), picture);
}

/** Divide `chunks` into clusters, each of which starts with a key picture unless it would be too long. */
function clustersOf(chunks: Chunk[]): Chunk[][] {
  const clusters: Chunk[][] = [];
  for (const chunk of chunks) {
    const last = clusters.at(-1);
    if (!last || chunk.key || chunk.time - last[0].time > LONGEST_CLUSTER) clusters.push([chunk]);
    else last.push(chunk);
  }
  return clusters;
}

function clusterBody(chunks: Chunk[]): Uint8Array {
  const start = Math.round(chunks[0].time);
  const blocks = chunks.map(({ data, time, key }) => {
    const after = Math.round(time) - start;
    return element(ID.block, Uint8Array.of(0x81, after >> 8, after & 255, key ? 0x80 : 0), data);
  });
  return element(ID.cluster, number(0xe7, start), ...blocks);
}

/** Return the index of the clusters; `before` is the place of the first one in the segment, in bytes. */
function cues(clusters: Chunk[][], bodies: Uint8Array[], before: number): Uint8Array {
  let at = before;
  const entries = clusters.map(([first], i) => {
    const place = element(0xb7, number(0xf7, 1), number(0xf1, at));
    at += bodies[i].length;
    return element(ID.cue, number(0xb3, Math.round(first.time)), place);
  });
  return element(ID.cues, ...entries);
}

function element(id: number, ...content: Uint8Array[]): Uint8Array {
  const length = size(content);
  const out = new Uint8Array(idBytes(id).length + 8 + length);
  out.set(idBytes(id));
  let at = idBytes(id).length;
  const view = new DataView(out.buffer);
  view.setUint32(at, 0x01000000 | Math.floor(length / 2 ** 32)); // a length of eight bytes
  view.setUint32(at + 4, length % 2 ** 32);
  at += 8;
  for (const part of content) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

const size = (parts: Uint8Array[]) => parts.reduce((sum, part) => sum + part.length, 0);

function idBytes(id: number): number[] {
  const bytes = [id >>> 24, (id >>> 16) & 255, (id >>> 8) & 255, id & 255];
  return bytes.slice(bytes.findIndex((byte) => byte > 0));
}

/** A whole number, in eight bytes. */
function number(id: number, value: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, BigInt(value));
  return element(id, new Uint8Array(bytes.buffer));
}

function real(id: number, value: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, value);
  return element(id, new Uint8Array(bytes.buffer));
}

const text = (id: number, value: string) => element(id, new TextEncoder().encode(value));
