"""The body of the generated character, made once for all tests of physics."""

from __future__ import annotations

import pytest

from motionfields.base.arrays import FloatArray
from motionfields.runtime.physics import JointRanges, SegmentedBody, measure_ranges
from tests.control.training.small import small_field


@pytest.fixture(scope="session")
def data() -> FloatArray:
    """The rotations [state, joint, 4] of its data."""
    return small_field().database.rotations


@pytest.fixture(scope="session")
def body(data: FloatArray) -> SegmentedBody:
    """Its segments."""
    return SegmentedBody(small_field().database.skeleton, rotations=data)


@pytest.fixture(scope="session")
def ranges(body: SegmentedBody, data: FloatArray) -> JointRanges:
    """The ranges of its joints."""
    return measure_ranges(body, data)
