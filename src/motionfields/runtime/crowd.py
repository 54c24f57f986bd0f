"""A crowd: characters that take commands and move, the same code for one and for thousands."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.control.contract import Controller, Followers
from motionfields.control.tasks import Ground, Task
from motionfields.field import MotionField
from motionfields.field.database import MotionState
from motionfields.field.passive import chances
from motionfields.motion.planting import FootPlanter, PlantingSettings
from motionfields.runtime.follower import Shown, displace, followers_from, pivot_about
from motionfields.runtime.pushable import Pushable
from motionfields.runtime.stepping import DECIDE, FOLLOW, PLANT, SHOW, Stepper

# Quicker turns than passive synthesis makes: the root follows its planted feet later, and feet are let go sooner.
PLANTING = PlantingSettings(
    root_time=0.5,
    root_haste=1.0,
    lock_lead=0.007,
    release_lead=0.06,
    stop_time=0.058,
    fade_time=0.35,
    clearance_time=0.1,
    heel_hold=0.25,
)

STANDS = 0.5  # the contact vote from which a foot is on the ground


class Frame(NamedTuple):
    """One frame of a crowd."""

    root_position: FloatArray  # [n, 3], metres
    rotations: FloatArray  # [n, joint, 4], as in a `Clip`
    planted: BoolArray  # [n, 2], whether the left and the right foot are held in place
    rows: IntArray  # [n], the state of the data that each character is at
    ways: IntArray  # [n], how it came there: 0 as captured, 1 warped


class Crowd(Pushable):
    """Characters of one controller. What each does depends on itself alone: the same bits in a crowd of any size."""

    def __init__(self, controller: Controller, count: int, *, seed: int = 0, plant: bool = True) -> None:
        field = controller.field
        super().__init__(field, count)
        self.controller = controller
        self.frame_number = 0  # of the next frame
        drawn = np.floor(chances(seed, np.arange(count), 0) * len(controller.starts)).astype(np.int64)
        self.followers = Followers.at(field.database, controller.starts[drawn])
        self.mind = controller.mind(count)
        self._stepper = _stepper(controller, count)
        self.set_detail(plant=plant)

    @property
    def ground(self) -> Ground:
        """Where the characters are and which way they face, once what they show has caught up with what they follow."""
        followers = self.followers
        return Ground(followers.position.copy(), followers.yaw + self.controller.moves.facing[followers.row])

    @property
    def unplanted(self) -> Shown:
        """What the last frame showed before feet were held."""
        shown = Shown.blank(self.count, self.field.database.skeleton.joint_count)
        self._stepper.run(SHOW, self.followers, shown)
        shown.root_position[:] -= self._stepper.standing.shift
        return shown

    def set_detail(
        self, characters: IntArray | BoolArray | slice = slice(None), *, every: int = 1, plant: bool = True
    ) -> None:
        """How much care `characters` get: those far away may decide only `every` few frames, and slide a little.

        In between they go on with the motion that they are in. `plant` holds their feet in place while they stand.
        """
        if every < 1:
            raise ValueError(f"every: expected at least 1 frame, got {every}")
        if every > 1 and self.controller.policy is None:
            raise ValueError(f"every: expected 1, since a {type(self.controller).__name__} decides at every frame")
        detail = self._stepper.detail
        chosen = np.arange(self.count)[characters]
        self._stepper.restart_planting(chosen[detail.plants[chosen] != plant])
        detail.every[chosen], detail.plants[chosen] = every, plant

    def start_from(self, state: MotionState, characters: IntArray | BoolArray | slice = slice(None)) -> None:
        """Let `characters` go on from the states `state`, one for each, whatever poses and velocities they are."""
        controller = self.controller
        nearest = controller.field.neighbors(state, 1).indices[:, 0]
        chosen = np.arange(self.count)[characters]
        self.mind = tuple(np.array(track) for track in self.mind)
        fresh = (*followers_from(controller.field.database, state, nearest), *controller.mind(len(chosen)))
        for track, new in zip((*self.followers, *self.mind), fresh, strict=True):
            track[chosen] = new
        self._stepper.restart_planting(chosen)
        self._stop_pushes(chosen)

    def hand_over(self, controller: Controller) -> None:
        """Let another `controller` of the same data move the characters from where they are."""
        old, self.controller = self._stepper, controller
        self.mind = controller.mind(self.count)
        self.followers.way[:] = np.minimum(self.followers.way, controller.moves.way_count - 1)  # it may not know warps
        self._stepper = _stepper(controller, self.count)
        self._stepper.take_over(old)

    def resized(self, count: int, *, seed: int = 0) -> Crowd:
        """A crowd of `count`: the first go on as they are here, the others are at the origin, in states by `seed`."""
        crowd = Crowd(self.controller, count, seed=seed)
        crowd.frame_number = self.frame_number
        kept = min(count, self.count)
        for track, old in zip((*crowd.followers, *crowd.mind), (*self.followers, *self.mind), strict=True):
            track[:kept] = old[:kept]
        crowd._stepper.take_over(self._stepper)
        crowd.balls = list(self.balls)
        if self._pushes is not None:
            crowd.pushes = self._pushes.resized(count)
        return crowd

    def place(self, characters: IntArray | BoolArray | slice, position: ArrayLike, facing: ArrayLike) -> None:
        """Put `characters` at `position` [m, 2], world x and z in metres, facing the yaws `facing` [m] in radians."""
        followers, chosen = self.followers, np.arange(self.count)[characters]
        followers.position[chosen] = position
        followers.yaw[chosen] = (
            np.asarray(facing, dtype=np.float64) - self.controller.moves.facing[followers.row[chosen]]
        )
        self._stepper.restart_planting(chosen)

    def params(self, commands: ArrayLike) -> FloatArray:
        """The task parameters [n, axis] of the characters as they stand, were they told `commands` (see `step`)."""
        task = self.controller.task
        return task.params(checked_commands(task, commands, self.count), self.ground)

    def step(self, commands: ArrayLike, *, out: Frame | None = None) -> Frame:
        """One frame on: every character hears its command, decides and moves.

        `commands` are [n, column] as the task's `command_names` say; [n] where there is one column, or what fits all.
        `out` is a frame of this crowd to write to instead of a new one.
        """
        frame = self._blank_frame() if out is None else self._checked_frame(out)
        shown = Shown(frame.root_position, frame.rotations)
        params = np.ascontiguousarray(self.params(commands), dtype=np.float64)
        stages = DECIDE | FOLLOW | SHOW
        if self.controller.policy is None:
            self._decide(params)
            stages = FOLLOW | SHOW
        recovering = self._recovering
        if not len(recovering):
            self._run(stages | PLANT, shown, params)
        else:
            self._run(stages, shown, params)
            self._push_on(shown)
            held = recovering[self._stepper.detail.plants[recovering]]
            before = shown.rotations[held]
            self._run(PLANT, shown, params)
            self._keep_in_range(held, before, shown.rotations)
        frame.planted[:] = self._stepper.planting.locked
        frame.rows[:], frame.ways[:] = self.followers.row, self.followers.way
        self._end_frame(frame.root_position, frame.rotations)
        self.frame_number += 1
        return frame

    def _run(self, stages: int, shown: Shown, params: FloatArray) -> None:
        self._stepper.run(stages, self.followers, shown, params=params, frame=self.frame_number)

    def _decide(self, params: FloatArray) -> None:
        """Let a controller decide that has no policy."""
        steps, self.mind = self.controller.decide(self.followers, self.mind, params)
        if steps.pivot is not None:
            pivot_about(self.field.database, self.followers, steps.pivot)
        for mine, chosen in zip(self._stepper.steps[:4], steps[:4], strict=True):
            mine[:] = chosen

    def _push_on(self, shown: Shown) -> None:
        """Let pushes move what is `shown`, in place; who leans over planted feet comes back to them slowly."""
        pushed = self._moved_by_pushes()
        if not len(pushed):
            return
        was, now = shown.take(pushed), shown.take(pushed)
        self.pushes.move(pushed, *now, self.field.state_votes[self.followers.row[pushed]] >= STANDS)
        displace(self.field.database, self.followers, pushed, was, now)
        shown.root_position[pushed], shown.rotations[pushed] = now
        self._stepper.planting.lean[pushed] += (now.root_position - was.root_position)[:, np.newaxis, ::2]

    def _checked_frame(self, frame: Frame) -> Frame:
        """`frame`, if it can be written to; ValueError if it is none of this crowd's."""
        count, joint_count = self.count, self.field.database.skeleton.joint_count
        shapes = ((count, 3), (count, joint_count, 4), (count, 2), (count,), (count,))
        types = (np.float64, np.float64, np.bool_, np.int64, np.int64)
        for track, shape, kind in zip(frame, shapes, types, strict=True):
            if track.shape != shape or track.dtype != kind or not track.flags.carray:
                raise ValueError(f"out: expected a frame that `step` gave of a crowd of {count}")
        return frame

    def _blank_frame(self) -> Frame:
        """A frame of this crowd to write to."""
        count = self.count
        shown = Shown.blank(count, self.field.database.skeleton.joint_count)
        return Frame(*shown, np.zeros((count, 2), np.bool_), np.zeros(count, np.int64), np.zeros(count, np.int64))


def _stepper(controller: Controller, count: int) -> Stepper:
    return Stepper(
        controller.field,
        controller.moves,
        controller.half_lives,
        crowd_planter(controller.field),
        policy=controller.policy,
        count=count,
    )


def crowd_planter(field: MotionField) -> FootPlanter:
    """What holds the feet of a crowd that feeds the planter's shifts back to its characters."""
    frame_time = field.database.frame_time
    return FootPlanter(
        field.database.skeleton, field.stance, frame_time=frame_time, settings=PLANTING, carries_shift=False
    )


def checked_commands(task: Task, commands: ArrayLike, count: int) -> FloatArray:
    """`commands` for `count` characters as [n, column], float64; ValueError says what `task` wants instead."""
    names = task.command_names
    given = np.asarray(commands, dtype=np.float64)
    if given.ndim < 2 and len(names) == 1:
        given = given[..., np.newaxis]
    try:
        table = np.broadcast_to(given, (count, len(names)))
    except ValueError:
        raise ValueError(
            f"commands: expected [{count}, {len(names)}] ({', '.join(names)}), got shape {given.shape}"
        ) from None
    if not np.isfinite(table).all():
        raise ValueError("commands: expected finite numbers")
    return table
