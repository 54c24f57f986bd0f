// Goal of the selected character: a pin at a point, or a line on the ground.

import {
  Color,
  ConeGeometry,
  Group,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  RingGeometry,
  ShaderMaterial,
  SphereGeometry,
  type Vector3,
} from "three";
import type { Goal } from "../../messages";
import type { Palette } from "../palette";
import { flatMaterial } from "./flat_material";

const LINE_LENGTH = 120;
const LINE_WIDTH = 0.7; // metres, width of the strip that the line and its arrowheads are drawn on
const EASE_SECONDS = 0.1;

const VERTEX = /* glsl */ `
  varying vec2 vAt;
  void main() {
    vAt = position.xz;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

const FRAGMENT = /* glsl */ `
  uniform vec3 color;
  uniform float phase; // metres along the line, so that its arrowheads stay where they are
  uniform float opacity;
  varying vec2 vAt; // across, along
  float cover(float away, float half_width) {
    float pixel = fwidth(away);
    return 1.0 - smoothstep(half_width - 0.5 * pixel, half_width + pixel, away);
  }
  void main() {
    float across = abs(vAt.x);
    float line = 0.75 * cover(across, 0.018);
    float along = vAt.y + phase + across * 0.9;
    float head = cover(abs(fract(along / 2.0) - 0.5) * 2.0, 0.035) * cover(across, 0.17);
    float fade = 1.0 - smoothstep(6.0, 34.0, abs(vAt.y));
    gl_FragColor = vec4(color, opacity * fade * max(line, head));
    #include <colorspace_fragment>
  }`;

export class GoalMark {
  readonly group = new Group();
  private readonly line: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly pin = new Group();
  private readonly flat = flatMaterial();
  private readonly solid = new MeshStandardMaterial({ roughness: 0.5 });
  private size = 0; // of the pin, eased
  private strength = 0; // of the line, eased

  constructor() {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { color: { value: new Color() }, phase: { value: 0 }, opacity: { value: 0 } },
      transparent: true,
      depthWrite: false,
    });
    this.line = new Mesh(new PlaneGeometry(LINE_WIDTH, LINE_LENGTH).rotateX(-Math.PI / 2), material);
    this.line.frustumCulled = false;
    this.line.renderOrder = 3;
    this.line.position.y = 0.003;
    this.makePin();
    this.group.add(this.line, this.pin);
  }

  paint(palette: Palette): void {
    this.flat.color.copy(palette.accent);
    this.solid.color.copy(palette.accent);
    this.line.material.uniforms.color.value.copy(palette.accent);
  }

  /** Place the mark; return whether it is still easing. */
  place(root: Vector3, goal: Goal | null, elapsed: number): boolean {
    const share = 1 - Math.exp(-elapsed / EASE_SECONDS);
    const sizeLeft = (goal?.kind === "point" ? 1 : 0) - this.size;
    const strengthLeft = (goal?.kind === "line" ? 0.9 : 0) - this.strength;
    this.size += share * sizeLeft;
    this.strength += share * strengthLeft;
    this.pin.visible = this.size > 0.02;
    this.line.visible = this.strength > 0.01;
    if (goal?.kind === "point") this.pin.position.set(goal.x, 0, goal.z);
    this.pin.scale.setScalar(Math.max(this.size, 1e-3));
    if (goal?.kind === "line") this.lay(root, goal);
    this.line.material.uniforms.opacity.value = this.strength;
    return Math.abs(sizeLeft) + Math.abs(strengthLeft) > 1e-3;
  }

  /** Place the strip along the line, with its middle at the point nearest to the character. */
  private lay(root: Vector3, goal: Goal): void {
    const [sin, cos] = [Math.sin(goal.heading), Math.cos(goal.heading)];
    const along = (root.x - goal.x) * sin + (root.z - goal.z) * cos;
    this.line.position.x = goal.x + along * sin;
    this.line.position.z = goal.z + along * cos;
    this.line.rotation.y = goal.heading;
    this.line.material.uniforms.phase.value = along;
  }

  private makePin(): void {
    const ring = new Mesh(new RingGeometry(0.2, 0.235, 48).rotateX(-Math.PI / 2), this.flat);
    const dot = new Mesh(new RingGeometry(0, 0.05, 24).rotateX(-Math.PI / 2), this.flat);
    ring.position.y = dot.position.y = 0.005;
    ring.renderOrder = dot.renderOrder = 3;
    const tip = new Mesh(new ConeGeometry(0.076, 0.27, 28, 1, true).rotateX(Math.PI).translate(0, 0.2, 0), this.solid);
    const top = new Mesh(new SphereGeometry(0.092, 28, 20).translate(0, 0.38, 0), this.solid);
    tip.castShadow = top.castShadow = true;
    this.pin.add(ring, dot, tip, top);
  }
}
