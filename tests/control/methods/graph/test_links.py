from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.geometry import quat_from_yaw, quat_rotate
from motionfields.control.methods.graph.cutting import StepClips, cut_steps
from motionfields.control.methods.graph.links import Joints
from motionfields.control.root_motion import measure_root_motion
from motionfields.control.transitions import BLOCKED, jump_features
from motionfields.field import MotionField
from motionfields.motion.body import find_body
from motionfields.motion.skeleton import forward_kinematics

HALF_LIFE = 0.18


@pytest.fixture(scope="module")
def clips(field: MotionField) -> StepClips:
    return cut_steps(field.database)


@pytest.fixture(scope="module")
def joints(field: MotionField) -> Joints:
    return Joints.of(field.database, measure_root_motion(field.database), half_life=HALF_LIFE)


def test_a_clip_goes_on_as_itself_for_nothing(joints: Joints, clips: StepClips) -> None:
    links = joints.links(clips.start, clips.foot, clips)
    np.testing.assert_allclose(np.diag(links.costs), 0.0, atol=1e-4)
    np.testing.assert_array_equal(np.diag(links.turns), 0.0)


def test_who_begins_on_the_other_foot_cannot_follow(joints: Joints, clips: StepClips) -> None:
    links = joints.links(clips.end, clips.end_foot, clips)
    np.testing.assert_array_equal(links.costs < BLOCKED, clips.follows())


def test_the_standing_foot_stays_and_costs_are_the_mean_jump_about_it(
    field: MotionField, joints: Joints, clips: StepClips, rng: np.random.Generator
) -> None:
    """By plain rotations of the whole character, pair by pair."""
    database = field.database
    features = jump_features(database, measure_root_motion(database), half_life=HALF_LIFE)[:, 0].astype(np.float64)
    rotations = database.rotations
    places = forward_kinematics(database.skeleton, database.poses(slice(None)).root_position, rotations).positions
    links = joints.links(clips.end, clips.end_foot, clips)
    stiffness = 2.0 * np.log(2.0) / HALF_LIFE
    pairs = np.argwhere(clips.follows())
    for old_clip, clip in pairs[rng.integers(0, len(pairs), 60)]:
        old, new, foot = int(clips.end[old_clip]), int(clips.start[clip]), int(clips.foot[clip])
        leg = find_body(database.skeleton).legs[foot]
        turn = float(links.turns[old_clip, clip])
        shift = joints.shift(np.array([old]), np.array([new]), np.array([foot]), np.array([turn]))[0]
        toe, ankle = (quat_rotate(quat_from_yaw(turn), places[new, joint]) for joint in (leg.toe, leg.ankle))
        np.testing.assert_allclose((toe[::2] + shift), places[old, leg.toe, ::2], atol=1e-5)
        yaws = [
            np.arctan2(variant[0], variant[2])
            for variant in (toe - ankle, places[old, leg.toe] - places[old, leg.ankle])
        ]
        assert abs(np.angle(np.exp(1j * (yaws[0] - yaws[1])))) < 1e-5
        turned = quat_rotate(np.broadcast_to(quat_from_yaw(turn), (*features[new].shape[:-1], 4)), features[new])
        moved = stiffness**2 * np.array([shift[0], 0.0, shift[1]]) / len(turned)
        cost = np.linalg.norm(features[old] - turned - moved, axis=-1).sum()
        assert links.costs[old_clip, clip] == pytest.approx(cost, rel=1e-3)
