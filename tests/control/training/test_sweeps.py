"""Value iteration, against a backup in plain loops."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.control.grids import corner_steps, find_corners, grid_points, interpolated
from motionfields.control.root_motion import RootMotion, measure_root_motion
from motionfields.control.tasks import Axis, Direction, Lane, Line, Motion, Task
from motionfields.control.training import Progress, TaskTable, solve, sweeps
from motionfields.control.training.sweeps import (
    Actions,
    Buffers,
    _look_ahead,
    half_spread,
    improve_here,
    keep_useful,
    sweep_once,
)
from motionfields.control.transitions import BLOCKED, Transitions, find_transitions
from motionfields.field import MotionField
from tests.control.training.small import SETTINGS, WARP, plain_grid_value, small_field, threads

DIRECTION, LINE, LANE = Direction(speed=1.2), Line(speed=1.2), Lane(top=1.2)
CHANCES = (0.9, 0.05)  # discount, goal change: few sweeps


class Problem:
    """Everything that training starts from."""

    def __init__(self, task: Task, *, warped: bool) -> None:
        self.field: MotionField = small_field()
        self.task = task
        self.moves: RootMotion = measure_root_motion(self.field.database, warp=WARP if warped else None)
        self.transitions: Transitions = find_transitions(self.field, self.moves, SETTINGS)
        self.table = TaskTable.build(task, self.field.database, self.moves)
        self.actions = Actions.of(self.transitions)

    def buffers(self) -> Buffers:
        shape = self.table.rewards.shape
        return Buffers(np.empty(shape, np.float32), np.empty(shape, np.uint16), np.empty(shape, np.float32))

    def swept(self, values: FloatArray, buffers: Buffers | None = None) -> FloatArray:
        return sweep_once(self.table, self.actions, values, buffers or self.buffers(), CHANCES, improve_here)


@pytest.fixture(scope="module")
def direction() -> Problem:
    return Problem(DIRECTION, warped=False)


@pytest.fixture(scope="module")
def warped() -> Problem:
    return Problem(DIRECTION, warped=True)


def plain_worths(problem: Problem, values: FloatArray, state: int, before: int, point: FloatArray) -> list[float]:
    """Return the action values at one state, variant and node (in eq. 13)."""
    discount, goal_change = CHANCES
    moves, transitions, state_count = problem.moves, problem.transitions, problem.field.database.state_count
    worths = []
    for transition, row in enumerate(transitions.states[state]):
        for variant in range(moves.variant_count):
            cost = float(transitions.costs[state, transition, before, variant])
            if cost >= BLOCKED:
                worths.append(-np.inf)
                continue
            motion = Motion(moves.turn[row, variant], moves.velocity[row], moves.frame_time)
            after = values[variant * state_count + row + 1]
            value = plain_grid_value(after, problem.task, problem.task.advance(point, motion))
            future = (1.0 - goal_change) * value + goal_change * after.mean(dtype=np.float64)
            reward = float(problem.task.reward(point, motion)) - cost - float(transitions.roughness[row])
            worths.append(reward + discount * future)
    return worths


@pytest.mark.parametrize("is_warped", [False, True], ids=["captured", "warped"])
@pytest.mark.parametrize("task", [DIRECTION, LINE, LANE], ids=["direction", "line", "lane"])
def test_a_sweep_is_a_bellman_backup(task: Task, is_warped: bool, rng: np.random.Generator) -> None:
    """Equation 13, with what changes cost."""
    problem = Problem(task, warped=is_warped)
    points, state_count = grid_points(task.axes), problem.field.database.state_count
    values = rng.normal(size=problem.table.rewards.shape).astype(np.float32)
    buffers = problem.buffers()
    after = problem.swept(values, buffers)
    for state in (0, 17, 700, state_count - 1):
        for before in range(problem.moves.variant_count):
            place = before * state_count + state
            for node in rng.choice(len(points), 6, replace=False):
                worths = plain_worths(problem, values, state, before, points[node])
                assert after[place, node] == pytest.approx(max(worths), abs=1e-4)
                assert worths[buffers.best[place, node]] == pytest.approx(max(worths), abs=1e-4)


@pytest.mark.parametrize("axis_count", [1, 2, 3, 4])
def test_loops_for_a_number_of_axes_have_the_bits_of_the_one_for_any(axis_count: int, rng: np.random.Generator) -> None:
    axes = [Axis(f"axis {count}", np.arange(float(count))) for count in (5, 4, 6, 3)[:axis_count]]
    size, count = int(np.prod([len(axis.nodes) for axis in axes])), 1000
    points = rng.uniform(-0.5, 5.5, (count, axis_count))
    points[::5] = np.round(points[::5])  # on nodes, and beyond the grid
    first, shares = find_corners(axes, points)
    steps, row = corner_steps(axes), rng.normal(size=size).astype(np.float32)
    rewards, action_values = rng.normal(size=count).astype(np.float32), np.empty(count, np.float32)
    discount, goal_change, other = 0.9, 0.05, 0.3
    _look_ahead(row, first, shares, steps, rewards, (discount, goal_change, other), action_values)
    values = np.array([interpolated(row, int(first[i]), shares[i], steps) for i in range(count)])
    plain = rewards.astype(np.float64) + discount * ((1.0 - goal_change) * values + other)
    np.testing.assert_array_equal(action_values, plain.astype(np.float32))


def test_without_a_future_values_are_the_best_reward(direction: Problem) -> None:
    """Equation 9."""
    solution = solve(direction.table, direction.transitions, discount=0.0, goal_change=0.0)
    moves, transitions = direction.moves, direction.transitions
    motion = Motion(moves.turn[:, :1], moves.velocity[:, np.newaxis], moves.frame_time)
    rewards = DIRECTION.reward(grid_points(DIRECTION.axes), motion) - transitions.roughness[:, np.newaxis]
    best = (rewards[transitions.states] - transitions.costs[:, :, 0, 0][..., np.newaxis]).max(axis=1)
    np.testing.assert_allclose(solution.values, best, atol=1e-5)
    assert solution.converged


@pytest.mark.parametrize("name", ["direction", "warped"])
def test_the_solution_changes_alike_everywhere_in_one_more_sweep(name: str, request: pytest.FixtureRequest) -> None:
    problem: Problem = request.getfixturevalue(name)
    discount, goal_change = CHANCES
    solution = solve(problem.table, problem.transitions, discount=discount, goal_change=goal_change, tolerance=1e-4)
    assert solution.converged
    assert solution.residual <= 1e-4
    change = problem.swept(solution.values) - solution.values
    assert 0.5 * (change.max() - change.min()) <= 1.1e-4  # and the rounding of float32


def test_kept_choices_change_the_time_and_not_the_solution(direction: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    discount, goal_change = CHANCES
    options = {"discount": discount, "goal_change": goal_change, "tolerance": 2e-5}
    usual = solve(direction.table, direction.transitions, **options)  # type: ignore[arg-type]
    monkeypatch.setattr(sweeps, "KEPT_SWEEPS", 0)
    plain = solve(direction.table, direction.transitions, **options)  # type: ignore[arg-type]
    assert plain.converged
    assert plain.sweeps > usual.sweeps
    gap = plain.values - usual.values
    np.testing.assert_allclose(gap - gap.mean(), 0.0, atol=1e-3)
    best = []
    for solution in (usual, plain):
        buffers = direction.buffers()
        direction.swept(solution.values, buffers)
        best.append(buffers.best)
    assert (best[0] == best[1]).mean() > 0.999  # the others are worth the same to the last digits


def test_any_number_of_threads_gives_the_same_bits(warped: Problem) -> None:
    solutions = []
    for count in (1, 2):
        with threads(count):
            solutions.append(solve(warped.table, warped.transitions, discount=0.9, goal_change=0.05))
    np.testing.assert_array_equal(solutions[0].values, solutions[1].values)
    assert solutions[0].sweeps == solutions[1].sweeps


def test_progress_is_told_after_every_sweep_with_an_estimate(direction: Problem) -> None:
    told: list[Progress] = []
    solution = solve(
        direction.table,
        direction.transitions,
        discount=0.99,
        goal_change=1.0 / 60.0,
        on_sweep=lambda progress, values: told.append(progress),
    )
    assert [progress.sweep for progress in told] == list(range(1, solution.sweeps + 1))
    assert told[-1].residual == solution.residual
    assert np.isnan(told[0].seconds_left)
    assert told[-1].seconds_left == 0.0 or told[-1].residual <= 1e-3
    assert any(progress.seconds_left > 0.0 for progress in told)


def test_a_solver_that_runs_out_of_sweeps_says_so(direction: Problem) -> None:
    solution = solve(direction.table, direction.transitions, discount=0.99, goal_change=0.0, most_sweeps=2)
    assert not solution.converged
    assert solution.sweeps == 2


def test_the_residual_is_half_the_spread_of_the_changes(direction: Problem) -> None:
    assert half_spread(np.array([[1.0, 4.0], [2.0, -1.0]])) == 2.5
    solution = solve(direction.table, direction.transitions, discount=0.9, goal_change=0.05, tolerance=1e9)
    assert solution.sweeps == 1
    assert solution.residual == pytest.approx(0.5 * float(np.ptp(solution.values)))


@pytest.mark.parametrize("name", ["direction", "warped"])
def test_transitions_closest_to_being_best_are_kept(name: str, request: pytest.FixtureRequest) -> None:
    problem: Problem = request.getfixturevalue(name)
    values = solve(problem.table, problem.transitions, discount=CHANCES[0], goal_change=CHANCES[1]).values
    kept = keep_useful(problem.table, problem.transitions, values, 12, CHANCES)
    assert kept.states.shape == (len(problem.transitions.states), 12)
    points, state_count = grid_points(problem.task.axes), problem.field.database.state_count
    for state in (3, 250, 900):
        regrets = np.full(problem.transitions.states.shape[1], np.inf)
        for before in range(problem.moves.variant_count):
            for node, point in enumerate(points):
                worths = np.array(plain_worths(problem, values, state, before, point))
                best = values[before * state_count + state, node]
                regrets = np.minimum(regrets, (best - worths).reshape(len(regrets), -1).min(axis=1))
        regrets[problem.transitions.states[state] == state] = -1.0
        usual = problem.transitions.states[state]
        worst_kept = regrets[np.isin(usual, kept.states[state])].max()
        assert worst_kept <= np.sort(regrets)[11] + 1e-4
        places = [int(np.flatnonzero(usual == row)[0]) for row in kept.states[state]]
        assert places == sorted(places)
        np.testing.assert_array_equal(kept.costs[state], problem.transitions.costs[state, places])
        assert state in kept.states[state]


def test_a_few_transitions_are_all_kept(direction: Problem) -> None:
    values = np.zeros(direction.table.rewards.shape, np.float32)
    assert keep_useful(direction.table, direction.transitions, values, 10**6, CHANCES) is direction.transitions
