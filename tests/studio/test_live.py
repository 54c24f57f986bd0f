from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.geometry import quat_normalize
from motionfields.motion import quality
from motionfields.motion.clip import Clip
from motionfields.runtime import Frame
from motionfields.studio import Session
from motionfields.studio.live import LiveFigures, source_figures
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


def test_the_source_skates_little_and_its_jerk_is_that_of_its_clips(session: Session) -> None:
    skate, jerk = source_figures(session.field)
    assert 0.0 <= skate < 0.1
    clips = [clip for clip in session.field.database.source_clips() if clip.frame_count >= 4]
    mean = np.concatenate([quality.jerk(clip) for clip in clips]).mean()
    assert jerk == pytest.approx(mean, rel=0.01)
