"""The guard of crowds: a character that is not finite is named and starts again, and the others go on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import CharacterWarning
from motionfields.control.controller import FieldController
from motionfields.motion.planting import FootPlanter, PlantedPose
from motionfields.runtime import Frame
from motionfields.runtime.passive import PassiveCrowd
from motionfields.runtime.planters import PLANTING
from motionfields.runtime.soundness import unsound_followers, unsound_poses
from tests.control.training.small import direction_controller


@pytest.fixture(scope="module")
def controller() -> FieldController:
    return direction_controller()


def assert_others_alike(frame: Frame, other: Frame, bad: int) -> None:
    kept = np.arange(len(frame.states)) != bad
    for mine, its in zip(frame, other, strict=True):
        np.testing.assert_array_equal(mine[kept], its[kept])


@pytest.mark.parametrize(
    ("track", "value"),
    [
        ("position", np.nan),
        ("yaw", np.inf),
        ("offset", np.nan),
        ("offset_rate", -np.inf),
        ("state", 10**9),
        ("state", -1),
        ("variant", 10**7),
        ("variant", -1),
    ],
)
def test_a_bad_character_is_named_and_starts_again(controller: FieldController, track: str, value: Any) -> None:
    crowd, twin = controller.crowd(5, seed=3), controller.crowd(5, seed=3)
    for _ in range(4):
        crowd.step(0.5), twin.step(0.5)
    getattr(crowd.followers, track)[2] = value
    with pytest.warns(CharacterWarning, match="character 2: .* at frame 4, and was reset"):
        frame = crowd.step(0.5)
    assert all(np.isfinite(track).all() for track in frame)
    assert_others_alike(frame, twin.step(0.5), 2)
    for _ in range(30):
        frame, other = crowd.step(0.5), twin.step(0.5)
        assert all(np.isfinite(track).all() for track in frame)
        assert_others_alike(frame, other, 2)
    if track != "position":  # a place that is known is kept
        assert np.abs(frame.root_position[2, ::2]).max() > 0.0


class BadPlanter(FootPlanter):
    """Foot locking that loses one character at one frame."""

    frame = 0

    def step(self, state: Any, root_position: FloatArray, rotations: FloatArray, **options: Any) -> PlantedPose:
        self.frame += 1
        posed = super().step(state, root_position, rotations, **options)
        if self.frame == 3:
            posed.rotations[1] = np.nan
        return posed


def test_a_pose_that_is_not_finite_is_never_shown(controller: FieldController) -> None:
    database = controller.field.database
    bad = BadPlanter(database.skeleton, controller.field.stance, frame_time=database.frame_time, settings=PLANTING)
    crowd = controller.crowd(3, seed=3, planter=bad)
    crowd.step(0.5), crowd.step(0.5)
    with pytest.warns(CharacterWarning, match="character 1:"):
        frame = crowd.step(0.5)
    np.testing.assert_allclose(np.linalg.norm(frame.rotations, axis=-1), 1.0, atol=1e-6)
    assert np.isfinite(crowd.step(0.5).rotations).all()


def test_a_passive_character_starts_again(controller: FieldController) -> None:
    crowd = PassiveCrowd(controller.field, 3)
    crowd.step()
    crowd.state.pose.root_position[1] = np.nan
    with pytest.warns(CharacterWarning, match="character 1:"):
        frame = crowd.step()
    assert np.isfinite(frame.root_position).all()


def test_the_guard_finds_what_numpy_finds(controller: FieldController, rng: np.random.Generator) -> None:
    crowd = controller.crowd(200, seed=1)
    frame = crowd.step(0.3)
    followers = crowd.followers
    assert len(unsound_followers(followers, 10**6, 2)) == 0
    assert len(unsound_poses(frame.root_position, frame.rotations)) == 0
    for track in (followers.position, followers.yaw, followers.offset, followers.offset_rate):
        flat = track.reshape(-1)
        flat[rng.integers(0, flat.size, 5)] = rng.choice([np.nan, np.inf, -np.inf], 5)
    followers.state[7], followers.variant[9] = 10**6, 2
    tracks = (followers.position, followers.yaw, followers.offset, followers.offset_rate)
    finite = [np.isfinite(track).reshape(200, -1).all(axis=1) for track in tracks]
    known = (followers.state < 10**6) & (followers.variant < 2)
    expected = np.flatnonzero(~(np.logical_and.reduce(finite) & known))
    np.testing.assert_array_equal(unsound_followers(followers, 10**6, 2), expected)
    flat = frame.rotations.reshape(-1)
    flat[rng.integers(0, flat.size, 9)] = np.nan
    frame.root_position[11, 1] = -np.inf
    poses = np.isfinite(frame.rotations).all(axis=(1, 2)) & np.isfinite(frame.root_position).all(axis=1)
    np.testing.assert_array_equal(unsound_poses(frame.root_position, frame.rotations), np.flatnonzero(~poses))
