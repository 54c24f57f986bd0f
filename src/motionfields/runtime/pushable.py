"""The base class of all crowds: characters that can be pushed, pulled and hit by balls."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import checked_count
from motionfields.base.engine import engine
from motionfields.base.parallel import OneThread
from motionfields.field import MotionField
from motionfields.runtime.physics import balls
from motionfields.runtime.physics.pushes import Pushes

HEAVIEST_BALL, LARGEST_BALL = 1e4, 10.0  # kg, metres of radius
MOST_CHARACTERS = 10_000_000
NOBODY = np.zeros(0, np.int64)


Method = TypeVar("Method", bound=Callable[..., Any])


def exclusive(method: Method) -> Method:
    """Return `method` of a crowd such that a second thread that calls one meanwhile gets a `ConcurrencyError`."""

    @wraps(method)
    def alone(self: Pushable, *arguments: Any, **options: Any) -> Any:
        with self._one_thread:
            return method(self, *arguments, **options)

    return cast(Method, alone)


class Pushable:
    """A crowd of `count` characters that move by the data of `field`. Only pushes need the extra `physics`."""

    def __init__(self, field: MotionField, count: int, *, from_rest: bool = False) -> None:
        if count == 0:
            raise ValueError(f"count: expected at least 1 character, got {count}")
        self.field = field
        self.count = checked_count("count", count, 1, MOST_CHARACTERS)
        self._one_thread = OneThread("crowd")
        self._from_rest = from_rest
        self.balls: list[balls.Ball] = []  # in the air
        self.hits: list[balls.Hit] = []  # hits by balls in the last frame

    @exclusive
    def push(
        self,
        character: int | IntArray,
        joint: str | int,
        force: ArrayLike,
        *,
        point: ArrayLike | None = None,
        duration: float = 0.1,
    ) -> None:
        """Apply `force` [3], newtons in the world, to the segment of `joint` from the next frame on.

        The force acts for `duration` seconds. `character` is one or several of the crowd. `point` [3], metres in the
        frame of the joint and within 2 m of it, is the point of application, by default the centre of mass of that
        segment. A new push replaces one that still acts; the motion that the old push caused fades as before. A pull is
        a push of long duration.
        """
        chosen = self._checked(character)
        push = self.pushes.push_on(
            joint,
            np.asarray(force, dtype=np.float64),
            point=None if point is None else np.asarray(point, dtype=np.float64),
            duration=duration,
        )
        self.pushes.start(chosen, push)

    @exclusive
    def throw(
        self,
        position: ArrayLike,
        velocity: ArrayLike,
        *,
        mass: float = balls.MASS,
        radius: float = balls.RADIUS,
        bounce: float = balls.BOUNCE,
    ) -> None:
        """Throw a ball from `position` [3], metres, with `velocity` [3], m/s; it pushes the character it hits.

        `mass` is in kg, `radius` in metres, and `bounce` is the share of its speed that the ball keeps. The ball stays
        in `balls` until it reaches the floor.
        """
        place, speed = (np.asarray(vector, dtype=np.float64) for vector in (position, velocity))
        for name, vector in (("position", place), ("velocity", speed)):
            if vector.shape != (3,) or not np.isfinite(vector).all():
                raise ValueError(f"{name}: expected three finite numbers, got {vector}")
        for name, number, most in (("mass", mass, HEAVIEST_BALL), ("radius", radius, LARGEST_BALL)):
            if not 0.0 < number <= most:
                raise ValueError(f"{name}: expected a positive number of at most {most:g}, got {number}")
        if not 0.0 <= bounce <= 1.0:
            raise ValueError(f"bounce: expected 0 to 1, got {bounce}")
        engine()  # raises an error now if the physics engine is not installed
        self.balls.append(balls.Ball(place, speed, mass, radius, bounce))

    @cached_property
    def pushes(self) -> Pushes:
        """The current pushes; the first access loads the physics engine."""
        return Pushes(self.field, self.count, from_rest=self._from_rest)

    @property
    def _pushes(self) -> Pushes | None:
        """The current pushes, or None if there never was one."""
        return self.__dict__.get("pushes")

    def _checked(self, character: int | IntArray) -> IntArray:
        """Return `character` as an array of character numbers; ValueError if any is out of range."""
        chosen = np.atleast_1d(np.asarray(character))
        if chosen.dtype.kind not in "iu" or chosen.ndim != 1 or not np.all((chosen >= 0) & (chosen < self.count)):
            raise ValueError(f"character: expected 0 to {self.count - 1}, got {character}")
        return chosen

    def _chosen(self, characters: IntArray | BoolArray | slice) -> IntArray:
        """Return the numbers [m] of `characters`, chosen by number, mask or slice; ValueError if there are no such."""
        try:
            return np.atleast_1d(np.arange(self.count)[characters])
        except (IndexError, OverflowError):
            raise ValueError(f"characters: expected some of 0 to {self.count - 1}, got {characters!r}") from None

    def _stop_pushes(self, characters: IntArray) -> None:
        """Remove the pushes on `characters`."""
        if self._pushes is not None:
            self._pushes.stop(characters)

    def _moved_by_pushes(self) -> IntArray:
        """Return the characters [m] that pushes move in this frame."""
        return NOBODY if self._pushes is None else self._pushes.moving

    @property
    def _recovering(self) -> IntArray:
        """Characters [m] that pushes move, or moved a short while ago."""
        return NOBODY if self._pushes is None else self._pushes.recovering

    def _keep_in_range(self, characters: IntArray, before: FloatArray, rotations: FloatArray) -> None:
        """Keep the joints of `characters` [m] in range after foot locking, in `rotations` [n, joint, 4], in place.

        `before` [m, joint, 4] are their rotations before foot locking.
        """
        if self._pushes is not None:
            kept = rotations[characters]
            self._pushes.keep_in_range(characters, before, kept)
            rotations[characters] = kept

    def _end_frame(self, root_position: FloatArray, rotations: FloatArray) -> None:
        """Advance forces and balls by one frame, among characters at `root_position` [n, 3] and `rotations`."""
        if self._pushes is not None:
            self._pushes.advance()
        frame_time = self.field.database.frame_time
        flying = []
        self.hits = []
        for ball in self.balls:
            hit = balls.find_hit(self.pushes.simulation, root_position, rotations, ball, frame_time)
            if hit is not None:
                self.pushes.kick(hit.character, hit.change)
                self.hits.append(hit)
            later = balls.flown(ball, frame_time) if hit is None else hit.ball
            if later.position[1] > later.radius:
                flying.append(later)
        self.balls = flying
