"""The check of a task, run once when a controller is trained, made or loaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import is_dataclass
from typing import Any, Final

import numpy as np

from motionfields.base.checks import LARGEST, check_array, check_fields
from motionfields.control.tasks.task import Axis, Task

MOST_AXES: Final = 8
MOST_NODES: Final = 1 << 24  # of a whole grid
SMALLEST_GAP: Final = 1e-6  # between two nodes, so that shares of a cell are finite in float32


def check_task(task: Task) -> None:
    """Raise ValueError unless the numbers of `task` are finite and of their type, and its axes form a grid."""
    if is_dataclass(task):
        check_fields(task)
    check_axes(task.axes)
    names: Any = task.command_names
    if not isinstance(names, tuple) or not names or not all(isinstance(name, str) for name in names):
        raise ValueError(f"task: expected command_names to be a tuple of names, got {names!r}")


def check_axes(axes: Sequence[Axis]) -> None:
    """Raise ValueError unless `axes` form a grid: finite nodes that rise, and not too many."""
    if not 1 <= len(axes) <= MOST_AXES:
        raise ValueError(f"axes: expected 1 to {MOST_AXES}, got {len(axes)}")
    node_count = 1
    for axis in axes:
        nodes = np.asarray(axis.nodes, dtype=np.float64)
        check_array(f"axis {axis.name}", nodes, np.float64, (None,), most=LARGEST)
        if len(nodes) < 2 or not (np.diff(nodes) >= SMALLEST_GAP).all():
            raise ValueError(f"axis {axis.name}: expected at least two nodes that rise, got {nodes}")
        node_count *= len(nodes)
    if node_count > MOST_NODES:
        raise ValueError(f"axes: expected a grid of at most {MOST_NODES} nodes, got {node_count}")


def same_axes(one: Sequence[Axis], other: Sequence[Axis]) -> bool:
    """Return whether two grids have the same nodes."""
    return len(one) == len(other) and all(
        np.array_equal(mine.nodes, its.nodes) for mine, its in zip(one, other, strict=True)
    )
