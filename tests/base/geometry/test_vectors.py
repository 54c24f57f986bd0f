"""Vectors and quaternions as tuples: against the batched ones, and by hand."""

from __future__ import annotations

import numpy as np

from motionfields.base.geometry import quat_exp, quat_log, quat_multiply, quat_normalize, quat_rotate
from motionfields.base.geometry.vectors import (
    about,
    between,
    exponential,
    logarithm,
    multiply,
    put,
    quat_of,
    rotate,
    vector_of,
)


def test_turns_of_tuples_undo_each_other() -> None:
    vector = (0.3, -0.2, 0.5)
    np.testing.assert_allclose(logarithm(exponential(vector)), vector, atol=1e-12)
    np.testing.assert_allclose(
        rotate(about((0.0, 1.0, 0.0), np.pi / 2.0), (0.0, 0.0, 1.0)), (1.0, 0.0, 0.0), atol=1e-12
    )
    np.testing.assert_allclose(
        rotate(between((1.0, 0.0, 0.0), (0.0, 2.0, 0.0)), (3.0, 0.0, 0.0)), (0, 3, 0), atol=1e-12
    )
    np.testing.assert_allclose(rotate(between((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0)), (1.0, 0, 0)), (-1, 0, 0), atol=1e-12)


def test_tuples_of_arrays_are_worked_with_as_the_arrays_are(rng: np.random.Generator) -> None:
    a, b = quat_normalize(rng.normal(size=(2, 4)))
    vector = rng.normal(size=3)
    np.testing.assert_allclose(multiply(quat_of(a), quat_of(b)), quat_multiply(a, b), atol=1e-14)
    np.testing.assert_allclose(rotate(quat_of(a), vector_of(vector)), quat_rotate(a, vector), atol=1e-14)
    np.testing.assert_allclose(exponential(vector_of(vector)), quat_exp(vector), atol=1e-14)
    np.testing.assert_allclose(logarithm(quat_of(a)), quat_log(a), atol=1e-14)


def test_tuples_go_to_arrays_and_come_back() -> None:
    out = np.zeros(6)
    put((1.0, 2.0, 3.0, 4.0), out)
    put((5.0, 6.0, 7.0), out[3:])
    np.testing.assert_array_equal(out, (1.0, 2.0, 3.0, 5.0, 6.0, 7.0))
    assert quat_of(out) == (1.0, 2.0, 3.0, 5.0)
    assert vector_of(out[3:].astype(np.float32)) == (5.0, 6.0, 7.0)
