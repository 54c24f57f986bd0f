"""A clip prepared for drawing: body, shadow, footprints and ground as filled polygons, back to front.

Filmstrips and animations both paint these shapes; they differ only in their placement.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.geometry import yaw_from_quat
from motionfields.base.runs import true_runs
from motionfields.measure.analysis.camera import Camera, best_camera, travel_yaw
from motionfields.measure.analysis.figure import Figure, body_figure, bone_figure
from motionfields.motion.body import Body, known_body
from motionfields.motion.clip import Clip, floor_height
from motionfields.motion.contacts import checked_labels, detect_contacts
from motionfields.motion.quality import facing_yaw

COLORS = {"left": "#2a78c8", "right": "#e0722b", "trunk": "#8d949e", "head": "#a7adb6", "face": "#5f6670"}
PRINT_COLORS = ("#8cc4ff", "#ffc48a")  # of a standing left and right foot
EDGE_COLOR = "#23272d"
MARK_COLOR = "#d3413b"
SHADOW_COLOR = "#cfd2d6"
GROUND_COLOR = "#eef0f2"
GRID_COLORS = ("#d3d7db", "#a9afb6")  # minor, major
EDGE_WIDTH = 0.008  # metres
PRINT_RIM = 0.03  # metres by which a footprint extends beyond the foot on it
DIRECTIONS = 2.0 * np.pi * np.arange(32) / 32
NORMALS = np.stack([np.cos(DIRECTIONS), np.sin(DIRECTIONS)], axis=-1)  # [direction, 2]


class Shape(NamedTuple):
    """One filled polygon of a picture."""

    points: FloatArray  # [corner, 2], metres to the right and up
    color: str  # "#rrggbb"


@dataclass(frozen=True, eq=False)
class Footprints:
    """Footprints, one row per contact; `discs` are heel, ball and toe tip, each the median over the contact."""

    sides: IntArray  # [print], 0 left, 1 right
    starts: IntArray  # [print], first frame
    stops: IntArray  # [print], one past the last frame
    discs: FloatArray  # [print, 3, 2], x and z in metres
    radii: FloatArray  # [3], metres

    def outlines(self, *, margin: float = 0.0) -> FloatArray:
        """Return the outline of each print [print, corner, 2], x and z in metres, enlarged by `margin` metres."""
        return hull_outlines(self.discs, np.broadcast_to(self.radii + margin, self.discs.shape[:-1]))


class Marks(NamedTuple):
    """Marks drawn over the body, each the hull of two balls.

    Two balls at one point give a ball; a ball of radius zero gives the tip of an arrow.
    """

    ends: FloatArray  # [frame, mark, 2, 3], metres in the world; NaN hides a mark
    radii: FloatArray  # [mark, 2], metres


@dataclass(frozen=True, eq=False)
class Scene:
    """Data for drawing any frame of a clip."""

    figure: Figure
    centers: FloatArray  # [frame, sphere, 3], metres in the world
    root: FloatArray  # [frame, 3]
    facing: FloatArray  # [frame], yaw in radians
    contacts: BoolArray  # [frame, 2]
    prints: Footprints
    ground_height: float  # metres
    camera: Camera
    frame_time: float  # seconds
    marks: Marks | None = None

    def below_root(self, frame: int) -> FloatArray:
        """Return the ground point [3] under the root."""
        return np.array([self.root[frame, 0], self.ground_height, self.root[frame, 2]])

    def shadow_shapes(self, frame: int, origin: FloatArray) -> list[Shape]:
        """Return the shadow of the body under a light straight above, relative to `origin` [3]."""
        spheres = self.figure.parts
        flat = hull_outlines(self.centers[frame, spheres][..., ::2], self.figure.radii[spheres])
        places = self._on_ground(flat, origin)
        return [Shape(points, SHADOW_COLOR) for points in places]

    def print_shapes(self, frame: int, origin: FloatArray, *, trail: bool = False) -> list[Shape]:
        """Return the marks under standing feet; with `trail` also earlier ones, paler.

        A mark stays in place during its contact, so a sliding foot moves off it visibly.
        """
        prints = self.prints
        now = (prints.starts <= frame) & (frame < prints.stops)
        shown = np.flatnonzero(prints.starts <= frame if trail else now)
        edges = self._on_ground(prints.outlines(margin=PRINT_RIM + 0.014)[shown], origin)
        fills = self._on_ground(prints.outlines(margin=PRINT_RIM)[shown], origin)
        shapes = []
        for row, edge, fill in zip(shown, edges, fills, strict=True):
            side = int(prints.sides[row])
            strong = COLORS["left" if side == 0 else "right"]
            shapes.append(Shape(edge, strong if now[row] else PRINT_COLORS[side]))
            shapes.append(Shape(fill, PRINT_COLORS[side] if now[row] else GROUND_COLOR))
        return shapes

    def body_shapes(self, frame: int, origin: FloatArray) -> list[Shape]:
        """Return the body's parts from farthest to nearest, each with a dark edge; farther limbs are paler."""
        figure = self.figure
        seen = self.camera.project(self.centers[frame] - origin)
        spheres = figure.parts
        fills = hull_outlines(seen[spheres][..., :2], figure.radii[spheres])
        edges = hull_outlines(seen[spheres][..., :2], figure.radii[spheres] + EDGE_WIDTH)
        # Padding weights this mean towards the upper end, so that a swinging leg does not jump behind the pelvis.
        depth = seen[spheres][..., 2].mean(axis=-1) + figure.biases
        middle = float(np.median(depth))
        shapes = []
        for part in np.argsort(depth, kind="stable"):
            pale = float(np.clip((middle - depth[part]) / 0.4, 0.0, 1.0)) * 0.35
            shapes.append(Shape(edges[part], EDGE_COLOR))
            shapes.append(Shape(fills[part], mixed(COLORS[figure.tones[part]], "#ffffff", pale)))
        return shapes

    def mark_shapes(self, frame: int, origin: FloatArray) -> list[Shape]:
        """Return the marks of this frame, each with a dark edge."""
        if self.marks is None:
            return []
        shown = np.isfinite(self.marks.ends[frame]).all(axis=(-1, -2))
        seen = self.camera.project(self.marks.ends[frame, shown] - origin)[..., :2]
        radii = self.marks.radii[shown]
        edges, fills = hull_outlines(seen, radii + EDGE_WIDTH), hull_outlines(seen, radii)
        pairs = zip(edges, fills, strict=True)
        return [shape for edge, fill in pairs for shape in (Shape(edge, EDGE_COLOR), Shape(fill, MARK_COLOR))]

    def extent(self, frames: IntArray, origins: FloatArray) -> tuple[float, float, float, float]:
        """Return left, right, bottom and top in metres of the body in `frames` [n], relative to `origins` [n, 3]."""
        seen = self.camera.project(self.centers[frames] - origins[:, np.newaxis])[..., :2]
        radii = self.figure.radii[:, np.newaxis] + EDGE_WIDTH
        low, high = (seen - radii).min(axis=(0, 1)), (seen + radii).max(axis=(0, 1))
        return float(low[0]), float(high[0]), float(low[1]), float(high[1])

    def _on_ground(self, outlines: FloatArray, origin: FloatArray) -> FloatArray:
        return self.camera.project_ground(outlines - np.asarray(origin)[::2], self.ground_height - origin[1])


def build_scene(
    clip: Clip,
    *,
    contacts: BoolArray | None = None,
    body: Body | None = None,
    ground_height: float | None = None,
    camera: Camera | None = None,
    marks: Marks | None = None,
) -> Scene:
    """Prepare `clip` for drawing.

    `contacts` [frame, 2] default to those detected, `ground_height` in metres to the soles of standing feet, and
    `camera` to a three-quarter side view of the walk.
    """
    if clip.frame_count == 0:
        raise ValueError("clip: expected at least one frame, got none")
    use, standing = body or known_body(clip.skeleton), checked_contacts(clip, contacts, body=body)
    world = clip.world()
    if use is None:
        figure, facing = bone_figure(clip.skeleton), np.unwrap(yaw_from_quat(clip.rotations[:, 0]))
    else:
        figure, facing = body_figure(clip.skeleton, use, world, standing), facing_yaw(clip, body=use)
    centers = figure.centers(world)
    return Scene(
        figure=figure,
        centers=centers,
        root=clip.root_position,
        facing=facing,
        contacts=standing,
        prints=find_footprints(figure, centers, standing),
        ground_height=_own_ground(clip, figure, centers, standing) if ground_height is None else ground_height,
        camera=camera or best_camera(travel_yaw(clip, facing), facing),
        frame_time=clip.frame_time,
        marks=_checked_marks(clip, marks),
    )


def _checked_marks(clip: Clip, marks: Marks | None) -> Marks | None:
    """Return `marks` if they fit `clip`; raise `ValueError` otherwise."""
    if marks is None:
        return None
    count = len(marks.radii)
    if marks.ends.shape != (clip.frame_count, count, 2, 3) or marks.radii.shape != (count, 2):
        raise ValueError(
            f"marks: expected ends [{clip.frame_count}, mark, 2, 3] and radii [mark, 2], "
            f"got {marks.ends.shape} and {marks.radii.shape}"
        )
    return marks


def _own_ground(clip: Clip, figure: Figure, centers: FloatArray, contacts: BoolArray) -> float:
    """Return the median height of the soles of standing feet in metres; without any, of the body's lowest point.

    The lowest point alone would be the toes at push-off, which captured feet press into the ground.
    """
    if figure.feet is None or not contacts.any():
        return floor_height(clip) - figure.sole
    soles = centers[:, figure.feet, 1].min(axis=-1, initial=np.inf, where=np.array([True, True, False]))
    return float(np.median(soles[contacts])) - figure.sole


def checked_contacts(clip: Clip, contacts: BoolArray | None, *, body: Body | None = None) -> BoolArray:
    """Return `contacts` [frame, 2] after a check of their shape, or detect them; all False if the legs are unknown."""
    if contacts is None:
        use = body or known_body(clip.skeleton)
        return np.zeros((clip.frame_count, 2), np.bool_) if use is None else detect_contacts(clip, body=use)
    return checked_labels(clip, contacts)


def find_footprints(figure: Figure, centers: FloatArray, contacts: BoolArray) -> Footprints:
    """Return the footprints of all `contacts` [frame, 2], given the sphere `centers` [frame, sphere, 3]."""
    feet = figure.feet
    runs = [(side, *run) for side in range(2) for run in true_runs(contacts[:, side])]
    if feet is None or not runs:
        none = np.zeros(0, np.int64)
        return Footprints(none, none, none, np.zeros((0, 3, 2)), np.zeros(3))
    rows = sorted(runs, key=lambda run: (run[1], run[0]))
    discs = [np.median(centers[start:stop, feet[side]][..., ::2], axis=0) for side, start, stop in rows]
    table = np.array(rows)
    return Footprints(table[:, 0], table[:, 1], table[:, 2], np.array(discs), figure.radii[feet[0]])


def hull_outlines(centers: FloatArray, radii: FloatArray) -> FloatArray:
    """Return the outlines [..., 32, 2] of the convex hulls of discs at `centers` [..., disc, 2], `radii` [..., disc].

    In each of 32 directions the hull touches the disc that reaches farthest.
    """
    reach = centers @ NORMALS.T + radii[..., np.newaxis]  # [..., disc, direction]
    farthest = reach.argmax(axis=-2)
    touched = np.take_along_axis(centers, farthest[..., np.newaxis], axis=-2)
    radius = np.take_along_axis(np.broadcast_to(radii, centers.shape[:-1]), farthest, axis=-1)
    return np.asarray(touched + radius[..., np.newaxis] * NORMALS)


def mixed(color: str, other: str, share: float) -> str:
    """Blend `color` with `share` (0 to 1) of `other`, both "#rrggbb"."""
    pairs = [(int(color[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in pairs)
