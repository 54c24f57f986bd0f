"""Walks along a path: commands that keep a character on a curve over the ground, and the clip of its walk.

A path file is JSON, with the points of the curve in metres, world x and z:

    {"path": 1, "points_m": [[0, 0], [0, 4], [3, 8]]}

The character starts at the first point and heads for the point `AHEAD` metres further along the path than it is (pure
pursuit). Tasks that follow a line get the line along the path at the point `LINE_AHEAD` metres further.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from os import PathLike, fspath
from typing import Final, NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.checks import checked_number
from motionfields.base.json_files import JsonReader, content_of
from motionfields.control.contract import Controller
from motionfields.control.tasks import Ground
from motionfields.control.tasks.task import typical_speed
from motionfields.motion.clip import Clip
from motionfields.runtime.crowd import Crowd
from motionfields.runtime.recording import clips_from_frames

AHEAD: Final = 0.6  # metres: distance along the path to the point that a character heads for
LINE_AHEAD: Final = 0.3  # metres: the same for tasks that follow a line
SEARCHED: Final = 1.0  # metres of path ahead that are searched for the nearest point, so that loops are walked in order
SPACING: Final = 0.02  # metres between the places where the nearest point is looked for
BRAKING: Final = 0.4  # metres before the end at which a character with a speed is told to stand
AFTER: Final = 1.5  # seconds that it has to come to a stand
SLOWEST: Final = 0.25  # m/s: slowest progress before a walk is given up
MOST_POINTS: Final = 20_000
LONGEST: Final = 500.0  # metres
FURTHEST: Final = 1e4  # metres: largest coordinate
STEERED: Final = frozenset({"heading", "speed", "facing", "point_x", "point_z"})


@dataclass(frozen=True, eq=False)
class GroundPath:
    """A curve over the ground through `points` [k, 2], world x and z in metres; straight beyond its end."""

    points: FloatArray

    def __post_init__(self) -> None:
        points = np.array(self.points, dtype=np.float64)
        if points.ndim != 2 or points.shape[1] != 2 or not 2 <= len(points) <= MOST_POINTS:
            raise ValueError(f"points: expected from 2 to {MOST_POINTS} points, x and z, got shape {points.shape}")
        if not (np.abs(points) <= FURTHEST).all():
            raise ValueError(f"points: expected finite coordinates of at most {FURTHEST:g} m")
        kept = np.concatenate([[True], np.hypot(*np.diff(points, axis=0).T) > 1e-6])
        object.__setattr__(self, "points", points[kept])
        if not 0.5 <= self.length <= LONGEST:
            raise ValueError(f"points: expected a path of 0.5 to {LONGEST:g} m, got {self.length:.3g} m")

    @cached_property
    def distances(self) -> FloatArray:
        """Distance [k] of each point from the start, along the path, in metres."""
        return np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(self.points, axis=0).T))])

    @property
    def length(self) -> float:
        """Length of the path in metres."""
        return float(self.distances[-1])

    def at(self, distance: FloatArray) -> FloatArray:
        """Return the places [..., 2] at `distance` [...] along the path, in metres."""
        along = np.asarray(distance, dtype=np.float64)
        ways = self.distances
        inside = np.stack([np.interp(along, ways, column) for column in self.points.T], axis=-1)
        last = self.points[-1] - self.points[-2]
        beyond = np.maximum(along - ways[-1], 0.0)
        return np.asarray(inside + beyond[..., np.newaxis] * last / np.hypot(*last))

    def heading(self, distance: float) -> float:
        """Return the heading of the path in radians at `distance` metres along it: that of 10 cm around the place."""
        behind, ahead = self.at(np.array([max(distance - 0.05, 0.0), distance + 0.05]))
        return float(np.arctan2(*(ahead - behind)))

    def nearest(self, place: FloatArray, since: float) -> float:
        """Return the distance along the path of its point nearest to `place` [2], from `since` to 1 m further."""
        along = since + SPACING * np.arange(round(SEARCHED / SPACING) + 1)
        return float(along[np.argmin(np.hypot(*(self.at(along) - place).T))])


class PathWalk(NamedTuple):
    """Displayed, foot-locked motion of a character along a path."""

    clip: Clip
    arrived: bool  # whether it reached the end of the path
    distance: FloatArray  # [frame], metres from the root to the nearest point of the path, over the ground


def walk_path(
    controller: Controller, path: GroundPath, *, speed: float | None = None, seed: int = 0, plant: bool = True
) -> PathWalk:
    """Return the walk of one character of `controller` along `path`, from a database state drawn by `seed`.

    It starts at the first point, facing along the path. If the task has a speed, that is `speed` in m/s, by default the
    typical speed of the data, and the character is told to stand at the end. Otherwise the walk ends there. A character
    that is slower than 0.25 m/s on average does not arrive. `plant` locks its feet in place while they stand.
    """
    names = controller.task.command_names
    if "heading" not in names or not STEERED.issuperset(names):
        raise ValueError(
            f"controller: expected a task with commands among {', '.join(sorted(STEERED))}, got {', '.join(names)}"
        )
    database = controller.field.database
    pace = typical_speed(database) if speed is None else checked_number("speed", speed, 0.05, 20.0)
    if "speed" not in names and speed is not None:
        raise ValueError(f"speed: the task {type(controller.task).__name__.lower()} has none; train velocity")
    crowd = Crowd(controller, 1, seed=seed, plant=plant)
    crowd.place(slice(None), path.points[:1], np.array([path.heading(0.0)]))
    dt, along, frames = database.frame_time, 0.0, []
    left = round(AFTER / dt) if "speed" in names else 0
    end = path.length - (BRAKING if "speed" in names else 0.0)
    for _ in range(round(path.length / SLOWEST / dt)):
        ground = crowd.ground
        along = path.nearest(ground.position[0], along)
        left -= along >= end
        if left < 0:
            break
        frames.append(crowd.step(_command(path, names, ground, along, pace if along < end else 0.0)))
    [clip] = clips_from_frames(frames, controller.field, names=["walk"])
    return PathWalk(clip, along >= end, _distance(path, clip.root_position[:, ::2]))


def _command(path: GroundPath, names: tuple[str, ...], ground: Ground, along: float, pace: float) -> FloatArray:
    """Return the command [1, column] of a character at `ground` whose nearest point is `along` metres on the path."""
    lined = "point_x" in names
    ahead = along + (LINE_AHEAD if lined else AHEAD)
    aim = path.at(np.array(ahead))
    heading = path.heading(ahead) if lined else float(np.arctan2(*(aim - ground.position[0])))
    told = {"heading": heading, "facing": heading, "speed": pace, "point_x": aim[0], "point_z": aim[1]}
    return np.array([[told[name] for name in names]])


def _distance(path: GroundPath, places: FloatArray) -> FloatArray:
    """Return the distance [n] in metres of `places` [n, 2] from the nearest point of `path`."""
    start, step = path.points[:-1], np.diff(path.points, axis=0)
    nearest = np.full(len(places), np.inf)
    for begin, way in zip(start, step, strict=True):
        share = np.clip((places - begin) @ way / (way @ way), 0.0, 1.0)
        nearest = np.minimum(nearest, np.hypot(*(places - begin - share[:, np.newaxis] * way).T))
    return nearest


def read_path(path: str | PathLike[str]) -> GroundPath:
    """Return the path in the JSON file `path`; `FormatError` says what is wrong."""
    reader = JsonReader(fspath(path))
    facts = reader.fields(reader.parsed(content_of(path)), ("path", "points_m"), "the file")
    reader.check_version(facts["path"], "path", 1)
    entries = reader.entries(facts["points_m"], "points_m")
    if len(entries) > MOST_POINTS:
        reader.fail(f"points_m: expected at most {MOST_POINTS} points, got {len(entries)}")
    points = [reader.numbers(entry, 2, f"points_m[{number}]") for number, entry in enumerate(entries)]
    try:
        return GroundPath(np.array(points))
    except ValueError as error:
        reader.fail(str(error).replace("points:", "points_m:"))
