"""The interface of the C runtime: compilers agree, calls are checked, characters can be saved, packs are checked."""

from __future__ import annotations

import ctypes
import struct
import subprocess
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scripts.build_native import compilers
from scripts.native import SOURCE, NativeCrowd, aligned, build, open_status, random_commands

from motionfields.control.root_motion import Warp
from motionfields.control.tasks import Direction, Lane, Navigation
from motionfields.export import pack_bytes
from motionfields.export.pack import ENTRY, HEADER
from tests.native.crowds import COMPILER_MISSING, controller, native_twin

COUNT = 6
OK, NOT_A_PACK, NEWER, CUT_SHORT, DAMAGED, UNALIGNED, INVALID, _, TOO_SMALL, OUT_OF_RANGE, OTHER_PACK = range(11)


@pytest.fixture(scope="module")
def data() -> bytes:
    return pack_bytes(controller(Direction(), Warp()), exact=True)


def characters(library: Any, data: bytes, count: int = COUNT) -> NativeCrowd:
    return NativeCrowd(
        library, data, count, joint_count=controller(Direction(), Warp()).field.database.skeleton.joint_count
    )


def repacked(data: bytes, edit: Any) -> bytes:
    """The pack `data` after `edit(body)` has changed all but its header, with the right checksum."""
    body = bytearray(data[HEADER.size :])
    edit(body)
    magic, version, count, _, _ = HEADER.unpack(data[: HEADER.size])
    return HEADER.pack(magic, version, count, HEADER.size + len(body), zlib.crc32(body)) + bytes(body)


def section(data: bytes, name: str) -> tuple[int, int, int]:
    """Place in the table, first byte and size of a section of `data`."""
    for k in range(HEADER.unpack(data[: HEADER.size])[2]):
        at = HEADER.size + k * ENTRY.size
        found, _, _, place, size, _ = ENTRY.unpack(data[at : at + ENTRY.size])
        if found.rstrip(b"\0").decode() == name:
            return at, place, size
    raise KeyError(name)


def test_the_bundled_functions_are_exact_to_the_last_places(tmp_path: Path) -> None:
    if not (found := compilers()):
        pytest.skip(COMPILER_MISSING)
    program = tmp_path / "check_math"
    source = SOURCE / "tools" / "check_math.c"
    subprocess.run([*next(iter(found.values())), "-std=c99", "-O1", str(source), "-o", str(program), "-lm"], check=True)
    said = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    worst = {name: float(number) for name, number in (line.split() for line in said.splitlines())}
    assert worst.pop("ends") == 1
    assert worst.pop("tanh") <= 2.0
    assert len(worst) == 5
    assert max(worst.values()) <= 1.0


def test_every_compiler_and_setting_gives_the_same_digest(tmp_path: Path, data: bytes) -> None:
    if not (found := compilers()):
        pytest.skip(COMPILER_MISSING)
    pack = tmp_path / "walker.mfpack"
    pack.write_bytes(data)
    builds = [(name, options) for name in found for options in (("-O0",), ("-O3", "-march=native"))][:4]
    digests = {}
    for name, options in builds:
        program = tmp_path / f"digest-{name}{options[0]}"
        source = SOURCE / "tools" / "digest.c"
        build(program, compiler=found[name], options=options, program=source)
        run = subprocess.run([str(program), str(pack), "8", "90"], capture_output=True, text=True, check=True)
        digests[name, options] = run.stdout.strip()
    assert len(set(digests.values())) == 1, digests


def test_a_soak_finds_every_number_finite_and_memory_that_does_not_grow(tmp_path: Path, data: bytes) -> None:
    if not (found := compilers()):
        pytest.skip(COMPILER_MISSING)
    pack = tmp_path / "walker.mfpack"
    pack.write_bytes(data)
    program = build(tmp_path / "soak", compiler=next(iter(found.values())), program=SOURCE / "tools" / "soak.c")
    said = subprocess.run([str(program), str(pack), "8", "90"], capture_output=True, text=True, check=True).stdout
    assert [line.split(":")[0] for line in said.splitlines()[:2]] == ["frame 50", "frame 90"]
    assert said.splitlines()[2].startswith("720 characters times frames, every number finite")


def test_a_character_moves_the_same_in_any_crowd_and_range(library: Any, data: bytes) -> None:
    many, alone = characters(library, data), characters(library, data, 1)
    alone.load(0, many.save(4))
    commands = random_commands(Direction(), 40, COUNT)
    for given in commands:
        for first, count in ((3, 3), (0, 3)):
            assert library.mf_crowd_step(many.crowd, given.ctypes.data, first, count) == OK
        library.mf_crowd_end_frame(many.crowd)
        alone.step(np.ascontiguousarray(given[4:5]))
    np.testing.assert_array_equal(alone.rotations[0], many.rotations[4])
    np.testing.assert_array_equal(alone.root[0], many.root[4])


def test_a_saved_character_comes_back_with_the_same_bits(library: Any, data: bytes) -> None:
    crowd = characters(library, data)
    commands = random_commands(Direction(), 60, COUNT)
    for given in commands[:30]:
        crowd.step(given)
    kept = [crowd.save(i) for i in range(COUNT)]
    runs = []
    for _ in range(2):
        for i in range(COUNT):
            crowd.load(i, kept[i])
        for given in commands[30:]:
            crowd.step(given)
        runs.append(crowd.rotations.copy())
    np.testing.assert_array_equal(runs[0], runs[1])


def test_bytes_that_are_no_saved_character_are_refused(library: Any, data: bytes) -> None:
    crowd = characters(library, data)
    kept = crowd.save(0)

    def status(changed: bytes) -> int:
        return int(library.mf_character_load(crowd.crowd, 0, changed, len(changed)))

    def resealed(at: int, number: int) -> bytes:
        changed = kept[:at] + struct.pack("<I", number) + kept[at + 4 : -8]
        return changed + struct.pack("<Q", zlib.crc32(changed))

    assert status(kept) == OK
    assert status(kept[:-1]) == CUT_SHORT
    assert status(kept[:40] + bytes([kept[40] ^ 1]) + kept[41:]) == DAMAGED
    assert status(resealed(0, 1)) == OTHER_PACK
    assert status(resealed(4, 10**9)) == INVALID  # state
    assert status(resealed(8, 2)) == INVALID  # variant
    assert status(resealed(12, 0)) == INVALID  # frames between decisions
    other = characters(library, pack_bytes(controller(Direction(), None), exact=True))
    assert library.mf_character_load(other.crowd, 0, kept, len(kept)) == OTHER_PACK


def test_absurd_saved_numbers_start_a_character_again(library: Any, data: bytes) -> None:
    crowd = characters(library, data)
    kept = bytearray(crowd.save(2))
    yaw = 24 + 80 + 16  # after six integers, the remembered states and the position
    kept[yaw : yaw + 8] = struct.pack("<d", float("nan"))
    kept[-8:] = struct.pack("<Q", zlib.crc32(kept[:-8]))
    crowd.load(2, bytes(kept))
    crowd.step(np.zeros((COUNT, 1)))
    assert np.isfinite(crowd.rotations).all()
    assert np.isfinite(crowd.root).all()


def test_wrong_calls_get_a_status_and_change_nothing(library: Any, data: bytes) -> None:
    crowd = characters(library, data)
    before = crowd.memory.copy()
    commands = np.zeros((COUNT, 1))
    for bad in (np.nan, np.inf, 1e13):
        commands[3] = bad
        assert library.mf_crowd_step(crowd.crowd, commands.ctypes.data, 0, COUNT) == OUT_OF_RANGE
    assert library.mf_crowd_step(crowd.crowd, commands.ctypes.data, 4, 3) == OUT_OF_RANGE
    assert library.mf_crowd_step(crowd.crowd, commands.ctypes.data, 7, 0) == OUT_OF_RANGE
    assert library.mf_crowd_start(crowd.crowd, 0, 10**6) == OUT_OF_RANGE
    assert library.mf_crowd_start(crowd.crowd, COUNT, 0) == OUT_OF_RANGE
    assert library.mf_crowd_place(crowd.crowd, 0, float("nan"), 0.0, 0.0) == OUT_OF_RANGE
    assert library.mf_crowd_detail(crowd.crowd, 0, 0, 1) == OUT_OF_RANGE
    assert library.mf_crowd_root(crowd.crowd, COUNT) is None
    np.testing.assert_array_equal(crowd.memory, before)
    small = ctypes.create_string_buffer(1024)
    assert library.mf_crowd_init(small, crowd.pack, crowd.memory.ctypes.data, 100, COUNT) == TOO_SMALL
    assert library.mf_crowd_init(small, crowd.pack, crowd.memory.ctypes.data + 4, 10**6, 1) == UNALIGNED


def test_poses_in_single_precision_have_the_order_of_engines(library: Any, data: bytes) -> None:
    crowd = characters(library, data)
    joints = crowd.rotations.shape[1]
    root, rotations = (ctypes.c_float * 3)(), (ctypes.c_float * (4 * joints))()
    assert library.mf_crowd_pose(crowd.crowd, 1, root, rotations) == OK
    np.testing.assert_array_equal(np.array(root), crowd.root[1].astype(np.float32))
    wxyz = np.roll(np.array(rotations).reshape(joints, 4), 1, axis=1)
    np.testing.assert_array_equal(wxyz, crowd.rotations[1].astype(np.float32))


@pytest.mark.parametrize("task", [Direction(), Lane(), Navigation(gait_count=2)], ids=lambda task: type(task).__name__)
def test_a_pack_names_its_commands_and_joints(library: Any, task: Any) -> None:
    trained = controller(task, None)
    skeleton = trained.field.database.skeleton
    crowd = NativeCrowd(library, pack_bytes(trained, exact=True), 1, joint_count=skeleton.joint_count)
    names = tuple(library.mf_command_name(crowd.pack, k).decode() for k in range(crowd.columns))
    assert names == trained.task.command_names
    assert library.mf_command_name(crowd.pack, crowd.columns) is None
    joints = tuple(library.mf_joint_name(crowd.pack, k).decode() for k in range(skeleton.joint_count))
    assert joints == skeleton.names
    assert library.mf_joint_name(crowd.pack, skeleton.joint_count) is None


def test_files_that_are_no_valid_pack_are_refused(library: Any, data: bytes) -> None:
    assert open_status(library, data) == OK
    assert open_status(library, b"") == NOT_A_PACK
    assert open_status(library, b"PK\3\4" + data[4:]) == NOT_A_PACK
    assert open_status(library, data[:8] + struct.pack("<I", 2) + data[12:]) == NEWER
    assert open_status(library, data[:-64]) == CUT_SHORT
    assert open_status(library, data + bytes(64)) == CUT_SHORT
    assert open_status(library, data[:-1000] + b"\7" + data[-999:]) == DAMAGED
    content = aligned(len(data) + 8)
    content[4 : 4 + len(data)] = np.frombuffer(data, np.uint8)
    pack = ctypes.create_string_buffer(1024)
    assert library.mf_pack_open(pack, content.ctypes.data + 4, len(data), 0) == UNALIGNED


def test_unknown_sections_are_skipped_and_missing_ones_refused(library: Any, data: bytes) -> None:
    at, _, _ = section(data, "names")

    def rename(body: bytearray, name: bytes) -> None:
        body[at - HEADER.size : at - HEADER.size + 16] = name.ljust(16, b"\0")

    assert open_status(library, repacked(data, lambda body: rename(body, b"other"))) == INVALID
    labels, _, _ = section(pack_bytes(controller(Navigation(), None), exact=True), "labels")
    whole = pack_bytes(controller(Navigation(), None), exact=True)
    unknown = bytearray(whole[HEADER.size :])
    unknown[labels - HEADER.size : labels - HEADER.size + 16] = b"later".ljust(16, b"\0")
    assert open_status(library, repacked(whole, lambda body: body.__setitem__(slice(None), unknown))) == OK


@pytest.mark.parametrize(
    ("name", "number", "kind"),
    [
        ("targets", -1, "<i"),
        ("targets", 10**6, "<i"),
        ("frames_left", 10**6, "<i"),
        ("frames_left", -1, "<i"),
        ("starts", 10**6, "<i"),
        ("parents", 0, "<i"),
        ("paths", 3, "<i"),
        ("grid_guesses", 500, "<i"),
        ("grid_steps", 0, "<i"),
        ("grid_counts", 1, "<i"),
        ("grid_nodes", 4.0, "<d"),
        ("root_tilt", float("nan"), "<f"),
        ("root_height", float("inf"), "<f"),
        ("joint_rotations", 7.0, "<f"),
        ("values", float("nan"), "<f"),
        ("costs", float("inf"), "<f"),
        ("votes", 1.5, "<d"),
        ("outlines", float("nan"), "<d"),
        ("offsets", 1e300, "<d"),
        ("info", 0, "<i"),
    ],
)
def test_numbers_that_no_controller_has_are_refused(
    library: Any, data: bytes, name: str, number: float, kind: str
) -> None:
    _, place, _ = section(data, name)
    written = struct.pack(kind, number)
    start = place - HEADER.size
    changed = repacked(data, lambda body: body.__setitem__(slice(start, start + len(written)), written))
    assert open_status(library, changed) == INVALID


def test_every_field_of_the_info_is_checked(library: Any, data: bytes) -> None:
    _, place, size = section(data, "info")
    integers, start = 24, place - HEADER.size
    for k in range(integers - 2):  # the last two are reserved
        huge = struct.pack("<I", 0xFFFFFFFF)
        changed = repacked(
            data, lambda body, k=k, huge=huge: body.__setitem__(slice(start + 4 * k, start + 4 * k + 4), huge)
        )
        assert open_status(library, changed) in ((INVALID, OK) if integers - 4 <= k else (INVALID,)), k
    for k in range((size - 4 * integers) // 8):
        spot = start + 4 * integers + 8 * k
        nan = struct.pack("<d", float("nan"))
        changed = repacked(data, lambda body, spot=spot, nan=nan: body.__setitem__(slice(spot, spot + 8), nan))
        assert open_status(library, changed) == INVALID, k


def test_trusted_packs_open_without_a_look_at_their_tables(library: Any, data: bytes) -> None:
    _, place, _ = section(data, "values")
    changed = data[:place] + struct.pack("<f", float("nan")) + data[place + 4 :]
    assert open_status(library, changed) == DAMAGED
    assert open_status(library, changed, flags=1) == OK


def test_a_compact_pack_leads_the_same_way(library: Any) -> None:
    trained = controller(Direction(), None)
    crowd = trained.crowd(COUNT, seed=3)
    exact = native_twin(library, pack_bytes(trained, exact=True), crowd)
    compact = native_twin(library, pack_bytes(trained), crowd)
    np.testing.assert_allclose(compact.rotations, exact.rotations, atol=1e-4)
    np.testing.assert_array_equal(compact.root, exact.root)
    for commands in random_commands(trained.task, 60, COUNT):
        compact.step(commands)
    np.testing.assert_allclose(np.linalg.norm(compact.rotations, axis=-1), 1.0, atol=1e-12)
