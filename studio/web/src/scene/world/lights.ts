// A key light with shadows that follows the selected character, a fill light that follows the camera, and sky light.

import { DirectionalLight, Group, HemisphereLight, Vector3 } from "three";
import type { Palette } from "../palette";

const TOWARDS_KEY = new Vector3(0.55, 1.15, 0.4).normalize();
const FILL_ASIDE = 0.8; // radians to the left of the camera, so that the visible side is never completely dark
const FILL_HEIGHT = 0.55;
const KEY_DISTANCE = 20;
const BIAS = 0.012; // metres per metre of shadow reach, since texels grow with the reach

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

  /** Cast shadows within `reach` metres of `middle`; `yaw` is the yaw of the camera. */
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
    const step = ((2 * reach) / mapSize.x) * 8; // move in whole texels, so that shadow edges do not crawl
    this.key.target.position.set(Math.round(middle.x / step) * step, 0, Math.round(middle.z / step) * step);
    this.key.position.copy(this.key.target.position).addScaledVector(TOWARDS_KEY, KEY_DISTANCE);
    const from = yaw + Math.PI - FILL_ASIDE;
    this.fill.position.set(Math.sin(from), FILL_HEIGHT, Math.cos(from));
  }

  /** Set the width of the shadow map in texels; 0 for no shadows. */
  setShadowSize(size: number): void {
    const { shadow } = this.key;
    this.key.castShadow = size > 0;
    if (size === 0) return;
    shadow.mapSize.set(size, size);
    shadow.map?.dispose();
    shadow.map = null;
  }
}
