"""The dynamic program equals a plain one bit for bit, on any number of threads."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from motionfields.authoring.compose.cuts import Cuts
from motionfields.authoring.compose.solving import IMPOSSIBLE, StateCosts, cut_frames, path_costs, replaying_cuts, solve
from motionfields.base.arrays import IntArray


class Puzzle:
    """Random clips, cuts and costs."""

    def __init__(self, seed: int, *, frame_count: int = 25, clip_lengths: tuple[int, ...] = (30, 7, 2, 40, 12)) -> None:
        rng = np.random.default_rng(seed)
        self.left = np.concatenate([np.arange(length)[::-1] for length in clip_lengths])
        count = len(self.left)
        rows = [np.sort(rng.choice(count, int(rng.integers(0, 6)), replace=False)) for _ in range(count)]
        prices = [np.sort(rng.integers(1, 40, len(row))) for row in rows]
        first = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
        self.cuts = Cuts(
            first.astype(np.int64), np.concatenate(rows).astype(np.int32), np.concatenate(prices).astype(np.int32)
        )
        frames = np.sort(rng.choice(frame_count, 3, replace=False))
        self.costs = StateCosts(
            rng.integers(0, 12, (4, count)).astype(np.int32),
            rng.integers(0, 4, frame_count),
            frames,
            rng.integers(0, 60, (3, count)).astype(np.int32),
        )


def plain_totals(puzzle: Puzzle, stay: int) -> IntArray:
    """Return the cost of the cheapest sequence from each state, by a program over (frame, state, frames still held)."""
    cuts, costs, left = puzzle.cuts, puzzle.costs, puzzle.left
    state_count, last = len(left), costs.frame_count - 1
    # shown[state][held]: cost from this frame on if `state` is shown and the next `held` frames must not be cuts.
    following = np.zeros((state_count, stay), np.int64)
    for frame in range(last, -1, -1):
        own = costs.at(frame)
        shown = np.full((state_count, stay), IMPOSSIBLE, np.int64)
        for state in range(state_count):
            for held in range(stay):
                if frame == last:
                    shown[state, held] = own[state]
                elif left[state] >= 1:
                    options = [following[state + 1, max(held - 1, 0)]]
                    if held == 0:
                        for cut in range(cuts.first[state + 1], cuts.first[state + 2]):
                            options.append(cuts.costs[cut] + following[cuts.targets[cut], stay - 1])
                    shown[state, held] = min(int(own[state]) + int(min(options)), IMPOSSIBLE)
        following = shown
    return np.asarray(following[:, stay - 1])


@pytest.mark.parametrize("stay", [1, 2, 5])
@pytest.mark.parametrize("seed", range(4))
def test_totals_equal_those_of_a_plain_program(seed: int, stay: int) -> None:
    puzzle = Puzzle(seed)
    found = solve(puzzle.cuts, puzzle.left, puzzle.costs, stay=stay)
    np.testing.assert_array_equal(found.totals, plain_totals(puzzle, stay))
    assert found.cost == found.totals.min() == sum(path_costs(puzzle.cuts, puzzle.costs, found.path))
    assert found.path[0] == int(found.totals.argmin())
    pieces = np.diff(np.concatenate([[0], cut_frames(found.path), [len(found.path)]]))
    assert (pieces[:-1] >= stay).all()


def test_the_path_from_every_start_costs_its_total() -> None:
    puzzle = Puzzle(7)
    totals = solve(puzzle.cuts, puzzle.left, puzzle.costs, stay=3).totals
    for start in np.flatnonzero(totals < IMPOSSIBLE).tolist():
        found = solve(puzzle.cuts, puzzle.left, puzzle.costs, stay=3, start=start)
        assert found.path[0] == start
        assert sum(path_costs(puzzle.cuts, puzzle.costs, found.path)) == found.cost == totals[start]


def test_threads_do_not_change_a_bit() -> None:
    puzzle = Puzzle(11, frame_count=60, clip_lengths=(300, 200, 100))
    found = []
    for threads in (1, 2):
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))  # type: ignore[attr-defined]
        found.append(solve(puzzle.cuts, puzzle.left, puzzle.costs, stay=4))
    numba.set_num_threads(1)
    for one, two in zip(*found, strict=True):
        np.testing.assert_array_equal(one, two)


def test_ties_go_to_the_lowest_start_and_to_going_on() -> None:
    left = np.array([2, 1, 0, 2, 1, 0])
    cuts = Cuts(np.array([0, 0, 1, 1, 1, 1, 1]), np.array([4], np.int32), np.array([0], np.int32))
    costs = StateCosts(
        np.zeros((1, 6), np.int32), np.zeros(3, np.int64), np.zeros(0, np.int64), np.zeros((0, 6), np.int32)
    )
    np.testing.assert_array_equal(solve(cuts, left, costs, stay=1).path, [0, 1, 2])


def test_what_cannot_be_solved_is_refused() -> None:
    puzzle = Puzzle(3, clip_lengths=(3, 2))
    alone = puzzle.cuts._replace(
        first=np.zeros(6, np.int64), targets=np.zeros(0, np.int32), costs=np.zeros(0, np.int32)
    )
    with pytest.raises(ValueError, match="no sequence of states is long enough"):
        solve(alone, puzzle.left, puzzle.costs, stay=1)
    with pytest.raises(ValueError, match="stay: expected"):
        solve(alone, puzzle.left, puzzle.costs, stay=0)
    with pytest.raises(ValueError, match="too large in total"):
        solve(alone, puzzle.left, puzzle.costs._replace(parts=np.full((4, 5), 1 << 26, np.int32)), stay=1)
    with pytest.raises(ValueError, match="0 or more"):
        solve(alone, puzzle.left, puzzle.costs._replace(parts=np.full((4, 5), -1, np.int32)), stay=1)


def test_cuts_that_show_states_again_are_found() -> None:
    """Pieces begin at frames 3, 6 and 9. At 30 frames/s, that at 6 shows states again that were shown 4 frames ago."""
    path = np.array([10, 11, 12, 50, 51, 52, 12, 13, 14, 90, 91, 92])
    np.testing.assert_array_equal(replaying_cuts(path, 1.0 / 30.0), [6])
    np.testing.assert_array_equal(replaying_cuts(path, 0.5), [])
