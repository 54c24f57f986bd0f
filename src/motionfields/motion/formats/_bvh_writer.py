"""Writer of BVH files: a tree of joints, then Euler angles in degrees, one row per frame."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray
from motionfields.base.files import replacing
from motionfields.base.geometry import euler_from_quat
from motionfields.motion.clip import Clip
from motionfields.motion.formats._bvh_header import MOST_JOINTS
from motionfields.motion.formats._bvh_numbers import LARGEST_VALUE
from motionfields.motion.formats._bvh_text import name_fault
from motionfields.motion.skeleton import Skeleton

_DEEPEST_INDENT = 40  # deeper joints are not indented further: a chain of n joints would take n * n bytes


def save_bvh(
    path: str | os.PathLike[str],
    clip: Clip,
    *,
    scale: float = 1.0,
    order: str = "ZYX",
    precision: int = 6,
) -> None:
    """Write `clip` to the BVH file `path`, see `format_bvh`; a kill leaves the old file or the new one."""
    text = format_bvh(
        clip.skeleton,
        clip.root_position,
        clip.rotations,
        clip.frame_time,
        scale=scale,
        order=order,
        precision=precision,
    )
    with replacing(path) as file:
        file.write(text)


def format_bvh(
    skeleton: Skeleton,
    root_position: ArrayLike,
    rotations: ArrayLike,
    frame_time: float,
    *,
    scale: float = 1.0,
    order: str = "ZYX",
    precision: int = 6,
) -> bytes:
    """Return the bytes of a BVH file of poses: `root_position` [frame, 3] in metres, `rotations` [frame, joint, 4].

    `scale` is metres per unit of the file, `order` that of the rotation channels, `precision` the number of decimals.
    The root's OFFSET is 0 and its position channels are absolute. Joints are written depth first, so a skeleton in
    another order is read back in a different one. A leaf without a tip gets an End Site of zero length, which other
    readers require and ours ignores. Angles continue past 180 degrees where the motion does.
    """
    positions, turns = np.asarray(root_position, np.float64), np.asarray(rotations, np.float64)
    _check_options(frame_time=frame_time, scale=scale, order=order, precision=precision)
    _check(skeleton, positions, turns, scale=scale)
    joints, hierarchy = _hierarchy(skeleton, scale=scale, order=order, precision=precision)
    angles = np.rad2deg(np.unwrap(euler_from_quat(turns[:, joints], order), axis=0))
    rows = _rows(np.hstack([positions / scale, angles.reshape(len(turns), 3 * len(joints))]), precision=precision)
    seconds = np.format_float_positional(frame_time, trim="0")
    head = [*hierarchy, "MOTION", f"Frames: {len(turns)}", f"Frame Time: {seconds}"]
    return ("\n".join([*head, *rows]) + "\n").encode()


def _check(skeleton: Skeleton, positions: FloatArray, turns: FloatArray, *, scale: float) -> None:
    """Refuse invalid poses, and poses that the reader would refuse."""
    joint_count = skeleton.joint_count
    if joint_count > MOST_JOINTS:
        raise ValueError(f"skeleton: expected at most {MOST_JOINTS} joints, got {joint_count}")
    if turns.ndim != 3 or turns.shape[1:] != (joint_count, 4):
        raise ValueError(f"rotations: expected [frame, {joint_count}, 4], got shape {turns.shape}")
    if not np.all(np.abs(np.sum(turns * turns, axis=-1) - 1.0) < 1e-3):
        raise ValueError("rotations: expected unit quaternions wxyz")
    if positions.shape != (len(turns), 3):
        raise ValueError(f"root_position: expected [{len(turns)}, 3], got shape {positions.shape}")
    lengths = {"root_position": positions, "offsets": skeleton.offsets, "tip_offsets": skeleton.tip_offsets}
    for name, metres in lengths.items():
        if not np.all(np.abs(metres) <= LARGEST_VALUE * scale):
            raise ValueError(f"{name}: expected finite metres, at most {LARGEST_VALUE:g} units of the file")
    for name in skeleton.names:
        if fault := name_fault(name):
            raise ValueError(f"names: expected names that BVH can hold, got {name!r}: {fault}")


def _check_options(*, frame_time: float, scale: float, order: str, precision: int) -> None:
    for name, value in (("frame_time", frame_time), ("scale", scale)):
        if not 1e-6 <= value <= LARGEST_VALUE:
            raise ValueError(f"{name}: expected a number from 1e-06 to {LARGEST_VALUE:g}, got {value}")
    if sorted(order) != ["X", "Y", "Z"]:
        raise ValueError(f"order: expected X, Y and Z once each, like 'ZYX', got {order!r}")
    if not 0 <= precision <= 15:
        raise ValueError(f"precision: expected 0 to 15 decimals, got {precision}")


def _hierarchy(skeleton: Skeleton, *, scale: float, order: str, precision: int) -> tuple[list[int], list[str]]:
    """Return the joints in the order they are written, depth first, and the lines of the HIERARCHY section."""
    children: list[list[int]] = [[] for _ in skeleton.names]
    for joint, parent in enumerate(skeleton.parents.tolist()[1:], start=1):
        children[parent].append(joint)
    tips: list[list[str]] = [[] for _ in skeleton.names]
    for joint, numbers in zip(
        skeleton.tip_joints.tolist(), _rows(skeleton.tip_offsets / scale, precision=precision), strict=True
    ):
        tips[joint].append(numbers)
    offsets = _rows(np.vstack([np.zeros(3), skeleton.offsets[1:] / scale]), precision=precision)
    turns = " ".join(f"{axis}rotation" for axis in order)
    joints, lines, waiting = list[int](), ["HIERARCHY"], [(0, 0)]
    while waiting:
        joint, depth = waiting.pop()
        indent = "\t" * min(depth, _DEEPEST_INDENT)
        if joint < 0:
            lines.append(indent + "}")
            continue
        joints.append(joint)
        ends = tips[joint] if tips[joint] or children[joint] else [offsets[0]]
        what = f"JOINT {skeleton.names[joint]}" if joint else f"ROOT {skeleton.names[joint]}"
        channels = f"CHANNELS 3 {turns}" if joint else f"CHANNELS 6 Xposition Yposition Zposition {turns}"
        lines += [indent + line for line in (what, "{", f"\tOFFSET {offsets[joint]}", f"\t{channels}")]
        lines += [f"{indent}\t{line}" for end in ends for line in ("End Site", "{", f"\tOFFSET {end}", "}")]
        waiting.append((-1, depth))
        waiting += [(child, depth + 1) for child in reversed(children[joint])]
    return joints, lines


def _rows(table: FloatArray, *, precision: int) -> list[str]:
    """Return one line of fixed-point numbers for each row of `table` [row, column], never -0."""
    row_format = " ".join([f"%.{precision}f"] * table.shape[1])
    rounded = np.round(table, precision) + 0.0
    return [row_format % tuple(row) for row in rounded.tolist()]
