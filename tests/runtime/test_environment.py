from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from numpy.typing import NDArray

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.control.methods import train_matching
from motionfields.control.tasks import Direction, Ground, Line, Velocity
from motionfields.runtime import Controller
from motionfields.runtime.environment import CharacterEnv, CrowdEnv
from tests.control.training.small import direction_controller, small_field

Policy = Callable[[FloatArray], FloatArray]


@cache
def matching(task: Direction | Line | Velocity) -> Controller:
    return train_matching(small_field(), task)


def to_goal(observations: FloatArray) -> FloatArray:
    """The heading of the goal."""
    return np.asarray(np.arctan2(observations[:, :1], observations[:, 1:2]) / np.pi, dtype=np.float32)


def at_random(*, seed: int = 0) -> Policy:
    rng = np.random.default_rng(seed)
    return lambda observations: rng.uniform(-1.0, 1.0, (len(observations), 1))


def run(env: CrowdEnv, policy: Policy, step_count: int, *, seed: int = 3) -> list[NDArray[Any]]:
    """Everything that came of `step_count` steps: observations, rewards, terminated, truncated; [step, n, ...] each."""
    observations, _ = env.reset(seed=seed)
    steps: list[tuple[NDArray[Any], ...]] = []
    for _ in range(step_count):
        observations, *rest, _ = env.step(policy(observations))
        steps.append((observations, *rest))
    return [np.stack(track) for track in zip(*steps, strict=True)]


@pytest.mark.parametrize("train", [direction_controller, lambda: matching(Velocity())], ids=["field", "matching"])
def test_the_single_form_passes_the_checks_of_gymnasium(train: Callable[[], Controller]) -> None:
    gymnasium.register("motionfields/Character-v0", entry_point=lambda **options: CharacterEnv(train(), **options))
    try:
        check_env(gymnasium.make("motionfields/Character-v0").unwrapped)  # its warnings are errors here
    finally:
        del gymnasium.registry["motionfields/Character-v0"]


def test_a_batch_has_the_shapes_types_and_bounds_that_it_declares() -> None:
    env = CrowdEnv(direction_controller(), 5)
    observations, info = env.reset(seed=0)
    assert observations in env.observation_space
    assert (observations.shape, str(observations.dtype), info) == ((5, 7), "float32", {})
    for _ in range(20):
        observations, rewards, terminated, truncated, info = env.step(env.action_space.sample())
        assert observations in env.observation_space
        for track, kind in ((rewards, "float64"), (terminated, "bool"), (truncated, "bool")):
            assert (track.shape, str(track.dtype)) == ((5,), kind)
        assert info == {}
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP


def test_the_first_observation_is_the_goal_and_the_state_of_the_data() -> None:
    controller = direction_controller()
    env = CrowdEnv(controller, 50)
    observations, _ = env.reset(seed=0)
    moves, row = controller.root_motion, env.crowd.followers.state
    ahead = env.crowd.ground.position + 3.0 * np.stack(
        [np.sin(env.crowd.ground.facing), np.cos(env.crowd.ground.facing)], axis=-1
    )
    distance = np.hypot(observations[:, 0], observations[:, 1])
    assert (distance.min() >= 2.0) & (distance.max() <= 6.0)
    assert distance.std() > 0.5
    np.testing.assert_allclose(distance, env.goal_distances(env.crowd.ground.position), rtol=1e-6)
    np.testing.assert_allclose(observations[:, 2:4], moves.velocity[row], rtol=1e-6)
    np.testing.assert_allclose(observations[:, 4], moves.turn[row, 0] / moves.frame_time, rtol=1e-6)
    np.testing.assert_allclose(observations[:, 5:], controller.field.state_votes[row], rtol=1e-6)
    env.goal = ahead
    np.testing.assert_allclose(env.observe()[:, :2], np.broadcast_to([0.0, 3.0], (50, 2)), atol=1e-9)
    env.goal = env.crowd.ground.position + 100.0 * (ahead - env.crowd.ground.position)
    np.testing.assert_allclose(env.observe()[:, :2], np.broadcast_to([0.0, 12.0], (50, 2)), atol=1e-9)


def test_an_action_is_a_heading_seen_from_the_facing_and_a_share_of_the_top_speed() -> None:
    env = CrowdEnv(matching(Velocity(top=1.5)), 3)
    env.reset(seed=0)
    told = env.commands(np.array([[0.0, -1.0], [0.5, 0.0], [-1.0, 1.0]]))
    np.testing.assert_allclose(told[:, 0] - env.crowd.ground.facing, [0.0, 0.5 * np.pi, -np.pi])
    np.testing.assert_allclose(told[:, 1], [0.0, 0.75, 1.5])


def test_the_reward_is_the_metres_gained_and_a_bonus_at_the_goal() -> None:
    env = CrowdEnv(direction_controller(), 8, bonus=10.0)
    observations, _ = env.reset(seed=0)
    begun, gained = np.hypot(observations[:, 0], observations[:, 1]), np.zeros(8)
    at_goal = np.zeros(8, np.bool_)
    for _ in range(60):
        observations, rewards, terminated, _, _ = env.step(to_goal(observations))
        gained += np.where(at_goal, 0.0, rewards)
        left = np.hypot(observations[:, 0], observations[:, 1])
        new = terminated & ~at_goal
        np.testing.assert_allclose(gained[new], begun[new] - left[new] + 10.0, atol=1e-5)
        assert (left[new] <= 0.5).all()
        at_goal |= terminated
    assert at_goal.all()


def test_an_ended_episode_starts_anew_in_the_next_step() -> None:
    observations, rewards, terminated, truncated = run(CrowdEnv(direction_controller(), 20), to_goal, 60)
    ends = (terminated | truncated)[:-1]
    assert ends.sum() > 20
    assert not terminated[1:][ends].any()
    assert not truncated[1:][ends].any()
    assert (rewards[1:][ends] == 0.0).all()
    assert (np.linalg.norm(observations[:-1][terminated[:-1]][:, :2], axis=-1) <= 0.5 + 1e-6).all()
    assert (np.linalg.norm(observations[1:][ends][:, :2], axis=-1) >= 2.0 - 1e-6).all()


def test_an_ended_episode_starts_anew_in_the_same_step() -> None:
    env = CrowdEnv(direction_controller(), 20, autoreset_mode=AutoresetMode.SAME_STEP)
    next_step = run(CrowdEnv(direction_controller(), 20), to_goal, 60)
    observations, _ = env.reset(seed=3)
    ended = np.zeros(20, np.bool_)
    for number in range(60):
        observations, rewards, terminated, _, info = env.step(to_goal(observations))
        first = terminated & ~ended
        ended |= terminated
        np.testing.assert_array_equal(rewards[first], next_step[1][number][first])
        if terminated.any():
            np.testing.assert_array_equal(info["_final_obs"], terminated)
            assert [seen is not None for seen in info["final_obs"]] == list(terminated)
            for character in np.flatnonzero(first):  # both modes see the same end, and the same beginning
                np.testing.assert_array_equal(info["final_obs"][character], next_step[0][number][character])
                np.testing.assert_array_equal(observations[character], next_step[0][number + 1][character])
    assert ended.all()


def test_without_autoreset_those_who_ended_have_to_be_reset() -> None:
    env = CrowdEnv(direction_controller(), 6, time_limit=0.6, autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=0)
    actions = np.zeros((6, 1), np.float32)
    for number in range(3):
        before, _, _, truncated, _ = env.step(actions)
        assert truncated.all() == (number == 2)
    with pytest.raises(ResetNeeded, match="reset_mask"):
        env.step(actions)
    mask = np.arange(6) < 2
    after, _ = env.reset(options={"reset_mask": mask})
    assert ((after != before).any(axis=1) == mask).all()
    with pytest.raises(ResetNeeded, match="reset_mask"):
        env.step(actions)
    env.reset(options={"reset_mask": ~mask})
    env.step(actions)


def test_episodes_are_cut_off_after_the_time_limit() -> None:
    _, _, terminated, truncated = run(CrowdEnv(direction_controller(), 4, time_limit=1.0), at_random(), 13)
    assert not terminated.any()
    np.testing.assert_array_equal(np.flatnonzero(truncated.all(axis=1)), [4, 10])  # 5 steps, one to begin anew, 5 steps
    assert truncated.sum() == 8


def test_a_seed_gives_the_same_bits_in_a_batch_of_any_size() -> None:
    seven = run(CrowdEnv(direction_controller(), 7), to_goal, 50)
    again = CrowdEnv(direction_controller(), 7)
    run(again, at_random(), 10, seed=8)
    assert seven[2].sum() > 7  # more than one episode each
    for track, same in zip(seven, run(again, to_goal, 50), strict=True):
        np.testing.assert_array_equal(track, same)
    for count in (1, 5):
        for track, fewer in zip(seven, run(CrowdEnv(direction_controller(), count), to_goal, 50), strict=True):
            np.testing.assert_array_equal(track[:, :count], fewer)


def test_seeds_characters_and_episodes_differ() -> None:
    env = CrowdEnv(direction_controller(), 3)
    seen = [env.reset(seed=1)[0], env.reset()[0], env.reset()[0], env.reset(seed=2)[0]]
    assert len({tuple(row) for observations in seen for row in observations}) == 12
    np.testing.assert_array_equal(env.reset(seed=1)[0], seen[0])
    np.testing.assert_array_equal(env.reset()[0], seen[1])


@pytest.mark.parametrize(
    "make", [lambda: CrowdEnv(direction_controller(), 1), lambda: CharacterEnv(direction_controller())]
)
def test_without_a_seed_one_is_drawn_and_can_be_read(make: Callable[[], CrowdEnv | CharacterEnv]) -> None:
    first, second = make(), make()
    observations, _ = first.reset()
    assert (observations != second.reset()[0]).any()
    np.testing.assert_array_equal(second.reset(seed=first.np_random_seed)[0], observations)


def test_the_single_form_is_the_batch_of_one() -> None:
    one, batch = (
        CharacterEnv(direction_controller(), time_limit=2.0),
        CrowdEnv(direction_controller(), 1, time_limit=2.0),
    )
    observation, observations = one.reset(seed=5)[0], batch.reset(seed=5)[0]
    over = False
    while not over:
        np.testing.assert_array_equal(observation, observations[0])
        action = to_goal(observations)
        observations, rewards, *_ = batch.step(action)
        observation, reward, terminated, truncated, _ = one.step(action[0])
        assert reward == rewards[0]
        over = terminated or truncated
    with pytest.raises(ResetNeeded):
        one.step(action[0])
    one.reset()
    one.step(action[0])


@pytest.mark.parametrize("train", [direction_controller, lambda: matching(Direction())], ids=["field", "matching"])
def test_walking_to_the_goal_reaches_it_and_walking_at_random_does_not(train: Callable[[], Controller]) -> None:
    shares = []
    for policy in (to_goal, at_random()):
        _, _, terminated, truncated = run(CrowdEnv(train(), 50), policy, 110)
        shares.append(terminated.sum() / (terminated | truncated).sum())
    assert shares[0] > 0.98
    assert shares[1] < 0.3


def test_a_thousand_characters_stay_finite_and_within_bounds() -> None:
    env = CrowdEnv(direction_controller(), 1000, frames_per_action=2)
    observations, rewards, terminated, _ = run(env, to_goal, 100)
    assert np.isfinite(observations).all()
    assert np.isfinite(rewards).all()
    assert all(seen in env.observation_space for seen in observations)
    assert terminated.sum() > 500


def test_the_wrappers_of_gymnasium_see_whole_episodes() -> None:
    env = RecordEpisodeStatistics(CrowdEnv(direction_controller(), 4, time_limit=1.0))
    env.reset(seed=0)
    for _ in range(12):
        env.step(np.zeros((4, 1), np.float32))
    assert list(env.length_queue) == [5] * 8


class Wait(CrowdEnv):
    """Be near a point for as long as the episode lasts."""

    def begin(self, characters: IntArray) -> None:
        self.goal[characters] = [0.0, 1.0]

    def observation_limits(self) -> tuple[FloatArray, FloatArray]:
        return np.full(2, -1.0), np.full(2, 1.0)

    def observe(self) -> FloatArray:
        return self.goal - self.crowd.ground.position

    def reward(self, before: Ground, actions: FloatArray) -> FloatArray:
        return -self.goal_distances(self.crowd.ground.position)

    def reached(self) -> BoolArray:
        return np.zeros(self.num_envs, np.bool_)


def test_another_goal_takes_a_few_methods() -> None:
    env = CharacterEnv(direction_controller(), kind=Wait, time_limit=1.0)
    observation, _ = env.reset(seed=0)
    np.testing.assert_array_equal(observation, [0.0, 1.0])
    for _ in range(5):
        observation, reward, terminated, truncated, _ = env.step(np.ones(1, np.float32))
        assert observation in env.observation_space  # what is beyond the limits is cut off
        assert reward < 0.0
        assert not terminated
    assert truncated


class Along(CrowdEnv):
    """A line from where the character is, as a task wants it that the actions do not fit."""

    def commands(self, actions: FloatArray) -> FloatArray:
        return np.concatenate([self.crowd.ground.position, np.pi * actions[:, :1]], axis=-1)


def test_a_task_that_is_told_more_needs_its_own_commands() -> None:
    with pytest.raises(ValueError, match=r"Direction, Velocity\), got Line with point_x, point_z, heading"):
        CrowdEnv(matching(Line()), 2)
    env = Along(matching(Line()), 2)
    env.reset(seed=0)
    assert env.action_space.shape == (2, 3)
    env.step(np.zeros((2, 3), np.float32))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "count: expected at least 1"),
        ({"frames_per_action": 0}, "frames_per_action: expected a whole number from 1"),
        ({"time_limit": float("nan")}, "time_limit: expected a number"),
        ({"goal_distance": (0.4, 6.0)}, r"beyond 0.5 m \(`reach`\), got \(0.4, 6.0\)"),
        ({"goal_distance": (3.0, 2.0)}, "goal_distance: expected"),
        ({"reach": 0.0}, "goal_distance: expected"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CrowdEnv(direction_controller(), **options)


def test_calls_that_make_no_sense_are_refused() -> None:
    env = CrowdEnv(direction_controller(), 2)
    with pytest.raises(ResetNeeded, match="no episode has started"):
        env.step(np.zeros((2, 1), np.float32))
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"actions: expected finite numbers \(2, 1\), got shape \(2,\)"):
        env.step(np.zeros(2, np.float32))
    with pytest.raises(ValueError, match="actions: expected finite numbers"):
        env.step(np.full((2, 1), np.nan))
    with pytest.raises(ValueError, match="reset_mask: expected 2 of True or False"):
        env.reset(options={"reset_mask": np.zeros(2)})
    with pytest.raises(ValueError, match="seed: expected None with a `reset_mask`"):
        env.reset(seed=1, options={"reset_mask": np.array([True, False])})


def test_a_missing_gymnasium_names_the_extra() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; import motionfields.runtime.environment"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "MissingExtraError" in run.stderr
    assert "motionfields[rl]" in run.stderr
