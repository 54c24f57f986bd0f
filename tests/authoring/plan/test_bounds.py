"""Tables of lower bounds beside plain ones, and the consistency of the bounds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from motionfields.authoring.plan import StepGraph
from motionfields.authoring.plan.bounds import FAR, LEVEL, LEVELS, NO_DIRECTION, far_potentials, reduced_costs
from motionfields.authoring.plan.lattice import CELL, HEADINGS
from motionfields.base.arrays import IntArray

from .oracle import plain_landing


def plain_far(graph: StepGraph, near: IntArray, rate: float, *, back: bool) -> IntArray:
    """The least reduced cost [level, node, heading] of paths of at least that many levels, by sweeps over all edges."""
    moves, reduced = graph.moves, reduced_costs(graph.moves, rate, NO_DIRECTION)
    headings = np.arange(HEADINGS)
    out = np.full((LEVELS, *near.shape), FAR, np.int64)
    out[0] = near
    edges = range(len(moves.target))
    ends = [[plain_landing(graph, edge, heading)[:2] for heading in range(HEADINGS)] for edge in edges]
    for level in range(1, LEVELS):
        before = None
        while before is None or (before != out[level]).any():
            before = out[level].copy()
            for edge, (node, other) in enumerate(zip(moves.source, moves.target, strict=True)):
                lost = [math.ceil(CELL / LEVEL * math.hypot(*end) + 1e-9) for end in ends[edge]]
                left = np.maximum(0, level - np.array(lost))
                turned = (headings + moves.turn[edge]) % HEADINGS
                a, b = ((node, headings), (other, turned)) if back else ((other, turned), (node, headings))
                value = np.where(out[left, *a] < FAR, out[left, *a] + reduced[edge], FAR)
                out[level, *b] = np.minimum(out[level, *b], value)
    return out


@pytest.mark.parametrize("back", [False, True])
def test_far_potentials_equal_plain_ones(tiny: StepGraph, back: bool) -> None:
    tables = tiny.back_tables if back else tiny.tables
    assert (np.diff(tables.far, axis=0) >= 0).all()
    np.testing.assert_array_equal(tables.far, plain_far(tiny, tables.potential, tables.rate, back=back))
    np.testing.assert_array_equal(tables.far, far_potentials(tiny.moves, tables.potential, back, tables.rate))


def test_standing_far_from_the_goal_costs_a_start(tiny: StepGraph) -> None:
    standing = np.flatnonzero(tiny.ends)
    assert (tiny.tables.far[0, standing] <= 0).all()
    assert (tiny.tables.far[-1, standing] > 0).all()
