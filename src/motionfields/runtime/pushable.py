"""What all crowds share: characters can be pushed, pulled and hit by balls."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.field import MotionField
from motionfields.runtime.physics import balls
from motionfields.runtime.physics.body_model import engine
from motionfields.runtime.physics.pushes import Pushes

NOBODY = np.zeros(0, np.int64)


class Pushable:
    """`count` characters that move as the data of `field` does. Pushes need the extra `physics`, and only they."""

    def __init__(self, field: MotionField, count: int, *, from_rest: bool = False) -> None:
        if count < 1:
            raise ValueError(f"count: expected at least 1 character, got {count}")
        self.field = field
        self.count = count
        self._from_rest = from_rest
        self.balls: list[balls.Ball] = []  # in the air
        self.hits: list[balls.Hit] = []  # of balls in the last frame

    def push(
        self,
        character: int | IntArray,
        joint: str | int,
        force: ArrayLike,
        *,
        point: ArrayLike | None = None,
        duration: float = 0.1,
    ) -> None:
        """Let `force` [3], newtons in the world, act for `duration` seconds on what `joint` moves, from the next frame.

        `character` is one or several of the crowd. `point` [3], metres in the frame of the joint and within 2 m of it,
        is where it acts, by default the centre of mass of that part of the body. A new push takes the place of one that
        still acts; what that did to the body fades on. A pull is a push that lasts.
        """
        chosen = self._checked(character)
        push = self.pushes.push_on(
            joint,
            np.asarray(force, dtype=np.float64),
            point=None if point is None else np.asarray(point, dtype=np.float64),
            duration=duration,
        )
        self.pushes.start(chosen, push)

    def throw(
        self,
        position: ArrayLike,
        velocity: ArrayLike,
        *,
        mass: float = balls.MASS,
        radius: float = balls.RADIUS,
        bounce: float = balls.BOUNCE,
    ) -> None:
        """Throw a ball from `position` [3], metres, with `velocity` [3], m/s; whom it hits is pushed where it hits.

        `mass` is in kg, `radius` in metres, `bounce` the share of its speed that the ball keeps. It is in `balls` until
        it comes to the floor.
        """
        place, speed = (np.asarray(vector, dtype=np.float64) for vector in (position, velocity))
        for name, vector in (("position", place), ("velocity", speed)):
            if vector.shape != (3,) or not np.isfinite(vector).all():
                raise ValueError(f"{name}: expected three finite numbers, got {vector}")
        for name, number in (("mass", mass), ("radius", radius)):
            if not 0.0 < number < np.inf:
                raise ValueError(f"{name}: expected a positive number, got {number}")
        if not 0.0 <= bounce <= 1.0:
            raise ValueError(f"bounce: expected 0 to 1, got {bounce}")
        engine()  # a missing one is told of now
        self.balls.append(balls.Ball(place, speed, mass, radius, bounce))

    @cached_property
    def pushes(self) -> Pushes:
        """The pushes under way; asking for them brings in the physics engine."""
        return Pushes(self.field, self.count, from_rest=self._from_rest)

    @property
    def _pushes(self) -> Pushes | None:
        """The pushes under way, or None as long as there was none."""
        return self.__dict__.get("pushes")

    def _checked(self, character: int | IntArray) -> IntArray:
        chosen = np.atleast_1d(np.asarray(character))
        if chosen.dtype.kind not in "iu" or chosen.ndim != 1 or not np.all((chosen >= 0) & (chosen < self.count)):
            raise ValueError(f"character: expected 0 to {self.count - 1}, got {character}")
        return chosen

    def _stop_pushes(self, characters: IntArray) -> None:
        """Forget the pushes on `characters`."""
        if self._pushes is not None:
            self._pushes.stop(characters)

    def _moved_by_pushes(self) -> IntArray:
        """The characters [m] that pushes move in this frame."""
        return NOBODY if self._pushes is None else self._pushes.moving

    @property
    def _recovering(self) -> IntArray:
        """The characters [m] that pushes move or moved a short while ago."""
        return NOBODY if self._pushes is None else self._pushes.recovering

    def _keep_in_range(self, characters: IntArray, before: FloatArray, rotations: FloatArray) -> None:
        """Keep the joints of `characters` [m] in range in `rotations` [n, joint, 4], planted from `before` [m, ...]."""
        if len(characters):
            kept = rotations[characters]
            self.pushes.keep_in_range(before, kept)
            rotations[characters] = kept

    def _end_frame(self, root_position: FloatArray, rotations: FloatArray) -> None:
        """Forces run out and balls fly on, among characters that show `root_position` [n, 3] and `rotations`."""
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
