"""Fitted value iteration as in the paper (Lee et al. 2010, section 4.2.1), over cached transitions.

A full sweep backs up every state and node of the task's grid (eq. 13): the best action's reward plus the discounted
value of the state it leads to, interpolated over that state's neighbours and multilinearly over the grid. Values are
double-buffered: a sweep reads what the last one wrote. A few cheap sweeps that keep the actions follow (modified policy
iteration, as in `training.sweeps`): the solution is the same, in a third of the time.

The rewards of all actions from all nodes, and the grid cells they lead to, are computed once if they fit into memory,
as for a task of one parameter. Otherwise they are computed part by part in every full sweep; there are a few tens of
these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import kernel, parallel_kernel, prange
from motionfields.control.grids import corner_steps, find_corners, grid_points, grid_size, interpolated
from motionfields.control.methods.paper.actions import PaperSettings, PaperTransitions
from motionfields.control.methods.paper.anchors import Anchors
from motionfields.control.tasks import Motion, Task
from motionfields.control.training import Solution
from motionfields.control.training.sweeps import KEPT_SWEEPS, half_spread
from motionfields.control.values import value_means
from motionfields.field import NEIGHBOR_COUNT, MotionField

CHUNK = 1_000_000  # combinations of anchor, action and node whose rewards are computed at once
MEMORY = 1_000_000_000  # bytes available to keep rewards and grid cells between sweeps


class TaskPart(NamedTuple):
    """Rewards and grid cells of the actions at some anchors, for each node; arrays are [anchor, action, node]."""

    anchors: slice
    rewards: FloatArray  # float32
    first: IntArray  # int32, the grid cells they lead to, see `grids.Corners`
    shares: FloatArray  # [..., axis], float32

    @staticmethod
    def byte_count(task: Task, transitions: PaperTransitions) -> int:
        """Return the size in bytes of all parts together in memory."""
        return int(transitions.motion.turn.size) * grid_size(task.axes) * (8 + 4 * len(task.axes))


class Policy(NamedTuple):
    """The best actions of a full sweep, with their rewards and grid cells."""

    actions: IntArray  # [anchor, node], uint16
    rewards: FloatArray  # [anchor, node], float32
    first: IntArray  # [anchor, node], int32, the grid cells they lead to, see `grids.Corners`
    shares: FloatArray  # [anchor, node, axis], float32

    @classmethod
    def empty(cls, shape: tuple[int, int], axis_count: int) -> Policy:
        """Return a policy of `shape` (anchors, nodes) for a full sweep to fill."""
        rewards, shares = np.empty(shape, np.float32), np.empty((*shape, axis_count), np.float32)
        return cls(np.zeros(shape, np.uint16), rewards, np.empty(shape, np.int32), shares)

    def part(self, anchors: slice) -> Policy:
        """Return a view of the policy at some `anchors`."""
        return Policy(self.actions[anchors], self.rewards[anchors], self.first[anchors], self.shares[anchors])


def solve_paper(
    task: Task,
    transitions: PaperTransitions,
    anchors: Anchors,
    settings: PaperSettings,
    *,
    tolerance: float = 1e-3,
    most_sweeps: int = 1000,
    memory: int = MEMORY,
) -> Solution:
    """Return the values [anchor, node], up to a constant that all values share, and the outcome of value iteration.

    It stops when a full sweep changes all values by the same amount within `tolerance`, or after `most_sweeps` full
    sweeps. `transitions` are those of the states of `anchors`, in the same order. Rewards and grid cells are kept
    between sweeps if they fit into `memory` bytes.
    """
    shape = (len(anchors.states), grid_size(task.axes))
    values, spare = np.zeros(shape, np.float32), np.empty(shape, np.float32)
    policy = Policy.empty(shape, len(task.axes))
    cached = list(task_parts(task, transitions)) if TaskPart.byte_count(task, transitions) <= memory else None
    sweep, residual = 0, np.inf
    while sweep < most_sweeps and residual > tolerance:
        parts = task_parts(task, transitions) if cached is None else cached
        sweep_fully(task, transitions, settings, parts, anchors.expand(values), policy, spare)
        residual = half_spread(spare - values)
        values, spare, sweep = spare, values, sweep + 1
        for _ in range(KEPT_SWEEPS if residual > tolerance else 0):
            sweep_kept(task, transitions, settings, anchors.expand(values), policy, spare)
            values, spare = spare, values
    return Solution(values, sweep, residual, residual <= tolerance)


def task_parts(task: Task, transitions: PaperTransitions) -> Iterator[TaskPart]:
    """Yield the rewards and grid cells of all actions from each node of the grid of `task`, in parts of the anchors."""
    points, (turn, velocity, frame_time, _) = grid_points(task.axes), transitions.motion
    size = max(1, CHUNK // (len(points) * turn.shape[1]))
    for start in range(0, len(turn), size):
        part = slice(start, start + size)
        motion = Motion(turn[part, :, np.newaxis], velocity[part, :, np.newaxis], frame_time)
        corners = find_corners(task.axes, task.advance(points, motion))
        yield TaskPart(part, task.reward(points, motion).astype(np.float32), *corners)


def sweep_fully(
    task: Task,
    transitions: PaperTransitions,
    settings: PaperSettings,
    parts: Iterable[TaskPart],
    table: FloatArray,
    policy: Policy,
    after: FloatArray,
) -> None:
    """Fill `after` [anchor, node] with one backup (eq. 13) of `table` [state, node], and `policy` with its actions.

    `parts` are the rewards and grid cells of all actions.
    """
    means, steps = value_means(table), corner_steps(task.axes)
    discounting = (settings.discount, settings.goal_change)
    for states, rewards, first, shares in parts:
        reached = (transitions.states[states], transitions.weights[states])
        best = policy.part(states)
        _back_up(table, means, *reached, rewards, first, shares, steps, discounting, *best, after[states])


def sweep_kept(
    task: Task,
    transitions: PaperTransitions,
    settings: PaperSettings,
    table: FloatArray,
    policy: Policy,
    after: FloatArray,
) -> None:
    """Fill `after` [anchor, node] with one backup of `table` [state, node] that keeps the actions of `policy`."""
    discounting = (settings.discount, settings.goal_change)
    reached = (transitions.states, transitions.weights)
    _back_up_kept(table, value_means(table), *reached, *policy, corner_steps(task.axes), discounting, after)


def estimate_paper_memory(
    field: MotionField,
    task: Task,
    *,
    neighbor_count: int = NEIGHBOR_COUNT,
    anchor_stride: int = 1,
    memory: int = MEMORY,
) -> int:
    """Return the maximum memory in bytes that `train_paper` needs, without the field itself."""
    state_count, node_count, axis_count = field.database.state_count, grid_size(task.axes), len(task.axes)
    anchor_count = len(Anchors.every(field.database.clip_starts, anchor_stride).states)
    transitions = anchor_count * neighbor_count * (8 * neighbor_count + 24)
    does = anchor_count * neighbor_count * node_count * (8 + 4 * axis_count)
    policy = anchor_count * node_count * (10 + 4 * axis_count)
    values = anchor_count * node_count * 12 + state_count * node_count * 20
    working = CHUNK * (60 + 40 * axis_count)
    return transitions + (does if does <= memory else 0) + policy + values + working


@kernel
def expected(
    table: FloatArray,
    means: FloatArray,
    rows: IntArray,
    weights: FloatArray,
    first: int,
    shares: FloatArray,
    steps: IntArray,
    discounting: tuple[float, float],
) -> float:
    """Return the discounted value of one state with the neighbours `rows` [k] under `weights` [k].

    Values come from `table` [state, node] at the grid position `first` and `shares` [axis] and, for the case of a new
    goal, from `means` [state]. `discounting` holds the discount and the probability of a new goal.
    """
    value, mean = 0.0, 0.0
    for neighbor in range(len(rows)):
        mean += weights[neighbor] * means[rows[neighbor]]
    # The same as `grids.interpolated` for each row of the table, but each corner's weight is computed once for all.
    for corner in range(1 << len(steps)):
        share, node = 1.0, first
        for axis in range(len(steps)):
            if corner >> axis & 1:
                share *= shares[axis]
                node += steps[axis]
            else:
                share *= 1.0 - shares[axis]
        if share > 0.0:
            for neighbor in range(len(rows)):
                value += share * weights[neighbor] * table[rows[neighbor], node]
    return discounting[0] * ((1.0 - discounting[1]) * value + discounting[1] * mean)


@parallel_kernel
def _back_up(
    table: FloatArray,
    means: FloatArray,
    neighbors: IntArray,
    weights: FloatArray,
    rewards: FloatArray,
    first: IntArray,
    shares: FloatArray,
    steps: IntArray,
    discounting: tuple[float, float],
    best: IntArray,
    best_rewards: FloatArray,
    best_first: IntArray,
    best_shares: FloatArray,
    after: FloatArray,
) -> None:
    """Fill `after` [state, node] with the value of the best action, and the policy arrays `best...` with that action.

    The policy arrays are those of `Policy`: the action, its reward, and the grid cell it leads to.
    """
    node_count = table.shape[1]
    for state in prange(len(neighbors)):
        mixed = np.empty(node_count)
        after[state] = -np.inf
        for action in range(neighbors.shape[1]):
            # Blend the neighbours' values over the whole grid first, so that each neighbour's row is read once.
            mixed[:] = 0.0
            mean = 0.0
            for neighbor in range(neighbors.shape[2]):
                weight, row = weights[state, action, neighbor], table[neighbors[state, action, neighbor]]
                mean += weight * means[neighbors[state, action, neighbor]]
                for node in range(node_count):
                    mixed[node] += weight * row[node]
            for node in range(node_count):
                share = shares[state, action, node]
                value = interpolated(mixed, first[state, action, node], share, steps)
                worth = rewards[state, action, node] + discounting[0] * (
                    (1.0 - discounting[1]) * value + discounting[1] * mean
                )
                # `after` holds the best of the actions so far; the strict comparison keeps the first of equal ones.
                if worth > after[state, node]:
                    after[state, node] = worth
                    best[state, node] = action
                    best_rewards[state, node] = rewards[state, action, node]
                    best_first[state, node] = first[state, action, node]
                    for axis in range(len(share)):
                        best_shares[state, node, axis] = share[axis]


@parallel_kernel
def _back_up_kept(
    table: FloatArray,
    means: FloatArray,
    neighbors: IntArray,
    weights: FloatArray,
    actions: IntArray,
    rewards: FloatArray,
    first: IntArray,
    shares: FloatArray,
    steps: IntArray,
    discounting: tuple[float, float],
    after: FloatArray,
) -> None:
    """Fill `after` with the values of the given `actions` from every state and node."""
    for state in prange(len(neighbors)):
        for node in range(table.shape[1]):
            action = actions[state, node]
            reached = (neighbors[state, action], weights[state, action])
            future = expected(
                table, means, reached[0], reached[1], first[state, node], shares[state, node], steps, discounting
            )
            after[state, node] = rewards[state, node] + future
