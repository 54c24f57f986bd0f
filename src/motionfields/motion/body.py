"""Joints identified by their names: legs, arms, head and left/right pairs.

Motion files name joints in many ways (LeftUpLeg, mixamorig:LeftUpLeg, L_Hip, thigh_l, lThigh). Each name is reduced to
a side and a stem, and one table maps stems to parts of the body.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from motionfields.base.errors import SkeletonError
from motionfields.motion.skeleton import Skeleton

# Stems in order of preference, as in CMU (cgspeed), Mixamo, LaFAN1, SMPL, Unreal and 3ds Max skeletons.
LEG_STEMS: Mapping[str, tuple[str, ...]] = {
    "hip": ("upleg", "thigh", "upperleg", "hip"),
    "knee": ("leg", "calf", "shin", "lowerleg", "knee"),
    "ankle": ("ankle", "foot"),
    "toe": ("toebase", "toe", "ball", "toe0", "toes", "foot", "ankle"),
}
ARM_STEMS: Mapping[str, tuple[str, ...]] = {
    "shoulder": ("arm", "upperarm", "uparm", "shoulder"),
    "elbow": ("forearm", "lowerarm", "elbow"),
    "wrist": ("hand", "wrist"),
}
LEG_SHARE = 0.491  # length of thigh and shank as a share of stature (Drillis and Contini 1966)
SIDE_WORDS = {"left": "left", "right": "right", "l": "left", "r": "right"}


@dataclass(frozen=True)
class Leg:
    """Joint indices of one leg, top to bottom; `toe` is the ball of the foot, or the ankle if there is no toe joint."""

    hip: int
    knee: int
    ankle: int
    toe: int


@dataclass(frozen=True)
class Arm:
    """Joint indices of one arm, top to bottom."""

    shoulder: int
    elbow: int
    wrist: int


@dataclass(frozen=True)
class Body:
    """The joints whose meaning contact detection, quality measures and foot locking need."""

    left_leg: Leg
    right_leg: Leg
    left_arm: Arm | None = None
    right_arm: Arm | None = None
    head: int | None = None

    @property
    def legs(self) -> tuple[Leg, Leg]:
        """Left leg, right leg."""
        return (self.left_leg, self.right_leg)


def find_body(skeleton: Skeleton) -> Body:
    """Return the legs, arms and head of `skeleton`, found by name; raise `SkeletonError` if a leg is incomplete."""
    by_name = _joints_by_side_and_stem(skeleton)
    legs = [_limb(by_name, side, LEG_STEMS) for side in ("left", "right")]
    for side, leg in zip(("left", "right"), legs, strict=True):
        missing = [part for part, joint in leg.items() if joint is None]
        if missing:
            raise SkeletonError(
                f"no {side} {' or '.join(missing)} found by name among {', '.join(skeleton.names[:40])}; "
                "a body with two legs is required: rename the joints, or pass a Body in Python"
            )
    arms = [_limb(by_name, side, ARM_STEMS) for side in ("left", "right")]
    left_arm, right_arm = (Arm(**arm) if None not in arm.values() else None for arm in arms)  # type: ignore[arg-type]
    return Body(
        left_leg=Leg(**legs[0]),  # type: ignore[arg-type]
        right_leg=Leg(**legs[1]),  # type: ignore[arg-type]
        left_arm=left_arm,
        right_arm=right_arm,
        head=by_name.get((None, "head")),
    )


def known_body(skeleton: Skeleton) -> Body | None:
    """Return the legs, arms and head of `skeleton`, or None if its legs are not recognised by name."""
    try:
        return find_body(skeleton)
    except SkeletonError:
        return None


def find_pairs(skeleton: Skeleton) -> dict[str, str]:
    """Return left joint name -> right joint name, for all joints whose names differ only in their side."""
    by_name = _joints_by_side_and_stem(skeleton)
    pairs = {}
    for (side, stem), joint in by_name.items():
        partner = by_name.get(("right", stem))
        if side == "left" and partner is not None:
            pairs[skeleton.names[joint]] = skeleton.names[partner]
    return pairs


def split_side(name: str) -> tuple[str | None, str]:
    """Split a joint name into side (or None) and lower-case stem without prefix: LeftUpLeg -> ("left", "upleg")."""
    bare = re.sub(r"^(.*[:|]|mixamorig\d*_?|Bip\d* |J_Bip_(?:C_)?)(?=.)", "", name)
    words = [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", bare)]
    # A letter before a number does not mean a side: L5 is a vertebra.
    sides = [] if re.match(r"[LlRr]\d", bare) else [word for word in words if word in SIDE_WORDS]
    side = SIDE_WORDS[sides[0]] if sides else None
    stem = "".join(word for word in words if word not in sides)
    glued = re.fullmatch(r"(left|right)(.+)|(.+)(left|right)", stem) if side is None else None
    if glued:
        side = glued.group(1) or glued.group(4)
        stem = glued.group(2) or glued.group(3)
    return side, stem


def _joints_by_side_and_stem(skeleton: Skeleton) -> dict[tuple[str | None, str], int]:
    found: dict[tuple[str | None, str], int] = {}
    for joint, name in enumerate(skeleton.names):
        found.setdefault(split_side(name), joint)
    return found


def _limb(
    by_name: Mapping[tuple[str | None, str], int], side: str, stems: Mapping[str, tuple[str, ...]]
) -> dict[str, int | None]:
    return {
        part: next((by_name[side, stem] for stem in options if (side, stem) in by_name), None)
        for part, options in stems.items()
    }
