"""Fitted value iteration over database states and task parameters (Lee et al. 2010, eq. 13).

A sweep has two steps. The first step computes, for every database state and variant of root motion, the action value at
every node of the task's grid: the reward plus the discounted value of the state after it (`_action_values`). The
outcome of following a state does not depend on the state that the character came from, so this is done once and not for
every neighbour. In the second step, every state takes the best of its transitions (`_best_actions`). Values are
double-buffered: a sweep reads what the last one wrote.

Each full sweep is followed by a few cheap ones that keep the chosen actions (`evaluate`), which brings values closer to
those of the current policy: modified policy iteration. The solution is the same, with fewer full sweeps.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray, read_only
from motionfields.base.compiled import lean_kernel, parallel_kernel, prange
from motionfields.control.grids import corner_steps, find_corners, grid_points, grid_size, interpolated
from motionfields.control.root_motion import RootMotion
from motionfields.control.tasks import Motion, Task
from motionfields.control.transitions import Transitions
from motionfields.field.database import MotionDatabase

CHUNK = 2_000_000  # pairs of a state's variant and a node whose rewards are computed at once
LARGEST_REWARD = 1e9  # radians for one frame; sums of rewards then fit float32
KEPT_SWEEPS = 20  # cheap sweeps after each full one
MOST_ACTIONS = 2**16  # of a state, since actions are stored as uint16


class TaskTable(NamedTuple):
    """Reward and next grid cell of every state, variant and node; [variant * state, node], variant by variant."""

    rewards: FloatArray  # float32
    first: IntArray  # int32, the grid cell it leads to, see `grids.Corners`
    shares: FloatArray  # [..., axis], float32, the position in that cell
    steps: IntArray  # [axis], see `grids.corner_steps`
    next_row: IntArray  # [state], the state after each; the state itself at the end of a clip

    @classmethod
    def build(cls, task: Task, database: MotionDatabase, targets: RootMotion) -> TaskTable:
        """Return the table of `task` for all states of `database` and variants of the root motion `targets`."""
        states = np.arange(database.state_count)
        points = grid_points(task.axes)
        every = targets.motions()
        turn, velocity = every.turn.T.ravel(), every.velocity.swapaxes(0, 1).reshape(-1, 2)
        labels = None if every.label is None else every.label.T.ravel()[:, np.newaxis]
        shape = (len(turn), len(points))
        rewards = np.empty(shape, np.float32)
        first = np.empty(shape, np.int32)
        shares = np.empty((*shape, len(task.axes)), np.float32)
        size = max(1, CHUNK // len(points))
        for start in range(0, len(turn), size):
            part = slice(start, start + size)
            label = None if labels is None else labels[part]
            motion = Motion(turn[part, np.newaxis], velocity[part, np.newaxis], every.frame_time, label)
            rewards[part] = task.reward(points, motion)
            after = task.advance(points, motion)
            if not np.isfinite(after).all():
                raise ValueError(f"{type(task).__name__}: expected `advance` to return finite numbers")
            first[part], shares[part] = find_corners(task.axes, after)
        if rewards.size and not (rewards.min() >= -LARGEST_REWARD and rewards.max() <= LARGEST_REWARD):
            raise ValueError(
                f"{type(task).__name__}: expected `reward` to return finite numbers of magnitude at most "
                f"{LARGEST_REWARD:g}"
            )
        return cls(rewards, first, shares, corner_steps(task.axes), states + (database.frames_left >= 1))

    def priced(self, prices: FloatArray) -> TaskTable:
        """Return this table with rewards reduced by `prices` [state], the cost of following each state."""
        variants = len(self.rewards) // len(prices)
        return self._replace(rewards=self.rewards - np.tile(prices, variants)[:, np.newaxis])

    @staticmethod
    def byte_count(task: Task, state_count: int, variant_count: int) -> int:
        """Return the size in bytes of such a table in memory."""
        return state_count * variant_count * grid_size(task.axes) * (8 + 4 * len(task.axes))


class Actions(NamedTuple):
    """The transitions of every state with their variants, flattened."""

    targets: IntArray  # [state, action], index variant * state as in a `TaskTable`, uint32
    charges: FloatArray  # [variant * state, action], cost of each action by the variant that led to the state, float32

    @classmethod
    def of(cls, transitions: Transitions) -> Actions:
        """Return the actions of `transitions`, whose states and costs may cover a subset of the states."""
        state_count, transition_count, variant_count, _ = transitions.costs.shape
        if transition_count * variant_count > MOST_ACTIONS:
            raise ValueError(
                f"transitions: expected at most {MOST_ACTIONS} actions, got {transition_count * variant_count}"
            )
        variants = len(transitions.roughness) * np.arange(variant_count)
        targets = (transitions.states[..., np.newaxis] + variants).reshape(state_count, -1).astype(np.uint32)
        charges = transitions.costs + transitions.roughness[transitions.states][..., np.newaxis, np.newaxis]
        charges = charges.transpose(2, 0, 1, 3).reshape(variant_count * state_count, transition_count * variant_count)
        return cls(targets, np.ascontiguousarray(charges))


class Progress(NamedTuple):
    """Progress of value iteration."""

    sweep: int  # full sweeps done
    residual: float  # half the spread of the changes of values in the last full sweep
    seconds_left: float  # an estimate; NaN until there is one
    note: str = ""  # description of the workers


class Improve(Protocol):
    """A function that finds the best actions for `action_values` and their values: most of the work of a full sweep."""

    def __call__(self, actions: Actions, action_values: FloatArray, values: FloatArray, best: IntArray) -> None:
        """Fill `values` and `best` from `action_values`, all [variant * state, node]."""
        ...


@dataclass(frozen=True, eq=False)
class Solution:
    """Values, and the outcome of the solver."""

    values: FloatArray  # [variant * state, node], float32
    sweeps: int
    residual: float
    converged: bool


def solve(
    table: TaskTable,
    transitions: Transitions,
    *,
    discount: float,
    goal_change: float,
    tolerance: float = 1e-3,
    most_sweeps: int = 500,
    start: FloatArray | None = None,
    first_sweep: int = 0,
    on_sweep: Callable[[Progress, FloatArray], None] | None = None,
    improve: Improve | None = None,
) -> Solution:
    """Return the value function, up to a constant that all values share, and the outcome of value iteration.

    It stops when a full sweep changes all values by the same amount within `tolerance`, in the unit of the reward, or
    after `most_sweeps` full sweeps. `goal_change` is the probability that the user changes the goal to any other one in
    a frame. If it is 0, a character that has reached its goal may stop in a dead end.

    `start` [variant * state, node] are values to continue from, after `first_sweep` full sweeps. `on_sweep` is called
    after every full sweep with the values so far. `improve` finds the best actions; the default, `improve_here`, uses
    all threads of this process.
    """
    actions = Actions.of(transitions)
    shape = table.rewards.shape
    values = np.zeros(shape, np.float32) if start is None else start.copy()
    buffers = Buffers(np.empty_like(values), np.zeros(shape, np.uint16), np.empty_like(table.rewards))
    discounting = (discount, goal_change)
    began, sweep, residual = time.perf_counter(), first_sweep, np.inf
    history: list[tuple[float, float]] = []
    while sweep < most_sweeps and residual > tolerance:
        after = sweep_once(table, actions, values, buffers, discounting, improve or improve_here)
        residual = half_spread(after - values)
        values, buffers, sweep = after, buffers._replace(after=values), sweep + 1
        for _ in range(KEPT_SWEEPS if residual > tolerance else 0):
            after = _keep_once(table, actions, values, buffers, discounting)
            values, buffers = after, buffers._replace(after=values)
        if on_sweep is not None:
            history.append((time.perf_counter() - began, residual))
            on_sweep(Progress(sweep, residual, _seconds_left(history, tolerance)), values)
    if not (np.isfinite(values.min()) and np.isfinite(values.max())):
        raise ValueError("values: expected value iteration to stay finite; check the rewards and costs")
    return Solution(values, sweep, residual, residual <= tolerance)


class Buffers(NamedTuple):
    """Arrays that sweeps write to."""

    after: FloatArray  # [variant * state, node], the new values, float32
    best: IntArray  # [variant * state, node], the best actions, uint16
    action_values: FloatArray  # [variant * state, node], float32


def sweep_once(
    table: TaskTable,
    actions: Actions,
    values: FloatArray,
    buffers: Buffers,
    discounting: tuple[float, float],
    improve: Improve,
) -> FloatArray:
    """Return `buffers.after`, filled with `values` [variant * state, node] after one full sweep.

    `discounting` holds the discount and the probability of a new goal.
    """
    _action_values(values, *table, *discounting, _means(values), buffers.action_values)
    improve(actions, buffers.action_values, buffers.after, buffers.best)
    return buffers.after


def improve_here(actions: Actions, action_values: FloatArray, values: FloatArray, best: IntArray) -> None:
    """Find the best actions in this process, as `Improve` specifies."""
    # Read-only views, since workers receive read-only arrays: one compiled version serves both.
    _best_actions(read_only(action_values), read_only(actions.targets), read_only(actions.charges), values, best)


def _keep_once(
    table: TaskTable, actions: Actions, values: FloatArray, buffers: Buffers, discounting: tuple[float, float]
) -> FloatArray:
    """Return `buffers.after`, filled by a sweep that keeps the actions of the last full one."""
    _action_values(values, *table, *discounting, _means(values), buffers.action_values)
    evaluate(buffers.action_values, *actions, buffers.best, buffers.after)
    return buffers.after


@parallel_kernel
def _means(values: FloatArray) -> FloatArray:
    """Return the same means as `values.value_means`, computed on all threads and without a copy."""
    means = np.empty(len(values))
    for place in prange(len(values)):
        total = 0.0
        # Sum in float64 in the order of the nodes, as `value_means` does, so that both give the same bits.
        for node in range(values.shape[1]):
            total += values[place, node]
        means[place] = total / values.shape[1]
    return means


def keep_useful(
    table: TaskTable, transitions: Transitions, values: FloatArray, count: int, discounting: tuple[float, float]
) -> Transitions:
    """Return `transitions` with at most `count` for each state: those that come closest to being best for some goal.

    An action is as good as its smallest regret: the value of the state minus that of the action, over all nodes and
    variants. `values` [variant * state, node] are the solution for all transitions. Kept transitions stay in order, so
    ties are decided as before.
    """
    if transitions.states.shape[1] <= count:
        return transitions
    actions = Actions.of(transitions)
    action_values = np.empty_like(values)
    _action_values(values, *table, *discounting, _means(values), action_values)
    regrets = np.empty(actions.targets.shape, np.float32)
    _smallest_regrets(read_only(action_values), actions.targets, actions.charges, read_only(values), regrets)
    variant_count = transitions.costs.shape[-1]
    least = regrets.reshape(*transitions.states.shape, variant_count).min(axis=-1)
    # The state itself always stays: a character can go on as captured.
    own = transitions.states == np.arange(len(least))[:, np.newaxis]
    kept = np.sort(np.argsort(np.where(own, -np.inf, least), axis=1, kind="stable")[:, :count], axis=1)
    states = np.take_along_axis(transitions.states, kept, axis=1)
    costs = np.take_along_axis(transitions.costs, kept[..., np.newaxis, np.newaxis], axis=1)
    return transitions._replace(states=states, costs=costs)


def half_spread(change: FloatArray) -> float:
    """Return half the range of `change` [...], the residual; a change that all values share affects no decision."""
    return 0.5 * float(change.max() - change.min())


def _seconds_left(history: list[tuple[float, float]], tolerance: float) -> float:
    """Return the estimated seconds left if the residual keeps falling as over the last sweeps; NaN if unknown."""
    if len(history) < 3:
        return float("nan")
    (earlier, before), (now, residual) = history[max(0, len(history) - 5)], history[-1]
    if not 0.0 < residual < before:
        return float("nan")
    return float(max(0.0, (now - earlier) * np.log(residual / tolerance) / np.log(before / residual)))


@parallel_kernel
def _action_values(
    values: FloatArray,
    rewards: FloatArray,
    first: IntArray,
    shares: FloatArray,
    steps: IntArray,
    next_row: IntArray,
    discount: float,
    goal_change: float,
    means: FloatArray,
    action_values: FloatArray,
) -> None:
    """Fill `action_values` [variant * state, node] with the value of following each state with each variant."""
    for move in prange(len(rewards)):
        state = move % len(next_row)
        # The state after this one, in the same variant: `move - state` is the offset of the variant.
        reached = move - state + next_row[state]
        discounting = (discount, goal_change, goal_change * means[reached])
        _look_ahead(values[reached], first[move], shares[move], steps, rewards[move], discounting, action_values[move])


@lean_kernel
def _look_ahead(
    row: FloatArray,
    first: IntArray,
    shares: FloatArray,
    steps: IntArray,
    rewards: FloatArray,
    discounting: tuple[float, float, float],
    action_values: FloatArray,
) -> None:
    """Fill `action_values` [node] of one move: its reward plus the discounted value of the state it leads to.

    `row` [node] are the values of that state. Each usual number of axes has its own loop without branches, so that it
    compiles to vector instructions. Indices are unsigned because negative ones would need a check for counting from the
    end. Corners are summed in the order and precision of `grids.interpolated`.
    """
    discount, goal_change, other = discounting
    if len(steps) == 1:
        after = np.uint32(steps[0])
        for node in range(len(rewards)):
            corner, share = np.uint32(first[node]), shares[node, 0]
            value = (1.0 - share) * row[corner] + share * row[corner + after]
            action_values[node] = rewards[node] + discount * ((1.0 - goal_change) * value + other)
    elif len(steps) == 2:
        after, across = np.uint32(steps[0]), np.uint32(steps[1])
        for node in range(len(rewards)):
            corner, x, y = np.uint32(first[node]), np.float64(shares[node, 0]), np.float64(shares[node, 1])
            value = (1.0 - x) * (1.0 - y) * row[corner] + x * (1.0 - y) * row[corner + after]
            value += (1.0 - x) * y * row[corner + across]
            value += x * y * row[corner + after + across]
            action_values[node] = rewards[node] + discount * ((1.0 - goal_change) * value + other)
    elif len(steps) == 3:
        after, across, beside = np.uint32(steps[0]), np.uint32(steps[1]), np.uint32(steps[2])
        for node in range(len(rewards)):
            corner, x = np.uint32(first[node]), np.float64(shares[node, 0])
            y, z = np.float64(shares[node, 1]), np.float64(shares[node, 2])
            value = (1.0 - x) * (1.0 - y) * (1.0 - z) * row[corner]
            value += x * (1.0 - y) * (1.0 - z) * row[corner + after]
            value += (1.0 - x) * y * (1.0 - z) * row[corner + across]
            value += x * y * (1.0 - z) * row[corner + after + across]
            value += (1.0 - x) * (1.0 - y) * z * row[corner + beside]
            value += x * (1.0 - y) * z * row[corner + after + beside]
            value += (1.0 - x) * y * z * row[corner + across + beside]
            value += x * y * z * row[corner + after + across + beside]
            action_values[node] = rewards[node] + discount * ((1.0 - goal_change) * value + other)
    else:
        for node in range(len(rewards)):
            value = interpolated(row, first[node], shares[node], steps)
            action_values[node] = rewards[node] + discount * ((1.0 - goal_change) * value + other)


@parallel_kernel
def _best_actions(
    action_values: FloatArray, targets: IntArray, charges: FloatArray, values: FloatArray, best: IntArray
) -> None:
    """Fill `values` with the best value over the actions of each state, and `best` with the number of that action.

    Both are [variant * state, node].
    """
    for place in prange(len(charges)):
        mine, which, followed = values[place], best[place], targets[place % len(targets)]
        mine[:] = -np.inf
        # Actions outside, nodes inside: each action reads one contiguous row. `mine` and `which` always hold the best
        # of the actions so far; the strict comparison keeps the first of equal ones.
        for action in range(len(followed)):
            worth, charge, name = action_values[followed[action]], charges[place, action], np.uint16(action)
            for node in range(len(mine)):  # without branches, so that it compiles to vector instructions
                value = worth[node] - charge
                better = value > mine[node]
                mine[node] = value if better else mine[node]
                which[node] = name if better else which[node]


@parallel_kernel
def evaluate(
    action_values: FloatArray, targets: IntArray, charges: FloatArray, best: IntArray, values: FloatArray
) -> None:
    """Fill `values` [variant * state, node] with the values of the actions `best` [variant * state, node]."""
    for place in prange(len(charges)):
        state = place % len(targets)
        for node in range(values.shape[1]):
            action = best[place, node]
            values[place, node] = action_values[targets[state, action], node] - charges[place, action]


@parallel_kernel
def _smallest_regrets(
    action_values: FloatArray, targets: IntArray, charges: FloatArray, values: FloatArray, regrets: FloatArray
) -> None:
    """Fill `regrets` [state, action] with the smallest amount by which each action is worse than the best one.

    It is taken over all nodes and over the variants that may have led to the state; `values` and `action_values` are
    [variant * state, node].
    """
    for state in prange(len(targets)):
        for action in range(targets.shape[1]):
            worth, least = action_values[targets[state, action]], np.float32(np.inf)
            for place in range(state, len(charges), len(targets)):
                charge, mine = charges[place, action], values[place]
                for node in range(len(mine)):
                    regret = mine[node] + charge - worth[node]
                    least = regret if regret < least else least
            regrets[state, action] = least
