"""Clips on another skeleton, planted, with the report of what became of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from motionfields.motion import quality
from motionfields.motion.clip import Clip, rescale, retarget, trim
from motionfields.motion.contacts import detect_contacts
from motionfields.motion.formats import load_clip
from motionfields.motion.retargeting import retarget_with_report
from motionfields.motion.samples import generate_samples


@pytest.fixture(scope="module")
def walk() -> Clip:
    return generate_samples(frame_rate=30.0, only=["walk_forward"])[0].clip


def test_on_its_own_skeleton_nothing_moves_and_the_report_says_so(walk: Clip) -> None:
    moved, report = retarget_with_report(walk, walk.skeleton, plant=False)
    np.testing.assert_allclose(moved.world().positions, walk.world().positions, atol=1e-6)
    assert report.pairs == tuple((name, name) for name in walk.skeleton.names)
    assert (report.dropped, report.at_rest, report.planted) == ((), (), None)
    assert report.scale == pytest.approx(1.0)
    assert report.fitted.p95 < 1e-6
    assert report.skate_after.mean == pytest.approx(report.skate_before.mean, abs=1e-6)


def test_the_report_counts_scale_shift_and_skate(walk: Clip) -> None:
    names = tuple("Tail" if name == "Spine2" else name for name in walk.skeleton.names)
    target = replace(rescale(walk, 1.2).skeleton, names=names)
    offsets = target.offsets.copy()
    offsets[[target.index(side) for side in ("LeftUpLeg", "RightUpLeg")], 0] *= 1.5  # wider hips
    moved, report = retarget_with_report(walk, replace(target, offsets=offsets), plant=False)
    assert report.scale == pytest.approx(1.2)
    assert (report.dropped, report.at_rest) == (("Spine2",), ("Tail",))
    widened = np.abs(offsets - target.offsets).max()
    assert report.fitted.mean == pytest.approx(widened, rel=0.05)
    contacts = detect_contacts(walk)
    assert report.skate_before == quality.foot_skate(walk, contacts)
    assert report.skate_after == quality.foot_skate(moved, contacts)
    assert report.skate_after.mean == pytest.approx(1.2 * report.skate_before.mean, rel=0.05)
    text = "\n".join(report.lines())
    for words in ("scale 1.200", "mapped: 21 joints, 21 of them with equal names", "dropped: Spine2", "at rest: Tail"):
        assert words in text
    assert "planting" not in text


def test_planting_takes_the_skate_away(walk: Clip) -> None:
    sliding = replace(walk, root_position=walk.root_position + 0.04 * np.arange(walk.frame_count)[:, None] / 30.0)
    moved, report = retarget_with_report(sliding, rescale(walk, 0.9).skeleton)
    assert report.planted is not None
    assert report.planted.mean > 0.0
    assert report.skate_after.mean < 0.2 * report.skate_before.mean
    assert report.skate_after == quality.foot_skate(moved, detect_contacts(sliding))
    assert "by foot locking" in "\n".join(report.lines())


@pytest.mark.parametrize("frame_count", [0, 1, 3])
def test_a_clip_in_which_no_foot_is_known_to_stand_is_not_planted(walk: Clip, frame_count: int) -> None:
    high = replace(walk, root_position=walk.root_position * np.array([1.0, 1.0, 9.0]))
    moved, report = retarget_with_report(trim(high, 5, 5 + frame_count), walk.skeleton)
    assert report.planted is None
    assert moved.frame_count == frame_count


# Of the shortest and longest legs, of short and long trunks and of long arms for their legs.
SUBJECTS = ["091/91_43", "144/144_04", "111/111_30", "041/41_02", "086/86_01"]


@pytest.mark.parametrize("name", SUBJECTS)
def test_feet_of_very_different_people_slide_no_more_on_another_body(
    name: str, shared_data: Path, tmp_path: Path
) -> None:
    archive = shared_data / "large.zip"
    if not archive.is_file():
        pytest.skip(f"no {archive}; set MOTIONFIELDS_DATA to a folder that has it")
    with ZipFile(archive) as members:
        (tmp_path / "take.bvh").write_bytes(members.read(f"large/{name}.bvh"))
    clip = load_clip(tmp_path / "take.bvh")
    own = load_clip(shared_data / "locomotion" / "69_05.bvh")
    report = retarget_with_report(clip, own.skeleton).report
    fitted = retarget(clip, own.skeleton)
    skate = quality.foot_skate(fitted, detect_contacts(clip))
    assert len(report.pairs) == clip.skeleton.joint_count
    assert skate.mean < 1.5 * report.skate_before.mean
    assert report.skate_after.mean < 0.5 * report.skate_before.mean
    assert report.fitted.p95 < 0.15
