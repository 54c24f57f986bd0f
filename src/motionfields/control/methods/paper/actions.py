"""The paper's actions and the states they lead to (Lee et al. 2010, section 4.1).

A state has k actions, each of which prefers one of its k neighbours (eq. 8). One frame of an action (eq. 4-6) leads to
a state outside the database, whose value is the similarity-weighted mean over its own neighbours. The same code finds
the actions of the database states for training, once for all sweeps, and those of a crowd at every frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.checks import check_fields
from motionfields.base.geometry import angle_difference, turn_over_ground
from motionfields.control.root_motion import facing_of, hip_line
from motionfields.control.tasks import Motion
from motionfields.field import DRIFT, NEIGHBOR_COUNT, MotionField, actions, similarity_weights
from motionfields.field.database import MotionState, Pose
from motionfields.field.neighbors import Neighbors

CHUNK = 4_000  # next states that are computed at once


@dataclass(frozen=True)
class PaperSettings:
    """Settings of the paper's controller.

    There are `neighbor_count` neighbours and as many actions; the weight of the preferred neighbour is set to
    `strength` (eq. 8). `drift` is the pull towards the nearest state (eq. 5). Future reward is multiplied by `discount`
    for each frame. `goal_change` is the probability that the user gives a new goal in a frame. The paper has none (0):
    values then ignore what comes after a goal is met, and characters may stop in dead ends.

    Values are trained and kept at every `anchor_stride`-th state of a clip, and interpolated in time between these
    states (eq. 14). With `pushes_from_rest`, pushes follow eq. 15 as printed.
    """

    neighbor_count: int = NEIGHBOR_COUNT
    strength: float = 1.0
    drift: float = DRIFT
    discount: float = 0.99
    goal_change: float = 1.0 / 60.0
    anchor_stride: int = 1
    pushes_from_rest: bool = False

    def __post_init__(self) -> None:
        check_fields(self, endless=("strength",))
        for name in ("neighbor_count", "anchor_stride"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: expected at least 1, got {getattr(self, name)}")
        if not self.strength > 0.0:
            raise ValueError(f"strength: expected a positive number, got {self.strength}")
        if not 0.0 <= self.drift <= 1.0:
            raise ValueError(f"drift: expected 0 to 1, got {self.drift}")
        for name in ("discount", "goal_change"):
            if not 0.0 <= getattr(self, name) < 1.0:
                raise ValueError(f"{name}: expected at least 0 and less than 1, got {getattr(self, name)}")


class Place(NamedTuple):
    """States with their neighbours in the database."""

    state: MotionState  # [n]
    neighbors: Neighbors  # [n, k]
    weights: FloatArray  # [n, k], similarity of each neighbour (eq. 2); sums to 1

    @classmethod
    def of(cls, field: MotionField, state: MotionState, neighbor_count: int) -> Place:
        """Return the states `state` [n] with their `neighbor_count` nearest database states."""
        found = field.neighbors(state, neighbor_count)
        return cls(state, found, similarity_weights(found.distances))

    def take(self, entries: IntArray) -> Place:
        """Return the entries `entries` of the batch."""
        indices, distances = self.neighbors
        return Place(self.state.take(entries), Neighbors(indices[entries], distances[entries]), self.weights[entries])


class Options(NamedTuple):
    """The outcomes of the k actions of each of n states, one frame later."""

    motion: Motion  # [n, k], as a task sees them
    after: Place  # [n * k], the states they lead to; the actions of one state are adjacent


class PaperTransitions(NamedTuple):
    """The actions at database states, as training needs them."""

    motion: Motion  # [state, action], as a task sees them
    states: IntArray  # [state, action, k], the neighbours of the state each action leads to, int32
    weights: FloatArray  # [state, action, k], similarity of each neighbour, float32; sums to 1


def find_options(field: MotionField, place: Place, settings: PaperSettings, *, hips: FloatArray) -> Options:
    """Return the outcomes of the actions at `place` [n]; `hips` [3] is the `root_motion.hip_line` of the skeleton."""
    count, action_count = place.weights.shape
    each = place.take(np.repeat(np.arange(count), action_count))
    chosen = actions(place.weights, strength=settings.strength).reshape(count * action_count, action_count)
    after = field.integrate(each.state, each.neighbors, chosen, drift=settings.drift)
    motion = motion_between(each.state.pose, after.pose, hips=hips, frame_time=field.database.frame_time)
    shape = (count, action_count)
    motion = motion._replace(turn=motion.turn.reshape(shape), velocity=motion.velocity.reshape(*shape, 2))
    return Options(motion, Place.of(field, after, settings.neighbor_count))


def find_paper_transitions(field: MotionField, states: IntArray, settings: PaperSettings) -> PaperTransitions:
    """Return the actions at `states` [state], database states of `field`."""
    hips = hip_line(field.database.skeleton)
    count = settings.neighbor_count
    turn, velocity = np.empty((len(states), count)), np.empty((len(states), count, 2))
    next_states = np.empty((len(states), count, count), np.int32)
    weights = np.empty((len(states), count, count), np.float32)
    size = max(1, CHUNK // count)
    for start in range(0, len(states), size):
        part = slice(start, start + size)
        place = Place.of(field, field.database.states(states[part]), count)
        options = find_options(field, place, settings, hips=hips)
        turn[part], velocity[part] = options.motion.turn, options.motion.velocity
        next_states[part] = options.after.neighbors.indices.reshape(-1, count, count)
        weights[part] = options.after.weights.reshape(-1, count, count)
    return PaperTransitions(Motion(turn, velocity, field.database.frame_time), next_states, weights)


def motion_between(before: Pose, after: Pose, *, hips: FloatArray, frame_time: float) -> Motion:
    """Return the motion [...] from poses `before` [...] to poses `after` [...]; see `root_motion` for the facing."""
    facing = facing_of(before.root_rotation, hips)
    step = (after.root_position - before.root_position)[..., ::2] / frame_time
    turn = angle_difference(facing_of(after.root_rotation, hips), facing)
    return Motion(turn, turn_over_ground(step, -facing), frame_time)
