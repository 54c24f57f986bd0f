"""The actions of control: the states that a character may follow next, and the smoothness cost of each transition.

At a database state, the actions are its k most similar states (Lee et al. 2010, section 4.1), each followed alone and
reached in full: eq. 8 with infinite strength and eq. 5 with delta 1 towards the chosen neighbour. The next state is
therefore again a database state, and its value is known without interpolating between neighbours. The loss of
smoothness is compensated twice. The cost of a transition grows with the jump in joint motion that it causes, so that
planning prefers smooth transitions where they exist. And the displayed pose spreads the jump over time (see
`motionfields.runtime`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray, read_only
from motionfields.base.checks import check_array, check_fields, check_indices, checked_number
from motionfields.base.compiled import parallel_kernel, prange
from motionfields.base.geometry import quat_from_yaw, quat_multiply, quat_normalize, quat_rotate
from motionfields.base.springs import spring_stiffness
from motionfields.control.followers import MEMORY
from motionfields.control.root_motion import RootMotion
from motionfields.control.styles import Styles
from motionfields.control.tasks import Task
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase, Pose, apply_delta
from motionfields.field.passive import spread_out
from motionfields.motion.body import find_body
from motionfields.motion.quality import distinct_joints, jerk
from motionfields.motion.skeleton import forward_kinematics

AGILITY_RANGE = 3.0  # factor on the cost of jumps at agility 0; divisor at agility 1
ALIKE = 0.05  # share of the states, nearest in speed, over which the expected jerk is averaged
CHUNK = 16_384  # states whose transitions are computed at once
BLOCKED = np.float32(1e9)  # cost of a transition that is not available
LARGEST_COST = 1e12  # of a transition in a file
REPLAY = np.float32(1000.0)  # radians: cost of going back in time, to a state that was shown a moment ago
SHORTEST_HALF_LIFE = 1e-3  # seconds: shorter springs are stiffer than arithmetic can resolve
GAIN = 0.5  # weight of a gain of speed, relative to a loss; with 1, characters start late
RESTING = 5.0  # percentile of the heights of an ankle or a ball that counts as its height on the ground


@dataclass(frozen=True)
class ControlSettings:
    """Settings of transitions and planning. Costs are in the unit of the reward: radians off the goal for one frame.

    Training considers `candidate_factor` times `neighbor_count` actions for each state and keeps the `neighbor_count`
    that come closest to being the best for some goal. Candidates are selected from `looked_at` times as many nearest
    states, such that any two in the same clip are more than `frame_gap` frames apart.

    A transition costs `jump_cost` for each m/s2 by which the displayed acceleration of the joints jumps, averaged over
    the body, plus `contact_cost` for each foot that is in contact in only one of the two states, plus `change_cost`
    unless the character continues from its own state. It also costs `slip_cost` for each metre by which a foot that
    stands before or after it is displaced, and up to `flight_cost` if no foot stands both before and after it.
    If the root loses v m/s of speed in it, it costs `brake_cost` times v squared, so that characters stop with captured
    steps; a gain counts as half as much speed, so that they start sooner than they stop. None stands for the
    `brake_cost` of the task, which is 0 for all tasks but `Velocity` and `Navigation`.
    Following a state costs `rough_cost` times the fraction by which its jerk exceeds that of states with similar speed.

    Time moves forward: transitions that lead back by up to `memory` frames within a clip, or to a state that the
    character showed in its last `memory` frames, cost so much that they are taken only where nothing else is available.

    After a transition, the displayed pose approaches the followed pose like a critically damped spring with a half-life
    of `half_life` seconds, and the position of its root with `root_half_life`. Of an offset without velocity, 60 % is
    left after one half-life and 8 % after three.

    Future reward is multiplied by `discount` for each frame, and in each frame the user gives a new goal with
    probability `goal_change`. `agile` trades smoothness for responsiveness.

    `styles` adds costs for unwanted styles of motion and for changes of style; None does not distinguish styles.
    """

    neighbor_count: int = 100
    candidate_factor: int = 4
    looked_at: int = 3
    frame_gap: int = 1
    memory: int = 20
    jump_cost: float = 0.95
    change_cost: float = 0.4
    contact_cost: float = 2.0
    slip_cost: float = 32.0
    flight_cost: float = 5.0
    brake_cost: float | None = None
    rough_cost: float = 0.4
    half_life: float = 0.22
    root_half_life: float = 0.3
    discount: float = 0.99
    goal_change: float = 1.0 / 120.0
    styles: Styles | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        for name in ("neighbor_count", "candidate_factor", "looked_at"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: expected at least 1, got {getattr(self, name)}")
        for name in ("frame_gap", *(name for name in vars(self) if name.endswith("_cost"))):
            if getattr(self, name) is not None and not 0.0 <= getattr(self, name) < np.inf:
                raise ValueError(f"{name}: expected 0 or more, got {getattr(self, name)}")
        if not 0 <= self.memory <= MEMORY:
            raise ValueError(f"memory: expected 0 to {MEMORY} frames, got {self.memory}")
        for name in ("half_life", "root_half_life"):
            checked_number(name, getattr(self, name), SHORTEST_HALF_LIFE)
        for name in ("discount", "goal_change"):
            if not 0.0 <= getattr(self, name) < 1.0:
                raise ValueError(f"{name}: expected at least 0 and less than 1, got {getattr(self, name)}")

    @classmethod
    def restored(cls, facts: Mapping[str, Any]) -> ControlSettings:
        """Return settings from a mapping that `dataclasses.asdict` made; missing ones get their defaults."""
        styles = facts.get("styles")
        return cls(**{**facts, "styles": None if styles is None else Styles.restored(styles)})

    def fitted(self, task: Task) -> ControlSettings:
        """Return these settings with the costs that `task` asks for, unless they were given."""
        brake_cost = getattr(task, "brake_cost", None)
        return self if self.brake_cost is not None else replace(self, brake_cost=brake_cost)

    def agile(self, agility: float) -> ControlSettings:
        """Return these settings for an `agility` from 0 (smoothest) through 0.5 (unchanged) to 1 (most responsive)."""
        if not 0.0 <= agility <= 1.0:
            raise ValueError(f"agility: expected 0 to 1, got {agility}")
        return replace(self, jump_cost=self.jump_cost * AGILITY_RANGE ** (1.0 - 2.0 * agility))


class Transitions(NamedTuple):
    """The actions at every database state."""

    states: IntArray  # [state, transition], the states that may be followed, int32
    costs: FloatArray  # [state, transition, variant before, variant chosen], float32; `BLOCKED`: not available
    roughness: FloatArray  # [state], cost of following the state, float32


def check_transitions(transitions: Transitions, frames_left: IntArray, variant_count: int) -> None:
    """Raise ValueError unless `transitions` are valid for a database with `frames_left` [state].

    Every state must have an available transition from each variant, and all, blocked ones included, must lead to a
    state with a next state: a decision then never leaves the database.
    """
    states, costs, roughness = transitions
    count = len(frames_left)
    check_array("choices.rows", states, np.int32, (count, None))
    check_array("choices.costs", costs, np.float32, (*states.shape, variant_count, variant_count), most=LARGEST_COST)
    check_array("choices.roughness", roughness, np.float32, (count,), most=LARGEST_COST)
    check_indices("choices.rows", states, count)
    for part in state_parts(count):
        if (frames_left[states[part]] < 1).any():
            raise ValueError("choices.rows: expected states with a next state, got the last state of a clip")
        # Added in float32, as decisions do.
        total = costs[part] + roughness[states[part]][..., np.newaxis, np.newaxis]
        if not (total < BLOCKED).any(axis=(1, 3)).all():
            raise ValueError("choices.costs: expected at least one open transition from every state and variant")


class TransitionFinder:
    """A search for the transitions of any states of `field`; the result for a state is independent of the others.

    `features` are the `jump_features` of all states, if already known.
    """

    def __init__(
        self,
        field: MotionField,
        root_motion: RootMotion,
        settings: ControlSettings,
        *,
        features: FloatArray | None = None,
    ) -> None:
        self.count = min(settings.candidate_factor * settings.neighbor_count, len(field.findable))
        self._field, self._moves, self._settings = field, root_motion, settings
        self._looked_at = min(settings.looked_at * self.count, len(field.findable))
        if features is None:
            features = jump_features(field.database, root_motion, half_life=settings.half_life)
        self._features = features
        self._stances = Stances.of(field)
        self._speeds = np.linalg.norm(field.database.root_step[:, ::2], axis=-1) / field.database.frame_time

    @property
    def database(self) -> MotionDatabase:
        """The database whose states are found."""
        return self._field.database

    def find(self, states: IntArray) -> tuple[IntArray, FloatArray]:
        """Return the states [n, transition] that may follow `states` [n], and their costs, as in `Transitions`."""
        field, root_motion, settings, database = self._field, self._moves, self._settings, self._field.database
        found = field.wide_index.search(database.features[states], self._looked_at)
        near = field.findable[found.indices]
        targets, distances = spread_out(near, found.distances, database.clip_of, settings.frame_gap, self.count)
        jumps = np.empty((*targets.shape, root_motion.variant_count, root_motion.variant_count), np.float32)
        _jumps(read_only(self._features), read_only(states), read_only(targets), jumps)
        fixed = np.where(targets == states[:, np.newaxis], 0.0, settings.change_cost + self._footing(states, targets))
        back = states[:, np.newaxis] - targets
        returns = (back > 0) & (back <= settings.memory)
        returns &= database.clip_of[targets] == database.clip_of[states, np.newaxis]
        fixed[returns] += REPLAY
        if settings.brake_cost:
            fixed += settings.brake_cost * self._speed_jumps(states, targets) ** 2
        if settings.styles is not None:
            fixed += settings.styles.transition_costs(database, states, targets)
        costs = settings.jump_cost * jumps + fixed[..., np.newaxis, np.newaxis] + root_motion.variant_cost
        costs[~np.isfinite(distances) | (database.frames_left[targets] < 1)] = BLOCKED
        return targets.astype(np.int32), costs.astype(np.float32)

    def _speed_jumps(self, states: IntArray, targets: IntArray) -> FloatArray:
        """Return the loss [n, transition] in m/s of the root's speed over the ground, or `GAIN` times what it gains.

        It is the speed and not the velocity: a character that turns on a foot changes the direction of its velocity,
        and paying for that makes turns slower without making stops better.
        """
        gains = self._speeds[targets] - self._speeds[states, np.newaxis]
        return np.asarray(np.maximum(-gains, GAIN * gains))

    def _footing(self, states: IntArray, targets: IntArray) -> FloatArray:
        """Return the cost [n, transition] of the feet in transitions from `states` [n] to `targets` [n, transition]."""
        settings, votes = self._settings, self._field.state_votes
        before = votes[states, np.newaxis]
        steps = np.zeros(targets.shape)
        slip, shared = np.zeros(targets.shape), np.zeros(targets.shape)
        for foot in range(2):  # one foot after the other, which keeps the arrays small
            mine, other = before[..., foot], votes[targets, foot]
            steps += np.abs(other - mine)
            shared = np.maximum(shared, np.minimum(mine, other))
            moved = np.linalg.norm(
                self._stances.balls[targets, foot] - self._stances.balls[states, np.newaxis, foot], axis=-1
            )
            loads = self._stances.loads[:, foot]
            slip += moved * np.maximum(loads[states, np.newaxis], loads[targets])
        return settings.contact_cost * steps + settings.slip_cost * slip + settings.flight_cost * (1.0 - shared)


class Stances(NamedTuple):
    """The feet of every state, as far as a transition must not move them."""

    balls: FloatArray  # [state, foot, 3], metres, positions of the balls in the yaw frame of the root, float32
    loads: FloatArray  # [state, foot], 0 to 1: the contact vote; 1 for the lower foot, which always bears load

    @classmethod
    def of(cls, field: MotionField) -> Stances:
        """Return the stances of all states of `field`."""
        database, legs = field.database, find_body(field.database.skeleton).legs
        ends = np.empty((database.state_count, 2, 2, 3), np.float32)  # [state, foot, ball or ankle, 3]
        for part in state_parts(database.state_count):
            places = joint_places(database, database.states(part).pose)
            for foot, leg in enumerate(legs):
                ends[part, foot] = places[:, [leg.toe, leg.ankle]]
        heights = ends[..., 1]
        clearance = (heights - np.percentile(heights, RESTING, axis=0)).min(axis=-1)
        lower = np.eye(2)[clearance.argmin(axis=1)]
        return cls(np.ascontiguousarray(ends[:, :, 0]), np.maximum(field.state_votes, lower).astype(np.float32))


def find_transitions(field: MotionField, root_motion: RootMotion, settings: ControlSettings) -> Transitions:
    """Return the actions at every database state of `field`."""
    finder, state_count = TransitionFinder(field, root_motion, settings), field.database.state_count
    targets = np.empty((state_count, finder.count), np.int32)
    costs = np.empty((*targets.shape, root_motion.variant_count, root_motion.variant_count), np.float32)
    for part in state_parts(state_count):
        targets[part], costs[part] = finder.find(np.arange(part.start, part.stop))
    return Transitions(targets, costs, roughness(field.database, settings))


def roughness(database: MotionDatabase, settings: ControlSettings) -> FloatArray:
    """Return the cost [state], float32, of following each state because of its jerk and of its style."""
    costs = settings.rough_cost * excess_jerk(database)
    if settings.styles is not None:
        costs = costs + settings.styles.state_costs(database)
    return costs.astype(np.float32)


def state_parts(state_count: int) -> list[slice]:
    """Return slices of at most `CHUNK` states that cover all states."""
    return [slice(start, min(start + CHUNK, state_count)) for start in range(0, state_count, CHUNK)]


def jump_features(database: MotionDatabase, root_motion: RootMotion, *, half_life: float) -> FloatArray:
    """Return features [state, variant, joint, 3], m/s2, float32, whose differences are the jumps of a transition.

    A spring spreads each transition over time (see `runtime.follower`). For a joint whose position, velocity and
    acceleration jump by dx, dv and da, the displayed acceleration jumps by da + 2 y dv + y^2 dx, where y is the
    stiffness of the spring. The feature of each joint that has a bone is therefore a + 2 y v + y^2 x, in the yaw frame,
    divided by the number of joints: the sum over joints of the norm of a difference is the mean jump.
    """
    joints = distinct_joints(database.skeleton)
    out = np.empty((database.state_count, root_motion.variant_count, joints.sum(), 3), np.float32)
    for part in state_parts(database.state_count):
        for variant in range(root_motion.variant_count):
            out[part, variant] = _jump_features(database, root_motion, part, variant, half_life) / joints.sum()
    return out


def _jump_features(
    database: MotionDatabase, root_motion: RootMotion, part: slice, variant: int, half_life: float
) -> FloatArray:
    """Return a + 2 y v + y^2 x [n, joint, 3] of the states `part`, followed with that `variant`."""
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
    database: MotionDatabase, root_motion: RootMotion, states: slice, variant: int
) -> tuple[FloatArray, FloatArray]:
    """Return positions (m) and velocities (m/s), [n, joint, 3] each, of the joints with a bone, in `states`."""
    joints, state = distinct_joints(database.skeleton), database.states(states)
    place = joint_places(database, state.pose)[:, joints]
    after = _warped(
        apply_delta(state.pose, state.velocity), root_motion.yaw_turn[states, variant] - root_motion.yaw_turn[states, 0]
    )
    return place, (joint_places(database, after)[:, joints] - place) / database.frame_time


def relative_jerk(database: MotionDatabase) -> FloatArray:
    """Return the jerk [state] of the joints around each state, relative to states of similar speed; 1 at clip ends."""
    from scipy.ndimage import uniform_filter1d

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
    """Return the excess [state] of `relative_jerk` over 1; 0 for states no rougher than expected at their speed."""
    return np.asarray(np.maximum(relative_jerk(database) - 1.0, 0.0))


def joint_places(database: MotionDatabase, pose: Pose) -> FloatArray:
    """Return the positions [n, joint, 3] in metres of the joints of the poses `pose` [n]."""
    return forward_kinematics(database.skeleton, pose.root_position, quat_normalize(pose.rotations)).positions


def _warped(pose: Pose, extra_turn: FloatArray) -> Pose:
    """Return `pose` turned further about the vertical by `extra_turn` [n] radians."""
    return pose._replace(root_rotation=quat_multiply(quat_from_yaw(extra_turn), pose.root_rotation))


@parallel_kernel
def _jumps(features: FloatArray, states: IntArray, targets: IntArray, costs: FloatArray) -> None:
    """Fill `costs` [n, transition, variant, variant] with mean jumps in m/s2 from `states` [n] to `targets`."""
    variant_count = features.shape[1]
    for place in prange(targets.shape[0]):
        state = states[place]
        for transition in range(targets.shape[1]):
            target = targets[place, transition]
            for before in range(variant_count):
                for variant in range(variant_count):
                    # Features are already divided by the number of joints, so this sum is the mean over joints.
                    total = 0.0
                    for joint in range(features.shape[2]):
                        square = 0.0
                        for c in range(3):
                            gap = features[state, before, joint, c] - features[target, variant, joint, c]
                            square += gap * gap
                        total += np.sqrt(square)
                    costs[place, transition, before, variant] = total
