// Bytes inside an exported page.

const [HEADER, ENTRY] = [64, 48]; // bytes of the header of a pack, and of the description of one section

/** Return the content of an element that holds base64 of compressed bytes. */
export async function embedded(id: string): Promise<Uint8Array<ArrayBuffer>> {
  const text = document.getElementById(id)!.textContent!;
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Return a pack whose sections are sorted by the significance of bytes (`by_significance` in Python) as it was. */
export function inOrder(pack: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const facts = new DataView(pack.buffer);
  for (let section = 0; section < facts.getUint32(12, true); section++) {
    const at = HEADER + section * ENTRY;
    const item = facts.getUint32(at + 16, true);
    const place = Number(facts.getBigUint64(at + 24, true));
    const sorted = pack.slice(place, place + Number(facts.getBigUint64(at + 32, true)));
    const count = sorted.length / item;
    for (let byte = 0; byte < item; byte++) {
      for (let k = 0; k < count; k++) pack[place + k * item + byte] = sorted[byte * count + k];
    }
  }
  return pack;
}
