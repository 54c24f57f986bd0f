// Geometry of the rows: times as shares of the width of a strip.

import type { Composer } from "./composer";

/** Set the left edge and the width of `element` to those of a stretch of time. */
export function stretch(element: HTMLElement, composer: Composer, start: number, end: number): void {
  element.style.left = `${(100 * start) / composer.seconds}%`;
  element.style.width = `${(100 * (end - start)) / composer.seconds}%`;
}

/** Return the time under the pointer, within the timeline. */
export function timeAt(event: PointerEvent, strip: HTMLElement, composer: Composer): number {
  const box = strip.getBoundingClientRect();
  return Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1) * composer.seconds;
}

/** Call `move` while the pointer is dragged from `event` on, and `end` when it is released. */
export function dragFrom(
  event: PointerEvent,
  element: HTMLElement,
  move: (event: PointerEvent) => void,
  end: () => void,
): void {
  event.preventDefault();
  event.stopPropagation();
  element.setPointerCapture(event.pointerId);
  const stop = (): void => {
    element.removeEventListener("pointermove", move);
    end();
  };
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", stop, { once: true });
}
