"""The distance between motion states (Lee et al. 2010, eq. 1) as Euclidean distance between feature vectors.

Every term of eq. 1 is the squared length of a difference. So a state becomes one vector in which each term is scaled by
the square root of its weight, and the distance of eq. 1 is the Euclidean distance between these vectors.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.checks import check_fields
from motionfields.base.errors import SkeletonError
from motionfields.base.geometry import quat_exp, quat_multiply, quat_rotate
from motionfields.field.database.state_metric import StateMetric
from motionfields.field.database.states import MotionState
from motionfields.motion.body import split_side
from motionfields.motion.skeleton import Skeleton

PROBE = np.full(3, 1.0 / np.sqrt(3.0))  # the arbitrary unit vector of eq. 1; along no axis, so no twist is hidden
FINGERS = re.compile(r"finger|thumb|index|middle|ring|pinky|little")
SHORTEST_BONE = 0.01  # metres
LEAST_MOTION = 0.01  # radians that a joint must turn over the database to count in the metric


@dataclass(frozen=True)
class MetricSettings:
    """Weights of eq. 1: a bone weighs its length in metres, root terms weigh as in the paper.

    `yaw_rate` multiplies the part of the root turn about the vertical axis, which hardly affects eq. 1 at 30 frames/s.
    """

    root_velocity: float = 0.5
    root_turn: float = 0.5
    yaw_rate: float = 1.0

    def __post_init__(self) -> None:
        check_fields(self)
        for name in ("root_velocity", "root_turn", "yaw_rate"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise ValueError(f"{name}: expected 0 or more, got {getattr(self, name)}")


@dataclass(frozen=True, eq=False)
class Metric(StateMetric):
    """The metric of eq. 1 for one skeleton: the joints that count, and their weights."""

    name = "paper"

    joints: IntArray  # [counted joint], rows of Pose.joint_rotations
    bone_weights: FloatArray  # [counted joint], metres
    settings: MetricSettings

    @property
    def dimension(self) -> int:
        """Length of a feature vector."""
        return 6 + 6 * len(self.joints)

    def embed(self, state: MotionState) -> FloatArray:
        """Return feature vectors [..., dimension], float32, of a batch of states, independent of place and facing."""
        pose, velocity = state
        batch = pose.root_position.shape[:-1]
        rotations = pose.joint_rotations[..., self.joints, :]
        turned = quat_multiply(quat_exp(velocity.joint_turns[..., self.joints, :]), rotations)
        bones = np.sqrt(self.bone_weights)[:, np.newaxis]
        root_turn = velocity.root_turn * np.array([1.0, self.settings.yaw_rate, 1.0])
        features = np.concatenate(
            [
                np.sqrt(self.settings.root_velocity) * velocity.root_step,
                np.sqrt(self.settings.root_turn) * quat_rotate(quat_exp(root_turn), PROBE),
                (bones * quat_rotate(rotations, PROBE)).reshape(*batch, -1),
                (bones * quat_rotate(turned, PROBE)).reshape(*batch, -1),
            ],
            axis=-1,
        )
        return features.astype(np.float32)

    def facts(self) -> dict[str, Any]:
        """Return the joints, their weights in metres and the settings as JSON values."""
        weights = {"joints": self.joints.tolist(), "bone_weights": self.bone_weights.tolist()}
        return {**weights, "settings": asdict(self.settings)}

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Metric:
        """Return the metric with the settings `facts`."""
        joints, weights = np.array(facts["joints"], np.int64), np.array(facts["bone_weights"], np.float64)
        return cls(joints, weights, MetricSettings(**facts["settings"]))


def bone_lengths(skeleton: Skeleton) -> FloatArray:
    """Return the length [joint] in metres of the bone that each joint turns: the mean over its children and tips.

    A child at the position of the joint itself counts with the length of its own bone.
    """
    total, count = np.zeros(skeleton.joint_count), np.zeros(skeleton.joint_count)
    np.add.at(total, skeleton.tip_joints, np.linalg.norm(skeleton.tip_offsets, axis=-1))
    np.add.at(count, skeleton.tip_joints, 1.0)
    for joint in range(skeleton.joint_count - 1, 0, -1):
        length = float(np.linalg.norm(skeleton.offsets[joint]))
        if length < 1e-6:
            length = total[joint] / max(count[joint], 1.0)
        total[skeleton.parents[joint]] += length
        count[skeleton.parents[joint]] += 1.0
    return np.asarray(total / np.maximum(count, 1.0))


def choose_joints(skeleton: Skeleton, motion: FloatArray) -> tuple[IntArray, dict[str, str]]:
    """Return the joints in the metric, as rows of `Pose.joint_rotations`, and the reason each other one is left out.

    `motion` [joint - 1] is the angle in radians that each joint turns over the database.
    """
    lengths = bone_lengths(skeleton)
    dropped: dict[str, str] = {}
    for row, name in enumerate(skeleton.names[1:]):
        if FINGERS.search(split_side(name)[1]):
            dropped[name] = "finger"
        elif lengths[row + 1] < SHORTEST_BONE:
            dropped[name] = "bone without length"
        elif motion[row] < LEAST_MOTION:
            dropped[name] = "never turns"
    kept = [row for row, name in enumerate(skeleton.names[1:]) if name not in dropped]
    if not kept:
        raise SkeletonError("expected at least one moving joint to compare states by, got none")
    return np.array(kept, dtype=np.int64), dropped
