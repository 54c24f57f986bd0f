"""The humanoid of the generated clips: 22 joints, symmetric, 1.72 m tall."""

from __future__ import annotations

import numpy as np

from motionfields.motion.skeleton import Skeleton

# Joint, parent, offset in metres from the parent in the rest pose (y up, facing +z, left is +x).
_TRUNK = (
    ("Hips", "", (0.0, 0.96, 0.0)),
    ("Spine", "Hips", (0.0, 0.095, -0.012)),
    ("Spine1", "Spine", (0.0, 0.12, -0.006)),
    ("Spine2", "Spine1", (0.0, 0.12, 0.004)),
    ("Neck", "Spine2", (0.0, 0.155, 0.002)),
    ("Head", "Neck", (0.0, 0.1, 0.02)),
)
_LEFT_LIMBS = (
    ("LeftShoulder", "Spine2", (0.03, 0.125, 0.01)),
    ("LeftArm", "LeftShoulder", (0.15, -0.018, -0.018)),
    ("LeftForeArm", "LeftArm", (0.28, 0.0, 0.0)),
    ("LeftHand", "LeftForeArm", (0.25, 0.0, 0.0)),
    ("LeftUpLeg", "Hips", (0.088, -0.058, 0.0)),
    ("LeftLeg", "LeftUpLeg", (0.0, -0.42, 0.0)),
    ("LeftFoot", "LeftLeg", (0.0, -0.415, 0.0)),
    ("LeftToeBase", "LeftFoot", (0.0, -0.04, 0.118)),
)
_TIPS = {
    "Head": (0.0, 0.17, 0.0),
    "LeftHand": (0.17, 0.0, 0.0),
    "LeftToeBase": (0.0, -0.012, 0.065),
}

ANKLE_HEIGHT = 0.067  # metres above the floor when the foot is flat; the ball of the foot is at 0.027
TOE_HEIGHT = 0.027
HEEL_FROM_BALL = 0.163  # metres along the sole from the ball of the foot back to the heel


def sample_skeleton() -> Skeleton:
    """Return the package's own humanoid in T-pose: arms along x, y up, facing +z, with toe, head and hand tips."""
    right_limbs = [(_right(name), _right(parent), _mirrored(offset)) for name, parent, offset in _LEFT_LIMBS]
    joints = [*_TRUNK, *_LEFT_LIMBS[:4], *right_limbs[:4], *_LEFT_LIMBS[4:], *right_limbs[4:]]
    names = [name for name, _, _ in joints]
    tips = list(_TIPS.items())
    tips += [(_right(name), _mirrored(offset)) for name, offset in _TIPS.items() if name.startswith("Left")]
    return Skeleton(
        names=tuple(names),
        parents=np.array([names.index(parent) if parent else -1 for _, parent, _ in joints]),
        offsets=np.array([offset for _, _, offset in joints]),
        tip_joints=np.array([names.index(name) for name, _ in tips]),
        tip_offsets=np.array([offset for _, offset in tips]),
    )


def _right(name: str) -> str:
    return name.replace("Left", "Right")


def _mirrored(offset: tuple[float, float, float]) -> tuple[float, float, float]:
    x, y, z = offset
    return (-x, y, z)
