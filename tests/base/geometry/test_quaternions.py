from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.transform import Rotation

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import (
    apply_rotation_difference,
    quat_angle,
    quat_average,
    quat_between,
    quat_conjugate,
    quat_continuous,
    quat_exp,
    quat_from_axis_angle,
    quat_identity,
    quat_log,
    quat_multiply,
    quat_normalize,
    quat_rotate,
    quat_slerp,
    rotation_difference,
    turn_over_ground,
)

# Angles of every size, with the neighbourhoods of none, half and full turns well covered.
angles = st.one_of(
    st.floats(-7.0, 7.0),
    st.floats(-1e-6, 1e-6),
    st.floats(np.pi - 1e-6, np.pi + 1e-6),
    st.sampled_from([0.0, np.pi, -np.pi, np.pi / 2, 1e-300, 1e-160, 1e-12, 1e-4]),
)


@st.composite
def unit_vectors(draw: st.DrawFn) -> FloatArray:
    vector = draw(arrays(np.float64, 3, elements=st.floats(-1.0, 1.0)))
    length = np.linalg.norm(vector)
    return vector / length if length > 1e-3 else np.array([0.0, 1.0, 0.0])


@st.composite
def quaternions(draw: st.DrawFn) -> FloatArray:
    axis, angle = draw(unit_vectors()), draw(angles)
    return np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * axis])


def scipy_rotation(q: FloatArray) -> Rotation:
    return Rotation.from_quat(q, scalar_first=True)


def assert_same_rotation(a: FloatArray, b: FloatArray, tolerance: float = 1e-9) -> None:
    assert np.all(quat_angle(a, b) <= tolerance), (a, b)


@given(quaternions(), quaternions(), quaternions())
def test_multiplication_is_associative_and_agrees_with_scipy(a: FloatArray, b: FloatArray, c: FloatArray) -> None:
    left = quat_multiply(quat_multiply(a, b), c)
    np.testing.assert_allclose(left, quat_multiply(a, quat_multiply(b, c)), atol=1e-12)
    assert_same_rotation(left, (scipy_rotation(a) * scipy_rotation(b) * scipy_rotation(c)).as_quat(scalar_first=True))


@given(quaternions())
def test_a_rotation_and_its_inverse_cancel(q: FloatArray) -> None:
    np.testing.assert_allclose(quat_multiply(q, quat_conjugate(q)), quat_identity(), atol=1e-12)
    np.testing.assert_allclose(quat_multiply(q, quat_identity()), q, atol=0)


@given(quaternions(), unit_vectors())
def test_rotating_agrees_with_scipy_and_keeps_length(q: FloatArray, v: FloatArray) -> None:
    turned = quat_rotate(q, v)
    np.testing.assert_allclose(turned, scipy_rotation(q).apply(v), atol=1e-12)
    assert np.linalg.norm(turned) == pytest.approx(1.0, abs=1e-12)


@given(quaternions(), quaternions(), unit_vectors())
def test_a_product_turns_like_its_factors_in_turn(a: FloatArray, b: FloatArray, v: FloatArray) -> None:
    np.testing.assert_allclose(quat_rotate(quat_multiply(a, b), v), quat_rotate(a, quat_rotate(b, v)), atol=1e-12)


@given(quaternions())
def test_exp_undoes_log(q: FloatArray) -> None:
    vector = quat_log(q)
    assert np.linalg.norm(vector) <= np.pi + 1e-12
    assert_same_rotation(quat_exp(vector), q)
    np.testing.assert_allclose(np.linalg.norm(vector), scipy_rotation(q).magnitude(), atol=1e-9)


@given(unit_vectors(), st.one_of(st.floats(0.0, np.pi - 1e-6), st.floats(0.0, 1e-6)))
def test_log_undoes_exp_below_a_half_turn(axis: FloatArray, angle: float) -> None:
    np.testing.assert_allclose(quat_log(quat_exp(axis * angle)), axis * angle, atol=1e-9, rtol=1e-9)


@given(quaternions(), quaternions(), st.floats(0.0, 1.0))
def test_slerp_divides_the_short_arc(a: FloatArray, b: FloatArray, share: float) -> None:
    arc = quat_angle(a, b)
    middle = quat_slerp(a, b, share)
    assert np.linalg.norm(middle) == pytest.approx(1.0, abs=1e-12)
    assert quat_angle(middle, a) == pytest.approx(share * arc, abs=1e-7)
    assert quat_angle(middle, b) == pytest.approx((1.0 - share) * arc, abs=1e-7)


@given(quaternions(), quaternions(), st.floats(0.0, 1.0))
def test_the_average_of_two_is_slerp(a: FloatArray, b: FloatArray, share: float) -> None:
    if quat_angle(a, b) < np.pi - 0.05:
        assert_same_rotation(quat_average([a, b], [1.0 - share, share]), quat_slerp(a, b, share), 1e-7)


@given(quaternions(), arrays(np.float64, (5, 3), elements=st.floats(-0.7, 0.7)), st.integers(0, 31))
def test_logs_about_the_average_sum_to_zero(centre: FloatArray, spread: FloatArray, flips: int) -> None:
    weights = np.array([0.1, 0.4, 0.2, 0.0, 0.3])
    members = quat_multiply(centre, quat_exp(spread))
    mean = quat_average(members, weights)
    residual = weights @ quat_log(quat_multiply(quat_conjugate(mean), members))
    np.testing.assert_allclose(residual, 0.0, atol=1e-10)
    signs = np.where((flips >> np.arange(5)) & 1, -1.0, 1.0)[:, np.newaxis]
    assert_same_rotation(quat_average(members * signs, 3.0 * weights), mean)
    assert_same_rotation(quat_average(quat_multiply(centre, members), weights), quat_multiply(centre, mean), 1e-8)


def test_the_average_of_close_rotations_is_near_the_chordal_mean(rng: np.random.Generator) -> None:
    members = quat_exp(rng.normal(0.0, 0.05, (8, 3)))
    weights = rng.uniform(0.1, 1.0, 8)
    chordal = scipy_rotation(members).mean(weights).as_quat(scalar_first=True)
    assert quat_angle(quat_average(members, weights), chordal) < 1e-3


def test_averages_refuse_weights_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="one for each"):
        quat_average(quat_identity(3), [0.5, 0.5])
    with pytest.raises(ValueError, match="negative"):
        quat_average(quat_identity(2), [-0.5, 1.5])


@given(unit_vectors(), unit_vectors())
def test_between_takes_one_direction_to_the_other_by_the_least_turn(a: FloatArray, b: FloatArray) -> None:
    turn = quat_between(a, 3.0 * b)
    np.testing.assert_allclose(quat_rotate(turn, a), b, atol=1e-6)
    least = np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)
    assert quat_angle(turn, quat_identity()) == pytest.approx(least, abs=1e-6)


@pytest.mark.parametrize("gap", [0.0, 1e-9, 1e-5])
def test_between_handles_opposite_directions(gap: float) -> None:
    for axis in np.eye(3):
        end = -axis + gap * np.roll(axis, 1)
        np.testing.assert_allclose(quat_rotate(quat_between(axis, end), axis), end / np.linalg.norm(end), atol=1e-5)


def test_between_a_zero_vector_is_no_turn() -> None:
    np.testing.assert_array_equal(quat_between(np.zeros(3), [0.0, 1.0, 0.0]), quat_identity())


@given(quaternions(), quaternions())
def test_differences_are_undone_by_applying_them(later: FloatArray, earlier: FloatArray) -> None:
    turn = rotation_difference(later, earlier)
    np.testing.assert_allclose(apply_rotation_difference(turn, earlier), later, atol=1e-12)


def test_continuous_removes_sign_flips_and_nothing_else(rng: np.random.Generator) -> None:
    smooth = quat_exp(np.cumsum(rng.normal(0.0, 0.1, (50, 3, 3)), axis=0))
    smooth = quat_continuous(smooth)
    flipped = smooth * np.where(rng.random((50, 3, 1)) < 0.5, -1.0, 1.0)
    flipped[0] = smooth[0]
    np.testing.assert_array_equal(quat_continuous(flipped), smooth)


def test_continuous_flips_the_second_of_two() -> None:
    first, second = quat_identity(), quat_from_axis_angle([0.0, 1.0, 0.0], 0.5)
    np.testing.assert_array_equal(quat_continuous([first, -second]), [first, second])


def test_results_do_not_depend_on_the_batch_around_them(rng: np.random.Generator) -> None:
    a, b = (quat_normalize(rng.normal(size=(1000, 4))) for _ in range(2))
    share = rng.random(1000)
    for function, operands in ((quat_multiply, (a, b)), (quat_slerp, (a, b, share)), (quat_log, (a,))):
        whole = function(*operands)
        for row in (0, 1, 500, 999):
            np.testing.assert_array_equal(function(*(operand[row] for operand in operands)), whole[row])


def test_operands_broadcast_over_leading_axes(rng: np.random.Generator) -> None:
    a = quat_normalize(rng.normal(size=(5, 1, 4)))
    b = quat_normalize(rng.normal(size=(3, 4)))
    assert quat_multiply(a, b).shape == (5, 3, 4)
    assert quat_rotate(a, rng.normal(size=(3, 3))).shape == (5, 3, 3)
    assert quat_average(np.broadcast_to(b, (2, 3, 4)), np.ones(3)).shape == (2, 4)
    assert quat_multiply(np.zeros((0, 4)), b[0]).shape == (0, 4)


def test_float32_stays_float32(rng: np.random.Generator) -> None:
    q = quat_normalize(rng.normal(size=(10, 4))).astype(np.float32)
    for result in (quat_multiply(q, q), quat_log(q), quat_slerp(q, q[::-1], 0.3), quat_average(q, np.ones(10))):
        assert result.dtype == np.float32


def test_wrong_shapes_are_named() -> None:
    with pytest.raises(ValueError, match=r"b: expected unit quaternions wxyz \[..., 4\], got shape \(3,\)"):
        quat_multiply([1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0])
    with pytest.raises(ValueError, match="positive, finite length"):
        quat_normalize(np.zeros(4))


def test_axis_angle_is_right_handed() -> None:
    quarter = quat_from_axis_angle([0.0, 1.0, 0.0], np.pi / 2)
    np.testing.assert_allclose(quat_rotate(quarter, [0.0, 0.0, 1.0]), [1.0, 0.0, 0.0], atol=1e-15)


@pytest.mark.parametrize("closeness", [0.0, 1e-7, 1e-4, 1e-2])
def test_the_turn_between_opposite_float32_vectors_is_right(rng: np.random.Generator, closeness: float) -> None:
    start = rng.normal(size=(500, 3)).astype(np.float32)
    end = -(start + closeness * rng.normal(size=start.shape)).astype(np.float32)
    turn = quat_between(start, end)
    assert turn.dtype == np.float32
    unit = [v / np.linalg.norm(v, axis=-1, keepdims=True) for v in (start, end)]
    np.testing.assert_allclose(quat_rotate(turn, unit[0]), unit[1], atol=1e-5)


@pytest.mark.parametrize("size", [1e-320, 1e-200, 1e200, 1e308])
def test_size_does_not_matter_to_directions(size: float) -> None:
    np.testing.assert_allclose(quat_normalize([size, 0.0, size, 0.0]), [np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0])
    np.testing.assert_allclose(quat_rotate(quat_between([size, 0, 0], [0, size, 0]), [1, 0, 0]), [0, 1, 0], atol=1e-12)


def test_normalizing_keeps_the_bits_of_the_plain_quotient(rng: np.random.Generator) -> None:
    q = rng.normal(size=(1000, 4))
    np.testing.assert_array_equal(quat_normalize(q), q / np.linalg.norm(q, axis=-1, keepdims=True))


def test_quaternions_that_are_no_rotations_give_numbers_or_a_clear_error() -> None:
    assert np.isnan(quat_log(np.zeros(4))).all()
    assert np.isnan(quat_slerp(np.zeros(4), np.zeros(4), 0.5)).all()
    for wrong in (np.inf, np.nan):
        with pytest.raises(ValueError, match="q: expected quaternions of positive, finite length"):
            quat_normalize([wrong, 0.0, 0.0, 0.0])


def test_weights_of_any_size_are_normalised() -> None:
    a, b = quat_identity(), quat_from_axis_angle(np.array([0.0, 1.0, 0.0]), 1.0)
    for size in (1e-320, 1e308):
        np.testing.assert_allclose(quat_average([a, b], [size, size]), quat_slerp(a, b, 0.5), atol=1e-12)
    with pytest.raises(ValueError, match="weights: expected finite, non-negative weights"):
        quat_average([a, b], [np.inf, 1.0])
    with pytest.raises(ValueError, match="a positive sum"):
        quat_average(np.zeros((2, 0, 4)), np.ones((2, 0)))


@pytest.mark.parametrize("angle", [1e-6, 3e-5, 0.99e-4, 1.01e-4, 1e-3])
def test_small_turns_keep_their_digits(angle: float) -> None:
    axis = np.array([0.48, -0.6, 0.64])
    q = quat_exp(angle * axis)
    np.testing.assert_allclose(q[1:], np.sin(0.5 * angle) * axis, rtol=1e-14)
    np.testing.assert_allclose(quat_log(q), angle * axis, rtol=1e-13)
    np.testing.assert_allclose(quat_log(-q), angle * axis, rtol=1e-13)


def test_rotation_vectors_whose_squares_overflow_are_refused() -> None:
    with pytest.raises(ValueError, match="rotation_vector"):
        quat_exp([[1e300, 1e300, 1e300]])
    assert np.isfinite(quat_exp(np.full((1, 3), 1e15, np.float32))).all()


def test_a_share_of_an_arc_that_no_angle_can_hold_is_refused() -> None:
    a, b = quat_identity(1), quat_exp([[0.0, 1.0, 0.0]])
    with pytest.raises(ValueError, match="share"):
        quat_slerp(a, b, 1e300)
    assert np.isfinite(quat_slerp(a, b, -2.5)).all()


def test_vectors_over_the_ground_have_two_numbers() -> None:
    wrong: list[Any] = [{}, np.zeros((2, 3))]
    for vectors in wrong:
        with pytest.raises((ValueError, TypeError)):
            turn_over_ground(vectors, np.zeros(2))
