// Marks under every foot: a soft contact shadow, and a ring of light while the foot is planted.

import { Color, InstancedMesh, Matrix4, PlaneGeometry, ShaderMaterial, Vector3 } from "three";
import { MOST_CHARACTERS, type Hello, type Part } from "../../messages";
import type { Palette } from "../palette";
import type { WorldPose } from "../pose";

const SPOT = 0.62; // metres across
const LOWEST = 0.06; // metres, height of the middle of a standing foot
const HIGHEST = 0.3; // metres; a foot at this height or above has no shadow

const VERTEX = /* glsl */ `
  varying vec2 vAt;
  varying vec3 vState;
  void main() {
    vAt = position.xz * 2.0;
    vState = instanceColor;
    gl_Position = projectionMatrix * modelViewMatrix * instanceMatrix * vec4(position, 1.0);
  }`;

const FRAGMENT = /* glsl */ `
  uniform vec3 light;
  uniform float darkness;
  varying vec2 vAt;
  varying vec3 vState; // how near the ground the foot is, how planted, how much it is looked at
  void main() {
    float away = length(vAt);
    float dark = darkness * vState.x * exp(-7.0 * away * away);
    float pixel = fwidth(away);
    float ring = 1.0 - smoothstep(0.5 * pixel, 0.5 * pixel + max(0.045, pixel), abs(away - 0.74));
    float glow = vState.y * vState.z * (0.5 * ring * vState.z + 0.42 * exp(-5.0 * away * away)) * smoothstep(1.0, 0.8, away);
    float alpha = 1.0 - (1.0 - dark) * (1.0 - glow);
    gl_FragColor = vec4(light * glow / max(alpha, 1e-4), alpha);
    #include <colorspace_fragment>
  }`;

export class Footmarks {
  readonly mesh: InstancedMesh<PlaneGeometry, ShaderMaterial>;
  private readonly feet: Part[];

  constructor(hello: Hello) {
    this.feet = hello.feet.map((joint) => hello.parts.find((part) => part.joint === joint)!).filter(Boolean);
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { light: { value: new Color() }, darkness: { value: 0 } },
      transparent: true,
      depthWrite: false,
    });
    this.mesh = new InstancedMesh(new PlaneGeometry(1, 1).rotateX(-Math.PI / 2), material, MOST_CHARACTERS * 2);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
    for (let i = 0; i < MOST_CHARACTERS * 2; i += 1) this.mesh.setColorAt(i, state);
  }

  paint(palette: Palette): void {
    this.mesh.material.uniforms.light.value.copy(palette.planted);
    this.mesh.material.uniforms.darkness.value = palette.shadow;
  }

  /** Place the marks under the feet; `planted` [character, 2] is the brightness of the rings, 0 to 1. */
  place(world: WorldPose, planted: Float32Array, selected: number): void {
    this.mesh.count = world.count * this.feet.length;
    for (let character = 0; character < world.count; character += 1) {
      this.feet.forEach((part, side) => {
        const at = character * this.feet.length + side;
        local.fromArray(part.start).lerp(end.fromArray(part.end), 0.5);
        world.point(character, part.joint, local, middle);
        const near = 1 - Math.min(Math.max((middle.y - LOWEST) / (HIGHEST - LOWEST), 0), 1);
        matrix.makeScale(SPOT, 1, SPOT).setPosition(middle.x, 0.002, middle.z);
        this.mesh.setMatrixAt(at, matrix);
        this.mesh.setColorAt(at, state.setRGB(near, planted[character * 2 + side], character === selected ? 1 : 0.3));
      });
    }
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.instanceColor!.needsUpdate = true;
  }
}

const local = new Vector3();
const end = new Vector3();
const middle = new Vector3();
const matrix = new Matrix4();
const state = new Color();
