"""Spin turns: as fast as promised, on a ball of the foot that stays, out of a walk that foretells nothing."""

from __future__ import annotations

import numpy as np
import pytest

import compare_samples as compare
from motionfields.base.geometry import quat_rotate
from motionfields.motion.body import find_body
from motionfields.motion.clip import Clip, mirror
from motionfields.motion.quality import facing_yaw, mean_jerk, mean_jerk_in_turns, peak_turning_rate, turning_rate
from motionfields.motion.samples import WALKED_BEFORE, Sample
from motionfields.motion.samples.catalogue import SPIN_ANGLES, SPIN_ONSETS
from motionfields.motion.samples.footsteps import USUAL_STEP
from motionfields.motion.samples.spins import foot_turn, spin_seconds, spin_share, swing_phase

PROMISED = {30: 0.18, 60: 0.27, 90: 0.33, 120: 0.4, 150: 0.47, 180: 0.55}  # degrees, seconds to within 5 degrees


@pytest.fixture(scope="module")
def spins(samples: list[Sample]) -> list[Sample]:
    return [sample for sample in samples if "_spin_" in sample.clip.name]


def _angle(clip: Clip) -> int:
    return int(clip.name.split("_")[2])


def _begin(clip: Clip) -> int:
    """The last frame of the walk before the spin."""
    return round(WALKED_BEFORE / clip.frame_time)


@pytest.mark.parametrize("degrees", SPIN_ANGLES)
def test_the_body_turns_from_rest_to_rest_at_a_rate_without_jumps(degrees: int) -> None:
    angle = np.radians(degrees)
    time = np.linspace(-0.1, spin_seconds(angle) + 0.1, 2001)
    share = spin_share(time, angle)
    rate = np.gradient(share, time)
    assert share[0] == 0.0
    assert share[-1] == pytest.approx(1.0)
    assert rate.min() > -1e-9
    assert np.abs(np.diff(rate)).max() < 0.02 * rate.max()
    np.testing.assert_allclose(share, spin_share(time, -angle))


def test_a_turn_within_a_given_time_is_the_same_turn_at_another_pace() -> None:
    time = np.linspace(0.0, 1.0, 50)
    np.testing.assert_allclose(
        spin_share(2.0 * time, 1.5, within=2.0 * spin_seconds(1.5)), spin_share(time, 1.5), atol=1e-12
    )


def test_the_foot_leaves_little_of_a_turn_to_the_hip() -> None:
    for degrees in SPIN_ANGLES:
        for angle in (np.radians(degrees), -np.radians(degrees)):
            assert 0.0 <= (angle - foot_turn(angle)) * np.sign(angle) <= np.radians(15.0)


def test_a_swing_runs_as_usual_until_the_spin_begins_and_ends_at_touch_down() -> None:
    time = np.linspace(-0.3, 1.2, 3001)
    phase = swing_phase(time, (0.0, 0.8), begin=0.2, usual=0.6)
    np.testing.assert_allclose(phase[time <= 0.2], time[time <= 0.2] / 0.6)
    assert np.interp(0.8, time, phase) == pytest.approx(1.0)
    assert np.diff(phase).min() > 0.0
    assert np.abs(np.diff(phase, n=2)).max() < 1e-4


def test_the_facing_reaches_the_angle_in_the_promised_time(spins: list[Sample]) -> None:
    assert len(spins) == 108
    for sample in spins:
        assert compare.turning_seconds(sample.clip) <= PROMISED[_angle(sample.clip)], sample.clip.name


def test_the_facing_turns_right_from_the_onset(spins: list[Sample]) -> None:
    for sample in spins:
        yaw = facing_yaw(sample.clip)[_begin(sample.clip) :]
        frames = round((PROMISED[_angle(sample.clip)] + 0.02) * sample.clip.frame_rate)
        assert np.degrees(np.abs(yaw[: frames + 1]).max()) > _angle(sample.clip) - 5.0, sample.clip.name


def test_at_any_moment_of_a_walk_a_spin_to_either_side_is_at_hand() -> None:
    step = 1000.0 * USUAL_STEP
    for inside, outside in (SPIN_ONSETS, SPIN_ONSETS[::-1]):  # of this foot after it is down, of the next one before
        onsets = [*(onset for onset in inside if onset >= 0), *(step + onset for onset in outside if onset < 0)]
        assert np.diff(sorted(onsets), append=step).max() <= 70.0
        assert min(onsets) == 0.0


def test_no_spin_turns_faster_than_an_athlete(spins: list[Sample]) -> None:
    for sample in spins:
        assert 250.0 < np.degrees(peak_turning_rate(sample.clip).maximum) < 450.0, sample.clip.name


def test_the_facing_does_not_swing_past_its_goal(spins: list[Sample]) -> None:
    for sample in spins:
        yaw = np.abs(np.degrees(facing_yaw(sample.clip)))
        assert yaw.max() < _angle(sample.clip) + 6.0, sample.clip.name


def test_the_foot_turns_on_a_ball_that_stays(spins: list[Sample]) -> None:
    for sample in spins:
        clip, leg = sample.clip, find_body(sample.clip.skeleton).left_leg
        world = clip.world()
        standing = int(np.abs(turning_rate(clip)).argmax()) + 6  # a small turn is fastest just before the foot is down
        edges = np.flatnonzero(np.diff(sample.contacts[:, 0].astype(np.int8)))
        start, stop = edges[edges < standing][-1] + 1, edges[edges >= standing][0]
        toe = world.positions[start : stop + 1, leg.toe][:, ::2]
        assert np.linalg.norm(toe - toe[0], axis=-1).max() < 0.006, clip.name
        ahead = quat_rotate(world.rotations[start : stop + 1, leg.ankle], np.array([0.0, 0.0, 1.0]))
        turned = np.degrees(np.ptp(np.unwrap(np.arctan2(ahead[:, 0], ahead[:, 2]))))
        in_the_air = 0.55 if clip.name.endswith("_before") else 0.0
        assert turned > (0.7 - in_the_air) * _angle(clip) - 5.0, clip.name


def test_a_spin_comes_out_of_a_usual_walk(samples: list[Sample], spins: list[Sample]) -> None:
    walk = next(sample.clip for sample in samples if sample.clip.name == "walk_forward")
    usual = _seen_from_root(walk)
    both = np.concatenate([usual, _seen_from_root(mirror(walk))])
    for sample in spins:
        own = _seen_from_root(sample.clip)[: _begin(sample.clip) + 1 : 6]
        gaps = np.linalg.norm(both[:, None] - own, axis=-1).mean(axis=-1).min(axis=0)
        assert gaps.max() < 0.01, sample.clip.name


def test_spins_are_at_most_about_twice_as_jerky_as_quick_turns(samples: list[Sample], spins: list[Sample]) -> None:
    quick = np.mean([mean_jerk(sample.clip) for sample in samples if sample.clip.name.endswith("_quick")])
    jerks = np.array([mean_jerk(sample.clip) for sample in spins])
    assert jerks.mean() < 1.6 * quick
    assert jerks.max() < 2.1 * quick
    assert np.mean([mean_jerk_in_turns(sample.clip) for sample in spins]) < 150.0


def test_the_body_walks_on_in_the_new_direction_soon_after_a_spin(spins: list[Sample]) -> None:
    for sample in spins:
        clip, angle = sample.clip, np.radians(_angle(sample.clip)) * (1.0 if "left" in sample.clip.name else -1.0)
        half_second = round(0.5 / clip.frame_time)
        travelled = clip.root_position[-1] - clip.root_position[-1 - half_second]
        assert 2.0 * float(travelled @ [np.sin(angle), 0.0, np.cos(angle)]) > 0.6, clip.name


def _seen_from_root(clip: Clip) -> np.ndarray:
    """Joint places [frame, joint, 3] in metres from below the root, along the facing."""
    places = clip.world().positions - clip.root_position[:, None] * np.array([1.0, 0.0, 1.0])
    yaw = facing_yaw(clip)[:, None]
    x = places[..., 0] * np.cos(yaw) - places[..., 2] * np.sin(yaw)
    z = places[..., 0] * np.sin(yaw) + places[..., 2] * np.cos(yaw)
    return np.stack([x, places[..., 1], z], axis=-1)
