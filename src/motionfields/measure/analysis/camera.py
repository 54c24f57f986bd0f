"""A camera without perspective: all poses have the same scale, so they can be compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import heading_vector, yaw_from_quat, yaw_of_vector
from motionfields.motion.clip import Clip

TRAVEL_DISTANCE = 0.5  # metres; a clip that travels less is viewed by its first facing
GOOD_ENOUGH = 0.05  # largest loss of the sideways share, compared with the best camera
GRID_SPACING = 0.5  # metres between the lines of the ground grid
MOST_GRID_LINES = 120  # across a picture; beyond this the spacing grows
SIDE_VIEW_TURN = np.radians(28.0)  # angle by which the walk comes towards the viewer, from a pure side view


@dataclass(frozen=True)
class Camera:
    """A parallel projection; `yaw` is the direction from the scene towards the viewer, `elevation` its height angle.

    Both are in radians. At yaw 0 the viewer is on the +z side, with +x to the right.
    """

    yaw: float
    elevation: float = float(np.radians(18.0))

    def __post_init__(self) -> None:
        if not 0.0 <= self.elevation <= 0.5 * np.pi:
            raise ValueError(f"elevation: expected 0 to pi/2 radians, got {self.elevation}")

    @property
    def axes(self) -> FloatArray:
        """Rows [3, 3]: the world directions to the right, up the picture, and towards the viewer."""
        level, up = heading_vector(self.yaw), np.array([0.0, 1.0, 0.0])
        cos, sin = np.cos(self.elevation), np.sin(self.elevation)
        return np.array([heading_vector(self.yaw + 0.5 * np.pi), cos * up - sin * level, cos * level + sin * up])

    def project(self, points: FloatArray) -> FloatArray:
        """Project world `points` [..., 3] to [..., 3]: right, up and towards the viewer, in metres."""
        return np.asarray(points @ self.axes.T)

    def project_ground(self, points: FloatArray, height: float = 0.0) -> FloatArray:
        """Project ground points `points` [..., 2] (x, z) at `height` to the picture [..., 2], all in metres."""
        raised = np.stack([points[..., 0], np.full(points.shape[:-1], height), points[..., 1]], axis=-1)
        return self.project(raised)[..., :2]


def side_camera(travel_yaw: float, *, turn: float = float(SIDE_VIEW_TURN)) -> Camera:
    """Return a camera that sees a walk along `travel_yaw` go right and, by the angle `turn`, nearer (radians)."""
    return Camera(yaw=travel_yaw - 0.5 * np.pi + turn)


def best_camera(travel_yaw: float, facing: FloatArray) -> Camera:
    """Return the side camera that sees the body end-on least, given its `facing` [frame] in radians.

    A straight walk comes towards the viewer by 28 degrees. If the walk turns, a smaller or negative angle is chosen
    that keeps the body sideways for longer.
    """
    cameras = [side_camera(travel_yaw, turn=share * SIDE_VIEW_TURN) for share in (1.0, 0.5, 0.0, -0.5, -1.0)]
    enough = np.cos(SIDE_VIEW_TURN)
    sideways = [np.minimum(np.abs(heading_vector(facing) @ camera.axes[0]), enough).mean() for camera in cameras]
    return cameras[int(np.argmax(np.array(sideways) >= max(sideways) - GOOD_ENOUGH))]


def travel_yaw(clip: Clip, facing: FloatArray | None = None) -> float:
    """Return the yaw in radians in which `clip` travels: towards the root's farthest point from its start.

    A clip that stays within half a metre has the yaw of its first frame: that of `facing` [frame] if given, else the
    root's.
    """
    away = clip.root_position - clip.root_position[0]
    distance = np.hypot(away[:, 0], away[:, 2])
    farthest = int(np.argmax(distance))
    if distance[farthest] >= TRAVEL_DISTANCE:
        return float(yaw_of_vector(away[farthest]))
    return float(facing[0] if facing is not None else yaw_from_quat(clip.rotations[0, 0]))


def grid_spacings(extent: float) -> tuple[float, float]:
    """Return the metres between minor and between major lines of a grid over `extent` metres.

    These are 0.5 m and 1 m, multiplied by a power of ten if the motion is in the wrong scale.
    """
    crowding = extent / (GRID_SPACING * MOST_GRID_LINES)
    minor = GRID_SPACING * 10.0 ** max(0, int(np.ceil(np.log10(max(crowding, 1.0)))))
    return minor, 2.0 * minor


def ground_lines(camera: Camera, center: FloatArray, half_size: tuple[float, float], spacing: float) -> FloatArray:
    """Return the lines of the world's ground grid inside a window, as end points [line, 2, 2] in window metres.

    The grid has a line at every multiple of `spacing` metres of x and of z. The window is centred on `center` [3]; its
    first axis runs to the right of the picture, its second over the ground away from the viewer.
    """
    window_from_ground = np.array([heading_vector(camera.yaw + 0.5 * np.pi), -heading_vector(camera.yaw)])[:, ::2]
    half, reach = np.asarray(half_size), float(np.hypot(*half_size))
    here = np.asarray(center)[::2]
    lines = []
    for axis in range(2):
        first = np.ceil((here[axis] - reach) / spacing)
        for number in np.arange(first, np.floor((here[axis] + reach) / spacing) + 1.0):
            start, along = np.zeros(2), np.zeros(2)
            start[axis], along[1 - axis] = number * spacing - here[axis], 1.0
            ends = _clipped(window_from_ground @ start, window_from_ground @ along, half)
            if ends is not None:
                lines.append(ends)
    return np.array(lines).reshape(-1, 2, 2)


def _clipped(point: FloatArray, direction: FloatArray, half: FloatArray) -> FloatArray | None:
    """Return the ends [2, 2] of the line through `point` inside the rectangle of half size `half`; None if outside."""
    low, high = -np.inf, np.inf
    for axis in range(2):
        if abs(direction[axis]) < 1e-12:
            if abs(point[axis]) > half[axis]:
                return None
            continue
        ends = np.sort((np.array([-1.0, 1.0]) * half[axis] - point[axis]) / direction[axis])
        low, high = max(low, float(ends[0])), min(high, float(ends[1]))
    if low >= high:
        return None
    return np.array([point + low * direction, point + high * direction])
