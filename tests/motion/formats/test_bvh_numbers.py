"""The compiled parser of numbers against Python's own `float`."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import EULER_ORDERS, quat_angle, quat_from_euler
from motionfields.motion.formats._bvh_numbers import (
    BAD_NUMBER,
    LARGEST_VALUE,
    ROW_TOO_LONG,
    ROW_TOO_SHORT,
    ROWS_MISSING,
    ROWS_READ,
    TEXT_AFTER_ROWS,
    compose_rotations,
    read_rows,
)


def read(text: bytes, row_count: int, column_count: int) -> tuple[tuple[int, int, int], FloatArray]:
    values = np.full((row_count, column_count), np.nan)
    return read_rows(np.frombuffer(text, np.uint8), 0, values), values


def read_one(text: str) -> float | None:
    (status, _, _), values = read(text.encode(), 1, 1)
    assert status in (ROWS_READ, BAD_NUMBER)
    return float(values[0, 0]) if status == ROWS_READ else None


def read_many(texts: list[str]) -> FloatArray:
    (status, offset, _), values = read("\n".join(texts).encode(), len(texts), 1)
    assert status == ROWS_READ, offset
    return values[:, 0]


@pytest.mark.parametrize(
    "text", ["0", "-0", "+1", "5.", ".5", "-.5", "1e3", "1E+3", "1.5e-3", "007", "1e0000000000002"]
)
def test_every_form_of_the_grammar_is_read_as_float_reads_it(text: str) -> None:
    value = read_one(text)
    assert value == float(text)
    assert math.copysign(1.0, value) == math.copysign(1.0, float(text))


@pytest.mark.parametrize(
    "text",
    [
        *("nan", "NaN", "inf", "-inf", "Infinity", ".", "+", "-", "+.", "--1", "+-1", "1-2", "1.2.3", "1..2"),
        *("e5", ".e5", "1e", "1e+", "1e-", "1e1.5", "1e400", "1e13", "1,5", "1_000", "0x10", "1f", "#", "//"),
        "\u0661",
    ],
)
def test_everything_else_is_refused(text: str) -> None:
    assert read_one(text) is None


def test_up_to_15_significant_digits_are_exact() -> None:
    rng = np.random.default_rng(0)
    digit_counts, place_counts = rng.integers(1, 16, 50_000), rng.integers(3, 23, 50_000)
    mantissas = [int(mantissa) for mantissa in rng.integers(0, 10**digit_counts)]
    texts = [f"{m}e-{places}" for m, places in zip(mantissas, place_counts, strict=True)]
    texts += [f"{Decimal(text):f}" for text in texts]
    np.testing.assert_array_equal(read_many(texts), [float(text) for text in texts])


@given(st.decimals(min_value=-1000, max_value=1000, places=6))
def test_fixed_point_numbers_are_exact_with_any_trailing_zeros(number: object) -> None:
    for text in (f"{number}", f"{number}000000000000000000000"):
        assert read_one(text) == float(text)


def test_longer_numbers_are_within_2_units_in_the_last_place() -> None:
    rng = np.random.default_rng(1)
    exact = rng.normal(size=100_000) * 10.0 ** rng.integers(-300, 11, 100_000)
    texts = [repr(value) for value in exact.tolist()]
    texts += [f"{value:.25e}" for value in exact[:20_000].tolist()]
    expected = np.array([float(text) for text in texts])
    ulps = np.abs(read_many(texts) - expected) / np.spacing(np.abs(expected))
    assert ulps.max() <= 2.0


@given(st.floats(-LARGEST_VALUE, LARGEST_VALUE), st.integers(0, 60))
def test_any_float_written_any_way_is_read_back(value: float, places: int) -> None:
    for text in (repr(value), f"{value:.{places}f}", f"{value:.{places}e}"):
        if abs(float(text)) <= LARGEST_VALUE:
            got = read_one(text)
            assert got is not None
            assert abs(got - float(text)) <= 2.0 * np.spacing(abs(float(text)))


def test_many_zeros_made_up_for_by_the_exponent_do_not_lose_the_number() -> None:
    assert read_one("0." + "0" * 500 + "15e501") == 1.5
    assert read_one("1" + "0" * 500 + "e-500") == 1.0
    assert read_one("0e99999999999999999999") == 0.0
    assert read_one("1e-99999999999999999999") == 0.0
    assert read_one("1e99999999999999999999") is None


@pytest.mark.parametrize(
    ("text", "status", "offset", "rows"),
    [
        (b"1 2\n3 4\n", ROWS_READ, 8, 2),
        (b"\n1 2\r\n\r\n \t\n3 4", ROWS_READ, 14, 2),
        (b"1 2\r3 4\r", ROWS_READ, 8, 2),
        (b"1 2\n3\n", ROW_TOO_SHORT, 5, 1),
        (b"1 2 3\n4\n", ROW_TOO_LONG, 4, 0),
        (b"1 2\n", ROWS_MISSING, 4, 1),
        (b"1 2\n3 4\n5 6\n", TEXT_AFTER_ROWS, 8, 2),
        (b"1 2\n3 x4\n", BAD_NUMBER, 6, 1),
        (b"1 2\n3 4 \x00", ROW_TOO_LONG, 8, 1),
    ],
)
def test_rows_end_where_lines_do_and_faults_are_placed(text: bytes, status: int, offset: int, rows: int) -> None:
    (got_status, got_offset, got_rows), values = read(text, 2, 2)
    assert (got_status, got_offset, got_rows) == (status, offset, rows)
    if status == ROWS_READ:
        np.testing.assert_array_equal(values, [[1, 2], [3, 4]])


@pytest.mark.parametrize("order", [order for order in EULER_ORDERS if len(set(order)) == 3])
def test_rotations_are_composed_in_channel_order(order: str) -> None:
    degrees = np.random.default_rng(2).uniform(-400.0, 400.0, (50, 3))
    degrees[:5, 1] = 0.0
    rotations = np.empty((50, 1, 4))
    axes = np.array([["XYZ".index(letter) for letter in order]])
    compose_rotations(degrees, np.array([[0, 1, 2]]), axes, rotations)
    assert quat_angle(rotations[:, 0], quat_from_euler(np.deg2rad(degrees), order)).max() < 1e-7
    np.testing.assert_allclose(np.linalg.norm(rotations, axis=-1), 1.0, rtol=0.0, atol=1e-14)
