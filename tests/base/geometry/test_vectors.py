"""Vectors and quaternions as tuples: against the batched ones, and by hand."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.geometry import (
    quat_between,
    quat_conjugate,
    quat_exp,
    quat_from_yaw,
    quat_log,
    quat_multiply,
    quat_normalize,
    quat_rotate,
)
from motionfields.base.geometry.vectors import (
    NO_TURN,
    UP,
    Vector,
    about,
    add,
    between,
    conjugate,
    cross,
    dot,
    exponential,
    length,
    logarithm,
    multiply,
    normalized,
    put,
    quat_of,
    rotate,
    scale,
    subtract,
    twist_about_up,
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


def test_sums_and_products_of_tuples_are_those_of_numpy(rng: np.random.Generator) -> None:
    a, b = rng.normal(size=(2, 3))
    first, second = vector_of(a), vector_of(b)
    np.testing.assert_allclose(add(first, second), a + b, rtol=1e-15)
    np.testing.assert_allclose(subtract(first, second), a - b, rtol=1e-15)
    np.testing.assert_allclose(scale(first, 3.0), 3.0 * a, rtol=1e-15)
    np.testing.assert_allclose(cross(first, second), np.cross(a, b), rtol=1e-14)
    assert dot(first, second) == pytest.approx(float(a @ b), rel=1e-14)
    assert length(first) == pytest.approx(float(np.linalg.norm(a)), rel=1e-14)


def test_quaternions_of_tuples_are_inverted_and_normalised_as_arrays_are(rng: np.random.Generator) -> None:
    q = rng.normal(size=4)
    np.testing.assert_allclose(normalized(quat_of(q)), quat_normalize(q), rtol=1e-14)
    np.testing.assert_array_equal(conjugate(quat_of(q)), quat_conjugate(q))


@pytest.mark.parametrize("angle", [1e-6, 3e-5, 0.99e-4, 1.01e-4, 1e-3, 3.0])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_small_turns_of_tuples_keep_their_digits(angle: float, sign: float) -> None:
    vector = angle * np.array([0.48, -0.6, 0.64])
    q = sign * quat_exp(vector)
    np.testing.assert_allclose(sign * np.array(exponential(vector_of(vector))), q, rtol=1e-14)
    np.testing.assert_allclose(logarithm(quat_of(q)), vector, rtol=2e-9)


def test_the_least_turn_between_tuples_is_that_between_arrays(rng: np.random.Generator) -> None:
    for a, b in rng.normal(size=(20, 2, 3)):
        np.testing.assert_allclose(between(vector_of(a), vector_of(b)), quat_between(a, b), atol=1e-12)
    assert between((0.0, 0.0, 0.0), (1.0, 2.0, 3.0)) == NO_TURN


@pytest.mark.parametrize("a", [(1.0, 0.0, 0.0), (0.0, -2.0, 0.0), (0.0, 0.0, 3.0), (0.5, 0.3, -0.4), (0.1, 0.0, 9.0)])
def test_opposite_tuples_are_half_a_turn_apart(a: Vector) -> None:
    turn = between(a, scale(a, -2.0))
    assert turn[0] == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(rotate(turn, a), scale(a, -1.0), atol=1e-12)
    assert length(turn[1:]) == pytest.approx(1.0)


@pytest.mark.parametrize("yaw", [-2.5, 0.0, 0.7])
def test_the_twist_of_a_tilted_turn_is_its_yaw(yaw: float) -> None:
    tilt = quat_exp(np.array([0.4, 0.0, -0.3]))
    np.testing.assert_allclose(twist_about_up(quat_of(quat_multiply(quat_from_yaw(yaw), tilt))), quat_from_yaw(yaw))
    assert twist_about_up((0.0, 1.0, 0.0, 0.0)) == NO_TURN
    np.testing.assert_allclose(about(UP, yaw), quat_from_yaw(yaw), atol=1e-15)
