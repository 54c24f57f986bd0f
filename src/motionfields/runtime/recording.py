"""Recorded commands: the commands of one character over time, read from a file, and the clip they produce.

A command file is JSON. Each entry holds from its time until the time of the next:

    {"task": "direction", "seconds": 6, "commands": [{"time": 0, "heading": 0}, {"time": 2.5, "heading": 90}]}

The names are the task's `command_names`. Headings are in degrees in the file and in radians everywhere else; other
values are in metres and m/s. Pushes are optional. Their forces are in newtons in the world (x to the left of the
character's start, y up, z ahead), and they last 0.1 s by default:

    "pushes": [{"time": 1.5, "joint": "Spine2", "force": [250, 0, 0], "duration": 0.1}]

`parse_commands` reads the same commands from short texts, as typed on the command line.

Command files are untrusted input, so every part is checked and unknown entries are refused.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.files import unreadable_reason
from motionfields.base.geometry import quat_normalize
from motionfields.base.json_files import MOST_BYTES, JsonReader, brief
from motionfields.control.tasks import Task
from motionfields.field import MotionField
from motionfields.motion.clip import Clip
from motionfields.runtime import Controller, Crowd, Frame

MOST_SECONDS = 3600.0  # longest recording
ANGLES = frozenset({"heading", "facing"})  # commands that files give in degrees
SECONDS_AFTER = 3.0  # duration after the last command of `parse_commands`


class TimedPush(NamedTuple):
    """A push on one character at a given time."""

    time: float  # seconds
    joint: str
    force: tuple[float, float, float]  # newtons, in the world
    duration: float = 0.1  # seconds


@dataclass(frozen=True, eq=False)
class Commands:
    """The commands of one character over time: `values` [entry, column], each from its time in `times` [entry] on.

    The columns are `names`, in the units of the task: headings in radians.
    """

    names: tuple[str, ...]
    times: FloatArray  # [entry], seconds, increasing from 0
    values: FloatArray  # [entry, column]
    seconds: float  # total duration
    pushes: tuple[TimedPush, ...] = ()

    def __post_init__(self) -> None:
        if not 0.0 < self.seconds <= MOST_SECONDS:
            raise ValueError(f"seconds: expected more than 0 and at most {MOST_SECONDS:g}, got {self.seconds}")
        if self.times.ndim != 1 or self.values.shape != (len(self.times), len(self.names)):
            raise ValueError(
                f"values: expected [{len(self.times)}, {len(self.names)}] ({', '.join(self.names)}), "
                f"got shape {self.values.shape}"
            )
        if not (np.isfinite(self.times).all() and np.isfinite(self.values).all()):
            raise ValueError("times, values: expected finite numbers")
        if len(self.times) == 0 or self.times[0] != 0.0 or not (np.diff(self.times) > 0.0).all():
            raise ValueError("times: expected seconds that rise from 0")

    def at(self, times: FloatArray) -> FloatArray:
        """Return the commands [n, column] that hold at each of `times` [n], in seconds."""
        # A time that differs from a frame's only by rounding belongs to that frame.
        entry = np.searchsorted(self.times, np.asarray(times) + 1e-6, side="right") - 1
        return np.asarray(self.values[np.maximum(entry, 0)])


def record(controller: Controller, commands: Commands, *, seed: int = 0, plant: bool = True) -> Clip:
    """Return the clip of one character of `controller` under `commands`, from a database state drawn by `seed`.

    The character starts at the origin of the ground, and its first frame already follows the first command. `plant`
    locks its feet in place while they stand.
    """
    if commands.names != controller.task.command_names:
        raise ValueError(
            f"commands: expected {', '.join(controller.task.command_names)}, got {', '.join(commands.names)}"
        )
    frame_time = controller.field.database.frame_time
    frame_count = max(1, round(commands.seconds / frame_time))
    crowd = Crowd(controller, 1, seed=seed, plant=plant)
    # A push in the last half frame belongs to the last frame.
    moments = np.array([min(round(push.time / frame_time), frame_count - 1) for push in commands.pushes])
    frames = []
    for number, command in enumerate(commands.at(frame_time * np.arange(frame_count))):
        for which in np.flatnonzero(moments == number):
            push = commands.pushes[which]
            crowd.push(0, push.joint, push.force, duration=push.duration)
        frames.append(crowd.step(command[np.newaxis]))
    return clips_from_frames(frames, controller.field, names=["recording"])[0]


def clips_from_frames(frames: Sequence[Frame], field: MotionField, *, names: Sequence[str] | None = None) -> list[Clip]:
    """Return one clip per character from consecutive `frames` of one crowd of `field`.

    `names` are those of the clips, by default character0, character1, and so on. Frames must not share arrays: let
    `Crowd.step` allocate new ones, or copy them.
    """
    if not frames:
        raise ValueError("frames: expected at least one")
    counts = {len(frame.root_position) for frame in frames}
    if len(counts) > 1:
        raise ValueError(f"frames: expected one number of characters, got {', '.join(map(str, sorted(counts)))}")
    root = np.stack([frame.root_position for frame in frames], axis=1)
    rotations = quat_normalize(np.stack([frame.rotations for frame in frames], axis=1).astype(np.float64))
    called = names or [f"character{number}" for number in range(len(root))]
    if len(called) != len(root):
        raise ValueError(f"names: expected {len(root)}, one for each character, got {len(called)}")
    skeleton, frame_time = field.database.skeleton, field.database.frame_time
    tracks = zip(called, root, rotations, strict=True)
    return [Clip(skeleton, place, turns, frame_time, name=name) for name, place, turns in tracks]


def read_commands(path: str | PathLike[str], task: Task) -> Commands:
    """Return the commands for `task` in the file `path`; `FormatError` names the entry that is wrong."""
    return _Reader(fspath(path), type(task).__name__.lower(), task.command_names).read()


def parse_commands(texts: Sequence[str], task: Task, *, seconds: float | None = None) -> Commands:
    """Return the commands for `task` in `texts`, each "TIME:NAME=VALUE,NAME=VALUE".

    Times are in seconds, headings in degrees, other values in metres and m/s. A name left out keeps its previous value.
    The motion lasts `seconds`, by default until 3 s after the last command. Raises `FormatError` if a text is not
    valid.
    """
    reader = _Reader("", type(task).__name__.lower(), task.command_names)
    if not texts:
        raise ValueError("texts: expected at least one command")
    entries: list[dict[str, float]] = []
    for text in texts:
        entries.append({**(entries[-1] if entries else {}), **_parsed_entry(reader, text)})
    length = entries[-1]["time"] + SECONDS_AFTER if seconds is None else seconds
    return reader.checked({"task": reader.task, "seconds": length, "commands": entries})


def _parsed_entry(reader: _Reader, text: str) -> dict[str, float]:
    """Return the time and values of a text "TIME:NAME=VALUE,..."."""
    time, colon, rest = text.partition(":")
    parts = [part.partition("=") for part in rest.split(",")]
    if not colon or not all(name.strip() and sign for name, sign, _ in parts):
        example = ",".join(f"{name}=0" for name in reader.names)
        reader.fail(f"expected TIME:NAME=VALUE, such as 2:{example}, got {brief(text)}")
    names = [name.strip() for name, _, _ in parts]
    reader.check_once(names, brief(text))
    for name in names:
        if name not in reader.names:
            reader.fail(f"{brief(text)}: expected {', '.join(reader.names)}, got {brief(name)}")
    entry = {"time": time, **dict(zip(names, (value for _, _, value in parts), strict=True))}
    numbers = {}
    for name, value in entry.items():
        try:
            numbers[name] = float(value)
        except ValueError:
            reader.fail(f"{name} in {brief(text)}: expected a number, got {brief(value)}")
    return numbers


@dataclass(frozen=True)
class _Reader(JsonReader):
    """The reader of one command file for the task `task` with the command names `names`."""

    task: str
    names: tuple[str, ...]

    def read(self) -> Commands:
        """Return the commands of the file."""
        return self.checked(self.parsed(self._content()))

    def checked(self, content: object) -> Commands:
        """Return the commands in the parsed `content` of a file."""
        facts = self.fields(content, ("task", "seconds", "commands"), "the file", optional=("pushes",))
        if facts["task"] != self.task:
            self.fail(f"task: expected {self.task!r}, the task of the controller, got {brief(facts['task'])}")
        seconds = self.number(facts["seconds"], "seconds")
        if not 0.0 < seconds <= MOST_SECONDS:
            self.fail(f"seconds: expected more than 0 and at most {MOST_SECONDS:g}, got {seconds:g}")
        entries = self.entries(facts["commands"], "commands")
        rows = [self._entry(entry, f"commands[{number}]") for number, entry in enumerate(entries)]
        self._check_times([row[0] for row in rows], seconds)
        table = np.array(rows)
        given = facts.get("pushes", [])
        if not isinstance(given, list):
            self.fail(f"pushes: expected a list, got {brief(given)}")
        pushes = tuple(self._push(entry, f"pushes[{number}]", seconds) for number, entry in enumerate(given))
        return Commands(self.names, table[:, 0], table[:, 1:], seconds, pushes)

    def _content(self) -> bytes:
        try:
            with Path(self.path).open("rb") as file:
                return file.read(MOST_BYTES + 1)
        except OSError as error:
            self.fail(unreadable_reason(self.path, error))

    def _entry(self, entry: object, where: str) -> list[float]:
        fields = ("time", *self.names)
        facts = self.fields(entry, fields, where)
        numbers = [self.number(facts[name], f"{where}.{name}") for name in fields]
        return [math.radians(n) if name in ANGLES else n for name, n in zip(fields, numbers, strict=True)]

    def _push(self, entry: object, where: str, seconds: float) -> TimedPush:
        facts = self.fields(entry, ("time", "joint", "force"), where, optional=("duration",))
        time = self.number(facts["time"], f"{where}.time")
        if not 0.0 <= time < seconds:
            self.fail(
                f"{where}.time: expected at least 0 and less than {seconds:g}, the length in seconds, got {time:g}"
            )
        if not isinstance(facts["joint"], str):
            self.fail(f"{where}.joint: expected the name of a joint, got {brief(facts['joint'])}")
        force = facts["force"]
        if not isinstance(force, list) or len(force) != 3:
            self.fail(f"{where}.force: expected three numbers, got {brief(force)}")
        x, y, z = (self.number(part, f"{where}.force[{place}]") for place, part in enumerate(force))
        duration = self.number(facts.get("duration", TimedPush._field_defaults["duration"]), f"{where}.duration")
        return TimedPush(time, facts["joint"], (x, y, z), duration)

    def _check_times(self, times: list[float], seconds: float) -> None:
        if times[0] != 0.0:
            self.fail(f"commands[0].time: expected 0, since a command must hold from the start, got {times[0]:g}")
        for number in range(1, len(times)):
            if not times[number] > times[number - 1]:
                self.fail(
                    f"commands[{number}].time: expected more than {times[number - 1]:g}, the time of the entry before, "
                    f"got {times[number]:g}"
                )
        if times[-1] >= seconds:
            self.fail(f"commands[{len(times) - 1}].time: expected less than {seconds:g}, the length in seconds")
