"""Values at every N-th state, and between them (eq. 14)."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.control.methods.paper import Anchors, AnchorValues
from motionfields.control.tasks import angle_axis

STARTS = np.array([0, 7, 9, 10])  # clips of 7, 2 and 1 states


def test_anchors_are_every_third_state_and_the_last_of_each_clip() -> None:
    np.testing.assert_array_equal(Anchors.every(STARTS, 3).states, [0, 3, 6, 7, 8, 9])
    np.testing.assert_array_equal(Anchors.every(STARTS, 4).states, [0, 4, 6, 7, 8, 9])


def test_values_between_anchors_are_interpolated_in_time_and_never_over_a_cut() -> None:
    anchors = Anchors.every(STARTS, 4)
    kept = np.array([[0.0], [4.0], [10.0], [-5.0], [-7.0], [1.0]], np.float32)
    np.testing.assert_allclose(anchors.expand(kept)[:, 0], [0, 1, 2, 3, 4, 7, 10, -5, -7, 1])


@pytest.mark.parametrize("stride", [1, 2, 3, 30])
def test_values_at_anchors_come_back_exactly(stride: int, rng: np.random.Generator) -> None:
    anchors = Anchors.every(STARTS, stride)
    kept = rng.normal(size=(len(anchors.states), 5)).astype(np.float32)
    expanded = anchors.expand(kept)
    assert expanded.shape == (10, 5)
    assert expanded.dtype == np.float32
    np.testing.assert_array_equal(anchors.keep(expanded), kept)


def test_only_anchors_are_stored(rng: np.random.Generator) -> None:
    axes = (angle_axis(count=4),)
    anchors = Anchors.every(np.array([0, 101]), 10)
    table = rng.normal(size=(101, 5)).astype(np.float32)
    values = AnchorValues(axes, anchors, anchors.keep(table))
    assert values.byte_count == 11 * 5 * 4
    np.testing.assert_array_equal(values.table()[::10], table[::10])
    with pytest.raises(ValueError, match="values: expected shape"):
        AnchorValues(axes, anchors, table)


def test_a_stride_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="stride"):
        Anchors.every(STARTS, 0)
