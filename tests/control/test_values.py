"""Value functions: look-up, whole numbers in few bytes, and the file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from motionfields.base.arrays import IntArray
from motionfields.base.artifacts import Artifact, read_artifact, write_artifact
from motionfields.control.compression import compress
from motionfields.control.grids import grid_points
from motionfields.control.tasks import Axis, angle_axis
from motionfields.control.values import (
    CompressedValues,
    ValueCode,
    ValueTable,
    packed,
    unpacked,
    values_from,
)

AXES = (angle_axis(count=8), Axis("distance", np.array([-1.0, 0.0, 2.0])))


@pytest.fixture
def table(rng: np.random.Generator) -> ValueTable:
    """Values of 300 states, smooth in time and over the grid."""
    angle, distance = grid_points(AXES).T
    time = np.arange(300)[:, np.newaxis] / 40.0
    values = -90.0 + np.cos(angle + time) * np.sin(2.0 * time) + distance * np.cos(time)
    return ValueTable(AXES, (values + rng.normal(0.0, 0.01, values.shape)).astype(np.float32))


def saved(path: Path, table: ValueTable, **changed: object) -> Artifact:
    contents = {**table.arrays(), **changed}
    write_artifact(path, kind="test", version=1, arrays=contents, facts={})  # type: ignore[arg-type]
    return read_artifact(path, kind="test", newest_version=1)


def test_a_lookup_at_a_node_is_the_value_there(table: ValueTable, rng: np.random.Generator) -> None:
    points = grid_points(AXES)
    rows, nodes = rng.integers(0, 300, (20, 4)), rng.integers(0, len(points), (20, 4))
    np.testing.assert_array_equal(table.lookup(rows, points[nodes]), table.values[rows, nodes])


def test_a_lookup_halfway_between_two_nodes_is_their_mean(table: ValueTable) -> None:
    point = np.array([[AXES[0].nodes[2:4].mean(), 2.0]])
    expected = table.values[5, [2 * 3 + 2, 3 * 3 + 2]].mean()
    assert table.lookup(np.array([5]), point)[0] == pytest.approx(expected, abs=1e-5)


def test_values_of_another_grid_are_refused() -> None:
    with pytest.raises(ValueError, match=r"values: expected shape \[any, 27\]"):
        ValueTable(AXES, np.zeros((4, 26), np.float32))


@given(
    arrays(np.int64, st.tuples(st.integers(0, 5), st.integers(0, 40)), elements=st.integers(-(2**31) + 1, 2**31 - 1))
)
def test_whole_numbers_survive_packing(numbers: IntArray) -> None:
    np.testing.assert_array_equal(unpacked(packed(numbers), numbers.shape), numbers)


def test_numbers_that_are_mostly_nought_take_little_room(rng: np.random.Generator) -> None:
    numbers = np.where(rng.random((20, 5000)) < 0.01, rng.integers(-3, 4, (20, 5000)), 0)
    assert len(packed(numbers)) < numbers.size / 30


def test_a_code_of_another_length_is_refused(rng: np.random.Generator) -> None:
    code = packed(rng.integers(-9, 9, (3, 10)))
    with pytest.raises(ValueError, match="series: expected 1 to 4 bytes for each of 29 numbers, got 30"):
        unpacked(code, (29,))
    with pytest.raises(ValueError, match="series: expected"):
        unpacked(b"no code", (3, 10))
    with pytest.raises(ValueError, match="series: expected"):
        unpacked(b"", (3, 10))


def test_a_code_that_would_fill_the_memory_is_not_unpacked() -> None:
    bomb = packed(np.zeros(5_000_000, np.int8))
    with pytest.raises(ValueError, match="for each of 10 numbers, got 41"):
        unpacked(bomb, (10,))


@pytest.mark.parametrize("small", [False, True])
def test_values_come_back_from_a_file_bit_for_bit(table: ValueTable, tmp_path: Path, small: bool) -> None:
    form = compress(table, factor=5.0) if small else table
    back = values_from(saved(tmp_path / "values", form), AXES, 300)
    assert type(back) is type(form)
    np.testing.assert_array_equal(back.table(), form.table())
    assert back.byte_count == form.byte_count == sum(array.nbytes for array in form.arrays().values())


def test_values_in_a_file_that_are_not_numbers_are_refused(table: ValueTable, tmp_path: Path) -> None:
    broken = table.values.copy()
    broken[3, 4] = np.nan
    with pytest.raises(ValueError, match="values: expected finite"):
        values_from(saved(tmp_path / "values", table, values=broken), AXES, 300)


@pytest.mark.parametrize(
    ("name", "fault", "message"),
    [
        ("mean", lambda array: array[:-1], r"mean: expected float32 \[27\], got float32 \[26\]"),
        ("mean", lambda array: array.astype(np.float64), "mean: expected float32"),
        ("mean", lambda array: array * np.float32(np.inf), "mean: expected finite"),
        ("scales", lambda array: array * np.float32(np.nan), "scales: expected finite"),
        ("scales", lambda array: array[:-1], "profiles: expected int8"),
        ("scales", lambda array: array[:, np.newaxis], "scales: expected float32"),
        ("scales", lambda array: array / array.max() * np.float32(3e38), "float32 can hold"),
        ("profiles", lambda array: array.astype(np.int16), "profiles: expected int8"),
        ("profiles", lambda array: array[:, 1:], "profiles: expected int8"),
        ("series", lambda array: array[:-9], "series: expected"),
        ("series", lambda array: array[::-1].copy(), "series: expected"),
        ("series", lambda array: array.view(np.int8), "series: expected uint8"),
    ],
)
def test_a_compressed_form_in_a_file_that_makes_no_sense_is_refused(
    table: ValueTable,
    tmp_path: Path,
    name: str,
    fault: object,
    message: str,
) -> None:
    form = compress(table, factor=5.0)
    broken = fault(getattr(form.code, name))  # type: ignore[operator]
    artifact = saved(tmp_path / "values", form, **{f"values.{name}": broken})
    with pytest.raises(ValueError, match=message):
        values_from(artifact, AXES, 300)


def test_a_compressed_form_of_other_states_is_refused(table: ValueTable, tmp_path: Path) -> None:
    artifact = saved(tmp_path / "values", compress(table, factor=5.0))
    with pytest.raises(ValueError, match="series: expected"):
        values_from(artifact, AXES, 299)


def test_more_profiles_than_nodes_are_refused() -> None:
    code = ValueCode(
        np.zeros(27, np.float32),
        np.zeros((28, 27), np.int8),
        np.zeros(28, np.float32),
        np.frombuffer(packed(np.zeros((28, 4), np.int64)), np.uint8),
    )
    with pytest.raises(ValueError, match="profiles: expected at most 27"):
        CompressedValues.read(AXES, code, state_count=4)


def test_a_code_worked_out_by_hand_says_what_it_should() -> None:
    profiles = np.zeros((1, 27), np.int8)
    profiles[0, 3] = 10
    code = ValueCode(
        np.full(27, -1.0, np.float32),
        profiles,
        np.array([0.5], np.float32),
        np.frombuffer(packed(np.array([[2, 0, 0, 0]])), np.uint8),
    )
    expected = np.full((4, 27), -1.0)
    expected[:, 3] = -1.0 + 10 * 0.5 * 2 / np.sqrt(4)  # a cosine series of 4 numbers with its first alone is constant
    np.testing.assert_allclose(CompressedValues.read(AXES, code, state_count=4).table(), expected, rtol=1e-6)
