"""Values in a dense table: for every clip at every node of a grid, with interpolation between nodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.control.grids import corner_steps, find_corners, grid_points
from motionfields.control.methods.thesis.problems import DISCOUNT, Problem
from motionfields.control.tasks import Axis

SWEEPS = 400


class Table:
    """The outcomes of all actions of `problem` at every clip and node, for value iteration.

    `counts` are the numbers of nodes along each parameter.
    """

    def __init__(self, problem: Problem, counts: Sequence[int]) -> None:
        self.axes = tuple(
            Axis(f"p{number}", np.linspace(span.low, span.high, count), span.wraps)
            for number, (span, count) in enumerate(zip(problem.spans, counts, strict=True))
        )
        self.problem = problem
        points = grid_points(self.axes)
        clip_count = problem.steps.clip_count
        self.shape = (clip_count, len(points))
        clips, params = np.repeat(np.arange(clip_count), len(points)), np.tile(points, (clip_count, 1))
        rewards, after = problem.outcomes(clips, params)
        self.rewards = rewards.reshape(*self.shape, -1)  # [clip, node, action]
        self._nodes, self._weights = self._corners(after.reshape(*self.rewards.shape, -1))

    def _corners(self, params: FloatArray) -> tuple[IntArray, FloatArray]:
        """Return the nodes and weights, both [corner, ...], of `params` [..., axis] in multilinear interpolation."""
        first, shares = find_corners(self.axes, params)
        steps = corner_steps(self.axes)
        sides = np.array([[corner >> axis & 1 for axis in range(len(steps))] for corner in range(1 << len(steps))])
        nodes = np.stack([first + int(np.dot(side, steps)) for side in sides])
        weights = [np.where(side, shares, 1.0 - shares).prod(axis=-1) for side in sides]
        return nodes, np.stack(weights)

    def values_at(self, values: FloatArray, clips: IntArray, params: FloatArray) -> FloatArray:
        """Return the values [...] at `clips` [...] and `params` [..., axis], from `values` [clip, node]."""
        nodes, weights = self._corners(params)
        return np.asarray((weights * values[clips, nodes]).sum(axis=0))

    def scores(self, values: FloatArray, rows: IntArray | slice = slice(None)) -> FloatArray:
        """Return the reward and discounted value [row, node, action] of every action of the clips `rows` [row].

        `values` [clip, node] are those of all clips.
        """
        after = np.zeros(self.rewards[rows].shape)
        for nodes, weights in zip(self._nodes, self._weights, strict=True):
            after += weights[rows] * values[self.problem.steps.clip, nodes[rows]]
        return np.asarray(self.rewards[rows] + DISCOUNT * after)

    def solve(
        self,
        *,
        tolerance: float = 1e-4,
        start: FloatArray | None = None,
        free: BoolArray | None = None,
        actions: BoolArray | None = None,
    ) -> FloatArray:
        """Return the values [clip, node] of the best policy, by value iteration from `start`.

        Only the clips in `free` [clip] change, and only `actions` [action] are available; default: all.
        """
        values = np.zeros(self.shape) if start is None else start.copy()
        rows = slice(None) if free is None else np.flatnonzero(free)
        closed = np.zeros(self.rewards.shape[-1]) if actions is None else np.where(actions, 0.0, -np.inf)
        for _ in range(SWEEPS):
            after = (self.scores(values, rows) + closed).max(axis=-1)
            change = float(np.abs(after - values[rows]).max(initial=0.0))
            values[rows] = after
            if change < tolerance:
                break
        return values
