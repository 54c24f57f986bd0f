// Bytes inside an exported page.

/** Return the content of an element that holds base64 of compressed bytes. */
export async function embedded(id: string): Promise<Uint8Array<ArrayBuffer>> {
  const text = document.getElementById(id)!.textContent!;
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
