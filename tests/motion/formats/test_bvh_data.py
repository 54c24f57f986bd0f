"""The BVH reader on real motion capture and on the collection of hostile files."""

from __future__ import annotations

import csv
import json
import time
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest

from motionfields.base.errors import BvhError
from motionfields.motion.formats.bvh import BvhMotion, read_bvh

# What expected.csv calls valid, with what must come back: joints, frames, tips.
VALID = {
    "minimal": (3, 4, 2),
    "only_root": (1, 4, 1),
    "root_rotation_only": (3, 4, 2),
    "leaf_without_end_site": (3, 4, 1),
    "crlf": (3, 4, 2),
    "utf8_bom": (3, 4, 2),
    "tabs": (3, 4, 2),
    "trailing_whitespace": (3, 4, 2),
    "no_final_newline": (3, 4, 2),
    "brace_same_line": (3, 4, 2),
    "six_channel_joints": (3, 4, 2),
    "mixed_rotation_orders": (3, 4, 2),
    "scientific_notation": (3, 4, 2),
    "zero_length_bones": (3, 4, 0),
    "unicode_names": (3, 4, 2),
    "zero_frames": (3, 0, 2),
    "deep_5000": (5000, 2, 1),
}
INVALID = (
    "empty binary_garbage utf16 truncated_header truncated_last_row missing_motion missing_frame_time "
    "nan_values inf_values too_few_rows too_many_rows huge_frame_count negative_frame_count zero_frame_time "
    "negative_frame_time row_wrong_width duplicate_joint_names missing_channels channel_count_mismatch "
    "unknown_channel comma_decimals comments unbalanced_braces"
)
SAME_AS_MINIMAL = "crlf utf8_bom tabs trailing_whitespace no_final_newline brace_same_line scientific_notation"


def read(path: Path) -> BvhMotion:
    return read_bvh(path.read_bytes(), path=str(path))


def test_the_list_of_hostile_files_is_the_one_tried_here(shared_data: Path) -> None:
    with (shared_data / "hostile" / "expected.csv").open(encoding="utf-8") as file:
        expected = {row["file"].removesuffix(".bvh"): row["expected"] for row in csv.DictReader(file)}
    assert expected == dict.fromkeys(VALID, "valid") | dict.fromkeys(INVALID.split(), "invalid")
    assert len(expected) == 40


@pytest.mark.parametrize("name", VALID)
def test_a_valid_hostile_file_is_read(shared_data: Path, name: str) -> None:
    joint_count, frame_count, tip_count = VALID[name]
    motion = read(shared_data / "hostile" / f"{name}.bvh")
    assert (len(motion.names), motion.frame_count, len(motion.tip_joints)) == (
        joint_count,
        frame_count,
        tip_count,
    )
    assert motion.rotations.shape == (frame_count, joint_count, 4)
    np.testing.assert_allclose(np.linalg.norm(motion.rotations, axis=-1), 1.0, rtol=0.0, atol=1e-14)
    assert motion.notes == ()


@pytest.mark.parametrize("name", SAME_AS_MINIMAL.split())
def test_layout_changes_nothing(shared_data: Path, name: str) -> None:
    minimal, motion = (
        read(shared_data / "hostile" / "minimal.bvh"),
        read(shared_data / "hostile" / f"{name}.bvh"),
    )
    assert motion.names == minimal.names
    for array in ("parents", "offsets", "tip_joints", "tip_offsets", "root_position", "rotations"):
        np.testing.assert_array_equal(getattr(motion, array), getattr(minimal, array))


@pytest.mark.parametrize("name", INVALID.split())
def test_an_invalid_hostile_file_is_refused_at_once(shared_data: Path, name: str) -> None:
    path = shared_data / "hostile" / f"{name}.bvh"
    seconds = []
    for _ in range(3):  # the first one may compile, and any of them may have to wait for the machine
        start = time.perf_counter()
        with pytest.raises(BvhError) as caught:
            read(path)
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < 5.0
    assert caught.value.path == str(path)
    assert caught.value.line is not None


@pytest.mark.parametrize(("folder", "file_count"), [("locomotion", 15), ("perturbation", 93), ("annotated", 41)])
def test_all_recordings_are_read(shared_data: Path, folder: str, file_count: int) -> None:
    manifest = json.loads((shared_data / "manifest.json").read_text(encoding="utf-8"))
    frame_counts = {entry["file"]: entry["frames"] for entry in manifest}
    paths = sorted((shared_data / folder).rglob("*.bvh"))
    assert len(paths) == file_count
    for path in paths:
        motion = read(path)
        assert motion.rotations.shape == (frame_counts[path.relative_to(shared_data).as_posix()], 31, 4)
        assert motion.rotation_orders == ("ZYX",) * 31
        assert motion.notes == ()


@pytest.mark.slow
def test_all_recordings_of_the_large_set_are_read(shared_data: Path) -> None:
    with zipfile.ZipFile(shared_data / "large.zip") as archive:
        names = [name for name in archive.namelist() if name.endswith(".bvh")]
        motions = [read_bvh(archive.read(name), path=name).rotations.shape for name in names]
    assert len(motions) == 1001
    assert sum(shape[0] for shape in motions) == 295_371
    assert {shape[1:] for shape in motions} == {(31, 4)}


@pytest.mark.slow
def test_bvhio_reads_the_same_recording(shared_data: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it imports a name that its own dependency deprecates
        import bvhio
    path = shared_data / "locomotion" / "69_31.bvh"
    ours, theirs = read(path), bvhio.readAsBvh(str(path))
    for joint, (node, _, _) in enumerate(theirs.Root.layout()):
        assert node.Name == ours.names[joint]
        turns = [frame.Rotation for frame in node.Keyframes]
        dots = np.sum(np.array([[q.w, q.x, q.y, q.z] for q in turns]) * ours.rotations[:, joint], axis=-1)
        np.testing.assert_allclose(np.abs(dots), 1.0, rtol=0.0, atol=1e-5)
    places = np.array([list(frame.Position) for frame in theirs.Root.Keyframes])
    np.testing.assert_allclose(places, ours.root_position, atol=1e-4)
