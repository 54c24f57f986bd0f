// The endless ground: a metre grid that fades into the horizon, receives shadows and is lighter around the character.
// It writes no depth, so that marks can be drawn on it without flicker.

import { Color, Mesh, PlaneGeometry, ShaderMaterial, UniformsLib, UniformsUtils, Vector2, type Vector3 } from "three";
import type { Palette } from "../palette";

const SIZE = 320; // metres

const VERTEX = /* glsl */ `
  #include <common>
  #include <shadowmap_pars_vertex>
  varying vec3 vWorld;
  void main() {
    #include <beginnormal_vertex>
    #include <defaultnormal_vertex>
    #include <begin_vertex>
    #include <project_vertex>
    #include <worldpos_vertex>
    #include <shadowmap_vertex>
    vWorld = (modelMatrix * vec4(position, 1.0)).xyz;
  }`;

const FRAGMENT = /* glsl */ `
  #include <common>
  #include <bsdfs>
  #include <lights_pars_begin>
  #include <shadowmap_pars_fragment>
  #include <shadowmask_pars_fragment>
  uniform vec3 ground;
  uniform vec3 horizon;
  uniform vec3 line;
  uniform float lineStrength;
  uniform float shadowStrength;
  uniform float shadowReach;
  uniform float poolStrength;
  uniform vec2 middle;
  uniform float reach;
  varying vec3 vWorld;

  // Share of a pixel, \`pixel\` metres wide, that the lines every \`spacing\` metres cover.
  float grid(float spacing, float width, vec2 pixel) {
    vec2 away = spacing * abs(fract(vWorld.xz / spacing - 0.5) - 0.5);
    vec2 cover = clamp((max(0.5 * width - 0.5 * pixel, 0.0) + pixel - away) / pixel, 0.0, 1.0);
    cover *= min(vec2(1.0), 1.6 * width / pixel + 0.25); // thinner than a pixel is fainter
    cover *= clamp((0.7 * spacing - pixel) / (0.45 * spacing), 0.0, 1.0); // and denser than pixels is gone
    return max(cover.x, cover.y);
  }

  void main() {
    float away = length(vWorld.xz - middle);
    float far = smoothstep(0.15 * reach, reach, away);
    float pool = 1.0 / (1.0 + away * away / (0.03 * reach * reach));
    vec3 color = ground * (1.0 + poolStrength * pool);
    vec2 pixel = max(fwidth(vWorld.xz), 1e-6);
    float lines = max(0.42 * grid(1.0, 0.009, pixel), grid(5.0, 0.016, pixel));
    color = mix(color, line, lineStrength * lines * (1.0 - far) * (0.55 + 0.45 * pool));
    if (away < shadowReach) // elsewhere there is none, and looking it up is what costs most
      color *= 1.0 - shadowStrength * (1.0 - getShadowMask()) * smoothstep(shadowReach, 0.8 * shadowReach, away);
    color = mix(color, horizon, far);
    gl_FragColor = vec4(color, 1.0);
    #include <colorspace_fragment>
    // Less than a step of an 8-bit display: a smooth gradient would show bands without it.
    gl_FragColor.rgb += (fract(52.98 * fract(dot(gl_FragCoord.xy, vec2(0.0671, 0.00584)))) - 0.5) / 255.0;
  }`;

export class Ground {
  readonly mesh: Mesh<PlaneGeometry, ShaderMaterial>;

  constructor() {
    const uniforms = UniformsUtils.merge([
      UniformsLib.lights,
      {
        ground: { value: new Color() },
        horizon: { value: new Color() },
        line: { value: new Color() },
        lineStrength: { value: 0 },
        shadowStrength: { value: 0 },
        shadowReach: { value: 0 },
        poolStrength: { value: 0 },
        middle: { value: new Vector2() },
        reach: { value: 40 },
      },
    ]);
    const shaders = { vertexShader: VERTEX, fragmentShader: FRAGMENT };
    const material = new ShaderMaterial({ ...shaders, uniforms, lights: true, depthWrite: false });
    this.mesh = new Mesh(new PlaneGeometry(SIZE, SIZE).rotateX(-Math.PI / 2), material);
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1;
  }

  paint(palette: Palette): void {
    const { uniforms } = this.mesh.material;
    uniforms.ground.value.copy(palette.ground);
    uniforms.horizon.value.copy(palette.horizon);
    uniforms.line.value.copy(palette.line);
    uniforms.lineStrength.value = palette.lineStrength;
    uniforms.shadowStrength.value = palette.shadow;
    uniforms.poolStrength.value = palette.pool;
  }

  /** Centre the ground under `middle`; it ends in the horizon at `reach` metres, shadows end at `shadowReach`. */
  follow(middle: Vector3, reach: number, shadowReach: number): void {
    this.mesh.position.set(middle.x, 0, middle.z);
    this.mesh.material.uniforms.middle.value.set(middle.x, middle.z);
    this.mesh.material.uniforms.reach.value = reach;
    this.mesh.material.uniforms.shadowReach.value = shadowReach;
  }
}
