"""Counts read as English."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.wording import counted


@pytest.mark.parametrize(
    ("count", "shown"), [(0, "0 clips"), (1, "1 clip"), (2, "2 clips"), (np.int64(1), "1 clip"), (1000, "1000 clips")]
)
def test_a_noun_is_plural_unless_there_is_one(count: int, shown: str) -> None:
    assert counted(count, "clip") == shown


def test_an_irregular_plural_is_given() -> None:
    assert counted(1, "push", "pushes") == "1 push"
    assert counted(3, "body", "bodies") == "3 bodies"


def test_large_counts_can_be_grouped() -> None:
    assert counted(32160, "state", spec=",") == "32,160 states"
    assert counted(1, "state", spec=",") == "1 state"


def test_a_measure_that_reads_one_is_singular() -> None:
    assert counted(1.0000001, "unit", spec=".3g") == "1 unit"
    assert counted(0.5, "unit", spec=".3g") == "0.5 units"
