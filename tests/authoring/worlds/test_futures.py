"""Futures: they are where the crowd goes, they survive a file, and they refuse others' files and controllers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionfields.authoring.worlds import Futures
from motionfields.authoring.worlds.footing import Footing
from motionfields.authoring.worlds.futures import quantised, rolled_places
from motionfields.authoring.worlds.rolling import HEADINGS, NODES, PLANS, SAMPLES, nearest_nodes
from motionfields.base.arrays import FloatArray, read_only
from motionfields.base.artifacts import write_artifact
from motionfields.base.errors import ArtifactError
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction
from motionfields.control.training import train


def crowd_errors(walker: FieldController, futures: Futures, *, plant: bool, settle: int = 20) -> FloatArray:
    """The distance [sample, n] between a crowd and its futures, for characters that have walked for a moment."""
    count = 80
    rng = np.random.default_rng(3)
    crowd = walker.crowd(count, seed=5, plant=plant)
    for _ in range(settle):
        crowd.step(np.stack([crowd.ground.facing, np.full(count, futures.top)], axis=-1))
    ground, plans = crowd.ground, rng.integers(0, PLANS, count)
    wanted = futures.commands[plans]
    expected = futures.in_world(crowd.followers.state, plans, ground.position, ground.facing)
    command = np.stack([ground.facing + wanted[:, 0], wanted[:, 1]], axis=-1)
    found = []
    for sample in range(SAMPLES):
        for _ in range(futures.every):
            crowd.step(command)
        found.append(np.linalg.norm(crowd.ground.position - expected[:, sample], axis=-1))
    return np.array(found)


def test_a_future_without_locked_feet_is_the_way_of_the_crowd(walker: FieldController, futures: Futures) -> None:
    footing = Footing.of(walker)
    free = footing._replace(votes=read_only(np.zeros_like(footing.votes)))
    steps, unit = quantised(rolled_places(walker, free, futures.every))
    errors = crowd_errors(walker, replace(futures, steps=steps, unit=unit), plant=False)
    assert np.median(errors, axis=1).max() < 0.005


def test_a_future_with_locked_feet_is_near_the_way_of_the_crowd(walker: FieldController, futures: Futures) -> None:
    errors = crowd_errors(walker, futures, plant=True)
    assert np.median(errors[3]) < 0.04  # metres, 1.1 s ahead


def test_rounding_of_steps_does_not_add_up(rng: np.random.Generator) -> None:
    places = np.cumsum(rng.uniform(-0.4, 0.4, (50, 3, SAMPLES, 2)), axis=-2).astype(np.float32)
    steps, unit = quantised(places)
    assert steps.dtype == np.int8
    assert np.abs(unit * np.cumsum(steps, axis=-2, dtype=np.float64) - places).max() <= 0.5 * unit + 1e-6


def test_nodes_hold_all_headings_and_the_nearest_is_found() -> None:
    headings = (np.arange(HEADINGS) - HEADINGS // 2) * (2.0 * np.pi / HEADINGS)
    assert all(np.abs(np.angle(np.exp(1j * (NODES - heading)))).min() < 1e-9 for heading in headings)
    found = nearest_nodes()
    assert NODES[found[[0, 360, 719]]].tolist() == [np.pi, 0.0, np.pi]


def test_plans_are_found_by_their_commands(futures: Futures) -> None:
    heading, speed = futures.commands.T
    assert futures.nearest_plan(heading, speed).tolist() == list(range(PLANS))


def test_a_saved_table_is_the_same(futures: Futures, walker: FieldController, tmp_path: Path) -> None:
    futures.save(tmp_path / "walker.futures")
    loaded = Futures.load(tmp_path / "walker.futures")
    assert np.array_equal(loaded.steps, futures.steps)
    assert (loaded.unit, loaded.every, loaded.top) == (futures.unit, futures.every, futures.top)
    loaded.check_controller(walker)
    with pytest.raises(ValueError, match="expected those of this controller"):
        loaded.check_controller(replace(walker, settings=replace(walker.settings, discount=0.98)))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("unit", float(10**9)),
        ("unit", "1"),
        ("every", 0),
        ("every", 1.5),
        ("frame_time", 0.0),
        ("top", -1.0),
        ("policy", "abc"),
        ("policy", None),
        ("unit", None),
    ],
)
def test_invalid_facts_are_refused(futures: Futures, tmp_path: Path, name: str, value: object) -> None:
    facts: dict[str, Any] = {
        "unit": futures.unit,
        "every": futures.every,
        "frame_time": futures.frame_time,
        "top": futures.top,
    }
    facts |= {"policy": futures.policy_digest, name: value}
    if value is None:
        del facts[name]
    write_artifact(tmp_path / "f", kind="futures", version=1, arrays={"steps": futures.steps}, facts=facts)
    with pytest.raises(ArtifactError, match="invalid futures"):
        Futures.load(tmp_path / "f")


def test_an_array_of_another_shape_is_refused(futures: Futures, tmp_path: Path) -> None:
    facts: dict[str, Any] = {"unit": 0.01, "every": 8, "frame_time": 0.03, "top": 1.0, "policy": futures.policy_digest}
    steps = futures.steps[:, :5].copy()
    write_artifact(tmp_path / "f", kind="futures", version=1, arrays={"steps": steps}, facts=facts)
    with pytest.raises(ArtifactError, match="shape"):
        Futures.load(tmp_path / "f")


def test_other_tasks_are_refused(walker: FieldController) -> None:
    other = train(walker.field, Direction(), tolerance=1.0)
    with pytest.raises(ValueError, match="expected a field controller for Velocity, got one for Direction"):
        Futures.of(other)
