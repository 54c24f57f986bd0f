"""Grids of task parameters, and multilinear interpolation on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray, read_only
from motionfields.base.compiled import lean_kernel
from motionfields.control.tasks import Axis

GUESSES = 64  # equal parts that each axis is divided into, to guess the cell of a point


class Corners(NamedTuple):
    """The grid cell of each point: its first node, and the position of the point in the cell along each axis."""

    first: IntArray  # [...], flat index of the cell's first node, int32
    shares: FloatArray  # [..., axis], position within the cell, 0 to 1, float32


class Grid(NamedTuple):
    """A grid for compiled code. A lookup table over an even division of each axis gives a first guess of the cell."""

    nodes: FloatArray  # [axis, most], padded with the last node
    counts: IntArray  # [axis], number of nodes of each axis
    guesses: IntArray  # [axis, GUESSES], the first cell that reaches into each part of the axis
    steps: IntArray  # [axis], see `corner_steps`

    @classmethod
    def of(cls, axes: Sequence[Axis]) -> Grid:
        """Return the grid of `axes`."""
        counts = np.array([len(axis.nodes) for axis in axes])
        nodes = np.stack([np.pad(axis.nodes, (0, counts.max() - len(axis.nodes)), mode="edge") for axis in axes])
        guesses = np.empty((len(axes), GUESSES), np.int64)
        for place, axis in enumerate(axes):
            starts = np.linspace(axis.nodes[0], axis.nodes[-1], GUESSES, endpoint=False)
            guesses[place] = np.clip(np.searchsorted(axis.nodes, starts, side="right") - 1, 0, len(axis.nodes) - 2)
        return cls(*(read_only(array) for array in (nodes, counts, guesses, corner_steps(axes).astype(np.int64))))


def grid_points(axes: Sequence[Axis]) -> FloatArray:
    """Return the task parameters [node, axis] of all nodes of a grid; the last axis varies fastest."""
    mesh = np.meshgrid(*(axis.nodes for axis in axes), indexing="ij")
    return np.stack([part.ravel() for part in mesh], axis=-1)


def grid_size(axes: Sequence[Axis]) -> int:
    """Return the number of nodes of a grid."""
    return int(np.prod([len(axis.nodes) for axis in axes]))


def corner_steps(axes: Sequence[Axis]) -> IntArray:
    """Return the increase of the flat index [axis] from one node to the next along each axis."""
    counts = [len(axis.nodes) for axis in axes]
    return np.array([int(np.prod(counts[place + 1 :])) for place in range(len(counts))], dtype=np.int32)


def find_corners(axes: Sequence[Axis], params: FloatArray) -> Corners:
    """Return the grid cells of the points `params` [..., axis]; points outside the grid are clamped to its ends."""
    first = np.zeros(params.shape[:-1], np.int32)
    shares = np.empty(params.shape, np.float32)
    for place, (axis, step) in enumerate(zip(axes, corner_steps(axes), strict=True)):
        nodes = np.asarray(axis.nodes, dtype=np.float64)
        point = np.clip(params[..., place], nodes[0], nodes[-1])
        cell = np.clip(np.searchsorted(nodes, point, side="right") - 1, 0, len(nodes) - 2)
        shares[..., place] = (point - nodes[cell]) / (nodes[cell + 1] - nodes[cell])
        first += (cell * step).astype(np.int32)
    return Corners(first, shares)


@lean_kernel
def find_cell(grid: Grid, params: FloatArray, shares: FloatArray) -> int:
    """Return the first node of the cell of one point `params` [axis], as `find_corners`; fills `shares` [axis]."""
    first = 0
    for axis in range(len(grid.steps)):
        nodes, last = grid.nodes[axis], grid.counts[axis] - 1
        point = min(max(nodes[0], params[axis]), nodes[last])  # in this order, NaN becomes the first node
        part = int((point - nodes[0]) * (GUESSES / (nodes[last] - nodes[0])))
        cell = grid.guesses[axis, min(part, GUESSES - 1)]
        while cell > 0 and point < nodes[cell]:  # rounding may guess a part too far
            cell -= 1
        while cell < last - 1 and point >= nodes[cell + 1]:
            cell += 1
        shares[axis] = (point - nodes[cell]) / (nodes[cell + 1] - nodes[cell])
        first += cell * grid.steps[axis]
    return int(first)


@lean_kernel
def interpolated(row: FloatArray, first: int, shares: FloatArray, steps: IntArray) -> float:
    """Return the value at a point, from the values `row` [node] at the 2^axis corners of its cell."""
    if len(steps) == 1:
        return float((1.0 - shares[0]) * row[first] + shares[0] * row[first + steps[0]])
    total = 0.0
    # Bit `axis` of `corner` tells on which side of the cell the corner lies; weights and the sum are float64.
    for corner in range(1 << len(steps)):
        weight = 1.0
        index = first
        for axis in range(len(steps)):
            if corner >> axis & 1:
                weight *= shares[axis]
                index += steps[axis]
            else:
                weight *= 1.0 - shares[axis]
        if weight > 0.0:
            total += weight * row[index]
    return total
