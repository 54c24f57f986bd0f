"""Layers: a part of the body from another motion, to wave while walking."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from motionfields.authoring.easing import smooth_share
from motionfields.base.arrays import IntArray
from motionfields.base.geometry import quat_slerp
from motionfields.motion.clip import Clip
from motionfields.motion.skeleton import Skeleton

FADE: Final = 0.5  # seconds in which a layer sets in and ends


def with_layer(base: Clip, layer: Clip, joint: str, *, start: float, end: float, fade: float = FADE) -> Clip:
    """Return `base` with `joint` and all joints below it as in `layer`, from `start` to `end` seconds.

    Both motions must have one skeleton, frame rate and length. The layer sets in and ends over `fade` seconds outside
    that time, as far as the motion allows. Joints keep their rotation relative to the parent, so a layer of an arm
    follows the trunk of `base`. To move the legs or the root, compose a motion instead.
    """
    if not base.skeleton.matches(layer.skeleton) or base.frame_count != layer.frame_count:
        raise ValueError("layer: expected a motion of the same skeleton and length")
    if abs(base.frame_time - layer.frame_time) > 1e-9:
        raise ValueError(f"layer: expected a frame every {base.frame_time} s, got {layer.frame_time}")
    if not 0.0 <= start < end or not 0.0 < fade < np.inf:
        raise ValueError(f"layer: expected 0 <= start < end and a positive fade, got {start}, {end} and {fade}")
    top = base.skeleton.index(joint)
    if top == 0:
        raise ValueError("joint: expected a joint below the root")
    chosen = joints_below(base.skeleton, top)
    time = base.frame_time * np.arange(base.frame_count)
    share = smooth_share((time - start) / fade + 1.0) * smooth_share((end - time) / fade + 1.0)
    rotations = base.rotations.copy()
    rotations[:, chosen] = quat_slerp(rotations[:, chosen], layer.rotations[:, chosen], share[:, np.newaxis])
    return replace(base, rotations=rotations)


def joints_below(skeleton: Skeleton, joint: int) -> IntArray:
    """Return `joint` and all joints below it."""
    below = [joint]
    for other in range(joint + 1, skeleton.joint_count):
        if int(skeleton.parents[other]) in below:
            below.append(other)
    return np.array(below)
