"""The motion field: a database of states, neighbour search, and synthesis from the data (Lee et al. 2010)."""

from motionfields.field.field import (
    DRIFT,
    NEIGHBOR_COUNT,
    Drifted,
    MotionField,
    Synthesis,
    actions,
    field_arrays,
    field_facts,
    field_from,
    similarity_weights,
)
from motionfields.field.passive import TAIL
from motionfields.field.search_set import SearchSet

__all__ = [
    "DRIFT",
    "NEIGHBOR_COUNT",
    "TAIL",
    "Drifted",
    "MotionField",
    "SearchSet",
    "Synthesis",
    "actions",
    "field_arrays",
    "field_facts",
    "field_from",
    "similarity_weights",
]
