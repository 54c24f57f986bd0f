"""Steps: one-step clips of a field, measured on motion with held feet, and the changes from one to the next.

Ground poses are arrays [..., 3]: x to the left and z ahead in metres, and the turn to the left in radians.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import check_fields, checked_number
from motionfields.base.errors import MotionError
from motionfields.base.geometry import turn_over_ground, wrap_angle
from motionfields.control.methods.graph.cutting import BOTH, StepClips, cut_steps
from motionfields.control.methods.graph.links import Joints, standing_foot
from motionfields.control.root_motion import RootMotion
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.planting.holding import root_shift

HALF_LIFE: Final = 0.18  # seconds: of the spring in the measure of jumps, see `Joints`
STILL_SPEED: Final = 0.2  # m/s of the root below which a step begins or ends standing
STILL_TIME: Final = 0.15  # seconds of that before the end or after the start
IDLE_WAY: Final = 0.1  # metres
IDLE_TURN: Final = math.radians(10.0)
MOST_EFFORT: Final = 1e4  # (N m/kg)^2
ROWS_AT_ONCE: Final = 256  # ends of steps whose links are measured at once


@dataclass(frozen=True)
class StepSettings:
    """Settings of a step graph.

    A step lasts at most `longest` seconds. It may be followed by its successor in the data and by up to `branching`
    other steps whose mean jump of the joints' acceleration is at most `most_jump` m/s2; these may be turned by up to
    `most_pivot` radians to fit the planted foot.

    Costs are in seconds: those that a step lasts, `jump_cost` for each m/s2 of jump, and `warp_cost` times the square
    of each remainder by which a step is changed to land on the lattice, in cells and in lattice angles.

    With an `effort_cost`, a step also costs that many seconds for each unit of effort and second. The effort of each
    state is the column "effort" of the database, in (N m/kg)^2; `state_effort` measures it.

    With `standing`, parts of a long stance in which the root hardly moves are steps too: motions of the arms and of the
    upper body, for sketches. Plans take longer with them.
    """

    longest: float = 1.6
    branching: int = 12
    most_jump: float = 3.0
    most_pivot: float = math.radians(20.0)
    jump_cost: float = 0.08
    warp_cost: float = 0.1
    standing: bool = False
    effort_cost: float = 0.0

    def __post_init__(self) -> None:
        check_fields(self)
        checked_number("longest", self.longest, 0.3, 10.0)
        checked_number("branching", self.branching, 1, 1000)
        checked_number("most_jump", self.most_jump, 0.0, 1000.0)
        checked_number("most_pivot", self.most_pivot, 0.0, math.pi)
        checked_number("jump_cost", self.jump_cost, 0.0, 100.0)
        checked_number("warp_cost", self.warp_cost, 0.0, 100.0)
        checked_number("effort_cost", self.effort_cost, 0.0, 100.0)


class Links(NamedTuple):
    """Changes from the end of one step to the start of another."""

    source: IntArray  # [link], steps, rising
    target: IntArray  # [link], steps
    jump: FloatArray  # [link], m/s2; 0 where the target follows in the data
    pivot: FloatArray  # [link, 3], ground pose of the target's start in the frame of the source's end


def composed(outer: FloatArray, inner: FloatArray) -> FloatArray:
    """Return `inner` [..., 3], ground poses in the frames of `outer` [..., 3], as ground poses beside `outer`."""
    place = outer[..., :2] + turn_over_ground(inner[..., :2], outer[..., 2])
    return np.concatenate([place, (outer[..., 2] + inner[..., 2])[..., np.newaxis]], axis=-1)


def relative(outer: FloatArray, inner: FloatArray) -> FloatArray:
    """Return the ground poses `inner` [..., 3] as seen from `outer` [..., 3]; undoes `composed`."""
    place = turn_over_ground(inner[..., :2] - outer[..., :2], -outer[..., 2])
    return np.concatenate([place, (inner[..., 2] - outer[..., 2])[..., np.newaxis]], axis=-1)


def accumulated(steps: FloatArray) -> FloatArray:
    """Return the ground poses [n + 1, 3] of a root that starts at 0 and moves by `steps` [n, 3] in its own frame."""
    out = np.zeros((len(steps) + 1, 3))
    for n, step in enumerate(steps):
        out[n + 1] = composed(out[n], step)
    return out


def settled_places(field: MotionField, root_motion: RootMotion) -> FloatArray:
    """Return the ground pose [state, 3] of every state in its take, with the root moved along with its held feet.

    A take begins at the origin. Without this, holding the feet of a planned motion would move its end.
    """
    database = field.database
    places = np.zeros((database.state_count, 3))
    takes = zip(database.iter_source_clips(), database.clip_starts[:-1], database.clip_starts[1:], strict=True)
    for clip, first, end in takes:
        states = slice(first, end)
        contacts = field.state_votes[states] >= 0.5
        shift = root_shift(clip, np.concatenate([contacts, contacts[-1:]]))[:-1]
        places[states, :2] = clip.root_position[:-1, ::2] + shift
        places[states, 2] = np.concatenate([[0.0], np.cumsum(root_motion.yaw_turn[states, 0])[:-1]])
    return places


def state_effort(field: MotionField) -> FloatArray:
    """Return the effort [state] of every state in (N m/kg)^2, by inverse dynamics. Needs the extra `physics`."""
    from motionfields.runtime.physics.effort import measure_effort

    database = field.database
    out = np.empty(database.state_count)
    takes = zip(database.iter_source_clips(), database.clip_starts[:-1], database.clip_starts[1:], strict=True)
    for clip, first, end in takes:
        contacts = field.state_votes[first:end] >= 0.5
        out[first:end] = measure_effort(clip, np.concatenate([contacts, contacts[-1:]])).squares[:-1]
    return out


def effort_seconds(database: MotionDatabase, settings: StepSettings, steps: StepClips) -> FloatArray:
    """Return the cost [step] in seconds of the effort of `steps`; ValueError if `database` lacks the column."""
    if settings.effort_cost == 0.0:
        return np.zeros(len(steps.start))
    column = database.columns.get("effort")
    if column is None or column.ndim != 1 or not ((column >= 0.0) & (column <= MOST_EFFORT)).all():
        raise ValueError(
            f'effort_cost: expected a column "effort" of the database with numbers from 0 to {MOST_EFFORT:g}; '
            "`state_effort` measures them"
        )
    total = np.concatenate([[0.0], np.cumsum(column.astype(np.float64))])
    return np.asarray(settings.effort_cost * database.frame_time * (total[steps.end] - total[steps.start]))


def find_steps(database: MotionDatabase, settings: StepSettings, places: FloatArray, *, idle: bool) -> StepClips:
    """Return the steps of `database` that are short enough; `MotionError` if there are none.

    Without `idle`, parts of a long stance on both feet in which the root, at `places` [state, 3], hardly moves or turns
    are left out: a search would try them in every order before it goes on.
    """
    clips = cut_steps(database, standing=True)
    own = relative(places[clips.start], places[clips.end])
    still = (np.linalg.norm(own[:, :2], axis=1) < IDLE_WAY) & (np.abs(own[:, 2]) < IDLE_TURN)
    still &= (clips.foot == BOTH) & (clips.end_foot == BOTH)
    short = (clips.length * database.frame_time <= settings.longest) & (idle | ~still)
    if not short.any():
        raise MotionError(f"no clip has a step of at most {settings.longest:g} s; clips of walking are needed")
    return StepClips(*(column[short] for column in clips))


def standing_ends(database: MotionDatabase, steps: StepClips, places: FloatArray) -> tuple[BoolArray, BoolArray]:
    """Return which steps [step] begin standing on both feet, and which end so."""
    frames = max(1, round(STILL_TIME / database.frame_time))
    found = []
    for rows, feet, side in ((steps.start, steps.foot, 1), (steps.end, steps.end_foot, -1)):
        first, last = database.clip_starts[database.clip_of[rows]], database.clip_starts[database.clip_of[rows] + 1] - 1
        other = np.clip(rows + side * frames, first, last)
        way = np.linalg.norm(places[other, :2] - places[rows, :2], axis=-1)
        time = np.abs(other - rows) * database.frame_time
        found.append((feet == BOTH) & (way <= STILL_SPEED * np.maximum(time, 1e-9)))
    return found[0], found[1]


def find_links(field: MotionField, root_motion: RootMotion, steps: StepClips, settings: StepSettings) -> Links:
    """Return the links of `steps`: to the successor in the data, and to the others with the least jumps.

    Ties go to the lower step.
    """
    joints = Joints.of(field.database, root_motion, half_life=HALF_LIFE)
    at = np.full(field.database.state_count, -1, np.int64)
    at[steps.start] = np.arange(len(steps.start))
    successor = at[steps.end]
    sources, targets, jumps, turns = [], [], [], []
    for first in range(0, len(steps.end), ROWS_AT_ONCE):
        rows = np.arange(first, min(first + ROWS_AT_ONCE, len(steps.end)))
        found = joints.links(steps.end[rows], steps.end_foot[rows], steps)
        costs = np.where(np.abs(found.turns) <= settings.most_pivot, found.costs, np.float32(np.inf))
        natural = successor[rows]
        costs[np.flatnonzero(natural >= 0), natural[natural >= 0]] = -1.0  # comes first, and costs nothing
        count = min(settings.branching + 1, costs.shape[1])
        best = _smallest(costs, count)
        chosen = np.take_along_axis(costs, best, axis=1)
        place = np.cumsum(chosen >= 0.0, axis=1)
        kept = (chosen <= settings.most_jump) & (place <= settings.branching)
        sources.append(np.broadcast_to(rows[:, np.newaxis], best.shape)[kept])
        targets.append(best[kept])
        jumps.append(np.maximum(chosen[kept], 0.0))
        turns.append(np.where(chosen < 0.0, 0.0, np.take_along_axis(found.turns, best, axis=1))[kept])
    source, target = np.concatenate(sources), np.concatenate(targets)
    turn = np.concatenate(turns).astype(np.float64)
    foot = standing_foot(steps.end_foot[source], steps.foot[target])
    shift = joints.shift(steps.end[source], steps.start[target], foot, turn)
    shift[steps.end[source] == steps.start[target]] = 0.0
    pivot = np.concatenate([shift, turn[:, np.newaxis]], axis=1)
    return Links(source, target, np.concatenate(jumps).astype(np.float32), pivot)


def _smallest(costs: FloatArray, count: int) -> IntArray:
    """Return the columns [row, count] of the smallest `costs` [row, column], in order; ties to the lower column."""
    edge = np.partition(costs, count - 1, axis=1)[:, count - 1]
    found = np.empty((len(costs), count), np.int64)
    for row, most in enumerate(edge):
        near = np.flatnonzero(costs[row] <= most)
        found[row] = near[np.argsort(costs[row, near], kind="stable")[:count]]
    return found


def largest_core(count: int, source: IntArray, target: IntArray) -> BoolArray:
    """Return which of `count` nodes [node] are in the largest set whose members can all reach each other.

    Links lead from `source` [link] to `target` [link]. Of sets of the same size, the one with the first node is taken.
    """
    graph = csr_array((np.ones(len(source), np.int8), (source, target)), shape=(count, count))
    _, label = connected_components(graph, directed=True, connection="strong")
    return np.asarray(label == _most_frequent(label))


def _most_frequent(label: IntArray) -> int:
    counts = np.bincount(label)
    return int(label[np.argmax(counts[label])])


def facing_at(root_motion: RootMotion, rows: IntArray) -> FloatArray:
    """Return the facing [n] in radians of the states `rows` [n], relative to the yaw of their roots."""
    return np.asarray(wrap_angle(root_motion.facing[rows]))
