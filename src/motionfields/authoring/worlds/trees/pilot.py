"""A pilot that steers by learnt trees."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionfields.authoring.worlds.futures import Futures
from motionfields.authoring.worlds.pilot import Manner, Pilot
from motionfields.authoring.worlds.steering import REACH, Walkers
from motionfields.authoring.worlds.trees.learning import Arena, Model
from motionfields.authoring.worlds.trees.learning import Walkers as Imagined
from motionfields.authoring.worlds.trees.scores import imagined_values
from motionfields.authoring.worlds.trees.steering_trees import ACTIONS, SteeringTrees
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.world import DepthScan, Goal, Nearest, Reach, Room, World


class TreePilot(Pilot):
    """Steering by `trees`, which predict the value of actions from sensor readings; supports `Reach` goals only.

    A character decides twice as often as when the trees were learnt. Depth scans see other characters; `Nearest` knows
    the obstacles of the world only. With a `look_ahead` model, a character imagines every action before it chooses one,
    among obstacles of the world that stand meanwhile (eq. 6.7 of the thesis); it does not see others then.
    """

    def __init__(
        self,
        trees: SteeringTrees,
        futures: Futures,
        world: World | Room,
        goals: Sequence[Goal] | None = None,
        *,
        look_ahead: Model | None = None,
    ) -> None:
        if look_ahead is not None and look_ahead.digest != futures.policy_digest:
            raise ValueError("look_ahead: expected the model of the controller of the futures")
        if trees.policy_digest != futures.policy_digest:
            raise ValueError("trees: expected those of the controller of the futures; learn them again")
        self.trees, self.model = trees, look_ahead
        super().__init__(futures, world, goals, plans="seen", manner=Manner(every=max(1, trees.hold // 2)), maps=False)

    def _set_goal(self, i: int, goal: Goal) -> None:
        if not isinstance(goal, Reach):
            raise ValueError(f"goals: trees steer to Reach alone, got {type(goal).__name__} for character {i}")
        super()._set_goal(i, goal)

    def _choose(self, walkers: Walkers) -> None:
        """Let the characters that are due choose the action of the highest value; whoever has arrived stands."""
        chosen = np.flatnonzero(walkers.due)
        place, facing = walkers.position[chosen], walkers.facing[chosen]
        state, goal = walkers.state[chosen], self._goal[chosen, :2]
        if self.model is None:
            bare = self.trees.features(state, place, facing, goal)
            action = self.trees.choose(np.column_stack([bare, self._sensed(place, facing, walkers.position)]))
        else:
            action = self._imagined(self.model, state, place, facing, goal)
        heading, speed = np.radians(ACTIONS[action, 0]), ACTIONS[action, 1]
        speeds = np.unique(self._commands[:, 1])
        going = self._kind[chosen] == REACH
        walkers.command[chosen, 0] = facing + np.where(going, heading, 0.0)
        walkers.command[chosen, 1] = np.where(going, speeds[speed], 0.0)
        off = walkers.command[chosen, 0] - facing
        walkers.plan[chosen] = self.futures.nearest_plan(off, walkers.command[chosen, 1])

    def _imagined(
        self, model: Model, state: IntArray, place: FloatArray, facing: FloatArray, goal: FloatArray
    ) -> IntArray:
        """Return the action [n] that leads to the best value, for characters in `state` [n] at `place` [n, 2]."""
        now = self.frame * self.futures.frame_time
        worlds = [World(self.world.room, self.world.movers, goals=(Reach(*one),)) for one in goal.tolist()]
        arena = Arena(model, worlds, self.trees.sensor, frames=1, start=now)
        yaw, clock = facing - model.facing_of[state], np.zeros(len(state), np.int64)
        imagined = Imagined(state, place, yaw, np.arange(len(state)), clock)
        return np.asarray(imagined_values(arena, self.trees, imagined).argmax(axis=1))

    def _sensed(self, place: FloatArray, facing: FloatArray, bodies: FloatArray) -> FloatArray:
        """Return what characters at `place` [n, 2] sense, as when the trees were learnt."""
        sensor, time = self.trees.sensor, self.frame * self.futures.frame_time
        if isinstance(sensor, Nearest):
            return sensor.readings(self.world, place, facing, time=time)
        assert isinstance(sensor, DepthScan)
        seen = sensor.look(self.world, place, facing, time=time, bodies=bodies)
        return np.concatenate([sensor.readings(seen), seen.closing], axis=1)
