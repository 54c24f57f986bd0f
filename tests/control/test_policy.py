"""The compiled decision is the decision in numpy."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.control.controller import FieldController
from motionfields.control.followers import MEMORY, Followers
from motionfields.control.grids import Grid, find_cell, find_corners
from motionfields.control.policy import Policy, choose
from motionfields.control.root_motion import Warp
from motionfields.control.tasks import Axis, Direction, Lane, Line, Motion, Navigation, Task, Velocity
from motionfields.control.tasks.compiled import compiled_task, outcome
from motionfields.control.transitions import BLOCKED
from tests.control.training.small import SETTINGS, WARP, observed, small_controller
from tests.native.crowds import controller as arbitrary

TASKS = (Direction(speed=1.1), Line(speed=0.9), Velocity(top=1.4), Lane(top=1.4), Navigation(top=1.4, gait_count=0))
CLOSE = 1e-12


@dataclass(frozen=True)
class Sideways(Direction):
    """A task of someone's own that is like one of the package's."""

    def reward(self, params: FloatArray, motion: Motion) -> FloatArray:
        return super().reward(params, motion) - np.abs(motion.velocity[..., 0])


def random_params(axes: tuple[Axis, ...], count: int, rng: np.random.Generator) -> FloatArray:
    """Points on the grid and between its nodes; where an axis does not wrap, also beyond it."""
    columns = []
    for axis in axes:
        low, high = axis.nodes[0], axis.nodes[-1]
        reach = 0.0 if axis.wraps else 0.5 * (high - low)
        between = rng.uniform(low - reach, high + reach, count)
        columns.append(np.where(rng.uniform(size=count) < 0.2, rng.choice(axis.nodes, count), between))
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("task", [*TASKS, Navigation(top=2.0, gait_count=2)], ids=repr)
def test_compiled_tasks_reward_and_advance_as_they_say(task: Task, rng: np.random.Generator) -> None:
    compiled = compiled_task(task)
    assert compiled is not None
    count = 2000
    params = random_params(task.axes, count, rng)
    labels = rng.integers(-1, 2, count)
    motion = Motion(rng.uniform(-0.4, 0.4, count), rng.uniform(-2.0, 2.0, (count, 2)), 1.0 / 30.0, labels)
    rewards, after = task.reward(params, motion), task.advance(params, motion)
    for i in range(count):
        mine = np.empty(len(task.axes))
        heading = (float(np.sin(params[i, 0])), float(np.cos(params[i, 0])))
        left, ahead = motion.velocity[i].tolist()
        turn, time = float(motion.turn[i]), motion.frame_time
        reward = outcome(compiled, params[i], heading, turn, (left, ahead), time, mine, int(labels[i]))
        assert reward == pytest.approx(rewards[i], abs=CLOSE)
        np.testing.assert_allclose(mine, after[i], atol=CLOSE)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: type(task).__name__)
def test_cells_are_found_as_corners_are(task: Task, rng: np.random.Generator) -> None:
    grid = Grid.of(task.axes)
    params = random_params(task.axes, 3000, rng)
    corners = find_corners(task.axes, params)
    for i, point in enumerate(params):
        shares = np.empty(len(task.axes), np.float32)
        assert find_cell(grid, point, shares) == corners.first[i]
        np.testing.assert_array_equal(shares, corners.shares[i])


@pytest.mark.parametrize("warp", [None, WARP], ids=["captured", "warped"])
@pytest.mark.parametrize("task", TASKS, ids=lambda task: type(task).__name__)
def test_it_decides_as_the_controller_does_in_numpy(task: Task, warp: Warp | None, rng: np.random.Generator) -> None:
    controller = arbitrary(task, warp)  # type: ignore[arg-type]
    task, count = controller.task, 1500
    row = rng.integers(0, controller.field.database.state_count, count)
    followers = Followers.at(controller.field.database, row)
    followers.variant[:] = rng.integers(0, controller.root_motion.variant_count, count)
    # Half of the characters have just shown a few of the states that they could follow.
    followers.recent[::2, :6] = controller.transitions.states[row[::2], :6] + 1
    params = random_params(task.axes, count, rng)
    steps, _ = controller.decide(observed(controller, followers, (), params))
    policy = controller.policy
    assert policy is not None
    memory = (np.empty(len(task.axes)), np.empty(len(task.axes), np.float32))
    for i in range(count):
        chosen = choose(*policy[:3], int(row[i]), int(followers.variant[i]), followers.recent[i], params[i], *memory)
        assert chosen == (steps.states[:, 0][i], steps.variant[i])


def test_blocked_choices_are_never_taken(rng: np.random.Generator) -> None:
    controller = small_controller(TASKS[0])
    costs = controller.transitions.costs.copy()
    kept = rng.integers(0, costs.shape[1], len(costs))
    costs[np.arange(costs.shape[1]) != kept[:, np.newaxis]] = BLOCKED
    alone = replace(controller, transitions=controller.transitions._replace(costs=costs))
    assert alone.policy is not None
    for row in range(0, len(costs), 37):
        nothing = np.full(MEMORY, -1)
        chosen = choose(*alone.policy[:3], row, 0, nothing, np.zeros(1), np.empty(1), np.empty(1, np.float32))
        assert chosen[0] == controller.transitions.states[row, kept[row]]


def test_a_state_shown_a_moment_ago_is_followed_only_where_nothing_else_is_open() -> None:
    controller = small_controller(TASKS[0])
    row, params = np.array([100]), np.array([[2.0]])
    followers = Followers.at(controller.field.database, row)
    taken = set()
    for place in range(MEMORY // 2):
        decision, _ = controller.decide(observed(controller, followers, (), params))
        state = int(decision.states[0, 0])
        assert state not in taken
        taken.add(state)
        followers.recent[0, place] = state + 1
    only = controller.transitions.states[100, 0]
    costs = controller.transitions.costs.copy()
    costs[100, 1:] = BLOCKED
    followers.recent[0, 0] = only + 1
    alone = replace(controller, transitions=controller.transitions._replace(costs=costs))
    decision, _ = alone.decide(observed(alone, followers, (), params))
    assert decision.states[0, 0] == only


def test_no_moment_is_shown_twice_while_characters_turn(rng: np.random.Generator) -> None:
    crowd = small_controller(TASKS[0]).crowd(16, seed=5)
    shown = []
    for frame in range(150):
        if frame % 12 == 0:
            goals = rng.uniform(-np.pi, np.pi, 16)
        shown.append(crowd.step(goals).states)
    states = np.stack(shown)
    for back in range(1, MEMORY + 1):
        assert (states[back:] != states[:-back]).all()
    np.testing.assert_array_equal(crowd.followers.recent, states[: -MEMORY - 1 : -1].T)


def test_a_task_of_ones_own_is_asked_in_numpy(rng: np.random.Generator) -> None:
    assert compiled_task(Sideways()) is None
    controller = small_controller(TASKS[0])
    own = FieldController(controller.field, Sideways(1.1), SETTINGS, None, controller.transitions, controller.values)
    assert own.policy is None
    crowd = own.crowd(5, seed=3)
    goals = rng.uniform(-3.0, 3.0, 5)
    for _ in range(30):
        followers = crowd.followers.copy()
        steps, _ = own.decide(observed(own, followers, (), crowd.params(goals)))
        np.testing.assert_array_equal(crowd.step(goals).states, steps.states[:, 0] + 1)


def test_crowds_without_a_policy_do_the_same(rng: np.random.Generator) -> None:
    """The compiled loop against the controller in numpy, through a whole run."""
    controller = small_controller(TASKS[0])

    @dataclass(frozen=True)
    class Renamed(Direction):
        """The same task, but not known to be."""

    plain = replace(controller, task=Renamed(1.1))
    assert isinstance(controller.policy, Policy)
    assert plain.policy is None
    fast, slow = controller.crowd(20, seed=1), plain.crowd(20, seed=1)
    for number in range(200):
        if number % 40 == 0:
            goals = rng.uniform(-3.0, 3.0, 20)
        one, other = fast.step(goals), slow.step(goals)
        np.testing.assert_array_equal(one.states, other.states)
        np.testing.assert_array_equal(one.rotations, other.rotations)
        np.testing.assert_array_equal(one.root_position, other.root_position)
