// A key light with shadows that stays with the selected character, a weaker one that stays with the camera, and the sky's.

import { DirectionalLight, Group, HemisphereLight, Vector3 } from "three";
import type { Palette } from "../palette";

const TOWARDS_KEY = new Vector3(0.55, 1.15, 0.4).normalize();
const FILL_ASIDE = 0.8; // radians to the left of the camera, so that what one sees is never all in the dark
const FILL_HEIGHT = 0.55;
const KEY_DISTANCE = 20;
const BIAS = 0.012; // metres, for each metre that shadows reach: their texels grow with it

export class Lights {
  readonly group = new Group();
  private readonly key = new DirectionalLight();
  private readonly fill = new DirectionalLight();
  private readonly sky = new HemisphereLight();
  private reach = 0;

  constructor() {
    const { shadow } = this.key;
    this.key.castShadow = true;
    shadow.camera.near = 1;
    shadow.camera.far = 2 * KEY_DISTANCE;
    shadow.radius = 3.5;
    this.group.add(this.key, this.key.target, this.fill, this.sky);
  }

  paint(palette: Palette): void {
    this.key.intensity = palette.keyLight;
    this.fill.intensity = palette.fillLight;
    this.fill.color.copy(palette.skyTint);
    this.sky.intensity = palette.skyLight;
    this.sky.color.copy(palette.skyTint);
    this.sky.groundColor.copy(palette.groundTint);
  }

  /** Cast shadows within `reach` metres of `middle`; `yaw` is the way the camera looks. */
  follow(middle: Vector3, reach: number, yaw: number): void {
    const { camera, mapSize } = this.key.shadow;
    if (reach !== this.reach) {
      this.reach = reach;
      camera.left = camera.bottom = -reach;
      camera.right = camera.top = reach;
      camera.updateProjectionMatrix();
      this.key.shadow.bias = (-BIAS * reach) / (camera.far - camera.near);
      this.key.shadow.normalBias = BIAS * reach;
    }
    const step = ((2 * reach) / mapSize.x) * 8; // whole texels, or the edges of shadows would crawl
    this.key.target.position.set(Math.round(middle.x / step) * step, 0, Math.round(middle.z / step) * step);
    this.key.position.copy(this.key.target.position).addScaledVector(TOWARDS_KEY, KEY_DISTANCE);
    const from = yaw + Math.PI - FILL_ASIDE;
    this.fill.position.set(Math.sin(from), FILL_HEIGHT, Math.cos(from));
  }

  /** The width of the shadow's texture; 0 for no shadows. */
  setShadowSize(size: number): void {
    const { shadow } = this.key;
    this.key.castShadow = size > 0;
    if (size === 0) return;
    shadow.mapSize.set(size, size);
    shadow.map?.dispose();
    shadow.map = null;
  }
}
