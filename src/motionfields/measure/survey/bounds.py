"""Bounds of response: the soonest that any controller can face another way, by exact search over transitions.

The farthest turn after t frames obeys L_t(i) = max over the transitions j of i of turn(j) + L_(t-1)(j + 1), so one pass
over the transitions for each frame gives it for all states. A controller cannot face an angle before the farthest turn
comes within the tolerance of it. The bound ignores smoothness, pace and feet, which a task weighs, so a trained
character is slower.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import check_indices, checked_number
from motionfields.control.root_motion import Warp, measure_root_motion
from motionfields.control.transitions import REPLAY, ControlSettings, Transitions, find_transitions, state_parts
from motionfields.field import MotionField
from motionfields.measure.survey.tracks import Tracks, motion_kinds

TOLERANCE = float(np.radians(5.0))  # of the facing, as in the trials of response
LONGEST = 3.0  # seconds that are searched
SHOWN_ANGLES = (30.0, 60.0, 90.0, 135.0, 180.0, -30.0, -60.0, -90.0, -135.0)  # degrees to the left


@dataclass(frozen=True, eq=False)
class TurnBounds:
    """The farthest turns of the facing from every state."""

    left: FloatArray  # [frame + 1, state], radians to the left after this many frames, float32
    right: FloatArray  # [frame + 1, state], the same to the right, negative
    frame_time: float  # seconds

    def seconds(self, states: IntArray, angles: FloatArray, *, tolerance: float = TOLERANCE) -> FloatArray:
        """Return the least time [n] in seconds until the facing of `states` [n] is within `tolerance` of `angles` [n].

        Angles are radians to the left, from -pi to pi. The turn may go either way round. Infinite if it takes longer
        than the bounds reach.
        """
        check_indices("states", states, self.left.shape[1])
        goal = np.asarray(angles, np.float64)
        if not (np.abs(goal) <= np.pi + 1e-9).all():
            raise ValueError("angles: expected radians from -pi to pi")
        ahead = np.where(goal < 0.0, goal + 2.0 * np.pi, goal)
        reached = (self.left[:, states] >= ahead - tolerance) | (
            self.right[:, states] <= ahead - 2.0 * np.pi + tolerance
        )
        frames = np.where(reached.any(axis=0), reached.argmax(axis=0), np.inf)
        return np.where(np.abs(goal) <= tolerance, 0.0, frames * self.frame_time)


def response_bounds(
    field: MotionField,
    *,
    settings: ControlSettings | None = None,
    warp: Warp | None = None,
    transitions: Transitions | None = None,
    seconds: float = LONGEST,
) -> TurnBounds:
    """Return the bounds of turning for every controller that is trained on `field` with `settings` and `warp`.

    By default they are over all candidates of training, so they hold before it. With the `transitions` of a trained
    controller, they are the tighter bounds of that controller. Transitions that lead back in time are left out.
    """
    checked_number("seconds", seconds, 0.0, 60.0)
    motion = measure_root_motion(field.database, warp=warp)
    use = transitions or find_transitions(field, motion, settings or ControlSettings())
    usable = _usable(use)
    count = round(seconds / field.database.frame_time)
    # The variant that turns farthest: a bound may choose it in every frame.
    left = farthest_turns(use.states, usable, motion.turn.max(axis=1), count)
    right = -farthest_turns(use.states, usable, -motion.turn.min(axis=1), count)
    return TurnBounds(left, right, field.database.frame_time)


class TurnTime(NamedTuple):
    """Least time in seconds to turn by one angle: over the states of walking, mean, 95th percentile and maximum."""

    degrees: float  # positive to the left
    mean: float
    p95: float
    longest: float


def turn_times(bounds: TurnBounds, tracks: Tracks, core: BoolArray) -> list[TurnTime]:
    """Return the least times to turn by `SHOWN_ANGLES`, from the states of the `core` [state] that walk straight."""
    walking = np.flatnonzero(motion_kinds(tracks)["straight walk"] & core)
    states = walking if len(walking) else np.flatnonzero(core)
    times = []
    for degrees in SHOWN_ANGLES:
        seconds = bounds.seconds(states, np.full(len(states), np.radians(degrees)))
        p95 = float(np.percentile(seconds, 95.0, method="lower"))
        times.append(TurnTime(degrees, float(seconds.mean()), p95, float(seconds.max())))
    return times


def farthest_turns(targets: IntArray, usable: BoolArray, turn: FloatArray, frame_count: int) -> FloatArray:
    """Return the farthest turn [frame + 1, state] in radians, float32, after up to `frame_count` frames.

    A state may follow its `usable` `targets` [state, transition], each of which turns by `turn` [state].
    """
    count = len(turn)
    following = np.minimum(np.arange(count) + 1, count - 1)
    out = np.zeros((frame_count + 1, count), np.float32)
    for frame in range(frame_count):
        total = (turn + out[frame, following]).astype(np.float32)
        for part in state_parts(count):
            out[frame + 1, part] = np.where(usable[part], total[targets[part]], -np.inf).max(axis=1)
    return out


def _usable(transitions: Transitions) -> BoolArray:
    """Return which transitions [state, transition] may be taken: not blocked, and not back in time if others exist."""
    cost = transitions.costs.min(axis=(2, 3))
    forward = cost < REPLAY
    lowest = cost == cost.min(axis=1, keepdims=True)
    return np.asarray(np.where(forward.any(axis=1, keepdims=True), forward, lowest))
