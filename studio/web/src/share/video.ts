// Records the scene as a video: what the canvas shows, at a constant rate by the clock.

import type { View } from "../scene/view";
import { webm, type Chunk, type Track } from "./webm";

const RATE = 30; // pictures per second
const BITS_PER_SECOND = 6e6;
const KEY_PICTURES = 2 * RATE; // from one picture that can be decoded alone to the next
const LONGEST_SECONDS = 600;
const MOST_WAITING = 4; // pictures that the encoder may be behind; beyond that the last one is shown longer
const CODECS = [
  { codec: "vp8", name: "V_VP8" },
  { codec: "vp09.00.31.08", name: "V_VP9" },
] as const;

export class VideoRecorder {
  count = 0; // pictures so far, at `RATE`
  private encoder: VideoEncoder | null = null;
  private canvas: OffscreenCanvas | null = null;
  private chunks: Chunk[] = [];
  private name: Track["codec"] = "V_VP8";
  private began = 0; // milliseconds of the page's clock
  private failure: Error | null = null;

  constructor(
    private readonly view: View,
    private readonly onChange: () => void,
  ) {
    view.onDrawn((canvas) => this.take(canvas));
  }

  get recording(): boolean {
    return this.encoder !== null;
  }

  get seconds(): number {
    return this.count / RATE;
  }

  /** Start; throws an `Error` with the reason if the browser cannot encode video. */
  async start(): Promise<void> {
    if (!("VideoEncoder" in window))
      throw new Error("This browser cannot encode video here. Open the page on this computer, in Chrome, Edge or Firefox.");
    const { width, height } = this.view.canvas;
    const size = { width: width & ~1, height: height & ~1 };
    const options = { ...size, bitrate: BITS_PER_SECOND, framerate: RATE };
    for (const { codec, name } of CODECS) {
      const { supported } = await VideoEncoder.isConfigSupported({ ...options, codec });
      if (!supported) continue;
      const encoder = new VideoEncoder({
        output: (chunk) => this.chunks.push(read(chunk)),
        error: (error) => (this.failure = error),
      });
      encoder.configure({ ...options, codec });
      Object.assign(this, { encoder, name, chunks: [], count: 0, failure: null, began: performance.now() });
      this.canvas = new OffscreenCanvas(size.width, size.height);
      this.view.keepDrawing(true);
      return this.onChange();
    }
    throw new Error("This browser has no encoder for VP8 or VP9.");
  }

  /** Stop and return the file. */
  async stop(): Promise<Blob> {
    const { encoder, canvas } = this;
    if (!encoder || !canvas) throw new Error("No video is being recorded.");
    this.encode(this.due());
    this.encoder = null;
    this.view.keepDrawing(false);
    this.onChange();
    if (encoder.state === "configured") await encoder.flush();
    if (encoder.state !== "closed") encoder.close();
    if (this.failure) throw this.failure;
    return webm({ codec: this.name, width: canvas.width, height: canvas.height, frameTime: 1000 / RATE }, this.chunks);
  }

  /** Return the number of pictures that should exist by now. */
  private due(): number {
    return Math.min(Math.round(((performance.now() - this.began) * RATE) / 1000), LONGEST_SECONDS * RATE);
  }

  /** Take the picture on `drawn`; times without a picture of their own show the one before. */
  private take(drawn: HTMLCanvasElement): void {
    if (!this.encoder || !this.canvas) return;
    const due = this.due();
    if (due <= this.count) return;
    if (this.count > 0 && this.encoder.encodeQueueSize > MOST_WAITING) return;
    if (this.count > 0) this.encode(due - 1);
    const { width, height } = this.canvas;
    this.canvas.getContext("2d")!.drawImage(drawn, 0, 0, width, height);
    this.encode(due);
    this.onChange();
  }

  /** Encode the picture on the canvas until there are `count` pictures. */
  private encode(count: number): void {
    while (this.count < count && this.encoder!.state === "configured") {
      const frame = new VideoFrame(this.canvas!, { timestamp: (this.count * 1e6) / RATE, duration: 1e6 / RATE });
      this.encoder!.encode(frame, { keyFrame: this.count % KEY_PICTURES === 0 });
      frame.close();
      this.count += 1;
    }
  }
}

function read(chunk: EncodedVideoChunk): Chunk {
  const data = new Uint8Array(chunk.byteLength);
  chunk.copyTo(data);
  return { data, time: chunk.timestamp / 1000, key: chunk.type === "key" };
}
