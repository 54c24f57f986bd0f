"""Properties of foot locking for any motion: invariances, exactness, and feet that stay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bench_planting import disturbed
from motionfields.base.errors import SkeletonError
from motionfields.base.geometry import quat_from_yaw, quat_multiply, quat_rotate
from motionfields.motion.body import Body, Leg, find_body
from motionfields.motion.clip import Clip
from motionfields.motion.planting import (
    FootPlanter,
    PlantedPose,
    PlantingSettings,
    Stance,
    measure_stance,
    plant_clip,
    votes_from_contacts,
)
from motionfields.motion.samples import Sample, generate_samples
from motionfields.motion.skeleton import Skeleton, forward_kinematics


@pytest.fixture(scope="module")
def sample() -> Sample:
    return generate_samples(frame_rate=30.0, only=["turn_left_180_gentle"])[0]


@pytest.fixture(scope="module")
def stance(sample: Sample) -> Stance:
    return measure_stance(sample.clip, [sample.contacts])


@pytest.fixture(scope="module")
def noisy(sample: Sample) -> list[Clip]:
    return [disturbed(sample.clip, seed) for seed in range(3)]


def run(planter: FootPlanter, clips: list[Clip], votes: np.ndarray, *, single: bool = False) -> list[PlantedPose]:
    """Every frame of `clips`, as one batch of characters, planted."""
    state, poses = planter.start(len(clips)), []
    for frame in range(clips[0].frame_count):
        root = np.stack([clip.root_position[frame] for clip in clips])
        turns = np.stack([clip.rotations[frame] for clip in clips])
        both = np.repeat(votes[frame : frame + 1], len(clips), axis=0)
        poses.append(planter.step(state, root, turns.astype(np.float32) if single else turns, contact_votes=both))
        state = poses[-1].state
    return poses


def toes(skeleton: Skeleton, pose: PlantedPose) -> np.ndarray:
    joints = [leg.toe for leg in find_body(skeleton).legs]
    return forward_kinematics(skeleton, pose.root_position, pose.rotations).positions[:, joints]


def test_a_batch_gives_the_same_bits_as_each_character_alone(noisy: list[Clip], sample: Sample, stance: Stance) -> None:
    planter = FootPlanter(sample.clip.skeleton, stance, frame_time=1.0 / 30.0)
    votes = votes_from_contacts(sample.contacts, 1.0 / 30.0)
    together = run(planter, noisy, votes, single=True)
    for row, clip in enumerate(noisy):
        for whole, alone in zip(together, run(planter, [clip], votes, single=True), strict=True):
            assert alone.rotations.dtype == np.float32
            for name in PlantedPose._fields[:-1]:
                np.testing.assert_array_equal(getattr(whole, name)[row], getattr(alone, name)[0], err_msg=name)
            for part, own in zip(whole.state, alone.state, strict=True):
                np.testing.assert_array_equal(part[row], own[0])


def test_without_contacts_and_above_the_floor_the_pose_keeps_its_bits(sample: Sample, stance: Stance) -> None:
    planter = FootPlanter(
        sample.clip.skeleton, stance, frame_time=1.0 / 30.0, settings=PlantingSettings(swing_clearance=0.0)
    )
    lifted = replace(sample.clip, root_position=sample.clip.root_position + np.array([0.0, 0.02, 0.0]))
    for frame, pose in enumerate(run(planter, [lifted], np.zeros((lifted.frame_count, 2)))):
        np.testing.assert_array_equal(pose.rotations[0], lifted.rotations[frame])
        np.testing.assert_array_equal(pose.root_position[0], lifted.root_position[frame])
        assert not pose.locked.any()
        assert not pose.root_shift.any()


def test_a_pose_high_above_the_floor_keeps_its_bits_with_clearance_too(sample: Sample, stance: Stance) -> None:
    high = replace(sample.clip, root_position=sample.clip.root_position + np.array([0.0, 1.0, 0.0]))
    planted = plant_clip(high, np.zeros((high.frame_count, 2)), stance=stance)
    np.testing.assert_array_equal(planted.rotations, high.rotations)
    np.testing.assert_array_equal(planted.root_position, high.root_position)


def test_moving_and_turning_the_input_moves_and_turns_the_output(
    noisy: list[Clip], sample: Sample, stance: Stance
) -> None:
    clip, yaw, displacement = noisy[0], 2.0, np.array([31.0, 0.0, -12.0])
    rotations = clip.rotations.copy()
    rotations[:, 0] = quat_multiply(quat_from_yaw(yaw), rotations[:, 0])
    moved = replace(
        clip, root_position=quat_rotate(quat_from_yaw(yaw), clip.root_position) + displacement, rotations=rotations
    )
    here = plant_clip(clip, sample.contacts, stance=stance)
    there = plant_clip(moved, sample.contacts, stance=stance)
    expected = quat_rotate(quat_from_yaw(yaw), here.world().positions) + displacement
    np.testing.assert_allclose(there.world().positions, expected, atol=1e-7)


def test_a_foot_that_stands_still_stays_where_it_is(sample: Sample, stance: Stance) -> None:
    pose = int(np.flatnonzero(sample.contacts.all(axis=1))[0])
    clip = sample.clip
    still = replace(
        clip,
        root_position=np.repeat(clip.root_position[pose : pose + 1], 60, axis=0),
        rotations=np.repeat(clip.rotations[pose : pose + 1], 60, axis=0),
    )
    planter = FootPlanter(clip.skeleton, stance, frame_time=1.0 / 30.0)
    poses = run(planter, [still], np.ones((60, 2)))
    assert all(p.locked.all() for p in poses)
    shown = np.array([toes(clip.skeleton, p)[0] for p in poses])
    own = toes(clip.skeleton, poses[0])[0]
    np.testing.assert_allclose(shown[..., ::2], np.broadcast_to(own[:, ::2], (60, 2, 2)), atol=1e-9)
    np.testing.assert_allclose(shown[-1, :, 1], stance.toe_heights, atol=1e-9)
    np.testing.assert_allclose([p.root_shift for p in poses], 0.0, atol=1e-9)


def test_planted_toes_stay_in_place_while_the_root_drifts_and_the_root_follows(sample: Sample, stance: Stance) -> None:
    pose = int(np.flatnonzero(sample.contacts.all(axis=1))[0])
    clip = sample.clip
    drift = np.arange(90)[:, np.newaxis] / 30.0 * np.array([0.06, 0.0, 0.04])
    sliding = replace(
        clip,
        root_position=clip.root_position[pose] + drift,
        rotations=np.repeat(clip.rotations[pose : pose + 1], 90, axis=0),
    )
    poses = run(FootPlanter(clip.skeleton, stance, frame_time=1.0 / 30.0), [sliding], np.ones((90, 2)))
    shown = np.array([toes(clip.skeleton, p)[0] for p in poses])
    assert np.ptp(shown[..., ::2], axis=0).max() < 1e-9
    assert all(p.reached.all() for p in poses)
    total = np.sum([p.root_shift[0] for p in poses], axis=0)
    np.testing.assert_allclose(total, -drift[-1], atol=0.02)


def test_on_release_the_correction_is_gone_within_a_fifth_of_a_second(sample: Sample, stance: Stance) -> None:
    pose = int(np.flatnonzero(sample.contacts.all(axis=1))[0])
    clip = sample.clip
    drift = np.minimum(np.arange(60), 20)[:, np.newaxis] / 30.0 * np.array([0.1, 0.0, 0.0])
    sliding = replace(
        clip,
        root_position=clip.root_position[pose] + drift + np.array([0.0, 0.01, 0.0]),
        rotations=np.repeat(clip.rotations[pose : pose + 1], 60, axis=0),
    )
    votes = np.repeat((np.arange(60) < 20)[:, np.newaxis], 2, axis=1).astype(float)
    poses = run(FootPlanter(clip.skeleton, stance, frame_time=1.0 / 30.0), [sliding], votes)
    animated = forward_kinematics(clip.skeleton, sliding.root_position, sliding.rotations).positions
    joints = [leg.toe for leg in find_body(clip.skeleton).legs]
    shifts = np.cumsum([p.root_shift[0] for p in poses], axis=0)
    off = np.array([toes(clip.skeleton, p)[0] for p in poses]) - animated[:, joints] - shifts[:, np.newaxis]
    assert np.abs(off[19]).max() > 0.004
    assert np.abs(off[20 + 6]).max() < 1e-9


def test_a_caller_that_keeps_the_shift_itself_sees_the_same_motion(
    noisy: list[Clip], sample: Sample, stance: Stance
) -> None:
    clip, votes = noisy[1], votes_from_contacts(sample.contacts, 1.0 / 30.0)
    carried = run(FootPlanter(clip.skeleton, stance, frame_time=1.0 / 30.0), [clip], votes)
    planter = FootPlanter(clip.skeleton, stance, frame_time=1.0 / 30.0, carries_shift=False)
    state, kept = planter.start(1), np.zeros((1, 3))
    for frame, expected in enumerate(carried):
        now = slice(frame, frame + 1)
        pose = planter.step(state, clip.root_position[now] + kept, clip.rotations[now], contact_votes=votes[now])
        state, kept = pose.state, kept + pose.root_shift
        np.testing.assert_allclose(pose.root_position, expected.root_position, atol=1e-9)
        np.testing.assert_allclose(pose.rotations, expected.rotations, atol=1e-7)


def test_a_step_changes_nothing_that_it_was_given(noisy: list[Clip], sample: Sample, stance: Stance) -> None:
    planter = FootPlanter(sample.clip.skeleton, stance, frame_time=1.0 / 30.0)
    first = planter.step(
        planter.start(1), noisy[0].root_position[:1], noisy[0].rotations[:1], contact_votes=np.ones((1, 2))
    )
    before = first.state.copy()
    again = [
        planter.step(first.state, noisy[0].root_position[1:2], noisy[0].rotations[1:2], contact_votes=np.ones((1, 2)))
        for _ in range(2)
    ]
    for then, now in zip(before, first.state, strict=True):
        np.testing.assert_array_equal(then, now)
    np.testing.assert_array_equal(again[0].rotations, again[1].rotations)


def test_restarted_characters_are_fresh_and_the_others_go_on(noisy: list[Clip], sample: Sample, stance: Stance) -> None:
    planter = FootPlanter(sample.clip.skeleton, stance, frame_time=1.0 / 30.0)
    state = run(planter, noisy[:2], np.ones((noisy[0].frame_count, 2)))[-1].state
    for part, old, fresh in zip(state.restarted(np.array([1])), state, planter.start(1), strict=True):
        np.testing.assert_array_equal(part[0], old[0])
        np.testing.assert_array_equal(part[1], fresh[0])


def test_a_far_off_foot_is_let_go_and_waits(sample: Sample, stance: Stance) -> None:
    pose = int(np.flatnonzero(sample.contacts.all(axis=1))[0])
    clip = sample.clip
    planter = FootPlanter(clip.skeleton, stance, frame_time=1.0 / 30.0, settings=PlantingSettings(root_time=1e6))
    state, locked = planter.start(1), []
    for frame in range(20):
        root = clip.root_position[pose : pose + 1] + 0.05 * frame * np.array([1.0, 0.0, 0.0])
        turns = clip.rotations[pose : pose + 1]
        step = planter.step(state, root, turns, contact_votes=np.array([[1.0, 1.0]]))
        state = step.state
        locked.append(bool(step.locked[0, 0]))
    assert locked[:3] == [True, True, True]
    assert not any(locked[5:10])


def standing(
    sample: Sample, planter: FootPlanter, displacements: np.ndarray, *, told: bool, votes: np.ndarray | None = None
) -> list[PlantedPose]:
    """A pose that stands with both feet while its root moves by `displacements` [frame, 2]; `told` makes it a push.

    `planter` leaves it to its caller to carry the root's shifts, as crowds do.
    """
    pose = int(np.flatnonzero(sample.contacts.all(axis=1))[0])
    root, turns = sample.clip.root_position[pose : pose + 1].copy(), sample.clip.rotations[pose : pose + 1]
    votes = np.ones((len(displacements), 2)) if votes is None else votes
    state, poses = planter.start(1), []
    for displacement, vote in zip(displacements, votes, strict=True):
        root[0, ::2] += displacement
        push = displacement[np.newaxis] if told else None
        poses.append(planter.step(state, root, turns, contact_votes=vote[np.newaxis], root_push=push))
        state = poses[-1].state
        root += poses[-1].root_shift
    return poses


def pushes(frame_count: int, start: int, displacement: tuple[float, float], *, for_frames: int = 5) -> np.ndarray:
    """Displacements [frame, 2] of a root that is pushed by `displacement` metres in total, from frame `start` on."""
    displacements = np.zeros((frame_count, 2))
    displacements[start : start + for_frames] = np.array(displacement) / for_frames
    return displacements


def test_a_root_that_is_not_pushed_keeps_its_bits(noisy: list[Clip], sample: Sample, stance: Stance) -> None:
    planter = FootPlanter(sample.clip.skeleton, stance, frame_time=1.0 / 30.0)
    votes, clip = votes_from_contacts(sample.contacts, 1.0 / 30.0), noisy[0]
    state = planter.start(1)
    for frame, expected in enumerate(run(planter, [clip], votes)):
        now = slice(frame, frame + 1)
        pose = planter.step(
            state, clip.root_position[now], clip.rotations[now], contact_votes=votes[now], root_push=np.zeros((1, 2))
        )
        state = pose.state
        for name in PlantedPose._fields[:-1]:
            np.testing.assert_array_equal(getattr(pose, name), getattr(expected, name), err_msg=name)


FOR_GOOD = PlantingSettings(lean_time=1e9)  # who is pushed does not come back


def test_a_pushed_character_leans_over_feet_that_stay(sample: Sample, stance: Stance) -> None:
    skeleton = sample.clip.skeleton
    planter = FootPlanter(skeleton, stance, frame_time=1.0 / 30.0, settings=FOR_GOOD, carries_shift=False)
    displacements = pushes(90, 10, (0.05, -0.03))
    leaning, coming = (standing(sample, planter, displacements, told=told) for told in (True, False))
    for poses in (leaning, coming):
        assert all(pose.locked.all() for pose in poses)
        feet = np.array([toes(skeleton, pose)[0] for pose in poses])
        assert np.ptp(feet[..., ::2], axis=0).max() < 1e-6
    displacement = [(poses[-1].root_position - poses[9].root_position)[0, ::2] for poses in (leaning, coming)]
    np.testing.assert_allclose(displacement[0], [0.05, -0.03], atol=1e-8)
    np.testing.assert_allclose(displacement[1], 0.0, atol=0.005)


def test_who_leans_comes_back_over_its_feet_in_the_lean_time(sample: Sample, stance: Stance) -> None:
    lean_time = 0.7
    settings = PlantingSettings(lean_time=lean_time)
    planter = FootPlanter(sample.clip.skeleton, stance, frame_time=1.0 / 30.0, settings=settings, carries_shift=False)
    displacements = pushes(120, 10, (0.05, 0.0), for_frames=1)
    told, untold = (standing(sample, planter, displacements, told=told) for told in (True, False))
    lean = np.array([pose.state.lean[0] for pose in told])
    gone = np.exp(-np.arange(1, 111) / 30.0 / lean_time)
    np.testing.assert_allclose(lean[10:, :, 0], 0.05 * np.stack([gone, gone], axis=1), atol=1e-12)
    away = [
        np.array([pose.root_position[0, 0] - poses[9].root_position[0, 0] for pose in poses])
        for poses in (told, untold)
    ]
    assert (away[0][14:60] > away[1][14:60] + 0.002).all()
    assert abs(away[0][-1]) < 0.002


def test_a_foot_is_held_however_far_the_root_is_pushed_off_it(sample: Sample, stance: Stance) -> None:
    settings = replace(FOR_GOOD, root_time=1e6)
    planter = FootPlanter(sample.clip.skeleton, stance, frame_time=1.0 / 30.0, settings=settings, carries_shift=False)
    displacements = pushes(40, 5, (1.2 * settings.furthest, 0.0))
    assert all(pose.locked.all() for pose in standing(sample, planter, displacements, told=True))
    assert not all(pose.locked.all() for pose in standing(sample, planter, displacements, told=False))


def test_the_lean_of_a_foot_ends_when_it_is_put_down_anew(sample: Sample, stance: Stance) -> None:
    planter = FootPlanter(sample.clip.skeleton, stance, frame_time=1.0 / 30.0, settings=FOR_GOOD, carries_shift=False)
    votes = np.ones((60, 2))
    votes[20:30, 0] = 0.0  # the left foot is lifted for a third of a second
    poses = standing(sample, planter, pushes(60, 5, (0.04, 0.0)), told=True, votes=votes)
    np.testing.assert_allclose(poses[15].state.lean[0], [[0.04, 0.0], [0.04, 0.0]], atol=1e-9)
    assert not poses[25].locked[0, 0]
    assert poses[-1].locked[0].all()
    np.testing.assert_allclose(poses[-1].state.lean[0], [[0.0, 0.0], [0.04, 0.0]], atol=1e-9)


def test_a_push_of_the_wrong_shape_is_named(sample: Sample, stance: Stance) -> None:
    planter = FootPlanter(sample.clip.skeleton, stance, frame_time=1.0 / 30.0)
    root, turns = sample.clip.root_position[:2], sample.clip.rotations[:2]
    for push in (np.zeros((2, 3)), np.zeros(2), np.zeros((1, 2)), np.full((2, 2), np.nan)):
        with pytest.raises(ValueError, match="root_push: expected"):
            planter.step(planter.start(2), root, turns, contact_votes=np.ones((2, 2)), root_push=push)


def test_a_foot_without_toes_is_held_by_its_ankle(sample: Sample) -> None:
    clip = sample.clip
    legs = [Leg(leg.hip, leg.knee, leg.ankle, leg.ankle) for leg in find_body(clip.skeleton).legs]
    body = Body(legs[0], legs[1])
    noisy = disturbed(clip, 0)
    planted = plant_clip(noisy, sample.contacts, stance=measure_stance(clip, [sample.contacts], body=body), body=body)
    votes = votes_from_contacts(sample.contacts, clip.frame_time)
    ankles = planted.world().positions[:, [leg.ankle for leg in legs]][..., ::2]
    held = (votes[1:] > 0.99) & (votes[:-1] > 0.99)
    assert np.linalg.norm(np.diff(ankles, axis=0), axis=-1)[held].mean() * 30.0 < 0.005


def test_the_rig_lists_the_joints_from_the_root_to_each_foot(biped: Skeleton, stance: Stance) -> None:
    """One row per leg; the path to the right foot, which has no toe joint here, is padded to the same length."""
    rig = FootPlanter(biped, stance, frame_time=0.1, body=Body(Leg(1, 2, 3, 4), Leg(5, 6, 7, 7))).rig
    np.testing.assert_array_equal(rig.paths, [[0, 1, 2, 3, 4], [0, 5, 6, 7, -1]])


def test_votes_are_half_or_more_exactly_in_contact() -> None:
    contacts = np.zeros((60, 2), dtype=bool)
    contacts[10:30, 0] = contacts[25:50, 1] = True
    for frame_time in (1.0 / 30.0, 1.0 / 60.0):
        votes = votes_from_contacts(contacts, frame_time)
        np.testing.assert_array_equal(votes >= 0.5, contacts)
        assert votes.min() >= 0.0
        assert votes.max() <= 1.0


def test_wrong_input_is_named(sample: Sample, stance: Stance, biped: Skeleton) -> None:
    clip = sample.clip
    planter = FootPlanter(clip.skeleton, stance, frame_time=1.0 / 30.0)
    state, root, turns = planter.start(1), clip.root_position[:1], clip.rotations[:1]
    with pytest.raises(ValueError, match=r"contact_votes: expected shape \(1, 2\)"):
        planter.step(state, root, turns, contact_votes=np.ones((1, 3)))
    with pytest.raises(ValueError, match="contact_votes: expected numbers between 0 and 1"):
        planter.step(state, root, turns, contact_votes=np.array([[np.nan, 0.0]]))
    with pytest.raises(ValueError, match="root_position: expected finite"):
        planter.step(state, root * np.nan, turns, contact_votes=np.ones((1, 2)))
    for frame_time in (0.0, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="frame_time: expected a positive"):
            FootPlanter(clip.skeleton, stance, frame_time=frame_time)
    with pytest.raises(ValueError, match="release_vote: expected at most"):
        PlantingSettings(release_vote=0.9)
    with pytest.raises(ValueError, match="fade_time: expected"):
        PlantingSettings(fade_time=float("nan"))
    with pytest.raises(ValueError, match="clearance_speeds: expected a lower and a higher speed"):
        PlantingSettings(clearance_speeds=(0.3, 0.3))
    with pytest.raises(ValueError, match="toe_heights: expected two finite"):
        Stance(np.zeros(3), np.zeros(2))
    with pytest.raises(ValueError, match="contacts: expected some contact of the left foot"):
        measure_stance(clip, [np.zeros_like(sample.contacts)])
    with pytest.raises(SkeletonError, match="expected hip, knee, ankle and toe in order below the root"):
        FootPlanter(biped, stance, frame_time=0.1, body=Body(Leg(1, 3, 2, 4), Leg(5, 6, 7, 8)))


def test_a_run_is_its_steps_one_after_the_other(noisy: list[Clip], sample: Sample, stance: Stance) -> None:
    votes = votes_from_contacts(sample.contacts, sample.clip.frame_time)
    planter = FootPlanter(noisy[0].skeleton, stance, frame_time=noisy[0].frame_time)
    root, turns = noisy[0].root_position[np.newaxis], noisy[0].rotations[np.newaxis]
    whole = planter.run(root, turns, contact_votes=votes[np.newaxis])
    state = planter.start(1)
    for frame in range(40):
        pose = planter.step(state, root[:, frame], turns[:, frame], contact_votes=votes[np.newaxis, frame])
        np.testing.assert_array_equal(pose.rotations, whole.rotations[:, frame])
        np.testing.assert_array_equal(pose.reached, whole.reached[:, frame])
        state = pose.state
    with pytest.raises(ValueError, match="of one"):
        planter.run(root, turns, contact_votes=votes[np.newaxis, :-1])
