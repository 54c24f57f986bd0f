"""Arguments that the fuzzer of calls found to reach compiled loops, or to raise errors of other types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from motionfields.authoring.compose import LabelGoal, StateLabels, Timeline, adherence, with_answers
from motionfields.authoring.compose.cuts import Cuts
from motionfields.base.checks import checked_numbers
from motionfields.base.world import (
    DepthScan,
    Disc,
    Nearest,
    Room,
    World,
    WorldTables,
    clearance_grid,
    draw_world,
    way_lengths,
)
from motionfields.measure.analysis import gait_cycles
from motionfields.measure.evaluation import within_gate
from motionfields.motion.annotations import Span
from motionfields.motion.planting import votes_from_contacts

ROOM = Room((-5.0, -5.0, 5.0, 5.0), (Disc(1.0, 1.0, 0.3),))
WORLD = World(ROOM)
PLACES = np.array([[0.0, 0.0], [1.0, -2.0]])
LABELS = StateLabels.of(("walk",), np.ones((5, 1), np.int64))
CUTS = Cuts(np.array([0, 1, 1]), np.array([1], np.int32), np.array([5], np.int32))
TIMELINE = Timeline(1.0, (LabelGoal("walk", 0.0, 1.0),))
FREE = np.ones((5, 5), np.bool_)
CONTACTS = np.ones((5, 2), np.bool_)

CALLS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = {
    # These read or wrote outside of arrays.
    "seeds: expected 0 to 4": (way_lengths, (FREE, [[9, 9]]), {}),
    "seeds: expected 0 to 4, got -1": (way_lengths, (FREE, [[-1, 0]]), {}),
    "facing: expected shape \\[2\\]": (DepthScan(8).look, (WORLD, PLACES, np.zeros(1)), {}),
    # These raised errors of numpy or numba, or gave a number for an index from the end.
    "free: expected an array of bool": (way_lengths, (1.0, [[0, 0]]), {}),
    "seeds: expected cells \\[n, 2\\]": (way_lengths, (FREE, [1, 2, 3]), {}),
    "values: expected none below 0": (way_lengths, (FREE, [[0, 0]], [-1.0]), {}),
    "places: expected shape \\[any, 2\\]": (Nearest(2).readings, (WORLD, 0.5, np.zeros(2)), {}),
    "places: expected shape \\[..., 2\\]": (ROOM.clearance, (np.zeros(1),), {}),
    "places: expected finite": (WORLD.clearance, (np.full((1, 2), np.nan),), {}),
    "places: expected at least one": (Room.around, (np.zeros((0, 2)),), {}),
    "world: expected 0 to 0": (WorldTables([WORLD], 3, 0.1).around, (np.array([-1]), np.array([0])), {}),
    "frames: expected a whole number": (WorldTables, ([WORLD], 2**63, 0.1), {}),
    "worlds: expected at least one": (WorldTables, ([], 3, 0.1), {}),
    "cell: expected a number": (clearance_grid, (ROOM, (0.0, 0.0)), {"yaw": 0.0, "cell": 0.0}),
    "cell: expected a grid": (clearance_grid, (ROOM, (0.0, 0.0)), {"yaw": 0.0, "cell": 0.001}),
    "counts: expected two": (draw_world, (1,), {"counts": [0.0]}),
    "label: expected text": (Span, ("a.bvh", 0.0, 1.0, 5), {}),
    "file: expected text": (Span, (None, 0.0, 1.0, "walk"), {}),
    "values: expected 1, 0 or -1": (StateLabels.of, (("walk",), np.full((5, 1), 7)), {}),
    "path: expected 0 to 4": (adherence, (TIMELINE, LABELS, np.array([10**9])), {"frame_time": 0.03}),
    "path: expected one state": (adherence, (TIMELINE, LABELS, np.int64(3)), {"frame_time": 0.03}),
    "path: expected 0 to 4, got -1": (with_answers, (LABELS, np.array([-1]), np.ones(1, np.bool_), "walk"), {}),
    "states: expected 0 to 1": (CUTS.without, (np.array([9]), np.array([0])), {"reach": 1}),
    "name: expected one of": (within_gate, ("x", 1.0), {}),
    "contacts: expected one foot": (gait_cycles, (None, np.int64(5)), {}),
    "phase_count: expected": (gait_cycles, (np.ones(5), CONTACTS[:, 0]), {"phase_count": 2**63}),
    "spread: expected at most 20000 frames": (votes_from_contacts, (CONTACTS, 0.03), {"spread": 1e6}),
    "spread: expected a number": (votes_from_contacts, (CONTACTS, 0.03), {"spread": np.inf}),
}


@pytest.mark.parametrize("message", CALLS)
def test_odd_arguments_raise_a_value_error_that_names_them(message: str) -> None:
    function, arguments, options = CALLS[message]
    with pytest.raises(ValueError, match=message):
        function(*arguments, **options)


@pytest.mark.parametrize(
    ("shape", "wanted"), [((..., 2), (3, 4, 2)), ((None, 2), (3, 2)), ((..., 2), (2,)), ((2, None), (2, 5))]
)
def test_numbers_of_the_wanted_shape_are_returned(shape: Any, wanted: tuple[int, ...]) -> None:
    assert checked_numbers("x", np.ones(wanted), shape=shape).shape == wanted
    with pytest.raises(ValueError, match="x: expected shape"):
        checked_numbers("x", np.ones((3, 3)), shape=shape)
