"""Clips of other bodies come to one skeleton and stand on one floor."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionfields as mf
from motionfields.field.database.bodies import Bodies, Change, change_lines, mean_skate, onto_one_body
from motionfields.motion.clip import Clip
from motionfields.motion.retargeting import standing_height
from motionfields.motion.samples import generate_samples


@pytest.fixture(scope="module")
def walk() -> Clip:
    return generate_samples(frame_rate=30.0, only=["walk_forward"])[0].clip


def raised(clip: Clip, height: float) -> Clip:
    return replace(clip, root_position=clip.root_position + np.array([0.0, height, 0.0]))


def test_a_floor_is_where_the_feet_stand(walk: Clip) -> None:
    height = standing_height(walk)
    assert height is not None
    assert 0.0 < height < 0.1
    assert standing_height(raised(walk, 0.3)) == pytest.approx(height + 0.3)
    assert standing_height(replace(walk, root_position=walk.root_position * [1.0, 1.0, 9.0])) is None


def test_stairs_count_as_the_ground_below_them(walk: Clip) -> None:
    """Half of the way is on the floor, the other half on a step."""
    step = np.zeros_like(walk.root_position)
    step[walk.frame_count // 2 :, 1] = 0.02
    climbed = standing_height(replace(walk, root_position=walk.root_position + step))
    assert climbed == pytest.approx(standing_height(walk), abs=0.003)


def test_all_clips_of_a_body_are_raised_by_one_height(walk: Clip) -> None:
    other = mf.rescale(walk, 1.25)
    low, high = raised(other, -0.05), raised(other, -0.03)
    jump = raised(other, 0.4)
    clips, changes = onto_one_body([low, walk, high, jump], walk)
    assert clips[1] is walk
    assert [change.scale for change in changes] == pytest.approx([0.8] * 3)
    np.testing.assert_allclose([change.lift for change in changes], 0.8 * 0.03, atol=1e-4)  # by the median
    ground = standing_height(walk)
    assert ground is not None
    for clip, height in zip((clips[0], clips[2], clips[3]), (-0.02, 0.0, 0.43), strict=True):
        assert standing_height(clip) == pytest.approx(ground + 0.8 * height, abs=2e-3)


def test_no_floor_is_changed_where_nobody_stands(walk: Clip) -> None:
    hovering = replace(walk, root_position=walk.root_position * [1.0, 1.0, 9.0])
    bodies = Bodies(hovering)
    assert bodies.survey(mf.rescale(raised(walk, 0.1), 1.2)) == 1
    assert bodies.lift(1) == 0.0


def test_lines_tell_of_bodies_and_weigh_skate_by_time() -> None:
    first = Change("a", "CMU", 31, 0, 0, 0.9, 0.02, 0.03, 0.04, 9.0)
    second = first._replace(name="b", skate_before=0.01, skate_after=0.02, contact_seconds=1.0)
    other = first._replace(name="c", rig=None, scale=1.1)
    assert mean_skate([first, second]) == pytest.approx((0.028, 0.038))
    assert mean_skate([]) == (0.0, 0.0)
    lines = change_lines([first, other, second])
    assert lines == [
        "retargeted a and 1 more: CMU, 31 joints mapped, 0 dropped, 0 left at rest, scale 0.900, raised 2.0 cm, "
        "foot skate 2.8 cm/s before, 3.8 after",
        "retargeted c: unknown rig, 31 joints mapped, 0 dropped, 0 left at rest, scale 1.100, raised 2.0 cm, "
        "foot skate 3.0 cm/s before, 4.0 after",
        "retargeted 3 clips of 2 bodies: foot skate 2.89 cm/s before, 3.89 after",
    ]


def test_captured_floors_come_together(shared_data: Path, tmp_path: Path) -> None:
    """Subject 83 was captured with its floor 7 cm too high, subject 111 with feet that sink into it."""
    target = mf.load_clip(shared_data / "locomotion" / "69_01.bvh")
    with zipfile.ZipFile(shared_data / "large.zip") as archive:
        archive.extractall(tmp_path, [f"large/{name}.bvh" for name in ("083/83_01", "083/83_18", "111/111_01")])
    moved, changes = onto_one_body(mf.load_clips(tmp_path), target)
    assert len(moved) == 3
    heights = [standing_height(clip) or 0.0 for clip in (target, *moved)]
    assert max(change.lift for change in changes) - min(change.lift for change in changes) > 0.03
    np.testing.assert_allclose(heights[1:], heights[0], atol=0.02)
