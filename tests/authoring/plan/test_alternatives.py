"""Several plans for one goal."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.authoring.plan import StepGraph, alternatives, plan
from motionfields.base.arrays import FloatArray
from motionfields.base.world import Box, Room

ROOM = Room((-3.0, -2.0, 4.0, 6.0), (Box(0.3, 2.0, 1.0, 0.5),))
WORK = 2000  # expansions


def test_alternatives_take_other_ways_and_share_the_bound(graph: StepGraph) -> None:
    found = alternatives(graph, (0.5, 4.0), count=3, room=ROOM, most_expansions=WORK)
    assert len(found) == 3
    first = plan(graph, (0.5, 4.0), room=ROOM, most_expansions=WORK)
    np.testing.assert_array_equal(found[0].clip.root_position, first.clip.root_position)
    middles: list[FloatArray] = []
    for one in found:
        assert one.room is found[0].room
        assert one.bound == first.bound <= one.cost
        assert one.end_offset < 0.02
        assert one.clearance >= ROOM.radius - 0.02
        places = one.clip.root_position[:, ::2]
        for middle in middles:
            assert np.linalg.norm(places - middle, axis=1).min() > 0.5
        way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))])
        middles.append(places[np.searchsorted(way, 0.5 * way[-1])])


def test_there_are_fewer_where_no_other_way_is_left(graph: StepGraph) -> None:
    narrow = Room((-0.6, -1.0, 0.6, 5.0))
    assert len(alternatives(graph, (0.0, 3.5), room=narrow, most_expansions=WORK)) == 1


def test_a_count_that_means_nothing_is_refused(graph: StepGraph) -> None:
    with pytest.raises(ValueError, match="count"):
        alternatives(graph, (0.0, 2.0), count=0)
