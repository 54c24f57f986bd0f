"""The last centimetres to a stroke: hips moved over standing feet, arms and legs bent by inverse kinematics."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter1d, minimum_filter1d

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.base.geometry import quat_conjugate, quat_multiply
from motionfields.motion.body import known_body
from motionfields.motion.clip import Clip
from motionfields.motion.clip.fitting import LegGoal, fit_legs
from motionfields.motion.legs import bend_axis, solve_leg
from motionfields.motion.planting.holding import KEPT_BEND
from motionfields.motion.skeleton import Skeleton

FURTHEST: Final = 0.35  # metres: largest correction
STRAIGHTEST: Final = 0.985  # share of the length of a limb to which it may be stretched
BENT_MOST: Final = 0.4  # share of the length of a limb to which it may be bent
EASE: Final = 0.2  # seconds over which a correction begins, ends and gives way to contacts
SMOOTHING: Final = 0.08  # seconds: width of the filter on corrections
FURTHEST_HIPS: Final = 0.08  # metres: largest displacement of the hips
HIPS_SMOOTHING: Final = 0.15  # seconds: width of the filter on it, which leaves the sway of a step


class Limb(NamedTuple):
    """Three joints of an arm or a leg, top to bottom, each a child of the one above."""

    upper: int
    middle: int
    end: int
    foot: int | None  # 0 left, 1 right; None for an arm


def limb_of(skeleton: Skeleton, joint: int) -> Limb | None:
    """Return the limb whose end is `joint` or carries it; None if it is no part of a hand or foot."""
    body = known_body(skeleton)
    if body is None:
        return None
    limbs = [Limb(leg.hip, leg.knee, leg.ankle, side) for side, leg in enumerate(body.legs)]
    limbs += [
        Limb(arm.shoulder, arm.elbow, arm.wrist, None) for arm in (body.left_arm, body.right_arm) if arm is not None
    ]
    above = skeleton.path_to(joint)
    for limb in limbs:
        chained = skeleton.parents[limb.end] == limb.middle and skeleton.parents[limb.middle] == limb.upper
        if limb.end in above and chained:
            return limb
    return None


def reach_with(clip: Clip, limb: Limb, wanted: FloatArray, free: BoolArray) -> Clip:
    """Return `clip` with the end of `limb` displaced by `wanted` [frame, 3] metres, as far as it reaches.

    Corrections fade in and out around the frames that are not `free` [frame]. The end keeps its rotation in the world.
    """
    skeleton, rate = clip.skeleton, clip.frame_rate
    world = clip.world()
    target = world.positions[:, limb.end] + _eased(wanted, free, rate, furthest=FURTHEST, smoothing=SMOOTHING)
    bones = skeleton.offsets[[limb.middle, limb.end]]
    length = float(np.linalg.norm(bones, axis=1).sum())
    top = world.positions[:, limb.upper]
    away = target - top
    far = np.linalg.norm(away, axis=1)
    own = np.linalg.norm(world.positions[:, limb.end] - top, axis=1)
    # A limb that is straighter or more bent in the data than these limits stays as it is.
    least, most = np.minimum(BENT_MOST * length, own), np.maximum(STRAIGHTEST * length, own)
    target = top + away * (np.clip(far, least, most) / np.maximum(far, 1e-9))[:, np.newaxis]
    upper, middle = world.rotations[:, limb.upper], world.rotations[:, limb.middle]
    solved = solve_leg(
        top,
        target,
        world_from_thigh=upper,
        world_from_shank=middle,
        knee_offset=bones[0],
        ankle_offset=bones[1],
        bend_axis=bend_axis(upper, middle, bones),
    )
    rotations = clip.rotations.copy()
    above = world.rotations[:, skeleton.parents[limb.upper]]
    turned = (
        (limb.upper, solved.world_from_thigh),
        (limb.middle, solved.world_from_shank),
        (limb.end, world.rotations[:, limb.end]),
    )
    for joint, world_from_joint in turned:
        rotations[:, joint] = quat_multiply(quat_conjugate(above), world_from_joint)
        above = world_from_joint
    return replace(clip, rotations=rotations)


def move_hips(clip: Clip, wanted: FloatArray, free: BoolArray) -> Clip:
    """Return `clip` with its hips displaced by `wanted` [frame, 3] metres, within the reach of its legs; feet stay put.

    Displacements fade in and out around the frames that are not `free` [frame]. Skeletons whose legs cannot be solved
    stay as they are.
    """
    body = known_body(clip.skeleton)
    if body is None or any(limb_of(clip.skeleton, leg.ankle) is None for leg in body.legs):
        return clip
    world = clip.world()
    move = _eased(wanted, free, clip.frame_rate, furthest=FURTHEST_HIPS, smoothing=HIPS_SMOOTHING)
    goals = [
        LegGoal(
            world.positions[:, leg.hip] + move,
            world.positions[:, leg.ankle],
            {joint: world.rotations[:, joint] for joint in (leg.hip, leg.knee, leg.ankle, leg.toe)},
        )
        for leg in body.legs
    ]
    return fit_legs(clip, body.legs, goals, kept_bend=KEPT_BEND)


def _eased(wanted: FloatArray, free: BoolArray, rate: float, *, furthest: float, smoothing: float) -> FloatArray:
    """Return `wanted` [frame, 3], at most `furthest` metres each, smoothed, and faded where not `free` [frame]."""
    size = np.linalg.norm(wanted, axis=1, keepdims=True)
    limited = wanted * np.minimum(1.0, furthest / np.maximum(size, 1e-9))
    smooth = gaussian_filter1d(np.where(free[:, np.newaxis], limited, 0.0), smoothing * rate, axis=0, mode="nearest")
    span = 2 * round(EASE * rate) + 1
    share = gaussian_filter1d(
        minimum_filter1d(free.astype(np.float64), span, mode="nearest"), 0.35 * EASE * rate, mode="nearest"
    )
    return np.asarray(share[:, np.newaxis] * smooth)
