"""The check of a motion database, run once when one is made or loaded: every array that compiled loops will read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from motionfields.base.arrays import IntArray
from motionfields.base.checks import check_array, check_fields, check_indices, check_unit, checked_number
from motionfields.field.database.metric import Metric

if TYPE_CHECKING:
    from motionfields.field.database.database import MotionDatabase

STATE_NAMES: Final[tuple[str, ...]] = (
    *("root_height", "root_tilt", "joint_rotations", "root_step", "root_turn", "joint_turns", "features", "contacts"),
)
SHORTEST_FRAME, LONGEST_FRAME = 1e-4, 1.0  # seconds
FURTHEST: Final = 1e4  # metres, of a root from the floor and of a step
MOST_TURN: Final = 7.0  # radians about each axis in one frame; more than a full turn
LARGEST_FEATURE: Final = 1e9
UNIT_TOLERANCE: Final = 1e-3  # of the lengths of quaternions, which are float32


def check_database(database: MotionDatabase) -> None:
    """Raise ValueError unless `database` is valid: types, shapes, finite and bounded numbers, clips in order."""
    checked_number("frame_time", database.frame_time, SHORTEST_FRAME, LONGEST_FRAME)
    check_names("clip_names", database.clip_names)
    for name in ("offsets", "tip_offsets"):
        offsets = getattr(database.skeleton, name)
        check_array(f"skeleton.{name}", offsets, np.float64, (len(offsets), 3), most=FURTHEST)
    count = len(database.root_height)
    check_clip_starts(database.clip_starts, len(database.clip_names), count)
    check_states({name: getattr(database, name) for name in STATE_NAMES}, count, database.skeleton.joint_count)
    _check_metric(database)
    for name, column in database.columns.items():
        if len(column) != count:
            raise ValueError(f"column {name}: expected {count} values, got {len(column)}")


def check_states(arrays: Mapping[str, NDArray[Any]], count: int, joint_count: int) -> None:
    """Raise ValueError unless `arrays`, by the names of `STATE_NAMES`, hold `count` valid states of a skeleton."""
    others = joint_count - 1
    shapes: dict[str, tuple[tuple[int | None, ...], float]] = {
        "root_height": ((count,), FURTHEST),
        "root_tilt": ((count, 4), 2.0),
        "joint_rotations": ((count, others, 4), 2.0),
        "root_step": ((count, 3), FURTHEST),
        "root_turn": ((count, 3), MOST_TURN),
        "joint_turns": ((count, others, 3), MOST_TURN),
        "features": ((count, None), LARGEST_FEATURE),
    }
    for name, (shape, most) in shapes.items():
        check_array(name, arrays[name], np.float32, shape, most=most)
    check_array("contacts", arrays["contacts"], np.bool_, (count, 2))
    for name in ("root_tilt", "joint_rotations"):
        check_unit(name, arrays[name], UNIT_TOLERANCE)


def check_clip_starts(starts: IntArray, clip_count: int, state_count: int) -> None:
    """Raise ValueError unless `starts` [clip + 1] rise from 0 to `state_count`, each by at least 1."""
    check_array("clip_starts", starts, np.int64, (clip_count + 1,))
    # Compared and not subtracted: a difference of int64 may wrap around.
    if clip_count < 1 or starts[0] != 0 or starts[-1] != state_count or not (starts[1:] > starts[:-1]).all():
        raise ValueError("clip_starts: expected clips of at least one state, one after the other")


def check_names(name: str, names: Any) -> None:
    """Raise ValueError unless `names` is a tuple or list of texts."""
    if not isinstance(names, (tuple, list)) or not all(isinstance(one, str) for one in names):
        raise ValueError(f"{name}: expected a list of names")


def _check_metric(database: MotionDatabase) -> None:
    metric = database.metric
    if not isinstance(metric, Metric):
        return
    check_fields(metric.settings)
    check_array("metric.joints", metric.joints, np.int64, (None,))
    check_indices("metric.joints", metric.joints, database.skeleton.joint_count - 1)
    check_array("metric.bone_weights", metric.bone_weights, np.float64, metric.joints.shape, most=FURTHEST)
    if (metric.bone_weights < 0.0).any():
        raise ValueError("metric.bone_weights: expected metres of at least 0")
    if database.features.shape[1] != metric.dimension:
        wanted = metric.dimension
        raise ValueError(f"features: expected the {wanted} of the metric, got {database.features.shape[1]}")
