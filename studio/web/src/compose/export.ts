// Menu of downloads: the selected motion, the timeline and the labels.

import { make } from "../ui/dom";
import { icon } from "../ui/icons";
import type { Composer } from "./composer";

export function exportMenu(composer: Composer): HTMLElement {
  const entries = [
    ["export-glb", "Motion, glTF", () => `motion-${composer.selected?.motion.number}.glb`, "composed.glb"],
    ["export-bvh", "Motion, BVH", () => `motion-${composer.selected?.motion.number}.bvh`, "composed.bvh"],
    ["export-timeline", "Timeline, JSON", () => blobOf(composer.document.write()), "timeline.json"],
    ["export-labels", "Labels with answers, CSV", () => "labels.csv", "labels.csv"],
  ] as const;
  const summary = make("summary", { id: "export", class: "button", title: "Export" }, icon("download"), "Export");
  const menu = make("details", { class: "menu" }, summary);
  const list = make("div", { class: "menu-list panel" });
  for (const [id, label, href, file] of entries) {
    const link = make("a", { id, class: "button", href: "#", download: file }, label);
    link.addEventListener("click", (event) => {
      if (file.startsWith("composed") && !composer.selected) return event.preventDefault();
      link.href = href();
      menu.open = false;
    });
    list.append(link);
  }
  menu.append(list);
  return menu;
}

function blobOf(text: string): string {
  return URL.createObjectURL(new Blob([text], { type: "application/json" }));
}
