// Strokes in the scene: curves that joints follow, and dots at the joints that can be drawn for.

import { CatmullRomCurve3, Group, Mesh, MeshBasicMaterial, SphereGeometry, TubeGeometry, Vector3 } from "three";
import type { Palette } from "../scene/palette";
import type { StrokeEntry } from "./document";

const RADIUS = 0.012; // metres
const DOT = 0.035; // metres
const MOST_POINTS = 300;

export class StrokeMeshes {
  readonly group = new Group();
  private readonly tubes = new Group();
  private readonly dots = new Group();
  private readonly line = unlit();
  private readonly dot = unlit();
  private readonly chosen = unlit();

  constructor() {
    this.dot.depthTest = this.chosen.depthTest = false;
    this.group.add(this.tubes, this.dots);
  }

  paint(palette: Palette): void {
    this.line.color.copy(palette.accent);
    this.dot.color.copy(palette.neighbor);
    this.chosen.color.copy(palette.accent);
  }

  /** Show the strokes that are not on the ground. */
  show(strokes: StrokeEntry[]): void {
    for (const tube of this.tubes.children as Mesh[]) tube.geometry.dispose();
    this.tubes.clear();
    for (const stroke of strokes) {
      const points = spacePoints(stroke);
      if (points.length < 2) continue;
      const curve = new CatmullRomCurve3(points, false, "centripetal");
      this.tubes.add(new Mesh(new TubeGeometry(curve, Math.min(2 * points.length, MOST_POINTS), RADIUS, 8), this.line));
    }
  }

  /** Show dots at joints; none if `places` is empty. */
  showJoints(places: Vector3[], chosen: number): void {
    while (this.dots.children.length < places.length) this.dots.add(new Mesh(SPHERE, this.dot));
    this.dots.children.forEach((dot, i) => {
      dot.visible = i < places.length;
      if (!dot.visible) return;
      (dot as Mesh).material = i === chosen ? this.chosen : this.dot;
      dot.scale.setScalar(i === chosen ? 1.35 : 1);
      dot.renderOrder = 20;
      dot.position.copy(places[i]);
    });
  }
}

/** Return the points of a stroke in space; none for one on the ground. */
function spacePoints(stroke: StrokeEntry): Vector3[] {
  const stride = Math.max(1, Math.ceil(stroke.points_m.length / MOST_POINTS));
  const points = stroke.points_m.filter((_, i) => i % stride === 0);
  if (stroke.view) {
    const [origin, right, up] = [stroke.view.origin_m, stroke.view.right, stroke.view.up].map((vector) =>
      new Vector3().fromArray(vector),
    );
    return points.map(([a, b]) => origin.clone().addScaledVector(right, a).addScaledVector(up, b));
  }
  return points.filter((point) => point.length === 3).map((point) => new Vector3().fromArray(point));
}

const SPHERE = new SphereGeometry(DOT, 20, 14);

function unlit(): MeshBasicMaterial {
  return new MeshBasicMaterial({ toneMapped: false, transparent: true, opacity: 0.95 });
}
