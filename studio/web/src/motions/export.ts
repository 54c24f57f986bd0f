// Menu of downloads.

import { make } from "../ui/dom";
import { icon } from "../ui/icons";

export interface Download {
  id: string;
  label: string;
  file: string; // name to save it as
  href: () => string | null; // null if there is nothing to save yet
}

export function exportMenu(entries: Download[]): HTMLElement {
  const summary = make("summary", { id: "export", class: "button", title: "Export" }, icon("download"), "Export");
  const menu = make("details", { class: "menu" }, summary);
  const list = make("div", { class: "menu-list panel" });
  for (const { id, label, file, href } of entries) {
    const link = make("a", { id, class: "button", href: "#", download: file }, label);
    link.addEventListener("click", (event) => {
      const address = href();
      if (address === null) return event.preventDefault();
      link.href = address;
      menu.open = false;
    });
    list.append(link);
  }
  menu.append(list);
  return menu;
}

/** Return the address of a JSON file with this text. */
export function jsonAddress(text: string): string {
  return URL.createObjectURL(new Blob([text], { type: "application/json" }));
}
