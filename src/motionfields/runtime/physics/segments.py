"""The body as rigid segments: their joints, sizes, masses, and the rotations between them.

Mass shares, centres of mass and radii of gyration are those of P. de Leva for men ("Adjustments to
Zatsiorsky-Seluyanov's segment inertia parameters", Journal of Biomechanics 29, 1996, table 4).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.checks import checked_number
from motionfields.base.compiled import kernel
from motionfields.base.geometry import quat_average, quat_conjugate, quat_identity, quat_multiply, quat_rotate
from motionfields.base.geometry.vectors import NO_TURN, conjugate, multiply, normalized, put, quat_of
from motionfields.motion.body import LEG_SHARE, Body, find_body
from motionfields.motion.skeleton import Skeleton, forward_kinematics, tip_positions

BODY_MASS_INDEX = 23.0  # kg/m2
DENSITY = 1010.0  # kg/m3
SHORTEST_BONE = 0.03  # metres; a shorter bone gets the mass of one of this length


class Inertia(NamedTuple):
    """The distribution of a limb segment's mass along its bone; lengths are shares of the bone."""

    mass: float  # share of the whole body
    centre: float  # from the near end
    across: float  # radius of gyration about an axis across the bone, mean of the two
    along: float  # radius of gyration about the bone


LIMBS: Mapping[str, Inertia] = {
    "upper arm": Inertia(0.0271, 0.5772, 0.277, 0.158),
    "forearm": Inertia(0.0162, 0.4574, 0.2705, 0.121),
    "hand": Inertia(0.0061, 0.3624, 0.2615, 0.184),
    "thigh": Inertia(0.1416, 0.4095, 0.329, 0.149),
    "shank": Inertia(0.0433, 0.4395, 0.2485, 0.102),
    "foot": Inertia(0.0137, 0.4415, 0.251, 0.124),
}
TRUNK: Mapping[str, float] = {"pelvis": 0.1117, "spine": 0.3229, "neck": 0.0694}
"""Mass shares of parts that skeletons divide differently: split over segments by length, uniform in each capsule."""


class Segment(NamedTuple):
    """A rigid part of the body moved by one joint, in that joint's own frame."""

    joint: int
    part: str  # a key of `LIMBS` or `TRUNK`
    side: str | None  # "left", "right" or neither
    start: FloatArray  # [3], metres, near end of its bone
    end: FloatArray  # [3], metres, far end
    radius: float  # metres, radius of the capsule around the bone
    mass: float  # kg

    @property
    def centre(self) -> FloatArray:
        """Centre of mass [3], metres."""
        share = LIMBS[self.part].centre if self.part in LIMBS else 0.5
        return np.asarray(self.start + share * (self.end - self.start))


class SegmentedBody:
    """The rigid segments of a character.

    Every joint of the spine, the neck and the limbs moves a segment; `joints` [segment] lists them, parents before
    children, the root first. Joints between them (the halves of a pelvis, collar bones) or beyond them (fingers, toes)
    belong to the segment they are attached to, at their mean rotation over the poses `rotations` [n, joint, 4], by
    default unrotated. `mass` in kg defaults to that of a person with legs of this length.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        *,
        body: Body | None = None,
        mass: float | None = None,
        rotations: FloatArray | None = None,
    ) -> None:
        self.skeleton = skeleton
        self.body = body or find_body(skeleton)
        self.mass = _likely_mass(skeleton, self.body) if mass is None else checked_number("mass", mass, 1e-3)
        parts = _parts(skeleton, self.body)
        self.joints = np.array(sorted(parts))
        self.owner = _owners(skeleton, parts)
        turns = quat_identity(skeleton.joint_count) if rotations is None else mean_rotations(rotations)
        self.places, tips = self._local_places(turns)
        self.parents = np.array([-1, *(self.segment_of(int(skeleton.parents[joint])) for joint in self.joints[1:])])
        self.segments = _segments(parts, self._bones(tips), self.mass)

    def segment_of(self, joint: int) -> int:
        """Return the segment that `joint`, a joint of the skeleton, belongs to."""
        return int(np.searchsorted(self.joints, self.owner[joint]))

    def place_in_segment(self, joint: int, point: FloatArray) -> FloatArray:
        """Return `point` [3] in the frame of `joint` as a point [3] in the frame of its segment, metres."""
        turn = self._frames[joint]
        base = np.zeros(3) if joint == self.owner[joint] else self.places[joint]
        return np.asarray(base + quat_rotate(turn, np.asarray(point, dtype=np.float64)))

    @cached_property
    def centres(self) -> FloatArray:
        """Centre of mass [segment, 3] of each segment in its joint's frame, metres."""
        return np.stack([segment.centre for segment in self.segments])

    @cached_property
    def reach(self) -> float:
        """Largest distance in metres from the root to any part of the body, in any pose."""
        lengths, total = np.linalg.norm(self.skeleton.offsets, axis=-1), np.zeros(self.skeleton.joint_count)
        for joint, parent in enumerate(self.skeleton.parents.tolist()[1:], start=1):
            total[joint] = total[parent] + lengths[joint]
        ends = [max(np.linalg.norm(s.start), np.linalg.norm(s.end)) + s.radius for s in self.segments]
        return float(max(total[self.joints] + ends))

    @cached_property
    def balls(self) -> FloatArray:
        """Position of the ball of the left and the right foot in the frame of its ankle, [2, 3], metres."""
        legs = self.body.legs
        return np.stack([np.zeros(3) if leg.toe == leg.ankle else self.places[leg.toe] for leg in legs])

    @cached_property
    def paths(self) -> IntArray:
        """Joints [segment, depth] from below the parent segment to each segment's own, padded with -1 in front."""
        paths = []
        for joint in self.joints.tolist():
            path = [joint]
            while path[0] > 0 and (above := int(self.skeleton.parents[path[0]])) != self.owner[above]:
                path.insert(0, above)
            paths.append(path)
        depth = max(map(len, paths))
        return np.array([[-1] * (depth - len(path)) + path for path in paths])

    def turns(self, rotations: FloatArray) -> FloatArray:
        """Return the rotation [n, segment, 4] of each segment against its parent in poses `rotations` [n, joint, 4]."""
        poses = np.ascontiguousarray(rotations, dtype=np.float64)
        out = np.empty((len(poses), len(self.joints), 4))
        for pose in range(len(poses)):
            read_turns(self.paths, poses[pose], out[pose])
        return out

    def rotations(self, turns: FloatArray, rotations: FloatArray) -> FloatArray:
        """Return the poses [n, joint, 4] with segments rotated by `turns` [n, segment, 4]; undoes `turns`.

        Joints that move no segment keep their rotation in `rotations` [n, joint, 4].
        """
        out = np.array(rotations, dtype=np.float64)
        for pose in range(len(out)):
            write_turns(self.paths, np.ascontiguousarray(turns[pose], dtype=np.float64), out[pose])
        return out

    def _local_places(self, turns: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the positions of joints [joint, 3] and tips [tip, 3] in the frame of the segment they hang from."""
        skeleton, owner = self.skeleton, self.owner
        bent = turns.copy()
        bent[self.joints] = quat_identity()
        world = forward_kinematics(skeleton, np.zeros(3), bent)
        self._frames = quat_multiply(quat_conjugate(world.rotations[owner]), world.rotations)  # [joint, 4]
        base = np.where(np.arange(skeleton.joint_count) == owner, owner[skeleton.parents], owner)
        places = quat_rotate(quat_conjugate(world.rotations[base]), world.positions - world.positions[base])
        at = owner[skeleton.tip_joints]
        ends = tip_positions(skeleton, world) - world.positions[at]
        return places, quat_rotate(quat_conjugate(world.rotations[at]), ends)

    def _bones(self, tips: FloatArray) -> list[tuple[FloatArray, FloatArray]]:
        """Return the two ends [3] of each segment's bone, in its own frame.

        A bone goes from its joint to the mean of its child segments' joints, or, if it has none, to the farthest point
        attached to it. The bone of the pelvis goes from hip to hip.
        """
        hips = [self.places[leg.hip] for leg in self.body.legs]
        bones = [(hips[0], hips[1])]
        for number, joint in enumerate(self.joints.tolist()[1:], start=1):
            following = self.places[self.joints[self.parents == number]]
            own = np.concatenate(
                [
                    self.places[(self.owner == joint) & (np.arange(len(self.owner)) != joint)],
                    tips[self.owner[self.skeleton.tip_joints] == joint],
                    np.zeros((1, 3)),
                ]
            )
            farthest = own[np.linalg.norm(own, axis=-1).argmax()]
            bones.append((np.zeros(3), following.mean(axis=0) if len(following) else farthest))
        return bones


def mean_rotations(rotations: FloatArray) -> FloatArray:
    """Return the mean [joint, 4] of each joint's rotation over poses [n, joint, 4]."""
    turns = np.moveaxis(np.asarray(rotations, dtype=np.float64), 0, 1)
    return quat_average(turns, np.full(turns.shape[:2], 1.0 / turns.shape[1]))


def _likely_mass(skeleton: Skeleton, body: Body) -> float:
    """Return the mass in kg of a person with legs of this length."""
    lengths = np.linalg.norm(skeleton.offsets, axis=-1)
    leg = np.mean([lengths[leg.knee] + lengths[leg.ankle] for leg in body.legs])
    return float(BODY_MASS_INDEX * (leg / LEG_SHARE) ** 2)


def _parts(skeleton: Skeleton, body: Body) -> dict[int, tuple[str, str | None]]:
    """Return the body part and the side of each joint that moves a segment."""
    arms = (body.left_arm, body.right_arm)
    neck = [] if body.head is None else skeleton.path_to(body.head)
    upper = [skeleton.path_to(arm.shoulder) for arm in arms if arm is not None] + ([neck] if neck else [])
    spine = [joint for joint in upper[0] if all(joint in path for path in upper)] if upper else []
    spine = [joint for joint in spine if joint != body.head]
    parts: dict[int, tuple[str, str | None]] = dict.fromkeys(neck, ("neck", None))
    parts |= dict.fromkeys(spine, ("spine", None))
    parts[0] = ("pelvis", None)
    for side, leg, arm in zip(("left", "right"), body.legs, arms, strict=True):
        parts |= {leg.hip: ("thigh", side), leg.knee: ("shank", side), leg.ankle: ("foot", side)}
        if arm is not None:
            parts |= {arm.shoulder: ("upper arm", side), arm.elbow: ("forearm", side), arm.wrist: ("hand", side)}
    return parts


def _owners(skeleton: Skeleton, moving: Collection[int]) -> IntArray:
    """Return the joint [joint] whose segment each joint belongs to: the nearest of `moving` on the way to the root."""
    owner = np.zeros(skeleton.joint_count, np.int64)
    for joint in range(1, skeleton.joint_count):
        owner[joint] = joint if joint in moving else owner[skeleton.parents[joint]]
    return owner


def _segments(
    parts: Mapping[int, tuple[str, str | None]], bones: list[tuple[FloatArray, FloatArray]], mass: float
) -> list[Segment]:
    """Return the segments, with the body's `mass` split by part and, within a part, by bone length."""
    joints = sorted(parts)
    lengths = [max(float(np.linalg.norm(end - start)), SHORTEST_BONE) for start, end in bones]
    shares = {**{part: inertia.mass for part, inertia in LIMBS.items()}, **TRUNK}
    weights = []
    for joint, length in zip(joints, lengths, strict=True):
        alike = sum(other for place, other in zip(joints, lengths, strict=True) if parts[place] == parts[joint])
        weights.append(shares[parts[joint][0]] * length / alike)
    masses = [mass * weight / sum(weights) for weight in weights]
    return [
        Segment(joint, *parts[joint], *bone, _capsule_radius(length, own), own)
        for joint, bone, length, own in zip(joints, bones, lengths, masses, strict=True)
    ]


def _capsule_radius(length: float, mass: float) -> float:
    """Return the radius in metres of a capsule of `mass` kg around a bone of `length` metres."""
    # The volume of a capsule, 4/3 pi r^3 + pi r^2 length, equals mass / DENSITY.
    roots = np.roots([4.0 / 3.0, length, 0.0, -mass / (np.pi * DENSITY)])
    return float(roots[(np.abs(roots.imag) < 1e-12) & (roots.real > 0.0)].real[0])


@kernel
def read_turns(paths: IntArray, rotations: FloatArray, turns: FloatArray) -> None:
    """Fill `turns` [segment, 4] from one pose `rotations` [joint, 4]; see `SegmentedBody.turns`."""
    for segment in range(paths.shape[0]):
        turn = NO_TURN
        started = False
        for joint in paths[segment]:
            if joint >= 0:
                # Padding comes first in a path, so the product starts at the first joint.
                own = quat_of(rotations[joint])
                turn = multiply(turn, own) if started else own
                started = True
        put(turn, turns[segment])


@kernel
def write_turns(paths: IntArray, turns: FloatArray, rotations: FloatArray) -> None:
    """Rotate the segments of one pose `rotations` [joint, 4] in place; see `SegmentedBody.rotations`."""
    for segment in range(paths.shape[0]):
        # The joints before the last of a path keep their rotation; the last one gets the rest.
        turn = quat_of(turns[segment])
        for joint in paths[segment, :-1]:
            if joint >= 0:
                turn = multiply(conjugate(quat_of(rotations[joint])), turn)
        put(normalized(turn), rotations[paths[segment, -1]])
