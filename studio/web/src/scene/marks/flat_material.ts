// Material of the marks: unlit, in the plain colours of the palette.

import { DoubleSide, MeshBasicMaterial } from "three";

/** Return a material; with `fading`, vertex colours have an alpha channel. */
export function flatMaterial(fading = false): MeshBasicMaterial {
  return new MeshBasicMaterial({
    vertexColors: fading,
    transparent: true,
    depthWrite: false, // marks overlap in one plane
    side: DoubleSide,
    toneMapped: false,
  });
}
