"""Kinds of files that other packages read."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import motionfields as mf
from motionfields.base.errors import FormatError
from motionfields.motion.clip import Clip
from motionfields.motion.formats import FORMATS, read_bvh
from motionfields.motion.formats.loading import SUFFIXES, read_suffixes
from motionfields.motion.samples import generate_samples


def read_own(data: bytes, path: str) -> Clip:
    """BVH after a word of its own."""
    if not data.startswith(b"own "):
        raise ValueError("expected own")
    motion = read_bvh(data[4:], path=path)
    parts = (motion.names, motion.parents, motion.offsets, motion.tip_joints, motion.tip_offsets)
    return Clip(mf.Skeleton(*parts), motion.root_position, motion.rotations, motion.frame_time)


@pytest.fixture
def take(tmp_path: Path) -> Iterator[Path]:
    """A file of a kind that a reader was added for."""
    mf.save_clip(generate_samples(only=["walk_forward"])[0].clip, tmp_path / "walk.bvh")
    (tmp_path / "take.c3d").write_bytes(b"own " + (tmp_path / "walk.bvh").read_bytes())
    FORMATS.add("c3d", read_own)
    yield tmp_path / "take.c3d"
    FORMATS._added.clear()


def test_a_file_of_an_added_kind_is_loaded_as_any_other(take: Path) -> None:
    clip, walk = mf.load_clip(take), mf.load_clip(take.with_name("walk.bvh"))
    assert clip.name == "take"
    np.testing.assert_array_equal(clip.root_position, walk.root_position)
    np.testing.assert_array_equal(clip.rotations, walk.rotations)
    assert clip.report is not None
    assert walk.report is not None
    assert (clip.report.scale, clip.report.up) == (walk.report.scale, walk.report.up)
    assert mf.load_clip(take, frame_rate=30.0).frame_rate == pytest.approx(30.0)


def test_folders_and_archives_are_searched_for_it(take: Path) -> None:
    assert [clip.name for clip in mf.load_clips(take.parent)] == ["take", "walk"]
    with zipfile.ZipFile(take.with_name("takes.zip"), "w") as archive:
        archive.write(take, "take.C3D")
    assert [clip.name for clip in mf.load_clips(take.with_name("takes.zip"))] == ["take"]


def test_a_reader_that_fails_is_a_format_error(take: Path) -> None:
    take.write_bytes(b"other")
    with pytest.raises(FormatError, match=r"take\.c3d: cannot be read: expected own"):
        mf.load_clip(take)
    FORMATS.add("c3d", lambda data, path: None)  # type: ignore[arg-type,return-value]
    with pytest.raises(FormatError, match="its reader returned NoneType, expected a Clip"):
        mf.load_clip(take)


def test_without_a_reader_the_advice_stays(take: Path) -> None:
    FORMATS._added.clear()
    with pytest.raises(FormatError, match="C3D has markers"):
        mf.load_clip(take)


def test_built_in_kinds_stay_and_can_be_loaded_by_name(take: Path) -> None:
    assert read_suffixes() == (*SUFFIXES, ".c3d")
    with pytest.raises(ValueError, match="'bvh' is built in"):
        FORMATS.add("bvh", read_own)
    path = take.with_name("walk.bvh")
    assert FORMATS.load("bvh")(path.read_bytes(), str(path)).frame_count == mf.load_clip(path).frame_count
