// On-screen stick for thumbs; the style sheet shows it only on devices that are unlikely to have a keyboard.

import "./stick.css";
import type { Steer } from "./steer";

export function makeStick(steer: Steer): void {
  const stick = document.createElement("div");
  const knob = document.createElement("div");
  stick.className = "stick";
  stick.setAttribute("aria-label", "Steer");
  knob.className = "stick-knob";
  stick.append(knob);
  document.body.append(stick);
  let finger: number | null = null;

  function move(event: PointerEvent): void {
    const box = stick.getBoundingClientRect();
    const reach = (box.width - knob.offsetWidth) / 2;
    let x = (event.clientX - box.left - box.width / 2) / reach;
    let y = (event.clientY - box.top - box.height / 2) / reach;
    const over = Math.max(Math.hypot(x, y), 1);
    [x, y] = [x / over, y / over];
    knob.style.transform = `translate(${x * reach}px, ${y * reach}px)`;
    steer.ask("stick", x, -y);
  }

  function release(): void {
    finger = null;
    stick.classList.remove("held");
    knob.style.transform = "";
    steer.ask("stick", 0, 0);
  }

  stick.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    finger = event.pointerId;
    stick.setPointerCapture(finger);
    stick.classList.add("held");
    move(event);
  });
  stick.addEventListener("pointermove", (event) => {
    if (event.pointerId === finger) move(event);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const)
    stick.addEventListener(end, (event) => {
      if (event.pointerId === finger) release();
    });
}
