from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import turn_over_ground, wrap_angle
from motionfields.control.methods.graph.cutting import LEFT, RIGHT, StepClips, cut_steps
from motionfields.control.methods.thesis.steps import Steps, mirror_pairs, step_table, varied_clips, whole_clips
from motionfields.control.root_motion import facing_of, hip_line, measure_root_motion
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples

from .small import TURN, hand_steps


@pytest.fixture(scope="module")
def database() -> MotionDatabase:
    names = ["walk_forward", "turn_left_090_quick"]
    return MotionDatabase.build(sample.clip for sample in generate_samples(frame_rate=30.0, only=names))


@pytest.fixture(scope="module")
def clips(database: MotionDatabase) -> StepClips:
    return cut_steps(database)


@pytest.fixture(scope="module")
def steps(database: MotionDatabase, clips: StepClips) -> Steps:
    return step_table(database, clips)


def facing_and_place(database: MotionDatabase, state: int) -> tuple[float, FloatArray]:
    """World facing and ground position of the root at a state of its take, from the take played as a clip."""
    take = int(database.clip_of[state])
    clip = list(database.iter_source_clips())[take]
    frame = state - int(database.clip_starts[take])
    hips = hip_line(database.skeleton)
    return float(facing_of(clip.rotations[frame, 0], hips)), clip.root_position[frame, ::2]


def test_the_next_step_of_a_take_follows_as_captured(database: MotionDatabase, clips: StepClips, steps: Steps) -> None:
    """Where a clip goes on in its own take, nothing is turned or moved, and the blend costs nothing."""
    pairs = [(a, a + 1) for a in range(len(clips.start) - 1) if clips.end[a] == clips.start[a + 1]]
    assert len(pairs) > 8
    for before, after in pairs:
        assert steps.cost[before, after] == pytest.approx(0.0, abs=1e-4)
        (turned, place), (facing, end) = (
            facing_and_place(database, int(clips.start[after])),
            facing_and_place(database, int(clips.end[after])),
        )
        assert wrap_angle(np.array(facing - turned)) == pytest.approx(steps.turn[before, after], abs=2e-3)
        there = turn_over_ground(end - place, np.array(-turned))
        np.testing.assert_allclose(steps.travel[before, after], there, atol=5e-3)


def test_a_step_cannot_follow_on_the_wrong_foot(clips: StepClips, steps: Steps) -> None:
    np.testing.assert_array_equal(np.isfinite(steps.cost), clips.follows())


def test_varied_clips_are_pairs_of_mirror_images(database: MotionDatabase, clips: StepClips) -> None:
    chosen = varied_clips(database, clips, 6)
    assert chosen.shape == (2, 3)
    assert len(np.unique(chosen)) == 6
    assert (clips.foot[chosen] == [[LEFT], [RIGHT]]).all()
    turn, travel = whole_clips(measure_root_motion(database), clips)
    np.testing.assert_allclose(turn[chosen[0]], -turn[chosen[1]], atol=1e-3)
    np.testing.assert_allclose(travel[chosen[0]], travel[chosen[1]] * [-1.0, 1.0], atol=1e-3)
    assert np.abs(turn[chosen[0, 0]]) == np.abs(turn[mirror_pairs(database, clips)[0]]).min()
    with pytest.raises(ValueError, match="mirror images"):
        varied_clips(database, StepClips(*(part[:0] for part in clips)), 6)


def test_warps_turn_and_stretch_a_step() -> None:
    steps = hand_steps()
    warped = steps.warped((0.0, 0.4), (1.0, 2.0))
    assert warped.clip.tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]
    np.testing.assert_array_equal(warped.turn[2, :4], [0.0, 0.0, 0.4, 0.4])
    sine, cosine = np.sin(0.2), np.cos(0.2)
    there = np.array([[0.0, 0.5], [0.0, 1.0], [0.5 * sine, 0.5 * cosine], [sine, cosine]])
    np.testing.assert_allclose(warped.travel[2, :4], there)
    np.testing.assert_allclose(warped.cost[2, :4], [0.0, 0.5, 0.2, 0.7])
    alone = steps.only(np.array([2, 1]))
    assert alone.clip.tolist() == [0, 1]
    assert alone.turn.tolist() == [[0.0, TURN], [0.0, TURN]]
    assert alone.cost[1, 0] == steps.cost[1, 2]
