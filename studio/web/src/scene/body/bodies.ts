// The crowd's bodies: for each body type, one instanced mesh per part of the body, one instance per character.
// Neighbouring numbers have different body types and colours.

import { Color, Group, InstancedMesh, Matrix4, MeshLambertMaterial, MeshStandardMaterial } from "three";
import { Quaternion, Vector3, type Material, type Raycaster } from "three";
import { MOST_CHARACTERS, type Part } from "../../messages";
import type { Palette } from "../palette";
import type { Character, Pose, WorldPose } from "../pose";
import { detailFor, FINE, type Detail } from "./loft";
import { bodyShapes, BUILDS } from "./shape";

const PLANT_SECONDS = 0.12; // fade time of the light of a planted foot
const GLOW = 0.85; // colour share of the light on planted feet of the selected character
const FAINT_GLOW = 0.45; // the same for other characters

/** The part of a body that a ray meets first. */
export interface BodyHit {
  character: number;
  part: Part;
  point: Vector3;
}

export class Bodies {
  readonly group = new Group();
  readonly detail: Detail;
  readonly plantedShare = new Float32Array(MOST_CHARACTERS * 2); // eased brightness of left and right foot, 0 to 1
  private readonly meshes: InstancedMesh[]; // [build, part]
  private readonly material: Material;
  private readonly tones = { rim: { value: new Color() }, joint: { value: new Color() } };
  private colored = { selected: -1, count: -1, palette: null as Palette | null };

  constructor(
    private readonly hello: Character,
    seen: Pose,
    private first = 0, // body type of the first character
  ) {
    this.detail = detailFor(seen.count);
    const fine = this.detail === FINE;
    this.material = bodyMaterial(fine, this.tones);
    const shapes = BUILDS.flatMap((build) => bodyShapes(hello, seen, this.detail, build));
    this.meshes = shapes.map((shape) => {
      const mesh = new InstancedMesh(shape, this.material, MOST_CHARACTERS);
      mesh.castShadow = true;
      mesh.receiveShadow = fine;
      mesh.frustumCulled = false; // instances move away from the mesh's own bounds
      for (let i = 0; i < MOST_CHARACTERS; i += 1) mesh.setColorAt(i, WHITE);
      return mesh;
    });
    this.group.add(...this.meshes);
  }

  /** Give the first character another body type; the others change with it. */
  setFirst(first: number): void {
    this.first = first;
    this.colored.count = -1;
  }

  place(world: WorldPose): void {
    this.meshes.forEach((mesh, index) => {
      const { joint } = this.part(index);
      mesh.count = 0;
      for (const character of this.members(index, world.count)) {
        matrix.compose(world.place(character, joint, position), world.turn(character, joint, turn), ONE);
        mesh.setMatrixAt(mesh.count++, matrix);
      }
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null; // recomputed by picking
    });
  }

  /** Colour the bodies and return whether anything changed; `planted` [character, 2] marks planted feet. */
  color(count: number, selected: number, planted: Uint8Array, palette: Palette, elapsed: number): boolean {
    const { colored } = this;
    const all = colored.selected !== selected || colored.count !== count || colored.palette !== palette;
    const step = elapsed / PLANT_SECONDS;
    let changed = all;
    for (let foot = 0; foot < count * 2; foot += 1) {
      const [was, goal] = [this.plantedShare[foot], planted[foot] ? 1 : 0];
      if (was === goal) continue;
      this.plantedShare[foot] = was < goal ? Math.min(was + step, 1) : Math.max(was - step, 0);
      changed = true;
    }
    if (!changed) return false;
    this.colored = { selected, count, palette };
    this.tones.rim.value.copy(palette.rim);
    this.tones.joint.value.copy(palette.joint);
    this.meshes.forEach((mesh, index) => {
      const foot = this.hello.feet.indexOf(this.part(index).joint);
      if (!all && foot < 0) return;
      let instance = 0;
      for (const character of this.members(index, count)) {
        const isSelected = character === selected;
        tint(character, isSelected, palette, paint);
        const glow = isSelected ? GLOW : FAINT_GLOW;
        if (foot >= 0) paint.lerp(palette.planted, glow * this.plantedShare[character * 2 + foot]);
        mesh.setColorAt(instance++, paint);
      }
      mesh.instanceColor!.needsUpdate = true;
    });
    return true;
  }

  pick(ray: Raycaster): BodyHit | null {
    const [hit] = ray.intersectObjects(this.meshes, false);
    if (!hit || hit.instanceId === undefined) return null;
    const index = this.meshes.indexOf(hit.object as InstancedMesh);
    const character = this.members(index, Infinity).next().value! + BUILDS.length * hit.instanceId;
    return { character, part: this.part(index), point: hit.point };
  }

  private part(index: number): Part {
    return this.hello.parts[index % this.hello.parts.length];
  }

  /** Yield the characters below `count` whose body type is that of mesh `index`. */
  private *members(index: number, count: number): Generator<number, void> {
    const build = Math.floor(index / this.hello.parts.length);
    const first = (build - this.first + BUILDS.length) % BUILDS.length;
    for (let character = first; character < count; character += BUILDS.length) yield character;
  }

  dispose(): void {
    for (const mesh of this.meshes) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.material.dispose();
  }
}

/** Set `into` to the colour of a character: the selection colour, or a muted colour of its own. */
function tint(character: number, selected: boolean, palette: Palette, into: Color): void {
  if (selected) {
    into.copy(palette.selected);
    return;
  }
  const { l } = palette.body.getHSL(tone);
  into.setHSL((0.55 + character * 0.618034) % 1, 0.3, l * (0.8 + 0.25 * ((character * 0.754878) % 1)));
}

const DARK_VERTEX = "attribute float dark; varying float vDark;";
const DARK_FRAGMENT = "uniform vec3 rim; uniform vec3 joint; varying float vDark;";
const PAINT_JOINTS = /* glsl */ `
  float darkEdge = max( fwidth( vDark ), 1e-3 );
  diffuseColor.rgb = mix( diffuseColor.rgb, joint, smoothstep( 0.5 - darkEdge, 0.5 + darkEdge, vDark ) );`;
const ADD_RIM = /* glsl */ `
  outgoingLight += rim * pow( 1.0 - saturate( dot( normal, geometryViewDir ) ), 3.0 );`;

/** Return a matt material with dark joints, and a rim light that separates the body from the ground behind it. */
function bodyMaterial(fine: boolean, tones: { rim: { value: Color }; joint: { value: Color } }): Material {
  const material = fine ? new MeshStandardMaterial({ roughness: 0.58, metalness: 0 }) : new MeshLambertMaterial();
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, tones);
    shader.vertexShader = shader.vertexShader.replace("void main() {", `${DARK_VERTEX} void main() { vDark = dark;`);
    shader.fragmentShader = shader.fragmentShader
      .replace("void main() {", `${DARK_FRAGMENT} void main() {`)
      .replace("#include <color_fragment>", `#include <color_fragment>\n${PAINT_JOINTS}`)
      .replace("#include <opaque_fragment>", `${ADD_RIM}\n#include <opaque_fragment>`);
  };
  return material;
}

const WHITE = new Color(1, 1, 1);
const ONE = new Vector3(1, 1, 1);
const matrix = new Matrix4();
const position = new Vector3();
const turn = new Quaternion();
const paint = new Color();
const tone = { h: 0, s: 0, l: 0 };
