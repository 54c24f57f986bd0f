from __future__ import annotations

import numpy as np
import pytest

from motionfields.control.methods.thesis import Cells, Checkerboard, Heading, RevolvingDoors, refine, solve_cells
from motionfields.control.methods.thesis.cells import SAMPLES, CellValues, deviation, influence
from motionfields.control.methods.thesis.problems import DISCOUNT, mean_cost

from .small import hand_steps

TRAVEL = np.array([[0.0, 0.5], [0.1, 0.4], [0.0, 0.5], [-0.1, 0.4]])  # turns that do not swing out
WARPED = hand_steps()._replace(travel=np.tile(TRAVEL, (4, 1, 1))).warped((-0.5, 0.0, 0.5), (0.8, 1.0, 1.2))


def contained(cells: Cells, cell: int, clip: int, params: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> bool:
    """Whether a cell holds a state, by its box."""
    low, high = np.array([span[:2] for span in cells.spans]).T
    size = (high - low) / (cells.coarse * 2.0 ** cells.level[cell])
    corner = low + size * cells.place[cell]
    return bool(cells.clip[cell] == clip and (params >= corner).all() and (params <= corner + size).all())


def test_cells_are_found_in_every_level() -> None:
    rng = np.random.default_rng(3)
    problem = Checkerboard(WARPED)
    cells = Cells.uniform(problem, (2, 3, 4))
    for _ in range(3):
        cells = cells.split(rng.choice(cells.cell_count, cells.cell_count // 5, replace=False))
    clips, params = rng.integers(0, 4, 200), problem.starts(200, rng)
    found = cells.find(clips, params)
    assert all(contained(cells, *pair) for pair in zip(found.tolist(), clips.tolist(), params, strict=True))
    assert set(cells.level[found]) == {0, 1, 2, 3}
    own, points = cells.samples()
    np.testing.assert_array_equal(cells.find(own, points), np.repeat(np.arange(cells.cell_count), SAMPLES))


def test_splitting_halves_a_cell_along_every_axis() -> None:
    cells = Cells.uniform(Checkerboard(WARPED), (2, 2, 2))
    split = cells.split(np.array([5]))
    assert split.cell_count == cells.cell_count + 7
    assert (split.level == 1).sum() == 8
    volume = (0.5 ** (3.0 * split.level)).sum()
    assert volume == pytest.approx(cells.cell_count)


def test_values_are_the_mean_of_the_best_ways_of_the_samples() -> None:
    problem = Heading(WARPED)
    cells = Cells.uniform(problem, (12,))
    solved = solve_cells(problem, cells)
    clips, params = cells.samples()
    rewards, after = problem.outcomes(clips, params)
    at = solved.at()(np.broadcast_to(problem.steps.clip, rewards.shape), after)
    best = (rewards + DISCOUNT * at).max(axis=1).reshape(-1, SAMPLES)
    np.testing.assert_allclose(solved.values, best.mean(axis=1), atol=2e-3)
    np.testing.assert_allclose(solved.error, ((best - solved.values[:, np.newaxis]) ** 2).mean(axis=1), atol=2e-3)
    np.testing.assert_allclose(solved.onward.sum(axis=1), 1.0)


def test_influence_and_deviation_follow_the_policy() -> None:
    """Three cells in a row, the last of which leads to itself (eqs. 4.1 and 4.9)."""
    from scipy.sparse import csr_array

    onward = csr_array(np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]))
    cells = Cells.uniform(Heading(hand_steps()), (1,))
    solved = CellValues(cells, np.zeros(3), np.array([1.0, 4.0, 0.0]), onward)
    last = (DISCOUNT + DISCOUNT**2) / (1.0 - DISCOUNT)
    reached = influence(solved, np.array([1.0, 1.0, 0.0]))
    np.testing.assert_allclose(reached, [1.0, 1.0 + DISCOUNT, last * 1.0], rtol=1e-6)
    np.testing.assert_allclose(deviation(solved), [np.sqrt(1.0 + 4.0 * DISCOUNT**2), 2.0, 0.0])


@pytest.mark.parametrize(
    ("problem", "coarse", "uniform"),
    [
        (Checkerboard(WARPED), (4, 4, 8), (8, 8, 8)),
        (RevolvingDoors(WARPED), (4, 4, 4, 4), (6, 8, 6, 6)),
    ],
    ids=["checkerboard", "doors"],
)
def test_refined_cells_do_better_than_more_uniform_ones(
    problem: Checkerboard | RevolvingDoors, coarse: tuple[int, ...], uniform: tuple[int, ...]
) -> None:
    even = solve_cells(problem, Cells.uniform(problem, uniform))
    solved = solve_cells(problem, Cells.uniform(problem, coarse))
    cells = refine(problem, solved)
    assert cells.cell_count < even.cells.cell_count
    refined = solve_cells(problem, cells)
    cost, uniform_cost = (mean_cost(problem, one.at(), count=300, horizon=25) for one in (refined, even))
    assert cost < uniform_cost
