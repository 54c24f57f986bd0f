from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import (
    EULER_ORDERS,
    GroundFrame,
    angle_difference,
    euler_from_quat,
    ground_frame,
    heading_vector,
    quat_angle,
    quat_from_euler,
    quat_from_yaw,
    quat_identity,
    quat_multiply,
    quat_normalize,
    quat_rotate,
    split_yaw,
    wrap_angle,
    yaw_from_quat,
    yaw_of_vector,
)

from .test_quaternions import angles, quaternions


@pytest.mark.parametrize("order", EULER_ORDERS)
@given(angle=st.tuples(angles, angles, angles))
def test_euler_angles_agree_with_scipy_both_ways(order: str, angle: tuple[float, float, float]) -> None:
    q = quat_from_euler(angle, order)
    oracle = Rotation.from_euler(order, angle).as_quat(scalar_first=True)
    assert quat_angle(q, oracle) < 1e-9
    assert quat_angle(quat_from_euler(euler_from_quat(q, order), order), q) < 1e-6


@pytest.mark.parametrize("order", EULER_ORDERS)
def test_euler_angles_equal_scipys_away_from_gimbal_lock(order: str, rng: np.random.Generator) -> None:
    q = quat_normalize(rng.normal(size=(500, 4)))
    ours = euler_from_quat(q, order)
    theirs = Rotation.from_quat(q, scalar_first=True).as_euler(order)  # type: ignore[call-overload]
    np.testing.assert_allclose(wrap_angle(ours - theirs), 0.0, atol=1e-7)


def test_gimbal_lock_puts_the_turn_into_the_first_angle() -> None:
    q = quat_from_euler([0.3, np.pi / 2, 0.2], "ZYX")
    angles = euler_from_quat(q, "ZYX")
    assert angles[2] == 0.0
    assert quat_angle(quat_from_euler(angles, "ZYX"), q) < 1e-7


def test_unknown_orders_are_refused() -> None:
    with pytest.raises(ValueError, match="order: expected one of XYZ"):
        quat_from_euler([0.0, 0.0, 0.0], "XXY")


@given(st.floats(-1e6, 1e6))
def test_wrapping_keeps_the_direction_and_bounds_the_angle(angle: float) -> None:
    wrapped = float(wrap_angle(angle))
    assert -np.pi < wrapped <= np.pi
    assert np.cos(wrapped) == pytest.approx(np.cos(angle), abs=1e-8)
    assert np.sin(wrapped) == pytest.approx(np.sin(angle), abs=1e-8)


@pytest.mark.parametrize("angle", [np.pi, -np.pi, 3 * np.pi, np.nextafter(-np.pi, 0), np.nextafter(np.pi, 4), -1e-300])
def test_wrapping_at_the_seam(angle: float) -> None:
    assert -np.pi < float(wrap_angle(angle)) <= np.pi


def test_the_difference_of_two_headings_takes_the_short_way() -> None:
    assert angle_difference(np.radians(-170), np.radians(170)) == pytest.approx(np.radians(20))


def test_yaw_zero_faces_z_and_positive_yaw_turns_left() -> None:
    np.testing.assert_allclose(heading_vector(0.0), [0.0, 0.0, 1.0])
    np.testing.assert_allclose(heading_vector(np.pi / 2), [1.0, 0.0, 0.0], atol=1e-15)
    np.testing.assert_allclose(quat_rotate(quat_from_yaw(0.7), [0.0, 0.0, 1.0]), heading_vector(0.7))


@given(st.floats(-np.pi + 1e-9, np.pi))
def test_headings_and_yaws_are_inverse(yaw: float) -> None:
    assert yaw_of_vector(heading_vector(yaw)) == pytest.approx(yaw)
    assert yaw_from_quat(quat_from_yaw(yaw)) == pytest.approx(yaw, abs=1e-12)


@given(quaternions())
def test_yaw_and_tilt_make_the_rotation_and_the_tilt_has_no_yaw(q: FloatArray) -> None:
    yaw, tilt = split_yaw(q)
    np.testing.assert_allclose(np.abs(quat_multiply(quat_from_yaw(yaw), tilt) @ q), 1.0, atol=1e-9)
    assert tilt[2] == pytest.approx(0.0, abs=1e-12)


@given(quaternions(), st.floats(-3.0, 3.0))
def test_turning_about_the_vertical_adds_to_the_yaw(q: FloatArray, turn: float) -> None:
    if np.hypot(q[0], q[2]) > 1e-3:
        turned = yaw_from_quat(quat_multiply(quat_from_yaw(turn), q))
        assert abs(float(angle_difference(turned, yaw_from_quat(q) + turn))) < 1e-9


def test_upside_down_has_no_yaw() -> None:
    assert yaw_from_quat([0.0, 1.0, 0.0, 0.0]) == 0.0


def frames(rng: np.random.Generator, count: int) -> GroundFrame:
    return GroundFrame(rng.normal(size=(count, 2)), rng.uniform(-3.0, 3.0, count))


def test_ground_frames_undo_themselves(rng: np.random.Generator) -> None:
    frame, points = frames(rng, 20), rng.normal(size=(20, 3))
    np.testing.assert_allclose(frame.to_ground(frame.to_world(points)), points, atol=1e-12)
    np.testing.assert_allclose(frame.inverse().to_world(points), frame.to_ground(points), atol=1e-12)
    nothing = frame.compose(frame.inverse())
    np.testing.assert_allclose(nothing.position, 0.0, atol=1e-12)
    np.testing.assert_allclose(nothing.yaw, 0.0, atol=1e-12)


def test_composed_frames_act_one_after_the_other(rng: np.random.Generator) -> None:
    outer, inner, points = frames(rng, 5), frames(rng, 5), rng.normal(size=(5, 3))
    np.testing.assert_allclose(
        outer.compose(inner).to_world(points), outer.to_world(inner.to_world(points)), atol=1e-12
    )


def test_a_step_ahead_of_someone_facing_left_goes_along_x() -> None:
    frame = ground_frame([1.0, 0.9, 2.0], np.pi / 2)
    np.testing.assert_allclose(frame.to_world([0.0, 0.5, 1.0]), [2.0, 0.5, 2.0], atol=1e-12)
    np.testing.assert_allclose(quat_identity(), [1.0, 0.0, 0.0, 0.0])


def test_angles_of_float32_rotations_are_float64() -> None:
    q = quat_identity(3).astype(np.float32)
    yaw, tilt = split_yaw(q)
    for angle in (quat_angle(q, q), yaw_from_quat(q), euler_from_quat(q, "ZYX"), yaw, tilt):
        assert angle.dtype == np.float64
