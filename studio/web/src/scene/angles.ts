// Directions over the ground are yaws in radians; the same direction has many.

/** The angle nearest to `reference` that is the same direction as `angle`. */
export function nearest(angle: number, reference: number): number {
  return angle + 2 * Math.PI * Math.round((reference - angle) / (2 * Math.PI));
}
