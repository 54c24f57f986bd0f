"""Grasping as in section 5.4 of Lo's thesis: steps to an object, then a pick-up take or a blend of several.

Objects are at (u, v): metres to the left and ahead of the character, in the frame of its facing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np
from scipy.optimize import nnls

from motionfields.authoring.groups.blending import Blend, Member, blend
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import checked_number
from motionfields.base.errors import MotionError
from motionfields.base.geometry import turn_over_ground
from motionfields.motion.body import find_body
from motionfields.motion.clip import Clip, trim
from motionfields.motion.quality import facing_yaw

TOLERANCE: Final = 0.05  # metres within which a hand reaches an object
GRASPED: Final = 100.0  # reward, in steps
CELL: Final = 0.05  # metres, of the values
HALF: Final = 2.5  # metres; objects further to the side or ahead have the value of the border
EQUAL: Final = 1e3  # weight of the condition that weights sum to 1
CORRECTIONS: Final = 3  # of the aim, since a blended hand is not exactly at the mean of the hands
Hand = Literal["left", "right"]


@dataclass(frozen=True, eq=False)
class Grasps:
    """Pick-up takes of one hand, each from its start to the frame at which the hand is lowest."""

    members: tuple[Member, ...]
    places: FloatArray  # [take, 2], metres to the left and ahead, of the hand at the end
    hand: Hand

    @classmethod
    def of(cls, spans: Sequence[tuple[Clip, float, float]], *, hand: Hand = "left") -> Grasps:
        """Return the takes in `spans`, (clip, start, end) in seconds, in which `hand` picks something up."""
        members = []
        for clip, start, end in spans:
            first, last = (round(seconds * clip.frame_rate) for seconds in (start, end))
            part = trim(clip, first, last + 1)
            lowest = int(part.world().positions[:, _wrist(clip, hand), 1].argmin()) if part.frame_count else 0
            if lowest < 1:
                raise MotionError(f"{clip.name}: the hand does not go down from {start:g} to {end:g} s")
            own = trim(part, 0, lowest + 1)
            members.append(Member(own, np.array([0, lowest]), np.zeros((lowest + 1, 2), np.bool_)))
        if not members:
            raise ValueError("spans: expected at least one")
        return cls(tuple(members), np.stack([hand_place(member.clip, hand) for member in members]), hand)

    def weights(self, goals: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the weights [n, take] whose mean place is nearest to `goals` [n, 2], and how far off it is [n]."""
        system = np.concatenate([self.places.T, np.full((1, len(self.places)), EQUAL)])
        found = np.stack([nnls(system, np.array([*goal, EQUAL]))[0] for goal in goals])
        return found, np.asarray(np.linalg.norm(found @ self.places - goals, axis=1))

    def nearest(self, goals: FloatArray) -> FloatArray:
        """Return the distance [n] in metres of `goals` [n, 2] to the hand of the nearest take."""
        return np.asarray(np.linalg.norm(goals[:, np.newaxis] - self.places, axis=-1).min(axis=1))

    def reach(self, goal: FloatArray) -> tuple[Blend, float]:
        """Return the blend that reaches for `goal` [2], and how far in metres its hand ends from it."""
        aim, best = np.array(goal, dtype=np.float64), None
        for _ in range(CORRECTIONS):
            weights = self.weights(aim[np.newaxis])[0][0]
            used = np.flatnonzero(weights > 1e-6)
            made = blend([self.members[i] for i in used], weights[used])
            off = goal - hand_place(made.clip, self.hand)
            if best is None or np.linalg.norm(off) < best[1]:
                best = made, float(np.linalg.norm(off))
            aim = aim + off
        assert best is not None
        return best


def _wrist(clip: Clip, hand: Hand) -> int:
    body = find_body(clip.skeleton)
    arm = body.left_arm if hand == "left" else body.right_arm
    if arm is None:
        raise MotionError(f"{clip.name}: expected a skeleton with arms")
    return arm.wrist


def hand_place(clip: Clip, hand: Hand) -> FloatArray:
    """Return the place [2] in metres of the wrist at the end of `clip`, as seen from the root at its start."""
    wrist = clip.world().positions[-1, _wrist(clip, hand), ::2]
    return turn_over_ground(wrist - clip.root_position[0, ::2], np.asarray(-facing_yaw(clip)[0]))


class Outcome(NamedTuple):
    """Endings of characters [n]."""

    grasped: BoolArray  # [n]
    steps: IntArray  # [n], taken before the grasp, or in all
    off: FloatArray  # [n], metres from the hand to the object, where it was grasped


@dataclass(frozen=True, eq=False)
class GraspTask:
    """Steps towards an object: `moves` [step, 3] and `costs` [step, next step], infinite where one cannot follow.

    A character earns `GRASPED` when the object is within `TOLERANCE` of a take, or with `parametric`, of a blend
    (eq. 5.11). Each step costs 1 and its transition.
    """

    grasps: Grasps
    moves: FloatArray
    costs: FloatArray
    parametric: bool
    discount: float = 0.95

    def __post_init__(self) -> None:
        count = len(self.moves)
        if np.shape(self.moves) != (count, 3) or not count or np.shape(self.costs) != (count, count):
            raise ValueError("moves, costs: expected [n, 3] and [n, n]")
        if not np.isfinite(self.moves).all() or np.isnan(self.costs).any():
            raise ValueError("moves, costs: expected finite moves and costs that are numbers")
        checked_number("discount", self.discount, 0.0, 0.999)

    def off(self, goals: FloatArray) -> FloatArray:
        """Return how far [n] in metres the hand would end from `goals` [n, 2]."""
        if not self.parametric:
            return self.grasps.nearest(goals)
        out, near = self.grasps.nearest(goals), np.linalg.norm(goals, axis=1) <= self._furthest
        if near.any():
            out[near] = self.grasps.weights(goals[near])[1]
        return out

    @property
    def _furthest(self) -> float:
        return float(np.linalg.norm(self.grasps.places, axis=1).max()) + 2.0 * TOLERANCE

    def after(self, goals: FloatArray) -> FloatArray:
        """Return where the object is [n, step, 2] after each step, if it is at `goals` [n, 2] now (eq. 5.7)."""
        return turn_over_ground(goals[:, np.newaxis] - self.moves[:, :2], -self.moves[:, 2])

    def solve(self, *, sweeps: int = 25) -> FloatArray:
        """Return the values [step, u, v] of the last step and the cells of the object, by value iteration."""
        axis = np.linspace(-HALF, HALF, round(2.0 * HALF / CELL) + 1)
        goals = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
        later = self.after(goals)
        done = self.off(later.reshape(-1, 2)).reshape(later.shape[:2]) <= TOLERANCE
        values = np.zeros((len(self.moves), len(goals)))
        for _ in range(sweeps):
            gain = np.where(done, GRASPED, self.discount * self._at(values, later))  # [cell, step]
            values = np.stack([(gain - 1.0 - cost).max(axis=1) for cost in self.costs])
        return values.reshape(len(self.moves), len(axis), len(axis))

    def _at(self, values: FloatArray, places: FloatArray) -> FloatArray:
        """Return the values [n, step] after each step with the object at `places` [n, step, 2], at the nearest cell."""
        count = round(2.0 * HALF / CELL)
        cell = np.clip(np.round((places + HALF) / CELL), 0, count).astype(np.int64)
        flat = values.reshape(len(values), -1)
        return np.asarray(flat[np.arange(len(values)), cell[..., 0] * (count + 1) + cell[..., 1]])

    def run(self, values: FloatArray, goals: FloatArray, last: IntArray, *, most: int = 12) -> Outcome:
        """Return how characters fare that follow `values` after the steps `last` [n], with objects at `goals` [n, 2].

        Zero values give the greedy controller of eq. 5.13.
        """
        goals, last, steps = np.array(goals), np.array(last), np.zeros(len(goals), np.int64)
        going, off = np.ones(len(goals), np.bool_), np.full(len(goals), np.nan)
        for number in range(most + 1):
            near = self.off(goals)
            done = going & (near <= TOLERANCE)
            off[done], going = near[done], going & ~done
            if number == most or not going.any():
                break
            later = self.after(goals[going])
            hit = self.off(later.reshape(-1, 2)).reshape(later.shape[:2]) <= TOLERANCE
            total = np.where(hit, GRASPED, self.discount * self._at(values, later)) - 1.0 - self.costs[last[going]]
            best = total.argmax(axis=1)
            goals[going], last[going] = later[np.arange(len(best)), best], best
            steps[going] += 1
        return Outcome(~going, steps, off)
