"""Databases and fields that compiled loops could not read are refused when they are made or loaded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionfields.base.artifacts import read_artifact, write_artifact
from motionfields.base.errors import ArtifactError
from motionfields.field import MotionField, similarity_weights
from motionfields.field.field import FIELD_VERSION
from tests.control.training.small import small_field

Change = Callable[[dict[str, Any], dict[str, Any]], None]

FLOATS = ("root_height", "root_tilt", "joint_rotations", "root_step", "root_turn", "joint_turns", "features")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fields") / "whole.field"
    small_field().save(path)
    return path


def forged(saved: Path, path: Path, change: Change) -> None:
    """Write a copy of the file `saved` with other content, and right checksums."""
    artifact = read_artifact(saved, kind="field", newest_version=FIELD_VERSION)
    arrays = {name: np.array(artifact.arrays[name]) for name in artifact.arrays}
    facts: dict[str, Any] = dict(artifact.facts)
    change(arrays, facts)
    write_artifact(path, kind="field", version=FIELD_VERSION, arrays=arrays, facts=facts)


def with_number(name: str, number: float) -> Change:
    def change(arrays: dict[str, Any], facts: dict[str, Any]) -> None:
        arrays[name].reshape(-1)[-1] = number

    return change


def with_fact(number: Any, *path: str) -> Change:
    def change(arrays: dict[str, Any], facts: dict[str, Any]) -> None:
        for name in path[:-1]:
            facts[name] = facts = dict(facts[name])
        facts[path[-1]] = number

    return change


def wrapping_starts(arrays: dict[str, Any], facts: dict[str, Any]) -> None:
    facts["clip_names"] = list("abcde")
    ends = [0, 2**62, 2**63 - 1, -(2**63), -(2**62), len(arrays["root_height"])]
    arrays["clip_starts"] = np.array(ends)  # their differences in int64 are all positive


def falling_starts(arrays: dict[str, Any], facts: dict[str, Any]) -> None:
    arrays["clip_starts"][1:3] = arrays["clip_starts"][[2, 1]]


CHANGES: dict[str, Change] = {
    "clip_starts wrap around": wrapping_starts,
    "clip_starts fall": falling_starts,
    **{f"{name} {number}": with_number(name, number) for name in FLOATS for number in (np.nan, np.inf, 3e38)},
    "joint_rotations of length 0": lambda arrays, facts: arrays["joint_rotations"].fill(0.0),
    "parents of floats": lambda arrays, facts: arrays.update(
        {"skeleton.parents": arrays["skeleton.parents"].astype(np.float64)}
    ),
    "offsets of 1e300": with_number("skeleton.offsets", 1e300),
    "bone_weights nan": with_number("metric.bone_weights", np.nan),
    "bone_weights below 0": with_number("metric.bone_weights", -1.0),
    "core all False": lambda arrays, facts: arrays["core"].fill(False),
    **{
        f"frame_time {value!r}": with_fact(value, "frame_time")
        for value in ("nan", 0, -1, 1e-300, 1e-9, 1e300, True, None)
    },
    **{
        f"spacing {value!r}": with_fact(value, "spacing")
        for value in ([0, 0], ["nan", "nan"], [-1, -1], [1e300, 1e300], "ab", [None, None], [[1], [2]], [1.0], None)
    },
    **{f"recall {value!r}": with_fact(value, "recall") for value in ("nan", -5, None, [1])},
    **{
        f"neighbor_count {value!r}": with_fact(value, "field", "neighbor_count")
        for value in (0, -1, 10**9, 1.5, "5", True, None)
    },
    **{f"drift {value!r}": with_fact(value, "field", "drift") for value in ("0.1", True, [0.1], 2.0)},
    **{f"search {value!r}": with_fact(value, "field", "search") for value in (["exact"], None, "fast")},
    **{f"standing {value!r}": with_fact(value, "field", "standing") for value in ("no", [1], None, 5)},
    **{f"tail {value!r}": with_fact(value, "field", "tail") for value in (1.5, "5", 10**30)},
    "joint_names of numbers": lambda arrays, facts: facts.update(joint_names=list(range(len(facts["joint_names"])))),
    "clip_names as text": lambda arrays, facts: facts.update(clip_names="a" * len(facts["clip_names"])),
    "report as text": with_fact("all well", "report"),
    "report with a number of warnings": with_fact(5, "report", "warnings"),
    "metric weight as text": with_fact("x", "metric", "root_turn"),
    "sources of texts": with_fact(["ab"], "sources"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_forged_field_is_refused_when_it_is_loaded(saved: Path, tmp_path: Path, change: Change) -> None:
    forged(saved, tmp_path / "odd.field", change)
    with pytest.raises(ArtifactError, match=r"odd\.field") as caught:
        MotionField.load(tmp_path / "odd.field")
    assert "\n" not in str(caught.value)


def test_a_field_that_is_only_written_again_loads(saved: Path, tmp_path: Path) -> None:
    forged(saved, tmp_path / "same.field", lambda arrays, facts: None)
    assert MotionField.load(tmp_path / "same.field").database.state_count == small_field().database.state_count


def test_a_database_is_checked_when_it_is_made() -> None:
    database = small_field().database
    bad = database.root_step.copy()
    bad[7, 1] = np.nan
    with pytest.raises(ValueError, match="root_step: expected finite numbers"):
        replace(database, root_step=bad)
    with pytest.raises(ValueError, match="features: expected the"):
        replace(database, features=database.features[:, :-1].copy())
    with pytest.raises(ValueError, match="frame_time: expected a number"):
        replace(database, frame_time=0.0)


@pytest.mark.parametrize("wrong", [10**9, -1, -(10**9)])
def test_states_that_do_not_exist_are_refused(wrong: int) -> None:
    field = small_field()
    database, rows = field.database, np.array([wrong])
    for ask in (database.states, database.poses, database.velocities, database.successors, database.next_velocities):
        with pytest.raises(ValueError, match="states: expected 0 to"):
            ask(rows)
    start = field.draw(1)
    near = field.neighbors(start)
    weights, odd = similarity_weights(near.distances), near._replace(indices=np.full_like(near.indices, wrong))
    with pytest.raises(ValueError, match="expected 0 to"):
        field.integrate(start, odd, weights)
    with pytest.raises(ValueError, match="expected 0 to"):
        field.integrate(start, near, weights, target=rows)
    with pytest.raises(ValueError, match="expected 0 to"):
        field.blend(odd.indices, weights)
    with pytest.raises(ValueError, match="expected 0 to"):
        field.contact_votes(odd, weights)
    with pytest.raises(ValueError, match="weights: expected finite numbers"):
        field.blend(near.indices, np.full_like(weights, np.nan))
