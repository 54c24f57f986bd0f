"""Checks that run once when an object is made: types, shapes, finite and bounded numbers, indices, seeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from motionfields.base.checks import (
    check_array,
    check_fields,
    check_indices,
    check_unit,
    checked_count,
    checked_number,
    checked_seed,
)
from motionfields.field.passive import uniform_draws


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (np.zeros(3), "expected an array of float32, got float64"),
        ([0.0], "expected an array of float32, got list"),
        (np.zeros((2, 2), np.float32), r"expected shape \[3\], got \[2, 2\]"),
        (np.array([0, np.nan, 1], np.float32), "expected finite numbers"),
        (np.array([0, 1, -np.inf], np.float32), "expected finite numbers"),
        (np.array([0, 1, 6], np.float32), "expected numbers from -5 to 5, got 0 to 6"),
    ],
)
def test_an_array_that_a_loop_could_not_read_is_named(array: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=f"speeds: {reason}"):
        check_array("speeds", array, np.float32, (3,), most=5.0)
    check_array("speeds", np.array([-5, 0, 5], np.float32), np.float32, (None,), most=5.0)
    check_array("speeds", np.zeros(0, np.float32), np.float32, (None,), most=5.0)


def test_quaternions_must_have_length_1() -> None:
    turns = np.zeros((70_000, 2, 4), np.float32)
    turns[..., 1] = 1.0
    check_unit("turns", turns, 1e-3)
    for wrong in (0.0, 1.01, np.nan):
        turns[69_999, 1, 1] = wrong
        with pytest.raises(ValueError, match="turns: expected unit quaternions"):
            check_unit("turns", turns, 1e-3)


@pytest.mark.parametrize("wrong", [[-1], [0, 5], [2**62], [-(2**63)], [1.0], [True], ["1"]])
def test_an_index_outside_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="states: expected"):
        check_indices("states", np.array(wrong), 5)
    np.testing.assert_array_equal(check_indices("states", [0, 4], 5), [0, 4])
    check_indices("states", np.zeros(0, np.int64), 0)


@pytest.mark.parametrize("wrong", [None, True, "1", [1.0], float("nan"), float("inf"), 11, -1, 1 + 2j, np.bool_(True)])
def test_what_is_no_number_within_bounds_is_refused(wrong: Any) -> None:
    for check in (checked_number, checked_count):
        with pytest.raises(ValueError, match="size: expected a"):
            check("size", wrong, 0, 10)


def test_numbers_of_numpy_are_numbers() -> None:
    assert checked_number("size", np.float32(0.5), 0.0, 1.0) == 0.5
    assert checked_count("size", np.uint8(3)) == 3
    with pytest.raises(ValueError, match="size: expected a whole number"):
        checked_count("size", 1.5)


def test_seeds_of_any_size_differ() -> None:
    seeds = (0, 1, -1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**64 + 1, 2**200, -(2**200))
    made = [checked_seed(seed) for seed in seeds]
    assert len(set(made)) == len(seeds)
    assert all(0 <= seed < 2**64 for seed in made)
    assert made[:2] == [0, 1]
    draws = {tuple(uniform_draws(seed, np.arange(4), 0)) for seed in seeds}
    assert len(draws) == len(seeds)
    for number in (np.int64(5), np.uint8(5), np.uint64(5)):
        np.testing.assert_array_equal(uniform_draws(number, np.arange(4), 0), uniform_draws(5, np.arange(4), 0))  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [1.5, None, "x", True, [1], np.float64(2.0)])
def test_a_seed_is_a_whole_number(wrong: Any) -> None:
    with pytest.raises(ValueError, match="seed: expected a whole number"):
        checked_seed(wrong)


@dataclass(frozen=True)
class Settings:
    weight: float = 1.0
    count: int = 1
    speed: float | None = None
    name: str = "a"
    flag: bool = False
    strength: float = 1.0

    def __post_init__(self) -> None:
        check_fields(self, endless=("strength",))


@pytest.mark.parametrize(
    "wrong",
    [
        {"weight": "heavy"},
        {"weight": float("nan")},
        {"weight": 1e300},
        {"weight": None},
        {"weight": True},
        {"count": 1.0},
        {"count": True},
        {"speed": "fast"},
        {"speed": [1.0]},
        {"name": 3},
        {"flag": 1},
        {"strength": float("nan")},
    ],
    ids=str,
)
def test_a_setting_of_another_type_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Settings(**wrong)
    Settings(weight=2, count=np.int64(4), speed=np.float32(1.0), strength=float("inf"))  # type: ignore[arg-type]
