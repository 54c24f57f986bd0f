// The paint of marks: unlit, in the plain colours of the palette.

import { DoubleSide, MeshBasicMaterial } from "three";

/** With `fading`, vertices have colours with an alpha. */
export function flatMaterial(fading = false): MeshBasicMaterial {
  return new MeshBasicMaterial({
    vertexColors: fading,
    transparent: true,
    depthWrite: false, // they lie on each other
    side: DoubleSide,
    toneMapped: false,
  });
}
