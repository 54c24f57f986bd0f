from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionfields.base.geometry import quat_conjugate, quat_identity, quat_multiply, quat_rotate
from motionfields.motion.body import find_body
from motionfields.motion.clip import Clip, change_axes, rescale, trim
from motionfields.motion.clip.place import AXES, axes_rotation
from motionfields.motion.formats import UNITS, load_clip
from motionfields.motion.formats.guessing import (
    guess_facing,
    guess_rest_frames,
    guess_scale,
    guess_up,
    implausible_stature,
)
from motionfields.motion.formats.plausibility import implausible_rate, rate_evidence
from motionfields.motion.skeleton import Skeleton


def in_file_axes(clip: Clip, up: str, facing: str) -> Clip:
    """`clip` as a file with the axes `up` and `facing` would hold it: undoes `change_axes`."""
    theirs_from_ours = quat_conjugate(axes_rotation(up=up, facing=facing))
    skeleton = replace(
        clip.skeleton,
        offsets=quat_rotate(theirs_from_ours, clip.skeleton.offsets),
        tip_offsets=quat_rotate(theirs_from_ours, clip.skeleton.tip_offsets),
    )
    turned = quat_multiply(quat_multiply(theirs_from_ours, clip.rotations), quat_conjugate(theirs_from_ours))
    return replace(
        clip, skeleton=skeleton, root_position=quat_rotate(theirs_from_ours, clip.root_position), rotations=turned
    )


@pytest.mark.parametrize("unit", UNITS)
def test_the_unit_that_gives_a_human_stature_is_found(wobble: Clip, unit: str) -> None:
    body = find_body(wobble.skeleton)
    for size in (0.9, 1.0, 1.1):
        finding = guess_scale(rescale(wobble, size / UNITS[unit]), body)
        assert finding.value == UNITS[unit]
        assert f"if the unit is {unit}" in finding.evidence
    assert implausible_stature(wobble, body, 1.0) is None
    assert "implausible for a person" in str(implausible_stature(wobble, body, 3.0))


@pytest.mark.parametrize(("up", "facing"), [(u, f) for u in AXES for f in AXES if u[1] != f[1]])
def test_axes_are_found_from_hips_and_ankles(wobble: Clip, up: str, facing: str) -> None:
    raw = in_file_axes(wobble, up, facing)
    body = find_body(wobble.skeleton)
    assert guess_up(raw, body, 0).value == up
    assert guess_facing(raw, body, up).value == facing
    np.testing.assert_allclose(
        change_axes(raw, up=up, facing=facing).world().positions, wobble.world().positions, atol=1e-9
    )


def test_hips_in_one_place_face_an_axis_perpendicular_to_up(wobble: Clip) -> None:
    body = find_body(wobble.skeleton)
    offsets = wobble.skeleton.offsets.copy()
    offsets[body.left_leg.hip] = offsets[body.right_leg.hip]
    found = guess_facing(replace(wobble, skeleton=replace(wobble.skeleton, offsets=offsets)), body, "-x")
    assert (found.value, found.evidence) == ("+z", "the hips are one above the other; +z assumed")


def test_lying_down_is_not_taken_for_another_axis(wobble: Clip) -> None:
    body = find_body(wobble.skeleton)
    lying = wobble.rotations.copy()
    lying[15:, 0] = quat_multiply(np.array([np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0]), lying[15:, 0])
    assert guess_up(replace(wobble, rotations=lying), body, 0).value == "+y"
    assert guess_up(replace(wobble, rotations=lying[:, ::1]), body, 1).value == "+y"


def with_rest_pose(clip: Clip, count: int) -> Clip:
    rest = np.broadcast_to(quat_identity(clip.skeleton.joint_count), (count, *clip.rotations.shape[1:]))
    root = np.broadcast_to(clip.root_position[0], (count, 3))
    return replace(
        clip,
        rotations=np.concatenate([rest, clip.rotations]),
        root_position=np.concatenate([root, clip.root_position]),
    )


@pytest.mark.parametrize("count", [1, 2, 3, 13])
def test_rest_poses_before_the_motion_are_counted(wobble: Clip, count: int) -> None:
    body = find_body(wobble.skeleton)
    assert guess_rest_frames(with_rest_pose(wobble, count), body).value == count
    assert guess_rest_frames(wobble, body).value == 0


def test_a_jump_into_motion_from_no_rest_pose_is_kept(wobble: Clip) -> None:
    shuffled = np.concatenate([[60], np.arange(120)])
    jumping = replace(wobble, rotations=wobble.rotations[shuffled], root_position=wobble.root_position[shuffled])
    assert guess_rest_frames(jumping, find_body(wobble.skeleton)).value == 0
    assert guess_rest_frames(trim(jumping, 0, 4), None).evidence == "too few frames to detect a rest pose"


def hopping(biped: Skeleton, frame_rate: float) -> Clip:
    """A stiff biped that stands and hops in turn, 0.4 s in the air each time, falling with 1 g."""
    time = np.arange(round(4.0 * frame_rate)) / frame_rate
    since = time % 1.0
    height = np.where(since < 0.4, 0.5 * 9.81 * since * (0.4 - since), 0.0)
    root = np.stack([np.zeros_like(time), 0.93 + height, np.zeros_like(time)], axis=-1)
    return Clip(biped, root, quat_identity(len(time), 12), 1.0 / frame_rate)


@pytest.mark.parametrize("frame_rate", [30.0, 60.0, 120.0])
def test_free_fall_shows_a_frame_rate_that_is_twice_too_high(biped: Skeleton, frame_rate: float) -> None:
    clip, body = hopping(biped, frame_rate), find_body(biped)
    evidence = rate_evidence(clip, body)
    assert evidence.fall == pytest.approx(1.0, abs=0.1)
    assert implausible_rate(clip, evidence) is None
    fast = replace(clip, frame_time=0.5 * clip.frame_time)
    warning = implausible_rate(fast, rate_evidence(fast, body))
    assert warning is not None
    assert "check the frame rate" in warning


def test_captured_jumps_and_runs_are_plausible_at_their_rate_and_not_at_twice_it(shared_data: Path) -> None:
    jumps = [shared_data / "annotated" / f"143_{trial}.bvh" for trial in ("05", "06")]
    for path in jumps:
        assert not load_clip(path).report.warnings  # type: ignore[union-attr]
    doubled = [load_clip(path, frame_rate=120.0).report for path in sorted((shared_data / "annotated").glob("*.bvh"))]
    assert sum(bool(report and report.warnings) for report in doubled) >= 15
