"""Rollouts of clips for a task: the reward while a clip plays, and the task parameters at its end."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import wrap_angle
from motionfields.control.methods.graph.cutting import StepClips
from motionfields.control.methods.graph.settings import GraphSettings
from motionfields.control.root_motion import RootMotion
from motionfields.control.tasks import Motion, Task
from motionfields.control.transitions import excess_jerk
from motionfields.field.database import MotionDatabase


class Played(NamedTuple):
    """Outcomes of played clips; arrays are [...]."""

    reward: FloatArray  # discounted frame by frame, less the costs of warps and rough data
    params: FloatArray  # [..., axis], task parameters at the end


class Player:
    """Rollouts of clips for a task, as captured or warped."""

    def __init__(
        self, task: Task, root_motion: RootMotion, clips: StepClips, settings: GraphSettings, database: MotionDatabase
    ) -> None:
        self.task = task
        self.clips = clips
        self.settings = settings
        self._moves = root_motion
        self._roughness = settings.rough_cost * excess_jerk(database)
        turns = np.concatenate([[0.0], np.cumsum(root_motion.turn[:, 0])])
        self.turns = turns[clips.end] - turns[clips.start]  # [clip], radians that each turns as captured
        self._angle = next((place for place, axis in enumerate(task.axes) if axis.wraps), None)

    @property
    def warp_count(self) -> int:
        """Number of warps that `warps` returns for a clip."""
        return (len(self.settings.turns) + (self._angle is not None)) * len(self.settings.stretches)

    def warps(self, clips: IntArray, params: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the turns and stretches, [..., warp] each, to try for `clips` [...] from `params` [..., axis].

        If a task parameter is an angle, one of the turns just reaches the goal, if the limits allow.
        """
        turns = np.broadcast_to(self.settings.turns, (*clips.shape, len(self.settings.turns)))
        if self._angle is not None:
            most = self.settings.most_turn
            lacking = wrap_angle(params[..., self._angle] - self.turns[clips])
            turns = np.concatenate([turns, np.clip(lacking, -most, most)[..., np.newaxis]], axis=-1)
        stretches = self.settings.stretches
        return np.repeat(turns, len(stretches), axis=-1), np.broadcast_to(
            np.tile(stretches, turns.shape[-1]), (*clips.shape, turns.shape[-1] * len(stretches))
        )

    def go_on(self, row: IntArray, end: IntArray, params: FloatArray) -> FloatArray:
        """Return the task parameters [m, axis] of characters at `row` [m] when they reach the states `end` [m]."""
        now = params
        for frame in range(int((end - row).max(initial=0))):
            states = np.minimum(row + frame, end)
            motion = Motion(self._moves.turn[states, 0], self._moves.velocity[states], self._moves.frame_time)
            now = np.where((row + frame < end)[:, np.newaxis], self.task.advance(now, motion), now)
        return now

    def play(self, clips: IntArray, turns: FloatArray, stretches: FloatArray, params: FloatArray) -> Played:
        """Return the outcomes of `clips` [...] with warps `turns` and `stretches` [...] from `params` [..., axis]."""
        settings, steps = self.settings, self.clips
        length, half = steps.length[clips], steps.half[clips]
        extra_rate = turns / (half * self._moves.frame_time)
        reward = -settings.turn_cost * extra_rate**2 - settings.stretch_cost * np.abs(stretches - 1.0)
        now, weight = np.array(params, dtype=np.float64), 1.0
        for frame in range(int(length.max(initial=0))):
            is_on = frame < length
            states = np.where(is_on, steps.start[clips] + frame, steps.start[clips])
            warped = is_on & (frame < half)
            share = np.where(warped, bell(frame, half), 0.0)
            velocity = self._moves.velocity[states] * np.where(warped, stretches, 1.0)[..., np.newaxis]
            motion = Motion(self._moves.turn[states, 0] + turns * share, velocity, self._moves.frame_time)
            paid = self.task.reward(now, motion) - self._roughness[states]
            reward = reward + weight * np.where(is_on, paid, 0.0)
            now = np.where(is_on[..., np.newaxis], self.task.advance(now, motion), now)
            weight *= settings.discount
        return Played(np.asarray(reward), now)


def bell(frame: int | IntArray, half: IntArray) -> FloatArray:
    """Return the share [...] of a warp over `half` [...] frames in `frame`: small at the ends, 1 in total."""
    return np.where(half == 1, 1.0, 2.0 / half * np.sin(np.pi * (np.asarray(frame) + 0.5) / half) ** 2)
