from __future__ import annotations

from functools import cache

import pytest

from motionfields.control.methods.graph import GraphController, train_graph
from motionfields.control.tasks import Direction
from motionfields.field import MotionField
from tests.control.training.small import small_field


@cache
def direction_graph() -> GraphController:
    return train_graph(small_field(), Direction())


@pytest.fixture(scope="session")
def field() -> MotionField:
    return small_field()


@pytest.fixture(scope="session")
def controller() -> GraphController:
    return direction_graph()
