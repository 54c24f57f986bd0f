from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.errors import SkeletonError
from motionfields.motion.body import find_body, find_pairs, known_body, split_side
from motionfields.motion.skeleton import Skeleton

CMU = "Hips LHipJoint LeftUpLeg LeftLeg LeftFoot LeftToeBase RHipJoint RightUpLeg RightLeg RightFoot RightToeBase "
CMU += "LowerBack Spine Spine1 Neck Neck1 Head LeftShoulder LeftArm LeftForeArm LeftHand LThumb RightShoulder RightArm "
CMU += "RightForeArm RightHand RThumb"
SMPL = "Pelvis L_Hip L_Knee L_Ankle L_Foot R_Hip R_Knee R_Ankle R_Foot Spine1 Neck Head L_Collar L_Shoulder L_Elbow "
SMPL += "L_Wrist R_Collar R_Shoulder R_Elbow R_Wrist"
LAFAN = "Hips LeftUpLeg LeftLeg LeftFoot LeftToe RightUpLeg RightLeg RightFoot RightToe Spine Neck Head LeftShoulder "
LAFAN += "LeftArm LeftForeArm LeftHand RightShoulder RightArm RightForeArm RightHand"
UNREAL = "pelvis thigh_l calf_l foot_l ball_l thigh_r calf_r foot_r ball_r spine_01 neck_01 head upperarm_l lowerarm_l "
UNREAL += "hand_l upperarm_r lowerarm_r hand_r"
MIXAMO = " ".join(f"mixamorig:{name}" for name in LAFAN.replace("LeftToe", "LeftToeBase").split())
MIXAMO = MIXAMO.replace("RightToe", "RightToeBase")


def skeleton_of(names: str) -> Skeleton:
    words = tuple(names.split())
    parents = np.zeros(len(words), dtype=np.int64)
    parents[0] = -1
    return Skeleton(words, parents, np.zeros((len(words), 3)))


@pytest.mark.parametrize(
    ("names", "left_leg"),
    [
        (CMU, "LeftUpLeg LeftLeg LeftFoot LeftToeBase"),
        (SMPL, "L_Hip L_Knee L_Ankle L_Foot"),
        (LAFAN, "LeftUpLeg LeftLeg LeftFoot LeftToe"),
        (UNREAL, "thigh_l calf_l foot_l ball_l"),
        (MIXAMO, "mixamorig:LeftUpLeg mixamorig:LeftLeg mixamorig:LeftFoot mixamorig:LeftToeBase"),
    ],
)
def test_limbs_are_found_under_the_names_of_common_rigs(names: str, left_leg: str) -> None:
    skeleton = skeleton_of(names)
    body = find_body(skeleton)
    leg = body.left_leg
    assert " ".join(skeleton.names[j] for j in (leg.hip, leg.knee, leg.ankle, leg.toe)) == left_leg
    assert body.left_arm is not None
    assert body.right_arm is not None
    assert body.head is not None
    sided = [name for name in skeleton.names if split_side(name)[0] == "left"]
    assert sorted(find_pairs(skeleton)) == sorted(sided)


@pytest.mark.parametrize(
    ("name", "side", "stem"),
    [
        ("LeftUpLeg", "left", "upleg"),
        ("LHipJoint", "left", "hipjoint"),
        ("rThigh", "right", "thigh"),
        ("thigh.R", "right", "thigh"),
        ("Bip01 L Thigh", "left", "thigh"),
        ("leftfoot", "left", "foot"),
        ("Spine", None, "spine"),
        ("Leg", None, "leg"),
    ],
)
def test_names_are_split_into_side_and_stem(name: str, side: str | None, stem: str) -> None:
    assert split_side(name) == (side, stem)


def test_a_missing_leg_is_named() -> None:
    with pytest.raises(SkeletonError, match="no right hip or knee or ankle or toe found"):
        find_body(skeleton_of("Hips LeftUpLeg LeftLeg LeftFoot LeftToeBase"))


@pytest.mark.parametrize("name", ["L5", "L3", "r12", "Model:L5", "L5_Spine"])
def test_a_letter_before_a_number_is_no_side(name: str) -> None:
    assert split_side(name)[0] is None


@pytest.mark.parametrize(
    "name", ["L_Foot", "foot.L", "L_1_Foot2", "index_01_l", "Toe1_L", "Finger_L1", "lThumb1", "Bip01 L Finger0"]
)
def test_any_other_letter_of_its_own_is_a_side(name: str) -> None:
    assert split_side(name)[0] == "left"


def test_an_unknown_body_is_none() -> None:
    assert known_body(skeleton_of("a b c")) is None
    assert known_body(skeleton_of(LAFAN)) == find_body(skeleton_of(LAFAN))
