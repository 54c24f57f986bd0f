"""Values for every frame follow their frames into the states, the file and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionfields as mf
from motionfields.control.tasks import Direction
from motionfields.field.database import ClipColumn, ClipColumns
from motionfields.field.database.streaming import Recipe, streamed_database
from motionfields.field.pruning import kept_states
from motionfields.motion.clip import Clip
from motionfields.motion.samples import generate_samples


@pytest.fixture(scope="module")
def clips() -> list[Clip]:
    return [sample.clip for sample in generate_samples(only=["walk_forward", "walk_slow"])]  # 60 frames a second


def numbers(clips: Sequence[Clip]) -> list[np.typing.NDArray[np.int64]]:
    """The number of each frame, a thousand higher in each clip."""
    return [1000 * i + np.arange(clip.frame_count) for i, clip in enumerate(clips)]


@pytest.fixture(scope="module")
def database(clips: list[Clip]) -> mf.MotionDatabase:
    sides = ClipColumn([np.ones((clip.frame_count, 2)) * [1.0, 2.0] for clip in clips], mirror=lambda v: v[:, ::-1])
    return mf.MotionDatabase.build(clips, columns={"frame": numbers(clips), "sides": sides})


def test_a_state_has_the_value_of_the_nearest_frame_and_a_mirror_image_those_of_its_clip(
    database: mf.MotionDatabase,
) -> None:
    column = database.columns["frame"]
    assert column.dtype == np.int64
    first, second, third = database.clip_starts[:3]
    np.testing.assert_array_equal(column[first:second], 2 * np.arange(second - first))
    np.testing.assert_array_equal(column[second:third], column[first:second])
    assert column[third] == 1000


def test_a_mirror_rule_makes_the_values_of_mirror_images(database: mf.MotionDatabase) -> None:
    first, second = database.clip_starts[:2]
    assert database.columns["sides"][first].tolist() == [1.0, 2.0]
    assert database.columns["sides"][second].tolist() == [2.0, 1.0]


def test_halfway_between_two_frames_the_earlier_counts(clips: list[Clip]) -> None:
    one = mf.resample(clips[0], 45.0)
    made = mf.MotionDatabase.build([one], columns={"frame": [np.arange(one.frame_count)]}, mirror=False)
    np.testing.assert_array_equal(made.columns["frame"][:5], [0, 1, 3, 4, 6])  # 0, 1.5, 3, 4.5, 6


def test_columns_are_saved_and_loaded(database: mf.MotionDatabase, tmp_path: Path) -> None:
    mf.MotionField(database).save(tmp_path / "labelled.field")
    again = mf.MotionField.load(tmp_path / "labelled.field").database
    assert list(again.columns) == ["frame", "sides"]
    for name, values in database.columns.items():
        np.testing.assert_array_equal(again.columns[name], values, strict=True)


def test_a_column_can_be_added_replaced_and_pruned(database: mf.MotionDatabase) -> None:
    label = np.arange(database.state_count) % 3 == 0
    more = database.with_column("label", label)
    assert list(database.columns) == ["frame", "sides"]
    np.testing.assert_array_equal(more.columns["label"], label)
    assert more.with_column("label", 1 * label).columns["label"].dtype == np.int64
    keep = np.arange(database.state_count) < 40
    np.testing.assert_array_equal(kept_states(more, keep).columns["label"], label[:40])
    with pytest.raises(ValueError, match=r"column label: expected \d+ values, one per state, got 5"):
        database.with_column("label", np.zeros(5))


def test_tasks_and_the_transition_finder_see_the_columns(database: mf.MotionDatabase) -> None:
    seen = []

    class Looking(Direction):
        def adapted(self, database: mf.MotionDatabase) -> Any:
            seen.append(database.columns["frame"])
            return super().adapted(database)

    field = mf.MotionField(database)
    mf.methods.train_matching(field, Looking())
    assert seen[0] is database.columns["frame"]
    finder = mf.transitions.TransitionFinder(field, mf.root_motion.measure_root_motion(database), mf.ControlSettings())
    assert finder.database.columns is database.columns


def test_a_streamed_build_has_the_same_columns(clips: list[Clip], tmp_path: Path) -> None:
    for clip in clips:
        mf.save_clip(clip, tmp_path / f"{clip.name}.bvh")
    paths: list[str | Path] = sorted(tmp_path.glob("*.bvh"))
    loaded = [mf.load_clip(path) for path in paths]
    values = {str(path): frames for path, frames in zip(paths, numbers(loaded), strict=True)}
    whole = mf.MotionDatabase.build(loaded, columns={"frame": values})
    recipe = Recipe(columns=ClipColumns({"frame": values}))
    with streamed_database(paths, tmp_path / "shards", recipe) as made:
        np.testing.assert_array_equal(made.database.columns["frame"], whole.columns["frame"], strict=True)
    with (
        pytest.raises(ValueError, match="column frame: expected arrays by file path, got a list"),
        streamed_database(paths, tmp_path / "shards", Recipe(columns=ClipColumns({"frame": numbers(loaded)}))),
    ):
        pass


def test_other_values_make_other_shards(clips: list[Clip], tmp_path: Path) -> None:
    mf.save_clip(clips[0], tmp_path / "walk.bvh")
    path = str(tmp_path / "walk.bvh")
    count = mf.load_clip(path).frame_count

    def interrupt(recipe: Recipe) -> None:
        with streamed_database([path], tmp_path / "shards", recipe):
            raise KeyboardInterrupt

    def interrupted(value: int) -> set[str]:
        """The shards that a build leaves when it is interrupted."""
        recipe = Recipe(columns=ClipColumns({"label": {path: np.full(count, value)}}))
        with pytest.raises(KeyboardInterrupt):
            interrupt(recipe)
        return {shard.name for shard in (tmp_path / "shards").glob("*.shard")}

    assert interrupted(1) == interrupted(1) != interrupted(2)


def test_frames_of_a_rest_pose_that_loading_dropped_may_have_values(clips: list[Clip], tmp_path: Path) -> None:
    mf.save_clip(clips[0], tmp_path / "walk.bvh")
    clip = mf.load_clip(tmp_path / "walk.bvh", rest_frames=10)
    for values in (np.arange(clip.frame_count + 10), np.arange(10, clip.frame_count + 10)):
        made = mf.MotionDatabase.build([clip], columns={"frame": [values]}, mirror=False)
        np.testing.assert_array_equal(made.columns["frame"][:3], [10, 12, 14])


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"a b": [[1], [2]]}, "columns: expected names"),
        ({"label": [["walk"], ["run"]]}, "column label: expected booleans, whole numbers or floats"),
        ({"label": [np.zeros((2, 2, 2))] * 2}, r"expected \[frame\] or \[frame, k\]"),
        ({"label": [[np.nan]] * 2}, "expected finite numbers"),
        ({"label": [np.zeros(3), np.zeros(3, np.int64)]}, "values of one type and width"),
        ({"label": [np.zeros((3, 1)), np.zeros((3, 2))]}, "values of one type and width"),
        ({"label": [np.zeros(3)]}, "expected values for every clip, got none for 1"),
        ({"label": [np.zeros(3)] * 3}, "no clip is called 2"),
        ({"label": {"other": np.zeros(3)}}, "expected values for every clip, got none for"),
        ({"label": [np.zeros(3)] * 2}, r"column label: expected \d+ values, one for each frame of \w+, got 3"),
        ({"label": ClipColumn([np.zeros(3)] * 2, mirror=lambda v: v[:1])}, "keeps shape"),
    ],
)
def test_columns_that_do_not_fit_are_refused(clips: list[Clip], columns: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        mf.MotionDatabase.build(clips, columns=columns)


def test_clips_without_files_go_by_their_names(clips: list[Clip]) -> None:
    named = [replace(clip, name=name) for clip, name in zip(clips, "ab", strict=True)]
    made = mf.MotionDatabase.build(named, columns={"x": dict(zip("ab", numbers(named), strict=True))})
    assert made.columns["x"][0] == 0
