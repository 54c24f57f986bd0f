"""A camera without perspective: every pose has the same scale wherever it stands, so poses can be compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import heading_vector, yaw_from_quat, yaw_of_vector
from motionfields.motion.clip import Clip

TRAVEL_DISTANCE = 0.5  # metres; a clip that goes less far is seen by its first facing
GOOD_ENOUGH = 0.05  # how far a camera's sideways share may be from the best one's
GRID_SPACING = 0.5  # metres between the lines of the ground's grid
MOST_GRID_LINES = 120  # across a picture; beyond it the lines stand farther apart
SIDE_VIEW_TURN = np.radians(28.0)  # how far the walk comes towards the viewer, from a pure side view


@dataclass(frozen=True)
class Camera:
    """A parallel projection; `yaw` is the direction from the scene towards the viewer, `elevation` its height angle.

    Both are in radians. At yaw 0 the viewer stands on +z and sees +x to the right.
    """

    yaw: float
    elevation: float = float(np.radians(18.0))

    def __post_init__(self) -> None:
        if not 0.0 <= self.elevation <= 0.5 * np.pi:
            raise ValueError(f"elevation: expected 0 to pi/2 radians, got {self.elevation}")

    @property
    def axes(self) -> FloatArray:
        """The rows [3, 3] to the right of the picture, up the picture, and towards the viewer, in the world."""
        level, up = heading_vector(self.yaw), np.array([0.0, 1.0, 0.0])
        cos, sin = np.cos(self.elevation), np.sin(self.elevation)
        return np.array([heading_vector(self.yaw + 0.5 * np.pi), cos * up - sin * level, cos * level + sin * up])

    def project(self, points: FloatArray) -> FloatArray:
        """`points` [..., 3] in the world as [..., 3]: right, up and towards the viewer, in metres."""
        return np.asarray(points @ self.axes.T)

    def project_ground(self, points: FloatArray, height: float = 0.0) -> FloatArray:
        """The picture places [..., 2] of the ground points `points` [..., 2] (x, z) at `height`, all in metres."""
        raised = np.stack([points[..., 0], np.full(points.shape[:-1], height), points[..., 1]], axis=-1)
        return self.project(raised)[..., :2]


def side_camera(travel_yaw: float, *, turn: float = float(SIDE_VIEW_TURN)) -> Camera:
    """The camera that sees a walk along `travel_yaw` go to the right and, by `turn`, towards the viewer (radians)."""
    return Camera(yaw=travel_yaw - 0.5 * np.pi + turn)


def best_camera(travel_yaw: float, facing: FloatArray) -> Camera:
    """The side camera that sees little of the walk end-on, for a body facing along `facing` [frame] (radians).

    On a straight walk the character comes towards the viewer by 28 degrees; where the walk turns, by as much less, or
    away from the viewer, as keeps it sideways for longer.
    """
    cameras = [side_camera(travel_yaw, turn=share * SIDE_VIEW_TURN) for share in (1.0, 0.5, 0.0, -0.5, -1.0)]
    enough = np.cos(SIDE_VIEW_TURN)
    sideways = [np.minimum(np.abs(heading_vector(facing) @ camera.axes[0]), enough).mean() for camera in cameras]
    return cameras[int(np.argmax(np.array(sideways) >= max(sideways) - GOOD_ENOUGH))]


def travel_yaw(clip: Clip, facing: FloatArray | None = None) -> float:
    """The yaw in radians in which `clip` goes: towards the root's farthest point from its start.

    A clip that stays within half a metre has the yaw of its first frame: of `facing` [frame] if given, else the root's.
    """
    away = clip.root_position - clip.root_position[0]
    distance = np.hypot(away[:, 0], away[:, 2])
    farthest = int(np.argmax(distance))
    if distance[farthest] >= TRAVEL_DISTANCE:
        return float(yaw_of_vector(away[farthest]))
    return float(facing[0] if facing is not None else yaw_from_quat(clip.rotations[0, 0]))


def grid_spacings(extent: float) -> tuple[float, float]:
    """Metres between minor and between major lines of a grid over `extent` metres.

    These are half metres and metres, times the power of ten that a wrong scale makes necessary.
    """
    crowding = extent / (GRID_SPACING * MOST_GRID_LINES)
    minor = GRID_SPACING * 10.0 ** max(0, int(np.ceil(np.log10(max(crowding, 1.0)))))
    return minor, 2.0 * minor


def ground_lines(camera: Camera, center: FloatArray, half_size: tuple[float, float], spacing: float) -> FloatArray:
    """The lines of the world's ground grid inside a window, as ends [line, 2, 2] in window coordinates, metres.

    The grid has a line at every multiple of `spacing` metres of x and of z. The window stands around `center` [3];
    its first axis runs to the right of the picture, its second away from the viewer, over the ground.
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
    """The two ends [2, 2] of the line through `point` inside the rectangle of half size `half`, or None outside."""
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
