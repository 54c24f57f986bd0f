// An animated GIF of the last seconds, drawn again from the frames that the page has.

import type { View } from "../scene/view";
import type { Studio } from "../studio";
import { Gif } from "./gif";

const SECONDS = 5;
const RATE = 15; // pictures per second
const WIDTH = 480; // pixels at most

/** Return the GIF of the seconds before the displayed frame, as the camera sees the selected character now. */
export async function lastSeconds(studio: Studio, view: View): Promise<Blob> {
  const { hello, shown } = studio;
  if (!hello || !shown) throw new Error("There is nothing to show yet.");
  const until = studio.frames.filter((frame) => frame.number <= shown.number);
  const step = Math.max(Math.round(1 / (RATE * hello.frame_time)), 1);
  const frames = until.slice(-Math.round(SECONDS / hello.frame_time)).filter((_, i) => i % step === 0);
  const scale = Math.min(WIDTH / view.canvas.width, 1);
  const [width, height] = [Math.round(view.canvas.width * scale), Math.round(view.canvas.height * scale)];
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
  const gif = new Gif(width, height);
  let shownUntil = 0; // hundredths of a second, so that the whole has the right length
  for (const [i, frame] of frames.entries()) {
    await new Promise(requestAnimationFrame);
    view.drawPast(frame, (canvas) => context.drawImage(canvas, 0, 0, width, height));
    const end = Math.round((i + 1) * step * hello.frame_time * 100);
    gif.add(context.getImageData(0, 0, width, height).data, end - shownUntil);
    shownUntil = end;
  }
  return gif.finish();
}
