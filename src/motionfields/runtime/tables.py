"""The tables of a crowd in the layout of the C runtime: for its packs, and for the C library of this package.

The structures follow `runtime/c/motionfields.h` and `runtime/python/python.c`.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from motionfields.base import native
from motionfields.control.policy import Policy
from motionfields.motion.planting import FootPlanter
from motionfields.runtime.follower import MotionTables

MOST_JOINTS: Final = 256  # MF_MOST_JOINTS
MOST_AXES: Final = 4  # MF_MOST_AXES
# The pointers of mf_pack; Python fills those that a frame reads.
POINTERS: Final = (
    *("info", "root_height", "root_tilt", "root_step", "root_turn", "joint_rotations", "joint_turns"),
    *("joint_rotations16", "yaw_turn", "facing", "votes", "frames_left", "labels", "outlines", "targets", "targets16"),
    *("costs", "costs8", "cost_book", "values", "values8", "value_base", "value_step", "value_mean"),
    *("grid_nodes", "grid_counts", "grid_guesses", "grid_steps", "offsets", "parents", "paths", "names", "starts"),
)


class Pack(ctypes.Structure):
    """The C struct `mf_pack`."""

    _fields_ = (*((name, ctypes.c_void_p) for name in POINTERS), ("checksum", ctypes.c_uint32))


def info_bytes(
    policy: Policy,
    tables: MotionTables,
    planter: FootPlanter,
    *,
    start_count: int = 0,
    gait_count: int = 0,
    top_speed: float = 0.0,
) -> bytes:
    """Return the C struct `mf_info` of a crowd; the options are needed by packs alone."""
    table, grid, task, _ = policy
    rig = planter.rig
    state_count, variant_count = tables.yaw_turn.shape
    counts = (
        *(state_count, len(rig.parents), variant_count, table.states.shape[1]),
        *(len(grid.steps), table.values.shape[1], grid.nodes.shape[1], start_count),
        *(task.kind, table.memory, rig.paths.shape[1], gait_count),
    )
    own = [0.0] * 6 if policy.own is not None else task.numbers  # a custom task decides in Python
    numbers = (
        *(*own, top_speed, table.discount, table.goal_change, tables.frame_time),
        *(tables.stiffness, tables.decay, tables.root_stiffness, tables.root_decay),
        *(*rig.toe_heights, *rig.heel_pitches, *rig.foot_lengths, *rig.tip_lengths, *rig.hinges.ravel()),
        *planter.numbers,
    )
    integers = np.array([*counts, *rig.joints.ravel(), *rig.has_toes, 0, 0], "<u4")
    return integers.tobytes() + np.array(numbers, "<f8").tobytes()


class NativeTables:
    """Everything that the C library reads in a frame, besides the characters; refers to the arrays of the others."""

    def __init__(self, policy: Policy, tables: MotionTables, planter: FootPlanter, frames_left: NDArray[Any]) -> None:
        info = np.frombuffer(info_bytes(policy, tables, planter), np.uint8).copy()
        table, grid, rig = policy.table, policy.grid, planter.rig
        f4, f8, i4 = np.float32, np.float64, np.int32
        arrays: dict[str, NDArray[Any]] = {
            "info": info,
            **{name: _as(getattr(tables, name), f4) for name in POINTERS[1:7]},
            "yaw_turn": _as(tables.yaw_turn, f8),
            "frames_left": _as(frames_left, i4),
            "outlines": _as(table.outlines, f8),
            "targets": _as(table.states, i4),
            "costs": _as(table.costs, f4),
            "values": _as(table.values, f4),
            "grid_nodes": _as(grid.nodes, f8),
            "grid_counts": _as(grid.counts, i4),
            "grid_guesses": _as(grid.guesses, i4),
            "grid_steps": _as(grid.steps, i4),
            "offsets": _as(rig.offsets, f8),
            "parents": _as(rig.parents, i4),
            "paths": _as(rig.paths, i4),
        }
        if len(table.labels):
            arrays["labels"] = _as(table.labels, i4)
        self._kept = arrays  # as long as C reads them
        self.pack = Pack(**{name: native.address(array) for name, array in arrays.items()})


def suit_library(library: Any, policy: Policy, tables: MotionTables, planter: FootPlanter) -> bool:
    """Return whether `library` has the layouts of this module and room for a crowd with these tables."""
    return (
        library.mfp_size(0) == len(info_bytes(policy, tables, planter))
        and library.mfp_size(1) == ctypes.sizeof(Pack)
        and len(planter.rig.parents) <= MOST_JOINTS
        and len(policy.grid.steps) <= MOST_AXES
        and len(tables.root_height) < 2**31
        and all(getattr(tables, name).dtype == np.float32 for name in POINTERS[1:7])
    )


def _as(array: NDArray[Any], kind: Any) -> NDArray[Any]:
    """Return `array` as numbers of the type `kind` in one piece; itself if it is so already."""
    return np.ascontiguousarray(array, dtype=kind)
