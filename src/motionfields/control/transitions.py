"""The actions of control: which states a character may follow next, and what each change costs in smoothness.

At a state of the data the actions are its k most similar moments (Lee et al. 2010, section 4.1), each followed alone
and drifted to in full: eq. 8 with an infinite strength and eq. 5 with delta 1 towards the chosen neighbour. So the
next state is a state of the data again, and its value is known without interpolating between neighbours. What that
does to smoothness is bought back twice: a change is charged for the jump in the motion of the joints that it causes,
so that planning takes the smooth way when there is one, and the jump is spread over time when the pose is shown (see
`motionfields.runtime`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numba import prange
from scipy.ndimage import uniform_filter1d

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import parallel_kernel
from motionfields.base.geometry import quat_from_yaw, quat_multiply, quat_normalize, quat_rotate
from motionfields.base.springs import spring_stiffness
from motionfields.control.root_motion import RootMotion
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase, Pose, apply_delta
from motionfields.field.passive import spread_out
from motionfields.motion.quality import distinct_joints, jerk
from motionfields.motion.skeleton import forward_kinematics

AGILITY_RANGE = 3.0  # times dearer jumps at agility 0, times cheaper at 1
ALIKE = 0.05  # share of the data that counts as going at the same speed
CHUNK = 16_384  # states whose choices are worked out at once
BLOCKED = np.float32(1e9)  # the cost of what cannot be chosen


@dataclass(frozen=True)
class ControlSettings:
    """How a character may change course. Costs are in the unit of the reward, radians off the goal for one frame.

    Actions are `neighbor_count` moments, over `frame_gap` frames apart within a clip, of `looked_at` times as many
    nearest states.

    A change costs `jump_cost` for each m/s2 by which the shown acceleration of the joints jumps, on average over the
    body, `contact_cost` for each foot that stands in one state and not in the other, and `change_cost` besides.
    Following a state costs `rough_cost` times the share by which its jerk is above that of states that go as fast.

    After a change the pose that is shown comes to the one that is followed as a critically damped spring of `half_life`
    seconds does, the place of its root with `root_half_life`: 60 % of a plain offset are left after that, 8 % after
    three times as long.

    Later reward counts `discount` less for each frame, and in each frame the user gives a new goal with the chance
    `goal_change`. `agile` moves along the frontier between answering fast and moving smoothly.
    """

    neighbor_count: int = 100
    looked_at: int = 3
    frame_gap: int = 1
    jump_cost: float = 0.6
    change_cost: float = 0.05
    contact_cost: float = 0.5
    rough_cost: float = 0.4
    half_life: float = 0.18
    root_half_life: float = 0.3
    discount: float = 0.99
    goal_change: float = 1.0 / 60.0

    def __post_init__(self) -> None:
        for name in ("neighbor_count", "looked_at"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: expected at least 1, got {getattr(self, name)}")
        for name in ("frame_gap", "jump_cost", "contact_cost", "change_cost", "rough_cost"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise ValueError(f"{name}: expected 0 or more, got {getattr(self, name)}")
        for name in ("half_life", "root_half_life"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise ValueError(f"{name}: expected a positive number of seconds, got {getattr(self, name)}")
        for name in ("discount", "goal_change"):
            if not 0.0 <= getattr(self, name) < 1.0:
                raise ValueError(f"{name}: expected at least 0 and less than 1, got {getattr(self, name)}")

    def agile(self, agility: float) -> ControlSettings:
        """These settings for an `agility` from 0 (smoothest) over 0.5 (as they are) to 1 (answers fastest)."""
        if not 0.0 <= agility <= 1.0:
            raise ValueError(f"agility: expected 0 to 1, got {agility}")
        return replace(self, jump_cost=self.jump_cost * AGILITY_RANGE ** (1.0 - 2.0 * agility))


class Transitions(NamedTuple):
    """The actions at every state of the data."""

    states: IntArray  # [state, transition], the states that may be followed, int32
    costs: FloatArray  # [state, transition, variant before, variant chosen], float32; `BLOCKED` for none
    roughness: FloatArray  # [state], what following it costs, float32


class TransitionFinder:
    """Finds the choices of any states of `field`; those of one do not depend on which others are asked for.

    `features` are the `jump_features` of all states, where they are known already.
    """

    def __init__(
        self,
        field: MotionField,
        root_motion: RootMotion,
        settings: ControlSettings,
        *,
        features: FloatArray | None = None,
    ) -> None:
        self.count = min(settings.neighbor_count, len(field.findable))
        self._field, self._moves, self._settings = field, root_motion, settings
        self._looked_at = min(settings.looked_at * self.count, len(field.findable))
        if features is None:
            features = jump_features(field.database, root_motion, half_life=settings.half_life)
        self._features = features

    @property
    def database(self) -> MotionDatabase:
        """The database whose states are found, with its columns."""
        return self._field.database

    def find(self, states: IntArray) -> tuple[IntArray, FloatArray]:
        """The states [n, transition] that may be followed from `states` [n], and their costs, as in `Transitions`."""
        field, root_motion, settings, database = self._field, self._moves, self._settings, self._field.database
        found = field.wide_index.search(database.features[states], self._looked_at)
        near = field.findable[found.indices]
        rows, distances = spread_out(near, found.distances, database.clip_of, settings.frame_gap, self.count)
        jumps = np.empty((*rows.shape, root_motion.variant_count, root_motion.variant_count), np.float32)
        _jumps(self._features, states, rows, jumps)
        steps = np.abs(field.state_votes[rows] - field.state_votes[states, np.newaxis]).sum(axis=-1)
        fixed = settings.contact_cost * steps + np.where(rows == states[:, np.newaxis], 0.0, settings.change_cost)
        costs = settings.jump_cost * jumps + fixed[..., np.newaxis, np.newaxis] + root_motion.variant_cost
        costs[~np.isfinite(distances) | (database.frames_left[rows] < 1)] = BLOCKED
        return rows.astype(np.int32), costs.astype(np.float32)


def find_transitions(field: MotionField, root_motion: RootMotion, settings: ControlSettings) -> Transitions:
    """The actions at every state of the data of `field`."""
    finder, state_count = TransitionFinder(field, root_motion, settings), field.database.state_count
    rows = np.empty((state_count, finder.count), np.int32)
    costs = np.empty((*rows.shape, root_motion.variant_count, root_motion.variant_count), np.float32)
    for part in _parts(state_count):
        rows[part], costs[part] = finder.find(np.arange(part.start, part.stop))
    return Transitions(rows, costs, roughness(field.database, settings))


def roughness(database: MotionDatabase, settings: ControlSettings) -> FloatArray:
    """What following each state costs for being rough, [state], float32."""
    return (settings.rough_cost * excess_jerk(database)).astype(np.float32)


def _parts(state_count: int) -> list[slice]:
    """All states in runs of at most `CHUNK`."""
    return [slice(start, min(start + CHUNK, state_count)) for start in range(0, state_count, CHUNK)]


def jump_features(database: MotionDatabase, root_motion: RootMotion, *, half_life: float) -> FloatArray:
    """What jumps when one state is followed instead of another: [state, variant, joint, 3], m/s2, float32.

    The spring that spreads a change over time (see `runtime.follower`) adds to the acceleration of a joint that jumps
    by dx and dv: what is shown jumps by da + 2 y dv + y^2 dx, with y its stiffness. So each joint that has a bone gives
    a + 2 y v + y^2 x, in the yaw frame, over the number of joints: the sum over joints of the length of a difference is
    the mean jump.
    """
    joints = distinct_joints(database.skeleton)
    out = np.empty((database.state_count, root_motion.variant_count, joints.sum(), 3), np.float32)
    for part in _parts(database.state_count):
        for variant in range(root_motion.variant_count):
            out[part, variant] = _jump_features(database, root_motion, part, variant, half_life) / joints.sum()
    return out


def _jump_features(
    database: MotionDatabase, root_motion: RootMotion, part: slice, variant: int, half_life: float
) -> FloatArray:
    """a + 2 y v + y^2 x [n, joint, 3] of the states `part`, followed that `variant`."""
    stiffness, count = spring_stiffness(half_life), part.stop - part.start
    # The last state of a part needs the velocity of the one after it.
    place, velocity = _motion(
        database, root_motion, slice(part.start, min(part.stop + 1, database.state_count)), variant
    )
    goes_on = np.flatnonzero(database.frames_left[part] >= 1)
    turn = quat_from_yaw(root_motion.yaw_turn[part, variant][goes_on])[:, np.newaxis]
    following = quat_rotate(np.broadcast_to(turn, (*velocity[goes_on].shape[:-1], 4)), velocity[goes_on + 1])
    acceleration = np.zeros_like(velocity)
    acceleration[goes_on] = (following - velocity[goes_on]) / database.frame_time
    return np.asarray(acceleration + 2.0 * stiffness * velocity + stiffness**2 * place)[:count]


def _motion(
    database: MotionDatabase, root_motion: RootMotion, rows: slice, variant: int
) -> tuple[FloatArray, FloatArray]:
    """Positions and velocities [n, joint, 3], in m and m/s, of the joints with a bone of the states `rows`."""
    joints, state = distinct_joints(database.skeleton), database.states(rows)
    place = joint_places(database, state.pose)[:, joints]
    after = _warped(
        apply_delta(state.pose, state.velocity), root_motion.yaw_turn[rows, variant] - root_motion.yaw_turn[rows, 0]
    )
    return place, (joint_places(database, after)[:, joints] - place) / database.frame_time


def relative_jerk(database: MotionDatabase) -> FloatArray:
    """The jerk [state] of the joints about each state, relative to states that go as fast; 1 at the ends of clips."""
    out = np.full(database.state_count, np.nan)
    for clip, start in zip(database.iter_source_clips(), database.clip_starts[:-1], strict=True):
        if clip.frame_count >= 4:
            values = jerk(clip)
            out[start + 1 : start + 1 + len(values)] = values
    known = np.flatnonzero(np.isfinite(out))
    if known.size == 0:
        return np.ones(database.state_count)
    speed = np.linalg.norm(database.root_step[known][:, ::2], axis=-1)
    order = known[np.argsort(speed, kind="stable")]
    expected = uniform_filter1d(out[order], max(1, round(ALIKE * len(order))), mode="nearest")
    out[order] /= expected
    return np.where(np.isfinite(out), out, 1.0)


def excess_jerk(database: MotionDatabase) -> FloatArray:
    """By how many times [state] each state is rougher than those that go as fast; 0 for smooth ones."""
    return np.asarray(np.maximum(relative_jerk(database) - 1.0, 0.0))


def joint_places(database: MotionDatabase, pose: Pose) -> FloatArray:
    """Where the joints [n, joint, 3] of the poses `pose` [n] are, in metres."""
    return forward_kinematics(database.skeleton, pose.root_position, quat_normalize(pose.rotations)).positions


def _warped(pose: Pose, extra_turn: FloatArray) -> Pose:
    """`pose` turned further about the vertical by `extra_turn` [n] radians."""
    return pose._replace(root_rotation=quat_multiply(quat_from_yaw(extra_turn), pose.root_rotation))


@parallel_kernel
def _jumps(features: FloatArray, states: IntArray, rows: IntArray, costs: FloatArray) -> None:
    """The mean jump `costs` [n, transition, variant, variant] from each of `states` [n] to each of its `rows`, m/s2."""
    variant_count = features.shape[1]
    for place in prange(rows.shape[0]):
        state = states[place]
        for transition in range(rows.shape[1]):
            row = rows[place, transition]
            for before in range(variant_count):
                for variant in range(variant_count):
                    total = 0.0
                    for joint in range(features.shape[2]):
                        square = 0.0
                        for c in range(3):
                            gap = features[state, before, joint, c] - features[row, variant, joint, c]
                            square += gap * gap
                        total += np.sqrt(square)
                    costs[place, transition, before, variant] = total
