from __future__ import annotations

import numpy as np

from motionfields.control.methods.thesis import Heading, Table, mean_cost, nothing
from motionfields.control.methods.thesis.problems import DISCOUNT, best_actions

from .small import hand_steps


def test_values_equal_those_of_plain_value_iteration() -> None:
    problem = Heading(hand_steps())
    table = Table(problem, (9,))
    values = table.solve(tolerance=1e-9)
    nodes = np.linspace(-np.pi, np.pi, 9)
    plain = np.zeros((4, 9))
    for _ in range(300):
        after = np.empty_like(plain)
        for clip in range(4):
            for node, heading in enumerate(nodes):
                rewards, params = problem.outcomes(np.array([clip]), np.array([[heading]]))
                follow = [np.interp(params[0, action, 0], nodes, plain[action]) for action in range(4)]
                after[clip, node] = (rewards[0] + DISCOUNT * np.array(follow)).max()
        plain = after
    np.testing.assert_allclose(values, plain, atol=1e-5)
    np.testing.assert_allclose(values[:, 0], values[:, -1], atol=1e-9)  # the same direction


def test_only_free_clips_change_and_only_open_actions_are_used() -> None:
    table = Table(Heading(hand_steps()), (9,))
    whole = table.solve()
    free, ahead = np.array([True, False, True, False]), np.array([True, False, True, False])
    few = table.solve(free=free, actions=ahead)
    assert (few[~free] == 0.0).all()
    assert (few[free] <= whole[free] + 1e-3).all()
    assert few[0, 0] < whole[0, 0] - 1.0  # who cannot turn keeps walking backwards


def test_planning_beats_greedy_decisions() -> None:
    problem = Heading(hand_steps())
    table = Table(problem, (33,))
    values = table.solve()
    planned = mean_cost(problem, lambda clips, params: table.values_at(values, clips, params), count=300)
    assert planned < mean_cost(problem, nothing, count=300)
    clips, params = np.zeros(9, np.int64), np.linspace(-np.pi, np.pi, 9)[:, np.newaxis]
    best = best_actions(problem, lambda after, at: table.values_at(values, after, at), clips, params)
    np.testing.assert_allclose(best.value, table.values_at(values, clips, params), atol=0.2)
