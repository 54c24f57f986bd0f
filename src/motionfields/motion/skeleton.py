"""Skeletons, and forward kinematics: the world positions and rotations of the joints of a pose."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import numpy as np

from motionfields.base import native
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import kernel
from motionfields.base.errors import SkeletonError
from motionfields.base.geometry import quat_rotate
from motionfields.base.wording import counted

LONGEST_BONE = 1e12  # metres, in any unit that a file may use


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Joints in an order in which every parent comes before its children; joint 0 is the root.

    `offsets` [joint, 3] are metres from the parent's origin, in the parent's frame, with all rotations at identity;
    poses ignore the root's own offset. A tip is the end of a bone that has no joint there (a BVH End Site):
    `tip_offsets` [tip, 3] in metres, in the frame of the joint `tip_joints` [tip].
    """

    names: tuple[str, ...]
    parents: IntArray  # [joint], -1 for the root
    offsets: FloatArray  # [joint, 3], metres
    tip_joints: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))  # [tip]
    tip_offsets: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))  # [tip, 3], metres

    def __post_init__(self) -> None:
        if isinstance(self.names, str):
            raise SkeletonError(f"names: expected a sequence of joint names, got {self.names!r}")
        object.__setattr__(self, "names", tuple(self.names))
        if not all(isinstance(name, str) for name in self.names):
            raise SkeletonError("names: expected the names of the joints")
        count = len(self.names)
        for name, dtype, shape in (
            ("parents", np.int64, (count,)),
            ("offsets", np.float64, (count, 3)),
            ("tip_joints", np.int64, (len(self.tip_joints),)),
            ("tip_offsets", np.float64, (len(self.tip_joints), 3)),
        ):
            try:
                array = np.array(getattr(self, name), dtype=dtype)
            except OverflowError:
                raise SkeletonError(f"{name}: expected numbers of {np.dtype(dtype)}") from None
            if array.shape != shape:
                raise SkeletonError(f"{name}: expected shape {shape} for {counted(count, 'joint')}, got {array.shape}")
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        self._check_hierarchy()
        for name in ("offsets", "tip_offsets"):
            # Written so that NaN fails too.
            if not np.abs(getattr(self, name)).max(initial=0.0) <= LONGEST_BONE:
                raise SkeletonError(f"{name}: expected finite numbers of at most {LONGEST_BONE:g} metres")

    def __reduce__(self) -> tuple[Any, ...]:
        # Copies and pickles run the constructor: numpy itself would return writeable arrays.
        return type(self), tuple(getattr(self, item.name) for item in fields(self))

    def _check_hierarchy(self) -> None:
        count = len(self.names)
        if count == 0:
            raise SkeletonError("names: expected at least one joint")
        if len(set(self.names)) != count:
            twice = next(name for name in self.names if self.names.count(name) > 1)
            raise SkeletonError(f"names: expected each joint once, got {twice!r} twice")
        own_index = np.arange(count)
        if self.parents[0] != -1 or np.any(self.parents[1:] < 0) or np.any(self.parents >= own_index):
            raise SkeletonError("parents: expected -1 for joint 0 and, for the others, the index of an earlier joint")
        if np.any(self.tip_joints < 0) or np.any(self.tip_joints >= count):
            raise SkeletonError(f"tip_joints: expected joints 0 to {count - 1}")

    @property
    def joint_count(self) -> int:
        """Number of joints, including the root."""
        return len(self.names)

    def index(self, name: str) -> int:
        """Return the index of the joint called `name`."""
        try:
            return self.names.index(name)
        except ValueError:
            raise SkeletonError(f"no joint is called {name!r}; the joints are {', '.join(self.names)}") from None

    def path_to(self, joint: int) -> list[int]:
        """Return the joints from the root down to `joint`, including both."""
        path = [joint]
        while self.parents[path[-1]] >= 0:
            path.append(int(self.parents[path[-1]]))
        return path[::-1]

    def tip_of(self, joint: int) -> FloatArray:
        """Return the offset [3] in metres of the first tip of `joint`; zero if it has none."""
        tips = np.flatnonzero(self.tip_joints == joint)
        return np.asarray(self.tip_offsets[tips[0]]) if len(tips) else np.zeros(3)

    def matches(self, other: Skeleton, *, tolerance: float = 1e-6) -> bool:
        """Return whether `other` has the same joints and hierarchy, and the same offsets within `tolerance` metres."""
        return (
            self.names == other.names
            and np.array_equal(self.parents, other.parents)
            and np.array_equal(self.tip_joints, other.tip_joints)
            and np.allclose(self.offsets[1:], other.offsets[1:], rtol=0.0, atol=tolerance)
            and np.allclose(self.tip_offsets, other.tip_offsets, rtol=0.0, atol=tolerance)
        )


class WorldPose(NamedTuple):
    """World positions and rotations of all joints."""

    positions: FloatArray  # [..., joint, 3], metres
    rotations: FloatArray  # [..., joint, 4], world_from_joint


def forward_kinematics(skeleton: Skeleton, root_position: FloatArray, rotations: FloatArray) -> WorldPose:
    """Return the world positions and rotations of all joints, for any batch of poses.

    `root_position` [..., 3] is in metres; `rotations` [..., joint, 4] are `world_from_root` for joint 0 and
    `parent_from_joint` for the others.
    """
    turns = np.ascontiguousarray(rotations, dtype=np.float64)
    roots = np.ascontiguousarray(root_position, dtype=np.float64)
    count = skeleton.joint_count
    if turns.shape[-2:] != (count, 4) or roots.shape != (*turns.shape[:-2], 3):
        raise ValueError(
            f"expected rotations [..., {count}, 4] and root_position [..., 3] of one batch, "
            f"got {turns.shape} and {roots.shape}"
        )
    positions = np.empty((*turns.shape[:-1], 3))
    world_from_joint = np.empty_like(turns)
    arrays = (
        skeleton.parents,
        skeleton.offsets,
        roots.reshape(-1, 3),
        turns.reshape(-1, count, 4),
        positions.reshape(-1, count, 3),
        world_from_joint.reshape(-1, count, 4),
    )
    runtime = native.library()
    if runtime is not None and native.fits(skeleton.parents, np.int64) and native.fits(skeleton.offsets, np.float64):
        runtime.mfp_forward(len(arrays[2]), count, *map(native.address, arrays))
    else:
        _forward_kernel(*arrays)
    return WorldPose(positions, world_from_joint)


def tip_positions(skeleton: Skeleton, world: WorldPose) -> FloatArray:
    """Return world positions [..., tip, 3] in metres of the bone ends that have no joint."""
    joints = skeleton.tip_joints
    arms = quat_rotate(world.rotations[..., joints, :], skeleton.tip_offsets)
    return np.asarray(world.positions[..., joints, :] + arms)


@kernel
def _forward_kernel(
    parents: IntArray,
    offsets: FloatArray,
    roots: FloatArray,
    turns: FloatArray,
    positions: FloatArray,
    world_from_joint: FloatArray,
) -> None:
    """Fill `positions` [frame, joint, 3] and `world_from_joint` [frame, joint, 4] from roots and local rotations."""
    # Parents come before their children, so one pass in joint order finds every parent already in the world.
    # All arrays are float64: errors add up along a chain of joints.
    for f in range(turns.shape[0]):
        for j in range(turns.shape[1]):
            parent = parents[j]
            if parent < 0:
                for c in range(3):
                    positions[f, j, c] = roots[f, c]
                for c in range(4):
                    world_from_joint[f, j, c] = turns[f, j, c]
                continue
            w, x, y, z = (
                world_from_joint[f, parent, 0],
                world_from_joint[f, parent, 1],
                world_from_joint[f, parent, 2],
                world_from_joint[f, parent, 3],
            )
            # The position is the parent's plus the offset rotated by the parent: v + w t + u x t, with t = 2 u x v.
            vx, vy, vz = offsets[j, 0], offsets[j, 1], offsets[j, 2]
            tx = 2.0 * (y * vz - z * vy)
            ty = 2.0 * (z * vx - x * vz)
            tz = 2.0 * (x * vy - y * vx)
            positions[f, j, 0] = positions[f, parent, 0] + vx + w * tx + (y * tz - z * ty)
            positions[f, j, 1] = positions[f, parent, 1] + vy + w * ty + (z * tx - x * tz)
            positions[f, j, 2] = positions[f, parent, 2] + vz + w * tz + (x * ty - y * tx)
            # The rotation is the Hamilton product world_from_parent * parent_from_joint.
            bw, bx, by, bz = turns[f, j, 0], turns[f, j, 1], turns[f, j, 2], turns[f, j, 3]
            world_from_joint[f, j, 0] = w * bw - x * bx - y * by - z * bz
            world_from_joint[f, j, 1] = w * bx + x * bw + y * bz - z * by
            world_from_joint[f, j, 2] = w * by - x * bz + y * bw + z * bx
            world_from_joint[f, j, 3] = w * bz + x * by - y * bx + z * bw
