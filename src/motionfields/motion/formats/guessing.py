"""Guesses of facts that a motion file does not state: unit, axes, and rest poses before the motion.

The functions take a raw clip, still in the file's unit and axes. Every guess is returned as a `Finding` with evidence
that a person can check.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.base.geometry import (
    quat_angle,
    quat_conjugate,
    quat_from_yaw,
    quat_identity,
    quat_multiply,
    quat_rotate,
    yaw_of_vector,
)
from motionfields.motion.body import LEG_SHARE, Arm, Body
from motionfields.motion.clip import Clip, Finding, trim
from motionfields.motion.clip.place import AXES
from motionfields.motion.clip.resting import rest_positions
from motionfields.motion.skeleton import forward_kinematics, tip_positions

# Metres per unit. CMU's files use inches divided by 0.45.
UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254, "foot": 0.3048, "cmu": 0.0254 / 0.45}
USUAL_STATURE = 1.70  # metres
PLAUSIBLE_STATURE = (1.2, 2.2)  # metres

TURNED_REST = np.radians(20.0)  # radians off +z above which a rest pose is turned to face +z
REST_SEARCH = 60  # frames at the start within which a rest pose must end
REST_JUMP = np.radians(5.0)  # radians of mean joint rotation that count as a jump
REST_JUMP_RATIO = 4.0  # least ratio of a jump to the median change between frames
REST_FROZEN = np.radians(0.02)  # radians of mean joint rotation below which a pose counts as held


def guess_scale(clip: Clip, body: Body | None) -> Finding:
    """Return metres per unit: the known unit that brings the character's stature nearest to a person's."""
    stature_units, how = _stature(clip, body)
    if not stature_units > 0.0:
        return Finding(UNITS["cm"], "the skeleton has no size; centimetres assumed")
    error = {name: abs(np.log(stature_units * unit / USUAL_STATURE)) for name, unit in UNITS.items()}
    best, second = sorted(error, key=lambda name: error[name])[:2]
    evidence = (
        f"{how}: stature {stature_units * UNITS[best]:.2f} m if the unit is {best} "
        f"({stature_units * UNITS[second]:.2f} m if {second})"
    )
    return Finding(UNITS[best], evidence)


def implausible_stature(clip: Clip, body: Body | None, scale: float) -> str | None:
    """Return a warning if `scale` metres per unit gives the character no human size, else None."""
    stature = _stature(clip, body)[0] * scale
    low, high = PLAUSIBLE_STATURE
    if low <= stature <= high:
        return None
    return f"a stature of {stature:.2f} m is implausible for a person; if it is one, set the scale"


def guess_up(clip: Clip, body: Body | None, rest_count: int) -> Finding:
    """Return the file's axis along which the hips are above the ankles.

    People also lie and fall, so if the file starts with `rest_count` frames of a rest pose, which stands, they decide
    alone. Otherwise the up axis of the unrotated skeleton is used if the motion is upright along it for at least a
    tenth of the time, and else the axis along which most frames are upright.
    """
    if body is None:
        return Finding("+y", "no legs recognised; +y assumed")
    if rest_count > 0:
        name = _upright(trim(clip, 0, 1), body)[0]
        return Finding(name, f"hips are above ankles along {name} in the rest pose of frame 0")
    rest = _upright(trim(clip, 0, 0), body)[0]
    axes, counts = np.unique(_upright(clip, body), return_counts=True)
    share = dict(zip(axes.tolist(), (counts / counts.sum()).tolist(), strict=True))
    name = rest if share.get(rest, 0.0) >= 0.1 else max(share, key=lambda axis: share[axis])
    return Finding(name, f"hips are above ankles along {name} in {100.0 * share.get(name, 1.0):.0f} % of the frames")


def guess_facing(clip: Clip, body: Body | None, up: str) -> Finding:
    """Return the file's axis that the character faces when its root is not rotated, from the hip line."""
    usual = next(axis for axis in ("+z", "+x") if axis[1] != up[1])
    if body is None:
        return Finding(usual, f"no legs recognised; {usual} assumed")
    some = _some_frames(clip)
    positions = some.world().positions
    hip_line = positions[:, body.left_leg.hip] - positions[:, body.right_leg.hip]
    in_root = quat_rotate(quat_conjugate(some.rotations[:, 0]), hip_line).mean(axis=0)
    ahead = np.cross(in_root, AXES[up])
    if not np.linalg.norm(ahead) > 1e-6 * np.linalg.norm(in_root):
        return Finding(usual, f"the hips are one above the other; {usual} assumed")
    name, share = _nearest_axis(ahead)
    angle = np.degrees(np.arccos(min(1.0, share)))
    return Finding(name, f"the hips face {name}, {angle:.0f} degrees off")


def facing_ahead(clip: Clip, body: Body | None) -> Clip:
    """Return the same motion on a skeleton that faces +z at rest, if it is upright along +y there; nothing moves.

    Nodes of glTF files are left at rest in whatever pose the tool had, often a frame of some motion, facing any way.
    The choice of the unrotated pose is free, so the motion stays in place in the world of the file.
    """
    skeleton = clip.skeleton
    if body is None or _upright(trim(clip, 0, 0), body)[0] != "+y":
        return clip
    places = rest_positions(skeleton)
    ahead = np.cross(places[body.left_leg.hip] - places[body.right_leg.hip], AXES["+y"])
    yaw = yaw_of_vector(ahead)
    if np.linalg.norm(ahead) < 1e-9 or abs(yaw) < TURNED_REST:
        return clip
    turn = quat_from_yaw(-yaw)
    turned = replace(
        skeleton,
        offsets=quat_rotate(turn, skeleton.offsets),
        tip_offsets=quat_rotate(turn, skeleton.tip_offsets),
    )
    rotations = quat_multiply(clip.rotations, quat_conjugate(turn))
    rotations[:, 1:] = quat_multiply(turn, rotations[:, 1:])
    return replace(clip, skeleton=turned, rotations=rotations)


def guess_rest_frames(clip: Clip, body: Body | None) -> Finding:
    """Return how many frames at the start are a rest pose (such as a T-pose) from which the motion jumps away."""
    if clip.frame_count < 8:
        return Finding(0, "too few frames to detect a rest pose")
    change = quat_angle(clip.rotations[1:], clip.rotations[:-1]).mean(axis=-1)
    usual = float(np.median(change))
    early = change[: min(REST_SEARCH, clip.frame_count // 2)]
    jumps = np.flatnonzero((early > REST_JUMP) & (early > REST_JUMP_RATIO * usual))
    for last in jumps:
        held = last == 0 or float(np.median(change[1:last])) < REST_FROZEN if last != 1 else True
        if held and _rests(trim(clip, 0, 1), body):
            size = np.degrees(change[last])
            return Finding(
                int(last) + 1,
                f"frame 0 is a rest pose and frame {last + 1} jumps from it by {size:.0f} degrees a joint "
                f"(usual: {np.degrees(usual):.1f})",
            )
    return Finding(0, "the motion starts without a jump from a rest pose")


def _stature(clip: Clip, body: Body | None) -> tuple[float, str]:
    """Return the character's height in file units, and the measurement it comes from."""
    skeleton = clip.skeleton
    if body is not None:
        bones = [joint for leg in body.legs for joint in (leg.knee, leg.ankle)]
        leg_length = 0.5 * float(np.linalg.norm(skeleton.offsets[bones], axis=-1).sum())
        if leg_length > 0.0:
            return leg_length / LEG_SHARE, f"legs of {leg_length:.4g} units"
    rest = forward_kinematics(skeleton, np.zeros(3), quat_identity(skeleton.joint_count))
    points = np.concatenate([rest.positions, tip_positions(skeleton, rest)])
    size = float(np.ptp(points, axis=0).max())
    return size, f"a rest pose of {size:.4g} units"


def _some_frames(clip: Clip, most: int = 500) -> Clip:
    """Return `clip`, or at most about `most` frames spread over it; the rest pose if it has none."""
    if clip.frame_count == 0:
        rest = quat_identity(1, clip.skeleton.joint_count)
        return Clip(clip.skeleton, np.zeros((1, 3)), rest, clip.frame_time)
    step = -(-clip.frame_count // most)
    return Clip(clip.skeleton, clip.root_position[::step], clip.rotations[::step], clip.frame_time * step)


def _upright(clip: Clip, body: Body) -> list[str]:
    """Return, for some frames of `clip`, the axis nearest to the direction from ankles to hips."""
    positions = _some_frames(clip).world().positions
    hips = positions[:, [leg.hip for leg in body.legs]].mean(axis=1)
    ankles = positions[:, [leg.ankle for leg in body.legs]].mean(axis=1)
    return [_nearest_axis(direction)[0] for direction in hips - ankles]


def _nearest_axis(vector: FloatArray) -> tuple[str, float]:
    """Return the axis nearest in direction to `vector` [3], and the cosine between them."""
    cosines = {name: float(np.dot(axis, vector)) for name, axis in AXES.items()}
    best = max(cosines, key=lambda name: cosines[name])
    return best, cosines[best] / max(float(np.linalg.norm(vector)), 1e-12)


def _rests(frame: Clip, body: Body | None) -> bool:
    """Return whether the one pose of `frame` is unrotated, or stands on straight legs with its arms out."""
    turned = quat_angle(frame.rotations[0], quat_identity())
    if float(np.median(turned)) < np.radians(0.5):
        return True
    if body is None or body.left_arm is None or body.right_arm is None:
        return False
    positions = frame.world().positions[0]
    across = positions[body.left_leg.hip] - positions[body.right_leg.hip]
    stretched = [_aligned(positions, arm, sign * across) for arm, sign in ((body.left_arm, 1), (body.right_arm, -1))]
    return bool(np.all(stretched))


def _aligned(positions: FloatArray, arm: Arm, direction: FloatArray) -> BoolArray:
    """Return whether an arm points within 35 degrees of `direction` [3]."""
    arm_direction = positions[arm.wrist] - positions[arm.shoulder]
    cosine = arm_direction @ direction / max(float(np.linalg.norm(arm_direction) * np.linalg.norm(direction)), 1e-12)
    return np.asarray(cosine > np.cos(np.radians(35.0)))
