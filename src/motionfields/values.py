"""The value function: how much reward a character can still expect, for every state of the data and task parameters.

Training writes it, the controller reads it (Lee et al. 2010, section 4.2.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import prange
from numpy.typing import NDArray

from motionfields.arrays import FloatArray, IntArray
from motionfields.artifacts import Artifact
from motionfields.compiled import parallel_kernel
from motionfields.grids import corner_steps, find_corners, grid_size, interpolated
from motionfields.tasks import Axis


@dataclass(frozen=True, eq=False)
class ValueTable:
    """V: a value for every state of the data and node of the task's grid."""

    axes: tuple[Axis, ...]
    values: FloatArray  # [state, node], float32

    def __post_init__(self) -> None:
        if self.values.ndim != 2 or self.values.shape[1] != grid_size(self.axes):
            raise ValueError(f"values: expected [state, {grid_size(self.axes)}], got shape {self.values.shape}")

    @property
    def byte_count(self) -> int:
        """What it takes in memory and in a file."""
        return int(self.values.nbytes)

    def table(self) -> FloatArray:
        """All values [state, node], float32."""
        return self.values

    def lookup(self, rows: IntArray, params: FloatArray) -> FloatArray:
        """V at the states `rows` [...] and the task parameters `params` [..., axis], multilinear between nodes."""
        corners = find_corners(self.axes, params)
        out = np.empty(rows.size)
        shares = corners.shares.reshape(rows.size, -1)
        _lookup(self.table(), rows.ravel(), corners.first.ravel(), shares, corner_steps(self.axes), out)
        return out.reshape(rows.shape)


@parallel_kernel
def _lookup(
    values: FloatArray, rows: IntArray, first: IntArray, shares: FloatArray, steps: IntArray, out: FloatArray
) -> None:
    for i in prange(len(rows)):
        out[i] = interpolated(values[rows[i]], first[i], shares[i], steps)


def values_arrays(table: ValueTable) -> dict[str, NDArray[Any]]:
    """The arrays of `table`, by name, for an artifact file."""
    return {"values": table.values}


def values_from(artifact: Artifact, axes: tuple[Axis, ...], state_count: int) -> ValueTable:
    """The values in `artifact` of `state_count` states over `axes`."""
    return ValueTable(axes, artifact.array("values", dtype=np.float32, shape=(state_count, grid_size(axes))))
