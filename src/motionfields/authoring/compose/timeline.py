"""Timelines: the labels that a motion should show and avoid, when, and their files."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Final

from motionfields.base.errors import AnnotationError, FormatError
from motionfields.base.files import replacing
from motionfields.base.json_files import JsonReader
from motionfields.motion.annotations.spans import checked_label
from motionfields.motion.formats._folders import read_file

LONGEST: Final = 600.0  # seconds; the dynamic program keeps one byte for each state and frame
VERSION: Final = 1


@dataclass(frozen=True)
class LabelGoal:
    """A label to show from `start` up to `end` in seconds or, if not `wanted`, to avoid.

    Each frame that fails costs `weight` times the label weight of the composition. With `hard`, a motion in which any
    frame fails is refused.
    """

    label: str
    start: float
    end: float
    wanted: bool = True
    weight: float = 1.0
    hard: bool = False

    def __post_init__(self) -> None:
        checked_label(self.label)
        if not 0.0 <= self.start < self.end <= LONGEST:
            raise ValueError(
                f"{self.label}: expected 0 <= start < end <= {LONGEST:g} seconds, got {self.start} to {self.end}"
            )
        if not 0.0 < self.weight <= 100.0:
            raise ValueError(f"{self.label}: expected a weight above 0 and at most 100, got {self.weight}")

    @property
    def text(self) -> str:
        """The goal in words, for messages."""
        return f"{'' if self.wanted else 'no '}{self.label} from {self.start:g} to {self.end:g} s"


@dataclass(frozen=True)
class Timeline:
    """A motion of `seconds` with the labels of `labels`; what is not asked for is free."""

    seconds: float
    labels: tuple[LabelGoal, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(self.labels))
        if not 0.0 < self.seconds <= LONGEST:
            raise ValueError(f"seconds: expected more than 0 and at most {LONGEST:g}, got {self.seconds}")
        for goal in self.labels:
            if goal.end > self.seconds + 1e-9:
                raise ValueError(f"{goal.text}: expected an end within the timeline of {self.seconds:g} s")


def read_timeline(path: str | os.PathLike[str]) -> Timeline:
    """Return the timeline in the JSON file `path`. Raises `AnnotationError`, which says where it is wrong."""
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
    reader = JsonReader(path, error=AnnotationError)
    content = reader.fields(reader.parsed(data), ("timeline", "seconds"), "timeline", optional=("labels",))
    if content["timeline"] != VERSION:
        reader.fail(f"timeline: expected version {VERSION}, got {content['timeline']!r:.40}")
    try:
        seconds = reader.number(content["seconds"], "seconds")
        return Timeline(seconds, tuple(_labels(reader, content.get("labels", []))))
    except ValueError as error:
        reader.fail(str(error))


def format_timeline(timeline: Timeline) -> bytes:
    """Return `timeline` as the bytes of a JSON file; undoes `parse_timeline`."""
    content: dict[str, Any] = {"timeline": VERSION, "seconds": timeline.seconds}
    if timeline.labels:
        content["labels"] = [_label_fields(goal) for goal in timeline.labels]
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()


def _labels(reader: JsonReader, value: object) -> list[LabelGoal]:
    if not isinstance(value, list):
        reader.fail("labels: expected a list")
    goals = []
    for number, entry in enumerate(value):
        where = f"labels[{number}]"
        fields = reader.fields(entry, ("label", "start_s", "end_s"), where, optional=("wanted", "weight", "hard"))
        if not isinstance(fields["label"], str):
            reader.fail(f"{where}, label: expected text")
        start, end = (reader.number(fields[name], f"{where}, {name}") for name in ("start_s", "end_s"))
        switches = [fields.get(name, default) for name, default in (("wanted", True), ("hard", False))]
        if not all(isinstance(switch, bool) for switch in switches):
            reader.fail(f"{where}: expected true or false for wanted and hard")
        weight = reader.number(fields.get("weight", 1.0), f"{where}, weight")
        goals.append(LabelGoal(fields["label"], start, end, bool(switches[0]), weight, bool(switches[1])))
    return goals


def _label_fields(goal: LabelGoal) -> dict[str, Any]:
    fields: dict[str, Any] = {"label": goal.label, "start_s": goal.start, "end_s": goal.end}
    if not goal.wanted:
        fields["wanted"] = False
    if goal.weight != 1.0:
        fields["weight"] = goal.weight
    if goal.hard:
        fields["hard"] = True
    return fields
