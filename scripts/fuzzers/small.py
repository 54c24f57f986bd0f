"""Clips of few joints and frames, so that one case takes a few milliseconds."""

from __future__ import annotations

import re

import numpy as np

from motionfields.motion.clip import Clip, trim
from motionfields.motion.samples import generate_samples
from motionfields.motion.skeleton import Skeleton

KEPT = re.compile(r"Hips|Spine|(Left|Right)(UpLeg|Leg|Foot|ToeBase)")


def small_clips(frame_count: int = 80) -> list[Clip]:
    """Return a walk and a turn of `frame_count` frames: hips, spine and legs of the generated clips."""
    samples = generate_samples(only=re.compile("^(walk_forward|turn_left_090_quick)$"))
    return [few_joints(trim(sample.clip, 0, frame_count)) for sample in samples]


def few_joints(clip: Clip) -> Clip:
    """Return `clip` without arms, neck and head."""
    skeleton = clip.skeleton
    kept = [joint for joint, name in enumerate(skeleton.names) if KEPT.fullmatch(name)]
    parents = [kept.index(parent) if parent >= 0 else -1 for parent in skeleton.parents[kept].tolist()]
    names = tuple(skeleton.names[joint] for joint in kept)
    small = Skeleton(names, np.array(parents), skeleton.offsets[kept])
    return Clip(small, clip.root_position, clip.rotations[:, kept], clip.frame_time, name=clip.name)
