from __future__ import annotations

import numpy as np
import pytest

from motionfields.motion.clip import RIGS, find_rig, map_joints
from motionfields.motion.clip.rigs import bare_name, find_parts
from motionfields.motion.skeleton import Skeleton


def chain(*names: str) -> Skeleton:
    """Joints that hang on each other: enough where names alone matter."""
    return Skeleton(names, np.arange(-1, len(names) - 1), np.tile([0.0, 0.1, 0.0], (len(names), 1)))


@pytest.mark.parametrize("rig", RIGS)
def test_a_rig_is_known_by_its_names_and_every_part_is_found(rig: str) -> None:
    skeleton = chain(*(names[0] for names in RIGS[rig].values()))
    assert find_rig(skeleton) == rig
    assert find_parts(skeleton) == {part: joint for joint, part in enumerate(RIGS[rig])}


@pytest.mark.parametrize("rig", RIGS)
def test_no_name_of_a_rig_stands_for_two_parts(rig: str) -> None:
    names = [name for options in RIGS[rig].values() for name in options]
    assert len(set(names)) == len(names)


def test_parts_are_called_alike_in_all_rigs() -> None:
    body = set.intersection(*(set(names) for names in RIGS.values()))
    limbs = ("thigh", "shank", "foot", "toes", "collar", "upper arm", "forearm", "hand")
    assert {f"{side} {limb}" for side in ("left", "right") for limb in limbs} <= body
    assert {"pelvis", "low spine", "mid spine", "chest", "neck", "head"} <= body


@pytest.mark.parametrize(
    "name", ["mixamorig:Hips", "mixamorig7:Hips", "mixamorig_Hips", "mixamorigHips", "Ninja|Hips", "m_avg_Hips", "Hips"]
)
def test_prefixes_play_no_part(name: str) -> None:
    assert bare_name(name) == "Hips"


def test_other_names_are_no_rig() -> None:
    assert find_rig(chain("Wrist", "Thumb", "Index")) is None
    assert find_parts(chain("Wrist", "Thumb", "Index")) == {}


def test_limbs_of_a_rig_that_is_not_in_the_table_are_found() -> None:
    legs = [f"{part}_{side}" for side in "lr" for part in ("thigh", "calf", "foot", "ball")]
    arms = [f"{part}_{side}" for side in "lr" for part in ("upperarm", "lowerarm", "hand")]
    names = ("root", "pelvis", *legs, *arms, "head")
    parents = [-1, 0, 1, 2, 3, 4, 1, 6, 7, 8, 1, 10, 11, 1, 13, 14, 1]
    unreal = Skeleton(names, np.array(parents), np.zeros((len(names), 3)))
    parts = {part: names[joint] for part, joint in find_parts(unreal).items()}
    assert parts["pelvis"] == "pelvis"
    assert (parts["left toes"], parts["right upper arm"], parts["head"]) == ("ball_l", "upperarm_r", "head")


def test_roots_of_unknown_names_are_mapped_to_each_other() -> None:
    joints = map_joints(chain("Bottom", "Antenna"), chain("Base", "Tail"), names={"Antenna": "Tail"})
    assert joints.pairs == (("Bottom", "Base"), ("Antenna", "Tail"))
