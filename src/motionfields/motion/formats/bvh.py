"""BVH files: joint hierarchies with Euler angles, read into quaternions and written from them.

`read_bvh` keeps the file's own unit and axes. It takes arbitrary bytes and either returns a motion or raises
`BvhError`, in time and memory bounded by the size of the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NoReturn

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.wording import counted
from motionfields.motion.formats._bvh_header import Hierarchy, MotionHeader, read_hierarchy, read_motion_header
from motionfields.motion.formats._bvh_numbers import (
    BAD_NUMBER,
    LARGEST_VALUE,
    ROW_TOO_LONG,
    ROW_TOO_SHORT,
    ROWS_MISSING,
    ROWS_READ,
    compose_rotations,
    read_rows,
)
from motionfields.motion.formats._bvh_positions import joint_offsets
from motionfields.motion.formats._bvh_text import BvhText, quoted
from motionfields.motion.formats._bvh_writer import format_bvh, save_bvh

__all__ = ["BvhMotion", "format_bvh", "read_bvh", "save_bvh"]

POSE_BYTES_PER_BYTE: Final = 6
POSE_BYTES_ALWAYS: Final = 8_000_000
"""Limit on the poses in bytes: the first constant times the file size, plus the second.

Joints of 3 channels take at most 5.4 times the file size; joints without channels could turn a small file into
gigabytes.
"""


@dataclass(frozen=True, eq=False)
class BvhMotion:
    """The content of a BVH file, with lengths in the file's unit, along the file's axes.

    Joints are in the file's order, parents before children. For joints with position channels, `offsets` come from
    those channels (see `notes`), so that every pose consists of `root_position`, `offsets` and `rotations`; the root's
    own offset is the file's OFFSET and has no effect on poses. End Sites of zero length are left out of the tips.
    """

    names: tuple[str, ...]
    parents: IntArray  # [joint], -1 for the root
    offsets: FloatArray  # [joint, 3], from the parent, in the parent's frame
    tip_joints: IntArray  # [tip]
    tip_offsets: FloatArray  # [tip, 3], in the frame of the joint
    root_position: FloatArray  # [frame, 3]
    rotations: FloatArray  # [frame, joint, 4], wxyz unit: world_from_root for joint 0, else parent_from_joint
    frame_time: float  # seconds
    rotation_orders: tuple[str, ...]  # per joint, in channel order: "ZYX"; "" without rotation channels
    notes: tuple[str, ...]  # messages for the user about ignored or unusual content

    @property
    def frame_count(self) -> int:
        """Number of poses; may be 0."""
        return len(self.root_position)


def read_bvh(data: bytes, *, path: str | None = None) -> BvhMotion:
    """Return the motion in the bytes of a BVH file; `path` is only for messages. Raises BvhError, and nothing else.

    Position channels replace a joint's OFFSET, axis by axis. A frame's rotation is composed in channel order: Zrotation
    Yrotation Xrotation is Rz Ry Rx. The signs of the quaternions follow from the angles.
    """
    text = BvhText(data, path)
    hierarchy = read_hierarchy(text)
    header = read_motion_header(text)
    _check_size(text, hierarchy, header)
    values = _read_values(text, hierarchy, header.frame_count)
    offsets, notes = joint_offsets(values, hierarchy)
    return BvhMotion(
        names=tuple(hierarchy.names),
        parents=np.array(hierarchy.parents, np.int64),
        offsets=offsets,
        tip_joints=np.array(hierarchy.tip_joints, np.int64),
        tip_offsets=np.array(hierarchy.tip_offsets, np.float64).reshape(-1, 3),
        root_position=_root_position(values, hierarchy),
        rotations=_rotations(values, hierarchy),
        frame_time=header.frame_time,
        rotation_orders=tuple(hierarchy.rotation_order(joint) for joint in range(len(hierarchy.names))),
        notes=notes,
    )


def _check_size(text: BvhText, hierarchy: Hierarchy, header: MotionHeader) -> None:
    """Refuse, before any allocation, more frames than the file can hold and poses out of proportion to its size."""
    frame_count, joint_count, column_count = header.frame_count, len(hierarchy.names), hierarchy.column_count
    if frame_count and not column_count:
        text.fail(f"expected Frames: 0 in a file without channels, got {frame_count}", header.frame_count_at)
    least_row = max(2 * column_count, 1)  # bytes: a digit and a blank or line end for each value
    room = (len(text.data) - text.position) // least_row
    if frame_count > room:
        text.fail(
            f"expected {counted(frame_count, 'frame')} of {counted(column_count, 'value')}, as declared by Frames:, "
            f"got a file with room for at most {room}",
            header.frame_count_at,
        )
    pose_bytes = frame_count * 8 * (3 + 4 * joint_count)
    allowed = POSE_BYTES_PER_BYTE * len(text.data) + POSE_BYTES_ALWAYS
    if pose_bytes > allowed:
        text.fail(
            f"expected poses in proportion to the file, at most {allowed} bytes, got "
            f"{counted(frame_count, 'frame')} of {counted(joint_count, 'joint')}: {pose_bytes} bytes; "
            "drop the joints without channels",
            header.frame_count_at,
        )


def _read_values(text: BvhText, hierarchy: Hierarchy, frame_count: int) -> FloatArray:
    """Return all rows [frame, column], unconverted."""
    values = np.empty((frame_count, hierarchy.column_count))
    if frame_count == 0:  # without rows there is no need to compile the kernel
        text.end_file("0 frames")
        return values
    status, offset, row = read_rows(np.frombuffer(text.data, np.uint8), text.position, values)
    if status != ROWS_READ:
        _fail_in_rows(text, status, offset=offset, row=row, shape=values.shape)
    return values


def _fail_in_rows(text: BvhText, status: int, *, offset: int, row: int, shape: tuple[int, ...]) -> NoReturn:
    frame_count, column_count = shape
    frame = f"frame {row + 1}"
    if status == BAD_NUMBER:
        text.position = offset
        text.fail(f"{frame}: expected a decimal number up to {LARGEST_VALUE:g}, got {quoted(text.take())}", offset)
    if status == ROW_TOO_SHORT:
        width = len(text.line_before(offset).split())
        text.fail(
            f"the hierarchy declares {counted(column_count, 'channel')}, {frame} has {counted(width, 'value')}", offset
        )
    if status == ROW_TOO_LONG:
        text.fail(f"the hierarchy declares {counted(column_count, 'channel')}, {frame} has more values", offset)
    if status == ROWS_MISSING:
        text.fail(f"expected {counted(frame_count, 'frame')}, as declared by Frames:, got {row}", offset)
    text.fail(
        f"expected the end of the file after {counted(frame_count, 'frame')}, as declared by Frames:, got more", offset
    )


def _rotations(values: FloatArray, hierarchy: Hierarchy) -> FloatArray:
    """Return the rotations [frame, joint, 4] of all joints."""
    joint_count = len(hierarchy.names)
    columns, axes = np.full((joint_count, 3), -1), np.zeros((joint_count, 3), np.int64)
    for joint in range(joint_count):
        for place, channel in enumerate(hierarchy.channels_of(joint, "ROTATION")):
            columns[joint, place], axes[joint, place] = channel.column, channel.axis
    rotations = np.empty((len(values), joint_count, 4))
    if len(values):
        compose_rotations(values, columns, axes, rotations)
    return rotations


def _root_position(values: FloatArray, hierarchy: Hierarchy) -> FloatArray:
    """Return the positions [frame, 3] of the root: its channels, and its OFFSET along axes without one."""
    positions = np.tile(np.array(hierarchy.offsets[0]), (len(values), 1))
    for channel in hierarchy.channels_of(0, "POSITION"):
        positions[:, channel.axis] = values[:, channel.column]
    return positions
