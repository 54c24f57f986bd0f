"""The tasks of the thesis's experiments: table 3.1, the checkerboard and the revolving doors.

The wanted direction is ahead, +z. Parameters are those that the value function depends on; what stays constant during
a task (separable parameters, section 3.3.4) is a field of the task.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.geometry import turn_over_ground
from motionfields.control.methods.thesis.problems import HEADING, Outcomes, Span, bounded, uniform
from motionfields.control.methods.thesis.steps import Steps

FAR = Span(-2.0, 2.0)  # metres


class Walked(NamedTuple):
    """All actions played in n states; arrays are [n, action]."""

    shift: FloatArray  # [n, action, 2], metres over the ground
    heading: FloatArray  # radians, after the action
    reward: FloatArray  # less the costs of the blend and of the angle between the motion and the wanted direction


def walk(steps: Steps, clips: IntArray, heading: FloatArray, direction_cost: float) -> Walked:
    """Return the outcomes of all actions after `clips` [n] facing `heading` [n], radians to the left of +z."""
    shift = turn_over_ground(steps.travel[clips], heading[:, np.newaxis])
    off = np.abs(np.arctan2(shift[..., 0], shift[..., 1]))
    return Walked(shift, heading[:, np.newaxis] + steps.turn[clips], -steps.cost[clips] - direction_cost * off)


@dataclass(frozen=True, eq=False)
class Heading:
    """Walk ahead, at `speed` m/s and turning by `spin` rad/s if these are given: spinning navigation (SN)."""

    steps: Steps
    spin: float | None = None
    speed: float | None = None
    spin_cost: float = 0.5  # radians for each rad/s off
    speed_cost: float = 1.0  # radians for each m/s off
    direction_cost: float = 1.0
    spans: tuple[Span, ...] = (HEADING,)

    def outcomes(self, clips: IntArray, params: FloatArray) -> Outcomes:
        """Return the outcomes of all actions after `clips` [n] at `params` [n, 1]."""
        walked = walk(self.steps, clips, params[:, 0], self.direction_cost)
        reward = walked.reward
        if self.spin is not None:
            reward = reward - self.spin_cost * np.abs(self.steps.turn[clips] / self.steps.seconds - self.spin)
        if self.speed is not None:
            speed = np.linalg.norm(self.steps.travel[clips], axis=-1) / self.steps.seconds
            reward = reward - self.speed_cost * np.abs(speed - self.speed)
        return Outcomes(reward, bounded(self.spans, walked.heading[..., np.newaxis]))

    def starts(self, count: int, rng: np.random.Generator) -> FloatArray:
        """Return headings [count, 1] in all directions."""
        return uniform(self.spans, count, rng)


@dataclass(frozen=True, eq=False)
class Path:
    """Walk along a line: navigation (N). Parameters are metres to the left of the line, and the heading."""

    steps: Steps
    path_cost: float = 0.5  # radians for each metre off
    spans: tuple[Span, ...] = (FAR, HEADING)

    def outcomes(self, clips: IntArray, params: FloatArray) -> Outcomes:
        """Return the outcomes of all actions after `clips` [n] at `params` [n, 2]."""
        walked = walk(self.steps, clips, params[:, 1], 1.0)
        after = bounded(self.spans, np.stack([params[:, :1] + walked.shift[..., 0], walked.heading], axis=-1))
        return Outcomes(walked.reward - self.path_cost * np.abs(after[..., 0]), after)

    def starts(self, count: int, rng: np.random.Generator) -> FloatArray:
        """Return parameters [count, 2] anywhere."""
        return uniform(self.spans, count, rng)


@dataclass(frozen=True, eq=False)
class FixedObstacle:
    """Walk along a line that an obstacle stands on (FOA). Parameters: metres from the obstacle, and the heading."""

    steps: Steps
    path_cost: float = 0.3
    obstacle_cost: float = 4.0  # radians at its centre
    width: float = 0.7  # metres, of the bump of cost
    spans: tuple[Span, ...] = (FAR, FAR, HEADING)

    def outcomes(self, clips: IntArray, params: FloatArray) -> Outcomes:
        """Return the outcomes of all actions after `clips` [n] at `params` [n, 3]."""
        walked = walk(self.steps, clips, params[:, 2], 1.0)
        place = params[:, np.newaxis, :2] + walked.shift
        reward = walked.reward - self.obstacle_cost * np.exp(-((place / self.width) ** 2).sum(axis=-1))
        after = bounded(self.spans, np.concatenate([place, walked.heading[..., np.newaxis]], axis=-1))
        return Outcomes(reward - self.path_cost * np.abs(after[..., 0]), after)

    def starts(self, count: int, rng: np.random.Generator) -> FloatArray:
        """Return parameters [count, 3] in front of the obstacle."""
        return uniform((FAR, Span(-2.0, -0.7), HEADING), count, rng)


@dataclass(frozen=True, eq=False)
class MovingObstacle:
    """Walk ahead past an obstacle that moves at `velocity` m/s (MOA). Parameters as of `FixedObstacle`."""

    steps: Steps
    velocity: tuple[float, float] = (0.5, -0.5)
    obstacle_cost: float = 4.0
    width: float = 0.7
    spans: tuple[Span, ...] = (FAR, FAR, HEADING)

    def outcomes(self, clips: IntArray, params: FloatArray) -> Outcomes:
        """Return the outcomes of all actions after `clips` [n] at `params` [n, 3]."""
        walked = walk(self.steps, clips, params[:, 2], 1.0)
        passed = self.steps.seconds[:, np.newaxis] * np.array(self.velocity)
        place = params[:, np.newaxis, :2] + walked.shift - passed
        reward = walked.reward - self.obstacle_cost * np.exp(-((place / self.width) ** 2).sum(axis=-1))
        after = np.concatenate([place, walked.heading[..., np.newaxis]], axis=-1)
        return Outcomes(reward, bounded(self.spans, after))

    def starts(self, count: int, rng: np.random.Generator) -> FloatArray:
        """Return parameters [count, 3] with the obstacle ahead."""
        return uniform((FAR, Span(-2.0, -0.7), HEADING), count, rng)


@dataclass(frozen=True, eq=False)
class Checkerboard:
    """Walk ahead and step on white tiles only (section 4.6.4). Parameters: place on the pattern, and the heading.

    The board repeats every two tiles, so places are kept within that period.
    """

    steps: Steps
    tile: float = 0.5  # metres
    slant: float = 0.4  # radians by which the wanted direction is turned against the tiles
    tile_cost: float = 4.0  # radians for a step on a black tile

    @property
    def spans(self) -> tuple[Span, ...]:
        """Spans of the place in metres and of the heading."""
        period = 2.0 * self.tile
        return (Span(0.0, period), Span(0.0, period), HEADING)

    def is_black(self, places: FloatArray) -> BoolArray:
        """Return whether `places` [..., 2], metres along the tiles, are on black tiles."""
        return np.asarray(np.floor(places / self.tile).sum(axis=-1) % 2 == 1)

    def outcomes(self, clips: IntArray, params: FloatArray) -> Outcomes:
        """Return the outcomes of all actions after `clips` [n] at `params` [n, 3]."""
        walked = walk(self.steps, clips, params[:, 2], 1.0)
        place = params[:, np.newaxis, :2] + _slanted(walked.shift, self.slant)
        foot = turn_over_ground(np.broadcast_to(self.steps.landing, place.shape), walked.heading)
        black = self.is_black(place + _slanted(foot, self.slant))
        after = np.concatenate([place % (2.0 * self.tile), walked.heading[..., np.newaxis]], axis=-1)
        return Outcomes(walked.reward - self.tile_cost * black, bounded(self.spans, after))

    def starts(self, count: int, rng: np.random.Generator) -> FloatArray:
        """Return parameters [count, 3] anywhere."""
        return uniform(self.spans, count, rng)


@dataclass(frozen=True, eq=False)
class RevolvingDoors:
    """Walk ahead through a revolving door in a wall (section 4.6.5).

    Parameters: metres from the centre of the door, heading, and the angle of its first wing. The wall runs along z = 0
    outside the door. From `exit` on, the character has arrived, and nothing costs any more.
    """

    steps: Steps
    radius: float = 1.2  # metres, of the wings
    wing_count: int = 2
    rate: float = 0.5  # rad/s
    hit_cost: float = 8.0  # radians for a step in which the body meets a wing or the wall
    body: float = 0.2  # metres, half the width of the body
    moments: int = 4  # of a step, at which the body is tested
    exit: float = 1.5  # metres behind the centre
    spans: tuple[Span, ...] = (FAR, Span(-3.0, 3.0), HEADING, Span(-np.pi, np.pi, wraps=True))

    def outcomes(self, clips: IntArray, params: FloatArray) -> Outcomes:
        """Return the outcomes of all actions after `clips` [n] at `params` [n, 4]."""
        walked = walk(self.steps, clips, params[:, 2], 1.0)
        begin, wing = params[:, np.newaxis, :2], params[:, 3, np.newaxis]
        turned = np.broadcast_to(self.rate * self.steps.seconds, walked.heading.shape)
        hit = np.zeros(walked.heading.shape, np.bool_)
        for share in np.arange(1, self.moments + 1) / self.moments:
            hit |= self.is_hit(begin + share * walked.shift, wing + share * turned)
        arrived = params[:, 1, np.newaxis] >= self.exit
        reward = np.where(arrived & np.isfinite(walked.reward), 0.0, walked.reward - self.hit_cost * hit)
        place = np.where(arrived[..., np.newaxis], begin, begin + walked.shift)
        angles = np.stack([walked.heading, wing + turned], axis=-1)
        return Outcomes(reward, bounded(self.spans, np.concatenate([place, angles], axis=-1)))

    def is_hit(self, places: FloatArray, wing: FloatArray) -> BoolArray:
        """Return whether bodies at `places` [..., 2] meet the wall, or a wing when the first is at `wing` [...]."""
        distance = np.linalg.norm(places, axis=-1)
        hit = (np.abs(places[..., 1]) < self.body) & (distance > self.radius)
        angle = np.arctan2(places[..., 0], places[..., 1])
        for number in range(self.wing_count):
            gap = angle - wing - 2.0 * np.pi * number / self.wing_count
            along, aside = distance * np.cos(gap), distance * np.sin(gap)
            hit |= (np.abs(aside) < self.body) & (along > -self.body) & (along < self.radius)
        return np.asarray(hit)

    def starts(self, count: int, rng: np.random.Generator) -> FloatArray:
        """Return parameters [count, 4] in front of the door."""
        return uniform((FAR, Span(-3.0, -1.5), *self.spans[2:]), count, rng)


def _slanted(vectors: FloatArray, slant: float) -> FloatArray:
    """Return `vectors` [..., 2] in a frame that is turned by `slant` radians."""
    return turn_over_ground(vectors, np.full(vectors.shape[:-1], slant))
