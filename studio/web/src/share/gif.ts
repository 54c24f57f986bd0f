// Writes pictures as an animated GIF (version 89a): one palette for all, and only the pixels that changed.

const COLORS = 255; // in the palette; the last number stands for a pixel that did not change
const SAME = 255;

/** An animation of pictures of one size that repeats for ever. */
export class Gif {
  private readonly out: number[] = [];
  private readonly nearest = new Int16Array(1 << 18).fill(-1); // number of the palette, by colours of 6 bits
  private palette: number[][] = [];
  private last: Uint8Array | null = null;

  constructor(
    private readonly width: number,
    private readonly height: number,
  ) {}

  /** Add a picture [pixel, 4] of red, green, blue and alpha, shown for `hundredths` of a second. */
  add(pixels: Uint8ClampedArray, hundredths: number): void {
    if (!this.last) this.begin(pixels);
    const numbers = new Uint8Array(this.width * this.height);
    for (let i = 0; i < numbers.length; i += 1)
      numbers[i] = this.numberOf(pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2]);
    const { last } = this;
    const changed = last ? numbers.map((value, i) => (value === last[i] ? SAME : value)) : numbers;
    this.last = numbers;
    this.put(0x21, 0xf9, 4, 0b101, hundredths & 255, hundredths >> 8, SAME, 0); // keep the picture below; transparency
    this.put(0x2c, 0, 0, 0, 0, ...short(this.width), ...short(this.height), 0);
    this.put(8);
    for (const byte of blocks(compressed(changed))) this.out.push(byte);
  }

  finish(): Blob {
    this.put(0x3b);
    return new Blob([Uint8Array.from(this.out)], { type: "image/gif" });
  }

  private begin(pixels: Uint8ClampedArray): void {
    this.palette = medianCut(pixels);
    this.put(...bytesOf("GIF89a"), ...short(this.width), ...short(this.height), 0xf7, 0, 0);
    for (let i = 0; i < 256; i += 1) this.put(...(this.palette[i] ?? [0, 0, 0]));
    this.put(0x21, 0xff, 11, ...bytesOf("NETSCAPE2.0"), 3, 1, 0, 0, 0);
  }

  private put(...bytes: number[]): void {
    for (const byte of bytes) this.out.push(byte);
  }

  private numberOf(red: number, green: number, blue: number): number {
    const bin = binOf(red, green, blue);
    if (this.nearest[bin] < 0) {
      const off = ([r, g, b]: number[]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
      let best = 0;
      for (let i = 1; i < this.palette.length; i += 1) if (off(this.palette[i]) < off(this.palette[best])) best = i;
      this.nearest[bin] = best;
    }
    return this.nearest[bin];
  }
}

const binOf = (red: number, green: number, blue: number) => ((red >> 2) << 12) | ((green >> 2) << 6) | (blue >> 2);
const short = (value: number) => [value & 255, value >> 8];
const bytesOf = (text: string) => [...text].map((letter) => letter.charCodeAt(0));

/** Return `COLORS` colours of a picture: boxes of colours are halved, the one with most pixels times extent first. */
function medianCut(pixels: Uint8ClampedArray): number[][] {
  const bins = new Map<number, number[]>(); // sums of red, green and blue, and their count
  for (let i = 0; i < pixels.length; i += 4) {
    const bin = binOf(pixels[i], pixels[i + 1], pixels[i + 2]);
    let sums = bins.get(bin);
    if (!sums) bins.set(bin, (sums = [0, 0, 0, 0]));
    for (let k = 0; k < 3; k += 1) sums[k] += pixels[i + k];
    sums[3] += 1;
  }
  const colors = [...bins.values()].map(([red, green, blue, count]) => [red / count, green / count, blue / count, count]);
  const boxes = [boxOf(colors)];
  while (boxes.length < COLORS) {
    const [widest] = boxes.splice(boxes.reduce((best, box, i) => (box.weight > boxes[best].weight ? i : best), 0), 1);
    if (widest.weight === 0) {
      boxes.push(widest);
      break;
    }
    const sorted = widest.colors.sort((one, other) => one[widest.axis] - other[widest.axis]);
    let [half, seen] = [0, 0];
    while (half < sorted.length - 1 && seen + sorted[half][3] <= widest.count / 2) seen += sorted[half++][3];
    half = Math.max(half, 1);
    boxes.push(boxOf(sorted.slice(0, half)), boxOf(sorted.slice(half)));
  }
  return boxes.map(({ colors: own, count }) =>
    [0, 1, 2].map((k) => Math.round(own.reduce((sum, color) => sum + color[k] * color[3], 0) / count)),
  );
}

/** A box of colours [red, green, blue, count]: its widest axis, and how much there is to gain by halving it. */
function boxOf(colors: number[][]): { colors: number[][]; count: number; axis: number; weight: number } {
  const extents = [0, 1, 2].map((k) => {
    const high = colors.reduce((most, color) => Math.max(most, color[k]), 0);
    return high - colors.reduce((least, color) => Math.min(least, color[k]), 255);
  });
  const axis = extents.indexOf(Math.max(...extents));
  const count = colors.reduce((sum, color) => sum + color[3], 0);
  return { colors, count, axis, weight: extents[axis] * Math.sqrt(count) };
}

/** Return `numbers` in the LZW code of GIF, for symbols of 8 bits. */
function compressed(numbers: Uint8Array): number[] {
  const [clear, end] = [256, 257];
  const out: number[] = [];
  let [bits, filled, width] = [0, 0, 9];
  let table = new Map<number, number>();
  let next = end + 1;
  const put = (code: number): void => {
    bits |= code << filled;
    for (filled += width; filled >= 8; filled -= 8, bits >>>= 8) out.push(bits & 255);
  };
  put(clear);
  let prefix = numbers[0];
  for (let i = 1; i < numbers.length; i += 1) {
    const key = (prefix << 8) | numbers[i];
    const known = table.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    put(prefix);
    prefix = numbers[i];
    if (next < 4096) {
      if (next === 1 << width) width += 1;
      table.set(key, next++);
    } else {
      put(clear);
      table = new Map();
      [next, width] = [end + 1, 9];
    }
  }
  put(prefix);
  put(end);
  if (filled > 0) out.push(bits & 255);
  return out;
}

/** Return `data` in blocks of at most 255 bytes, each after its length, and a zero. */
function blocks(data: number[]): number[] {
  const out: number[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const part = data.slice(at, at + 255);
    out.push(part.length, ...part);
  }
  return [...out, 0];
}
