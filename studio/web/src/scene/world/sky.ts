// The sky: half a dome with a gradient from the horizon up.

import { BackSide, Color, Mesh, ShaderMaterial, SphereGeometry, type Vector3 } from "three";
import type { Palette } from "../palette";

const VERTEX = /* glsl */ `
  varying vec3 vDirection;
  void main() {
    vDirection = position;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

const FRAGMENT = /* glsl */ `
  uniform vec3 zenith;
  uniform vec3 horizon;
  varying vec3 vDirection;
  void main() {
    float height = max(normalize(vDirection).y, 0.0);
    gl_FragColor = vec4(mix(horizon, zenith, 1.0 - exp(-7.0 * height)), 1.0);
    #include <colorspace_fragment>
    gl_FragColor.rgb += (fract(52.98 * fract(dot(gl_FragCoord.xy, vec2(0.0671, 0.00584)))) - 0.5) / 255.0;
  }`;

export class Sky {
  readonly mesh: Mesh<SphereGeometry, ShaderMaterial>;

  constructor() {
    const geometry = new SphereGeometry(100, 24, 12, 0, 2 * Math.PI, 0, Math.PI / 2);
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { zenith: { value: new Color() }, horizon: { value: new Color() } },
      side: BackSide,
      depthWrite: false,
      depthTest: false,
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -2;
  }

  paint(palette: Palette): void {
    this.mesh.material.uniforms.zenith.value.copy(palette.zenith);
    this.mesh.material.uniforms.horizon.value.copy(palette.horizon);
  }

  /** Move the sky with the camera, so that the horizon stays at eye height. */
  follow(eye: Vector3): void {
    this.mesh.position.copy(eye);
  }
}
