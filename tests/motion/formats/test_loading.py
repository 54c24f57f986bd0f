from __future__ import annotations

import contextlib
import re
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

import motionfields as mf
from motionfields.motion.clip import Clip, trim
from motionfields.motion.formats.guessing import UNITS
from motionfields.motion.formats.loading import clip_from_bytes, iter_files
from motionfields.motion.formats.options import LoadOptions
from tests.conftest import LONG

CMU_UNIT = 0.0254 / 0.45


@pytest.fixture
def takes(tmp_path: Path, wobble: Clip) -> Path:
    for number in (1, 2, 10):
        (tmp_path / "sub").mkdir(exist_ok=True)
        mf.save_clip(wobble, tmp_path / "sub" / f"take{number}.bvh")
    (tmp_path / "notes.txt").write_text("not motion")
    return tmp_path


def test_a_saved_clip_comes_back(tmp_path: Path, wobble: Clip) -> None:
    for unit in UNITS:
        mf.save_clip(wobble, tmp_path / "x.bvh", unit=unit, order="YXZ")
        clip = mf.load_clip(tmp_path / "x.bvh")
        assert clip.name == "x"
        np.testing.assert_allclose(clip.world().positions, wobble.world().positions, atol=1e-4)
        assert clip.report is not None
        assert clip.report.scale.value == pytest.approx(UNITS[unit])
        assert clip.report.scale.given is False
        assert len(clip.report.sha256) == 64


def test_what_is_given_is_not_guessed(tmp_path: Path, wobble: Clip) -> None:
    mf.save_clip(wobble, tmp_path / "x.bvh")
    clip = mf.load_clip(tmp_path / "x.bvh", scale=0.02, up="+y", facing="+z", rest_frames=3, frame_rate=25.0)
    assert clip.frame_count == 117
    assert clip.frame_rate == pytest.approx(25.0)
    np.testing.assert_allclose(clip.root_position, 2.0 * wobble.root_position[3:], atol=1e-6)
    report = clip.report
    assert report is not None
    assert all(f.given for f in (report.scale, report.up, report.facing, report.rest_frames, report.frame_rate))
    assert report.as_json()["scale"] == {"value": 0.02, "evidence": "given", "given": True}


@pytest.mark.parametrize("source", ["sub/*.bvh", "sub", ".", "**/*.bvh"])
def test_folders_and_patterns_load_in_natural_order(takes: Path, source: str) -> None:
    assert [clip.name for clip in mf.load_clips(takes / source)] == ["take1", "take2", "take10"]


def test_archives_are_read_in_place(takes: Path, tmp_path: Path) -> None:
    archive = tmp_path / "takes.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in takes.rglob("*.bvh"):
            file.write(path, f"sub/{path.name}")
    assert [clip.name for clip in mf.load_clips(archive)] == ["take1", "take2", "take10"]
    archive.write_bytes(archive.read_bytes()[:-30])
    with pytest.raises(mf.FormatError, match="not a readable zip archive"):
        mf.load_clips(archive)


def test_files_are_what_clips_are_made_of(takes: Path) -> None:
    clips = [clip_from_bytes(file.read(), file.path, scale="cm") for file in iter_files(takes)]
    for clip, expected in zip(clips, mf.load_clips(takes, scale="cm"), strict=True):
        assert clip.report == expected.report
        np.testing.assert_array_equal(clip.rotations, expected.rotations)


def test_an_archive_that_would_burst_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a.bvh", b"0 " * 20_000_000)
    with pytest.raises(mf.FormatError, match="unpacks to 40000000 bytes"):
        mf.load_clips(tmp_path / "bomb.zip")


def test_one_bad_file_raises_or_is_handed_over(takes: Path) -> None:
    (takes / "sub" / "take3.bvh").write_text("HIERARCHY")
    with pytest.raises(mf.BvhError, match=r"take3\.bvh"):
        mf.load_clips(takes)
    errors: list[mf.FormatError] = []
    assert len(mf.load_clips(takes, on_error=errors.append)) == 3
    assert [Path(str(error.path)).name for error in errors] == ["take3.bvh"]


def test_missing_files_and_empty_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(mf.FormatError, match="no such file"):
        mf.load_clip(tmp_path / "none.bvh")
    with pytest.raises(mf.FormatError, match="no such file"):
        mf.load_clips(tmp_path / "none.bvh")
    with pytest.raises(mf.FormatError, match=r"no \.bvh, \.glb, \.gltf or \.fbx file found"):
        mf.load_clips(tmp_path)
    with pytest.raises(mf.FormatError, match=r"no \.bvh, \.glb, \.gltf or \.fbx file found"):
        mf.load_clips(tmp_path / "*.bvh")
    with pytest.raises(mf.FormatError, match="expected a file, got a folder"):
        mf.load_clip(tmp_path)
    with pytest.raises(TypeError, match="sclae"):
        mf.load_clips(tmp_path, sclae=1.0)  # type: ignore[call-arg]
    for wrong in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match="frame_rate: expected a positive number"):
            mf.load_clip(tmp_path, frame_rate=wrong)


def test_files_cannot_be_saved_under_other_names(tmp_path: Path, wobble: Clip) -> None:
    with pytest.raises(mf.FormatError, match=r"ends in \.bvh"):
        mf.save_clip(wobble, tmp_path / "x.fbx")
    with pytest.raises(mf.FormatError, match="cannot be written"):
        mf.save_clip(wobble, tmp_path / "none" / "x.bvh")
    with pytest.raises(ValueError, match="unit: expected one of"):
        mf.save_clip(wobble, tmp_path / "x.bvh", unit="parsec")


def assert_read_as_cmu(clip: Clip) -> bool:
    """Whether the scale guess is right; the axes and the T-pose must be."""
    report = clip.report
    assert report is not None
    assert (report.up.value, report.facing.value) == ("+y", "+z")
    assert int(report.rest_frames.value) >= 1
    return report.scale.value == pytest.approx(CMU_UNIT)


def test_all_captured_files_load_with_the_right_scale_axes_and_t_pose(shared_data: Path) -> None:
    sources = [shared_data / name for name in ("locomotion", "perturbation", "annotated")]
    right = [assert_read_as_cmu(clip) for source in sources for clip in mf.iter_clips(source)]
    assert len(right) == 149
    assert np.mean(right) >= 0.98


@pytest.mark.slow
def test_the_large_archive_loads_with_the_right_scale_axes_and_t_pose(shared_data: Path, tmp_path: Path) -> None:
    archive, right, warned = shared_data / "large.zip", [], 0
    if not LONG:  # every tenth recording
        with zipfile.ZipFile(archive) as large, zipfile.ZipFile(tmp_path / "some.zip", "w") as some:
            recordings = [name for name in large.namelist() if name.endswith(".bvh")]
            for name in recordings[::10]:
                some.writestr(name, large.read(name))
        archive = tmp_path / "some.zip"
    for clip in mf.iter_clips(archive):
        right.append(assert_read_as_cmu(clip))
        warned += bool(clip.report and clip.report.warnings)
    assert len(right) == (1001 if LONG else 101)
    assert np.mean(right) >= 0.98
    assert warned <= 0.01 * len(right)


def test_dropping_the_t_pose_leaves_nothing_to_drop(locomotion: list[Path], tmp_path: Path) -> None:
    for path in locomotion:
        mf.save_clip(mf.load_clip(path), tmp_path / path.name)
        report = mf.load_clip(tmp_path / path.name).report
        assert report is not None
        assert report.rest_frames.value == 0


def test_captured_walks_survive_a_round_trip_within_a_tenth_of_a_millimetre(
    locomotion: list[Path], tmp_path: Path
) -> None:
    for path in locomotion:
        clip = mf.load_clip(path)
        mf.save_clip(clip, tmp_path / "x.bvh")
        again = mf.load_clip(tmp_path / "x.bvh")
        np.testing.assert_allclose(again.world().positions, clip.world().positions, atol=1e-4)


def with_false_directory(data: bytes) -> bytes:
    """A zip archive whose directory claims that every member has shrunk to a hundredth of its size."""
    changed = bytearray(data)
    for entry in re.finditer(b"PK\x01\x02", data):
        (size,) = struct.unpack_from("<I", data, entry.start() + 24)
        struct.pack_into("<I", changed, entry.start() + 20, size // 100)
    return bytes(changed)


def test_a_directory_that_claims_more_packed_bytes_than_there_are_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a.bvh", b"0 " * 20_000_000)
    path.write_bytes(with_false_directory(path.read_bytes()))
    with pytest.raises(mf.FormatError, match=r"a\.bvh overlaps the next member"):
        mf.load_clips(path)


def test_many_small_bombs_are_refused_like_one_large(tmp_path: Path) -> None:
    path = tmp_path / "bombs.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for number in range(20):
            file.writestr(f"{number}.bvh", b"0 " * 1_000_000)
    errors: list[mf.FormatError] = []
    mf.load_clips(path, on_error=errors.append)
    assert len(errors) == 20
    assert sum("unpacks to 2000000 bytes" in str(error) for error in errors) >= 15


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_any_damage_to_an_archive_is_a_format_error(
    method: int, tmp_path: Path, wobble: Clip, rng: np.random.Generator
) -> None:
    mf.save_clip(trim(wobble, 0, 3), tmp_path / "x.bvh")
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", method) as file:
        file.write(tmp_path / "x.bvh", "a/x.bvh")
        file.write(tmp_path / "x.bvh", "\u00fc.bvh")
    whole = path.read_bytes()
    for trial in range(300):
        data = bytearray(whole)
        low = max(0, len(data) - 300) if trial % 3 else 0
        for _ in range(int(rng.integers(1, 5))):
            data[int(rng.integers(low, len(data)))] = int(rng.choice([0, 255, int(rng.integers(256))]))
        path.write_bytes(data)
        with contextlib.suppress(mf.FormatError):
            mf.load_clips(path)


def test_what_macs_leave_in_archives_and_folders_is_skipped(takes: Path, tmp_path: Path) -> None:
    archive = tmp_path / "mac.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.write(takes / "sub" / "take1.bvh", "take1.bvh")
        file.writestr("__MACOSX/._take1.bvh", b"\0\5\x16\7")
        file.writestr("__MACOSX/take1.bvh", b"\0\5\x16\7")
        file.writestr("sub/._take1.bvh", b"\0\5\x16\7")
    assert [clip.name for clip in mf.load_clips(archive)] == ["take1"]
    (takes / "sub" / "._take1.bvh").write_bytes(b"\0\5\x16\7")
    (takes / "__MACOSX").mkdir()
    (takes / "__MACOSX" / "take1.bvh").write_bytes(b"\0\5\x16\7")
    assert len(mf.load_clips(takes)) == 3


def test_names_with_odd_or_endless_digits_are_sorted(tmp_path: Path, wobble: Clip) -> None:
    mf.save_clip(trim(wobble, 0, 3), tmp_path / "x.bvh")
    names = ["\u00b2.bvh", "a" + "1" * 5000 + ".bvh", "a2.bvh"]
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as file:
        for name in names:
            file.write(tmp_path / "x.bvh", name)
    assert [clip.name for clip in mf.load_clips(tmp_path / "x.zip")] == ["a2", "a" + "1" * 5000, "\u00b2"]


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"up": "y"}, "up: expected one of .x, -x, .y, -y, .z, -z, got 'y'"),
        ({"facing": "forwards"}, "facing: expected one of"),
        ({"up": "+y", "facing": "-y"}, "facing: expected an axis perpendicular to up"),
        ({"scale": "banana"}, "scale: expected metres per unit or one of m, cm, mm, inch, foot, cmu, got 'banana'"),
        ({"scale": 1e300}, "scale: expected .* metres per unit"),
        ({"frame_rate": 1e9}, "frame_rate: expected a positive number .* up to 1e"),
    ],
)
def test_what_is_given_is_checked_before_a_file_is_read(given: LoadOptions, reason: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=reason):
        mf.load_clip(tmp_path / "none.bvh", **given)


def test_dropping_all_frames_as_rest_is_refused(takes: Path) -> None:
    with pytest.raises(mf.FormatError, match="rest_frames: expected fewer than the file's 120 frames, got 120"):
        mf.load_clip(takes / "sub" / "take1.bvh", rest_frames=120)


def test_names_that_the_system_cannot_look_up_are_refused(tmp_path: Path) -> None:
    with pytest.raises(mf.FormatError, match="cannot be read"):
        mf.load_clips(tmp_path / ("n" * 300 + ".bvh"))
