"""The decision of a field controller in compiled code: the state that one character follows next.

`FieldController.decide` computes the same in numpy. Nothing is searched for at run time: a character is always at a
database state, so tables hold its neighbours, the costs of the transitions and the values of the states they lead to. A
decision reads one row of each table and takes the best transition.
"""

from __future__ import annotations

import math
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray, read_only
from motionfields.base.compiled import compile_uncached, lean_kernel, prange
from motionfields.control.grids import Grid, find_cell, interpolated
from motionfields.control.root_motion import RootMotion
from motionfields.control.tasks import Task, TaskKernel, angle_axis
from motionfields.control.tasks.compiled import DIRECTION, NUMBER_COUNT, OWN, CompiledTask, compiled_task, outcome
from motionfields.control.transitions import BLOCKED, REPLAY, ControlSettings, Transitions
from motionfields.control.values import ValueTable, value_means

# Columns of an outline: the velocity to the left and ahead and the roughness cost of the state; for each variant, its
# turn, then for each variant the mean value of the state it leads to; and an upper bound on the discounted future.
LEFT, AHEAD, ROUGHNESS, TURN, MEAN, CEILING = 0, 1, 2, 3, 5, 7
OUTLINE_SIZE = 8  # float64, so that the outline of a state fills one cache line of 64 bytes
MOST_VARIANTS = 2
MARGIN = 1e-6  # radians, more than rounding can take off the upper bound


class PolicyTable(NamedTuple):
    """The tables that a decision reads; all arrays are read-only."""

    states: IntArray  # [state, transition], int32
    costs: FloatArray  # [state, transition, variant before, variant chosen], float32
    outlines: FloatArray  # [state, OUTLINE_SIZE], the data of each state that a decision needs, side by side
    values: FloatArray  # [variant * state, node], float32
    discount: float
    goal_change: float
    frame_time: float
    memory: int  # frames within which no state is shown twice
    labels: IntArray  # [state], int64, see `RootMotion.labels`; empty if the task sees none


class Policy(NamedTuple):
    """The complete input of a decision, besides the characters."""

    table: PolicyTable
    grid: Grid
    task: CompiledTask
    own: OwnDecision | None = None  # the compiled loop that decides for a user-defined task

    @classmethod
    def of(
        cls,
        task: Task,
        settings: ControlSettings,
        root_motion: RootMotion,
        transitions: Transitions,
        values: ValueTable,
    ) -> Policy | None:
        """Return the policy of a controller made of these parts; None if `task` has no compiled form."""
        compiled, own = compiled_task(task), None
        if compiled is None and hasattr(task, "kernel"):
            own = OwnDecision(task.kernel())
            compiled = CompiledTask(OWN, own.numbers)
        if compiled is None:
            return None
        table = PolicyTable(
            read_only(transitions.states),
            read_only(transitions.costs),
            read_only(_outlines(settings, root_motion, transitions, values)),
            read_only(values.table()),
            settings.discount,
            settings.goal_change,
            root_motion.frame_time,
            settings.memory,
            read_only(np.empty(0, np.int64) if root_motion.labels is None else root_motion.labels),
        )
        return cls(table, Grid.of(task.axes), compiled, own)

    @classmethod
    def none(cls) -> Policy:
        """Return a placeholder that is never evaluated, for controllers without a compiled policy."""
        table = PolicyTable(
            read_only(np.zeros((0, 0), np.int32)),
            read_only(np.zeros((0, 0, 1, 1), np.float32)),
            read_only(np.zeros((0, OUTLINE_SIZE))),
            read_only(np.zeros((0, 0), np.float32)),
            0.0,
            0.0,
            0.0,
            0,
            read_only(np.empty(0, np.int64)),
        )
        return cls(table, Grid.of((angle_axis(),)), CompiledTask(DIRECTION, np.zeros(NUMBER_COUNT)))


def _outlines(
    settings: ControlSettings, root_motion: RootMotion, transitions: Transitions, values: ValueTable
) -> FloatArray:
    """Return the outlines [state, OUTLINE_SIZE] of all states."""
    state_count, variants = root_motion.turn.shape
    if variants > MOST_VARIANTS:
        raise ValueError(f"moves: expected at most {MOST_VARIANTS} variants, got {variants}")
    outlines = np.zeros((state_count, OUTLINE_SIZE))
    outlines[:, LEFT : AHEAD + 1] = root_motion.velocity
    outlines[:, ROUGHNESS] = transitions.roughness
    outlines[:, TURN : TURN + variants] = root_motion.turn
    following = np.minimum(np.arange(state_count) + 1, state_count - 1)
    means = value_means(values.table()).reshape(variants, state_count).T[following]
    highest = values.table().max(axis=1).reshape(variants, state_count).T[following].astype(np.float64)
    futures = (1.0 - settings.goal_change) * highest + settings.goal_change * means
    outlines[:, MEAN : MEAN + variants] = means
    outlines[:, CEILING] = settings.discount * futures.max(axis=1) + MARGIN
    return outlines


@lean_kernel
def choose(
    table: PolicyTable,
    grid: Grid,
    task: CompiledTask,
    row: int,
    variant: int,
    recent: IntArray,
    params: FloatArray,
    after: FloatArray,
    shares: FloatArray,
) -> tuple[int, int]:
    """Return the state and the variant with the highest score for one character (eq. 12); the first of equal ones.

    The character is at the state `row`, reached by the variant `variant`; it showed the states `recent` [MEMORY]
    before, newest first, and its task parameters are `params` [axis].
    `after` [axis] and `shares` [axis], float32, are scratch memory.
    """
    heading = (math.sin(params[0]), math.cos(params[0]))
    state_count = len(table.outlines)
    targets, costs = table.states[row], table.costs[row]
    best, best_state, best_variant = -np.inf, int(targets[0]), 0
    for transition in range(len(targets)):
        chosen = int(targets[transition])
        outline = table.outlines[chosen]
        velocity = (outline[LEFT], outline[AHEAD])
        label = label_of(table, chosen)
        following = min(chosen + 1, state_count - 1)
        for other in range(costs.shape[2]):
            # Added in float32, as `FieldController.score` does, so that both see the same cost.
            cost = costs[transition, variant, other] + np.float32(outline[ROUGHNESS])
            if cost >= BLOCKED:
                continue
            reward = outcome(task, params, heading, outline[TURN + other], velocity, table.frame_time, after, label)
            if reward - cost + outline[CEILING] < best:
                continue  # even the highest value could not beat the best so far: skip the lookup
            first = find_cell(grid, after, shares)
            value = interpolated(table.values[following + state_count * other], first, shares, grid.steps)
            later = (1.0 - table.goal_change) * value + table.goal_change * outline[MEAN + other]
            score = reward - cost + table.discount * later
            if score > best and _is_recent(recent, following, table.memory):
                score -= REPLAY
            if score > best:
                best, best_state, best_variant = score, chosen, other
    return best_state, best_variant


@lean_kernel
def label_of(table: PolicyTable, state: int) -> int:
    """Return the label of `state`; -1 if the task sees none."""
    return int(table.labels[state]) if len(table.labels) > 0 else -1


@lean_kernel
def _is_recent(recent: IntArray, state: int, memory: int) -> bool:
    """Return whether `state` is among the first `memory` states of `recent` [MEMORY]."""
    for place in range(memory):  # noqa: SIM110 - compiled; a generator would allocate
        if recent[place] == state:
            return True
    return False


class OwnDecision:
    """`choose` for all characters, compiled with the `advance` and `reward` of a user-defined task.

    Built-in tasks share one compiled loop, which is cached on disk. A user's functions are compiled into a copy of
    `choose` on first use, which takes a few seconds in every process.
    """

    def __init__(self, task: TaskKernel) -> None:
        advance, reward = compile_uncached(task.advance, _nrt=False), compile_uncached(task.reward, _nrt=False)

        def own_outcome(
            task: CompiledTask,
            params: FloatArray,
            heading: tuple[float, float],
            turn: float,
            velocity: tuple[float, float],
            frame_time: float,
            after: FloatArray,
            label: int,
        ) -> float:
            advance(task.numbers, params, turn, velocity, frame_time, after)
            return float(reward(task.numbers, params, after, turn, velocity, frame_time))

        # The code of `choose`, with its global name `outcome` bound to the user's function.
        plain: Any = getattr(choose, "py_func", choose)
        names = {**plain.__globals__, "outcome": compile_uncached(own_outcome, _nrt=False)}
        one = compile_uncached(FunctionType(plain.__code__, names, "choose_own"), _nrt=False)

        def decide(
            table: PolicyTable,
            grid: Grid,
            task: CompiledTask,
            due: BoolArray,
            states: IntArray,
            variants: IntArray,
            recent: IntArray,
            params: FloatArray,
            chosen: IntArray,
            chosen_variant: IntArray,
        ) -> None:
            for i in prange(len(states)):
                after, shares = np.empty(params.shape[1]), np.empty(params.shape[1], np.float32)
                chosen[i], chosen_variant[i] = states[i], variants[i]
                if due[i]:
                    chosen[i], chosen_variant[i] = one(
                        table, grid, task, states[i], variants[i], recent[i], params[i], after, shares
                    )

        self.numbers: FloatArray = np.array(task.numbers, dtype=np.float64)
        self.few = compile_uncached(decide)
        self.many = compile_uncached(decide, parallel=True)
