"""Performance of a direction controller on part of its takes, from the tables of a controller trained on all of them.

Taking a take out blocks the transitions into its states. Values of the whole set are an upper bound of those of a part,
so value iteration continues from them and needs few sweeps. The policy then moves probability over states and goals
(Lee's thesis, eq. 4.1 without discount), which gives the mean reward, the response and the share of time of every take
without random trials.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.control.grids import grid_points
from motionfields.control.root_motion import RootMotion, measure_root_motion
from motionfields.control.tasks import Direction, Motion
from motionfields.control.training.sweeps import Actions, Buffers, TaskTable, improve_here, solve, sweep_once
from motionfields.control.transitions import BLOCKED, ControlSettings, Transitions, find_transitions
from motionfields.field import MotionField
from motionfields.field.database.takes import original_clip, takes_of

ARRIVED = float(np.radians(5.0))  # of the facing, as in the trials of response
SETTLING, MEASURED = 3.0, 8.0  # seconds of moving probability before measuring, and of measuring
WINDOW = 6.0  # seconds within which a turn must be completed
DEAD_END = np.float32(20.0)  # radians: cost of a state without transitions, which is never entered
SPARE = 2  # times as many candidates as training, so that those of removed takes can be replaced
TOLERANCE = 0.05  # radians, of value iteration on part of the takes


class Performance(NamedTuple):
    """Figures of a character that follows goals which change at random, on one set of takes."""

    reward: float  # mean reward of a frame in radians, with the cost of transitions
    response: float  # mean seconds until the facing reaches a new goal; 6 s at most
    cost: float  # mean cost of transitions of a frame in radians: less is smoother
    speed: float  # mean speed over the ground in m/s
    shares: FloatArray  # [take], share of the time that each take is shown


@dataclass(frozen=True, eq=False)
class Tables:
    """Transitions, rewards and values of some states for the direction task."""

    states: IntArray  # [state], states of the database
    table: TaskTable
    transitions: Transitions
    values: FloatArray  # [state, node], float32

    @cached_property
    def actions(self) -> Actions:
        """The transitions as actions of a sweep."""
        return Actions.of(self.transitions)


@dataclass(frozen=True, eq=False)
class TakeTables:
    """The tables of a set of takes, from which takes can be removed; see `TakeTables.of`."""

    field: MotionField
    task: Direction
    settings: ControlSettings
    motion: RootMotion
    take_of: IntArray  # [state]
    names: tuple[str, ...]  # [take]
    spare: Tables  # of all states, with `SPARE` times as many transitions as training considers

    @classmethod
    def of(
        cls, field: MotionField, *, settings: ControlSettings | None = None, task: Direction | None = None
    ) -> TakeTables:
        """Return the tables of all takes of `field`, with values that are solved for; this takes as long as training.

        A take and its mirror image are one. `settings` and `task` are those of training.
        """
        database = field.database
        task, motion = (task or Direction()).adapted(database), measure_root_motion(database)
        use = (settings or ControlSettings()).fitted(task)
        more = replace(use, candidate_factor=SPARE * use.candidate_factor)
        transitions, table = find_transitions(field, motion, more), TaskTable.build(task, database, motion)
        take_of, names = takes_of(database), dict[int, str]()
        for clip, first in enumerate(database.clip_starts[:-1]):
            names.setdefault(int(take_of[first]), original_clip(database, clip)[0])
        every = np.ones(database.state_count, np.bool_)
        spare = Tables(np.arange(database.state_count), table, transitions, np.zeros_like(table.rewards))
        whole = _reduced(spare, every, use.candidate_factor * use.neighbor_count)
        assert whole is not None  # a database has transitions
        spare = replace(spare, values=_solved(table, whole.transitions, use, None))
        return cls(field, task, use, motion, take_of, tuple(names[take] for take in range(len(names))), spare)

    @property
    def take_count(self) -> int:
        """Number of takes."""
        return len(self.names)

    @cached_property
    def idle_reward(self) -> float:
        """Mean reward of a character that stands still, whatever its goal: the performance of an empty set."""
        points = grid_points(self.task.axes)
        still = Motion(np.zeros(len(points)), np.zeros((len(points), 2)), self.motion.frame_time, None)
        return float(self.task.reward(points, still).mean())

    def worth(self, performance: Performance) -> float:
        """Return how many times better than standing still a set does its task, less 1; 0 for a set that does worse.

        That is the cost of standing still divided by that of the set. A share of it is close to a share of the agility:
        a set that turns in half the time is worth about twice as much.
        """
        return max(0.0, self.idle_reward / min(performance.reward, -1e-6) - 1.0)

    def unsolved(self, kept: BoolArray) -> Tables | None:
        """Return the tables of the takes in `kept` [take], with values of all takes; None if no transition is left."""
        most = self.settings.candidate_factor * self.settings.neighbor_count
        return _reduced(self.spare, kept[self.take_of], most)

    def without(self, kept: BoolArray, *, tolerance: float = TOLERANCE) -> Tables | None:
        """Return the tables of the takes in `kept` [take], solved within `tolerance`; None if no transition is left."""
        reduced = self.unsolved(kept)
        if reduced is None or kept.all():
            return reduced
        values = _solved(reduced.table, reduced.transitions, self.settings, reduced.values, tolerance)
        return replace(reduced, values=values)

    def performance(self, kept: BoolArray) -> Performance:
        """Return the performance of the takes in `kept` [take]."""
        tables = self.without(kept)
        if tables is None:
            return Performance(self.idle_reward, WINDOW, 0.0, 0.0, np.zeros(self.take_count))
        return self.measured(tables)

    def visits(self, tables: Tables) -> tuple[Policy, FloatArray]:
        """Return the policy of `tables` and the share of time [row, node] at each of its rows and goals.

        The character starts at the state with the highest mean value. Goals change at random, as in training.
        """
        settings, frame_time = self.settings, self.motion.frame_time
        policy = Policy.of(tables, settings)
        flow: FloatArray = np.zeros(policy.costs.shape)
        flow[0] = 1.0 / policy.costs.shape[1]
        total: FloatArray = np.zeros(flow.shape)
        settled, count = round(SETTLING / frame_time), round(MEASURED / frame_time)
        for frame in range(settled + count):
            flow = policy.moved(flow)
            flow = (1.0 - settings.goal_change) * flow + settings.goal_change * flow.mean(axis=1, keepdims=True)
            if frame >= settled:
                total += flow / count
        return policy, total

    def measured(self, tables: Tables) -> Performance:
        """Return the performance of `tables`."""
        policy, total = self.visits(tables)
        angles = np.abs(grid_points(self.task.axes)[:, 0])
        speed = np.linalg.norm(self.motion.velocity[tables.states[policy.followed]], axis=-1)
        shown = np.bincount(self.take_of[tables.states[policy.rows]], total.sum(axis=1), self.take_count)
        return Performance(
            float((total * (policy.rewards - policy.costs)).sum()),
            _response(policy, total.sum(axis=1), angles, self.motion.frame_time),
            float((total * policy.costs).sum()),
            float((total * speed).sum()),
            shown.astype(np.float64),
        )


class Policy(NamedTuple):
    """The best actions of some tables, at the states that it comes to from the state with the highest mean value."""

    rows: IntArray  # [row], states of the tables, that state first
    followed: IntArray  # [row, node], state of the tables that is followed
    costs: FloatArray  # [row, node], radians, with the roughness of that state
    rewards: FloatArray  # [row, node], radians
    onward: Any  # sparse matrix [row * node, row * node]: probability of each outcome

    @classmethod
    def of(cls, tables: Tables, settings: ControlSettings) -> Policy:
        """Return the policy that the values of `tables` imply (eq. 12)."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import breadth_first_order

        values, table, actions = tables.values, tables.table, tables.actions
        (count, node_count), nodes = values.shape, np.arange(values.shape[1])
        buffers = Buffers(np.empty_like(values), np.zeros(values.shape, np.uint16), np.empty_like(values))
        sweep_once(table, actions, values, buffers, (settings.discount, settings.goal_change), improve_here)
        best = buffers.best.astype(np.int64)
        followed = np.take_along_axis(actions.targets, best, axis=1).astype(np.int64)
        after = table.next_row[followed]
        each = np.arange(0, after.size + 1, node_count)
        ways: Any = csr_array((np.ones(after.size), after.ravel(), each), shape=(count, count))
        first = int(values.mean(axis=1).argmax())
        rows = breadth_first_order(ways, first, return_predecessors=False).astype(np.int64)
        followed, best = followed[rows], best[rows]
        number = np.empty(count, np.int64)
        number[rows] = np.arange(len(rows))
        cell = number[after[rows]] * node_count + table.first[followed, nodes]
        share = table.shares[followed, nodes, 0].astype(np.float64)
        outcomes, chances = np.stack([cell, cell + 1], axis=-1), np.stack([1.0 - share, share], axis=-1)
        ends = np.arange(0, outcomes.size + 1, 2)
        matrix: Any = csr_array((chances.ravel(), outcomes.ravel(), ends), shape=(cell.size, cell.size))
        costs = np.take_along_axis(actions.charges[rows], best, axis=1).astype(np.float64)
        return cls(rows, followed, costs, table.rewards[followed, nodes].astype(np.float64), matrix.T.tocsr())

    def moved(self, flow: FloatArray) -> FloatArray:
        """Return the probability [row, node] one frame after `flow` [row, node], without a change of goal."""
        return np.asarray((self.onward @ flow.ravel()).reshape(flow.shape))


def _response(policy: Policy, states: FloatArray, angles: FloatArray, frame_time: float) -> float:
    """Return the mean seconds until the goal is reached from `states` [row], a probability, for uniform goals.

    `angles` [node] are the sizes of the angles to the goal. Turns that begin within the tolerance do not count.
    """
    asked = angles > ARRIVED
    flow = states[:, np.newaxis] * asked / asked.sum()
    waited = 0.0
    for _ in range(round(WINDOW / frame_time)):
        left = float(flow.sum())
        waited += left * frame_time
        if left < 1e-4:
            break
        flow = policy.moved(flow) * asked
    return waited


def _solved(
    table: TaskTable,
    transitions: Transitions,
    settings: ControlSettings,
    start: FloatArray | None,
    tolerance: float = TOLERANCE,
) -> FloatArray:
    return solve(
        table,
        transitions,
        discount=settings.discount,
        goal_change=settings.goal_change,
        tolerance=tolerance,
        start=start,
    ).values


def _reduced(whole: Tables, keep: BoolArray, most: int) -> Tables | None:
    """Return `whole` with only the states in `keep` [state], whole takes; None if none of them has a transition left.

    Each state keeps its `most` nearest transitions, as a search among these states alone would find. A state whose
    transitions all lead out of `keep`, or to such a state, is a dead end: nothing leads to it any more.
    """
    rows = np.flatnonzero(keep)
    if rows.size == 0:
        return None
    number = np.full(len(keep), -1)
    number[rows] = np.arange(len(rows))
    table, (targets, costs, roughness) = whole.table, whole.transitions
    targets, costs = number[targets[rows]], costs[rows]
    following = number[table.next_row[rows]]
    open_ = (targets >= 0) & (costs[..., 0, 0] < BLOCKED)
    live = np.asarray(open_.any(axis=1))
    while True:
        usable = open_ & live[following[targets]]
        still = np.asarray(usable.any(axis=1))
        if (still == live).all():
            break
        live = still
    if not live.any():
        return None
    width = min(most, int(usable.sum(axis=1).max()))
    order = np.argsort(~usable, axis=1, kind="stable")[:, :width]  # usable ones first, in their order
    usable = np.take_along_axis(usable, order, axis=1)
    targets = np.where(usable, np.take_along_axis(targets, order, axis=1), 0)
    costs = np.where(usable, np.take_along_axis(costs[..., 0, 0], order, axis=1), BLOCKED)
    targets[~live, 0], costs[~live, 0] = np.flatnonzero(~live), DEAD_END
    return Tables(
        rows,
        TaskTable(table.rewards[rows], table.first[rows], table.shares[rows], table.steps, following),
        Transitions(targets.astype(np.int32), costs[..., np.newaxis, np.newaxis].astype(np.float32), roughness[rows]),
        whole.values[rows],
    )
