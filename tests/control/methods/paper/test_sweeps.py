"""The paper's value iteration, against a backup in plain numpy."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.control.grids import grid_points, grid_size
from motionfields.control.methods.paper import (
    Anchors,
    PaperSettings,
    PaperTransitions,
    estimate_paper_memory,
    find_paper_transitions,
    sweeps,
)
from motionfields.control.methods.paper.sweeps import Policy, solve_paper, sweep_fully, sweep_kept, task_parts
from motionfields.control.tasks import Direction, Line, Motion, Task
from motionfields.field import MotionField
from tests.control.training.small import plain_grid_value

SETTINGS = PaperSettings(neighbor_count=4, discount=0.9, goal_change=0.05)
DIRECTION = Direction(speed=1.2)
LINE = Line(speed=1.2)


@pytest.fixture(scope="module")
def transitions(field: MotionField) -> PaperTransitions:
    return find_paper_transitions(field, np.arange(field.database.state_count), SETTINGS)


def plain_outlooks(
    task: Task, transitions: PaperTransitions, table: FloatArray, state: int, point: FloatArray
) -> list[float]:
    """Reward and discounted value of every action at one state and node (in eq. 13)."""
    worth = []
    for action in range(SETTINGS.neighbor_count):
        turn, velocity = transitions.motion.turn[state, action], transitions.motion.velocity[state, action]
        motion = Motion(turn, velocity, transitions.motion.frame_time)
        then = task.advance(point, motion)
        rows, weights = transitions.states[state, action], transitions.weights[state, action]
        value = sum(w * plain_grid_value(table[row], task, then) for row, w in zip(rows, weights, strict=True))
        mean = sum(w * table[row].mean(dtype=np.float64) for row, w in zip(rows, weights, strict=True))
        future = (1.0 - SETTINGS.goal_change) * value + SETTINGS.goal_change * mean
        worth.append(float(task.reward(point, motion)) + SETTINGS.discount * future)
    return worth


@pytest.mark.parametrize("task", [DIRECTION, LINE], ids=["direction", "line"])
def test_a_sweep_is_a_bellman_backup(
    task: Task, field: MotionField, transitions: PaperTransitions, rng: np.random.Generator
) -> None:
    points = grid_points(task.axes)
    table = rng.normal(size=(field.database.state_count, len(points))).astype(np.float32)
    after, kept = np.empty_like(table), np.empty_like(table)
    policy = Policy.empty(table.shape, len(task.axes))
    sweep_fully(task, transitions, SETTINGS, task_parts(task, transitions), table, policy, after)
    sweep_kept(task, transitions, SETTINGS, table, policy, kept)
    for state in (0, 17, field.database.state_count - 1):
        for node in rng.choice(len(points), 12, replace=False):
            worth = plain_outlooks(task, transitions, table, state, points[node])
            assert after[state, node] == pytest.approx(max(worth), abs=1e-5)
            assert worth[policy.actions[state, node]] == pytest.approx(max(worth), abs=1e-5)
    np.testing.assert_allclose(kept, after, atol=1e-5)


def test_without_a_future_values_are_the_best_reward(field: MotionField) -> None:
    settings = PaperSettings(neighbor_count=4, discount=0.0)
    anchors = Anchors.every(field.database.clip_starts, 1)
    transitions = find_paper_transitions(field, anchors.states, settings)
    solution = solve_paper(DIRECTION, transitions, anchors, settings)
    turn, velocity, frame_time, _ = transitions.motion
    motion = Motion(turn[:, :, np.newaxis], velocity[:, :, np.newaxis], frame_time)
    best = DIRECTION.reward(grid_points(DIRECTION.axes), motion).max(axis=1)
    np.testing.assert_allclose(solution.values, best, atol=1e-6)
    assert solution.converged


def test_the_solution_changes_alike_everywhere_in_one_more_sweep(
    field: MotionField, transitions: PaperTransitions
) -> None:
    anchors = Anchors.every(field.database.clip_starts, 1)
    solution = solve_paper(DIRECTION, transitions, anchors, SETTINGS, tolerance=1e-4)
    assert solution.converged
    assert solution.residual <= 1e-4
    after, policy = np.empty_like(solution.values), Policy.empty(solution.values.shape, 1)
    parts = task_parts(DIRECTION, transitions)
    sweep_fully(DIRECTION, transitions, SETTINGS, parts, solution.values, policy, after)
    change = after - solution.values
    assert 0.5 * (change.max() - change.min()) <= 1e-4


def test_kept_actions_and_kept_tables_change_the_time_and_not_the_solution(
    field: MotionField, transitions: PaperTransitions, monkeypatch: pytest.MonkeyPatch
) -> None:
    anchors = Anchors.every(field.database.clip_starts, 1)
    usual = solve_paper(DIRECTION, transitions, anchors, SETTINGS, tolerance=1e-4)
    frugal = solve_paper(DIRECTION, transitions, anchors, SETTINGS, tolerance=1e-4, memory=0)
    np.testing.assert_array_equal(usual.values, frugal.values)
    monkeypatch.setattr(sweeps, "KEPT_SWEEPS", 0)
    plain = solve_paper(DIRECTION, transitions, anchors, SETTINGS, tolerance=1e-4)
    assert plain.sweeps > usual.sweeps
    gap = plain.values - usual.values
    np.testing.assert_allclose(gap - gap.mean(), 0.0, atol=5e-3)


def test_values_are_trained_at_anchors_alone(field: MotionField) -> None:
    anchors = Anchors.every(field.database.clip_starts, 10)
    transitions = find_paper_transitions(field, anchors.states, SETTINGS)
    solution = solve_paper(DIRECTION, transitions, anchors, SETTINGS)
    assert solution.values.shape == (len(anchors.states), grid_size(DIRECTION.axes))
    table = anchors.expand(solution.values)
    after, policy = np.empty_like(solution.values), Policy.empty(solution.values.shape, 1)
    parts = task_parts(DIRECTION, transitions)
    sweep_fully(DIRECTION, transitions, SETTINGS, parts, table, policy, after)
    change = after - solution.values
    assert 0.5 * (change.max() - change.min()) <= 2e-3


def test_memory_for_two_parameters_is_bounded(field: MotionField) -> None:
    few, many = (estimate_paper_memory(field, DIRECTION, anchor_stride=stride) for stride in (30, 1))
    assert few < many < estimate_paper_memory(field, LINE)


def test_the_residual_is_half_the_spread_of_the_changes(field: MotionField, transitions: PaperTransitions) -> None:
    anchors = Anchors.every(field.database.clip_starts, 1)
    solution = solve_paper(DIRECTION, transitions, anchors, SETTINGS, tolerance=1e9)
    assert solution.sweeps == 1
    assert solution.residual == pytest.approx(0.5 * float(np.ptp(solution.values)))
