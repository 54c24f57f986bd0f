"""The figures planting promises, on smaller runs than `benchmarks/bench_planting.py`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bench_planting import Figure, Take, captured, clean_figures, disturbed, noisy_figures
from motionfields.motion.body import find_body
from motionfields.motion.planting import measure_stance, plant_clip
from motionfields.motion.planting.measures import deepest_toe, knee_speed, leg_jerk, low_foot_skate
from motionfields.motion.quality import contact_skate
from motionfields.motion.samples import generate_samples


def assert_held(figures: list[Figure]) -> None:
    missed = [
        f"{figure.name} {figure.value:.3f} > {figure.most:g}" for figure in figures if not figure.value <= figure.most
    ]
    assert not missed


@pytest.mark.parametrize("name", ["69_17", "69_18", "69_13"])
def test_disturbed_turns_in_place_keep_all_bounds(shared_data: Path, name: str) -> None:
    assert (shared_data / "locomotion" / f"{name}.bvh").is_file()
    assert_held(noisy_figures(captured([name])[0], range(2)))


@pytest.mark.parametrize("name", ["69_01", "69_17", "69_22"])
def test_captured_clips_that_need_no_planting_hardly_change(shared_data: Path, name: str) -> None:
    assert (shared_data / "locomotion" / f"{name}.bvh").is_file()
    assert_held(clean_figures(captured([name])[0]))


@pytest.mark.parametrize("frame_rate", [30.0, 60.0])
def test_generated_clips_keep_all_bounds(frame_rate: float) -> None:
    for sample in generate_samples(
        frame_rate=frame_rate, only=["walk_forward", "turn_left_090_quick", "sidestep_left"]
    ):
        take = Take(sample.clip, sample.contacts)
        figures = noisy_figures(take, range(2))
        # Jerk grows with the frame rate wherever a foot stops; its bound is for 30 frames a second.
        assert_held([f for f in figures if frame_rate == 30.0 or "jerk" not in f.name])
        assert clean_figures(take)[0].value <= 0.3


def test_a_planted_clip_shows_it_in_its_own_rotations() -> None:
    sample = generate_samples(frame_rate=30.0, only=["walk_forward"])[0]
    noisy = disturbed(sample.clip, 5)
    stance = measure_stance(sample.clip, [sample.contacts])
    planted = plant_clip(noisy, sample.contacts, stance=stance)
    before, after = (contact_skate(clip, sample.contacts).mean() for clip in (noisy, planted))
    assert after < 0.01 * before
    assert low_foot_skate(planted, stance) < 0.5 * low_foot_skate(noisy, stance)
    assert deepest_toe(planted, stance) < 0.01
    legs = {joint for leg in find_body(noisy.skeleton).legs for joint in (leg.hip, leg.knee, leg.ankle, leg.toe)}
    others = [joint for joint in range(noisy.skeleton.joint_count) if joint not in legs]
    np.testing.assert_array_equal(planted.rotations[:, others], noisy.rotations[:, others])


def test_measures_see_what_they_are_named_after() -> None:
    sample = generate_samples(frame_rate=30.0, only=["walk_forward"])[0]
    stance = measure_stance(sample.clip, [sample.contacts])
    assert contact_skate(sample.clip, sample.contacts).mean() < 0.001
    assert deepest_toe(sample.clip, stance) < 0.001
    assert 2.0 < knee_speed(sample.clip).p99 <= knee_speed(sample.clip).maximum < 15.0
    assert leg_jerk(disturbed(sample.clip, 0)) > leg_jerk(sample.clip)
