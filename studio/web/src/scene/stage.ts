// Renderer, sky, ground, light and camera: all parts of the scene that do not depend on the characters.

import { NeutralToneMapping, PCFShadowMap, Plane, Raycaster, Scene, Vector2, Vector3, WebGLRenderer } from "three";
import { CameraRig } from "./cameras";
import type { Palette } from "./palette";
import { Quality, WANTED } from "./quality";
import { Ground } from "./world/ground";
import { Lights } from "./world/lights";
import { Sky } from "./world/sky";

/** Reach of shadows around the selected character in metres, by the maximum number of characters. */
const SHADOW_REACH = [
  { count: 2, reach: 3.2 },
  { count: 8, reach: 6 },
  { count: Infinity, reach: 13 },
];

const FARTHEST_GROUND = 200; // metres; a screen position farther away counts as horizon
const GROUND = new Plane(new Vector3(0, 1, 0), 0);

export class Stage {
  readonly scene = new Scene();
  readonly rig = new CameraRig();
  dirty = true; // whether the picture is out of date
  private readonly renderer: WebGLRenderer;
  private readonly ground = new Ground();
  private readonly sky = new Sky();
  private readonly lights = new Lights();
  private readonly quality: Quality;
  private readonly caster = new Raycaster();
  private drawnLast = false;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = makeRenderer(canvas);
    canvas.addEventListener("webglcontextrestored", () => (this.dirty = true));
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.scene.add(this.ground.mesh, this.sky.mesh, this.lights.group);
    this.quality = new Quality(({ pixels, shadowSize }) => {
      this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, pixels));
      this.lights.setShadowSize(shadowSize);
      this.resize();
    });
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement ?? canvas);
  }

  paint(palette: Palette): void {
    this.renderer.setClearColor(palette.horizon);
    this.ground.paint(palette);
    this.sky.paint(palette);
    this.lights.paint(palette);
    this.dirty = true;
  }

  /** Draw the world around the camera's centre, `elapsed` seconds after the last call. */
  draw(count: number, elapsed: number): void {
    if (!this.dirty) {
      this.drawnLast = false;
      return;
    }
    const { rig } = this;
    const { reach } = SHADOW_REACH.find((one) => count <= one.count)!;
    this.lights.follow(rig.middle, reach, rig.yaw);
    this.ground.follow(rig.middle, Math.max(26, 4.5 * rig.distance), reach);
    this.sky.follow(rig.camera.position);
    this.renderer.render(this.scene, rig.camera);
    if (this.drawnLast) this.quality.note(elapsed);
    this.drawnLast = true;
    this.dirty = false;
  }

  /** Return a caster whose ray goes from the camera through a screen position, in CSS pixels. */
  aim(x: number, y: number): Raycaster {
    const box = this.canvas.getBoundingClientRect();
    const at = new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
    this.caster.setFromCamera(at, this.rig.camera);
    return this.caster;
  }

  /** Return the ground point at a screen position, if any. */
  pickGround(x: number, y: number): Vector3 | null {
    const { ray } = this.aim(x, y);
    const point = ray.intersectPlane(GROUND, new Vector3());
    return point && point.distanceTo(ray.origin) < FARTHEST_GROUND ? point : null;
  }

  /** Return the screen position of a world point, in CSS pixels. */
  screenOf(point: Vector3): { x: number; y: number } {
    const at = point.clone().project(this.rig.camera);
    const box = this.canvas.getBoundingClientRect();
    return { x: box.left + ((at.x + 1) / 2) * box.width, y: box.top + ((1 - at.y) / 2) * box.height };
  }

  private resize(): void {
    const width = this.canvas.clientWidth || window.innerWidth;
    const height = this.canvas.clientHeight || window.innerHeight;
    this.renderer.setSize(width, height, false); // the style sheet sets the size on the page
    this.rig.resize(width, height);
    this.rig.place();
    this.dirty = true;
  }
}

function makeRenderer(canvas: HTMLCanvasElement): WebGLRenderer {
  try {
    return new WebGLRenderer({ canvas, antialias: WANTED !== "fast", powerPreference: "high-performance" });
  } catch (error) {
    document.body.textContent = "The studio needs WebGL 2: enable hardware acceleration, or try another browser.";
    throw error;
  }
}
