"""Controllers that match on a field small enough for plain loops."""

from __future__ import annotations

import pytest

from motionfields.control.methods.matching import MatchingController, train_matching
from motionfields.control.tasks import Direction
from motionfields.field import MotionField
from tests.control.training.small import small_field


@pytest.fixture(scope="package")
def field() -> MotionField:
    return small_field()


@pytest.fixture(scope="package")
def controller(field: MotionField) -> MatchingController:
    return train_matching(field, Direction())
