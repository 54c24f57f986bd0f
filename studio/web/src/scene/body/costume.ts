// A character of the user's own: skinned meshes that are posed by the joints of the plain body.

import { decode } from "@msgpack/msgpack";
import { Bone, BufferAttribute, BufferGeometry, Color, DoubleSide, Group, Matrix4, MeshBasicMaterial } from "three";
import { MeshStandardMaterial, Quaternion, Skeleton, SkinnedMesh, SRGBColorSpace, Texture, Vector3 } from "three";
import { RepeatWrapping, type Material } from "three";
import { embedded } from "../../embedded";
import type { Costume, CostumeImage, CostumeLeg, CostumeMaterial, CostumeMesh, CostumeSurface } from "../../messages";
import type { WorldPose } from "../pose";

const MOST_DRESSED = 24; // characters; larger crowds show plain bodies

/** One character in the scene. */
interface Dressed {
  bones: Bone[];
  meshes: SkinnedMesh[];
}

export class Costumes {
  readonly group = new Group();
  ready = false; // whether the meshes have arrived
  private readonly dressed: Dressed[] = [];
  private readonly inverses: Matrix4[];
  private geometries: BufferGeometry[] = [];
  private materials: Material[] = [];
  private gone = false;
  private readonly root = new Vector3();
  private readonly places: Vector3[];
  private readonly turns: Quaternion[];
  private readonly corrections: Quaternion[];
  private readonly offsets: Vector3[];

  /** `onReady` is called when there is something to draw. */
  constructor(
    private readonly costume: Costume,
    onReady: () => void,
  ) {
    this.places = costume.parents.map(() => new Vector3());
    this.turns = costume.parents.map(() => new Quaternion());
    this.corrections = costume.turns.map((turn) => new Quaternion(...turn));
    this.offsets = costume.offsets.map((offset) => new Vector3(...offset));
    this.inverses = restInverses(costume);
    void this.load().then(onReady, (error: unknown) => console.error("the character cannot be shown", error));
  }

  /** Pose all characters of `world`; return whether they are shown, and not the plain bodies. */
  place(world: WorldPose): boolean {
    const shown = this.ready && world.count <= MOST_DRESSED;
    this.group.visible = shown;
    if (!shown) return false;
    while (this.dressed.length < world.count) this.dressed.push(this.dress());
    this.dressed.forEach(({ bones, meshes }, character) => {
      const present = character < world.count;
      for (const mesh of meshes) mesh.visible = present;
      if (present) this.pose(world, character, bones);
    });
    return true;
  }

  dispose(): void {
    this.gone = true;
    for (const geometry of this.geometries) geometry.dispose();
    for (const material of this.materials) disposeMaterial(material);
    for (const { meshes } of this.dressed) meshes[0]?.skeleton.dispose();
  }

  private pose(world: WorldPose, character: number, bones: Bone[]): void {
    const { hips, source_hips, legs, size } = this.costume;
    this.root.set(0, 0, 0);
    this.turn(world, character, NONE);
    for (const joint of source_hips) this.root.add(world.place(character, joint, point));
    for (const joint of hips) this.root.sub(this.places[joint]);
    this.root.multiplyScalar(0.5); // the middle of the hips is where that of the plain body is
    for (const place of this.places) place.add(this.root);
    const bent = new Map<number, Quaternion>();
    for (const leg of legs) {
      world.place(character, leg.source_ankle, target).sub(world.place(character, leg.source_toe, point));
      this.bend(leg, target.multiplyScalar(leg.stretch).add(point), bent);
    }
    this.turn(world, character, bent);
    scale.setScalar(size);
    bones.forEach((bone, joint) => bone.matrixWorld.compose(this.places[joint], this.turns[joint], scale));
  }

  /** Turn all joints as those of the plain body, except for the turns in `bent`, and place them from the root. */
  private turn(world: WorldPose, character: number, bent: ReadonlyMap<number, Quaternion>): void {
    const { parents, sources } = this.costume;
    parents.forEach((parent, joint) => {
      const [place, turn] = [this.places[joint], this.turns[joint]];
      const given = bent.get(joint);
      if (given) turn.copy(given);
      else if (sources[joint] >= 0) world.turn(character, sources[joint], turn).multiply(this.corrections[joint]);
      else if (parent >= 0) turn.copy(this.turns[parent]);
      else turn.identity();
      if (parent < 0) place.copy(this.root);
      else place.copy(this.offsets[joint]).applyQuaternion(this.turns[parent]).add(this.places[parent]);
    });
  }

  /** Add to `bent` the turns of hip and knee that bring the ankle of `leg` to `ankle`; the knee keeps its direction. */
  private bend({ hip, knee, ankle: foot }: CostumeLeg, ankle: Vector3, bent: Map<number, Quaternion>): void {
    const thigh = new Vector3().subVectors(this.places[knee], this.places[hip]);
    const shank = new Vector3().subVectors(this.places[foot], this.places[knee]);
    const reach = new Vector3().subVectors(ankle, this.places[hip]);
    const [upper, lower] = [thigh.length(), shank.length()];
    const longest = 0.9999 * (upper + lower);
    const distance = Math.min(Math.max(reach.length(), Math.abs(upper - lower) + 1e-4), longest);
    const along = reach.normalize();
    const aside = thigh.clone().addScaledVector(along, -thigh.dot(along));
    if (aside.lengthSq() < 1e-10 || upper < 1e-6 || lower < 1e-6) return;
    const near = (upper * upper + distance * distance - lower * lower) / (2 * distance);
    const away = Math.sqrt(Math.max(upper * upper - near * near, 0));
    const newThigh = aside.normalize().multiplyScalar(away).addScaledVector(along, near);
    const newShank = along.clone().multiplyScalar(distance).sub(newThigh);
    for (const [joint, was, is] of [[hip, thigh, newThigh], [knee, shank, newShank]] as const) {
      const swing = new Quaternion().setFromUnitVectors(was.normalize(), is.clone().normalize());
      bent.set(joint, swing.multiply(this.turns[joint]));
    }
  }

  private dress(): Dressed {
    const bones = this.costume.parents.map(() => new Bone());
    const skeleton = new Skeleton(bones, this.inverses);
    const meshes = this.geometries.map((geometry, index) => {
      const mesh = new SkinnedMesh(geometry, this.materials[index]);
      mesh.bind(skeleton, new Matrix4());
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false; // bones move away from the mesh's own bounds
      return mesh;
    });
    this.group.add(...meshes);
    return { bones, meshes };
  }

  private async load(): Promise<void> {
    const mesh = decode(await meshBytes()) as CostumeMesh;
    const images = await Promise.all(mesh.images.map(readImage));
    if (this.gone) return;
    this.geometries = mesh.surfaces.map(makeGeometry);
    this.materials = mesh.surfaces.map(({ material }) => makeMaterial(mesh.materials[material], images));
    this.ready = true;
  }
}

/** Return the mesh of the character: from this page if it was exported, else from the studio. */
async function meshBytes(): Promise<ArrayBuffer | Uint8Array> {
  if (document.getElementById("costume")) return embedded("costume");
  const answer = await fetch(new URL("costume.msgpack", document.baseURI));
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.arrayBuffer();
}

/** Return the inverse of each joint's matrix at rest, in the size of the file. */
function restInverses({ parents, offsets, size }: Costume): Matrix4[] {
  const places = offsets.map((offset) => new Vector3(...offset).divideScalar(size));
  places[0].set(0, 0, 0);
  parents.forEach((parent, joint) => parent >= 0 && places[joint].add(places[parent]));
  return places.map(({ x, y, z }) => new Matrix4().makeTranslation(-x, -y, -z));
}

function readImage({ kind, data }: CostumeImage): Promise<ImageBitmap> {
  const blob = new Blob([data.slice()], { type: kind });
  return createImageBitmap(blob, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
}

function makeGeometry(surface: CostumeSurface): BufferGeometry {
  const geometry = new BufferGeometry();
  const floats = (bytes: Uint8Array, width: number) => new BufferAttribute(new Float32Array(aligned(bytes)), width);
  geometry.setAttribute("position", floats(surface.positions, 3));
  geometry.setAttribute("normal", floats(surface.normals, 3));
  if (surface.texture_places.length) geometry.setAttribute("uv", floats(surface.texture_places, 2));
  geometry.setAttribute("skinIndex", new BufferAttribute(new Uint16Array(aligned(surface.joints)), 4));
  geometry.setAttribute("skinWeight", floats(surface.weights, 4));
  geometry.setIndex(new BufferAttribute(new Uint32Array(aligned(surface.triangles)), 1));
  return geometry;
}

/** Copy bytes out of a message: typed arrays need an aligned start. */
function aligned(bytes: Uint8Array): ArrayBuffer {
  return bytes.slice().buffer as ArrayBuffer;
}

function makeMaterial(told: CostumeMaterial | undefined, images: ImageBitmap[]): Material {
  if (!told) return new MeshStandardMaterial({ color: 0xbbbbbb, roughness: 0.8 });
  const map = texture(images[told.color_image], true);
  const common = {
    color: new Color().setRGB(...told.color),
    map,
    opacity: told.opacity,
    transparent: told.blended,
    alphaTest: told.cutoff,
    ...(told.two_sided ? { side: DoubleSide } : {}),
  };
  if (told.unlit) return new MeshBasicMaterial(common);
  const surface = texture(images[told.surface_image], false);
  return new MeshStandardMaterial({
    ...common,
    metalness: told.metalness,
    roughness: told.roughness,
    metalnessMap: surface,
    roughnessMap: surface,
    normalMap: texture(images[told.normal_image], false),
    emissive: new Color().setRGB(...told.emissive),
    emissiveMap: texture(images[told.emissive_image], true),
  });
}

function texture(image: ImageBitmap | undefined, colored: boolean): Texture | null {
  if (!image) return null;
  const made = new Texture(image);
  made.flipY = false;
  made.wrapS = made.wrapT = RepeatWrapping;
  if (colored) made.colorSpace = SRGBColorSpace;
  made.needsUpdate = true;
  return made;
}

function disposeMaterial(material: Material): void {
  for (const value of Object.values(material)) if (value instanceof Texture) value.dispose();
  material.dispose();
}

const NONE: ReadonlyMap<number, Quaternion> = new Map();
const target = new Vector3();
const point = new Vector3();
const scale = new Vector3();
