"""A model of foot locking on the ground plane, for futures.

Foot locking holds a standing foot where it is and moves the root instead. After a second this moves a character by
several centimetres, so futures have to account for it. Locking itself needs whole poses. This model keeps only the
balls of the feet, seen from above: where they would be displayed, with the spring that smooths transitions, and where
they are locked. It follows `motionfields.motion.planting`, without pivoting and without legs that are too short.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, read_only
from motionfields.base.compiled import lean_kernel
from motionfields.base.geometry import turn_over_ground
from motionfields.base.springs import damp, spring_stiffness
from motionfields.control.contract import Controller
from motionfields.control.transitions import Stances
from motionfields.motion.planting.curves import damped
from motionfields.runtime.planters import PLANTING

# Columns of a foot: offset and rate of the smoothing spring, whether it is locked, its anchor, its last vote, where it
# was displayed last, and the seconds until it may lock again. All places are in metres, x and z.
OFF, RATE, LOCKED, ANCHOR, VOTE, LAST, WAIT = 0, 2, 4, 5, 7, 8, 10
FOOT_SIZE: Final = 11
# Columns of a root: offset and rate of its own spring, and the velocity of the shift.
ROOT_OFF, ROOT_RATE, SHIFT_RATE = 0, 2, 4
ROOT_SIZE: Final = 6


class Footing(NamedTuple):
    """The tables and numbers of the model; arrays are read-only."""

    balls: FloatArray  # [state, foot, 2], metres, x and z in the yaw frame of the root
    ball_rates: FloatArray  # [state, foot, 2], m/s, in the yaw frame of the root at the state
    votes: FloatArray  # [state, foot], contact votes, 0 to 1
    root_step: FloatArray  # [state, 3], metres, as in a `MotionDatabase`
    yaw_turn: FloatArray  # [state, variant], radians
    stiffness: float  # per second, of the springs of the pose
    decay: float  # of these springs in a frame
    root_stiffness: float  # per second, of the spring of the root
    root_decay: float
    frame_time: float  # seconds
    lock_vote: float  # the rest as in `PlantingSettings`
    release_vote: float
    lock_lead: float
    release_lead: float
    stop_time: float
    root_time: float
    root_haste: float
    furthest: float
    wait_time: float

    @classmethod
    def of(cls, controller: Controller) -> Footing:
        """Return the model for the characters of `controller` with the foot locking of crowds."""
        field, root_motion = controller.field, controller.root_motion
        database = field.database
        balls = Stances.of(field).balls[..., ::2].astype(np.float64)
        following = np.minimum(np.arange(len(balls)) + 1, len(balls) - 1)
        turned = turn_over_ground(balls[following], np.repeat(root_motion.yaw_turn[:, :1], 2, axis=1))
        rates = np.where((database.frames_left >= 1)[:, np.newaxis, np.newaxis], turned - balls, 0.0)
        pose, place = (spring_stiffness(half_life) for half_life in controller.half_lives)
        return cls(
            read_only(balls),
            read_only(rates / database.frame_time),
            read_only(field.state_votes),
            read_only(database.root_step),
            read_only(root_motion.yaw_turn),
            pose,
            math.exp(-pose * database.frame_time),
            place,
            math.exp(-place * database.frame_time),
            database.frame_time,
            *(float(getattr(PLANTING, name)) for name in cls._fields[10:]),
        )


@lean_kernel
def stand(footing: Footing, state: int, yaw: float, feet: FloatArray, root: FloatArray) -> None:
    """Let a character begin at `state` at the origin: fills `feet` [2, FOOT_SIZE] and `root` [ROOT_SIZE]."""
    for c in range(ROOT_SIZE):
        root[c] = 0.0
    sine, cosine = math.sin(yaw), math.cos(yaw)
    for side in range(2):
        foot, ball = feet[side], footing.balls[state, side]
        for c in range(FOOT_SIZE):
            foot[c] = 0.0
        x, z = cosine * ball[0] + sine * ball[1], cosine * ball[1] - sine * ball[0]
        foot[VOTE] = footing.votes[state, side]
        foot[LOCKED] = 1.0 if foot[VOTE] >= footing.lock_vote else 0.0
        foot[ANCHOR], foot[ANCHOR + 1], foot[LAST], foot[LAST + 1] = x, z, x, z


@lean_kernel
def walk(
    footing: Footing,
    old: int,
    chosen: int,
    variant: int,
    ground: tuple[float, float, float],
    feet: FloatArray,
    root: FloatArray,
) -> tuple[float, float, float]:
    """Return x, z and yaw of a root one frame after `ground`, if it follows `chosen` from the state `old`."""
    x, z, yaw = ground
    dt = footing.frame_time
    sine, cosine = math.sin(yaw), math.cos(yaw)
    step = footing.root_step
    if chosen != old:
        jump_x, jump_z = step[old, 0] - step[chosen, 0], step[old, 2] - step[chosen, 2]
        root[ROOT_RATE] += (cosine * jump_x + sine * jump_z) / dt
        root[ROOT_RATE + 1] += (cosine * jump_z - sine * jump_x) / dt
        for side in range(2):
            foot = feet[side]
            for table, place in ((footing.balls, OFF), (footing.ball_rates, RATE)):
                jump_x = table[old, side, 0] - table[chosen, side, 0]
                jump_z = table[old, side, 1] - table[chosen, side, 1]
                foot[place] += cosine * jump_x + sine * jump_z
                foot[place + 1] += cosine * jump_z - sine * jump_x
    x += cosine * step[chosen, 0] + sine * step[chosen, 2]
    z += cosine * step[chosen, 2] - sine * step[chosen, 0]
    yaw += footing.yaw_turn[chosen, variant]
    sine, cosine = math.sin(yaw), math.cos(yaw)
    damp(root[ROOT_OFF:ROOT_RATE], root[ROOT_RATE:SHIFT_RATE], footing.root_stiffness, footing.root_decay, dt)
    gap_x, gap_z, count = 0.0, 0.0, 0
    for side in range(2):
        foot, ball = feet[side], footing.balls[chosen + 1, side]
        damp(foot[OFF:RATE], foot[RATE:LOCKED], footing.stiffness, footing.decay, dt)
        if foot[LOCKED] > 0.0:
            gap_x += foot[ANCHOR] - (x + root[ROOT_OFF] + foot[OFF] + cosine * ball[0] + sine * ball[1])
            gap_z += foot[ANCHOR + 1] - (z + root[ROOT_OFF + 1] + foot[OFF + 1] + cosine * ball[1] - sine * ball[0])
            count += 1
    gap_x, gap_z = gap_x / max(count, 1), gap_z / max(count, 1)
    duration = footing.root_time / (1.0 + (gap_x * gap_x + gap_z * gap_z) / footing.root_haste**2)
    shift_x, root[SHIFT_RATE] = damped(0.0, root[SHIFT_RATE], gap_x, duration, dt)
    shift_z, root[SHIFT_RATE + 1] = damped(0.0, root[SHIFT_RATE + 1], gap_z, duration, dt)
    x, z = x + shift_x, z + shift_z
    for side in range(2):
        foot, ball = feet[side], footing.balls[chosen + 1, side]
        ball_x = x + root[ROOT_OFF] + foot[OFF] + cosine * ball[0] + sine * ball[1]
        ball_z = z + root[ROOT_OFF + 1] + foot[OFF + 1] + cosine * ball[1] - sine * ball[0]
        _lock_or_release(footing, foot, footing.votes[chosen + 1, side], ball_x, ball_z)
    return x, z, yaw


@lean_kernel
def _lock_or_release(footing: Footing, foot: FloatArray, vote: float, x: float, z: float) -> None:
    """Decide whether the `foot` whose ball is animated at `x`, `z` is locked, as `planting.feet.lock_or_release`."""
    rise = (vote - foot[VOTE]) / footing.frame_time
    foot[VOTE] = vote
    foot[WAIT] = max(0.0, foot[WAIT] - footing.frame_time)
    if foot[LOCKED] > 0.0:
        off = math.hypot(foot[ANCHOR] - x, foot[ANCHOR + 1] - z)
        if off > footing.furthest:
            foot[WAIT] = footing.wait_time
        if off > footing.furthest or vote + rise * footing.release_lead < footing.release_vote:
            foot[LOCKED] = 0.0
    elif vote + rise * footing.lock_lead >= footing.lock_vote and foot[WAIT] <= 0.0:
        ahead = 0.5 * (footing.stop_time + footing.frame_time) / footing.frame_time
        foot[LOCKED] = 1.0
        foot[ANCHOR], foot[ANCHOR + 1] = x + ahead * (x - foot[LAST]), z + ahead * (z - foot[LAST + 1])
    foot[LAST], foot[LAST + 1] = x, z
