"""Strokes as images of distance and time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from motionfields.authoring.plan.frames import Sheet, make_sheet
from motionfields.authoring.plan.frames.sheets import CELL, looked_up


def test_places_know_their_distance_and_the_nearest_moment_of_the_stroke(sheet: Sheet) -> None:
    for x, z, away, time in (
        (0.0, 1.0, 0.0, 1.0),
        (0.5, 2.0, 0.5, 2.0),
        (0.3, 3.4, 0.5, 3.0),
        (-1.0, -1.0, math.sqrt(2), 0),
    ):
        assert looked_up(sheet, x, 0.9, z) == pytest.approx((away, time), abs=CELL)
    assert looked_up(sheet, 9.0, 0.0, 1.0) == (-1.0, -1.0)


def test_a_side_view_sees_heights() -> None:
    axes = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    side = make_sheet(np.array([(0.0, 0.9), (2.0, 0.9)]), np.array([0.0, 2.0]), axes=axes)
    assert looked_up(side, 55.0, 1.2, 1.5) == pytest.approx((0.3, 1.5), abs=CELL)


def test_impossible_strokes_are_refused() -> None:
    line, times = np.array([(0.0, 0.0), (0.0, 1.0)]), np.array([0.0, 1.0])
    with pytest.raises(ValueError, match="points"):
        make_sheet(np.full((2, 2), np.nan), times)
    with pytest.raises(ValueError, match="points"):
        make_sheet(1e5 * line, times)
    with pytest.raises(ValueError, match="times"):
        make_sheet(line, times[::-1])
    with pytest.raises(ValueError, match="times"):
        make_sheet(line, 1e9 * times)
    with pytest.raises(ValueError, match="axes"):
        make_sheet(line, times, axes=np.zeros((2, 3)))
