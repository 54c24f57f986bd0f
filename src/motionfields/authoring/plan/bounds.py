"""Lower bounds of the cost to a goal, from tables that are computed once for a step graph.

No sequence of steps covers ground for less than the ratio of cost and length of the cheapest cycle. With that *rate*,
every edge has a reduced cost: its own less the rate times its length. Reduced costs have no negative cycle, so the
shortest reduced cost from each step and heading to a standing end, its *potential*, is finite, and

    rate * (remaining length) + potential

never exceeds the true remaining cost. The same holds for the length in a given direction, with a higher rate.

A standing character would have no potential, since it could end at once. But from a place `level` steps of `LEVEL`
metres away it must begin to walk, so there are also potentials of only those paths that are at least so long.
Potentials are whole units and reduced costs are rounded down, so that the bounds are consistent to the last bit.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from motionfields.authoring.plan.lattice import ANGLE, CELL, COSINES, COST_UNIT, HEADINGS, SINES, Moves, landing
from motionfields.base.arrays import BoolArray, FloatArray, IntArray, frozen
from motionfields.base.compiled import kernel
from motionfields.base.world.ways import LENGTHENING

QUARTER: Final = HEADINGS // 4  # directions with tables; the others are quarter turns of them
LOWEST: Final = -(60 << 20)  # units: a potential below it shows a negative cycle
FAR: Final = 2_000_000_000  # units: potential of a step from which no goal can be reached
NO_DIRECTION: Final = -1
ROUNDS: Final = 12  # of bisection
FIRST_SWEEPS, MOST_SWEEPS = 200, 1000
LEVEL: Final = 0.25  # metres between the lengths for which there are potentials
LEVELS: Final = 9
RATES: Final = (0.02, 6.0)  # s/m between which rates are sought


class Tables(NamedTuple):
    """Tables of the lower bound towards the goal, or with all edges reversed, towards the start."""

    rate: float  # s/m, of any sequence of steps
    potential: IntArray  # [node, heading], int32, units, towards the wanted facing
    far: IntArray  # [level, node, heading], int32, units, towards any facing, of paths of at least level * LEVEL metres
    straight_rate: float  # s/m, in one direction
    straight: IntArray  # [direction, node, heading], int32, units, for the first quarter of directions


class Aim(NamedTuple):
    """Target of a bound: lengths of ways over the cells of a grid, and the cell at their end."""

    lengths: FloatArray  # [stage, x, z], cells, from `way_lengths`: no path is shorter
    roomy: FloatArray  # [stage, x, z], the same with the whole radius of the body, for estimates
    x: int
    z: int
    radius: float  # cells from there within which paths may end
    directions: IntArray  # [m], headings of the straight line for which the straight bound is taken
    sign: int  # 1 towards the goal, -1 towards the start


def make_tables(moves: Moves, goals: BoolArray, *, back: bool) -> Tables:
    """Return the tables for paths to the states `goals` [node, heading], or with `back`, from them."""
    rate = _highest_rate(moves, goals, back, NO_DIRECTION)
    straight_rate = max(rate, 0.99 * _highest_rate(moves, goals, back, 0))
    rate, (potential,) = _settled(moves, goals, back, rate, [NO_DIRECTION])
    straight_rate, straight = _settled(moves, goals, back, straight_rate, list(range(QUARTER)))
    far = far_potentials(moves, potential, back, rate)
    return Tables(rate, potential, far, straight_rate, np.stack(straight))


def facing_tables(tables: Tables, moves: Moves, goals: BoolArray) -> Tables:
    """Return `tables` with the potentials of paths to `goals` [node, heading], which are fewer goals than before."""
    potential, settled = _potential(moves, goals, False, tables.rate, NO_DIRECTION, MOST_SWEEPS)
    return tables._replace(potential=potential) if settled else tables


def _settled(
    moves: Moves, goals: BoolArray, back: bool, rate: float, directions: list[int]
) -> tuple[float, list[IntArray]]:
    """Return the potentials for each of `directions`, and the rate, lowered until all of them settle."""
    found: list[IntArray] = []
    while len(found) < len(directions):
        potential, settled = _potential(moves, goals, back, rate, directions[len(found)], MOST_SWEEPS)
        if settled:
            found.append(potential)
        else:
            rate, found = 0.99 * rate, []
    return rate, found


def cheapest_rate(moves: Moves) -> float:
    """Return the least cost of any single edge for each metre of its length, in s/m: the bound of Lo's thesis."""
    found = np.inf
    for edge in range(len(moves.target)):
        ends = [landing(moves, edge, heading) for heading in range(HEADINGS)]
        ratios = [end.cost / COST_UNIT / (CELL * math.hypot(end.x, end.z)) for end in ends if end.x or end.z]
        found = min([found, *ratios])
    return found


def single_step_tables(moves: Moves, tables: Tables) -> Tables:
    """Return tables of the bound of Lo's thesis in the form of `tables`: the `cheapest_rate` and no potentials."""
    rate = cheapest_rate(moves)
    potential, far, straight = (np.zeros_like(part) for part in (tables.potential, tables.far, tables.straight))
    return frozen(Tables(rate, potential, far, rate, straight))


def _highest_rate(moves: Moves, goals: BoolArray, back: bool, direction: int) -> float:
    """Return nearly the highest rate in s/m for which no cycle has a negative reduced cost."""
    low, high = RATES
    for _ in range(ROUNDS):
        rate = math.sqrt(low * high)
        settled = _potential(moves, goals, back, rate, direction, FIRST_SWEEPS)[1]
        low, high = (rate, high) if settled else (low, rate)
    return low * 0.998


@kernel
def reduced_costs(moves: Moves, rate: float, direction: int) -> IntArray:
    """Return the reduced cost [edge, heading] of every edge in units, int32, rounded down.

    With a `direction` (a lattice heading), lengths are measured along it; without, they are those of straight lines.
    """
    out = np.empty((len(moves.target), HEADINGS), np.int32)
    u, v = math.sin(ANGLE * direction), math.cos(ANGLE * direction)
    for edge in range(len(moves.target)):
        for heading in range(HEADINGS):
            end = landing(moves, edge, heading)
            if direction < 0:
                length = math.sqrt(float(end.x * end.x + end.z * end.z))
            else:
                length = end.x * u + end.z * v
            out[edge, heading] = end.cost - math.ceil(COST_UNIT * rate * CELL * length + 1e-6)
    return out


@kernel
def _potential(
    moves: Moves, goals: BoolArray, back: bool, rate: float, direction: int, most: int
) -> tuple[IntArray, bool]:
    """Return the potentials [node, heading], and whether they settled within `most` sweeps (Bellman and Ford)."""
    reduced = reduced_costs(moves, rate, direction)
    node_count = len(moves.first) - 1
    out = np.full((node_count, HEADINGS), FAR, np.int32)
    ends = np.zeros(node_count, np.bool_)
    for node in range(node_count):
        for heading in range(HEADINGS):
            if goals[node, heading]:
                out[node, heading] = 0
                ends[node] = True
    # Sweep at which each node last changed; a node is looked at again only after one of its neighbours has changed.
    changed_at = np.where(ends, 0, -1)
    seen_at = np.full(node_count, -1)
    for sweep in range(1, most + 1):
        changed = False
        lowest = 0
        for node in range(node_count):
            begin = moves.back_first[node] if back else moves.first[node]
            end = moves.back_first[node + 1] if back else moves.first[node + 1]
            since = seen_at[node]
            seen_at[node] = sweep
            for place in range(begin, end):
                edge = moves.back_edge[place] if back else place
                other = moves.source[edge] if back else moves.target[edge]
                if changed_at[other] < since:
                    continue
                least = _relaxed(out, reduced, node, other, edge, moves.turn[edge] % HEADINGS, back)
                if least < FAR:
                    changed_at[node] = sweep
                    changed = True
                    lowest = min(lowest, least)
        if not changed:
            return out, True
        if lowest < LOWEST:
            return out, False
    return out, False


@kernel
def far_potentials(moves: Moves, near: IntArray, back: bool, rate: float) -> IntArray:
    """Return the potentials [level, node, heading] of paths of at least level * `LEVEL` metres; the first are `near`.

    What a step leaves of a level is rounded down to a level.
    """
    reduced = reduced_costs(moves, rate, NO_DIRECTION)
    edge_count, node_count = len(moves.target), len(near)
    lost = np.empty((edge_count, HEADINGS), np.int64)
    for edge in range(edge_count):
        for heading in range(HEADINGS):
            end = landing(moves, edge, heading)
            lost[edge, heading] = math.ceil(CELL / LEVEL * math.sqrt(float(end.x * end.x + end.z * end.z)) + 1e-9)
    out = np.full((LEVELS, node_count, HEADINGS), FAR, np.int32)
    out[0] = near
    for level in range(1, LEVELS):
        changed = True
        while changed:
            changed = False
            for edge in range(edge_count):
                node, other = moves.source[edge], moves.target[edge]
                for heading in range(HEADINGS):
                    turned = (heading + moves.turn[edge]) % HEADINGS
                    left = max(0, level - lost[edge, heading])
                    if back:
                        value = out[left, node, heading]
                        if value < FAR and value + reduced[edge, heading] < out[level, other, turned]:
                            out[level, other, turned] = value + reduced[edge, heading]
                            changed = changed or left == level
                    else:
                        value = out[left, other, turned]
                        if value < FAR and value + reduced[edge, heading] < out[level, node, heading]:
                            out[level, node, heading] = value + reduced[edge, heading]
                            changed = changed or left == level
    return out


@kernel
def _relaxed(out: IntArray, reduced: IntArray, node: int, other: int, edge: int, turn: int, back: bool) -> int:
    """Lower the potentials of `node` by way of `other`; return the lowest that changed, or `FAR`."""
    least = FAR
    there = (HEADINGS - turn) % HEADINGS if back else turn
    for heading in range(HEADINGS):
        value = out[other, there]
        cost = reduced[edge, there] if back else reduced[edge, heading]
        if value < FAR and value + cost < out[node, heading]:
            out[node, heading] = value + cost
            least = min(least, value + cost)
        there += 1
        if there == HEADINGS:
            there = 0
    return least


@kernel
def lower_bound(tables: Tables, aim: Aim, stage: int, node: int, x: int, z: int, heading: int) -> float:
    """Return a lower bound in seconds of the cost between a state and the aim; infinite where there is no way."""
    length = aim.lengths[stage, x, z]
    if length == np.inf or tables.potential[node, heading] >= FAR:
        return float(np.inf)
    way = CELL / LENGTHENING * length
    level = min(LEVELS - 1, int(way / LEVEL))
    potential = max(tables.potential[node, heading], tables.far[level, node, heading])
    best = max(0.0, tables.rate * way + potential / COST_UNIT)
    away_x, away_z = aim.sign * (aim.x - x) * CELL, aim.sign * (aim.z - z) * CELL
    for number in range(len(aim.directions)):
        direction = aim.directions[number]
        own = direction % QUARTER
        turned = (heading - (direction - own)) % HEADINGS
        along = away_x * SINES[direction] + away_z * COSINES[direction] - aim.radius * CELL
        best = max(best, tables.straight_rate * along + tables.straight[own, node, turned] / COST_UNIT)
    return float(best)


def straight_directions(x: float, z: float, *, spread: int = 2) -> IntArray:
    """Return the headings [m] within `spread` lattice angles of the direction (`x`, `z`)."""
    middle = math.floor(math.atan2(x, z) / ANGLE + 0.5)
    return np.arange(middle - spread, middle + spread + 1, dtype=np.int64) % HEADINGS
