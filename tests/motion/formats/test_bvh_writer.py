"""Writing BVH and reading it back."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_angle, quat_from_yaw, quat_normalize
from motionfields.motion.clip import Clip
from motionfields.motion.formats.bvh import BvhMotion, format_bvh, read_bvh, save_bvh
from motionfields.motion.skeleton import Skeleton, forward_kinematics

ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")


def skeleton_of(motion: BvhMotion, *, scale: float = 1.0) -> Skeleton:
    return Skeleton(motion.names, motion.parents, motion.offsets * scale, motion.tip_joints, motion.tip_offsets * scale)


def joint_positions(motion: BvhMotion, *, scale: float = 1.0) -> FloatArray:
    skeleton = skeleton_of(motion, scale=scale)
    return forward_kinematics(skeleton, motion.root_position * scale, motion.rotations).positions


@st.composite
def random_clips(draw: st.DrawFn) -> Clip:
    """Any tree of up to 8 joints (not always depth first), tips on some, any rotations."""
    joint_count, frame_count = draw(st.integers(1, 8)), draw(st.integers(0, 5))
    parents = [-1] + [draw(st.integers(0, joint - 1)) for joint in range(1, joint_count)]
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    tip_joints = np.flatnonzero(rng.random(joint_count) < 0.5)
    skeleton = Skeleton(
        tuple(f"joint {place}" for place in range(joint_count)),
        np.array(parents),
        rng.normal(size=(joint_count, 3)),
        tip_joints,
        rng.normal(size=(len(tip_joints), 3)),
    )
    rotations = quat_normalize(rng.normal(size=(frame_count, joint_count, 4)))
    return Clip(skeleton, rng.normal(size=(frame_count, 3)), rotations, draw(st.floats(1e-4, 10.0)))


@settings(deadline=None)
@given(random_clips(), st.sampled_from(ORDERS), st.sampled_from([1.0, 0.01, 0.0254]))
def test_any_clip_is_written_and_read_back(clip: Clip, order: str, scale: float) -> None:
    data = format_bvh(
        clip.skeleton,
        clip.root_position,
        clip.rotations,
        clip.frame_time,
        scale=scale,
        order=order,
        precision=9,
    )
    motion = read_bvh(data)
    back = [motion.names.index(name) for name in clip.skeleton.names]
    assert motion.frame_time == clip.frame_time
    assert motion.rotation_orders == (order,) * clip.skeleton.joint_count
    parent_names = [motion.names[parent] for parent in motion.parents[back][1:]]
    assert parent_names == [clip.skeleton.names[parent] for parent in clip.skeleton.parents[1:]]
    np.testing.assert_allclose(motion.root_position * scale, clip.root_position, atol=1e-8)
    np.testing.assert_allclose(motion.offsets[back][1:] * scale, clip.skeleton.offsets[1:], atol=1e-8)
    assert quat_angle(motion.rotations[:, back], clip.rotations).max(initial=0.0) < 1e-6
    tips = {motion.names[joint]: offset for joint, offset in zip(motion.tip_joints, motion.tip_offsets, strict=True)}
    assert set(tips) == {clip.skeleton.names[joint] for joint in clip.skeleton.tip_joints}


@settings(deadline=None, max_examples=30)
@given(random_clips(), st.sampled_from(ORDERS))
def test_a_file_of_ours_read_and_written_again_is_the_same_file(clip: Clip, order: str) -> None:
    first = read_bvh(format_bvh(clip.skeleton, clip.root_position, clip.rotations, clip.frame_time, order=order))
    second = read_bvh(
        format_bvh(skeleton_of(first), first.root_position, first.rotations, first.frame_time, order=order)
    )
    assert second.names == first.names
    np.testing.assert_array_equal(second.parents, first.parents)
    np.testing.assert_array_equal(second.offsets, first.offsets)
    np.testing.assert_array_equal(second.tip_joints, first.tip_joints)
    np.testing.assert_array_equal(second.root_position, first.root_position)
    assert quat_angle(second.rotations, first.rotations).max(initial=0.0) < 1e-6


def test_the_text_is_what_other_tools_expect() -> None:
    skeleton = Skeleton(("Hips", "Leg"), np.array([-1, 0]), np.array([[0.0, 1.0, 0.0], [0.1, -0.0, 0.0]]))
    rotations = np.array([[[1.0, 0.0, 0.0, 0.0], [np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0]]])
    data = format_bvh(skeleton, [[0.0, 1.0, 0.5]], rotations, 1 / 120, scale=0.01, precision=2)
    lines = [
        "HIERARCHY",
        "ROOT Hips",
        "{",
        "\tOFFSET 0.00 0.00 0.00",
        "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation",
        "\tJOINT Leg",
        "\t{",
        "\t\tOFFSET 10.00 0.00 0.00",
        "\t\tCHANNELS 3 Zrotation Yrotation Xrotation",
        "\t\tEnd Site",
        "\t\t{",
        "\t\t\tOFFSET 0.00 0.00 0.00",
        "\t\t}",
        "\t}",
        "}",
        "MOTION",
        "Frames: 1",
        "Frame Time: 0.008333333333333333",
        "0.00 100.00 50.00 0.00 0.00 0.00 0.00 0.00 90.00",
    ]
    assert data.decode().splitlines() == lines
    assert len(read_bvh(data).tip_joints) == 0


def test_angles_run_on_where_the_character_keeps_turning() -> None:
    yaw = np.linspace(0.0, 20.0, 200)
    skeleton = Skeleton(("Hips",), np.array([-1]), np.zeros((1, 3)))
    data = format_bvh(skeleton, np.zeros((200, 3)), quat_from_yaw(yaw)[:, np.newaxis], 0.01, order="YXZ")
    written = np.array([line.split() for line in data.decode().splitlines()[-200:]], float)
    np.testing.assert_allclose(written[:, 3], np.rad2deg(yaw), atol=1e-5)


def test_deep_chains_are_written_in_proportion_to_their_length() -> None:
    count = 5_000
    skeleton = Skeleton(tuple(f"J{i}" for i in range(count)), np.arange(-1, count - 1), np.ones((count, 3)))
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (1, count, 1))
    data = format_bvh(skeleton, np.zeros((1, 3)), rotations, 0.01)
    assert len(data) < 2_000_000
    assert read_bvh(data).names == skeleton.names


def test_saving_replaces_the_file_and_leaves_nothing_else(tmp_path: Path, wobble: Clip) -> None:
    path = tmp_path / "wobble.bvh"
    path.write_text("old")
    save_bvh(path, wobble, scale=0.01, precision=6)
    assert [file.name for file in tmp_path.iterdir()] == ["wobble.bvh"]
    motion = read_bvh(path.read_bytes())
    np.testing.assert_allclose(joint_positions(motion, scale=0.01), wobble.world().positions, atol=1e-6)


def test_a_failed_save_keeps_the_old_file(tmp_path: Path, wobble: Clip, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "wobble.bvh"
    path.write_text("old")

    def broken(descriptor: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("os.fsync", broken)
    with pytest.raises(OSError, match="disk full"):
        save_bvh(path, wobble)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("wobble.bvh", "old")]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"rotations": np.zeros((2, 1, 4))}, "rotations: expected unit quaternions"),
        ({"rotations": np.full((2, 1, 4), np.nan)}, "rotations: expected unit quaternions"),
        ({"rotations": np.ones((2, 3, 4))}, "rotations: expected [frame, 1, 4], got shape (2, 3, 4)"),
        ({"root_position": np.zeros((3, 3))}, "root_position: expected [2, 3], got shape (3, 3)"),
        ({"root_position": np.full((2, 3), np.inf)}, "root_position: expected finite metres"),
        ({"frame_time": 0.0}, "frame_time: expected a number from"),
        ({"frame_time": float("nan")}, "frame_time: expected a number from"),
        ({"scale": -1.0}, "scale: expected a number from"),
        ({"order": "XYX"}, "order: expected X, Y and Z once each"),
        ({"precision": 20}, "precision: expected 0 to 15 decimals, got 20"),
        ({"names": ("a{b",)}, "names: expected names that BVH can hold, got 'a{b'"),
        ({"names": ("",)}, "names: expected names that BVH can hold, got ''"),
        ({"names": ("a  b",)}, "names: expected names that BVH can hold"),
        ({"names": ("MOTION",)}, "names: expected names that BVH can hold"),
    ],
)
def test_what_cannot_be_written_is_refused(change: dict[str, object], says: str) -> None:
    given_values: dict[str, object] = {
        "root_position": np.zeros((2, 3)),
        "rotations": np.tile([1.0, 0.0, 0.0, 0.0], (2, 1, 1)),
        "frame_time": 0.01,
    } | change
    names = given_values.pop("names", ("Hips",))
    skeleton = Skeleton(names, np.array([-1]), np.zeros((1, 3)))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=re.escape(says)):
        format_bvh(skeleton, **given_values)  # type: ignore[arg-type]


@pytest.mark.parametrize("order", ["ZYX", "XYZ"])
def test_the_locomotion_set_survives_the_round_trip_within_a_tenth_of_a_millimetre(
    locomotion: list[Path], order: str
) -> None:
    scale = 0.056444
    for path in locomotion:
        first = read_bvh(path.read_bytes(), path=str(path))
        skeleton = skeleton_of(first, scale=scale)
        data = format_bvh(
            skeleton, first.root_position * scale, first.rotations, first.frame_time, scale=scale, order=order
        )
        second = read_bvh(data)
        assert second.names == first.names
        assert second.frame_time == first.frame_time
        assert skeleton.matches(skeleton_of(second, scale=scale))
        distances = np.abs(joint_positions(second, scale=scale) - joint_positions(first, scale=scale))
        assert distances.max() < 1e-4
