from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_angle, quat_exp, quat_from_yaw
from motionfields.motion.clip import Clip, low_pass, resample, trim
from motionfields.motion.skeleton import Skeleton


def one_joint_clip(yaw: FloatArray, frame_rate: float) -> Clip:
    skeleton = Skeleton(("root",), np.array([-1]), np.zeros((1, 3)))
    root = np.stack([np.arange(len(yaw)) / frame_rate, np.ones(len(yaw)), yaw], axis=-1)
    return Clip(skeleton, root, quat_from_yaw(yaw)[:, np.newaxis], 1.0 / frame_rate)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"frame_time": 0.0}, "positive number of seconds"),
        ({"frame_time": float("nan")}, "positive number of seconds"),
        ({"frame_time": float("inf")}, "positive number of seconds"),
        ({"root_position": np.full((120, 3), np.inf)}, "finite"),
        ({"root_position": np.zeros((119, 3))}, "rotations: expected"),
        ({"rotations": np.zeros((120, 12, 4))}, "unit quaternions"),
        ({"rotations": np.full((120, 12, 4), np.nan)}, "unit quaternions"),
    ],
)
def test_clips_that_make_no_sense_are_refused(wobble: Clip, change: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        replace(wobble, **change)  # type: ignore[arg-type]


def test_a_clip_does_not_change_with_the_arrays_it_was_made_from(wobble: Clip) -> None:
    root = wobble.root_position.copy()
    clip = replace(wobble, root_position=root)
    root[:] = 7.0
    assert not np.any(clip.root_position == 7.0)
    with pytest.raises(ValueError, match="read-only"):
        clip.rotations[0] = 0.0


def test_trimming_works_like_a_slice(wobble: Clip) -> None:
    part = trim(wobble, 10, -5)
    assert part.frame_count == 105
    np.testing.assert_array_equal(part.rotations, wobble.rotations[10:-5])
    assert trim(wobble, 200).frame_count == 0


def test_durations_run_from_the_first_frame_to_the_last(wobble: Clip) -> None:
    assert wobble.duration == pytest.approx(119 / 60)
    assert trim(wobble, 0, 0).duration == 0.0


def test_the_low_pass_keeps_slow_motion_and_takes_out_fast() -> None:
    time = np.arange(600) / 120.0
    slow, fast = 0.5 * np.sin(2 * np.pi * 1.0 * time), 0.1 * np.sin(2 * np.pi * 30.0 * time)
    smooth = low_pass(one_joint_clip(slow + fast, 120.0))
    np.testing.assert_allclose(smooth.root_position[60:-60, 2], slow[60:-60], atol=0.01)
    assert quat_angle(smooth.rotations[60:-60, 0], quat_from_yaw(slow[60:-60])).max() < 0.01


def test_the_low_pass_halves_the_amplitude_at_its_cutoff_without_delay() -> None:
    time = np.arange(2400) / 120.0
    wave = 0.2 * np.sin(2 * np.pi * 8.0 * time)
    smooth = low_pass(one_joint_clip(wave, 120.0), 8.0).root_position[600:-600, 2]
    np.testing.assert_allclose(smooth, 0.5 * wave[600:-600], atol=2e-3)


def test_the_low_pass_does_not_mind_quaternion_signs(wobble: Clip, rng: np.random.Generator) -> None:
    flipped = replace(wobble, rotations=wobble.rotations * np.where(rng.random((120, 12, 1)) < 0.5, -1.0, 1.0))
    assert quat_angle(low_pass(flipped).rotations, low_pass(wobble).rotations).max() < 1e-7


def test_the_low_pass_leaves_alone_what_it_cannot_filter(wobble: Clip) -> None:
    assert low_pass(trim(wobble, 0, 3)).frame_count == 3
    slow = replace(wobble, frame_time=1.0 / 12.0)
    assert low_pass(slow) is slow
    assert low_pass(trim(wobble, 0, 4)).frame_count == 4
    with pytest.raises(ValueError, match="positive frequency"):
        low_pass(wobble, 0.0)


def test_resampling_to_the_same_rate_is_the_identity(wobble: Clip) -> None:
    again = resample(wobble, 60.0)
    np.testing.assert_allclose(again.root_position, wobble.root_position, atol=1e-12)
    assert quat_angle(again.rotations, wobble.rotations).max() < 1e-7


def test_a_quarter_of_the_rate_keeps_every_fourth_frame(wobble: Clip) -> None:
    fewer = resample(wobble, 15.0)
    assert fewer.frame_count == 30
    np.testing.assert_allclose(fewer.root_position, wobble.root_position[::4], atol=1e-12)


def test_a_rounded_frame_time_does_not_cost_the_last_frame() -> None:
    clip = replace(one_joint_clip(np.linspace(0.0, 1.0, 481), 120.0), frame_time=0.0083333)
    assert resample(clip, 30.0).frame_count == 121


def test_a_steady_turn_stays_steady_at_any_rate() -> None:
    clip = one_joint_clip(np.linspace(0.0, 6.0, 101), 50.0)
    for rate in (7.3, 24.0, 30.0, 120.0, 333.0):
        resampled = resample(clip, rate)
        time = np.arange(resampled.frame_count) / rate
        assert quat_angle(resampled.rotations[:, 0], quat_from_yaw(3.0 * time)).max() < 1e-6
        assert resampled.duration <= clip.duration + 1e-9
        assert resampled.duration > clip.duration - 1.0 / rate


def test_resampling_refuses_rates_that_make_no_sense(wobble: Clip) -> None:
    for rate in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="frame_rate"):
            resample(wobble, rate)


def test_slightly_long_quaternions_are_normalised(biped: Skeleton) -> None:
    rotations = quat_exp(np.full((2, 12, 3), 0.1)) * (1.0 + 5e-6)
    clip = Clip(biped, np.zeros((2, 3)), rotations, 0.1)
    np.testing.assert_allclose(np.linalg.norm(clip.rotations, axis=-1), 1.0, atol=1e-15)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda clip: pickle.loads(pickle.dumps(clip))])
def test_a_copied_or_unpickled_clip_is_equal_and_read_only(copied: Callable[[Clip], Clip], wobble: Clip) -> None:
    clip = copied(wobble)
    assert clip.skeleton.matches(wobble.skeleton, tolerance=0.0)
    np.testing.assert_array_equal(clip.rotations, wobble.rotations)
    np.testing.assert_array_equal(clip.root_position, wobble.root_position)
    assert (clip.frame_time, clip.name, clip.report) == (wobble.frame_time, wobble.name, wobble.report)
    for array in (clip.rotations, clip.root_position, clip.skeleton.offsets, clip.skeleton.parents):
        assert not array.flags.writeable


def test_a_frame_time_is_a_plain_float(wobble: Clip) -> None:
    assert type(replace(wobble, frame_time=np.float32(0.5)).frame_time) is float  # type: ignore[arg-type]


def test_rates_that_no_file_can_hold_are_refused(wobble: Clip) -> None:
    with pytest.raises(ValueError, match="frame_rate: expected a positive number of frames per second up to 1e"):
        resample(wobble, 1e12)
