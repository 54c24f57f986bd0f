"""Reinforcement learning environments of one character or of thousands in a batch; they need the extra `rl`.

A few times a second the learner gives every character a direction, and is rewarded for each metre that the character
comes nearer to its goal, a point on the ground. The controller turns the direction into motion. `CrowdEnv` is the
batch, and the class to extend for other goals; `CharacterEnv` is the same for one character.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import checked_count, checked_number
from motionfields.base.errors import MissingExtraError
from motionfields.base.geometry import turn_over_ground
from motionfields.control.tasks import Ground, top_speed
from motionfields.field.passive import uniform_draws
from motionfields.runtime import Controller, Crowd, Frame

try:
    from gymnasium import Env
    from gymnasium.error import ResetNeeded
    from gymnasium.spaces import Box
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    if error.name != "gymnasium":
        raise
    raise MissingExtraError("gymnasium", extra="rl") from None

__all__ = ["CharacterEnv", "CrowdEnv"]

STEERABLE = (("heading",), ("heading", "speed"))  # command names of the tasks that the actions support


class CrowdEnv(VectorEnv[FloatArray, FloatArray, NDArray[Any]]):
    """A batch of `num_envs` characters of one `controller`, each with a goal of its own.

    An action holds for `frames_per_action` frames. Its first number is the heading relative to the facing, to the left,
    as a share of pi. For a task with a `speed` the second is that speed: -1 is standing, 1 the top speed. Values beyond
    -1 and 1 are clipped.

    An observation is, in this order:

    - the goal relative to the character, to the left and ahead, in metres; a goal farther than twice the outer goal
      distance is placed at that distance;
    - the velocity of the character's database state, to the left and ahead, in m/s;
    - the turning rate of that state, to the left, in radians per second;
    - the contact votes of the left and the right foot, 0 to 1.

    An episode begins at a database state with a goal in a random direction, between the two `goal_distance` values
    away, in metres. The reward is the number of metres by which a step came nearer to it, plus `bonus` for a step that
    ends within `reach` metres. Reaching the goal terminates the episode; `time_limit` seconds truncate it. Every
    `autoreset_mode` of Gymnasium is supported, as is a reset of some characters by the option `reset_mask`.

    The motion of a character depends only on the seed, its place in the batch and its actions: the bits are the same in
    a batch of any size. For other goals override `begin`, `observe` with `observation_limits`, `reward` and `reached`;
    for other tasks override `commands`.
    """

    def __init__(
        self,
        controller: Controller,
        num_envs: int = 1,
        *,
        frames_per_action: int = 6,
        time_limit: float = 20.0,
        goal_distance: tuple[float, float] = (2.0, 6.0),
        reach: float = 0.5,
        bonus: float = 2.0,
        plant: bool = True,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
    ) -> None:
        nearest, farthest = goal_distance
        frames_per_action = checked_count("frames_per_action", frames_per_action, 1)
        time_limit, reach = checked_number("time_limit", time_limit, 1e-6), checked_number("reach", reach)
        if not 0.0 < reach < nearest <= farthest < np.inf:
            raise ValueError(
                f"goal_distance: expected (nearest, farthest) beyond {reach} m (`reach`), got {goal_distance}"
            )
        self.crowd = Crowd(controller, num_envs, plant=plant)
        self.num_envs = num_envs
        self.frames_per_action = frames_per_action
        self.goal_distance = goal_distance
        self.reach = reach
        self.bonus = bonus
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode(autoreset_mode)}
        self.goal: FloatArray = np.zeros((num_envs, 2))  # [n, 2], world x and z in metres
        self.frame: Frame | None = None  # the last frame of the last step
        self._most_steps = int(np.ceil(time_limit / (frames_per_action * controller.field.database.frame_time) - 1e-9))
        self._steps = np.zeros(num_envs, np.int64)  # steps of the current episodes
        self._episodes = np.full(num_envs, -1)  # episodes that each character has ended since the last seed
        self._ended = np.zeros(num_envs, np.bool_)

        low, high = (np.asarray(limits, dtype=np.float32) for limits in self.observation_limits())
        self.single_observation_space = Box(low, high, dtype=np.float32)
        action_count = len(controller.task.command_names)
        self.single_action_space = Box(-1.0, 1.0, (action_count,), dtype=np.float32)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.crowd.params(self.commands(np.zeros((num_envs, action_count))))  # fail early if the task does not fit

    def commands(self, actions: FloatArray) -> FloatArray:
        """Return the commands [n, column] of the crowd for the `actions` [n, column], each from -1 to 1."""
        task = self.crowd.controller.task
        if task.command_names not in STEERABLE:
            raise ValueError(
                f"controller: expected a task with commands heading, or heading and speed (Direction, Velocity), got "
                f"{type(task).__name__} with {', '.join(task.command_names)}; override `commands` for it"
            )
        told = [self.crowd.ground.facing + np.pi * actions[:, 0]]
        if "speed" in task.command_names:
            tops = [float(axis.nodes[-1]) for axis in task.axes if axis.name == "speed"]
            top = tops[0] if tops else top_speed(self.crowd.field.database)
            told.append(0.5 * top * (1.0 + actions[:, 1]))
        return np.stack(told, axis=-1)

    def begin(self, characters: IntArray) -> None:
        """Set the goals of `characters` [m], which have just been placed at their start."""
        nearest, farthest = self.goal_distance
        distance = nearest + (farthest - nearest) * self.uniform_draws(characters, 1)
        yaw = 2.0 * np.pi * self.uniform_draws(characters, 2)
        direction = np.stack([np.sin(yaw), np.cos(yaw)], axis=-1)
        self.goal[characters] = self.crowd.ground.position[characters] + distance[:, np.newaxis] * direction

    def observation_limits(self) -> tuple[FloatArray, FloatArray]:
        """Return the least and the greatest value [column] of observations; values beyond are clipped."""
        moves = self.crowd.controller.root_motion
        farthest = 2.0 * self.goal_distance[1]
        speed = np.abs(moves.velocity).max(axis=0)
        turning = np.abs(moves.turn).max() / moves.frame_time
        most = np.array([farthest, farthest, *speed, turning, 1.0, 1.0])
        return np.where(np.arange(len(most)) < len(most) - 2, -most, 0.0), most

    def observe(self) -> FloatArray:
        """Return the observation of every character, [n, column]."""
        crowd = self.crowd
        moves, state, variant = crowd.controller.root_motion, crowd.followers.state, crowd.followers.variant
        position, facing = crowd.ground
        shown = np.minimum(1.0, 2.0 * self.goal_distance[1] / np.maximum(self.goal_distances(position), 1e-9))
        goal = turn_over_ground(self.goal - position, -facing) * shown[:, np.newaxis]
        turning = moves.turn[state, variant, np.newaxis] / moves.frame_time
        return np.concatenate([goal, moves.velocity[state], turning, crowd.field.state_votes[state]], axis=-1)

    def reward(self, before: Ground, actions: FloatArray) -> FloatArray:
        """Return the reward [n] of the step that began at `before` [n] with the `actions` [n, column]."""
        nearer = self.goal_distances(before.position) - self.goal_distances(self.crowd.ground.position)
        return np.asarray(nearer + self.bonus * self.reached())

    def reached(self) -> BoolArray:
        """Return whether each character has reached its goal, [n]; this terminates its episode."""
        return np.asarray(self.goal_distances(self.crowd.ground.position) <= self.reach)

    def after_frame(self) -> None:
        """Note what matters in a single frame; called after each frame of a step, does nothing by default."""

    def finished(self) -> BoolArray:
        """Return whether the episode of each character terminates, [n]: its goal is reached."""
        return self.reached()

    def goal_distances(self, position: FloatArray) -> FloatArray:
        """Return the distance [n] in metres from `position` [n, 2], world x and z, to the goals."""
        gap = self.goal - position
        return np.asarray(np.sqrt(gap[:, 0] ** 2 + gap[:, 1] ** 2))

    def uniform_draws(self, characters: IntArray, draw: int) -> FloatArray:
        """Return a number [m] in [0, 1) for each of `characters` [m] in its episode; `draw` 0 picks the start state."""
        return uniform_draws(int(self.np_random_seed or 0), (self._episodes[characters] << 32) + characters, draw)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[FloatArray, dict[str, Any]]:
        """Begin new episodes for all characters, or those in the option `reset_mask`, repeatable with a `seed`."""
        characters = np.flatnonzero(self._reset_mask(options))
        if seed is not None and len(characters) < self.num_envs:
            raise ValueError("seed: expected None with a `reset_mask`, since a seed applies to all characters")
        seed = None if seed is None else checked_count("seed", seed, 0, 2**128 - 1)
        super().reset(seed=seed)
        if seed is not None:
            self._episodes[:] = -1
        self._restart(characters)
        return self._observed(), {}

    def step(self, actions: FloatArray) -> tuple[FloatArray, NDArray[np.float64], BoolArray, BoolArray, dict[str, Any]]:
        """Advance `frames_per_action` frames; return observations, rewards, terminated, truncated and info."""
        wanted = self._checked(actions)
        before = self.crowd.ground
        commands = self.commands(wanted)
        for _ in range(self.frames_per_action):
            self.frame = self.crowd.step(commands)
            self.after_frame()
        self._steps += 1
        going = ~self._ended  # ended episodes restart in this step, and their actions are ignored
        rewards = np.where(going, self.reward(before, wanted), 0.0)
        terminated = going & self.finished()
        truncated = going & ~terminated & (self._steps >= self._most_steps)
        self._restart(np.flatnonzero(self._ended))
        self._ended = terminated | truncated
        observations, info = self._observed(), {}
        if self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP and self._ended.any():
            info = self._final_info(observations)
            self._restart(np.flatnonzero(self._ended))
            observations = self._observed()
        return observations, rewards, terminated, truncated, info

    def _restart(self, characters: IntArray) -> None:
        """Put `characters` [m] at the start of their next episodes."""
        if not len(characters):
            return
        self._episodes[characters] += 1
        self._steps[characters] = 0
        self._ended[characters] = False
        starts = self.crowd.controller.start_states
        states = starts[np.floor(self.uniform_draws(characters, 0) * len(starts)).astype(np.int64)]
        self.crowd.start_from(self.crowd.field.database.states(states), characters)
        self.begin(characters)

    def _observed(self) -> NDArray[np.float32]:
        """Return the observations as float32, clipped to the observation space."""
        space = self.single_observation_space
        assert isinstance(space, Box)
        return np.clip(self.observe().astype(np.float32), space.low, space.high)

    def _checked(self, actions: FloatArray) -> FloatArray:
        """Return `actions` [n, column] as float64, clipped to -1 and 1; ValueError if they are not valid."""
        if (self._episodes < 0).any():
            raise ResetNeeded("call reset() first: no episode has started")
        if self.metadata["autoreset_mode"] is AutoresetMode.DISABLED and self._ended.any():
            raise ResetNeeded(
                "call reset() first, at least for the characters whose episodes have ended (`reset_mask`)"
            )
        given = np.asarray(actions, dtype=np.float64)
        if given.shape != self.action_space.shape or not np.isfinite(given).all():
            raise ValueError(f"actions: expected finite numbers {self.action_space.shape}, got shape {given.shape}")
        return np.clip(given, -1.0, 1.0)

    def _reset_mask(self, options: dict[str, Any] | None) -> BoolArray:
        """Return which characters [n] to reset."""
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        chosen = np.asarray(mask)
        if chosen.dtype != np.bool_ or chosen.shape != (self.num_envs,):
            raise ValueError(f"reset_mask: expected {self.num_envs} of True or False, got {mask!r}")
        return chosen

    def _final_info(self, observations: NDArray[np.float32]) -> dict[str, Any]:
        """Return the last observations of ended episodes in Gymnasium's format, with None for the others."""
        final = np.full(self.num_envs, None, dtype=object)
        for character in np.flatnonzero(self._ended):
            final[character] = observations[character]
        ended = self._ended.copy()
        return {"final_obs": final, "_final_obs": ended, "final_info": {}, "_final_info": ended.copy()}


class CharacterEnv(Env[NDArray[np.float32], NDArray[np.float32]]):
    """An environment of one character of a `controller`: a `CrowdEnv`, or a subclass `kind`, of size one.

    `options` are passed to `kind`.
    """

    def __init__(self, controller: Controller, *, kind: type[CrowdEnv] = CrowdEnv, **options: Any) -> None:
        self.crowd_env = kind(controller, 1, autoreset_mode=AutoresetMode.DISABLED, **options)
        self.metadata = {"render_modes": []}
        self.observation_space = self.crowd_env.single_observation_space
        self.action_space = self.crowd_env.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a new episode; a `seed` makes it repeatable."""
        if seed is None and self._np_random_seed is None:
            seed = self.np_random_seed
        seed = None if seed is None else checked_count("seed", seed, 0, 2**128 - 1)
        super().reset(seed=seed)
        observations, info = self.crowd_env.reset(seed=seed)
        return observations[0], info

    def step(self, action: NDArray[np.float32]) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Advance `frames_per_action` frames, see `CrowdEnv`."""
        observations, rewards, terminated, truncated, info = self.crowd_env.step(np.asarray(action)[np.newaxis])
        return observations[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info
