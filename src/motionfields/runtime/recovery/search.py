"""The compiled search around the displayed state: which database state continues it best, and keeps the balance.

A candidate costs what its transition costs, measured from the displayed pose, velocity and contacts instead of those of
the followed state. While the character is out of balance, it also costs what its next step lacks to catch the fall.
The value function is subtracted: the candidate must also lead to the goal.
"""

from __future__ import annotations

import math

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.compiled import kernel, lean_kernel
from motionfields.control.grids import Grid, find_cell, interpolated
from motionfields.control.policy import AHEAD, LEFT, MEAN, ROUGHNESS, TURN, PolicyTable, label_of
from motionfields.control.tasks.compiled import CompiledTask, outcome
from motionfields.runtime.recovery.settings import Costs
from motionfields.runtime.recovery.sight import Fall, Sight
from motionfields.runtime.recovery.tables import STANDS, Outlines

MOST_EXCESS = 0.5  # metres of a capture point beyond balance that count in a cost
FULL_HURRY = 0.3  # metres outside the support at which the time to the landing costs twice as much
MOST_OVERLAP = 0.4  # metres of crossed feet that count in a cost


@lean_kernel
def _length(x: float, z: float) -> float:
    """Return the length of a vector over the ground; faster than `math.hypot`, which also handles huge numbers."""
    return math.sqrt(x * x + z * z)


@lean_kernel
def step_cost(costs: Costs, outlines: Outlines, state: int, middles: FloatArray, fall: Fall, k: int) -> float:
    """Return the cost of catching falling character `k`, with feet at `middles` [2, 2], by the next step of `state`."""
    way_x, way_z = fall.way[k, 0], fall.way[k, 1]
    capture = outlines.capture[state]
    excess = max(fall.wanted[k] - (capture[0] * way_x + capture[1] * way_z), 0.0)
    wait, side = float(outlines.wait[state]), outlines.side[state]
    unmet, overlap = max(fall.lack[k] + costs.safety, 0.0), 0.0
    timing = costs.late_cost * min(wait, costs.soon)
    if wait > costs.soon:
        timing += costs.missing_cost
    else:
        moved_x, moved_z = landing_shift(costs, outlines, state, middles, way_x, way_z, excess)
        spot, other = outlines.spot[state], middles[1 - side]
        landed = (spot[0] + moved_x) * way_x + (spot[1] + moved_z) * way_z
        support = max(landed, other[0] * way_x + other[1] * way_z) + fall.edge[k]
        unmet = max(fall.wanted[k] + costs.safety - support, 0.0)
        overlap = min(max(costs.apart - feet_gap(outlines, state, middles), 0.0), MOST_OVERLAP)
    hurry = 1.0 + max(fall.lack[k], 0.0) / FULL_HURRY
    cost = costs.balance_cost * min(excess, MOST_EXCESS) + costs.unmet_cost * min(unmet, MOST_EXCESS)
    return float(cost + timing * hurry + costs.cross_cost * overlap)


@lean_kernel
def feet_gap(outlines: Outlines, state: int, middles: FloatArray) -> float:
    """Return the metres, sideways, between the feet after the next landing of `state`; negative if they cross."""
    side = outlines.side[state]
    gap = outlines.spot[state, 0] - middles[1 - side, 0]
    return float(gap if side == 0 else -gap)


@lean_kernel
def landing_shift(
    costs: Costs, outlines: Outlines, state: int, middles: FloatArray, way_x: float, way_z: float, excess: float
) -> tuple[float, float]:
    """Return the shift in metres, to the left and ahead, of the next landing place of `state`.

    It is moved by `excess` metres along the direction (`way_x`, `way_z`), but not across the other foot, and by at most
    `reach`. A landing place that is too close to the other foot, whose middle is in `middles` [2, 2], is moved away.
    """
    excess = min(excess, costs.reach)
    moved_x, moved_z = excess * way_x, excess * way_z
    outward = 1.0 if outlines.side[state] == 0 else -1.0
    close = costs.apart - (feet_gap(outlines, state, middles) + outward * moved_x)
    if close > 0.0:
        moved_x += outward * close
    size = _length(moved_x, moved_z)
    if size > costs.reach:
        moved_x, moved_z = moved_x * costs.reach / size, moved_z * costs.reach / size
    return moved_x, moved_z


@lean_kernel
def is_possible(costs: Costs, outlines: Outlines, state: int, stands: BoolArray) -> bool:
    """Return whether the standing feet [2] allow `state`: one keeps standing, and a stepping one has enough time."""
    votes = outlines.votes[state]
    left, right = votes[0] >= STANDS, votes[1] >= STANDS
    if (stands[0] or stands[1]) and not ((stands[0] and left) or (stands[1] and right)):
        return False
    side = outlines.side[state]
    swings = not (left if side == 0 else right)
    return not (stands[side] and swings and outlines.wait[state] < costs.swing)


@lean_kernel
def fixed_cost(costs: Costs, outlines: Outlines, state: int, sight: Sight, fall: Fall, k: int) -> float:
    """Return the cost of `state` for character `k`, without the jump of its joints."""
    velocity, votes = outlines.velocity[state], outlines.votes[state]
    off = _length(velocity[0] - sight.velocity[k, 0], velocity[1] - sight.velocity[k, 1])
    contact = slip = start = 0.0
    for side in range(2):
        contact += abs(votes[side] - (1.0 if sight.stands[k, side] else 0.0))
        if sight.stands[k, side] and votes[side] >= STANDS:
            place, foot = outlines.feet[state, side], sight.middles[k, side]
            slip += _length(place[0] - foot[0], place[1] - foot[1])
        elif sight.stands[k, side]:
            start += outlines.foot_speed[state, side]
    cost = costs.velocity_cost * off + costs.contact_cost * contact
    cost += costs.slip_cost * slip + costs.start_cost * start
    if fall.falls[k]:
        cost += step_cost(costs, outlines, state, sight.middles[k], fall, k)
    return cost


@lean_kernel
def _jumps(table: FloatArray, features: FloatArray, jumps: FloatArray) -> None:
    """Fill `jumps` [p], float32, with the sums of the norms of the differences of `table` [feature, p]."""
    for s in range(len(jumps)):
        jumps[s] = 0.0
    for first in range(0, len(features), 3):
        x, y, z = np.float32(features[first]), np.float32(features[first + 1]), np.float32(features[first + 2])
        row_x, row_y, row_z = table[first], table[first + 1], table[first + 2]
        # The innermost loop runs over the states, so that the processor handles several of them at once.
        for s in range(len(jumps)):
            off_x, off_y, off_z = row_x[s] - x, row_y[s] - y, row_z[s] - z
            jumps[s] += math.sqrt(off_x * off_x + off_y * off_y + off_z * off_z)


@lean_kernel
def own_jump(own: FloatArray, features: FloatArray) -> float:
    """Return the jump to the followed state with the features `own` [feature], in the same way as `_jumps`."""
    total = np.float32(0.0)
    for first in range(0, len(features), 3):
        off_x = np.float32(own[first]) - np.float32(features[first])
        off_y = np.float32(own[first + 1]) - np.float32(features[first + 1])
        off_z = np.float32(own[first + 2]) - np.float32(features[first + 2])
        total += math.sqrt(off_x * off_x + off_y * off_y + off_z * off_z)
    return float(total)


@kernel
def find_candidates(
    costs: Costs, outlines: Outlines, sight: Sight, fall: Fall, own: IntArray, states: IntArray, charged: FloatArray
) -> None:
    """Fill the candidates `states` [m, candidate] with their costs `charged` [m, candidate].

    The followed state `own` [m] comes first; then those of lowest cost in the pool, in ascending order, of equal ones
    the lowest states. Where there are fewer, the rest is `own` at an infinite cost.
    """
    pool, wanted = outlines.pool, states.shape[1] - 1
    jumps, found, totals = np.empty(len(pool), np.float32), np.empty(len(pool), np.int64), np.empty(len(pool))
    for k in range(len(own)):
        states[k, :], charged[k, :] = own[k], np.inf
        _jumps(outlines.features, sight.features[k], jumps)
        charged[k, 0] = costs.jump_cost * own_jump(sight.own_features[k], sight.features[k])
        charged[k, 0] += fixed_cost(costs, outlines, own[k], sight, fall, k)
        count = 0
        for s in range(len(pool)):
            state = pool[s]
            if state != own[k] and is_possible(costs, outlines, state, sight.stands[k]):
                found[count] = state
                totals[count] = costs.jump_cost * jumps[s] + fixed_cost(costs, outlines, state, sight, fall, k)
                count += 1
        # Only possible states are partitioned: many equal numbers, such as infinite costs, would make it slow.
        limit = np.partition(totals[:count], wanted - 1)[wanted - 1] if count > wanted else np.inf
        below = 0
        for c in range(count):
            below += totals[c] < limit
        ties, place = wanted - below, 1
        for c in range(count):
            tied = totals[c] == limit and ties > 0
            if totals[c] < limit or tied:
                states[k, place], charged[k, place] = found[c], totals[c]
                ties -= tied
                place += 1


@kernel
def rate_candidates(
    table: PolicyTable, grid: Grid, task: CompiledTask, states: IntArray, params: FloatArray, scores: FloatArray
) -> None:
    """Fill `scores` [m, candidate] with reward, roughness cost and future of following `states`, as captured (eq. 12).

    `params` [m, axis] are the task parameters. The same as `FieldController.score` without costs of transitions.
    """
    count = len(table.outlines)
    after, shares = np.empty(params.shape[1]), np.empty(params.shape[1], np.float32)
    for k in range(len(states)):
        heading = (math.sin(params[k, 0]), math.cos(params[k, 0]))
        for c in range(states.shape[1]):
            state = states[k, c]
            outline = table.outlines[state]
            velocity, label = (outline[LEFT], outline[AHEAD]), label_of(table, state)
            reward = outcome(task, params[k], heading, outline[TURN], velocity, table.frame_time, after, label)
            first = find_cell(grid, after, shares)
            value = interpolated(table.values[min(state + 1, count - 1)], first, shares, grid.steps)
            later = (1.0 - table.goal_change) * value + table.goal_change * outline[MEAN]
            scores[k, c] = reward - outline[ROUGHNESS] + table.discount * later
