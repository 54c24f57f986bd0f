"""Tables of a motion field for recovery, computed once: outlines of its states, and their next landings."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray, read_only
from motionfields.base.compiled import kernel, lean_kernel
from motionfields.base.geometry import turn_over_ground, yaw_from_quat
from motionfields.base.geometry.vectors import exponential, multiply, put, quat_of, vector_of
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.runtime.recovery.outline import Figure, place_joints, write_outline

MOST_STATES = 4096  # states that a search looks at; more are thinned out evenly
STANDS = 0.5  # contact vote from which a foot counts as on the ground
NEVER = np.float32(1e3)  # seconds to the next landing where a clip has none


class MotionRows(NamedTuple):
    """The arrays of a database that outlines are computed from, as in a `MotionDatabase`; all are read-only."""

    root_height: FloatArray
    root_tilt: FloatArray
    joint_rotations: FloatArray
    root_step: FloatArray
    root_turn: FloatArray
    joint_turns: FloatArray

    @classmethod
    def of(cls, database: MotionDatabase) -> MotionRows:
        """Return the arrays of `database`."""
        return cls(*(read_only(getattr(database, name)) for name in cls._fields))


class Outlines(NamedTuple):
    """The facts about states that recovery reads; all arrays are read-only.

    Positions are metres in the yaw frame of a state, to the left and ahead of the point below its root.
    """

    pool: IntArray  # [p], the states that a search looks at, in ascending order
    features: FloatArray  # [feature, p], see `write_outline`, float32
    velocity: FloatArray  # [state, 2], ground velocity of the root in m/s, float32
    capture: FloatArray  # [state, 2], capture point, float32
    votes: FloatArray  # [state, 2], contact votes, float32
    feet: FloatArray  # [state, 2, 2], middle of each foot, float32
    foot_speed: FloatArray  # [state, 2], ground speed of the ball of each foot in m/s, float32
    wait: FloatArray  # [state], seconds until the next foot lands, float32; `NEVER` if none does
    side: IntArray  # [state], the foot that lands then: 0 left, 1 right
    spot: FloatArray  # [state, 2], the place where its ball lands, float32


def measure_outlines(field: MotionField, figure: Figure, *, ahead: float) -> Outlines:
    """Return the outlines of the states of `field`; those in the pool have `ahead` seconds of their clip left."""
    database = field.database
    frames = round(ahead / database.frame_time)
    usable = field.findable[database.frames_left[field.findable] >= max(frames, 1)]
    if not len(usable):  # clips that are too short for `ahead`
        usable = field.findable[database.frames_left[field.findable] >= 1]
    pool = np.sort(usable)[:: -(-len(usable) // MOST_STATES)]
    rows = MotionRows.of(database)
    capture = np.empty((database.state_count, 2), np.float32)
    features = np.empty((figure.feature_count, len(pool)), np.float32)
    feet = np.empty((database.state_count, 2, 2), np.float32)
    speed = np.empty((database.state_count, 2), np.float32)
    _measure(figure, rows, read_only(pool), features, capture, feet, speed)
    velocity = (database.root_step[:, ::2] / database.frame_time).astype(np.float32)
    votes = field.state_votes.astype(np.float32)
    arrays = (pool, features, velocity, capture, votes, feet, speed, *next_landings(field, figure))
    return Outlines(*(read_only(np.ascontiguousarray(array)) for array in arrays))


def next_landings(field: MotionField, figure: Figure) -> tuple[FloatArray, IntArray, FloatArray]:
    """Return `wait`, `side` and `spot` of all states of `field`, as in `Outlines`; the left foot first of equal ones.

    A foot lands at the first state of its clip in which it stands again.
    """
    database = field.database
    wait = np.full(database.state_count, NEVER, np.float32)
    side, spot = np.zeros(database.state_count, np.int64), np.zeros((database.state_count, 2), np.float32)
    bounds = zip(database.clip_starts[:-1], database.clip_starts[1:], strict=True)
    for clip, (start, end) in zip(database.iter_source_clips(), bounds, strict=True):
        stands = field.state_votes[start:end] >= STANDS
        frames, sides = np.nonzero(stands[1:] & ~stands[:-1])
        places, frames = clip.world().positions, frames + 1
        now = np.arange(end - start)
        event = np.searchsorted(frames, now, side="right")
        now, event = now[event < len(frames)], event[event < len(frames)]
        landing, foot = frames[event], sides[event]
        way = places[landing, figure.feet[foot, 1]] - places[now, 0]
        yaw = yaw_from_quat(clip.rotations[now, 0].astype(np.float64))
        wait[start + now] = (landing - now) * database.frame_time
        side[start + now] = foot
        spot[start + now] = turn_over_ground(way[:, ::2], -yaw)
    return wait, side, spot


@lean_kernel
def outline_state(
    figure: Figure,
    rows: MotionRows,
    state: int,
    features: FloatArray,
    capture: FloatArray,
    places: FloatArray,
    rates: FloatArray,
    rotations: FloatArray,
    worlds: FloatArray,
) -> None:
    """Fill the `features` [feature] and the `capture` point [2] of a database state; the rest is scratch memory."""
    # The pose one frame later first, so that the places of the pose itself are left at the end.
    count = len(figure.parents)
    root = rates[count]
    root[0], root[1], root[2] = 0.0, float(rows.root_height[state]), 0.0
    for c in range(3):
        root[c] += rows.root_step[state, c]
    turn = exponential(vector_of(rows.root_turn[state]))
    put(multiply(turn, quat_of(rows.root_tilt[state])), rotations[0])
    for joint in range(count - 1):
        turn = exponential(vector_of(rows.joint_turns[state, joint]))
        put(multiply(turn, quat_of(rows.joint_rotations[state, joint])), rotations[joint + 1])
    place_joints(figure, root, rotations, places, worlds)
    for joint in range(count + 1):
        put(vector_of(places[joint]), rates[joint])
    root = places[count]
    root[0], root[1], root[2] = 0.0, float(rows.root_height[state]), 0.0
    put(quat_of(rows.root_tilt[state]), rotations[0])
    for joint in range(count - 1):
        put(quat_of(rows.joint_rotations[state, joint]), rotations[joint + 1])
    place_joints(figure, root, rotations, places, worlds)
    for joint in range(count + 1):
        for c in range(3):
            rates[joint, c] = (rates[joint, c] - places[joint, c]) / figure.frame_time
    write_outline(figure, places, rates, 0.0, features, capture)


@kernel
def _measure(
    figure: Figure,
    rows: MotionRows,
    pool: IntArray,
    features: FloatArray,
    capture: FloatArray,
    feet: FloatArray,
    speed: FloatArray,
) -> None:
    """Fill `features` [feature, p] of the states `pool` [p], and `capture`, `feet` and `foot_speed` of all states."""
    count = len(figure.parents)
    places, rates = np.empty((count + 1, 3)), np.empty((count + 1, 3))
    rotations, worlds = np.empty((count, 4)), np.empty((count, 4))
    row, point = np.empty(features.shape[0]), np.empty(2)
    place = 0
    for state in range(len(rows.root_height)):
        outline_state(figure, rows, state, row, point, places, rates, rotations, worlds)
        capture[state, 0], capture[state, 1] = point[0], point[1]
        for side in range(2):
            ankle, ball = places[figure.feet[side, 0]], places[figure.feet[side, 1]]
            feet[state, side, 0], feet[state, side, 1] = 0.5 * (ankle[0] + ball[0]), 0.5 * (ankle[2] + ball[2])
            rate = rates[figure.feet[side, 1]]
            speed[state, side] = math.hypot(rate[0], rate[2])
        if place < len(pool) and pool[place] == state:
            for feature in range(len(row)):
                features[feature, place] = row[feature]
            place += 1
