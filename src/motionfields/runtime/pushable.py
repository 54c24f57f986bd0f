"""What all crowds share: characters can be pushed, pulled and hit by balls."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from motionfields.arrays import BoolArray, FloatArray, IntArray
from motionfields.field import MotionField
from motionfields.physics.balls import Ball, find_hit, flown
from motionfields.physics.pushes import Push, Pushes
from motionfields.runtime.follower import Shown


class Pushable:
    """`count` characters that move as the data of `field` does. Pushes need the extra `physics`, and only they."""

    def __init__(self, field: MotionField, count: int) -> None:
        if count < 1:
            raise ValueError(f"count: expected at least 1 character, got {count}")
        self.field = field
        self.count = count
        self.balls: list[Ball] = []  # in the air
        self.unplanted: Shown | None = None  # what the last frame showed before feet were held
        self._pushes: Pushes | None = None

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

        `character` is one or several of the crowd. `point` [3], metres in the frame of the joint, is where it acts, by
        default the centre of mass of that part of the body. A new push takes the place of one that still acts; what
        that did to the body fades on. A pull is a push that lasts.
        """
        pushes = self._ready()
        push = pushes.push_on(
            joint,
            np.asarray(force, dtype=np.float64),
            point=None if point is None else np.asarray(point, dtype=np.float64),
            duration=duration,
        )
        pushes.start(self._checked(character), push)

    def throw(
        self,
        position: ArrayLike,
        velocity: ArrayLike,
        *,
        mass: float = Ball.mass,
        radius: float = Ball.radius,
        bounce: float = Ball.bounce,
    ) -> None:
        """Throw a ball from `position` [3], metres, with `velocity` [3], m/s; whom it hits is pushed where it hits.

        `mass` is in kg, `radius` in metres, `bounce` the share of its speed that the ball keeps. It is in `balls` until
        it comes to the floor.
        """
        self._ready()
        place, speed = (np.asarray(vector, dtype=np.float64) for vector in (position, velocity))
        for name, vector in (("position", place), ("velocity", speed)):
            if vector.shape != (3,) or not np.isfinite(vector).all():
                raise ValueError(f"{name}: expected three finite numbers, got {vector}")
        for name, number in (("mass", mass), ("radius", radius)):
            if not 0.0 < number < np.inf:
                raise ValueError(f"{name}: expected a positive number, got {number}")
        if not 0.0 <= bounce <= 1.0:
            raise ValueError(f"bounce: expected 0 to 1, got {bounce}")
        self.balls.append(Ball(place, speed, mass, radius, bounce))

    def _ready(self) -> Pushes:
        if self._pushes is None:
            self._pushes = Pushes(self.field, self.count)
        return self._pushes

    def _checked(self, character: int | IntArray) -> IntArray:
        chosen = np.atleast_1d(np.asarray(character))
        if chosen.dtype.kind not in "iu" or chosen.ndim != 1 or not np.all((chosen >= 0) & (chosen < self.count)):
            raise ValueError(f"character: expected 0 to {self.count - 1}, got {character}")
        return chosen

    def _stop_pushes(self, characters: IntArray) -> None:
        """Forget the pushes on `characters`."""
        if self._pushes is not None:
            self._pushes.stop(characters)

    def _moved(self, shown: Shown, standing: BoolArray) -> tuple[IntArray, Shown]:
        """The characters [m] that pushes move, and their poses [m] once moved, where `shown` [n] is what else they do.

        `standing` [n, 2] says which feet are on the ground.
        """
        if self._pushes is None:
            return np.zeros(0, np.int64), shown.take(slice(0))
        pushed = self._pushes.moving
        moved = shown.take(pushed)
        if len(pushed):
            self._pushes.move(pushed, *moved, standing[pushed])
        return pushed, moved

    def _keep_in_range(self, shown: Shown, rotations: FloatArray) -> None:
        """Keep the joints of pushed characters in range in `rotations` [n, joint, 4], where `shown` was planted."""
        if self._pushes is not None and len(pushed := self._pushes.recovering):
            kept = rotations[pushed]
            self._pushes.keep_in_range(shown.rotations[pushed], kept)
            rotations[pushed] = kept

    def _end_frame(self, root_position: FloatArray, rotations: FloatArray) -> None:
        """Forces run out and balls fly on, among characters that show `root_position` [n, 3] and `rotations`."""
        if self._pushes is None:
            return
        self._pushes.advance()
        frame_time = self.field.database.frame_time
        flying = []
        for ball in self.balls:
            hit = find_hit(self._pushes.simulation, root_position, rotations, ball, frame_time)
            if hit is not None:
                force = Push(hit.segment, hit.point, hit.impulse / frame_time, frame_time)
                self._pushes.start(np.array([hit.character]), force)
            later = flown(ball, frame_time) if hit is None else hit.ball
            if later.position[1] > later.radius:
                flying.append(later)
        self.balls = flying
