"""Joints of a skeleton as the bones of a humanoid, under the names that Unity, VRM and the VMC protocol share."""

from __future__ import annotations

from motionfields.base.errors import SkeletonError
from motionfields.motion.body import Arm, Leg, find_body
from motionfields.motion.skeleton import Skeleton

SPINE = ("Spine", "Chest", "UpperChest")


def humanoid_bones(skeleton: Skeleton) -> dict[str, int]:
    """Return bone name -> joint of `skeleton`, parents first: hips, spine, neck, head, collarbones, arms and legs.

    A spine with more joints than the humanoid has bones gives the first, the middle and the last one, and a neck its
    first. Hands have no fingers, and a bone without a joint is left out. Raises `SkeletonError` if the legs, the head
    or the arms are not found by name.
    """
    body = find_body(skeleton)
    if body.head is None or body.left_arm is None or body.right_arm is None:
        raise SkeletonError("a humanoid needs a head and two arms; they were not found by the names of the joints")
    to_head = skeleton.path_to(body.head)
    both_arms = set(skeleton.path_to(body.left_arm.shoulder)) & set(skeleton.path_to(body.right_arm.shoulder))
    spine = [joint for joint in to_head[1:-1] if joint in both_arms]
    neck = [joint for joint in to_head[1:-1] if joint not in both_arms]
    if len(spine) > len(SPINE):
        spine = [spine[0], spine[len(spine) // 2], spine[-1]]
    bones = {"Hips": 0, **dict(zip(SPINE, spine, strict=False))}
    bones |= {"Neck": neck[0]} if neck else {}
    bones["Head"] = body.head
    for side, arm, leg in (("Left", body.left_arm, body.left_leg), ("Right", body.right_arm, body.right_leg)):
        bones |= {f"{side}{name}": joint for name, joint in {**_arm(skeleton, arm, both_arms), **_leg(leg)}.items()}
    return bones


def _arm(skeleton: Skeleton, arm: Arm, both_arms: set[int]) -> dict[str, int]:
    """Return the bones of an arm; the joint above it is the collarbone, unless it belongs to both arms."""
    above = int(skeleton.parents[arm.shoulder])
    collarbone = {} if above in both_arms else {"Shoulder": above}
    return {**collarbone, "UpperArm": arm.shoulder, "LowerArm": arm.elbow, "Hand": arm.wrist}


def _leg(leg: Leg) -> dict[str, int]:
    toes = {} if leg.toe == leg.ankle else {"Toes": leg.toe}
    return {"UpperLeg": leg.hip, "LowerLeg": leg.knee, "Foot": leg.ankle, **toes}
