"""The body shown in pictures: spheres attached to joints, and parts that are convex hulls of a few spheres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.geometry import quat_conjugate, quat_rotate
from motionfields.motion.body import Arm, Body, Leg, split_side
from motionfields.motion.skeleton import Skeleton, WorldPose

USUAL_LEG = 0.85  # metres from hip to ankle that the radii below are for
PART_SIZE = 5  # most spheres of a part
LEFTWARD, FORWARD = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Figure:
    """Spheres on joints and the parts they form; `tones` is the kind of each part: left, right, trunk, head or face."""

    joints: IntArray  # [sphere], the joint that carries it
    offsets: FloatArray  # [sphere, 3], metres in that joint's frame
    radii: FloatArray  # [sphere], metres
    parts: IntArray  # [part, 5], spheres; padded with the first one, which is the upper end of a limb
    tones: tuple[str, ...]  # [part]
    biases: FloatArray  # [part], metres by which a part counts as nearer to the viewer than it is
    feet: IntArray | None = None  # [2, 3], the spheres of heel, ball and toe tip of the left and right foot

    def centers(self, world: WorldPose) -> FloatArray:
        """Return the world positions of the spheres [frame, sphere, 3], in metres."""
        arms = quat_rotate(world.rotations[:, self.joints], self.offsets)
        return np.asarray(world.positions[:, self.joints] + arms)

    @property
    def sole(self) -> float:
        """Distance in metres from the centre of the lowest sphere down to its surface, on standing feet."""
        spheres = np.arange(len(self.radii)) if self.feet is None else self.feet[:, 1]
        return float(self.radii[spheres].min())


@dataclass
class _Builder:
    joints: list[int] = field(default_factory=list)
    offsets: list[FloatArray] = field(default_factory=list)
    radii: list[float] = field(default_factory=list)
    parts: list[list[int]] = field(default_factory=list)
    tones: list[str] = field(default_factory=list)
    biases: list[float] = field(default_factory=list)

    def sphere(self, joint: int, radius: float, offset: FloatArray | None = None) -> int:
        self.joints.append(joint)
        self.offsets.append(np.zeros(3) if offset is None else np.asarray(offset))
        self.radii.append(radius)
        return len(self.joints) - 1

    def part(self, tone: str, *spheres: int, bias: float = 0.0) -> None:
        self.parts.append([*spheres, *[spheres[0]] * (PART_SIZE - len(spheres))])
        self.tones.append(tone)
        self.biases.append(bias)

    def build(self, feet: Sequence[Sequence[int]] | None = None) -> Figure:
        return Figure(
            np.array(self.joints),
            np.array(self.offsets).reshape(-1, 3),
            np.array(self.radii),
            np.array(self.parts).reshape(-1, PART_SIZE),
            tuple(self.tones),
            np.array(self.biases),
            None if feet is None else np.array(feet),
        )


def bone_figure(skeleton: Skeleton) -> Figure:
    """Return a figure of plain bones, for skeletons without known legs; coloured by the side in the joint's name."""
    builder = _Builder()
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            _add_bone(builder, skeleton, int(parent), skeleton.offsets[joint], skeleton.names[joint])
    for joint, offset in zip(skeleton.tip_joints, skeleton.tip_offsets, strict=True):
        _add_bone(builder, skeleton, int(joint), offset, skeleton.names[joint])
    if not builder.parts:
        builder.part("trunk", builder.sphere(0, 0.05))
    return builder.build()


def body_figure(skeleton: Skeleton, body: Body, world: WorldPose, contacts: BoolArray) -> Figure:
    """Return a human figure on the joints of `body`; its heels are placed by the `contacts` [frame, 2]."""
    lengths = [np.linalg.norm(skeleton.offsets[[leg.knee, leg.ankle]], axis=-1).sum() for leg in body.legs]
    scale = float(np.mean(lengths)) / USUAL_LEG
    builder = _Builder()
    _add_trunk(builder, skeleton, body, scale)
    feet = [
        _add_leg(builder, skeleton, leg, scale, tone, heel_offset(skeleton, leg, world, contacts[:, side]))
        for side, (leg, tone) in enumerate(zip(body.legs, ("left", "right"), strict=True))
    ]
    for arm, tone in ((body.left_arm, "left"), (body.right_arm, "right")):
        if arm is not None:
            _add_arm(builder, skeleton, arm, scale, tone)
    for joint in _loose_joints(skeleton, body):
        _add_bone(builder, skeleton, int(skeleton.parents[joint]), skeleton.offsets[joint], skeleton.names[joint])
    return builder.build(feet)


def toe_offset(skeleton: Skeleton, leg: Leg) -> FloatArray:
    """Return the offset [3] from ankle to ball of the foot in the ankle's frame; to its end site without ball joint."""
    if leg.toe != leg.ankle:
        return np.asarray(skeleton.offsets[leg.toe])
    return skeleton.tip_of(leg.ankle)


def heel_offset(skeleton: Skeleton, leg: Leg, world: WorldPose, standing: BoolArray) -> FloatArray:
    """Return the position of the heel [3] in the ankle's frame, in metres.

    It is behind the ankle by a third of the foot, and level with the ball while the foot is flat: in the third of the
    `standing` [frame] frames with the lowest ankle. Without any, the rest pose counts as flat.
    """
    toe = toe_offset(skeleton, leg)
    up = np.array([0.0, 1.0, 0.0])  # in the ankle's frame
    if standing.any():
        ankle = world.positions[standing, leg.ankle, 1]
        flat = np.flatnonzero(standing)[ankle <= np.percentile(ankle, 33.0)]
        up = np.median(quat_rotate(quat_conjugate(world.rotations[flat, leg.ankle]), up), axis=0)
        up /= max(float(np.linalg.norm(up)), 1e-9)
    height = float(toe @ up)
    return np.asarray(height * up - (toe - height * up) / 3.0)


def _add_trunk(builder: _Builder, skeleton: Skeleton, body: Body, scale: float) -> None:
    arms = [arm for arm in (body.left_arm, body.right_arm) if arm is not None]
    spine = _spine(skeleton, body)
    waist = [
        builder.sphere(spine[len(spine) // 2], 0.09 * scale, side * 0.055 * scale * LEFTWARD) for side in (1.0, -1.0)
    ]
    hips = [builder.sphere(leg.hip, 0.085 * scale) for leg in body.legs]
    builder.part("trunk", *waist, *hips, bias=0.03)
    shoulders = [builder.sphere(arm.shoulder, 0.055 * scale) for arm in arms]
    chest = builder.sphere(spine[-1], 0.1 * scale)
    builder.part("trunk", *waist, chest, *shoulders)
    if body.head is not None:
        _add_head(builder, skeleton, body.head, scale)


def _add_head(builder: _Builder, skeleton: Skeleton, head: int, scale: float) -> None:
    """Add neck, head and a darker face, which tells front from back."""
    below = int(skeleton.parents[head])
    if below >= 0:
        throat = builder.sphere(below, 0.05 * scale, 0.3 * skeleton.offsets[head])
        builder.part("trunk", throat, builder.sphere(head, 0.05 * scale), bias=-0.3)
    up = _unit(skeleton.tip_of(head), otherwise=_unit(skeleton.offsets[head]))
    skull = builder.sphere(head, 0.095 * scale, 0.10 * scale * up)
    jaw = builder.sphere(head, 0.06 * scale, (0.035 * up + 0.03 * FORWARD) * scale)
    builder.part("head", skull, jaw)
    brow = builder.sphere(head, 0.035 * scale, (0.115 * up + 0.065 * FORWARD) * scale)
    nose = builder.sphere(head, 0.018 * scale, (0.075 * up + 0.105 * FORWARD) * scale)
    chin = builder.sphere(head, 0.03 * scale, (0.035 * up + 0.06 * FORWARD) * scale)
    builder.part("face", brow, nose, chin)


def _add_leg(
    builder: _Builder, skeleton: Skeleton, leg: Leg, scale: float, tone: str, heel_at: FloatArray
) -> tuple[int, int, int]:
    """Add thigh, shank, foot and toes; return the spheres of heel, ball and toe tip."""
    hip, knee = builder.sphere(leg.hip, 0.08 * scale), builder.sphere(leg.knee, 0.055 * scale)
    ankle = builder.sphere(leg.ankle, 0.036 * scale)
    heel = builder.sphere(leg.ankle, 0.03 * scale, heel_at)
    ball = builder.sphere(leg.ankle, 0.03 * scale, toe_offset(skeleton, leg))
    builder.part(tone, hip, knee)
    builder.part(tone, knee, ankle)
    builder.part(tone, ankle, heel, ball)
    tip_at = skeleton.tip_of(leg.toe)
    if leg.toe == leg.ankle or not tip_at.any():
        return heel, ball, ball
    tip = builder.sphere(leg.toe, 0.024 * scale, tip_at)
    builder.part(tone, ball, tip)
    return heel, ball, tip


def _add_arm(builder: _Builder, skeleton: Skeleton, arm: Arm, scale: float, tone: str) -> None:
    shoulder, elbow = builder.sphere(arm.shoulder, 0.05 * scale), builder.sphere(arm.elbow, 0.038 * scale)
    wrist = builder.sphere(arm.wrist, 0.028 * scale)
    reach = _unit(_farthest_below(skeleton, arm.wrist), otherwise=_unit(skeleton.offsets[arm.wrist]))
    palm = builder.sphere(arm.wrist, 0.032 * scale, 0.05 * scale * reach)
    fingers = builder.sphere(arm.wrist, 0.02 * scale, 0.12 * scale * reach)
    builder.part(tone, shoulder, elbow)
    builder.part(tone, elbow, wrist)
    builder.part(tone, wrist, palm, fingers)


def _add_bone(builder: _Builder, skeleton: Skeleton, joint: int, offset: FloatArray, name: str) -> None:
    length = float(np.linalg.norm(offset))
    if length > 1e-6:
        radius = 0.1 * length
        start, end = builder.sphere(joint, radius), builder.sphere(joint, 0.7 * radius, offset)
        builder.part(split_side(name)[0] or "trunk", start, end)


def _spine(skeleton: Skeleton, body: Body) -> list[int]:
    """Return the joints from the root up to the one that carries arms and head."""
    upper = [arm.shoulder for arm in (body.left_arm, body.right_arm) if arm is not None]
    upper += [] if body.head is None else [body.head]
    if not upper:
        return [0]
    lines = [skeleton.path_to(joint)[:-1] for joint in upper]
    shared = [joint for joint in lines[0] if all(joint in line for line in lines[1:])]
    return shared or [0]


def _loose_joints(skeleton: Skeleton, body: Body) -> list[int]:
    """Return joints that no part of the human figure covers, such as a tail."""
    arms = [arm for arm in (body.left_arm, body.right_arm) if arm is not None]
    ends = {*(leg.toe for leg in body.legs), *(arm.wrist for arm in arms)}
    ends |= set() if body.head is None else {body.head}
    within = ends.union(*(skeleton.path_to(joint)[:-1] for joint in ends))
    return [
        joint
        for joint in range(1, skeleton.joint_count)
        if joint not in within and ends.isdisjoint(skeleton.path_to(joint)[:-1])
    ]


def _farthest_below(skeleton: Skeleton, top: int) -> FloatArray:
    """Return the rest-pose offset [3] from `top` to the farthest joint or tip below it; zero if there is none."""
    reach = {top: np.zeros(3)}
    for joint in range(top + 1, skeleton.joint_count):
        if int(skeleton.parents[joint]) in reach:
            reach[joint] = reach[int(skeleton.parents[joint])] + skeleton.offsets[joint]
    ends = list(reach.values())
    for joint, offset in zip(skeleton.tip_joints, skeleton.tip_offsets, strict=True):
        if int(joint) in reach:
            ends.append(reach[int(joint)] + offset)
    return max(ends, key=lambda end: float(np.linalg.norm(end)))


def _unit(vector: FloatArray, *, otherwise: FloatArray | None = None) -> FloatArray:
    length = float(np.linalg.norm(vector))
    if length > 1e-9:
        return np.asarray(vector / length)
    return np.array([0.0, 1.0, 0.0]) if otherwise is None else otherwise
