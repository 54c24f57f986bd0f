"""Ranges of joints: human, never narrower than the data, and poses are brought back into them."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_angle, quat_exp, quat_identity, quat_multiply, quat_normalize, quat_rotate
from motionfields.motion.skeleton import Skeleton
from motionfields.runtime.physics import JointRanges, SegmentedBody, measure_ranges
from motionfields.runtime.physics.ranges import endless_ranges, keep_in_range
from tests.control.training.small import small_field


def segment_called(body: SegmentedBody, name: str) -> int:
    return body.segment_of(body.skeleton.index(name))


def turned(ranges: JointRanges, angles: FloatArray) -> FloatArray:
    """The turns [segment, 4] at `angles` [segment, 3], radians, about the axes."""
    return quat_multiply(quat_exp(np.einsum("sac,sa->sc", ranges.axes, angles)), ranges.neutral)


def one_joint(low: float, high: float) -> JointRanges:
    """The root, and a joint that goes from `low` to `high` degrees about x and 30 degrees about y and z."""
    edge = np.radians([[low, -30.0, -30.0], [high, 30.0, 30.0]])
    free = endless_ranges(2)
    free.low[1], free.high[1] = edge
    return free


def kept(ranges: JointRanges, before: float, now: float) -> float:
    """Return the angles, in degrees about x within half a turn, that `ranges` allow."""
    old, turns = (np.stack([quat_identity(), quat_exp(np.radians([angle, 0.0, 0.0]))]) for angle in (before, now))
    keep_in_range(ranges, old, turns)
    return float(np.degrees(2.0 * np.arctan2(turns[1, 1], turns[1, 0])))


def about_same(one: float, other: float) -> bool:
    """Whether two angles in degrees are of the same turn."""
    return abs((one - other + 180.0) % 360.0 - 180.0) < 1e-6


def test_knees_bend_back_and_as_far_as_the_table_says(body: SegmentedBody, ranges: JointRanges) -> None:
    turns = body.turns(small_field().database.rotations)
    for name in ("LeftLeg", "RightLeg"):
        knee = segment_called(body, name)
        bend = np.degrees(ranges.angles(turns)[:, knee, 0])
        assert bend.min() > -5.0
        assert bend.max() > 40.0
        np.testing.assert_allclose(np.degrees([ranges.low[knee, 0], ranges.high[knee, 0]]), [-5.0, 140.0])


def test_a_knee_bent_by_hand_measures_what_it_was_bent_by(body: SegmentedBody, ranges: JointRanges) -> None:
    knee = segment_called(body, "LeftLeg")
    angles = np.zeros((len(body.joints), 3))
    for degrees, beyond in ((90.0, 0.0), (-4.0, 0.0), (-25.0, 20.0), (150.0, 10.0)):
        angles[knee, 0] = np.radians(degrees)
        turns = turned(ranges, angles)[np.newaxis]
        assert np.degrees(ranges.angles(turns)[0, knee, 0]) == pytest.approx(degrees)
        assert np.degrees(ranges.excess(turns)[0, knee]) == pytest.approx(beyond, abs=1e-9)
    # The shank of a knee that is bent back, and only of such a one, points ahead of the thigh.
    angles[knee, 0] = np.radians(-25.0)
    shank = quat_rotate(turned(ranges, angles)[knee], body.segments[knee].end)
    assert shank[2] > 0.1
    angles[knee, 0] = 0.0
    straight = quat_rotate(turned(ranges, angles)[knee], body.segments[knee].end)
    np.testing.assert_allclose(np.cross(straight, body.places[body.joints[knee]]), 0.0, atol=1e-9)


def test_the_data_is_always_within_range(body: SegmentedBody, ranges: JointRanges, data: FloatArray) -> None:
    turns = body.turns(data)
    assert ranges.excess(turns)[:, 1:].max() < 1e-9
    away = quat_angle(turns, np.broadcast_to(ranges.middle, turns.shape))
    assert (away[:, 1:] <= ranges.reach[1:]).all()


def test_data_that_goes_further_widens_the_range(body: SegmentedBody, data: FloatArray) -> None:
    head, usual = segment_called(body, "Head"), measure_ranges(body, data)
    wild = data.copy()
    nod = quat_exp(np.radians([70.0, 0.0, 0.0]))
    wild[::50, body.joints[head]] = quat_multiply(nod, wild[::50, body.joints[head]])
    assert usual.excess(body.turns(wild))[:, head].max() > np.radians(10.0)
    assert measure_ranges(body, wild).excess(body.turns(wild))[:, 1:].max() < 1e-9


def test_axes_are_at_right_angles_and_left_mirrors_right(body: SegmentedBody, ranges: JointRanges) -> None:
    products = ranges.axes @ np.swapaxes(ranges.axes, 1, 2)
    np.testing.assert_allclose(products, np.broadcast_to(np.eye(3), products.shape), atol=1e-9)
    for part in ("Arm", "ForeArm", "UpLeg", "Leg", "Foot"):
        left, right = (segment_called(body, side + part) for side in ("Left", "Right"))
        np.testing.assert_allclose(ranges.low[left, 0], ranges.low[right, 0], atol=0.05)
        np.testing.assert_allclose(ranges.low[left, 1:], -ranges.high[right, 1:], atol=0.05)
        np.testing.assert_allclose(ranges.high[left, 1:], -ranges.low[right, 1:], atol=0.05)


def test_a_body_that_never_bends_has_axes_at_right_angles_too(biped: Skeleton) -> None:
    still = quat_identity(5, biped.joint_count)
    straight = SegmentedBody(biped, rotations=still)
    axes = measure_ranges(straight, still).axes
    products = axes @ np.swapaxes(axes, 1, 2)
    np.testing.assert_allclose(products, np.broadcast_to(np.eye(3), products.shape), atol=1e-9)


def test_legs_that_are_quite_straight_in_all_data_have_axes_at_right_angles_too() -> None:
    """The bones of thigh and shank lie in one line, so that nothing tells about which axis the knee bends."""
    names = ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot")
    bone = np.array([0.06, -0.42, 0.03])
    offsets = np.array([np.zeros(3), [0.1, 0.0, 0.0], bone, bone, [-0.1, 0.0, 0.0], bone, bone])
    skeleton = Skeleton(
        names, np.array([-1, 0, 1, 2, 0, 4, 5]), offsets, np.array([3, 6]), np.tile([0.0, 0.0, 0.1], (2, 1))
    )
    still = quat_identity(5, skeleton.joint_count)
    axes = measure_ranges(SegmentedBody(skeleton, rotations=still), still).axes
    products = axes @ np.swapaxes(axes, 1, 2)
    np.testing.assert_allclose(products, np.broadcast_to(np.eye(3), products.shape), atol=1e-9)


def test_what_is_in_range_keeps_its_bits(body: SegmentedBody, ranges: JointRanges, data: FloatArray) -> None:
    for turns in body.turns(data[::100]):
        after = turns.copy()
        assert not keep_in_range(ranges, turns, after)
        np.testing.assert_array_equal(after, turns)


def test_a_joint_out_of_range_comes_back_and_the_others_keep_their_bits(
    body: SegmentedBody, ranges: JointRanges, data: FloatArray
) -> None:
    before = body.turns(data[:1])[0]
    knee, turns = segment_called(body, "LeftLeg"), before.copy()
    turns[knee] = quat_multiply(quat_exp(np.radians(-60.0) * ranges.axes[knee, 0]), ranges.neutral[knee])
    assert keep_in_range(ranges, before, turns)
    assert ranges.excess(turns[np.newaxis])[0, knee] < 1e-9
    angles = np.degrees(ranges.angles(turns[np.newaxis])[0, knee])
    np.testing.assert_allclose(angles, [-5.0, 0.0, 0.0], atol=1e-6)
    others = np.arange(len(turns)) != knee
    np.testing.assert_array_equal(turns[others], before[others])


def test_any_pose_comes_back_into_range(
    body: SegmentedBody, ranges: JointRanges, data: FloatArray, rng: np.random.Generator
) -> None:
    before = body.turns(data[:1])[0]
    for turns in quat_normalize(rng.normal(size=(50, len(before), 4))):
        root = turns[0].copy()
        keep_in_range(ranges, before, turns)
        assert ranges.excess(turns[np.newaxis])[0, 1:].max() < 1e-9
        np.testing.assert_allclose(np.linalg.norm(turns, axis=-1), 1.0, atol=1e-12)
        np.testing.assert_array_equal(turns[0], root)


def test_what_was_out_of_range_before_comes_back_by_half() -> None:
    ranges = one_joint(-40.0, 60.0)
    assert kept(ranges, 30.0, 80.0) == pytest.approx(60.0)
    assert kept(ranges, 80.0, 80.0) == pytest.approx(70.0)
    assert kept(ranges, 80.0, 95.0) == pytest.approx(70.0)
    assert kept(ranges, 80.0, 65.0) == pytest.approx(65.0)  # on its way back by itself
    assert kept(ranges, -60.0, -60.0) == pytest.approx(-50.0)
    angle = 80.0
    for _ in range(30):
        angle = kept(ranges, angle, angle)
    assert angle == pytest.approx(60.0)


def test_nothing_jumps_at_half_a_turn() -> None:
    ranges = one_joint(-170.0, 60.0)
    for angle in (-165.0, -169.9):
        assert kept(ranges, angle, angle) == pytest.approx(angle)
    for beyond in (-171.0, -179.9, -180.1, -190.0, -220.0):
        assert about_same(kept(ranges, -165.0, beyond), -170.0), f"{beyond} degrees"


def test_what_was_past_half_a_turn_before_comes_back_the_short_way() -> None:
    """As `excess` measures it, which is 15 degrees at -185, that is 175, degrees."""
    ranges = one_joint(-170.0, 60.0)
    turns = np.stack([quat_identity(), quat_exp(np.radians([-185.0, 0.0, 0.0]))])[np.newaxis]
    assert np.degrees(ranges.excess(turns)[0, 1]) == pytest.approx(15.0)
    assert about_same(kept(ranges, -185.0, -185.0), -177.5)


def test_endless_ranges_keep_nothing_back(rng: np.random.Generator) -> None:
    turns = quat_normalize(rng.normal(size=(2, 5, 4)))
    after = turns[1].copy()
    assert not keep_in_range(endless_ranges(5), turns[0], after)
    np.testing.assert_array_equal(after, turns[1])
    assert endless_ranges(5).excess(turns).max() == 0.0
