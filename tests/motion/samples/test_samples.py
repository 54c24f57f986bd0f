"""The generated clips: valid in every frame, with true contacts, moving as captured people do."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import compare_samples as compare
from motionfields.measure.analysis import leg_angles
from motionfields.motion.body import find_body, find_pairs
from motionfields.motion.clip import Clip
from motionfields.motion.contacts import central_velocity
from motionfields.motion.quality import facing_yaw
from motionfields.motion.samples import Sample, _walked, generate_samples, sample_skeleton
from motionfields.motion.skeleton import forward_kinematics, tip_positions

SOME = "(walk|stand|sidestep)_.*|turn_left_.*_quick|turn_right_.*_spin_.*_(070_before|280_after)"


@pytest.fixture(scope="module")
def capture(locomotion: list[Path]) -> list[Clip]:
    return [compare.load_capture(path) for path in locomotion]


def _named(samples: list[Sample], name: str) -> Sample:
    return next(sample for sample in samples if sample.clip.name == name)


def test_the_skeleton_is_symmetric_and_of_human_size() -> None:
    skeleton = sample_skeleton()
    for left, right in find_pairs(skeleton).items():
        mirrored = skeleton.offsets[skeleton.index(right)] * np.array([-1.0, 1.0, 1.0])
        np.testing.assert_array_equal(skeleton.offsets[skeleton.index(left)], mirrored)
    rest = np.zeros((skeleton.joint_count, 4))
    rest[:, 0] = 1.0
    world = forward_kinematics(skeleton, skeleton.offsets[0], rest)
    heights = tip_positions(skeleton, world)[:, 1]
    assert heights.max() - heights.min() == pytest.approx(1.72, abs=0.03)
    assert len(find_pairs(skeleton)) == 8
    assert find_body(skeleton).head is not None


def test_the_set_holds_every_promised_motion(samples: list[Sample]) -> None:
    names = {sample.clip.name for sample in samples}
    turns = {
        f"turn_{side}_{angle:03d}_{kind}"
        for side in ("left", "right")
        for angle in range(15, 181, 15)
        for kind in ("gentle", "quick")
    }
    spins = {
        f"turn_{side}_{angle:03d}_spin_{foot}_{onset}"
        for side, foot in (("left", "inside"), ("right", "outside"))
        for angle in range(30, 181, 30)
        for onset in ("140_before", "070_before", *(f"{after:03d}_after" for after in range(0, 421, 70)))
    }
    others = {
        "walk_forward",
        "walk_speed_up",
        "walk_stop",
        "stand_idle",
        "sidestep_left",
        "sidestep_right",
        "walk_backward",
    }
    assert turns | spins | others <= names
    assert len(names) == len(samples)
    assert sum(sample.clip.duration for sample in samples) >= 150.0


def test_turns_turn_by_what_their_names_say(samples: list[Sample]) -> None:
    for sample in samples:
        if sample.clip.name.startswith("turn_"):
            _, side, angle, *_ = sample.clip.name.split("_")
            yaw = np.degrees(facing_yaw(sample.clip))
            turned = yaw[-20:].mean() - yaw[:20].mean()
            assert turned == pytest.approx(float(angle) * (1.0 if side == "left" else -1.0), abs=8.0), sample.clip.name


def test_the_same_seed_gives_the_same_clips_and_another_seed_others(samples: list[Sample]) -> None:
    for number in range(0, len(samples), 12):
        one, same, different = samples[number], *(_walked.__wrapped__(number, 60.0, seed) for seed in (0, 1))
        np.testing.assert_array_equal(one.clip.rotations, same.clip.rotations)
        np.testing.assert_array_equal(one.contacts, same.contacts)
        assert one.clip.name == different.clip.name
        assert not np.array_equal(one.clip.root_position[:60], different.clip.root_position[:60])


@pytest.mark.parametrize(("frame_rate", "seed", "names"), [(60.0, 0, ".*"), (30.0, 3, SOME), (120.0, 7, SOME)])
def test_every_frame_is_possible_for_a_body(frame_rate: float, seed: int, names: str) -> None:
    for sample in generate_samples(frame_rate=frame_rate, seed=seed, only=re.compile(names)):
        assert compare.lowest_point(sample) >= 0.0, sample.clip.name
        assert sample.clip.frame_rate == pytest.approx(frame_rate)
        assert sample.contacts.shape == (sample.clip.frame_count, 2)
        knees = np.degrees(leg_angles(sample.clip)[..., 1])
        assert knees.min() > 5.0, sample.clip.name
        assert knees.max() < 90.0, sample.clip.name
        assert np.abs(central_velocity(knees, sample.clip.frame_time)).max() < 650.0, sample.clip.name


def test_legs_and_feet_do_not_pass_through_each_other(samples: list[Sample]) -> None:
    share = np.linspace(0.0, 1.0, 6)[:, None]
    for sample in samples:
        body = find_body(sample.clip.skeleton)
        world = sample.clip.world()
        for part in (("knee", "ankle"), ("ankle", "toe")):
            ends = [[world.positions[:, getattr(leg, name)] for name in part] for leg in body.legs]
            left, right = (start[:, None] + share * (end - start)[:, None] for start, end in ends)
            gap = np.linalg.norm(left[:, :, None] - right[:, None], axis=-1)
            assert gap.min() > 0.07, (sample.clip.name, part)


def test_clips_begin_and_end_walking_except_the_stand(samples: list[Sample]) -> None:
    for sample in samples:
        if sample.clip.name != "stand_idle":
            root = sample.clip.root_position[:, ::2]
            half_second = round(0.5 * sample.clip.frame_rate)
            for path in (root[:half_second], root[-half_second:]):
                assert np.linalg.norm(path[-1] - path[0]) > 0.225, sample.clip.name


def test_feet_stand_still_in_contact(samples: list[Sample]) -> None:
    assert compare.mean_skate(samples) < 0.005


def test_the_contact_detector_finds_the_known_contacts(samples: list[Sample]) -> None:
    assert compare.contact_agreement(samples).f1 >= 0.95


def test_joint_angles_over_the_gait_cycle_are_those_of_captured_walking(
    samples: list[Sample], capture: list[Clip]
) -> None:
    own, theirs = compare.steady_cycles(sample.clip for sample in samples), compare.steady_cycles(capture)
    assert len(own.seconds) >= 20
    assert len(theirs.seconds) >= 15
    for joint, share in zip(compare.JOINTS, compare.within_two_sd(own, theirs), strict=True):
        assert share >= 0.9, joint


def test_jerk_is_that_of_captured_motion(samples: list[Sample], capture: list[Clip]) -> None:
    ratio = compare.joint_jerk(sample.clip for sample in samples).mean() / compare.joint_jerk(capture).mean()
    assert 0.7 <= ratio <= 1.3
    straight = [clip for clip in capture if clip.name in ("69_01", "69_05")]
    walk = compare.joint_jerk([_named(samples, "walk_forward").clip]).mean() / compare.joint_jerk(straight).mean()
    assert 0.7 <= walk <= 1.3


def test_a_frame_rate_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="frame_rate"):
        generate_samples(frame_rate=0.0)


def test_a_pattern_picks_some_of_the_clips_and_changes_none_of_them(samples: list[Sample]) -> None:
    few = generate_samples(only=re.compile("walk_(fast|slow)"))
    assert [sample.clip.name for sample in few] == ["walk_slow", "walk_fast"]
    whole = {sample.clip.name: sample.clip for sample in samples}
    for sample in few:
        np.testing.assert_array_equal(sample.clip.rotations, whole[sample.clip.name].rotations)


def test_clips_are_chosen_by_name_or_pattern_in_the_order_of_the_set() -> None:
    named = generate_samples(frame_rate=30.0, only=["walk_slow", "walk_forward"])
    matched = generate_samples(frame_rate=30.0, only=re.compile("walk_(slow|forward)"))
    assert [sample.clip.name for sample in named] == ["walk_forward", "walk_slow"]
    assert all(one is other for one, other in zip(named, matched, strict=True))
    with pytest.raises(ValueError, match="no sample clip named 'walk_away'"):
        generate_samples(only=["walk_away"])
