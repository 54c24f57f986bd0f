"""Short clips of one step each as actions: the turn and way of each, and the jump from each to each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from motionfields.authoring.plan.steps import HALF_LIFE, relative, settled_places
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.checks import checked_count
from motionfields.base.errors import MotionError
from motionfields.base.geometry import turn_over_ground
from motionfields.control.methods.graph.cutting import LEFT, RIGHT, StepClips, cut_steps
from motionfields.control.root_motion import RootMotion
from motionfields.control.transitions import jump_features
from motionfields.field import MotionField

LONGEST: Final = 1.0  # seconds of a step
LEAST_WAY: Final = 0.3  # metres ahead
NEAR_TURN: Final = 0.05  # radians of turn that count as much as a jump of 1 m/s2 when steps are chosen
TAIL: Final = 0.02  # share of the steps at either end of the turns that are left out


@dataclass(frozen=True, eq=False)
class StepActions:
    """Steps of a field with what they do, in the frame of the facing at their start."""

    steps: StepClips  # [n]
    moves: FloatArray  # [n, 3], metres to the left and ahead, radians of turn to the left
    jumps: FloatArray  # [n, n], m/s2, mean jump of the joints' acceleration from one to the next; infinite: other foot

    @property
    def turns(self) -> FloatArray:
        """Turn [n] of the facing to the left in radians."""
        return self.moves[:, 2]

    def take(self, rows: IntArray) -> StepActions:
        """Return the steps `rows` [m]."""
        return StepActions(StepClips(*(part[rows] for part in self.steps)), self.moves[rows], self.jumps[rows][:, rows])


def walking_steps(field: MotionField, root_motion: RootMotion) -> StepActions:
    """Return all steps of `field` that walk ahead, from the middle of one foot's stance to that of the other.

    A step is attached with its facing along that of the step before; jumps are measured so.
    """
    database = field.database
    found = cut_steps(database)
    places = settled_places(field, root_motion)
    facing = root_motion.facing
    ground = np.concatenate([places[:, :2], (places[:, 2] + facing)[:, np.newaxis]], axis=1)
    moves = relative(ground[found.start], ground[found.end])
    keep = (found.length * database.frame_time <= LONGEST) & (moves[:, 1] >= LEAST_WAY) & (found.foot != found.end_foot)
    if not keep.any():
        raise MotionError("no clip has a step ahead; clips of walking are needed")
    steps = StepClips(*(part[keep] for part in found))
    features = jump_features(database, root_motion, half_life=HALF_LIFE)[:, 0]
    ends, starts = (_facing_features(features[rows], facing[rows]) for rows in (steps.end, steps.start))
    jumps = np.stack([np.linalg.norm(end - starts, axis=-1).sum(axis=1) for end in ends])
    jumps[steps.end_foot[:, np.newaxis] != steps.foot] = np.inf
    return StepActions(steps, moves[keep], jumps)


def _facing_features(features: FloatArray, facing: FloatArray) -> FloatArray:
    """Return `features` [n, joint, 3], given in yaw frames, in the frames of the `facing` [n]."""
    out = features.astype(np.float64)
    out[..., ::2] = turn_over_ground(out[..., ::2], -facing[:, np.newaxis])
    return out


def choose_steps(actions: StepActions, count: int) -> StepActions:
    """Return `count` steps, half of them of each foot, whose turns cover those of `actions` evenly.

    Of steps with a similar turn, the one that connects to the others with the least jump is taken.
    """
    checked_count("count", count, 2)
    chosen: list[int] = []
    smooth = _mean_jumps(actions)
    for foot in (LEFT, RIGHT):
        own = np.flatnonzero(actions.steps.foot == foot)
        if not len(own):
            raise MotionError("expected steps of both feet")
        low, high = np.quantile(actions.turns[own], (TAIL, 1.0 - TAIL))
        for turn in np.linspace(low, high, count // 2):
            cost = np.abs(actions.turns[own] - turn) / NEAR_TURN + smooth[own]
            cost[np.isin(own, chosen)] = np.inf
            chosen.append(int(own[cost.argmin()]))
    return actions.take(np.array(chosen))


def _mean_jumps(actions: StepActions) -> FloatArray:
    """Return the mean jump [n] in m/s2 into each step and out of it, over the steps that fit."""
    fits = np.isfinite(actions.jumps)
    jumps = np.where(fits, actions.jumps, 0.0)
    into, out = jumps.sum(axis=0) / np.maximum(fits.sum(axis=0), 1), jumps.sum(axis=1) / np.maximum(fits.sum(axis=1), 1)
    return np.asarray(0.5 * (into + out))
