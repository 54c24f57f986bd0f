"""Standard errors, courses and costs of a controller."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.control.tasks import Direction
from motionfields.measure.evaluation import Trials, measure_source
from motionfields.measure.evaluation.figures import measure_motions
from motionfields.measure.evaluation.tables.costs import array_bytes, measure_cost, measure_size
from motionfields.measure.evaluation.tables.measuring import (
    COURSE_SECONDS,
    Ran,
    TableSettings,
    course,
    film_clip,
    run_trials,
    spread,
    standard_errors,
)
from motionfields.measure.evaluation.tables.registry import DIRECTION_PAPER, LINE_PAPER, REGISTRY
from motionfields.measure.evaluation.trials import LEAST_ANGLE, direction_trials
from tests.measure.evaluation.small_tables import quick_train, small_set
from tests.measure.evaluation.test_figures import replayed


def ran(reached: FloatArray, owners: list[int], trials: Trials) -> Ran:
    taken = trials._replace(reached=reached, settled=reached)
    return Ran(taken, np.zeros(len(owners), np.int64), np.array(owners))


def test_the_error_of_a_mean_is_that_of_the_textbook() -> None:
    field = small_set().field
    source, trials = measure_source(field), replayed(field)
    times = np.linspace(0.5, 2.0, len(trials.clips))
    motions = measure_motions(field, source, trials)
    errors = standard_errors(field, source, ran(times, list(range(len(times))), trials), motions, resamples=300, seed=1)
    assert errors["mean"] == pytest.approx(times.std() / np.sqrt(len(times)), rel=0.15)
    assert errors["jerk"] > 0.0
    assert errors["failures"] == 0.0


def test_changes_of_one_character_hang_together() -> None:
    field = small_set().field
    source, trials = measure_source(field), replayed(field)
    count = len(trials.clips)
    times = np.repeat(np.linspace(0.5, 2.0, count), 4)
    motions = measure_motions(field, source, trials)
    owners = np.repeat(np.arange(count), 4).tolist()
    errors = standard_errors(field, source, ran(times, owners, trials), motions, resamples=300, seed=1)
    assert errors["mean"] == pytest.approx(times.std() / np.sqrt(count), rel=0.15)


def test_the_spread_of_what_is_no_number_is_none() -> None:
    assert spread(np.array([1.0, 3.0, np.nan])) == pytest.approx(np.sqrt(2.0))
    assert np.isnan(spread(np.array([1.0, np.inf])))


def test_trials_know_whose_they_are() -> None:
    controller = quick_train(small_set().field, Direction(), 0.5)
    found = run_trials(controller, REGISTRY.cases["direction"], count=5, seeds=2, first_seed=3, change_count=1)
    each = direction_trials(controller, count=3, change_count=1, seed=3)
    assert len(found.trials.reached) == len(found.characters) == len(found.seeds) >= 5
    np.testing.assert_array_equal(found.trials.reached[found.seeds == 3], each.reached)
    angles = np.concatenate([np.random.default_rng(seed).uniform(-np.pi, np.pi, 3) for seed in (3, 4)])
    np.testing.assert_array_equal(found.trials.angles, angles[found.characters])
    np.testing.assert_array_equal(found.characters, np.flatnonzero(np.abs(angles) >= LEAST_ANGLE))
    assert len(found.characters) < 6  # one of them was told to turn by too little


def test_a_course_is_told_the_same_and_filmed() -> None:
    controller = quick_train(small_set().field, Direction(), 0.5)
    one = course(controller, seed=3)
    assert one == course(controller, seed=3)
    assert len(one["off_deg"]) == len(one["seconds"]) == round(COURSE_SECONDS * 30.0)
    assert max(one["off_deg"][90:93]) == pytest.approx(90.0, abs=15.0)
    for name in ("090", "180"):
        clip = film_clip(small_set().field, one["films"][name], name="film")
        assert clip.duration == pytest.approx(2.0)
        assert np.linalg.norm(clip.root_position[-1] - clip.root_position[0]) > 0.1


def test_arrays_are_counted_once() -> None:
    array = np.zeros(100)
    assert array_bytes({"a": array, "b": (array, [array[:10]]), "c": np.zeros(3, np.int8)}) == 803
    field = small_set().field
    assert array_bytes([field, field.database]) == array_bytes(field) > field.database.features.nbytes


def test_smaller_values_make_a_smaller_file() -> None:
    full = quick_train(small_set().field, Direction(), 0.5)
    rows = {row.name: row.derive for row in REGISTRY.rows if row.derive is not None}
    sizes = {name: measure_size(rows[name](full)) for name in ("field, sampled every 10 states", "field x30, packed")}
    whole = measure_size(full)
    assert whole.values == full.values.byte_count
    for size in sizes.values():
        assert size.values is not None
        assert whole.values is not None
        assert whole.file - size.file == pytest.approx(whole.values - size.values, abs=2000)
        assert size.memory == pytest.approx(whole.memory, rel=0.05)
    anchors = sizes["field, sampled every 10 states"].values
    assert anchors is not None
    assert anchors < whole.values / 8


def test_costs_are_held_against_another() -> None:
    controller = quick_train(small_set().field, Direction(), 0.5)
    alone = measure_cost(controller, controller, count=3)
    assert (alone.ratio, alone.ratio_error) == (1.0, 0.0)
    assert alone.microseconds > 0.0
    beside = measure_cost(controller, quick_train(small_set().field, Direction(), 0.0), count=3)
    assert 0.05 < beside.ratio < 20.0
    assert beside.error > 0.0


def test_settings_that_make_no_sense_are_refused() -> None:
    for name, value in (("trials", 0), ("seeds", 0), ("resamples", 1), ("first_seed", -1), ("crowd", 0)):
        with pytest.raises(ValueError, match=f"{name}: expected"):
            TableSettings(**{name: value})  # type: ignore[arg-type]


def test_the_registry_holds_together() -> None:
    names = [row.name for row in REGISTRY.rows]
    assert len(set(names)) == len(names)
    assert set(REGISTRY.main) <= set(names)
    assert {row.method for row in REGISTRY.rows} == set(REGISTRY.methods)
    for row in REGISTRY.rows:
        assert row.paper is None or row.paper in DIRECTION_PAPER.keys() & LINE_PAPER.keys()
        assert (row.derive is None) == (row.name == row.method)
    for method in REGISTRY.methods.values():
        assert set(method.agility) == set(REGISTRY.cases)
    for times in (*DIRECTION_PAPER.values(), *LINE_PAPER.values()):
        assert list(times) == sorted(times)
