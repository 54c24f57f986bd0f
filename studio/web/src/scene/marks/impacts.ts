// Balls in the air, and pushes as arrows that remain visible for a moment after the push has ended.

import { Group, InstancedMesh, Matrix4, Mesh, MeshStandardMaterial, SphereGeometry, Vector3 } from "three";
import type { MeshBasicMaterial } from "three";
import type { Frame, PushState } from "../../messages";
import type { Palette } from "../palette";
import type { WorldPose } from "../pose";
import { flatMaterial } from "./flat_material";
import { SolidArrow } from "./solid_arrow";

const MOST_BALLS = 64;
const ARROWS = 8;
const FADE_SECONDS = 0.45;
const NEWTONS_PER_METRE = 400; // force per metre of arrow length
const FLASH_RADIUS = 0.11;

interface Impact {
  push: PushState;
  age: number; // seconds since it ended
  arrow: SolidArrow;
  flash: Mesh<SphereGeometry, MeshBasicMaterial>;
}

export class Impacts {
  readonly group = new Group();
  private readonly balls: InstancedMesh<SphereGeometry, MeshStandardMaterial>;
  private readonly impacts: Impact[] = [];

  constructor() {
    this.balls = new InstancedMesh(new SphereGeometry(1, 28, 20), new MeshStandardMaterial({ roughness: 0.45 }), MOST_BALLS);
    this.balls.castShadow = true;
    this.balls.frustumCulled = false;
    this.balls.count = 0;
    this.group.add(this.balls);
    for (let i = 0; i < ARROWS; i += 1) {
      const flash = new Mesh(new SphereGeometry(1, 20, 14), flatMaterial());
      const impact = { push: NOTHING, age: Infinity, arrow: new SolidArrow(), flash };
      flash.renderOrder = 11;
      flash.visible = false;
      this.impacts.push(impact);
      this.group.add(impact.arrow.group, flash);
    }
  }

  paint(palette: Palette): void {
    this.balls.material.color.copy(palette.ball);
    for (const { arrow, flash } of this.impacts) {
      arrow.paint(palette.push);
      flash.material.color.copy(palette.push);
    }
  }

  /** Interpolate the balls between two frames; if their number changes, show those of the later frame. */
  throwBalls(before: Frame, frame: Frame, share: number): void {
    const count = Math.min(frame.balls.length, MOST_BALLS);
    const alike = before.balls.length === frame.balls.length;
    for (let i = 0; i < count; i += 1) {
      const { position, radius } = frame.balls[i];
      at.fromArray(alike ? before.balls[i].position : position).lerp(to.fromArray(position), share);
      this.balls.setMatrixAt(i, matrix.makeScale(radius, radius, radius).setPosition(at));
    }
    this.balls.count = count;
    this.balls.instanceMatrix.needsUpdate = true;
  }

  /** Update the arrows; return whether one is still visible. */
  push(pushes: PushState[], world: WorldPose, elapsed: number): boolean {
    for (const impact of this.impacts) impact.age += elapsed;
    for (const push of pushes) {
      const same = ({ push: other }: Impact) => other.character === push.character && other.joint === push.joint;
      const oldest = () => this.impacts.reduce((old, impact) => (impact.age > old.age ? impact : old));
      const impact = this.impacts.find((one) => one.age < FADE_SECONDS && same(one)) ?? oldest();
      impact.push = push;
      impact.age = 0;
    }
    let seen = false;
    for (const impact of this.impacts) seen = this.draw(impact, world) || seen;
    return seen;
  }

  private draw({ push, age, arrow, flash }: Impact, world: WorldPose): boolean {
    const left = 1 - age / FADE_SECONDS;
    flash.visible = left > 0 && push.character < world.count;
    if (!flash.visible) {
      arrow.hide();
      return false;
    }
    world.point(push.character, push.joint, at.fromArray(push.point), at);
    to.fromArray(push.force).divideScalar(NEWTONS_PER_METRE);
    to.clampLength(0.15, 1.5).add(at);
    arrow.show(at, to, left);
    flash.position.copy(at);
    flash.scale.setScalar(FLASH_RADIUS * (1.25 - 0.6 * left));
    flash.material.opacity = 0.4 * left * left;
    return true;
  }
}

const NOTHING: PushState = { character: 0, joint: 0, point: [0, 0, 0], force: [0, 0, 0] };
const at = new Vector3();
const to = new Vector3();
const matrix = new Matrix4();
