// Ghosts: translucent bodies for the nearest database states and for the available actions.

import { Color, Group, InstancedMesh, Matrix4, Quaternion, ShaderMaterial, Vector3 } from "three";
import type { Reasons } from "../../messages";
import type { Palette } from "../palette";
import { readPose, WorldPose, type Character, type Pose } from "../pose";
import { COARSE } from "./loft";
import { bodyShapes } from "./shape";

const MOST = 64;
const NEIGHBORS_STRENGTH = 1.1; // total over all neighbours, since they nearly coincide
const ACTION_STRENGTH = 0.16;
const WINNER_STRENGTH = 0.85;

const VERTEX = /* glsl */ `
  varying vec3 vNormal;
  varying vec3 vView;
  varying vec3 vKind;
  void main() {
    vec4 place = modelViewMatrix * instanceMatrix * vec4(position, 1.0);
    vNormal = normalMatrix * mat3(instanceMatrix) * normal;
    vView = -place.xyz;
    vKind = instanceColor;
    gl_Position = projectionMatrix * place;
  }`;

const FRAGMENT = /* glsl */ `
  uniform vec3 neighbor;
  uniform vec3 action;
  varying vec3 vNormal;
  varying vec3 vView;
  varying vec3 vKind; // whether it is an action, how strong it is
  void main() {
    float edge = 1.0 - abs(dot(normalize(vNormal), normalize(vView)));
    float alpha = vKind.y * (0.1 + 0.9 * edge * edge);
    gl_FragColor = vec4(mix(neighbor, action, vKind.x), alpha);
    #include <colorspace_fragment>
  }`;

export class GhostBodies {
  readonly group = new Group();
  private readonly meshes: InstancedMesh[];
  private readonly world: WorldPose;
  private shown: { reasons: Reasons | null; kinds: object | null } = { reasons: null, kinds: null };
  private readonly material = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: { neighbor: { value: new Color() }, action: { value: new Color() } },
    transparent: true,
    depthWrite: false,
  });

  constructor(
    private readonly hello: Character,
    seen: Pose,
  ) {
    this.world = WorldPose.of(hello);
    this.meshes = bodyShapes(hello, seen, COARSE).map((shape) => {
      const mesh = new InstancedMesh(shape, this.material, MOST);
      mesh.frustumCulled = false;
      mesh.renderOrder = 10;
      for (let i = 0; i < MOST; i += 1) mesh.setColorAt(i, new Color());
      return mesh;
    });
    this.group.add(...this.meshes);
    this.group.visible = false;
  }

  paint(palette: Palette): void {
    this.material.uniforms.neighbor.value.copy(palette.neighbor);
    this.material.uniforms.action.value.copy(palette.action);
  }

  show(reasons: Reasons, kinds: { neighbors: boolean; actions: boolean }): void {
    this.group.visible = true;
    if (this.shown.reasons === reasons && this.shown.kinds === kinds) return;
    this.shown = { reasons, kinds };
    let count = 0;
    if (kinds.neighbors) {
      const pose = readPose(reasons.neighbor_ghosts);
      count = this.add(count, pose, 0, () => NEIGHBORS_STRENGTH / Math.max(pose.count ** 0.75, 2));
    }
    if (kinds.actions) {
      const strength = (rank: number) => (rank === 0 ? WINNER_STRENGTH : ACTION_STRENGTH);
      count = this.add(count, readPose(reasons.action_ghosts), 1, strength);
    }
    this.update(count);
  }

  /** Show the bodies of `pose` in the colour of actions. */
  showPose(pose: Pose): void {
    this.group.visible = true;
    this.shown = { reasons: null, kinds: null };
    this.update(this.add(0, pose, 1, () => WINNER_STRENGTH));
  }

  hide(): void {
    this.group.visible = false;
  }

  private update(count: number): void {
    for (const mesh of this.meshes) {
      mesh.count = count;
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  private add(first: number, pose: Pose, kind: number, strength: (rank: number) => number): number {
    this.world.set(pose);
    const count = Math.min(pose.count, MOST - first);
    this.meshes.forEach((mesh, index) => {
      const { joint } = this.hello.parts[index];
      for (let rank = 0; rank < count; rank += 1) {
        matrix.compose(this.world.place(rank, joint, position), this.world.turn(rank, joint, turn), ONE);
        mesh.setMatrixAt(first + rank, matrix);
        mesh.setColorAt(first + rank, code.setRGB(kind, strength(rank), 0));
      }
    });
    return first + count;
  }
}

const ONE = new Vector3(1, 1, 1);
const matrix = new Matrix4();
const position = new Vector3();
const turn = new Quaternion();
const code = new Color();
