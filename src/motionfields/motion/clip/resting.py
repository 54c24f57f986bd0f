"""Rotations between the rest poses of two skeletons, joint by joint, such as from an A-pose to a T-pose."""

from __future__ import annotations

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import quat_angle, quat_between, quat_multiply, quat_rotate
from motionfields.motion.body import Body
from motionfields.motion.clip.mapping import JointMap
from motionfields.motion.skeleton import Skeleton

BUILD_ANGLE = np.radians(40.0)  # trunk bones at rest that differ by less do so by proportions, not by pose
IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


def rest_corrections(source: Skeleton, target: Skeleton, joints: JointMap, body: Body) -> FloatArray:
    """Return the rotation [target joint, 4] from each bone of `target` at rest to its counterpart in `source`.

    Going down the skeleton, each joint takes the correction of the mapped joint above it and adds the smallest rotation
    that its own bone still needs; a joint with several mapped children takes the rotation that fits all of them best.
    Bones of the trunk, collarbones, and toes without an end are corrected only where they differ by more than
    `BUILD_ANGLE`, because rigs place these joints differently in the same pose.
    """
    rest = _RestPair(source, target, joints.source_of)
    arms = [arm.shoulder for arm in (body.left_arm, body.right_arm) if arm is not None]
    limbs = {*(leg.hip for leg in body.legs), *arms}
    feet = {leg.ankle for leg in body.legs}
    turns = np.tile(IDENTITY, (target.joint_count, 1))
    for joint in rest.mapped:
        path = set(target.path_to(joint))
        turn = IDENTITY if rest.above[joint] is None else turns[rest.above[joint]]
        wanted, own = rest.bones(joint)
        if len(own):
            turn = quat_multiply(_best_rotation(quat_rotate(turn, own), wanted), turn)
        by_build = not path & limbs or (path & feet and not len(own))
        turns[joint] = IDENTITY if by_build and quat_angle(turn, IDENTITY) < BUILD_ANGLE else turn
    return turns


class _RestPair:
    """Two skeletons in their rest poses."""

    def __init__(self, source: Skeleton, target: Skeleton, source_of: IntArray) -> None:
        self.skeletons = (source, target)
        self.source_of = source_of
        self.places = [rest_positions(skeleton) for skeleton in self.skeletons]
        self.mapped: list[int] = np.flatnonzero(source_of >= 0).tolist()
        self.above: dict[int, int | None] = {}  # mapped joint -> the next mapped one towards the root
        for joint in self.mapped:
            self.above[joint] = next((j for j in target.path_to(joint)[-2::-1] if source_of[j] >= 0), None)

    def bones(self, joint: int) -> tuple[FloatArray, FloatArray]:
        """Return directions [bone, 3] in source and target from `joint` to the mapped joints below, or to its tip."""
        below = self._below(joint)
        if any(above == joint for above in self.above.values()):
            directions = [
                [self._direction(joint, end) for end in below],
                [self._direction(joint, end, 1) for end in below],
            ]
        else:
            directions = [[], []]
            tips = [s.tip_offsets[s.tip_joints == j] for s, j in zip(self.skeletons, self._both(joint), strict=True)]
            if all(len(tip) and tip[0].any() for tip in tips):
                directions = [[tip[0]] for tip in tips]
        source, target = (np.reshape(direction, (-1, 3)) for direction in directions)
        return _units(source), _units(target)

    def _below(self, joint: int, start: int | None = None) -> list[int]:
        """Return the next mapped joints away from the root that are apart from `joint` in both skeletons."""
        found = []
        for end in (j for j, above in self.above.items() if above == (joint if start is None else start)):
            apart = min(np.linalg.norm(self._direction(joint, end, side)) for side in (0, 1)) > 1e-6
            found += [end] if apart else self._below(joint, end)
        return found

    def _direction(self, joint: int, end: int, side: int = 0) -> FloatArray:
        """Return the vector [3] in metres from `joint` to `end` in the source (side 0) or the target (1)."""
        at = self.places[side]
        return np.asarray(at[self._both(end)[side]] - at[self._both(joint)[side]])

    def _both(self, joint: int) -> tuple[int, int]:
        return int(self.source_of[joint]), joint


def rest_positions(skeleton: Skeleton) -> FloatArray:
    """Return the positions [joint, 3] of the joints at rest in metres, with the root at the origin."""
    places = np.zeros((skeleton.joint_count, 3))
    for joint in range(1, skeleton.joint_count):
        places[joint] = places[skeleton.parents[joint]] + skeleton.offsets[joint]
    return places


def standing_positions(skeleton: Skeleton) -> FloatArray:
    """Return the positions [joint, 3] of the joints at rest in metres, with the lowest joint or tip on the ground."""
    places = rest_positions(skeleton)
    tips = places[skeleton.tip_joints] + skeleton.tip_offsets
    return np.asarray(places - (0.0, min([float(places[:, 1].min()), *tips[:, 1].tolist()]), 0.0))


def _best_rotation(start: FloatArray, end: FloatArray) -> FloatArray:
    """Return the rotation [4] that best aligns directions `start` [bone, 3] with `end`; the smallest if several do."""
    from scipy.spatial.transform import Rotation

    left, size, right = np.linalg.svd(end.T @ start)
    if len(start) == 1 or size[1] < 1e-3 * size[0]:
        return quat_between(start[0], end[0])
    flip = np.diag([1.0, 1.0, np.linalg.det(left @ right)])
    return np.asarray(Rotation.from_matrix(left @ flip @ right).as_quat(scalar_first=True))


def _units(vectors: FloatArray) -> FloatArray:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))
