"""Effort of captured motion: joint torques by inverse dynamics, with the ground carrying the feet in contact."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.base.engine import engine
from motionfields.motion.clip import Clip
from motionfields.motion.contacts import checked_labels
from motionfields.runtime.physics.body_model import BodyModel
from motionfields.runtime.physics.segments import SegmentedBody

GRAVITY: Final = 9.81  # m/s2


class Effort(NamedTuple):
    """Effort of each frame of a motion."""

    squares: FloatArray  # [frame], sum of the squared joint torques in (N m/kg)^2
    support: FloatArray  # [frame], vertical force of the ground over the weight; 0 without contacts


def measure_effort(clip: Clip, contacts: BoolArray) -> Effort:
    """Return the effort of `clip`, whose feet are on the ground in `contacts` [frame, 2]. Needs the extra `physics`.

    Torques follow from the accelerations of the segments. What the root lacks is provided by the smallest forces at
    ankles and balls of the feet in contact; without contacts, by nothing. The first and last frame repeat the frames
    beside them.
    """
    labels = checked_labels(clip, contacts)
    mujoco = engine()
    body = SegmentedBody(clip.skeleton, rotations=clip.rotations)
    model = BodyModel(body, frame_time=clip.frame_time).model
    model.opt.gravity[:] = (0.0, -GRAVITY, 0.0)
    model.dof_damping[:], model.dof_armature[:] = 0.0, 0.0
    data = mujoco.MjData(model)
    poses = np.concatenate([clip.root_position, body.turns(clip.rotations).reshape(clip.frame_count, -1)], axis=1)
    velocity = np.zeros((clip.frame_count - 1, model.nv))
    for frame, change in enumerate(velocity):
        mujoco.mj_differentiatePos(model, change, clip.frame_time, poses[frame], poses[frame + 1])
    squares, support = np.zeros(clip.frame_count), np.zeros(clip.frame_count)
    for frame in range(1, clip.frame_count - 1):
        data.qpos[:] = poses[frame]
        data.qvel[:] = 0.5 * (velocity[frame - 1] + velocity[frame])
        data.qacc[:] = (velocity[frame] - velocity[frame - 1]) / clip.frame_time
        mujoco.mj_inverse(model, data)
        torques = data.qfrc_inverse.copy()
        points = _contact_points(mujoco, model, data, body, labels[frame])
        if len(points):
            forces = np.linalg.lstsq(points[:, :6].T, torques[:6], rcond=None)[0]
            torques -= points.T @ forces
            support[frame] = forces[1::3].sum() / (body.mass * GRAVITY)
        squares[frame] = np.square(torques[6:] / body.mass).sum()
    if clip.frame_count > 2:
        for track in (squares, support):
            track[0], track[-1] = track[1], track[-2]
    return Effort(squares, support)


def _contact_points(mujoco: Any, model: Any, data: Any, body: SegmentedBody, on_ground: BoolArray) -> FloatArray:
    """Return the Jacobian [3 * point, freedom] of ankle and ball of each foot that is `on_ground` [2]."""
    rows = [np.zeros((0, model.nv))]
    for foot in np.flatnonzero(on_ground).tolist():
        number = 1 + body.segment_of(body.body.legs[foot].ankle)  # the world is body 0
        ankle, turn = data.xpos[number], data.xmat[number].reshape(3, 3)
        for point in (ankle, ankle + turn @ body.balls[foot]):
            rows.append(np.zeros((3, model.nv)))
            mujoco.mj_jac(model, data, rows[-1], None, point.reshape(3, 1), number)
    return np.concatenate(rows)
