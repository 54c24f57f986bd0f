"""Recorded commands: what a character is told over time, from a file, and the clip that it makes of them.

A file of commands is JSON. Each entry holds from its time on until the next:

    {"task": "direction", "seconds": 6, "commands": [{"time": 0, "heading": 0}, {"time": 2.5, "heading": 90}]}

The names are the task's `command_names`. Headings are in degrees in the file and in radians everywhere else; the rest
is in metres and m/s. Pushes may follow, with forces in newtons in the world (x to the left of where it starts, y up, z
ahead), for 0.1 s unless they say otherwise:

    "pushes": [{"time": 1.5, "joint": "Spine2", "force": [250, 0, 0], "duration": 0.1}]

Such files come from anywhere, so every part is checked and what is not known is refused.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np

from motionfields.arrays import FloatArray
from motionfields.clip import Clip
from motionfields.errors import FormatError
from motionfields.files import unreadable_reason
from motionfields.geometry import quat_normalize
from motionfields.runtime import Controller
from motionfields.tasks import Task

MOST_BYTES = 16 * 2**20  # of a file of commands
MOST_SECONDS = 3600.0  # of a recording
ANGLES = frozenset({"heading"})  # what is in degrees in a file


class TimedPush(NamedTuple):
    """A push on one character at one time."""

    time: float  # seconds
    joint: str
    force: tuple[float, float, float]  # newtons, in the world
    duration: float = 0.1  # seconds


@dataclass(frozen=True, eq=False)
class Commands:
    """What one character is told over time: `values` [entry, column] from each of `times` [entry] on, in seconds.

    The columns are `names`, in the units of the task: headings in radians.
    """

    names: tuple[str, ...]
    times: FloatArray  # [entry], seconds, rising from 0
    values: FloatArray  # [entry, column]
    seconds: float  # in all
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
        """What holds [n, column] at each of `times` [n], in seconds."""
        # A time that misses a frame by rounding alone belongs to it.
        entry = np.searchsorted(self.times, np.asarray(times) + 1e-6, side="right") - 1
        return np.asarray(self.values[np.maximum(entry, 0)])


def record(controller: Controller, commands: Commands, *, seed: int = 0, plant: bool = True) -> Clip:
    """The clip of one character of `controller` that is told `commands`, from a state of the data drawn by `seed`.

    It starts at the origin of the ground; its first frame already hears the first command. `plant` holds its feet in
    place while they stand.
    """
    if commands.names != controller.task.command_names:
        raise ValueError(
            f"commands: expected {', '.join(controller.task.command_names)}, got {', '.join(commands.names)}"
        )
    frame_time = controller.field.database.frame_time
    frame_count = max(1, round(commands.seconds / frame_time))
    crowd = controller.crowd(1, seed=seed, plant=plant)
    moments = np.array([round(push.time / frame_time) for push in commands.pushes])
    frames = []
    for number, command in enumerate(commands.at(frame_time * np.arange(frame_count))):
        for which in np.flatnonzero(moments == number):
            push = commands.pushes[which]
            crowd.push(0, push.joint, push.force, duration=push.duration)
        frames.append(crowd.step(command[np.newaxis]))
    root = np.concatenate([frame.root_position for frame in frames])
    rotations = np.concatenate([frame.rotations for frame in frames]).astype(np.float64)
    return Clip(controller.field.database.skeleton, root, quat_normalize(rotations), frame_time, name="recording")


def read_commands(path: str | PathLike[str], task: Task) -> Commands:
    """The commands for `task` in the file `path`; raises `FormatError` that says which entry is wrong and how."""
    return _Reader(fspath(path), type(task).__name__.lower(), task.command_names).read()


@dataclass(frozen=True)
class _Reader:
    """One file, and what is expected in it."""

    path: str
    task: str
    names: tuple[str, ...]

    def read(self) -> Commands:
        """The commands of the file."""
        facts = self._object(self._parsed(), ("task", "seconds", "commands"), "the file", optional=("pushes",))
        if facts["task"] != self.task:
            self._fail(f"task: expected {self.task!r}, which the controller does, got {_shown(facts['task'])}")
        seconds = self._number(facts["seconds"], "seconds")
        if not 0.0 < seconds <= MOST_SECONDS:
            self._fail(f"seconds: expected more than 0 and at most {MOST_SECONDS:g}, got {seconds:g}")
        entries = facts["commands"]
        if not isinstance(entries, list) or not entries:
            self._fail(f"commands: expected a list of at least one entry, got {_shown(entries)}")
        rows = [self._entry(entry, f"commands[{number}]") for number, entry in enumerate(entries)]
        self._check_times([row[0] for row in rows], seconds)
        table = np.array(rows)
        given = facts.get("pushes", [])
        if not isinstance(given, list):
            self._fail(f"pushes: expected a list, got {_shown(given)}")
        pushes = tuple(self._push(entry, f"pushes[{number}]", seconds) for number, entry in enumerate(given))
        return Commands(self.names, table[:, 0], table[:, 1:], seconds, pushes)

    def _parsed(self) -> object:
        try:
            with Path(self.path).open("rb") as file:
                content = file.read(MOST_BYTES + 1)
        except OSError as error:
            self._fail(unreadable_reason(self.path, error))
        if len(content) > MOST_BYTES:
            self._fail(f"expected at most {MOST_BYTES // 2**20} MB of commands")
        try:
            return json.loads(content.decode(), object_pairs_hook=self._pairs, parse_constant=self._refuse_constant)
        except json.JSONDecodeError as error:
            self._fail(f"expected JSON, {error.msg} at column {error.colno}", line=error.lineno)
        except UnicodeDecodeError:
            self._fail("expected JSON in UTF-8")
        except (ValueError, RecursionError):
            self._fail("expected JSON of plain entries, got numbers or nesting beyond all bounds")

    def _pairs(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            again, _ = Counter(name for name, _ in pairs).most_common(1)[0]
            self._fail(f"expected every field once, got {_shown(again)} again")
        return found

    def _refuse_constant(self, word: str) -> NoReturn:
        self._fail(f"expected finite numbers, got {word}")

    def _entry(self, entry: object, where: str) -> list[float]:
        fields = ("time", *self.names)
        facts = self._object(entry, fields, where)
        numbers = [self._number(facts[name], f"{where}.{name}") for name in fields]
        return [math.radians(n) if name in ANGLES else n for name, n in zip(fields, numbers, strict=True)]

    def _push(self, entry: object, where: str, seconds: float) -> TimedPush:
        facts = self._object(entry, ("time", "joint", "force"), where, optional=("duration",))
        time = self._number(facts["time"], f"{where}.time")
        if not 0.0 <= time < seconds:
            self._fail(f"{where}.time: expected 0 to less than the {seconds:g} seconds in all, got {time:g}")
        if not isinstance(facts["joint"], str):
            self._fail(f"{where}.joint: expected the name of a joint, got {_shown(facts['joint'])}")
        force = facts["force"]
        if not isinstance(force, list) or len(force) != 3:
            self._fail(f"{where}.force: expected three numbers, got {_shown(force)}")
        x, y, z = (self._number(part, f"{where}.force[{place}]") for place, part in enumerate(force))
        duration = self._number(facts.get("duration", TimedPush._field_defaults["duration"]), f"{where}.duration")
        return TimedPush(time, facts["joint"], (x, y, z), duration)

    def _object(
        self, value: object, fields: Sequence[str], where: str, *, optional: Sequence[str] = ()
    ) -> dict[str, Any]:
        """`value`, which must be an object with these `fields`, perhaps the `optional` ones, and no others."""
        if not isinstance(value, dict):
            self._fail(f"{where}: expected an object with {', '.join(fields)}, got {_shown(value)}")
        for name in fields:
            if name not in value:
                self._fail(f"{where}: expected {', '.join(fields)}; {name} is missing")
        for name in value:
            if name not in (*fields, *optional):
                self._fail(f"{where}: expected {', '.join((*fields, *optional))}; {_shown(name)} is none of them")
        return value

    def _number(self, value: object, where: str) -> float:
        number = math.nan
        if isinstance(value, int | float) and not isinstance(value, bool):
            with suppress(OverflowError):  # of a whole number that no float can hold
                number = float(value)
        if not math.isfinite(number):
            self._fail(f"{where}: expected a finite number, got {_shown(value)}")
        return number

    def _check_times(self, times: list[float], seconds: float) -> None:
        if times[0] != 0.0:
            self._fail(f"commands[0].time: expected 0, so that there is a command from the start, got {times[0]:g}")
        for number in range(1, len(times)):
            if not times[number] > times[number - 1]:
                self._fail(
                    f"commands[{number}].time: expected more than {times[number - 1]:g}, the time of the entry before, "
                    f"got {times[number]:g}"
                )
        if times[-1] >= seconds:
            self._fail(f"commands[{len(times) - 1}].time: expected less than the {seconds:g} seconds in all")

    def _fail(self, reason: str, *, line: int | None = None) -> NoReturn:
        raise FormatError(reason, path=self.path, line=line) from None


def _shown(value: object) -> str:
    """`value` in a few words, however large it is."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else f"a list of {len(value)}"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**18:
        return "a number beyond all bounds"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:36]}..."
