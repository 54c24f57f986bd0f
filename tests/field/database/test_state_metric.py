"""A metric of one's own is built with, saved, and found again by its name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionfields as mf
from motionfields.base.arrays import FloatArray
from motionfields.base.errors import ArtifactError
from motionfields.field.database import METRICS, StateMetric
from motionfields.field.database.metric import Metric
from motionfields.field.database.states import MotionState
from motionfields.field.database.streaming import Recipe, streamed_database
from motionfields.motion.clip import Clip
from motionfields.motion.samples import generate_samples


@dataclass(frozen=True)
class Simple(StateMetric):
    """Height, root velocity and plain joint rotations."""

    speed_weight: float = 20.0

    name = "simple"

    def embed(self, state: MotionState) -> FloatArray:
        """Return feature vectors [..., dimension]."""
        pose, velocity = state
        joints = pose.joint_rotations.reshape(*pose.root_position.shape[:-1], -1)
        root = pose.root_position[..., 1:2]
        return np.concatenate([root, self.speed_weight * velocity.root_step, joints], axis=-1).astype(np.float32)


@pytest.fixture
def known() -> Iterator[None]:
    METRICS.add("simple", Simple)
    yield
    METRICS._added.clear()


@pytest.fixture(scope="module")
def clips() -> list[Clip]:
    return [sample.clip for sample in generate_samples(only=["walk_forward", "walk_slow"])]


@pytest.fixture(scope="module")
def field(clips: list[Clip]) -> mf.MotionField:
    return mf.MotionField(mf.MotionDatabase.build(clips, metric=Simple(speed_weight=5.0)))


@pytest.mark.usefixtures("known")
def test_an_own_metric_is_saved_and_loaded(field: mf.MotionField, tmp_path: Path) -> None:
    field.save(tmp_path / "own.field")
    again = mf.MotionField.load(tmp_path / "own.field")
    assert again.database.metric == Simple(speed_weight=5.0)
    np.testing.assert_array_equal(again.database.features, field.database.features)
    state = field.draw(3)
    np.testing.assert_array_equal(again.neighbors(state).indices, field.neighbors(state).indices)
    again.save(tmp_path / "again.field")
    assert (tmp_path / "again.field").read_bytes() == (tmp_path / "own.field").read_bytes()


def test_a_metric_that_is_not_known_is_named_with_a_way_to_provide_it(field: mf.MotionField, tmp_path: Path) -> None:
    field.save(tmp_path / "own.field")
    with pytest.raises(ArtifactError, match=r"metric 'simple', which is not known here; .*METRICS\.add\('simple'"):
        mf.MotionField.load(tmp_path / "own.field")


def test_a_class_that_does_not_fit_the_file_is_refused(field: mf.MotionField, tmp_path: Path) -> None:
    class Narrow(Simple):
        def embed(self, state: MotionState) -> FloatArray:
            return super().embed(state)[..., :5]

    field.save(tmp_path / "own.field")
    for other in (Narrow, Metric):
        METRICS.add("simple", other)
        with pytest.raises(ArtifactError, match="invalid motion database"):
            mf.MotionField.load(tmp_path / "own.field")
    METRICS._added.clear()


def test_the_distance_is_that_of_the_features(field: mf.MotionField) -> None:
    first, second = field.draw(4, seed=1), field.draw(4, seed=2)
    metric = field.database.metric
    expected = np.linalg.norm(metric.embed(first) - metric.embed(second), axis=-1)
    np.testing.assert_array_equal(metric.distance(first, second), expected)


def test_a_streamed_build_gives_the_same_features(clips: list[Clip], tmp_path: Path) -> None:
    for clip in clips:
        mf.save_clip(clip, tmp_path / f"{clip.name}.bvh")
    paths: list[str | Path] = sorted(tmp_path.glob("*.bvh"))
    settings = mf.database.BuildSettings(metric=Simple())
    with streamed_database(paths, tmp_path / "shards", Recipe(settings)) as made:
        whole = mf.MotionDatabase.build([mf.load_clip(path) for path in paths], metric=Simple())
        np.testing.assert_array_equal(made.database.features, whole.features)
        assert made.database.metric == Simple()


def test_the_metric_of_the_paper_may_be_given_whole(clips: list[Clip]) -> None:
    usual = mf.MotionDatabase.build(clips[:1]).metric
    assert isinstance(usual, Metric)
    same = Metric.from_facts(usual.facts())
    built = mf.MotionDatabase.build(clips[:1], metric=same)
    assert built.metric is same
    np.testing.assert_allclose(built.features, mf.MotionDatabase.build(clips[:1]).features, atol=1e-6)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": ""}, "to have a name"),
        ({"facts": lambda self: {"speed": np.float32(1.0)}}, "to be JSON values"),
        ({"facts": lambda self: {"speed": float("nan")}}, "to be JSON values"),
        ({"embed": lambda self, state: np.zeros(3)}, r"expected features \["),
        ({"embed": lambda self, state: np.full((len(state.pose.root_position), 2), np.nan)}, "finite"),
    ],
)
def test_a_metric_that_cannot_serve_is_refused(clips: list[Clip], change: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        mf.MotionDatabase.build(clips[:1], metric=type("Odd", (Simple,), change)())


def test_the_built_in_name_cannot_be_taken() -> None:
    with pytest.raises(ValueError, match="'paper' is built in"):
        METRICS.add("paper", Simple)
    assert METRICS.load("paper") is Metric
