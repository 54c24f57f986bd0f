// Menu of downloads: the selected motion, the timeline and the labels.

import { exportMenu, jsonAddress } from "../motions/export";
import type { Composer } from "./composer";

export function composeExport(composer: Composer): HTMLElement {
  const motion = (suffix: string) => () =>
    composer.selected ? `motion-${composer.selected.motion.number}.${suffix}` : null;
  return exportMenu([
    { id: "export-glb", label: "Motion, glTF", file: "composed.glb", href: motion("glb") },
    { id: "export-bvh", label: "Motion, BVH", file: "composed.bvh", href: motion("bvh") },
    {
      id: "export-timeline",
      label: "Timeline, JSON",
      file: "timeline.json",
      href: () => jsonAddress(composer.document.write()),
    },
    { id: "export-labels", label: "Labels with answers, CSV", file: "labels.csv", href: () => "labels.csv" },
  ]);
}
