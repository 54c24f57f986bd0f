from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.geometry import quat_normalize
from motionfields.measure.evaluation.footing import foot_figures, foot_tracks
from motionfields.motion import quality
from motionfields.motion.clip import Clip
from motionfields.runtime import Frame
from motionfields.studio import Session
from motionfields.studio.live import LiveFigures, source_means
from motionfields.studio.messages import Goal

AHEAD = Goal("heading", 0.0, 0.0, 0.0, 0.0)


def steps(session: Session, count: int, heading: float = 0.0) -> list[Frame]:
    crowd = session.controller.crowd(2, seed=1)
    return [crowd.step(heading) for _ in range(count)]


def test_live_figures_are_those_of_the_measures_of_a_clip(session: Session) -> None:
    frames, live = steps(session, 40), LiveFigures(session.field)
    told = [live.measure(frame, 1, AHEAD) for frame in frames]
    skeleton, frame_time = session.field.database.skeleton, session.frame_time
    root = np.stack([frame.root_position[1] for frame in frames])
    rotations = quat_normalize(np.stack([frame.rotations[1] for frame in frames]))
    clip = Clip(skeleton, root, rotations, frame_time)
    np.testing.assert_allclose([figures.jerk for figures in told[3:]], quality.jerk(clip), rtol=1e-9)
    facing = [figures.facing for figures in told]
    np.testing.assert_allclose(np.unwrap(facing), quality.facing_yaw(clip), atol=1e-9)
    speed = np.linalg.norm(np.diff(root[:, ::2], axis=0), axis=-1) / frame_time
    np.testing.assert_allclose([figures.speed for figures in told[1:]], speed, rtol=1e-9)
    feet = foot_tracks(clip, session.field.stance)
    np.testing.assert_allclose([figures.foot for figures in told[1:]], feet.speed, atol=1e-9)
    np.testing.assert_allclose([figures.spin for figures in told[1:]], feet.spin, atol=1e-9)
    np.testing.assert_allclose([figures.twist for figures in told[1:]], feet.twist, atol=1e-9)


def test_a_turn_on_one_repeated_moment_is_told_as_replayed(session: Session) -> None:
    crowd = session.controller.crowd(1, seed=1)
    for _ in range(20):
        crowd.step(0.0)
    turning = [crowd.step(2.5) for _ in range(60)]
    advancing, statue = LiveFigures(session.field), LiveFigures(session.field)
    for frame in turning:
        shown = advancing.measure(frame, 0, AHEAD).replayed
        assert shown == 0.0
    told = [statue.measure(frame._replace(states=turning[0].states), 0, AHEAD).replayed for frame in turning]
    assert max(told) > 0.5


def test_the_watch_runs_from_a_new_goal_until_the_facing_is_there(session: Session) -> None:
    live, crowd = LiveFigures(session.field), session.controller.crowd(1)
    for _ in range(40):
        live.measure(crowd.step(0.0), 0, AHEAD)
    told = []
    for _ in range(90):
        told.append(live.measure(crowd.step(2.0), 0, Goal("heading", 0.0, 0.0, 2.0, 0.0)))
    there = next(number for number, figures in enumerate(told) if figures.answered)
    assert abs(told[there].error) < np.radians(5.0) <= abs(told[there - 1].error)
    assert told[there].response == pytest.approx(there * session.frame_time)
    assert told[-1].response == told[there].response


def test_the_watch_does_not_start_by_looking_at_another_character(session: Session) -> None:
    frames, live = steps(session, 6), LiveFigures(session.field)
    for character, frame in zip((0, 0, 0, 1, 1, 0), frames, strict=True):
        assert live.measure(frame, character, AHEAD).response == 0.0


def test_the_references_are_means_over_the_source_clips(session: Session) -> None:
    source = source_means(session.field)
    clips = [clip for clip in session.field.database.source_clips() if clip.frame_count >= 4]
    assert source.jerk == pytest.approx(np.concatenate([quality.jerk(clip) for clip in clips]).mean())
    feet = foot_figures([foot_tracks(clip, session.field.stance) for clip in clips])
    assert source.foot == pytest.approx(feet.foot_speed)
    assert 0.0 < source.twist < feet.twist
    assert source.spin > 0.0
