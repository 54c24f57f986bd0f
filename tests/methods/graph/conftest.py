from __future__ import annotations

from functools import cache

import pytest

from motionfields.field import MotionField
from motionfields.methods.graph import GraphController, train_graph
from motionfields.tasks import Direction
from tests.training.small import small_field


@cache
def direction_graph() -> GraphController:
    return train_graph(small_field(), Direction())


@pytest.fixture(scope="session")
def field() -> MotionField:
    return small_field()


@pytest.fixture(scope="session")
def controller() -> GraphController:
    return direction_graph()
