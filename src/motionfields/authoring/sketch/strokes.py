"""Strokes: curves that a joint or the root follows, drawn in space, on the ground or in a view; and their files."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.base.errors import FormatError
from motionfields.base.json_files import JsonReader, content_of
from motionfields.base.runs import true_runs
from motionfields.base.storage import replacing, shown

VERSION: Final = 1
MOST_POINTS: Final = 20_000
MOST_STROKES: Final = 16
FURTHEST: Final = 1e4  # metres: largest coordinate
LONGEST: Final = 120.0  # seconds, and metres of a stroke without times
PAUSE_SPEED: Final = 0.1  # m/s under which a stroke pauses
PAUSE: Final = 0.2  # seconds of a pause, at least


@dataclass(frozen=True, eq=False)
class Stroke:
    """A curve for one joint.

    Distances from the curve are measured after the projection `seen`: all of space, the ground, or the plane of a view.
    Without `times`, the motion may follow the curve at any speed.
    """

    points: FloatArray  # [n, 3], metres
    seen: FloatArray  # [3, 3], projection
    joint: str | None = None  # None for the root
    times: FloatArray | None = None  # [n], seconds, rising

    def __post_init__(self) -> None:
        points = self.points
        if points.ndim != 2 or points.shape[1] != 3 or not 2 <= len(points) <= MOST_POINTS:
            raise ValueError(f"points: expected from 2 to {MOST_POINTS} points, got shape {points.shape}")
        if not (np.abs(points) <= FURTHEST).all():
            raise ValueError(f"points: expected finite coordinates of at most {FURTHEST:g} m")
        if self.times is None:
            if not 0.05 <= self.length <= LONGEST:
                raise ValueError(f"points: expected a stroke of 0.05 to {LONGEST:g} m, got {self.length:.3g} m")
            return
        if self.times.shape != (len(points),) or not np.isfinite(self.times).all():
            raise ValueError(f"times: expected {len(points)} finite times, one for each point")
        if (np.diff(self.times) <= 0.0).any() or self.times[0] < 0.0 or self.times[-1] > LONGEST:
            raise ValueError(f"times: expected rising times from 0 to {LONGEST:g} s")

    @classmethod
    def in_space(cls, joint: str | None, points: FloatArray, times: FloatArray | None = None) -> Stroke:
        """Return a stroke through `points` [n, 3] in metres."""
        return cls(np.asarray(points, dtype=np.float64), np.eye(3), joint, _times(times))

    @classmethod
    def on_ground(cls, points: FloatArray, times: FloatArray | None = None, *, joint: str | None = None) -> Stroke:
        """Return a path over the ground through `points` [n, 2], x and z in metres; heights are free."""
        flat = np.asarray(points, dtype=np.float64)
        if flat.ndim != 2 or flat.shape[1] != 2:
            raise ValueError(f"points: expected x and z in metres [n, 2], got shape {flat.shape}")
        space = np.stack([flat[:, 0], np.zeros(len(flat)), flat[:, 1]], axis=1)
        return cls(space, np.diag([1.0, 0.0, 1.0]), joint, _times(times))

    @classmethod
    def in_view(
        cls,
        joint: str | None,
        points: FloatArray,
        times: FloatArray | None = None,
        *,
        origin: FloatArray,
        right: FloatArray,
        up: FloatArray,
    ) -> Stroke:
        """Return a stroke drawn in the plane through `origin` [3]; the distance from the viewer is free.

        `points` [n, 2] are metres along `right` [3] and `up` [3], which are turned to be at right angles.
        """
        flat, place = np.asarray(points, dtype=np.float64), np.asarray(origin, dtype=np.float64)
        if flat.ndim != 2 or flat.shape[1] != 2 or place.shape != (3,):
            raise ValueError("points, origin: expected points [n, 2] in a view with an origin [3]")
        x = _unit("right", right)
        above = np.asarray(up, dtype=np.float64)
        y = _unit("up", above - (above @ x) * x if above.shape == (3,) else above)
        space = place + flat[:, :1] * x + flat[:, 1:] * y
        return cls(space, np.outer(x, x) + np.outer(y, y), joint, _times(times))

    @property
    def length(self) -> float:
        """Length of the curve in metres."""
        return float(np.linalg.norm(np.diff(self.points, axis=0), axis=1).sum())

    def timed(self, seconds: float) -> Stroke:
        """Return the stroke followed at an even speed within `seconds`."""
        way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(self.points, axis=0), axis=1))])
        kept = np.concatenate([[True], np.diff(way) > 0.0])
        return Stroke(self.points[kept], self.seen, self.joint, way[kept] / way[-1] * seconds)

    def at(self, times: FloatArray) -> FloatArray:
        """Return the places [n, 3] in metres at `times` [n] in seconds; those of the ends before and after."""
        if self.times is None:
            raise ValueError("times: expected a stroke with times")
        return np.stack([np.interp(times, self.times, column) for column in self.points.T], axis=1)

    def during(self, times: FloatArray) -> BoolArray:
        """Return which of the evenly spaced `times` [n] in seconds lie within the stroke, up to half a space."""
        if self.times is None:
            raise ValueError("times: expected a stroke with times")
        half = 0.5 * (times[1] - times[0])
        return np.asarray((times >= self.times[0] - half) & (times <= self.times[-1] + half))

    def pauses(self, times: FloatArray) -> BoolArray:
        """Return at which of the evenly spaced `times` [n] in seconds the curve rests, for 0.2 s or longer."""
        space = float(times[1] - times[0])
        speed = np.linalg.norm(np.diff(self.at(times) @ self.seen, axis=0), axis=1) / space
        inside = self.during(times)
        slow = (speed < PAUSE_SPEED) & inside[1:] & inside[:-1]
        out = np.zeros(len(times), np.bool_)
        for begin, end in true_runs(slow):
            if (end - begin) * space >= PAUSE:
                out[begin : end + 1] = True
        return out


def _times(times: FloatArray | None) -> FloatArray | None:
    return None if times is None else np.asarray(times, dtype=np.float64)


def _unit(name: str, direction: FloatArray) -> FloatArray:
    vector = np.asarray(direction, dtype=np.float64)
    length = float(np.linalg.norm(vector)) if vector.shape == (3,) else 0.0
    if not 1e-6 < length < 1e6:
        raise ValueError(f"{name}: expected a direction of three numbers, not all 0 and not along the other")
    return np.asarray(vector / length)


def read_sketch(path: str | os.PathLike[str]) -> tuple[Stroke, ...]:
    """Return the strokes in the JSON file `path`; raises `FormatError` with the place of the fault."""
    return parse_sketch(content_of(path), path=shown(str(path)))


def parse_sketch(data: bytes, *, path: str = "") -> tuple[Stroke, ...]:
    """Return the strokes in the bytes of a JSON file; `path` is for messages. Raises `FormatError`."""
    reader = _Reader(path)
    content = reader.fields(reader.parsed(data), ("sketch", "strokes"), "sketch")
    reader.check_version(content["sketch"], "sketch", VERSION)
    entries = reader.entries(content["strokes"], "strokes")
    if len(entries) > MOST_STROKES:
        reader.fail(f"strokes: expected at most {MOST_STROKES}, got {len(entries)}")
    return tuple(reader.stroke(entry, f"strokes[{number}]") for number, entry in enumerate(entries))


def format_sketch(strokes: Sequence[Stroke]) -> bytes:
    """Return `strokes` as the bytes of a JSON file; undoes `parse_sketch` up to the axes of views."""
    content = {"sketch": VERSION, "strokes": [_stroke_fields(stroke) for stroke in strokes]}
    return (json.dumps(content) + "\n").encode()


def write_sketch(strokes: Sequence[Stroke], path: str | os.PathLike[str]) -> None:
    """Write `strokes` to the JSON file `path` in one step."""
    with replacing(path) as file:
        file.write(format_sketch(strokes))


def _stroke_fields(stroke: Stroke) -> dict[str, Any]:
    """Return `stroke` as the fields of its entry in a JSON file."""
    fields: dict[str, Any] = {} if stroke.joint is None else {"joint": stroke.joint}
    if np.array_equal(stroke.seen, np.eye(3)):
        points = stroke.points
    elif np.array_equal(stroke.seen, np.diag([1.0, 0.0, 1.0])):
        points = stroke.points[:, ::2]
    else:
        axes = np.linalg.eigh(stroke.seen)[1][:, 1:]  # those that are not projected away
        names = {"origin_m": stroke.points[0], "right": axes[:, 0], "up": axes[:, 1]}
        fields["view"] = {name: vector.tolist() for name, vector in names.items()}
        points = (stroke.points - stroke.points[0]) @ axes
    fields["points_m"] = points.tolist()
    if stroke.times is not None:
        fields["times_s"] = stroke.times.tolist()
    return fields


class _Reader(JsonReader):
    """Reads strokes."""

    def stroke(self, entry: object, where: str) -> Stroke:
        """Return one of `strokes`."""
        fields = self.fields(entry, ("points_m",), where, optional=("joint", "times_s", "view"))
        joint = fields.get("joint")
        if joint is not None and not isinstance(joint, str):
            self.fail(f"{where}, joint: expected a name")
        rows = self.entries(fields["points_m"], f"{where}, points_m")
        if len(rows) > MOST_POINTS:
            self.fail(f"{where}, points_m: expected at most {MOST_POINTS} points, got {len(rows)}")
        width = len(rows[0]) if isinstance(rows[0], list) else 0
        points = np.array([self.numbers(row, width, f"{where}, points_m") for row in rows]).reshape(len(rows), -1)
        times = None
        if "times_s" in fields:
            times = np.array(self.numbers(fields["times_s"], len(rows), f"{where}, times_s"))
        try:
            if "view" in fields:
                names = ("origin_m", "right", "up")
                view = self.fields(fields["view"], names, f"{where}, view")
                origin, right, up = (np.array(self.numbers(view[name], 3, f"{where}, {name}")) for name in names)
                return Stroke.in_view(joint, points, times, origin=origin, right=right, up=up)
            if width == 2:
                return Stroke.on_ground(points, times, joint=joint)
            return Stroke.in_space(joint, points, times)
        except FormatError:
            raise
        except ValueError as error:
            self.fail(f"{where}: {error}")
