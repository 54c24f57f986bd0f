"""From states to a motion: pieces as captured, smooth seams, feet in place."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.authoring.compose.cuts import find_cuts
from motionfields.authoring.compose.rendering import (
    RootWarp,
    crossfaded,
    ground_path,
    mixed,
    render,
    track_of,
)
from motionfields.authoring.easing import smooth_share
from motionfields.control.root_motion import RootMotion, measure_root_motion
from motionfields.field import MotionField
from motionfields.motion import quality


@pytest.fixture(scope="module")
def root_motion(field: MotionField) -> RootMotion:
    return measure_root_motion(field.database)


def test_an_uncut_path_is_its_take(field: MotionField, root_motion: RootMotion) -> None:
    """Joints and root motion are those of the source clip; holding the feet changes the legs alone."""
    first = int(field.database.clip_starts[2])
    path = np.arange(first + 5, first + 45)
    source = field.database.source_clips()[2]
    track = crossfaded(field, root_motion, path)
    ground = ground_path(track)
    gap = source.root_position[5:45, ::2] - source.root_position[5, ::2]
    np.testing.assert_allclose(np.linalg.norm(ground.place, axis=-1), np.linalg.norm(gap, axis=-1), atol=1e-5)
    np.testing.assert_allclose(track.height, source.root_position[5:45, 1], atol=1e-6)
    shown = render(field, root_motion, path, start=(1.0, 2.0, 0.5))
    np.testing.assert_allclose(shown.clip.root_position[0, ::2], [1.0, 2.0], atol=0.05)
    assert quality.facing_yaw(shown.clip)[0] == pytest.approx(0.5, abs=1e-5)


def test_seams_are_smooth_and_feet_hold(field: MotionField, root_motion: RootMotion) -> None:
    """The cheapest cut from the middle of a clip jerks no more than the data, and much less than a hard cut."""
    database, cuts = field.database, find_cuts(field)
    middle = [s for s in range(database.state_count) if s - database.clip_starts[database.clip_of[s]] > 25]
    able = [s for s in middle if cuts.first[s + 1] > cuts.first[s]]
    able = [s for s in able if database.frames_left[cuts.targets[cuts.first[s]]] > 25]
    state = min(able, key=lambda s: int(cuts.costs[cuts.first[s]]))
    target = int(cuts.targets[cuts.first[state]])
    path = np.concatenate([np.arange(state - 20, state), np.arange(target, target + 20)])
    shown = render(field, root_motion, path)
    source = np.mean([quality.mean_jerk(clip) for clip in database.source_clips()])
    assert quality.mean_jerk(shown.clip) < 1.2 * source
    captured = database.contacts[path]
    assert (shown.contacts | ~captured).all()
    assert quality.foot_skate(shown.clip, captured).mean < 1e-3
    np.testing.assert_array_equal(render(field, root_motion, path).clip.rotations, shown.clip.rotations)


def test_seams_at_the_ends_of_clips_are_shorter(field: MotionField, root_motion: RootMotion) -> None:
    """A cut from the last state of a clip to the first of another has nothing to fade; the poses stay as captured."""
    starts = field.database.clip_starts
    path = np.concatenate([np.arange(starts[1] - 10, starts[1] - 1), np.arange(starts[2], starts[2] + 10)])
    track = crossfaded(field, root_motion, path)
    plain = track_of(field, root_motion, path)
    np.testing.assert_allclose(track.height[[0, -1]], plain.height[[0, -1]])
    assert np.isfinite(track.rotations).all()


def test_a_warp_is_added_to_the_root_motion(field: MotionField, root_motion: RootMotion) -> None:
    track = track_of(field, root_motion, np.arange(3))._replace(
        steps=np.array([[0.0, 1.0], [0.0, 1.0], [0.0, 1.0]]), turns=np.zeros(3)
    )
    warp = RootWarp(np.array([np.pi / 2.0, 0.0, 0.0]), np.array([[0.1, 0.0], [0.0, 0.0], [9.0, 9.0]]))
    ground = ground_path(track, (1.0, 0.0), 0.0, warp)
    np.testing.assert_allclose(ground.yaw, [0.0, np.pi / 2.0, np.pi / 2.0])
    np.testing.assert_allclose(ground.place, [[1.0, 0.0], [1.1, 1.0], [2.1, 1.0]], atol=1e-12)


def test_shares_rise_smoothly_and_mixing_ends_at_both_tracks(field: MotionField, root_motion: RootMotion) -> None:
    time = np.linspace(0.0, 1.0, 101)
    share = smooth_share(time)
    assert (share[0], share[50], share[-1]) == (0.0, 0.5, 1.0)
    assert np.abs(np.diff(share, n=2)[[0, -1]]).max() < 1e-4
    old, new = track_of(field, root_motion, np.array([3, 4])), track_of(field, root_motion, np.array([90, 91]))
    for share_of_new, expected in ((0.0, old), (1.0, new)):
        for found, wanted in zip(mixed(old, new, np.full(2, share_of_new))[1:], expected[1:], strict=True):
            np.testing.assert_allclose(found, wanted, atol=1e-12)
