"""Scale, axes, height above the ground, start position and facing of a clip."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import (
    GroundFrame,
    ground_frame,
    quat_conjugate,
    quat_from_yaw,
    quat_multiply,
    quat_rotate,
    yaw_from_quat,
)
from motionfields.motion.clip.clip import Clip
from motionfields.motion.skeleton import tip_positions

AXES: dict[str, tuple[float, float, float]] = {
    "+x": (1.0, 0.0, 0.0),
    "-x": (-1.0, 0.0, 0.0),
    "+y": (0.0, 1.0, 0.0),
    "-y": (0.0, -1.0, 0.0),
    "+z": (0.0, 0.0, 1.0),
    "-z": (0.0, 0.0, -1.0),
}


def rescale(clip: Clip, factor: float) -> Clip:
    """Return `clip` with all lengths multiplied by `factor`; rotations do not change."""
    if not 0.0 < factor < np.inf:
        raise ValueError(f"factor: expected a positive number, got {factor}")
    skeleton = clip.skeleton
    scaled = replace(skeleton, offsets=skeleton.offsets * factor, tip_offsets=skeleton.tip_offsets * factor)
    return replace(clip, skeleton=scaled, root_position=clip.root_position * factor)


def change_axes(clip: Clip, *, up: str, facing: str) -> Clip:
    """Convert `clip`, whose own `up` and `facing` axes are given ("+z", "-x"...), to y up, facing +z.

    The change of basis applies to the root, the rest offsets and every rotation. The motion stays the same.
    """
    ours_from_theirs = axes_rotation(up=up, facing=facing)
    if (up, facing) == ("+y", "+z"):
        return clip
    theirs_from_ours = quat_conjugate(ours_from_theirs)
    skeleton = clip.skeleton
    turned = replace(
        skeleton,
        offsets=quat_rotate(ours_from_theirs, skeleton.offsets),
        tip_offsets=quat_rotate(ours_from_theirs, skeleton.tip_offsets),
    )
    return replace(
        clip,
        skeleton=turned,
        root_position=quat_rotate(ours_from_theirs, clip.root_position),
        rotations=quat_multiply(quat_multiply(ours_from_theirs, clip.rotations), theirs_from_ours),
    )


def axes_rotation(*, up: str, facing: str) -> FloatArray:
    """Return the rotation [4] that takes the axis `up` to +y and the axis `facing` to +z."""
    from scipy.spatial.transform import Rotation

    for name, axis in (("up", up), ("facing", facing)):
        if axis not in AXES:
            raise ValueError(f"{name}: expected one of {', '.join(AXES)}, got {axis!r}")
    if up[1] == facing[1]:
        raise ValueError(f"facing: expected an axis perpendicular to up ({up}), got {facing}")
    up_vector, facing_vector = np.array(AXES[up]), np.array(AXES[facing])
    rows = np.array([np.cross(up_vector, facing_vector), up_vector, facing_vector])
    return np.asarray(Rotation.from_matrix(rows).as_quat(scalar_first=True))


def floor_height(clip: Clip) -> float:
    """Return the height of the floor in metres: the 5th percentile over the frames of the body's lowest point."""
    if clip.frame_count == 0:
        raise ValueError("clip: expected at least one frame")
    world = clip.world()
    heights = np.concatenate([world.positions[..., 1], tip_positions(clip.skeleton, world)[..., 1]], axis=-1)
    return float(np.percentile(heights.min(axis=-1), 5.0))


def place_on_ground(clip: Clip, *, clearance: float = 0.0) -> Clip:
    """Raise or lower `clip` so that its `floor_height` is `clearance` metres."""
    lift = clearance - floor_height(clip)
    return replace(clip, root_position=clip.root_position + np.array([0.0, lift, 0.0]))


def place_at(clip: Clip, frame: GroundFrame) -> Clip:
    """Move `clip` over the ground so that the root of its first frame has the position and yaw of `frame`."""
    if clip.frame_count == 0:
        return clip
    start = ground_frame(clip.root_position[0], yaw_from_quat(clip.rotations[0, 0]))
    turn = quat_from_yaw(np.asarray(frame.yaw) - start.yaw)
    rotations = clip.rotations.copy()
    rotations[:, 0] = quat_multiply(turn, rotations[:, 0])
    return replace(clip, root_position=frame.to_world(start.to_ground(clip.root_position)), rotations=rotations)
