"""Thrown balls: their flight, the character they hit, and the impulse of the hit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_conjugate, quat_rotate
from motionfields.motion.skeleton import forward_kinematics
from motionfields.runtime.physics.segments import SegmentedBody
from motionfields.runtime.physics.simulation import Simulation

GRAVITY = np.array([0.0, -9.81, 0.0])  # m/s2
LOOKS = 32  # collision tests per frame


MASS, RADIUS, BOUNCE = 1.0, 0.12, 0.4  # defaults of a ball: kg, metres, share of speed


class Ball(NamedTuple):
    """A ball in the air."""

    position: FloatArray  # [3], metres
    velocity: FloatArray  # [3], m/s
    mass: float = MASS  # kg
    radius: float = RADIUS  # metres
    bounce: float = BOUNCE  # share of its speed that the ball keeps


class Hit(NamedTuple):
    """The point where a ball hits a body, and the impulse it transfers."""

    character: int
    segment: int
    point: FloatArray  # [3], in the frame of the segment's joint, metres
    impulse: FloatArray  # [3], N s, in the world
    change: FloatArray  # [freedom], change of the body's velocity, in the engine's coordinates
    ball: Ball  # the ball after the hit


def flown(ball: Ball, seconds: float) -> Ball:
    """Return `ball` after `seconds` of free flight."""
    displacement = seconds * ball.velocity + 0.5 * seconds**2 * GRAVITY
    return ball._replace(position=ball.position + displacement, velocity=ball.velocity + seconds * GRAVITY)


def find_hit(
    simulation: Simulation, root_position: FloatArray, rotations: FloatArray, ball: Ball, seconds: float
) -> Hit | None:
    """Return the first hit of `ball` within `seconds` on poses `root_position` [n, 3], `rotations` [n, joint, 4].

    Bodies are capsules that do not move meanwhile. The impulse is that of a collision of two masses along the line from
    the bone to the ball's centre: the mass of the ball, and the effective mass of the body at that point, with all
    joints loose.
    """
    body = simulation.model.body
    path_length = seconds * float(np.linalg.norm(ball.velocity)) + 0.5 * seconds**2 * float(np.linalg.norm(GRAVITY))
    distance = np.linalg.norm(root_position - ball.position, axis=-1)
    # Only characters that the ball can reach within this frame are posed.
    near = np.flatnonzero(distance <= body.reach + ball.radius + path_length)
    if not len(near):
        return None
    world = forward_kinematics(body.skeleton, root_position[near], rotations[near])
    joints, turns = body.joints, world.rotations[:, body.joints]
    starts, bones, radii = _capsules(body)
    starts = world.positions[:, joints] + quat_rotate(turns, np.broadcast_to(starts, (*turns.shape[:-1], 3)))
    bones = quat_rotate(turns, np.broadcast_to(bones, (*turns.shape[:-1], 3)))
    for look in range(1, LOOKS + 1):
        there = flown(ball, seconds * look / LOOKS)
        away = there.position - _nearest_points(starts, bones, there.position)
        depth = ball.radius + radii - np.linalg.norm(away, axis=-1)
        character, segment = np.unravel_index(int(depth.argmax()), depth.shape)
        if depth[character, segment] >= 0.0:
            normal = away[character, segment] / max(float(np.linalg.norm(away[character, segment])), 1e-9)
            if there.velocity @ normal < 0.0:
                target = (int(near[character]), int(segment))
                return _struck(simulation, root_position, rotations, there, target, normal)
    return None


def _struck(
    simulation: Simulation,
    root_position: FloatArray,
    rotations: FloatArray,
    ball: Ball,
    target: tuple[int, int],
    normal: FloatArray,
) -> Hit:
    """Return the hit of `ball` on the character and segment `target`; `normal` [3] points from the body to the ball."""
    character, segment = target
    body = simulation.model.body
    point = ball.position - ball.radius * normal
    answer = simulation.struck(root_position[character], rotations[character], segment, point, -normal)
    impulse = -(1.0 + ball.bounce) * float(ball.velocity @ normal) / (1.0 / ball.mass + 1.0 / answer.mass)
    world = forward_kinematics(body.skeleton, root_position[character], rotations[character])
    joint = body.joints[segment]
    local = quat_rotate(quat_conjugate(world.rotations[joint]), point - world.positions[joint])
    after = ball._replace(velocity=ball.velocity + impulse / ball.mass * normal)
    return Hit(character, segment, local, -impulse * normal, impulse * answer.change, after)


def _capsules(body: SegmentedBody) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the near ends [segment, 3], bones [segment, 3] and radii [segment] of the capsules, in metres."""
    segments = body.segments
    starts = np.stack([segment.start for segment in segments])
    return starts, np.stack([s.end for s in segments]) - starts, np.array([s.radius for s in segments])


def _nearest_points(starts: FloatArray, bones: FloatArray, place: FloatArray) -> FloatArray:
    """Return the points [..., 3] on bones nearest to `place` [3]."""
    squares = np.maximum((bones * bones).sum(axis=-1, keepdims=True), 1e-12)
    share = ((place - starts) * bones).sum(axis=-1, keepdims=True) / squares
    return np.asarray(starts + np.clip(share, 0.0, 1.0) * bones)
