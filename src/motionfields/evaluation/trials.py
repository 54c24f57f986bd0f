"""Trials: characters in a settled walk that are told to go another way, over and over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from motionfields import quality
from motionfields.arrays import FloatArray, IntArray
from motionfields.clip import Clip
from motionfields.field import MotionField
from motionfields.geometry import angle_difference, quat_normalize, wrap_angle
from motionfields.runtime import Frame, Shown
from motionfields.tasks import Ground, Task

SETTLE = 3.0  # seconds before the first change
WINDOW = 6.0  # seconds in which a change must be done
SPREAD = 1.3  # seconds within which the moment of a change is drawn
LEAST_ANGLE = np.radians(5.0)  # smaller changes are done before they are heard
LINE_TOLERANCE = 0.1  # metres
FARTHEST_LINE = 0.5  # metres from the character to its new line


NewCommand = Callable[[FloatArray, Ground, FloatArray, int], FloatArray]  # old, where, turn, which change


class Characters(Protocol):
    """What trials need of a crowd."""

    @property
    def ground(self) -> Ground:
        """Where the characters are and face."""
        ...

    @property
    def unplanted(self) -> Shown | None:
        """What the last frame showed before feet were held."""
        ...

    def step(self, commands: FloatArray) -> Frame:
        """One frame on."""
        ...


class Controlled(Protocol):
    """What trials need of a controller."""

    @property
    def field(self) -> MotionField:
        """The motion."""
        ...

    @property
    def task(self) -> Task:
        """The task."""
        ...

    def crowd(self, count: int, *, seed: int = 0, plant: bool = True) -> Characters:
        """Characters that it moves."""
        ...


class Trials(NamedTuple):
    """What characters did, and how long each change took."""

    angles: FloatArray  # [trial], radians of the change
    reached: FloatArray  # [trial], seconds until it was done; infinite where it was not
    settled: FloatArray  # [trial], seconds until it was done for good
    errors: FloatArray  # [trial, frame], radians off the goal from the change on
    clips: list[Clip]  # what was shown, one a character
    unplanted: list[Clip]  # the same before feet were held
    rows: list[IntArray]  # [frame] each, the state of the data that each frame is at
    ways: list[IntArray]  # [frame] each, 1 where it was warped


def direction_trials(controller: Controlled, *, count: int = 66, change_count: int = 4, seed: int = 0) -> Trials:
    """`count` characters whose desired heading jumps `change_count` times by a uniform angle in (-180, 180] degrees."""
    rng = np.random.default_rng(seed)
    angles = rng.uniform(-np.pi, np.pi, (count, change_count))

    def command(goal: FloatArray, ground: Ground, turn: FloatArray, change: int) -> FloatArray:
        return goal + turn[:, np.newaxis]

    return _run(controller, angles, command, None, rng, seed)


def line_trials(controller: Controlled, *, count: int = 66, change_count: int = 4, seed: int = 0) -> Trials:
    """`count` characters whose line jumps: to within 0.5 m of where they are, turned by a uniform angle."""
    rng = np.random.default_rng(seed)
    angles = rng.uniform(-np.pi, np.pi, (count, change_count))
    sides = rng.uniform(-FARTHEST_LINE, FARTHEST_LINE, (change_count + 1, count, 1))

    def command(goal: FloatArray, ground: Ground, turn: FloatArray, change: int) -> FloatArray:
        heading = goal[:, 2] + turn
        left = np.stack([np.cos(heading), -np.sin(heading)], axis=-1)
        return np.column_stack([ground.position + sides[change] * left, heading])

    return _run(controller, angles, command, _line_distance, rng, seed)


def counted_characters(*, count: int = 66, change_count: int = 4, seed: int = 0) -> IntArray:
    """Whose change [trial] each trial is, of trials with these settings: changes under 5 degrees are left out."""
    angles = np.random.default_rng(seed).uniform(-np.pi, np.pi, (count, change_count))
    return np.asarray(np.nonzero(np.abs(angles) >= LEAST_ANGLE)[0])


def joined(parts: Sequence[Trials]) -> Trials:
    """The trials of all `parts` as one."""
    return Trials(
        np.concatenate([part.angles for part in parts]),
        np.concatenate([part.reached for part in parts]),
        np.concatenate([part.settled for part in parts]),
        np.concatenate([part.errors for part in parts]),
        [clip for part in parts for clip in part.clips],
        [clip for part in parts for clip in part.unplanted],
        [rows for part in parts for rows in part.rows],
        [ways for part in parts for ways in part.ways],
    )


def _line_distance(command: FloatArray, position: FloatArray) -> FloatArray:
    """Metres [frame] from `position` [frame, 2] to the line of `command` [3]."""
    left = np.array([np.cos(command[2]), -np.sin(command[2])])
    return np.asarray(np.abs((position - command[:2]) @ left))


def _run(
    controller: Controlled,
    angles: FloatArray,
    new_command: NewCommand,
    distance: Callable[[FloatArray, FloatArray], FloatArray] | None,
    rng: np.random.Generator,
    seed: int,
) -> Trials:
    """Walk, change, walk on: [character, change] of `angles`, at moments that `rng` draws."""
    count, change_count = angles.shape
    database = controller.field.database
    seconds = np.full((count, change_count), WINDOW + 0.2) + rng.uniform(0.0, SPREAD, angles.shape)
    starts = SETTLE + rng.uniform(0.0, SPREAD, (count, 1)) + np.cumsum(seconds, axis=1) - seconds
    changes = np.round(starts / database.frame_time).astype(np.int64)
    frame_count = int(changes.max()) + round(WINDOW / database.frame_time) + 1
    crowd = controller.crowd(count, seed=seed)
    command = _first_command(controller.task, crowd.ground, new_command)
    given = np.empty((count, frame_count, command.shape[1]))
    frames: list[Frame] = []
    unplanted: list[Shown] = []
    for frame in range(frame_count):
        for change in range(change_count):
            now = changes[:, change] == frame
            if now.any():
                turn = np.where(now, angles[:, change], 0.0)
                command = np.where(now[:, np.newaxis], new_command(command, crowd.ground, turn, change), command)
        given[:, frame] = command
        frames.append(crowd.step(command))
        assert crowd.unplanted is not None
        unplanted.append(crowd.unplanted)
    return _judged(controller.field, frames, unplanted, given, angles, changes, distance)


def _first_command(task: Task, ground: Ground, new_command: NewCommand) -> FloatArray:
    """A command for everyone to go on as it faces."""
    blank = np.zeros((len(ground.facing), len(task.command_names)))
    blank[:, task.command_names.index("heading")] = ground.facing
    return new_command(blank, ground, np.zeros(len(blank)), -1)


def _judged(
    field: MotionField,
    frames: list[Frame],
    unplanted: list[Shown],
    given: FloatArray,
    angles: FloatArray,
    changes: IntArray,
    distance: Callable[[FloatArray, FloatArray], FloatArray] | None,
) -> Trials:
    database = field.database
    clips, bare = (_clips(field, poses) for poses in (frames, unplanted))
    rows, ways = (np.stack([getattr(frame, name) for frame in frames], axis=1) for name in ("rows", "ways"))
    length = round(WINDOW / database.frame_time)
    kept, reached, settled, errors = [], [], [], []
    for i, clip in enumerate(clips):
        facing = quality.facing_yaw(clip)
        for angle, change in zip(angles[i], changes[i], strict=True):
            if abs(angle) < LEAST_ANGLE:
                continue
            # The frame before is what the user saw when changing the goal; from it on, time counts.
            part = slice(change - 1, change + length)
            goal = given[i, change]
            error = angle_difference(facing[part], goal[-1])
            near = (
                error
                if distance is None
                else np.where(distance(goal, clip.root_position[part, ::2]) <= LINE_TOLERANCE, error, np.pi)
            )
            time = quality.response_time(wrap_angle(near), 0.0, database.frame_time)
            kept.append(angle)
            reached.append(time.reached)
            settled.append(time.settled)
            errors.append(np.abs(error))
    return Trials(
        np.array(kept), np.array(reached), np.array(settled), np.array(errors), clips, bare, list(rows), list(ways)
    )


def _clips(field: MotionField, frames: Sequence[Frame | Shown]) -> list[Clip]:
    """The poses of each character as a clip."""
    root = np.stack([frame.root_position for frame in frames], axis=1)
    rotations = np.stack([frame.rotations for frame in frames], axis=1).astype(np.float64)
    return [
        Clip(field.database.skeleton, place, quat_normalize(turns), field.database.frame_time)
        for place, turns in zip(root, rotations, strict=True)
    ]
