"""The paper's own controller, as it was published, to compare ours with (Lee et al. 2010, section 4).

What it does differently from `motionfields.control.controller`: actions are blends that prefer one neighbour instead of
following it alone, the character is at states between those of the data instead of at one of them, values are
interpolated over neighbours, changes cost nothing, and the pose is shown as it is integrated.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
from numba import prange

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import parallel_kernel
from motionfields.control.grids import corner_steps, find_corners
from motionfields.control.methods.anchors import Anchors, AnchorValues
from motionfields.control.methods.paper_sweeps import MEMORY, expected, solve_paper
from motionfields.control.methods.transitions import Options, PaperSettings, find_transitions
from motionfields.control.tasks import Task
from motionfields.control.values import value_means
from motionfields.field import DRIFT, NEIGHBOR_COUNT, MotionField


@dataclass(frozen=True, eq=False)
class PaperController:
    """Motion field, task and value function: at every frame the action with the best outlook is followed."""

    field: MotionField
    task: Task
    settings: PaperSettings
    values: AnchorValues
    sweeps: int = 0  # full sweeps; how training ended
    residual: float = float("nan")  # half the spread of the changes of values in the last full sweep

    @cached_property
    def _means(self) -> FloatArray:
        """The mean value [state] over all goals."""
        return value_means(self.values.table())

    def crowd(self, count: int = 1, *, seed: int = 0, plant: bool = True) -> Any:
        """`count` characters, at states drawn by `seed`; `plant` holds their feet in place while they stand."""
        return import_module("motionfields.runtime.paper_crowd").PaperCrowd(self, count, seed=seed, plant=plant)

    def greedy(self) -> PaperController:
        """This controller without foresight: it takes what pays most at once (eq. 9)."""
        return replace(self, values=replace(self.values, kept=np.zeros_like(self.values.kept)))

    def scores(self, options: Options, params: FloatArray) -> FloatArray:
        """What each of `options` [n, k] is worth for `params` [n, axis]: reward and discounted value (in eq. 12)."""
        shape = options.motion.turn.shape
        asked = np.broadcast_to(params[:, np.newaxis], (*shape, params.shape[-1]))
        corners = find_corners(self.task.axes, self.task.advance(asked, options.motion))
        futures = np.empty(corners.first.size)
        _futures(
            self.values.table(),
            self._means,
            options.after.neighbors.indices,
            options.after.weights.astype(np.float32),
            corners.first.ravel(),
            corners.shares.reshape(futures.size, -1),
            corner_steps(self.task.axes),
            (self.settings.discount, self.settings.goal_change),
            futures,
        )
        return np.asarray(self.task.reward(asked, options.motion) + futures.reshape(shape))

    def choose(self, options: Options, params: FloatArray) -> IntArray:
        """Which of the k actions [n] has the best outlook (eq. 12); of equals, the first."""
        return np.asarray(self.scores(options, params).argmax(axis=1))


def train_paper(
    field: MotionField,
    task: Task,
    *,
    neighbor_count: int = NEIGHBOR_COUNT,
    strength: float = 1.0,
    drift: float = DRIFT,
    discount: float = 0.99,
    goal_change: float = 1.0 / 60.0,
    tolerance: float = 1e-3,
    anchor_stride: int = 1,
    memory: int = MEMORY,
) -> PaperController:
    """The paper's controller for `task` with the motion of `field`; see `PaperSettings` for the numbers.

    Values are worked out until a full sweep changes all alike within `tolerance`, in the unit of the reward. With an
    `anchor_stride` of N they are trained at every N-th state of a clip alone, and interpolated in time (eq. 14).
    `goal_change` 0 is the paper's own backup. What actions do is kept from sweep to sweep if it fits into `memory`
    bytes, see `paper_sweeps`; `estimate_paper_memory` says what training needs.
    """
    settings = PaperSettings(neighbor_count, strength, drift, discount, goal_change)
    fitted = task.adapted(field.database)
    anchors = Anchors.every(field.database.clip_starts, anchor_stride)
    transitions = find_transitions(field, anchors.rows, settings)
    solution = solve_paper(fitted, transitions, anchors, settings, tolerance=tolerance, memory=memory)
    values = AnchorValues(fitted.axes, anchors, solution.values)
    return PaperController(field, fitted, settings, values, sweeps=solution.sweeps, residual=solution.residual)


@parallel_kernel
def _futures(
    table: FloatArray,
    means: FloatArray,
    rows: IntArray,
    weights: FloatArray,
    first: IntArray,
    shares: FloatArray,
    steps: IntArray,
    chances: tuple[float, float],
    out: FloatArray,
) -> None:
    for i in prange(len(out)):
        out[i] = expected(table, means, rows[i], weights[i], first[i], shares[i], steps, chances)
