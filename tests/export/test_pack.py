"""Packs hold the numbers of a controller, exactly or in fewer bits."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionfields.control.root_motion import Warp
from motionfields.control.tasks import Direction, Velocity
from motionfields.control.transitions import BLOCKED, REPLAY
from motionfields.export import pack_bytes, save_pack
from motionfields.export.compact import OPEN_COSTS, compact_motion, cost_book, nearest_places
from motionfields.export.pack import ENTRY, HEADER, MAGIC, VERSION
from motionfields.motion.skeleton import forward_kinematics
from tests.native.crowds import controller


def sections(data: bytes) -> dict[str, bytes]:
    """The content of each section of a pack."""
    count = HEADER.unpack(data[: HEADER.size])[2]
    found = {}
    for k in range(count):
        start = HEADER.size + k * ENTRY.size
        name, item, zero, place, size, items = ENTRY.unpack(data[start : start + ENTRY.size])
        assert (place % 64, zero, item * items) == (0, 0, size)
        found[name.rstrip(b"\0").decode()] = data[place : place + size]
    return found


def test_a_pack_says_its_size_and_checksum() -> None:
    data = pack_bytes(controller(Direction(), None), exact=True)
    magic, version, _, size, checksum = HEADER.unpack(data[: HEADER.size])
    assert (magic, version, size) == (MAGIC, VERSION, len(data))
    assert checksum == zlib.crc32(data[HEADER.size :])


def test_an_exact_pack_holds_the_numbers_of_the_controller() -> None:
    trained = controller(Velocity(), Warp())
    found, database = sections(pack_bytes(trained, exact=True)), trained.field.database
    assert trained.policy is not None
    for name, array in (
        ("root_tilt", database.root_tilt),
        ("joint_turns", database.joint_turns),
        ("values", trained.values.table()),
        ("costs", trained.transitions.costs),
        ("targets", trained.transitions.states),
        ("outlines", trained.policy.table.outlines),
        ("yaw_turn", trained.root_motion.yaw_turn),
        ("votes", trained.field.state_votes),
    ):
        assert found[name] == np.ascontiguousarray(array).tobytes(), name
    assert found["names"].decode().split("\0")[:-1] == list(database.skeleton.names)
    assert len(found["info"]) == 24 * 4 + (6 + 8 + 14 + 27) * 8


def test_the_same_controller_gives_the_same_file(tmp_path: Path) -> None:
    trained = controller(Direction(), None)
    for exact in (True, False):
        size = save_pack(trained, tmp_path / "walker.mfpack", exact=exact)
        data = (tmp_path / "walker.mfpack").read_bytes()
        assert (len(data), data) == (size, pack_bytes(trained, exact=exact))


def test_compact_poses_are_within_a_tenth_of_a_millimetre() -> None:
    database = controller(Direction(), None).field.database
    rotations = database.joint_rotations
    small = compact_motion({"joint_rotations": rotations, "joint_turns": database.joint_turns})
    assert set(small) == {"joints16"}
    xyz = small["joints16"] / 32_767.0
    w = np.sqrt(np.maximum(0.0, 1.0 - (xyz**2).sum(axis=-1, keepdims=True)))
    places = []
    for joints in (rotations.astype(np.float64), np.concatenate([w, xyz], axis=-1)):
        joints = joints / np.linalg.norm(joints, axis=-1, keepdims=True)
        root = np.zeros((len(joints), 3))
        posed = np.concatenate([database.root_tilt[:, np.newaxis].astype(np.float64), joints], axis=1)
        places.append(forward_kinematics(database.skeleton, root, posed).positions)
    assert np.linalg.norm(places[0] - places[1], axis=-1).max() < 1e-4


def test_costs_keep_their_order_and_blocked_transitions_stay_blocked() -> None:
    costs = np.array([0.0, 0.01, 0.4, 3.0, 3.5, 80.0, REPLAY, REPLAY + 7.0, BLOCKED], np.float32)
    book = cost_book(costs)
    places = nearest_places(book, costs)
    assert (np.diff(book.astype(np.float64)) > 0.0).all()
    assert (np.diff(places.astype(int)) >= 0).all()
    decoded = book[places]
    np.testing.assert_allclose(decoded[:6], costs[:6], rtol=0.02, atol=0.002)
    assert decoded[8] == BLOCKED
    assert (decoded[:8] < BLOCKED).all()
    assert places[6] == places[7] == OPEN_COSTS


def test_only_field_controllers_of_built_in_tasks_fit_into_a_pack() -> None:
    class Other(Direction):
        pass

    trained = controller(Direction(), None)
    nothing: Any = object()
    with pytest.raises(ValueError, match="controller: expected one trained by the field method, got a object"):
        pack_bytes(nothing)
    with pytest.raises(ValueError, match="task: expected a built-in one, got Other"):
        pack_bytes(type(trained)(trained.field, Other(speed=1.0), *list(vars(trained).values())[2:6]))
