"""Timelines: the labels that a motion should show and avoid, the places and poses it should reach, and their files."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass, replace
from typing import Any, Final

from motionfields.authoring.compose.goals import LONGEST, JointGoal, LabelGoal, PathGoal, PlaceGoal, PoseGoal
from motionfields.base.errors import AnnotationError, FormatError
from motionfields.base.files import replacing
from motionfields.base.json_files import JsonReader
from motionfields.motion.formats._folders import read_file

VERSION: Final = 1
MOST_GOALS: Final = 10_000
_PARTS: Final = ("labels", "places", "poses", "joints")


@dataclass(frozen=True)
class Timeline:
    """Goals for a motion of `seconds`; everything that no goal constrains is free.

    With places or a path, the motion starts at the origin facing 0 radians, unless a place at time 0 says otherwise.
    With `loop`, the last frame leads to the first, and the motion can be repeated without end. With `shortest` seconds,
    the motion may end anywhere from there to `seconds`, where it costs least; later goals move to its end.
    """

    seconds: float
    labels: tuple[LabelGoal, ...] = ()
    places: tuple[PlaceGoal, ...] = ()
    path: PathGoal | None = None
    poses: tuple[PoseGoal, ...] = ()
    joints: tuple[JointGoal, ...] = ()
    loop: bool = False
    shortest: float | None = None

    def __post_init__(self) -> None:
        for name in _PARTS:
            object.__setattr__(self, name, tuple(getattr(self, name)))
            if len(getattr(self, name)) > MOST_GOALS:
                raise ValueError(f"{name}: expected at most {MOST_GOALS}, got {len(getattr(self, name))}")
        if not 0.0 < self.seconds <= LONGEST:
            raise ValueError(f"seconds: expected more than 0 and at most {LONGEST:g}, got {self.seconds}")
        ends = [(goal.text, goal.end) for goal in self.labels]
        ends += [(self.path.text, self.path.end)] if self.path is not None else []
        for moments in (self.places, self.poses, self.joints):
            ends += [(goal.text, goal.time) for goal in moments]
        for text, end in ends:
            if end > self.seconds + 1e-9:
                raise ValueError(f"{text}: expected an end within the timeline of {self.seconds:g} s")
        if len({place.time for place in self.places}) < len(self.places):
            raise ValueError("places: expected at most one at a time")
        if self.loop and self.is_placed:
            raise ValueError("loop: expected no places and no path in a loop")
        if self.shortest is not None and sum(place.time > self.shortest for place in self.places) > 1:
            raise ValueError(f"places: expected at most one after {self.shortest:g} s, the shortest length")
        if self.shortest is not None and not 0.0 < self.shortest <= self.seconds:
            raise ValueError(f"shortest: expected more than 0 and at most {self.seconds:g} s, got {self.shortest}")

    @property
    def is_placed(self) -> bool:
        """Whether a goal constrains the position of the motion."""
        return bool(self.places) or self.path is not None or any(goal.x is not None for goal in self.joints)

    def ending_at(self, seconds: float) -> Timeline:
        """Return this timeline with the fixed length `seconds`: later parts of goals are cut off or move to the end."""
        path = self.path
        if path is not None:
            path = replace(path, end=min(path.end, seconds)) if path.start < seconds else None
        return Timeline(
            seconds,
            tuple(replace(goal, end=min(goal.end, seconds)) for goal in self.labels if goal.start < seconds),
            tuple(replace(goal, time=min(goal.time, seconds)) for goal in self.places),
            path,
            tuple(replace(goal, time=min(goal.time, seconds)) for goal in self.poses),
            tuple(replace(goal, time=min(goal.time, seconds)) for goal in self.joints),
            self.loop,
        )


def read_timeline(path: str | os.PathLike[str]) -> Timeline:
    """Return the timeline in the JSON file `path`. Raises `AnnotationError`, which names the faulty entry."""
    try:
        data = read_file(str(path))
    except FormatError as error:
        raise AnnotationError(error.reason, path=error.path, line=error.line) from None
    return parse_timeline(data, path=str(path))


def write_timeline(timeline: Timeline, path: str | os.PathLike[str]) -> None:
    """Write `timeline` to the JSON file `path` in one step."""
    with replacing(path) as file:
        file.write(format_timeline(timeline))


def parse_timeline(data: bytes, *, path: str = "") -> Timeline:
    """Return the timeline in the bytes of a JSON file; `path` is for messages. Raises `AnnotationError`."""
    reader = _Reader(path, error=AnnotationError)
    optional = (*_PARTS, "path", "loop", "shortest")
    content = reader.fields(reader.parsed(data), ("timeline", "seconds"), "timeline", optional=optional)
    reader.check_version(content["timeline"], "timeline", VERSION)
    try:
        return Timeline(
            reader.number(content["seconds"], "seconds"),
            tuple(reader.label(*entry) for entry in reader.several(content, "labels")),
            tuple(reader.place(*entry) for entry in reader.several(content, "places")),
            reader.path_goal(content["path"]) if "path" in content else None,
            tuple(reader.pose(*entry) for entry in reader.several(content, "poses")),
            tuple(reader.joint(*entry) for entry in reader.several(content, "joints")),
            reader.switch(content, "loop", False, "timeline"),
            reader.number(content["shortest"], "shortest") if "shortest" in content else None,
        )
    except ValueError as error:
        reader.fail(str(error))


def format_timeline(timeline: Timeline) -> bytes:
    """Return `timeline` as the bytes of a JSON file; undoes `parse_timeline` up to the rounding of degrees."""
    content: dict[str, Any] = {"timeline": VERSION, "seconds": timeline.seconds}
    parts: dict[str, list[dict[str, Any]]] = {
        "labels": [_label_fields(goal) for goal in timeline.labels],
        "places": [_place_fields(goal) for goal in timeline.places],
        "poses": [
            {"time_s": goal.time, "take": goal.take, "take_s": goal.take_time, **_weight(goal.weight)}
            for goal in timeline.poses
        ],
        "joints": [
            {"time_s": goal.time, "joint": goal.joint, "height_m": goal.height, **_weight(goal.weight)}
            | ({} if goal.x is None else {"x_m": goal.x, "z_m": goal.z})
            for goal in timeline.joints
        ],
    }
    content |= {name: entries for name, entries in parts.items() if entries}
    if timeline.path is not None:
        way = timeline.path
        content["path"] = {"points_m": [list(point) for point in way.points], "start_s": way.start, "end_s": way.end}
    if timeline.loop:
        content["loop"] = True
    if timeline.shortest is not None:
        content["shortest"] = timeline.shortest
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()


class _Reader(JsonReader):
    """Reads the parts of a timeline."""

    def several(self, content: dict[str, Any], name: str) -> list[tuple[object, str]]:
        """Return the entries of the list `name`, if it is there, and how messages call each."""
        value = content.get(name, [])
        if not isinstance(value, list):
            self.fail(f"{name}: expected a list")
        return [(entry, f"{name}[{number}]") for number, entry in enumerate(value)]

    def label(self, entry: object, where: str) -> LabelGoal:
        """Return one goal of `labels`."""
        fields = self.fields(entry, ("label", "start_s", "end_s"), where, optional=("wanted", "weight", "hard"))
        start, end = self.numbers_in(fields, ("start_s", "end_s"), where)
        wanted, hard = self.switch(fields, "wanted", True, where), self.switch(fields, "hard", False, where)
        return LabelGoal(self.text(fields, "label", where), start, end, wanted, self.weight(fields, where), hard)

    def place(self, entry: object, where: str) -> PlaceGoal:
        """Return one goal of `places`."""
        fields = self.fields(entry, ("time_s", "x_m", "z_m"), where, optional=("heading_deg",))
        time, x, z = self.numbers_in(fields, ("time_s", "x_m", "z_m"), where)
        heading = math.radians(self.number(fields["heading_deg"], where)) if "heading_deg" in fields else None
        return PlaceGoal(time, x, z, heading)

    def pose(self, entry: object, where: str) -> PoseGoal:
        """Return one goal of `poses`."""
        fields = self.fields(entry, ("time_s", "take", "take_s"), where, optional=("weight",))
        time, take_time = self.numbers_in(fields, ("time_s", "take_s"), where)
        return PoseGoal(time, self.text(fields, "take", where), take_time, self.weight(fields, where))

    def joint(self, entry: object, where: str) -> JointGoal:
        """Return one goal of `joints`."""
        fields = self.fields(entry, ("time_s", "joint", "height_m"), where, optional=("weight", "x_m", "z_m"))
        time, height = self.numbers_in(fields, ("time_s", "height_m"), where)
        x, z = (self.number(fields[name], f"{where}, {name}") if name in fields else None for name in ("x_m", "z_m"))
        return JointGoal(time, self.text(fields, "joint", where), height, self.weight(fields, where), x, z)

    def path_goal(self, entry: object) -> PathGoal:
        """Return the path."""
        fields = self.fields(entry, ("points_m", "start_s", "end_s"), "path")
        points = []
        for number, point in enumerate(self.entries(fields["points_m"], "path, points_m")):
            if not isinstance(point, list) or len(point) != 2:
                self.fail(f"path, points_m[{number}]: expected x and z in metres")
            points.append((self.number(point[0], "path, x"), self.number(point[1], "path, z")))
        start, end = self.numbers_in(fields, ("start_s", "end_s"), "path")
        return PathGoal(tuple(points), start, end)

    def numbers_in(self, fields: dict[str, Any], names: tuple[str, ...], where: str) -> list[float]:
        """Return the numbers in the fields `names`."""
        return [self.number(fields[name], f"{where}, {name}") for name in names]

    def weight(self, fields: dict[str, Any], where: str) -> float:
        """Return the weight in `fields`, 1 if there is none."""
        return self.number(fields.get("weight", 1.0), f"{where}, weight")

    def text(self, fields: dict[str, Any], name: str, where: str) -> str:
        """Return the text in the field `name`."""
        if not isinstance(fields[name], str):
            self.fail(f"{where}, {name}: expected text")
        return str(fields[name])

    def switch(self, fields: dict[str, Any], name: str, default: bool, where: str) -> bool:
        """Return true or false in the field `name`, or `default` if it is missing."""
        value = fields.get(name, default)
        if not isinstance(value, bool):
            self.fail(f"{where}, {name}: expected true or false")
        return value


def _label_fields(goal: LabelGoal) -> dict[str, Any]:
    fields: dict[str, Any] = {"label": goal.label, "start_s": goal.start, "end_s": goal.end}
    if not goal.wanted:
        fields["wanted"] = False
    fields |= _weight(goal.weight)
    if goal.hard:
        fields["hard"] = True
    return fields


def _place_fields(goal: PlaceGoal) -> dict[str, Any]:
    fields = {"time_s": goal.time, "x_m": goal.x, "z_m": goal.z}
    return fields if goal.heading is None else {**fields, "heading_deg": math.degrees(goal.heading)}


def _weight(weight: float) -> dict[str, float]:
    return {} if weight == 1.0 else {"weight": weight}
