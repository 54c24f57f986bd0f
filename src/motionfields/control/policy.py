"""The decision of a field controller in compiled code: which state one character follows next.

`FieldController.decide` says the same in numpy. Nothing is searched for at run time: a character is always at a state
of the data, so its neighbours, what changing to each costs and the values of what follows are in tables. What is left
is to read a row of each and to take the best.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray, read_only
from motionfields.base.compiled import lean_kernel
from motionfields.control.grids import Grid, find_cell, interpolated
from motionfields.control.root_motion import Moves
from motionfields.control.tasks import Task, angle_axis
from motionfields.control.tasks.compiled import DIRECTION, NUMBER_COUNT, CompiledTask, compiled_task, outcome
from motionfields.control.transitions import BLOCKED, Choices, ControlSettings
from motionfields.control.values import ValueTable, value_means

# Columns of an outline: the velocity to the left and ahead, what following it costs, then for each way how far it turns
# and the mean value of the state that it leads to, and the most that its future can be worth.
LEFT, AHEAD, ROUGHNESS, TURN, MEAN, CEILING = 0, 1, 2, 3, 5, 7
OUTLINE_SIZE = 8  # float64, so that a state's outline is one line of the processor's cache
MOST_WAYS = 2
MARGIN = 1e-6  # radians, more than rounding can take off a ceiling


class PolicyTable(NamedTuple):
    """What a decision reads of the states; all arrays are read-only."""

    rows: IntArray  # [state, choice], int32
    costs: FloatArray  # [state, choice, way before, way chosen], float32
    outlines: FloatArray  # [state, OUTLINE_SIZE], all that a decision needs of a state, side by side
    values: FloatArray  # [way * state, node], float32
    discount: float
    goal_change: float
    frame_time: float


class Policy(NamedTuple):
    """All that a decision reads."""

    table: PolicyTable
    grid: Grid
    task: CompiledTask

    @classmethod
    def of(
        cls, task: Task, settings: ControlSettings, moves: Moves, choices: Choices, values: ValueTable
    ) -> Policy | None:
        """The policy of a controller made of these; None if `task` has no compiled form."""
        compiled = compiled_task(task)
        if compiled is None:
            return None
        table = PolicyTable(
            read_only(choices.rows),
            read_only(choices.costs),
            read_only(_outlines(settings, moves, choices, values)),
            read_only(values.table()),
            settings.discount,
            settings.goal_change,
            moves.frame_time,
        )
        return cls(table, Grid.of(task.axes), compiled)

    @classmethod
    def none(cls) -> Policy:
        """A policy that is never asked, for controllers that decide by themselves."""
        table = PolicyTable(
            read_only(np.zeros((0, 0), np.int32)),
            read_only(np.zeros((0, 0, 1, 1), np.float32)),
            read_only(np.zeros((0, OUTLINE_SIZE))),
            read_only(np.zeros((0, 0), np.float32)),
            0.0,
            0.0,
            0.0,
        )
        return cls(table, Grid.of((angle_axis(),)), CompiledTask(DIRECTION, np.zeros(NUMBER_COUNT)))


def _outlines(settings: ControlSettings, moves: Moves, choices: Choices, values: ValueTable) -> FloatArray:
    state_count, ways = moves.turn.shape
    if ways > MOST_WAYS:
        raise ValueError(f"moves: expected at most {MOST_WAYS} ways, got {ways}")
    outlines = np.zeros((state_count, OUTLINE_SIZE))
    outlines[:, LEFT : AHEAD + 1] = moves.velocity
    outlines[:, ROUGHNESS] = choices.roughness
    outlines[:, TURN : TURN + ways] = moves.turn
    following = np.minimum(np.arange(state_count) + 1, state_count - 1)
    means = value_means(values.table()).reshape(ways, state_count).T[following]
    highest = values.table().max(axis=1).reshape(ways, state_count).T[following].astype(np.float64)
    futures = (1.0 - settings.goal_change) * highest + settings.goal_change * means
    outlines[:, MEAN : MEAN + ways] = means
    outlines[:, CEILING] = settings.discount * futures.max(axis=1) + MARGIN
    return outlines


@lean_kernel
def choose(
    table: PolicyTable,
    grid: Grid,
    task: CompiledTask,
    row: int,
    way: int,
    params: FloatArray,
    after: FloatArray,
    shares: FloatArray,
) -> tuple[int, int]:
    """The state and the way with the best outlook for one character (eq. 12); of equals, the first.

    It is at the state `row`, came there by `way`, and its task parameters are `params` [axis]; `after` [axis] and
    `shares` [axis], float32, are memory.
    """
    heading = (math.sin(params[0]), math.cos(params[0]))
    state_count = len(table.outlines)
    rows, costs = table.rows[row], table.costs[row]
    best, best_row, best_way = -np.inf, int(rows[0]), 0
    for choice in range(len(rows)):
        chosen = int(rows[choice])
        outline = table.outlines[chosen]
        velocity = (outline[LEFT], outline[AHEAD])
        following = min(chosen + 1, state_count - 1)
        for other in range(costs.shape[2]):
            cost = costs[choice, way, other] + np.float32(outline[ROUGHNESS])
            if cost >= BLOCKED:
                continue
            reward = outcome(task, params, heading, outline[TURN + other], velocity, table.frame_time, after)
            if reward - cost + outline[CEILING] < best:
                continue  # values are not worth a look where even the highest would not do
            first = find_cell(grid, after, shares)
            value = interpolated(table.values[following + state_count * other], first, shares, grid.steps)
            later = (1.0 - table.goal_change) * value + table.goal_change * outline[MEAN + other]
            score = reward - cost + table.discount * later
            if score > best:
                best, best_row, best_way = score, chosen, other
    return best_row, best_way
