"""Packs: everything that a trained character needs at run time, in one file for the C runtime (`runtime/c`).

A pack is a header, a table of named sections and their arrays, little-endian and aligned to 64 bytes, so that a program
can map the file and use it in place. `runtime/c/mf_pack.c` reads and checks it.
"""

from __future__ import annotations

import os
import struct
import zlib
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from motionfields.base.files import replacing
from motionfields.control.contract import Controller
from motionfields.control.controller import FieldController
from motionfields.control.policy import Policy
from motionfields.control.tasks.compiled import NAVIGATION, OWN
from motionfields.export.compact import compact_motion, compact_policy
from motionfields.motion.planting import FootPlanter
from motionfields.runtime.follower import MotionTables
from motionfields.runtime.planters import crowd_planter
from motionfields.runtime.tables import MOST_JOINTS, info_bytes

MAGIC: Final = b"MFPACK\r\n"
VERSION: Final = 1
ALIGNMENT: Final = 64  # bytes
HEADER: Final = struct.Struct("<8sIIQI36x")  # magic, version, section count, file size, checksum of the rest
ENTRY: Final = struct.Struct("<16sIIQQQ")  # name, bytes of an item, 0, first byte, bytes, items
MOST_TRANSITIONS: Final = 65_536

Sections = dict[str, NDArray[Any]]


def save_pack(controller: Controller, path: str | os.PathLike[str], *, exact: bool = False) -> int:
    """Write `controller` to the pack `path` for the C runtime, and return its size in bytes.

    By default poses have 16 bits, costs and values 8 bits per number. With `exact` the numbers are those of the
    controller, and the C runtime makes the same decisions as a `Crowd`. Raises ValueError for a controller that is not
    a `FieldController` with a built-in task.
    """
    data = pack_bytes(controller, exact=exact)
    with replacing(path) as file:
        file.write(data)
    return len(data)


def pack_bytes(controller: Controller, *, exact: bool = False) -> bytes:
    """Return the content of the file that `save_pack` writes."""
    if not isinstance(controller, FieldController):
        raise ValueError(f"controller: expected one trained by the field method, got a {type(controller).__name__}")
    policy = controller.policy
    if policy is None or policy.task.kind == OWN:
        raise ValueError(f"task: expected a built-in one, got {type(controller.task).__name__}; C cannot run Python")
    if controller.field.database.skeleton.joint_count > MOST_JOINTS:
        raise ValueError(f"skeleton: expected at most {MOST_JOINTS} joints in a pack")
    if policy.table.states.shape[1] > MOST_TRANSITIONS:
        raise ValueError(f"neighbor_count: expected at most {MOST_TRANSITIONS} transitions per state in a pack")
    database = controller.field.database
    tables = MotionTables.of(database, controller.root_motion, controller.half_lives)
    planter = crowd_planter(controller.field)
    motion = _motion(controller, tables)
    decisions = _decisions(policy)
    if not exact:
        motion, decisions = compact_motion(motion), compact_policy(decisions)
    return _file(
        {
            "info": np.frombuffer(_info(controller, policy, tables, planter), np.uint8),
            **motion,
            **decisions,
            **_skeleton(controller, planter),
        }
    )


def _info(controller: FieldController, policy: Policy, tables: MotionTables, planter: FootPlanter) -> bytes:
    """Return the section `info`: the C struct `mf_info`."""
    axes = controller.task.axes
    return info_bytes(
        policy,
        tables,
        planter,
        start_count=len(controller.start_states),
        gait_count=len(axes[3].nodes) if policy.task.kind == NAVIGATION and len(axes) > 3 else 0,
        top_speed=next((float(axis.nodes[-1]) for axis in axes if axis.name == "speed"), 0.0),
    )


def _motion(controller: FieldController, tables: MotionTables) -> Sections:
    """Return the arrays by state that following, display and foot locking read."""
    database, root_motion = controller.field.database, controller.root_motion
    sections = {
        "root_height": tables.root_height.astype("<f4"),
        "root_tilt": tables.root_tilt.astype("<f4"),
        "root_step": tables.root_step.astype("<f4"),
        "root_turn": tables.root_turn.astype("<f4"),
        "joint_rotations": tables.joint_rotations.astype("<f4"),
        "joint_turns": tables.joint_turns.astype("<f4"),
        "yaw_turn": tables.yaw_turn.astype("<f8"),
        "facing": root_motion.facing.astype("<f8"),
        "votes": controller.field.state_votes.astype("<f8"),
        "frames_left": database.frames_left.astype("<i4"),
        "starts": np.asarray(controller.start_states).astype("<i4"),
    }
    return sections if root_motion.labels is None else {**sections, "labels": root_motion.labels.astype("<i4")}


def _decisions(policy: Policy) -> Sections:
    """Return the tables of decisions."""
    table, grid = policy.table, policy.grid
    return {
        "outlines": table.outlines.astype("<f8"),
        "targets": table.states.astype("<i4"),
        "costs": table.costs.astype("<f4"),
        "values": table.values.astype("<f4"),
        "grid_nodes": grid.nodes.astype("<f8"),
        "grid_counts": grid.counts.astype("<i4"),
        "grid_guesses": grid.guesses.astype("<i4"),
        "grid_steps": grid.steps.astype("<i4"),
    }


def _skeleton(controller: FieldController, planter: FootPlanter) -> Sections:
    """Return the skeleton."""
    names = b"".join(name.replace("\0", " ").encode() + b"\0" for name in controller.field.database.skeleton.names)
    return {
        "offsets": planter.rig.offsets.astype("<f8"),
        "parents": planter.rig.parents.astype("<i4"),
        "paths": planter.rig.paths.astype("<i4"),
        "names": np.frombuffer(names, np.uint8),
    }


def _file(sections: Sections) -> bytes:
    """Return a pack that consists of `sections`."""
    place = _aligned(HEADER.size + ENTRY.size * len(sections))
    entries, body = bytearray(), bytearray()
    for name, array in sections.items():
        # The info is one item: the reader compares its size with that of its own struct.
        item = array.nbytes if name == "info" else array.itemsize
        entries += ENTRY.pack(name.encode(), item, 0, place, array.nbytes, array.nbytes // item)
        body += np.ascontiguousarray(array).tobytes().ljust(_aligned(array.nbytes), b"\0")
        place += _aligned(array.nbytes)
    rest = bytes(entries).ljust(_aligned(HEADER.size + len(entries)) - HEADER.size, b"\0") + bytes(body)
    return HEADER.pack(MAGIC, VERSION, len(sections), HEADER.size + len(rest), zlib.crc32(rest)) + rest


def _aligned(size: int) -> int:
    """Return `size` rounded up to the alignment of sections."""
    return -(-size // ALIGNMENT) * ALIGNMENT
