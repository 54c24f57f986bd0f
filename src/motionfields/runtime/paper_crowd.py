"""Characters of the paper's controller, with the interface of `runtime.Crowd`."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.control.methods.transitions import Options, PaperSettings, Place, find_options
from motionfields.control.root_motion import facing_of, hip_line
from motionfields.control.tasks import Ground, Task
from motionfields.field import MotionField
from motionfields.field.database import MotionState, copied
from motionfields.runtime import Frame, Shown
from motionfields.runtime.crowd import checked_commands, crowd_planter


class Chooser(Protocol):
    """Whatever decides which action each character takes."""

    @property
    def field(self) -> MotionField:
        """The motion that is followed."""
        ...

    @property
    def task(self) -> Task:
        """What commands mean."""
        ...

    @property
    def settings(self) -> PaperSettings:
        """Which actions there are."""
        ...

    def choose(self, options: Options, params: FloatArray) -> IntArray:
        """Which of the k `options` [n, k] to take for `params` [n, axis]."""
        ...


class PaperCrowd:
    """Characters of one controller. What each does depends on itself alone: the same bits in a crowd of any size."""

    def __init__(self, controller: Chooser, count: int, *, seed: int = 0, plant: bool = True) -> None:
        if count < 1:
            raise ValueError(f"count: expected at least 1 character, got {count}")
        field = controller.field
        self.controller = controller
        self.count = count
        self.plant = plant
        self.unplanted: Shown | None = None  # what the last frame showed before feet were held
        self._hips = hip_line(field.database.skeleton)
        self._place = self._found(copied(field.draw(count, seed=seed)))
        self._planter = crowd_planter(field)
        self._planting = self._planter.start(count)

    @property
    def state(self) -> MotionState:
        """The states [n] that the characters are at, in the world."""
        return self._place.state

    @property
    def ground(self) -> Ground:
        """Where the characters are and which way they face."""
        pose = self.state.pose
        return Ground(pose.root_position[:, ::2].copy(), facing_of(pose.root_rotation, self._hips))

    def start_from(self, state: MotionState, characters: IntArray | BoolArray | slice = slice(None)) -> None:
        """Let `characters` go on from the states `state`, one for each, whatever poses and velocities they are."""
        after = copied(self.state)
        for tracks, fresh in zip(after, state, strict=True):
            for track, new in zip(tracks, fresh, strict=True):
                track[characters] = new
        self._place = self._found(after)
        self._planting = self._planting.restarted(np.arange(self.count)[characters])

    def step(self, commands: ArrayLike) -> Frame:
        """One frame on: every character hears its command, decides and moves.

        `commands` are [n, column] as the task's `command_names` say; [n] where there is one column, or what fits all.
        """
        controller = self.controller
        params = controller.task.params(checked_commands(controller.task, commands, self.count), self.ground)
        options = find_options(controller.field, self._place, controller.settings, hips=self._hips)
        chosen = controller.choose(options, params)
        # What was found near the chosen next state is what the next frame starts from: k searches a frame, not k + 1.
        self._place = options.after.take(np.arange(self.count) * options.motion.turn.shape[1] + chosen)
        return self._planted()

    def _planted(self) -> Frame:
        pose, rows = self.state.pose, self._place.neighbors.indices[:, 0]
        ways = np.zeros(self.count, np.int64)
        turns = pose.rotations
        self.unplanted = Shown(pose.root_position.copy(), turns)
        if not self.plant:
            return Frame(*self.unplanted, np.zeros((self.count, 2), np.bool_), rows, ways)
        votes = self.controller.field.contact_votes(self._place.neighbors, self._place.weights)
        votes = np.clip(votes, 0.0, 1.0)  # weights sum to 1 but for rounding
        posed = self._planter.step(self._planting, pose.root_position, turns, contact_votes=votes)
        self._planting = posed.state
        # Where a character stands says nothing about what is near it in the data, so the neighbours stay.
        pose.root_position[:, ::2] += posed.root_shift[:, ::2]
        return Frame(posed.root_position, posed.rotations, posed.locked, rows, ways)

    def _found(self, state: MotionState) -> Place:
        return Place.of(self.controller.field, state, self.controller.settings.neighbor_count)
