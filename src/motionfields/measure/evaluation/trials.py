"""Trials: walking characters that are repeatedly given a new direction, line or speed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import angle_difference, quat_normalize, wrap_angle
from motionfields.control.tasks import Ground, Task
from motionfields.field import MotionField
from motionfields.motion import quality
from motionfields.motion.clip import Clip
from motionfields.runtime import DisplayPose, Frame

SETTLE = 3.0  # seconds of walking before the first change or push
WINDOW = 6.0  # seconds within which a change must be completed
SPREAD = 1.3  # seconds over which the moment of a change is drawn
LEAST_ANGLE = np.radians(5.0)  # smaller changes do not count: the goal is reached from the start
LINE_TOLERANCE = 0.1  # metres
FARTHEST_LINE = 0.5  # metres, largest distance from the character to its new line
LANE_SPEEDS = (0.4, 0.9)  # range of new speeds, as shares of the top speed
SPEED_SECONDS = 1.0  # seconds over which speed is averaged, about two steps
SPEED_TOLERANCE = 0.15  # m/s
LAST_SECONDS = 2.0  # seconds at the end of a window over which the kept speed is averaged

NewCommand = Callable[[FloatArray, Ground, FloatArray, int], FloatArray]  # old command, ground, turn, change number


class Characters(Protocol):
    """Crowd as trials use it."""

    @property
    def ground(self) -> Ground:
        """Positions and facings of the characters."""
        ...

    @property
    def unplanted(self) -> DisplayPose | None:
        """Displayed pose of the last frame before foot locking."""
        ...

    def step(self, commands: FloatArray) -> Frame:
        """Advance by one frame."""
        ...


class Controlled(Protocol):
    """Controller as trials use it."""

    @property
    def field(self) -> MotionField:
        """Motion field of the controller."""
        ...

    @property
    def task(self) -> Task:
        """Task of the controller."""
        ...

    def crowd(self, count: int, *, seed: int = 0, plant: bool = True) -> Characters:
        """Return a crowd of `count` characters."""
        ...


class Trials(NamedTuple):
    """Recorded motion of characters, and the response time of each change."""

    angles: FloatArray  # [trial], radians, size of the change
    reached: FloatArray  # [trial], seconds until the goal was reached; infinite if it was not
    settled: FloatArray  # [trial], seconds until the goal was reached for good
    errors: FloatArray  # [trial, frame], radians off the goal, from the change on
    clips: list[Clip]  # displayed motion, one clip per character
    unplanted: list[Clip]  # the same before foot locking
    states: list[IntArray]  # [frame] each, the database state of each frame
    variants: list[IntArray]  # [frame] each, the root motion variant: 1 where it was warped


class LaneTrials(NamedTuple):
    """Results of trials in which line and speed change together."""

    trials: Trials  # times until the character is on the line and faces along it, as in `line_trials`
    wanted: FloatArray  # [trial], m/s, the desired speed
    speeds: FloatArray  # [trial, frame], m/s along the line from the change on, averaged over 1 s
    speed_reached: FloatArray  # [trial], seconds until that is within 0.15 m/s of the desired speed
    speed_errors: FloatArray  # [trial], m/s, error of the mean speed in the last 2 s of the window
    distances: FloatArray  # [trial], metres off the line, mean over the last 2 s


def direction_trials(controller: Controlled, *, count: int = 66, change_count: int = 4, seed: int = 0) -> Trials:
    """Run `count` characters whose heading changes `change_count` times by a uniform angle in (-180, 180] degrees."""
    rng = np.random.default_rng(seed)
    angles = rng.uniform(-np.pi, np.pi, (count, change_count))

    def command(goal: FloatArray, ground: Ground, turn: FloatArray, change: int) -> FloatArray:
        return goal + turn[:, np.newaxis]

    return _judged(controller, _run(controller, angles, command, rng, seed), None)


def line_trials(controller: Controlled, *, count: int = 66, change_count: int = 4, seed: int = 0) -> Trials:
    """Run `count` characters whose line jumps to within 0.5 m of them, rotated by a uniform angle."""
    rng = np.random.default_rng(seed)
    angles = rng.uniform(-np.pi, np.pi, (count, change_count))
    sides = rng.uniform(-FARTHEST_LINE, FARTHEST_LINE, (change_count + 1, count, 1))

    def command(goal: FloatArray, ground: Ground, turn: FloatArray, change: int) -> FloatArray:
        return _new_line(goal, ground, turn, sides[change])

    return _judged(controller, _run(controller, angles, command, rng, seed), _line_distance)


def lane_trials(controller: Controlled, *, count: int = 66, change_count: int = 4, seed: int = 0) -> LaneTrials:
    """Run `line_trials` in which every new line comes with a new speed, 0.4 to 0.9 of the task's top speed."""
    rng = np.random.default_rng(seed)
    angles = rng.uniform(-np.pi, np.pi, (count, change_count))
    sides = rng.uniform(-FARTHEST_LINE, FARTHEST_LINE, (change_count + 1, count, 1))
    top = next(float(axis.nodes[-1]) for axis in controller.task.axes if axis.name == "speed")
    speeds = top * rng.uniform(*LANE_SPEEDS, (change_count + 1, count))

    def command(goal: FloatArray, ground: Ground, turn: FloatArray, change: int) -> FloatArray:
        return np.column_stack([_new_line(goal, ground, turn, sides[change]), speeds[change]])

    run = _run(controller, angles, command, rng, seed)
    return _paced(_judged(controller, run, _line_distance), run, controller.field.database.frame_time)


def velocity_trials(controller: Controlled, *, count: int = 66, change_count: int = 4, seed: int = 0) -> Trials:
    """Run `direction_trials` of the velocity task: every new heading comes with a speed, 0.4 to 0.9 of the top."""
    rng = np.random.default_rng(seed)
    angles = rng.uniform(-np.pi, np.pi, (count, change_count))
    top = next(float(axis.nodes[-1]) for axis in controller.task.axes if axis.name == "speed")
    speeds = top * rng.uniform(*LANE_SPEEDS, (change_count + 1, count))

    def command(goal: FloatArray, ground: Ground, turn: FloatArray, change: int) -> FloatArray:
        return np.stack([goal[:, 0] + turn, speeds[change]], axis=-1)

    return _judged(controller, _run(controller, angles, command, rng, seed), None)


def counted_characters(*, count: int = 66, change_count: int = 4, seed: int = 0) -> IntArray:
    """Return the character [trial] of each trial with these settings; changes under 5 degrees do not count."""
    angles = np.random.default_rng(seed).uniform(-np.pi, np.pi, (count, change_count))
    return np.asarray(np.nonzero(np.abs(angles) >= LEAST_ANGLE)[0])


def joined(parts: Sequence[Trials]) -> Trials:
    """Concatenate the trials of all `parts`."""
    return Trials(
        np.concatenate([part.angles for part in parts]),
        np.concatenate([part.reached for part in parts]),
        np.concatenate([part.settled for part in parts]),
        np.concatenate([part.errors for part in parts]),
        [clip for part in parts for clip in part.clips],
        [clip for part in parts for clip in part.unplanted],
        [states for part in parts for states in part.states],
        [variants for part in parts for variants in part.variants],
    )


def _new_line(goal: FloatArray, ground: Ground, turn: FloatArray, side: FloatArray) -> FloatArray:
    """Return lines [n, 3] with the heading of `goal` [n, any] plus `turn` [n], `side` [n, 1] m left of characters."""
    heading = goal[:, 2] + turn
    left = np.stack([np.cos(heading), -np.sin(heading)], axis=-1)
    return np.column_stack([ground.position + side * left, heading])


def _line_distance(command: FloatArray, position: FloatArray) -> FloatArray:
    """Return the distance in metres [frame] from `position` [frame, 2] to the line of `command` [3]."""
    left = np.array([np.cos(command[2]), -np.sin(command[2])])
    return np.asarray(np.abs((position - command[:2]) @ left))


class _Run(NamedTuple):
    """Commands given to characters and the motion they displayed."""

    frames: list[Frame]
    unplanted: list[DisplayPose]
    given: FloatArray  # [character, frame, column], commands
    angles: FloatArray  # [character, change], radians
    changes: IntArray  # [character, change], frame numbers

    def counted(self) -> list[tuple[int, int]]:
        """Return the character and the change number of each trial."""
        return [(int(i), int(change)) for i, change in np.argwhere(np.abs(self.angles) >= LEAST_ANGLE)]


def _run(
    controller: Controlled, angles: FloatArray, new_command: NewCommand, rng: np.random.Generator, seed: int
) -> _Run:
    """Run characters through the changes `angles` [character, change], at moments drawn from `rng`."""
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
    unplanted: list[DisplayPose] = []
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
    return _Run(frames, unplanted, given, angles, changes)


def _first_command(task: Task, ground: Ground, new_command: NewCommand) -> FloatArray:
    """Return a command for each character to continue along its facing."""
    blank = np.zeros((len(ground.facing), len(task.command_names)))
    blank[:, task.command_names.index("heading")] = ground.facing
    return new_command(blank, ground, np.zeros(len(blank)), -1)


def _judged(
    controller: Controlled, run: _Run, distance: Callable[[FloatArray, FloatArray], FloatArray] | None
) -> Trials:
    frame_time, column = controller.field.database.frame_time, controller.task.command_names.index("heading")
    clips, bare = (clips_of(controller.field, poses) for poses in (run.frames, run.unplanted))
    states, variants = (
        np.stack([getattr(frame, name) for frame in run.frames], axis=1) for name in ("states", "variants")
    )
    facings = [quality.facing_yaw(clip) for clip in clips]
    kept, reached, settled, errors = [], [], [], []
    for i, which in run.counted():
        change = int(run.changes[i, which])
        part, goal = _window(change, frame_time), run.given[i, change]
        error = angle_difference(facings[i][part], goal[column])
        near = (
            error
            if distance is None
            else np.where(distance(goal, clips[i].root_position[part, ::2]) <= LINE_TOLERANCE, error, np.pi)
        )
        time = quality.response_time(wrap_angle(near), 0.0, frame_time)
        kept.append(run.angles[i, which])
        reached.append(time.reached)
        settled.append(time.settled)
        errors.append(np.abs(error))
    return Trials(
        np.array(kept),
        np.array(reached),
        np.array(settled),
        np.array(errors),
        clips,
        bare,
        list(states),
        list(variants),
    )


def _window(change: int, frame_time: float) -> slice:
    """Return the frames within which a change at frame `change` must be completed.

    Time counts from the frame before: that is the frame the user saw when changing the goal.
    """
    return slice(change - 1, change + round(WINDOW / frame_time))


def _paced(trials: Trials, run: _Run, frame_time: float) -> LaneTrials:
    """Add speed measurements to `trials` of line and facing."""
    wanted, speeds, reached, errors, distances = [], [], [], [], []
    for i, which in run.counted():
        change = int(run.changes[i, which])
        part, goal = _window(change, frame_time), run.given[i, change]
        place = trials.clips[i].root_position[part, ::2]
        speed = _along(goal[2], place, frame_time)
        near = np.flatnonzero(np.abs(speed - goal[3]) <= SPEED_TOLERANCE)
        last = round(LAST_SECONDS / frame_time)
        ahead = (place[-1] - place[-1 - last]) @ np.array([np.sin(goal[2]), np.cos(goal[2])])
        wanted.append(goal[3])
        speeds.append(speed)
        reached.append(near[0] * frame_time if near.size else np.inf)
        errors.append(abs(ahead / LAST_SECONDS - goal[3]))
        distances.append(_line_distance(goal, place[-last:]).mean())
    return LaneTrials(
        trials, np.array(wanted), np.array(speeds), np.array(reached), np.array(errors), np.array(distances)
    )


def _along(heading: float, place: FloatArray, frame_time: float) -> FloatArray:
    """Return the speed [frame] in m/s of `place` [frame, 2] along `heading`, averaged over 1 s around each frame."""
    ahead = place @ np.array([np.sin(heading), np.cos(heading)])
    half, frames = round(0.5 * SPEED_SECONDS / frame_time), np.arange(len(ahead))
    first, last = np.maximum(frames - half, 0), np.minimum(frames + half, len(ahead) - 1)
    return np.asarray((ahead[last] - ahead[first]) / ((last - first) * frame_time))


def clips_of(field: MotionField, frames: Sequence[Frame | DisplayPose]) -> list[Clip]:
    """Return the poses of each character as a clip."""
    return [
        Clip(field.database.skeleton, place, quat_normalize(turns), field.database.frame_time)
        for place, turns in zip(*stacked(frames), strict=True)
    ]


def stacked(frames: Sequence[Frame | DisplayPose]) -> DisplayPose:
    """Stack `frames` into one pose array: [character, frame, 3] and [character, frame, joint, 4], float64."""
    rotations = np.stack([frame.rotations for frame in frames], axis=1).astype(np.float64)
    return DisplayPose(np.stack([frame.root_position for frame in frames], axis=1), rotations)
