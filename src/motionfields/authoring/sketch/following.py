"""Search for the steps that follow strokes: a beam over steps, places, headings and time.

Its guide is the same problem without the ground, solved exactly: the height of each joint, how far it travels in a
step, and the jumps between steps.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from motionfields.authoring.plan.graph import StepGraph
from motionfields.authoring.plan.lattice import (
    CELL,
    COSINES,
    COST_UNIT,
    HEADINGS,
    SINES,
    Ground,
    Landing,
    Moves,
    ground_of,
    is_clear,
    landing,
)
from motionfields.authoring.plan.search import find_slot
from motionfields.authoring.plan.steps import composed, relative
from motionfields.authoring.sketch.limbs import limb_of
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import kernel
from motionfields.base.geometry import turn_over_ground
from motionfields.control.transitions import joint_places, state_parts

MORE_JUMP: Final = 2.0  # times the cost of jumps in plans that is added, since errors outweigh it otherwise
SAMPLES: Final = 6  # moments of a step at which its joints are compared with the strokes
STROKE_COST: Final = 25.0  # seconds of cost for each m2 of distance and second
LIFTED: Final = 0.2  # metres: a foot off the ground during a pause of its stroke costs as much as this distance
BUDGET: Final = 8.0  # seconds of cost above the best of its moment up to which a state is kept
RATES_KEPT: Final = 2
MOST_STATES: Final = 3_000_000
MOST_STARTS: Final = 6000
START_TURN: Final = 3  # lattice angles between the headings in which starts are tried


class Parts(NamedTuple):
    """Positions of the joints of the strokes during each step."""

    places: FloatArray  # [stroke, edge, sample, 3], metres in the frame of the source's end
    ends: FloatArray  # [stroke, node, 3], metres at the end of each step, in its own frame
    lifted: FloatArray  # [stroke, node, sample], 1 where the foot of the stroke is off the ground; 0 for other joints
    frames: IntArray  # [node, sample], int64, frames after the start of the step
    length: IntArray  # [node], int64, frames
    base: FloatArray  # [edge], seconds: cost without the time of the step and without strokes


class Targets(NamedTuple):
    """The strokes at every frame. Steps follow them at one of `rates`: frames of the strokes for each of the motion."""

    places: FloatArray  # [stroke, frame, 3], metres
    weight: FloatArray  # [stroke, frame], 0 outside a stroke
    pauses: FloatArray  # [stroke, frame], 1 where the stroke pauses, so that a foot should stand
    seen: FloatArray  # [stroke, 3, 3], projections
    frame_time: float
    rates: FloatArray  # [rate], 1 alone for strokes with times
    time_cost: float  # for each second of the motion


class Walls(NamedTuple):
    """Obstacles on the lattice; the origin of the strokes is the cell (`x`, `z`) of their ground."""

    ground: Ground  # without cells if there are no obstacles
    x: int = 0
    z: int = 0


NO_WALLS: Final = Walls(ground_of(np.zeros((0, 0), np.float32), 0.0))


class Followed(NamedTuple):
    """The best sequence of steps."""

    cost: float  # seconds; infinite if there is none
    path: IntArray  # [node, 5], node, x, z, heading and frame of the strokes at the end of each step, first the start
    edges: IntArray  # [node - 1]


def measure_parts(graph: StepGraph, joints: list[int]) -> Parts:
    """Return where `joints` are during the steps of `graph`."""
    database, steps, moves = graph.field.database, graph.steps, graph.moves
    seen = np.empty((len(joints), database.state_count, 3))
    for part in state_parts(database.state_count):
        seen[:, part] = joint_places(database, database.poses(part))[:, joints].swapaxes(0, 1)
    frames = np.maximum(1, np.round(steps.length[:, np.newaxis] * (np.arange(SAMPLES) + 1) / SAMPLES)).astype(np.int64)
    rows = steps.start[:, np.newaxis] + frames
    own = relative(graph.places[steps.start][:, np.newaxis], graph.places[rows])
    real = np.flatnonzero(moves.target < graph.step_count)
    target = moves.target[real]
    world = composed(np.broadcast_to(moves.pivot[real][:, np.newaxis], (len(real), SAMPLES, 3)), own[target])
    places = np.zeros((len(joints), len(moves.target), SAMPLES, 3))
    for number in range(len(joints)):
        offset = seen[number][rows[target]]
        flat = world[..., :2] + turn_over_ground(offset[..., ::2], world[..., 2])
        places[number, real] = np.stack([flat[..., 0], offset[..., 1], flat[..., 1]], axis=-1)
    lifted = np.zeros((len(joints), graph.step_count, SAMPLES))
    for number, joint in enumerate(joints):
        limb = limb_of(database.skeleton, joint)
        if limb is not None and limb.foot is not None:
            lifted[number] = 1.0 - graph.field.state_votes[rows, limb.foot]
    seconds = np.append(steps.length * database.frame_time, (0.0, 0.0))
    base = moves.cost / COST_UNIT - seconds[moves.target] + MORE_JUMP * graph.settings.jump_cost * moves.jump
    ends = np.ascontiguousarray(seen[:, steps.end])
    return Parts(places, ends, lifted, frames, steps.length.astype(np.int64), base)


def follow(graph: StepGraph, parts: Parts, targets: Targets, walls: Walls = NO_WALLS, *, width: int) -> Followed:
    """Return the steps that follow `targets` clear of `walls`, by a beam of `width` states at each frame."""
    onward = _guide(graph.moves, parts, targets, graph.step_count)
    starts = _starts(parts, targets, walls, onward)
    path, edges, cost = _beam(graph.moves, parts, targets, walls, onward, starts, graph.step_count, width)
    return Followed(float(cost), path, edges)


def _starts(parts: Parts, targets: Targets, walls: Walls, onward: FloatArray) -> IntArray:
    """Return the states [n, 4] from which the joint of the first stroke begins on it, the most promising ones."""
    first = int(np.argmax(targets.weight[:, 0] > 0.0))
    order = np.argsort(onward[:, 0], kind="stable")[: MOST_STARTS * START_TURN // HEADINGS + 1]
    headings = np.arange(0, HEADINGS, START_TURN)
    node, heading = (part.reshape(-1) for part in np.meshgrid(order, headings, indexing="ij"))
    offset = turn_over_ground(parts.ends[first, node][:, ::2], heading * 2.0 * math.pi / HEADINGS)
    cells = np.round((targets.places[first, 0, ::2] - offset) / CELL).astype(np.int64)
    states = np.concatenate([node[:, np.newaxis], cells, heading[:, np.newaxis]], axis=1)
    clearance = walls.ground.clearance
    if not clearance.size:
        return states
    at = cells + np.array([walls.x, walls.z])
    inside = np.flatnonzero(((at >= 0) & (at < clearance.shape)).all(axis=1))
    return np.asarray(states[inside[clearance[at[inside, 0], at[inside, 1]] >= walls.ground.radius]])


@kernel
def _guide(moves: Moves, parts: Parts, targets: Targets, step_count: int) -> FloatArray:
    """Return the least cost [node, frame] in seconds from the end of each step at a frame on, without the ground."""
    count = targets.places.shape[1]
    out = np.zeros((step_count, count + 1), np.float32)
    for time in range(count - 1, -1, -1):
        for node in range(step_count):
            best = np.inf
            for edge in range(moves.first[node], moves.first[node + 1]):
                target = moves.target[edge]
                if target >= step_count:
                    continue
                for rate in targets.rates:
                    cost = parts.base[edge] + _apart(parts, targets, node, edge, target, time, rate)
                    cost += out[target, min(time + _advance(parts.length[target], rate), count)]
                    best = min(best, cost)
            out[node, time] = best
    return out


@kernel
def _advance(frames: int, rate: float) -> int:
    """Return the frames of the strokes that pass in `frames` of the motion; at least one."""
    return max(1, math.floor(frames * rate + 0.5))


@kernel
def _apart(parts: Parts, targets: Targets, node: int, edge: int, target: int, time: int, rate: float) -> float:
    """Return the least cost in seconds of a step for its time and its distances from the strokes, wherever it is."""
    count, samples = targets.places.shape[1], parts.frames.shape[1]
    length = parts.length[target]
    cost = targets.time_cost * targets.frame_time * length
    share = STROKE_COST * targets.frame_time * length * max(1.0, rate) / samples
    last = min(time + _advance(length, rate), count - 1)
    for stroke in range(len(targets.places)):
        seen = targets.seen[stroke]
        for sample in range(samples):
            at = min(time + _advance(parts.frames[target, sample], rate), count - 1)
            gap = parts.places[stroke, edge, sample, 1] - targets.places[stroke, at, 1]
            cost += share * seen[1, 1] * targets.weight[stroke, at] * gap * gap
            cost += share * targets.pauses[stroke, at] * parts.lifted[stroke, target, sample] * LIFTED * LIFTED
        if seen[0, 0] + seen[2, 2] > 1.5:
            # The joint travels another distance than the stroke: an error that grows along the step.
            ax = parts.places[stroke, edge, samples - 1, 0] - parts.ends[stroke, node, 0]
            az = parts.places[stroke, edge, samples - 1, 2] - parts.ends[stroke, node, 2]
            bx = targets.places[stroke, last, 0] - targets.places[stroke, time, 0]
            bz = targets.places[stroke, last, 2] - targets.places[stroke, time, 2]
            off = math.sqrt(ax * ax + az * az) - math.sqrt(bx * bx + bz * bz)
            cost += share * samples / 12.0 * targets.weight[stroke, last] * off * off
    return float(cost)


@kernel
def _distance_cost(
    parts: Parts, targets: Targets, x: int, z: int, heading: int, edge: int, target: int, time: int, rate: float
) -> float:
    """Return the cost in seconds of a step from a cell for its time and its distances from the strokes."""
    count, samples = targets.places.shape[1], parts.frames.shape[1]
    sine, cosine = SINES[heading], COSINES[heading]
    total = targets.time_cost * targets.frame_time * parts.length[target]
    share = STROKE_COST * targets.frame_time * parts.length[target] * max(1.0, rate) / samples
    for stroke in range(len(targets.places)):
        seen = targets.seen[stroke]
        for sample in range(samples):
            at = min(time + _advance(parts.frames[target, sample], rate), count - 1)
            weight = targets.weight[stroke, at]
            if weight == 0.0:
                continue
            a, b = parts.places[stroke, edge, sample, 0], parts.places[stroke, edge, sample, 2]
            ex = x * CELL + cosine * a + sine * b - targets.places[stroke, at, 0]
            ey = parts.places[stroke, edge, sample, 1] - targets.places[stroke, at, 1]
            ez = z * CELL + cosine * b - sine * a - targets.places[stroke, at, 2]
            sx = seen[0, 0] * ex + seen[0, 1] * ey + seen[0, 2] * ez
            sy = seen[1, 0] * ex + seen[1, 1] * ey + seen[1, 2] * ez
            sz = seen[2, 0] * ex + seen[2, 1] * ey + seen[2, 2] * ez
            off = targets.pauses[stroke, at] * parts.lifted[stroke, target, sample] * LIFTED * LIFTED
            total += share * (weight * (sx * sx + sy * sy + sz * sz) + off)
    return float(total)


@kernel
def _is_open(moves: Moves, walls: Walls, edge: int, x: int, z: int, heading: int, end: Landing) -> bool:
    """Return whether a step from a cell stays clear of the walls."""
    if walls.ground.clearance.size == 0:
        return True
    return bool(is_clear(moves, walls.ground, edge, x + walls.x, z + walls.z, heading, end))


@kernel
def _beam(
    moves: Moves,
    parts: Parts,
    targets: Targets,
    walls: Walls,
    onward: FloatArray,
    starts: IntArray,
    step_count: int,
    width: int,
) -> tuple[IntArray, IntArray, float]:
    """Return the path [n, 5], the edges [n - 1] and the cost of the best motion; the cost is infinite if none ends."""
    count = targets.places.shape[1]
    state = np.empty((MOST_STATES, 5), np.int32)
    cost = np.empty(MOST_STATES)
    parent, edge_of = np.full(MOST_STATES, -1, np.int32), np.full(MOST_STATES, -1, np.int32)
    following = np.full(MOST_STATES, -1, np.int32)
    heads, many = np.full(count + 1, -1, np.int32), np.zeros(count + 1, np.int64)
    least = np.full(count + 1, np.inf)
    totals, values = np.empty(len(targets.rates)), np.empty(len(targets.rates))
    made, spare = 0, np.int32(-1)  # states so far, and the first of those that were dropped
    for start in range(len(starts)):
        for column in range(4):
            state[made, column] = starts[start, column]
        state[made, 4], cost[made] = 0, 0.0
        following[made], heads[0] = heads[0], made
        many[0] += 1
        made += 1
    for time in range(count):
        numbers, keys = np.empty(many[time], np.int64), np.empty(many[time])
        number = heads[time]
        for place in range(many[time]):
            numbers[place], keys[place] = number, cost[number] + onward[state[number, 0], time]
            number = following[number]
        order = np.argsort(keys, kind="mergesort")
        hashes = 64
        while hashes < 4 * min(width if time > 0 else len(order), len(order)) + 16:
            hashes *= 2
        known = np.full(hashes, -1, np.int64)
        kept = 0
        for place in range(len(order)):
            number = numbers[order[place]]
            if (kept >= width and time > 0) or keys[order[place]] > keys[order[0]] + BUDGET:
                following[number], spare = spare, number
                continue
            node, x, z, heading = state[number, 0], state[number, 1], state[number, 2], state[number, 3]
            key = ((np.int64(node) * 8192 + (x >> 1) + 4096) * 8192 + (z >> 1) + 4096) * HEADINGS + (heading >> 1)
            slot = find_slot(known, key)
            if known[slot] != -1:
                following[number], spare = spare, number
                continue
            known[slot] = key
            kept += 1
            for edge in range(moves.first[node], moves.first[node + 1]):
                target = moves.target[edge]
                if target >= step_count:
                    continue
                end = landing(moves, edge, heading)
                if not _is_open(moves, walls, edge, x, z, heading, end):
                    continue
                base = cost[number] + parts.base[edge] + (end.cost - moves.cost[edge]) / COST_UNIT
                # Of all rates, the most promising two.
                for which, rate in enumerate(targets.rates):
                    totals[which] = base + _distance_cost(parts, targets, x, z, heading, edge, target, time, rate)
                    later = min(time + _advance(parts.length[target], rate), count)
                    values[which] = totals[which] + onward[target, later]
                for _ in range(min(RATES_KEPT, len(values))):
                    chosen = int(np.argmin(values))
                    reached = time + _advance(parts.length[target], targets.rates[chosen])
                    later = min(reached, count)
                    value, values[chosen] = values[chosen], np.inf
                    if value > least[later] + BUDGET:
                        continue
                    least[later] = min(least[later], value)
                    if spare >= 0:
                        other = spare
                        spare = following[other]
                    elif made < MOST_STATES:
                        other = np.int32(made)
                        made += 1
                    else:
                        continue
                    state[other, 0], state[other, 1], state[other, 2] = target, x + end.x, z + end.z
                    state[other, 3], state[other, 4] = (heading + moves.turn[edge]) % HEADINGS, reached
                    cost[other], parent[other], edge_of[other] = totals[chosen], number, edge
                    following[other], heads[later] = heads[later], other
                    many[later] += 1
    best = -1
    number = heads[count]
    while number >= 0:
        if best < 0 or cost[number] < cost[best] or (cost[number] == cost[best] and number < best):
            best = int(number)
        number = following[number]
    steps = 0
    number = best
    while number >= 0:
        steps += 1
        number = parent[number]
    path, edges = np.empty((steps, 5), np.int32), np.empty(max(steps - 1, 0), np.int32)
    number = best
    for place in range(steps - 1, -1, -1):
        path[place] = state[number]
        if place > 0:
            edges[place - 1] = edge_of[number]
        number = parent[number]
    return path, edges, cost[best] if best >= 0 else np.inf
