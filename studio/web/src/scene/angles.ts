// Directions over the ground are yaws in radians; angles that differ by full turns are the same direction.

/** Return the angle nearest to `reference` with the same direction as `angle`. */
export function nearest(angle: number, reference: number): number {
  return angle + 2 * Math.PI * Math.round((reference - angle) / (2 * Math.PI));
}
