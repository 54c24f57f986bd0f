"""Reinforcement learning in worlds: characters with depth scans learn to reach goals among obstacles; extra `rl`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import checked_number
from motionfields.base.world import DepthScan, Reach, Start, World, WorldTables, clearances, sensed
from motionfields.control.tasks import Ground
from motionfields.runtime import Controller
from motionfields.runtime.environment import CrowdEnv

__all__ = ["WorldEnv"]

FASTEST_CLOSING: Final = 20.0  # m/s, bound of the observation


class WorldEnv(CrowdEnv):
    """A batch of `num_envs` characters of one `controller`, each alone in one of `worlds`.

    Each episode draws one of the worlds. The character begins at the first start of the world, or at the origin with a
    random facing, and its goal is the world's first, a `Reach`. Actions are those of `CrowdEnv`. An observation is that
    of `CrowdEnv`, followed by the depths in metres that `sensor` reads, finest first, and for each of its rays by the
    speed in m/s at which the seen surface comes nearer by its own motion.

    A frame in which the body, a disc of the world's radius, meets an obstacle or side ends the episode, and costs
    `penalty`; the reward is otherwise that of `CrowdEnv`. Reaching the goal terminates an episode as well.
    """

    def __init__(
        self,
        controller: Controller,
        num_envs: int = 1,
        *,
        worlds: Sequence[World],
        sensor: DepthScan | None = None,
        penalty: float = 5.0,
        time_limit: float = 20.0,
        reach: float = 0.5,
        **options: Any,
    ) -> None:
        if not worlds:
            raise ValueError("worlds: expected at least one")
        for number, world in enumerate(worlds):
            if not world.goals or not isinstance(world.goals[0], Reach):
                raise ValueError(f"worlds: expected a goal Reach in each, world {number} has none")
        self.worlds, self.sensor = tuple(worlds), sensor or DepthScan()
        self.penalty, reach = checked_number("penalty", penalty, 0.0), checked_number("reach", reach)
        self.world_of: IntArray = np.zeros(num_envs, np.int64)  # [n], world of each character
        self.collided: BoolArray = np.zeros(num_envs, np.bool_)  # [n], in the present episode
        self._age: IntArray = np.zeros(num_envs, np.int64)  # frames since the start of the episode
        farthest = max(float(np.hypot(*np.subtract(world.room.bounds[2:], world.room.bounds[:2]))) for world in worlds)
        options = {"goal_distance": (2.0 * reach, max(farthest, 2.0 * reach)), **options}
        super().__init__(controller, num_envs, time_limit=time_limit, reach=reach, **options)
        frames = self.frames_per_action * (self._most_steps + 1)
        self._tables = WorldTables(worlds, frames, controller.field.database.frame_time)

    def begin(self, characters: IntArray) -> None:
        """Place `characters` [m] at the starts of worlds that are drawn for them, and set their goals."""
        self.world_of[characters] = np.floor(self.uniform_draws(characters, 1) * len(self.worlds)).astype(np.int64)
        self.collided[characters], self._age[characters] = False, 0
        turns = np.pi * (2.0 * self.uniform_draws(characters, 2) - 1.0)
        for turn, character in zip(turns.tolist(), characters.tolist(), strict=True):
            world = self.worlds[self.world_of[character]]
            start, goal = world.starts[0] if world.starts else Start(0.0, 0.0, turn), world.goals[0]
            assert isinstance(goal, Reach)
            self.crowd.place(np.array([character]), np.array([[start.x, start.z]]), np.array([start.facing]))
            self.goal[character] = goal.x, goal.z

    def after_frame(self) -> None:
        """Note whose body meets something in this frame."""
        self._age += 1
        self.collided |= self.clearances(self.crowd.ground.position) < 0.0

    def clearances(self, position: FloatArray) -> FloatArray:
        """Return the distance [n] in metres of bodies at `position` [n, 2] to the nearest obstacle or side."""
        return clearances(self._tables.around(self.world_of, self._age), position)

    def reached(self) -> BoolArray:
        """Return whether each character has reached its goal without a collision, [n]."""
        return super().reached() & ~self.collided

    def finished(self) -> BoolArray:
        """Return whether the episode of each character terminates, [n]: goal reached, or collided."""
        return self.reached() | self.collided

    def reward(self, before: Ground, actions: FloatArray) -> FloatArray:
        """Return the reward [n] of `CrowdEnv`, less `penalty` for a collision."""
        return super().reward(before, actions) - self.penalty * self.collided

    def observation_limits(self) -> tuple[FloatArray, FloatArray]:
        """Return the least and the greatest value [column] of observations; values beyond are clipped."""
        low, high = super().observation_limits()
        depth, closing = np.full(self.sensor.size, self.sensor.reach), np.full(self.sensor.rays, FASTEST_CLOSING)
        return np.concatenate([low, 0.0 * depth, -closing]), np.concatenate([high, depth, closing])

    def observe(self) -> FloatArray:
        """Return the observation of every character, [n, column]."""
        position, facing = self.crowd.ground
        around = self._tables.around(self.world_of, self._age)
        return np.concatenate([super().observe(), sensed(self.sensor, around, position, facing)], axis=-1)
