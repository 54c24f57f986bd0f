"""Cuts: jumps from the next state of a take to a similar state elsewhere, and the cost of each.

Costs are whole multiples of 1 / `COST_UNIT`, so that sums are exact: any order of summation and any number of threads
gives the same bits, and the dynamic program (see `solving`) can subtract sums from each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import check_indices
from motionfields.base.compiled import kernel, lean_kernel, parallel_kernel, prange
from motionfields.control.root_motion import measure_root_motion
from motionfields.control.transitions import Stances, jump_features
from motionfields.field import MotionField
from motionfields.field.neighbors import make_index

COST_UNIT: Final = 256
"""Number of units in a cost of 1, which is a mean jump of the displayed joints' acceleration by 1 m/s2."""

MOST_CUTS: Final = 255  # at one state: a back pointer is one byte, and 0 stands for going on


@dataclass(frozen=True)
class CutSettings:
    """Settings of the search for cuts. Costs are in m/s2 of mean jump in the joints' acceleration.

    Of the `neighbor_count` states nearest to a state, those remain whose jump is the smallest among pairs up to `reach`
    frames earlier or later in both clips. A cut within a clip skips at least `gap` frames or goes back by at least
    `loop` seconds; shorter loops would show the same few frames again and again to hold a label.

    A cut costs its jump plus `change_cost`, plus `contact_cost` for each foot that is in contact on one side only, plus
    `slip_cost` for each metre by which a foot that is in contact on both sides is displaced. The jump is that of a
    display which spreads it with a half-life of `half_life` seconds (see `transitions.jump_features`).

    At a cut one clip fades into the other. For this, the old clip must go on after the cut and the new one begin before
    it, for `overlap` seconds in all.
    """

    neighbor_count: int = 64
    half_life: float = 0.18
    reach: int = 3
    gap: int = 8
    loop: float = 1.0
    overlap: float = 0.5
    change_cost: float = 1.0
    contact_cost: float = 1.0
    slip_cost: float = 30.0

    def __post_init__(self) -> None:
        if not 1 <= self.neighbor_count <= MOST_CUTS:
            raise ValueError(f"neighbor_count: expected 1 to {MOST_CUTS}, got {self.neighbor_count}")
        if not 0.0 < self.half_life < np.inf:
            raise ValueError(f"half_life: expected a positive number of seconds, got {self.half_life}")
        for name in ("reach", "gap", "loop", "overlap", "change_cost", "contact_cost", "slip_cost"):
            if not 0.0 <= getattr(self, name) <= 1000.0:
                raise ValueError(f"{name}: expected 0 to 1000, got {getattr(self, name)}")


class Cuts(NamedTuple):
    """The cuts of every state of a database: where a state would come next, one of its targets may be shown instead.

    The cuts of state s are the entries `first[s]` to `first[s + 1]` of `targets` and `costs`, cheapest first; equal
    costs are ordered by target.
    """

    first: IntArray  # [state + 1], int64
    targets: IntArray  # [cut], states, int32
    costs: IntArray  # [cut], multiples of 1 / `COST_UNIT`, int32

    def cost(self, state: int, target: int) -> int:
        """Return the cost in units of showing `target` where `state` would come next; ValueError if that is no cut."""
        own = slice(int(self.first[state]), int(self.first[state + 1]))
        found = np.flatnonzero(self.targets[own] == target)
        if not found.size:
            raise ValueError(f"target: expected a cut of state {state}, got {target}")
        return int(self.costs[own][found[0]])

    def without(self, states: IntArray, targets: IntArray, *, reach: int) -> Cuts:
        """Return all cuts but those that start and end within `reach` frames of one from `states` to `targets` [n]."""
        count = len(self.first) - 1
        states, targets = check_indices("states", states, count), check_indices("targets", targets, count)
        own = np.repeat(np.arange(count), np.diff(self.first))
        kept = np.ones(len(own), np.bool_)
        for state, target in zip(states.tolist(), targets.tolist(), strict=True):
            kept &= (np.abs(own - state) > reach) | (np.abs(self.targets - target) > reach)
        first = np.concatenate([[0], np.cumsum(kept)])[self.first]
        return Cuts(first.astype(np.int64), self.targets[kept], self.costs[kept])


class CutFeatures(NamedTuple):
    """Features of every state that decide the cost of a cut."""

    jumps: FloatArray  # [state, joint, 3], m/s2, float32: the jump is the sum over joints of norms of differences
    balls: FloatArray  # [state, foot, 2], metres, x and z of the balls of the feet in the yaw frame, float32
    contacts: BoolArray  # [state, foot]


def find_cuts(field: MotionField, settings: CutSettings | None = None) -> Cuts:
    """Return the cuts between the states of `field`."""
    use, database = settings or CutSettings(), field.database
    features = cut_features(field, use)
    flat = features.jumps.reshape(database.state_count, -1)
    count = min(use.neighbor_count, len(flat))
    near = make_index(flat, field.search).search(flat, count).indices
    costs = np.empty(near.shape, np.int32)
    kept = np.empty(near.shape, np.bool_)
    clip_of = database.clip_of.astype(np.int64)
    _price(*features, near, use.change_cost, use.contact_cost, use.slip_cost, costs)
    _keep_minima(features.jumps, near, clip_of, use.reach, kept)
    states = np.arange(database.state_count)[:, np.newaxis]
    skipped, back = near - states, round(use.loop / database.frame_time)
    kept &= (clip_of[near] != clip_of[states]) | (skipped >= use.gap) | (skipped <= -back)
    left = database.frames_left
    before = near - database.clip_starts[clip_of[near]]
    kept &= (near >= 0) & (left[near] >= 1)
    kept &= left[:, np.newaxis] + before >= round(use.overlap / database.frame_time)
    return _packed(near, costs, kept)


def cut_features(field: MotionField, settings: CutSettings) -> CutFeatures:
    """Return the features of all states of `field`, from which the costs of cuts follow."""
    database = field.database
    root_motion = measure_root_motion(database)
    jumps = jump_features(database, root_motion, half_life=settings.half_life)[:, 0]
    balls = Stances.of(field).balls[..., ::2]
    return CutFeatures(np.ascontiguousarray(jumps), np.ascontiguousarray(balls), database.contacts)


def cut_cost(features: CutFeatures, states: IntArray, targets: IntArray, settings: CutSettings) -> IntArray:
    """Return the cost [n] in units of showing `targets` [n] where `states` [n] would come next; 0 if they are equal."""
    costs = np.empty((len(states), 1), np.int32)
    _price_pairs(
        *features, states, targets, settings.change_cost, settings.contact_cost, settings.slip_cost, costs[:, 0]
    )
    return np.where(states == targets, 0, costs[:, 0])


def _packed(near: IntArray, costs: IntArray, kept: BoolArray) -> Cuts:
    """Return the cuts [state, neighbour] that are `kept`, in order of cost and target."""
    state, slot = np.nonzero(kept)
    targets, prices = near[state, slot].astype(np.int32), costs[state, slot]
    order = np.lexsort((targets, prices, state))
    first = np.concatenate([[0], np.cumsum(np.bincount(state, minlength=len(near)))])
    return Cuts(first.astype(np.int64), targets[order], prices[order])


@parallel_kernel
def _price(
    jumps: FloatArray,
    balls: FloatArray,
    contacts: BoolArray,
    near: IntArray,
    change: float,
    contact: float,
    slip: float,
    costs: IntArray,
) -> None:
    """Fill `costs` [state, neighbour] with the costs of the cuts to `near`, in units."""
    for state in prange(near.shape[0]):
        for slot in range(near.shape[1]):
            costs[state, slot] = _cost(jumps, balls, contacts, state, near[state, slot], change, contact, slip)


@kernel
def _price_pairs(
    jumps: FloatArray,
    balls: FloatArray,
    contacts: BoolArray,
    states: IntArray,
    targets: IntArray,
    change: float,
    contact: float,
    slip: float,
    costs: IntArray,
) -> None:
    """Fill `costs` [n] with the costs of the cuts from `states` [n] to `targets` [n], in units."""
    for n in range(len(states)):
        costs[n] = _cost(jumps, balls, contacts, states[n], targets[n], change, contact, slip)


@lean_kernel
def _cost(
    jumps: FloatArray,
    balls: FloatArray,
    contacts: BoolArray,
    state: int,
    target: int,
    change: float,
    contact: float,
    slip: float,
) -> int:
    """Return the cost in units of one cut."""
    cost = _jump(jumps, state, target) + change
    for foot in range(2):
        if contacts[state, foot] != contacts[target, foot]:
            cost += contact
        elif contacts[state, foot]:
            x = float(balls[state, foot, 0]) - float(balls[target, foot, 0])
            z = float(balls[state, foot, 1]) - float(balls[target, foot, 1])
            cost += slip * np.sqrt(x * x + z * z)
    return int(np.floor(COST_UNIT * cost + 0.5))


@parallel_kernel
def _keep_minima(jumps: FloatArray, near: IntArray, clip_of: IntArray, reach: int, kept: BoolArray) -> None:
    """Fill `kept` [state, neighbour]: whether no pair of states near in time, in both clips, has a smaller jump."""
    state_count = len(jumps)
    for state in prange(near.shape[0]):
        for slot in range(near.shape[1]):
            target = near[state, slot]
            keep = target >= 0
            if keep:
                jump = _jump(jumps, state, target)
                for shift in range(-reach, reach + 1):
                    a, b = state + shift, target + shift
                    if shift == 0 or min(a, b) < 0 or max(a, b) >= state_count:
                        continue
                    if clip_of[a] != clip_of[state] or clip_of[b] != clip_of[target]:
                        continue
                    if _jump(jumps, a, b) < jump:
                        keep = False
                        break
            kept[state, slot] = keep


@lean_kernel
def _jump(jumps: FloatArray, state: int, target: int) -> float:
    """Return the mean jump in m/s2 between two states."""
    total = 0.0
    for joint in range(jumps.shape[1]):
        x = float(jumps[state, joint, 0]) - float(jumps[target, joint, 0])
        y = float(jumps[state, joint, 1]) - float(jumps[target, joint, 1])
        z = float(jumps[state, joint, 2]) - float(jumps[target, joint, 2])
        total += np.sqrt(x * x + y * y + z * z)
    return total
