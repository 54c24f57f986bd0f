"""The choice of action in passive synthesis: the paper's similarity weights, and named departures from them.

The paper follows the similarity weights of eq. 2. On walking data this has two outcomes: the character locks onto one
clip and replays it, or it averages out-of-phase neighbours into a shuffle. The departures defined here avoid both. Each
can be switched off separately, `docs/passive.md` shows the effect of each, and `PAPER` switches all of them off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import check_fields, checked_seed
from motionfields.base.compiled import kernel

TAIL = 45  # states at the end of a clip (at most a third of it) that passive synthesis leaves out
STILL_TIME = 0.5  # seconds; passive synthesis leaves out states that stand still for at least this long


@dataclass(frozen=True)
class PassiveSettings:
    """Settings of passive synthesis. Distances are relative to the data's own spacing, see `MotionField`.

    `candidate_count` is the number of nearest states considered. Of states at most `frame_gap` frames apart in one clip
    only the nearest is kept, so that a neighbourhood holds different moments instead of one moment many times.

    `softness` is the width of a Gaussian that replaces eq. 2, under which the nearest state can take all the weight; 0
    keeps eq. 2.

    A *leader* is a database state that advances by one frame every frame and has at least `lead_share` of the weight:
    an action of eq. 8 held for some time. A new leader is drawn when the current one has led for `lead_time` seconds
    and another is available, is farther than `lead_reach` away, or reaches a dead end. All neighbours within
    `lead_reach` are equally likely, except frames that were just played; if none is within reach, the draw is among all
    neighbours that were not just played. The share of a new leader grows over `lead_ease` seconds. The drift pulls
    towards the leader. A `lead_share` of 0 means no leader.

    `homing` lets the drift grow with the distance to the data where that exceeds the data's own 95th percentile, up to
    this factor, so that a character far from the data returns sooner. 1 is the paper's constant drift.

    Characters may follow a clip into a dead end, but the search never returns one, because a character without a task
    would never leave it. `tail` is the number of states left out at the end of a clip (at most the last third of a
    short clip); 1 leaves out only the last state, which has no next one. States that stand still for the next half
    second are left out unless `standing` is true. States outside the core, from which no transition leads back to the
    rest of the data, are always left out.
    """

    candidate_count: int = 45
    frame_gap: int = 6
    softness: float = 1.0
    lead_share: float = 0.85
    lead_time: float = 1.0
    lead_reach: float = 2.0
    lead_ease: float = 0.1
    homing: float = 2.0
    tail: int = TAIL
    standing: bool = False

    def __post_init__(self) -> None:
        check_fields(self, endless=("lead_time", "lead_reach", "homing"))
        for name, low, high in (
            ("candidate_count", 1, np.inf),
            ("frame_gap", 0, np.inf),
            ("softness", 0.0, np.inf),
            ("lead_share", 0.0, 1.0),
            ("lead_time", 0.0, np.inf),
            ("lead_reach", 0.0, np.inf),
            ("lead_ease", 0.0, np.inf),
            ("homing", 1.0, np.inf),
            ("tail", 1, np.inf),
        ):
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name}: expected {low:g} to {high:g}, got {getattr(self, name)}")


PAPER = PassiveSettings(candidate_count=1, frame_gap=0, softness=0.0, lead_share=0.0, homing=1.0)
"""Settings of the paper: the similarity weights of eq. 2 are the action."""


class Leaders(NamedTuple):
    """The database state that leads each character."""

    states: IntArray  # [n], database states; -1 for none yet
    ages: IntArray  # [n], number of frames each has led

    @classmethod
    def none(cls, count: int) -> Leaders:
        """Return leaders for `count` characters that have none yet."""
        return cls(np.full(count, -1), np.zeros(count, np.int64))

    def advanced(self) -> Leaders:
        """Return the leaders one frame later."""
        return Leaders(self.states + 1, self.ages + 1)


def soft_weights(distances: FloatArray, width: float) -> FloatArray:
    """Return weights [n, k] that fall off as a Gaussian of `width` beyond the nearest and reach 0 at the farthest.

    `distances` [n, k] are sorted; infinite ones get no weight. A weight of 0 at the farthest neighbour keeps the
    weights continuous as states enter and leave the neighbourhood.
    """
    known = np.isfinite(distances)
    squares = np.where(known, distances, 0.0).astype(np.float64) ** 2
    farthest = squares.max(axis=-1, keepdims=True)
    fall = np.exp(-(squares - squares[:, :1]) / width**2)
    edge = np.maximum(1.0 - squares / np.where(farthest > 0.0, farthest, 1.0), 1e-12)
    raw = np.where(known, fall * edge, 0.0)
    return np.asarray(raw / ordered_sum(raw)[:, np.newaxis])


def ordered_sum(values: FloatArray) -> FloatArray:
    """Return the sum [n] over the columns of `values` [n, k], added from left to right so that its bits are defined."""
    total = values[:, 0].copy()
    for column in range(1, values.shape[1]):
        total += values[:, column]
    return total


@kernel
def spread_out(
    states: IntArray, distances: FloatArray, clip_of: IntArray, frame_gap: int, keep_count: int
) -> tuple[IntArray, FloatArray]:
    """Return the nearest `keep_count` of `states` [n, c] that are more than `frame_gap` frames apart within a clip.

    `states` are sorted by their `distances` [n, c], nearest first. Places that cannot be filled repeat the nearest one
    at an infinite distance.
    """
    count = states.shape[0]
    kept_states = np.empty((count, keep_count), states.dtype)
    kept_distances = np.empty((count, keep_count), distances.dtype)
    for i in range(count):
        kept = 0
        for c in range(states.shape[1]):
            state = states[i, c]
            # Candidates come nearest first, so a kept state always beats later ones of the same moment.
            fresh = True
            for other in range(kept):
                near = kept_states[i, other]
                if abs(near - state) <= frame_gap and clip_of[near] == clip_of[state]:
                    fresh = False
                    break
            if fresh:
                kept_states[i, kept] = state
                kept_distances[i, kept] = distances[i, c]
                kept += 1
                if kept == keep_count:
                    break
        for place in range(kept, keep_count):
            kept_states[i, place] = states[i, 0]
            kept_distances[i, place] = np.inf
    return kept_states, kept_distances


def draw_leaders(
    leaders: Leaders, stale: BoolArray, states: IntArray, choices: Sequence[BoolArray], chance: FloatArray
) -> Leaders:
    """Return `leaders` with the `stale` ones replaced by a uniform draw from the eligible `states` [n, k].

    Each of `choices` ([n, k] each) marks eligible states, in order of preference: the first with any eligible state is
    used. If none has one, the nearest neighbour leads. `chance` [n], from 0 to 1, selects the row.
    """
    options = np.broadcast_to(np.arange(states.shape[1]) == 0, states.shape)
    for choice in reversed(choices):
        options = np.where(choice.any(axis=-1, keepdims=True), choice, options)
    places = np.cumsum(options, axis=-1)
    wanted = np.minimum(np.floor(chance * places[:, -1]).astype(np.int64), places[:, -1] - 1) + 1
    drawn = states[np.arange(len(states)), (places == wanted[:, np.newaxis]).argmax(axis=-1)]
    return Leaders(np.where(stale, drawn, leaders.states), np.where(stale, 0, leaders.ages))


def ahead_of(leaders: Leaders, states: IntArray, clip_of: IntArray, frame_count: int) -> BoolArray:
    """Return which `states` [n, k] are not among the last `frame_count` frames that led, to avoid loops."""
    back = leaders.states[:, np.newaxis] - states
    own_clip = clip_of[states] == clip_of[leaders.states][:, np.newaxis]
    return np.asarray((leaders.states < 0)[:, np.newaxis] | ~own_clip | (back < 0) | (back > frame_count))


def add_leader(
    weights: FloatArray, states: IntArray, leader: IntArray, share: FloatArray
) -> tuple[IntArray, FloatArray]:
    """Return neighbours and weights [n, k + 1] in which `leader` [n] has at least `share` [n] of the weight.

    The other neighbours share the rest in proportion to `weights` [n, k].
    """
    own = np.where(states == leader[:, np.newaxis], weights, 0.0).sum(axis=-1)
    lifted = np.maximum(share - own, 0.0) / np.maximum(1.0 - own, 1e-12)
    return (
        np.concatenate([states, leader[:, np.newaxis]], axis=1),
        np.concatenate([weights * (1.0 - lifted)[:, np.newaxis], lifted[:, np.newaxis]], axis=1),
    )


def uniform_draws(seed: int, characters: IntArray, frame: int) -> FloatArray:
    """Return a number [n] in [0, 1) for each character and frame, independent of the batch (splitmix64)."""
    with np.errstate(over="ignore"):
        mixed: NDArray[np.uint64] = np.asarray(characters).astype(np.uint64)
        for part in (np.uint64(checked_seed(seed)), np.uint64(frame)):
            mixed = _scrambled(mixed * np.uint64(0x9E3779B97F4A7C15) + part + np.uint64(1))
    return np.asarray((mixed >> np.uint64(11)).astype(np.float64) / 2.0**53)


def _scrambled(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return `values` [n] mixed by the finalizer of splitmix64."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
