"""The state of foot locking before the first frame."""

from __future__ import annotations

import pytest

from motionfields.motion.planting.state import PlantingState


def test_a_state_can_be_of_no_characters_but_not_of_fewer() -> None:
    """A crowd may start empty."""
    assert all(len(array) == 0 for array in PlantingState.fresh(0))
    with pytest.raises(ValueError, match="count: expected at least 0 characters, got -1"):
        PlantingState.fresh(-1)
