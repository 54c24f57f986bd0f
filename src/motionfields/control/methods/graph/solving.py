"""Value iteration over clips: the expected future reward at the end of each clip, for all task parameters."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import parallel_kernel, prange
from motionfields.control.grids import Corners, corner_steps, find_corners, grid_points, grid_size, interpolated
from motionfields.control.methods.graph.links import MOST_PIVOT, Links, jump_costs
from motionfields.control.methods.graph.rollouts import Player
from motionfields.control.tasks import Motion, Task
from motionfields.control.training.sweeps import half_spread

PIVOT_STEP = math.radians(5.0)  # radians; pivots are rounded to multiples of it while planning
CHUNK = 200_000  # combinations of clip, warp and node that are played at once
MOST_SWEEPS = 1000


class PlayedGrid(NamedTuple):
    """Outcomes of all clips with all warps from all nodes of the task's grid."""

    rewards: FloatArray  # [clip, node, warp], float32
    first: IntArray  # [clip, node, warp], grid cell at the end, see `grids.Corners`
    shares: FloatArray  # [clip, node, warp, axis], float32


class Solution(NamedTuple):
    """The outcome of value iteration."""

    values: FloatArray  # [clip, node], expected future reward from the end of each clip, float32
    start_values: FloatArray  # [clip, node], expected future reward from the start of each clip, float32
    sweeps: int
    residual: float  # half the spread of the changes of values in the last sweep


def play_all(player: Player) -> PlayedGrid:
    """Return the outcomes of all clips of `player` from all nodes of its task's grid."""
    axes, clip_count = player.task.axes, len(player.clips.start)
    points = grid_points(axes)
    shape = (clip_count, len(points), player.warp_count)
    rewards = np.empty(shape, np.float32)
    first, shares = np.empty(shape, np.int32), np.empty((*shape, len(axes)), np.float32)
    at_once = max(1, CHUNK // (shape[1] * shape[2]))
    by_length = np.argsort(player.clips.length, kind="stable")  # play clips of similar length together
    for start in range(0, clip_count, at_once):
        part = by_length[start : start + at_once]
        which = np.broadcast_to(part[:, np.newaxis], (len(part), len(points)))
        turns, stretches = player.warps(which, np.broadcast_to(points, (*which.shape, len(axes))))
        clips = np.broadcast_to(which[..., np.newaxis], turns.shape)
        asked = np.broadcast_to(points[:, np.newaxis], (*turns.shape, len(axes)))
        played = player.play(clips, turns, stretches, asked)
        rewards[part] = played.reward
        first[part], shares[part] = find_corners(axes, played.params)
    return PlayedGrid(rewards, first, shares)


def solve_graph(player: Player, links: Links, *, tolerance: float = 1e-3) -> Solution:
    """Return the values of all clips of `player`, linked by `links` [clip, clip].

    It stops when a sweep changes all values by the same amount within `tolerance`, in the unit of the reward, or after
    `MOST_SWEEPS` sweeps.
    """
    played, task, settings = play_all(player), player.task, player.settings
    costs = jump_costs(links.costs, settings.jump_cost)
    bins = np.round((links.turns + MOST_PIVOT) / PIVOT_STEP).astype(np.int8)
    pivots = _pivots(task)
    length = player.clips.length
    discounts = np.stack([settings.discount**length, (1.0 - settings.goal_change) ** length], axis=-1)
    shape = (len(length), grid_size(task.axes))
    values, after = np.zeros(shape, np.float32), np.empty(shape, np.float32)
    start_values = np.empty(shape, np.float32)
    turned = np.empty((len(length), len(pivots.first), shape[1]), np.float32)
    sweep, residual = 0, np.inf
    while residual > tolerance and sweep < MOST_SWEEPS:
        _action_values(*played, discounts, values, corner_steps(task.axes), start_values)
        _turned(start_values, *pivots, corner_steps(task.axes), turned)
        _best_links(turned, costs, bins, after)
        residual = half_spread(after.astype(np.float64) - values)
        values, after = after, values
        sweep += 1
    _action_values(*played, discounts, values, corner_steps(task.axes), start_values)
    return Solution(values, start_values, sweep, residual)


def pivoted(task: Task, params: FloatArray, turns: FloatArray) -> FloatArray:
    """Return the task parameters [..., axis] of characters whose facing turns to the left by `turns` [...] radians."""
    return task.advance(params, Motion(turns, np.zeros((*turns.shape, 2)), 1.0))


def _pivots(task: Task) -> Corners:
    """Return the grid cells that each pivot moves the nodes to: [pivot, node]."""
    count = round(MOST_PIVOT / PIVOT_STEP)
    turns = PIVOT_STEP * np.arange(-count, count + 1)[:, np.newaxis]
    points = grid_points(task.axes)
    spread = np.broadcast_to(points, (len(turns), *points.shape))
    return find_corners(task.axes, pivoted(task, spread, np.broadcast_to(turns, spread.shape[:-1])))


@parallel_kernel
def _action_values(
    rewards: FloatArray,
    first: IntArray,
    shares: FloatArray,
    discounts: FloatArray,
    values: FloatArray,
    steps: IntArray,
    out: FloatArray,
) -> None:
    """Fill `out` [clip, node] with the value of the best warp of each clip at each node."""
    for clip in prange(rewards.shape[0]):
        mean = 0.0
        for node in range(values.shape[1]):
            mean += values[clip, node]
        mean /= values.shape[1]
        # Discount over the whole clip, and the probability that the goal is still the same at its end.
        later, same = discounts[clip, 0], discounts[clip, 1]
        for node in range(rewards.shape[1]):
            best = -np.inf
            for warp in range(rewards.shape[2]):
                value = interpolated(values[clip], first[clip, node, warp], shares[clip, node, warp], steps)
                worth = rewards[clip, node, warp] + later * (same * value + (1.0 - same) * mean)
                best = max(best, worth)
            out[clip, node] = best


@parallel_kernel
def _turned(start_values: FloatArray, first: IntArray, shares: FloatArray, steps: IntArray, out: FloatArray) -> None:
    """Fill `out` [clip, pivot, node] with the `start_values` [clip, node] after each pivot."""
    for clip in prange(out.shape[0]):
        for pivot in range(out.shape[1]):
            for node in range(out.shape[2]):
                out[clip, pivot, node] = interpolated(
                    start_values[clip], first[pivot, node], shares[pivot, node], steps
                )


@parallel_kernel
def _best_links(turned: FloatArray, costs: FloatArray, bins: IntArray, out: FloatArray) -> None:
    """Fill `out` [clip, node] with the value of the best next clip at each node."""
    for clip in prange(out.shape[0]):
        mine = out[clip]
        mine[:] = -np.inf
        # Next clips outside, nodes inside: each one reads one contiguous row, and `mine` is the best so far.
        for following in range(costs.shape[1]):
            cost = costs[clip, following]
            row = turned[following, bins[clip, following]]
            for node in range(len(mine)):
                mine[node] = max(mine[node], row[node] - cost)
