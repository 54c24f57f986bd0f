"""Joint names of common rigs; to support another rig, add its names to `RIGS`.

A rig is recognised by its names alone. Prefixes that exporters add to every name (`mixamorig:`, a namespace) are
ignored. A part may have several spellings; the first one that a skeleton has counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from motionfields.motion.body import known_body
from motionfields.motion.skeleton import Skeleton

Names = Mapping[str, tuple[str, ...]]  # part -> its spellings in one rig
PREFIX = re.compile(r"^(.*[:|]|mixamorig\d*_?|[mf]_avg_)(?=.)")
FINGERS = ("thumb", "index", "middle", "ring", "pinky")
LEAST_COVER = 6  # parts; a skeleton with fewer of a rig's names does not use that rig


def _sided(**names: str) -> dict[str, tuple[str, ...]]:
    """Return parts of both sides; {Side}, {side}, {S} and {s} stand for Left, left, L and l."""
    sides = {"left": ("Left", "L"), "right": ("Right", "R")}
    return {
        f"{side} {part.replace('_', ' ')}": tuple(
            name.format(Side=word, side=side, S=letter, s=letter.lower()) for name in name.split("|")
        )
        for side, (word, letter) in sides.items()
        for part, name in names.items()
    }


def _middle(**names: str) -> dict[str, tuple[str, ...]]:
    return {part.replace("_", " "): tuple(name.split("|")) for part, name in names.items()}


_ARMS_AND_LEGS = _sided(
    thigh="{Side}UpLeg",
    shank="{Side}Leg",
    foot="{Side}Foot",
    collar="{Side}Shoulder",
    upper_arm="{Side}Arm",
    forearm="{Side}ForeArm",
    hand="{Side}Hand",
)

RIGS: Mapping[str, Names] = {
    "CMU": {
        **_middle(pelvis="Hips", low_spine="LowerBack", mid_spine="Spine", chest="Spine1", neck="Neck", head="Head"),
        **_middle(upper_neck="Neck1"),
        **_ARMS_AND_LEGS,
        **_sided(hip_joint="{S}HipJoint", toes="{Side}ToeBase"),
        **_sided(fingers="{Side}FingerBase", index_1="{Side}HandIndex1", thumb_1="{S}Thumb"),
    },
    "Mixamo": {
        **_middle(pelvis="Hips", low_spine="Spine", mid_spine="Spine1", chest="Spine2", neck="Neck", head="Head"),
        **_middle(head_end="HeadTop_End"),
        **_ARMS_AND_LEGS,
        **_sided(toes="{Side}ToeBase", toe_end="{Side}Toe_End"),
        **_sided(**{f"{f}_{n}": f"{{Side}}Hand{f.title()}{n}" for f in FINGERS for n in (1, 2, 3, 4)}),
    },
    "LaFAN1": {
        **_middle(pelvis="Hips", low_spine="Spine", mid_spine="Spine1", chest="Spine2", neck="Neck", head="Head"),
        **_ARMS_AND_LEGS,
        **_sided(toes="{Side}Toe"),
    },
    "SMPL": {
        **_middle(pelvis="pelvis|Pelvis", low_spine="spine1|Spine1", mid_spine="spine2|Spine2"),
        **_middle(chest="spine3|Spine3", neck="neck|Neck", head="head|Head", jaw="jaw"),
        **_sided(thigh="{side}_hip|{S}_Hip", shank="{side}_knee|{S}_Knee", foot="{side}_ankle|{S}_Ankle"),
        **_sided(toes="{side}_foot|{S}_Foot", collar="{side}_collar|{S}_Collar"),
        **_sided(upper_arm="{side}_shoulder|{S}_Shoulder", forearm="{side}_elbow|{S}_Elbow"),
        **_sided(hand="{side}_wrist|{S}_Wrist", fingers="{side}_hand|{S}_Hand", eye="{side}_eye_smplhf"),
        **_sided(**{f"{f}_{n}": f"{{side}}_{f}{n}" for f in FINGERS for n in (1, 2, 3)}),
    },
    "VRM": {  # as VRoid Studio names the bones of a VRM file
        **_middle(pelvis="J_Bip_C_Hips|hips", low_spine="J_Bip_C_Spine|spine", mid_spine="J_Bip_C_Chest|chest"),
        **_middle(chest="J_Bip_C_UpperChest|upperChest", neck="J_Bip_C_Neck|neck", head="J_Bip_C_Head|head"),
        **_sided(thigh="J_Bip_{S}_UpperLeg|{side}UpperLeg", shank="J_Bip_{S}_LowerLeg|{side}LowerLeg"),
        **_sided(foot="J_Bip_{S}_Foot|{side}Foot", toes="J_Bip_{S}_ToeBase|{side}Toes"),
        **_sided(collar="J_Bip_{S}_Shoulder|{side}Shoulder", upper_arm="J_Bip_{S}_UpperArm|{side}UpperArm"),
        **_sided(forearm="J_Bip_{S}_LowerArm|{side}LowerArm", hand="J_Bip_{S}_Hand|{side}Hand"),
    },
    "Unreal": {
        **_middle(pelvis="pelvis", low_spine="spine_01", mid_spine="spine_02", chest="spine_03"),
        **_middle(neck="neck_01", head="head"),
        **_sided(thigh="thigh_{s}", shank="calf_{s}", foot="foot_{s}", toes="ball_{s}", collar="clavicle_{s}"),
        **_sided(upper_arm="upperarm_{s}", forearm="lowerarm_{s}", hand="hand_{s}"),
    },
}


def bare_name(name: str) -> str:
    """Return `name` without the prefix that exporters add: mixamorig:Hips -> Hips."""
    return PREFIX.sub("", name)


def joints_by_bare_name(skeleton: Skeleton) -> dict[str, int]:
    """Return bare name -> joint of `skeleton`; the first joint if several share a name."""
    return {bare_name(name): joint for joint, name in reversed(list(enumerate(skeleton.names)))}


def find_rig(skeleton: Skeleton) -> str | None:
    """Return the rig of `RIGS` whose names cover most joints of `skeleton`, or None if none covers the body."""
    covers = {rig: len(_parts_of(skeleton, names)) for rig, names in RIGS.items()}
    best = max(covers, key=lambda rig: covers[rig])
    return best if covers[best] >= LEAST_COVER else None


def find_parts(skeleton: Skeleton) -> dict[str, int]:
    """Return part -> joint of `skeleton`, by the names of its rig, and otherwise by the limbs from `find_body`."""
    rig = find_rig(skeleton)
    parts = {} if rig is None else _parts_of(skeleton, RIGS[rig])
    taken = set(parts.values())
    others = {part: joint for part, joint in _limbs_of(skeleton).items() if joint not in taken}
    return {**others, **parts}


def _parts_of(skeleton: Skeleton, names: Names) -> dict[str, int]:
    joints = joints_by_bare_name(skeleton)
    found = {part: next((name for name in options if name in joints), None) for part, options in names.items()}
    return {part: joints[name] for part, name in found.items() if name is not None}


def _limbs_of(skeleton: Skeleton) -> dict[str, int]:
    body = known_body(skeleton)
    if body is None:
        return {}
    hips = [set(skeleton.path_to(leg.hip)) for leg in body.legs]
    parts = {"pelvis": max(set.intersection(*hips))}
    for side, leg, arm in zip(("left", "right"), body.legs, (body.left_arm, body.right_arm), strict=True):
        parts |= {f"{side} thigh": leg.hip, f"{side} shank": leg.knee, f"{side} foot": leg.ankle}
        if leg.toe != leg.ankle:
            parts[f"{side} toes"] = leg.toe
        if arm is not None:
            parts |= {f"{side} upper arm": arm.shoulder, f"{side} forearm": arm.elbow, f"{side} hand": arm.wrist}
    return parts if body.head is None else {**parts, "head": body.head}
