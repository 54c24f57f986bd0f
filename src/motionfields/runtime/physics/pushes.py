"""Pushes on the characters of a crowd, and their effect on poses (Lee et al. 2010, eq. 15).

Eq. 15 blends the field's next state with D(x, 0, i), the pose after i frames of physics from rest. This module keeps
its window of k frames and its falling share (k - i) / k, and changes two things. First, only the displacement by
physics is blended in, on top of the field's own step: a force of zero changes nothing, and a walking character keeps
walking while it is pushed. Second, physics does not start from rest at every frame: the velocity caused by pushes is
carried over, so that a push counts once, however long the window, and a second push adds to the first.

A body without muscles would bend over and be carried off by a force that lasts. People stiffen and resist a force that
acts for longer than their reaction time, so the velocity that such a force causes is reduced in every frame while it
lasts.
"""

from __future__ import annotations

import copy
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import checked_count
from motionfields.base.compiled import kernel, lean_kernel
from motionfields.base.geometry import quat_slerp
from motionfields.base.geometry.vectors import (
    Vector,
    add,
    between,
    multiply,
    normalized,
    put,
    quat_of,
    rotate,
    vector_of,
)
from motionfields.field import MotionField
from motionfields.runtime.physics.body_model import BodyModel
from motionfields.runtime.physics.ranges import JointRanges, keep_in_range, measure_ranges
from motionfields.runtime.physics.segments import TRUNK, SegmentedBody, read_turns, write_turns
from motionfields.runtime.physics.simulation import Load, Shape, Simulation, bounded

BLEND_FRAMES = 20  # k
RECOVERY_FRAMES = 45  # frames after a force in which locked legs are kept within their joint ranges, at least
MOST_FORCE = 2000.0  # newtons
REACTION_TIME = 0.13  # seconds that a force must act before a character resists it
BRAKE_TIME = 0.08  # seconds in which the legs of a character that resists remove 63 % of its ground speed
STIFF_TIME = 0.06  # the same for the muscles of its trunk and the turning speed of that
FORCE_TOLERANCE = 1e-9  # relative: rounding may lengthen an oblique force of MOST_FORCE slightly
MOST_DURATION = 60.0  # seconds
FURTHEST_POINT = 2.0  # metres: largest distance of the point of a push from its joint


class Push(NamedTuple):
    """A force on one segment of a body."""

    segment: int  # of the `SegmentedBody`
    point: FloatArray  # [3], point of application, in the frame of the segment's joint, metres
    force: FloatArray  # [3], newtons, in the world
    duration: float  # seconds


class Pushes:
    """The pushes on `count` characters that move by the data of `field`; needs the extra `physics`."""

    def __init__(self, field: MotionField, count: int, *, from_rest: bool = False) -> None:
        database = field.database
        self.from_rest = from_rest  # whether to use eq. 15 as printed, see `move_from_rest`
        self.frames = np.full(count, RECOVERY_FRAMES)  # frames since a force began: i of eq. 15 as printed
        rotations = database.rotations
        self.body = SegmentedBody(database.skeleton, rotations=rotations)
        self.ranges = measure_ranges(self.body, rotations)
        self.simulation = Simulation(BodyModel(self.body, frame_time=database.frame_time, ranges=self.ranges))
        self.velocity = np.zeros((count, self.simulation.freedom_count))  # from pushes, in the engine's coordinates
        self._trunk = _trunk_freedoms(self.body)
        self.ages = np.full(count, RECOVERY_FRAMES)  # frames since a force last acted: i of eq. 15 here
        self._acted = np.zeros(count, np.int64)  # frames that a force has acted without a break
        self._bent = np.zeros(count, np.bool_)  # whether foot locking moved a joint beyond its range in the last frame
        self._load = _no_load(count)
        self._force = np.zeros((count, 3))
        self._seconds = np.zeros(count)

    def resized(self, count: int) -> Pushes:
        """Return the pushes for a crowd of `count`: existing characters keep theirs, new ones have none."""
        pushes, kept = copy.copy(self), min(count, len(self.ages))
        pushes.velocity = np.zeros((count, self.velocity.shape[1]))
        pushes.ages = np.full(count, RECOVERY_FRAMES)
        pushes.frames = np.full(count, RECOVERY_FRAMES)
        pushes._load = _no_load(count)
        pushes._acted, pushes._bent = np.zeros(count, np.int64), np.zeros(count, np.bool_)
        pushes._force, pushes._seconds = np.zeros((count, 3)), np.zeros(count)
        mine, its = (
            (one.velocity, one.ages, one.frames, one._acted, one._bent, one._force, one._seconds, *one._load)
            for one in (pushes, self)
        )
        for track, old in zip(mine, its, strict=True):
            track[:kept] = old[:kept]
        return pushes

    @property
    def moving(self) -> IntArray:
        """Characters [m] that a push still moves."""
        if self.from_rest:
            return np.flatnonzero(self.frames < BLEND_FRAMES)
        blended = np.flatnonzero(self.ages < BLEND_FRAMES)
        if not len(blended):
            return blended
        return blended[self._load.forces[blended].any(axis=1) | self.velocity[blended].any(axis=1)]

    @property
    def recovering(self) -> IntArray:
        """Characters [m] that a push moves, or moved a short while ago, or whose joints are kept in range since."""
        return np.flatnonzero((self.ages < RECOVERY_FRAMES) | self._bent)

    def push_on(
        self, joint: str | int, force: FloatArray, *, point: FloatArray | None = None, duration: float = 0.1
    ) -> Push:
        """Return the push of `force` [3] on the segment of `joint`; ValueError if an argument is not valid.

        `point` [3] is in the frame of that joint, in metres, by default the centre of mass of the segment.
        """
        skeleton = self.body.skeleton
        number = skeleton.index(joint) if isinstance(joint, str) else checked_count("joint", joint, -(10**9))
        if not 0 <= number < skeleton.joint_count:
            raise ValueError(f"joint: expected a name or 0 to {skeleton.joint_count - 1}, got {joint}")
        for name, vector in (("force", force), ("point", point)):
            if vector is not None and (np.shape(vector) != (3,) or not np.isfinite(vector).all()):
                raise ValueError(f"{name}: expected three finite numbers, got {vector}")
        if point is not None and float(np.linalg.norm(point)) > FURTHEST_POINT:
            raise ValueError(f"point: expected within {FURTHEST_POINT:g} m of the joint, got {point}")
        segment = self.body.segment_of(number)
        where = self.body.centres[segment] if point is None else self.body.place_in_segment(number, point)
        if not float(np.linalg.norm(force)) <= MOST_FORCE * (1.0 + FORCE_TOLERANCE):
            raise ValueError(f"force: expected at most {MOST_FORCE:g} N, got {float(np.linalg.norm(force)):.9g}")
        if not 0.0 < duration <= MOST_DURATION:
            raise ValueError(f"duration: expected more than 0 and at most {MOST_DURATION:g} seconds, got {duration}")
        return Push(segment, np.asarray(where), np.asarray(force), duration)

    def start(self, characters: IntArray, push: Push) -> None:
        """Let `push` act on `characters` from the next frame on, replacing any other force on them."""
        load = self._load
        load.segments[characters] = push.segment
        load.points[characters] = push.point
        load.forces[characters] = push.force
        acts = bool(push.force.any())
        load.seconds[characters] = push.duration if acts else 0.0
        if acts:
            self.ages[characters] = 0
            self.frames[characters] = 0
            self._force[characters] = push.force
            self._seconds[characters] = push.duration

    def kick(self, character: int, change: FloatArray) -> None:
        """Add `change` [freedom] to the velocity that pushes gave `character`, as a hit does."""
        self.velocity[character] = bounded((self.velocity[character] + change)[np.newaxis])[0]
        self.ages[character] = 0

    def stop(self, characters: IntArray) -> None:
        """Remove all pushes on `characters`, and the velocity they caused."""
        self._load.forces[characters] = 0.0
        self.velocity[characters] = 0.0
        self.ages[characters] = RECOVERY_FRAMES
        self.frames[characters] = RECOVERY_FRAMES
        self._acted[characters], self._bent[characters] = 0, False

    def move(self, characters: IntArray, root_position: FloatArray, rotations: FloatArray, standing: BoolArray) -> None:
        """Move the poses `root_position` [m, 3], `rotations` [m, joint, 4] of `characters` by a frame, in place.

        This is the blend of eq. 15 with the changes that the module docstring describes. `standing` [m, 2] marks their
        feet on the ground.
        """
        load = self._load.of(characters, standing)
        velocity = self.velocity[characters]
        shares = 1.0 - self.ages[characters] / BLEND_FRAMES
        self.simulation.move(root_position, rotations, velocity, load, shares=shares)
        frame_time = self.simulation.model.frame_time
        resists = self._acted[characters] * frame_time >= REACTION_TIME
        velocity[resists] = resisted(velocity[resists], self._trunk, frame_time)
        self.velocity[characters] = velocity

    def move_from_rest(
        self,
        characters: IntArray,
        before: tuple[FloatArray, FloatArray],
        after: tuple[FloatArray, FloatArray],
        standing: BoolArray,
    ) -> None:
        """Blend poses with physics by eq. 15 as printed: i / k I(x, v, a) + (k - i) / k D(x, 0, i), in place.

        `before` are the poses x of `characters` and `after` those of I(x, v, a), each root [m, 3] and rotations [m,
        joint, 4]; `after` is changed. D is the pose after i frames of physics from x at rest, where i counts the frames
        since the force began.
        """
        number = np.minimum(self.frames[characters] + 1, BLEND_FRAMES)
        for i in np.unique(number):
            chosen = np.flatnonzero(number == i)
            root, rotations = before[0][chosen].copy(), before[1][chosen].copy()
            self._simulate(characters[chosen], root, rotations, standing[chosen], int(i))
            share = 1.0 - i / BLEND_FRAMES
            after[0][chosen] += share * (root - after[0][chosen])
            after[1][chosen] = quat_slerp(after[1][chosen], rotations, np.full(rotations.shape[:-1], share))

    def _simulate(
        self, characters: IntArray, root: FloatArray, rotations: FloatArray, standing: BoolArray, frame_count: int
    ) -> None:
        """Run `frame_count` frames of physics from rest on poses, in place, with the force from its beginning."""
        load = self._load.of(characters, standing)
        load.forces[:] = self._force[characters]
        velocity = np.zeros((len(characters), self.simulation.freedom_count))
        for frame in range(frame_count):
            left = self._seconds[characters] - frame * self.simulation.model.frame_time
            load.seconds[:] = np.maximum(left, 0.0)
            load.forces[left <= 1e-9] = 0.0
            self.simulation.move(root, rotations, velocity, load, shares=np.ones(len(characters)))

    def keep_in_range(self, characters: IntArray, before: FloatArray, rotations: FloatArray) -> None:
        """Keep the joints of the recovering `characters` [m] in their ranges after foot locking, in place.

        `before` and `rotations` [m, joint, 4] are the rotations before foot locking, which may be out of range, and
        after. Characters are kept in range until they need it no more, because a joint that is let go would jump.
        """
        moved = np.zeros(len(characters), np.bool_)
        _keep_in_range(self.simulation.shape, self.ranges, before, rotations, moved)
        self._bent[:] = False
        self._bent[characters] = moved

    def advance(self) -> None:
        """End the frame: reduce the remaining time of forces, and fade the motion of forces that have ended."""
        self.frames[:] = np.minimum(self.frames + 1, RECOVERY_FRAMES)
        self._load.seconds[:] -= self.simulation.model.frame_time
        over = self._load.seconds <= 1e-9
        self._load.forces[over] = 0.0
        self._acted[:] = np.where(self._load.forces.any(axis=1), self._acted + 1, 0)
        self.ages[over] = np.minimum(self.ages[over] + 1, RECOVERY_FRAMES)
        self.velocity[self.ages >= BLEND_FRAMES] = 0.0


def resisted(velocity: FloatArray, trunk: BoolArray, frame_time: float) -> FloatArray:
    """Return `velocity` [n, freedom], caused by forces, after one frame in which the characters resist them.

    The ground speed of the root decays with the time constant `BRAKE_TIME`, the degrees of freedom `trunk` [freedom]
    with `STIFF_TIME`.
    """
    slower = velocity.copy()
    slower[:, [0, 2]] *= np.exp(-frame_time / BRAKE_TIME)
    slower[:, trunk] *= np.exp(-frame_time / STIFF_TIME)
    return slower


def _trunk_freedoms(body: SegmentedBody) -> BoolArray:
    """Return which degrees of freedom [freedom] are rotations of the trunk; the first three move the root."""
    trunk = [segment.part in TRUNK for segment in body.segments]
    return np.concatenate([np.zeros(3, np.bool_), np.repeat(trunk, 3)])


def _no_load(count: int) -> Load:
    """Return an empty load on `count` characters."""
    return Load(
        np.zeros(count, np.int64),
        np.zeros((count, 3)),
        np.zeros((count, 3)),
        np.zeros(count),
        np.zeros((count, 2), np.bool_),
    )


@kernel
def _keep_in_range(
    shape: Shape, ranges: JointRanges, before: FloatArray, rotations: FloatArray, moved: BoolArray
) -> None:
    """Keep the joints of poses `rotations` [n, joint, 4] in range, in place; mark in `moved` [n] which needed it."""
    for i in range(len(rotations)):
        was, now = np.empty((len(shape.paths), 4)), np.empty((len(shape.paths), 4))
        read_turns(shape.paths, before[i], was)
        read_turns(shape.paths, rotations[i], now)
        free = now.copy()
        # Poses that need no correction are not written, so their bits stay the same.
        if keep_in_range(ranges, was, now):
            moved[i] = True
            for side in range(2):
                _return_foot(shape, side, free, now)
            keep_in_range(ranges, was, now)
            write_turns(shape.paths, now, rotations[i])


@lean_kernel
def _return_foot(shape: Shape, side: int, before: FloatArray, turns: FloatArray) -> None:
    """Turn the thigh in the pose `turns` [segment, 4], in place, so that the ball of the foot is where it was `before`.

    Only the direction from the hip to the ball is restored; their distance changes little.
    """
    now, then = _ball(shape, side, turns), _ball(shape, side, before)
    thigh = shape.legs[side, 0]
    put(normalized(multiply(between(now, then), quat_of(turns[thigh]))), turns[thigh])


@lean_kernel
def _ball(shape: Shape, side: int, turns: FloatArray) -> Vector:
    """Return the ball of a foot in the pose `turns` [segment, 4], in the frame of the pelvis, from the hip."""
    thigh, shank, foot = shape.legs[side, 0], shape.legs[side, 1], shape.legs[side, 2]
    place = add(vector_of(shape.places[foot]), rotate(quat_of(turns[foot]), vector_of(shape.balls[side])))
    place = add(vector_of(shape.places[shank]), rotate(quat_of(turns[shank]), place))
    return rotate(quat_of(turns[thigh]), place)
