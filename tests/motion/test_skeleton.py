from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import BvhError, FormatError, MissingExtraError, SkeletonError
from motionfields.base.geometry import quat_identity, quat_normalize
from motionfields.motion.clip import Clip
from motionfields.motion.skeleton import Skeleton, forward_kinematics, tip_positions


def scipy_positions(skeleton: Skeleton, root: FloatArray, rotations: FloatArray) -> FloatArray:
    """Forward kinematics written with scipy alone, one joint at a time: the plain oracle."""
    world: list[Rotation] = []
    positions = np.empty((*rotations.shape[:2], 3))
    for joint, parent in enumerate(skeleton.parents):
        local = Rotation.from_quat(rotations[:, joint], scalar_first=True)
        if parent < 0:
            world.append(local)
            positions[:, joint] = root
            continue
        world.append(world[parent] * local)
        positions[:, joint] = positions[:, parent] + world[parent].apply(skeleton.offsets[joint].copy())
    return positions


def random_chain(rng: np.random.Generator, joint_count: int) -> Skeleton:
    parents = np.array([-1] + [int(rng.integers(0, joint)) for joint in range(1, joint_count)])
    names = tuple(f"joint{j}" for j in range(joint_count))
    return Skeleton(names, parents, rng.normal(size=(joint_count, 3)) * 0.2)


def test_a_bent_arm_worked_by_hand() -> None:
    ahead = np.array([[0.0, 0.0, 1.0]])
    skeleton = Skeleton(("a", "b"), np.array([-1, 0]), np.concatenate([9.0 * ahead, ahead]), np.array([1]), ahead)
    quarter_left = np.array([np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0])
    world = forward_kinematics(skeleton, np.array([1.0, 0.0, 0.0]), np.stack([quarter_left, quarter_left]))
    np.testing.assert_allclose(world.positions, [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]], atol=1e-12)
    np.testing.assert_allclose(tip_positions(skeleton, world), [[2.0, 0.0, -1.0]], atol=1e-12)


def test_forward_kinematics_equals_the_scipy_oracle(rng: np.random.Generator) -> None:
    skeleton = random_chain(rng, 31)
    rotations, root = quat_normalize(rng.normal(size=(2000, 31, 4))), rng.normal(size=(2000, 3))
    fast = forward_kinematics(skeleton, root, rotations).positions
    np.testing.assert_allclose(fast, scipy_positions(skeleton, root, rotations), atol=1e-6)


def test_any_batch_shape_gives_the_same_bits(rng: np.random.Generator) -> None:
    skeleton = random_chain(rng, 7)
    rotations, root = quat_normalize(rng.normal(size=(6, 4, 7, 4))), rng.normal(size=(6, 4, 3))
    whole = forward_kinematics(skeleton, root, rotations)
    np.testing.assert_array_equal(whole.positions[2, 3], forward_kinematics(skeleton, root[2, 3], rotations[2, 3])[0])
    assert forward_kinematics(skeleton, root[:0], rotations[:0]).positions.shape == (0, 4, 7, 3)


def test_a_chain_of_5000_joints_is_no_trouble() -> None:
    count = 5000
    skeleton = Skeleton(tuple(map(str, range(count))), np.arange(-1, count - 1), np.tile([0.0, 0.1, 0.0], (count, 1)))
    world = forward_kinematics(skeleton, np.zeros(3), quat_identity(count))
    assert world.positions[-1, 1] == pytest.approx(0.1 * (count - 1))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"names": ("a", "a")}, "each joint once, got 'a' twice"),
        ({"names": ()}, "shape"),
        ({"parents": np.array([-1, 1])}, "the index of an earlier joint"),
        ({"parents": np.array([0, 0])}, "the index of an earlier joint"),
        ({"offsets": np.full((2, 3), np.nan)}, "finite"),
        ({"offsets": np.zeros((3, 3))}, "expected shape"),
        ({"tip_joints": np.array([2]), "tip_offsets": np.zeros((1, 3))}, "joints 0 to 1"),
    ],
)
def test_skeletons_that_make_no_sense_are_refused(change: dict[str, object], reason: str) -> None:
    parts: dict[str, object] = {"names": ("a", "b"), "parents": np.array([-1, 0]), "offsets": np.zeros((2, 3))}
    with pytest.raises(SkeletonError, match=reason):
        Skeleton(**{**parts, **change})  # type: ignore[arg-type]


def test_the_first_tip_of_a_joint_counts_and_none_is_zero() -> None:
    tips = np.array([[0.0, 0.1, 0.0], [0.0, 0.2, 0.0]])
    skeleton = Skeleton(("a", "b"), np.array([-1, 0]), np.zeros((2, 3)), np.array([1, 1]), tips)
    np.testing.assert_array_equal(skeleton.tip_of(1), tips[0])
    np.testing.assert_array_equal(skeleton.tip_of(0), np.zeros(3))


def test_a_skeleton_cannot_be_changed(biped: Skeleton) -> None:
    with pytest.raises(ValueError, match="read-only"):
        biped.offsets[0, 0] = 1.0


def test_wrong_names_and_shapes_are_named(biped: Skeleton, wobble: Clip) -> None:
    with pytest.raises(SkeletonError, match="no joint is called 'Tail'"):
        biped.index("Tail")
    with pytest.raises(ValueError, match="of one batch"):
        forward_kinematics(biped, wobble.root_position[:3], wobble.rotations)


def test_names_become_a_tuple_and_one_word_is_no_list_of_names() -> None:
    skeleton = Skeleton(["a", "b"], np.array([-1, 0]), np.zeros((2, 3)))  # type: ignore[arg-type]
    assert skeleton.names == ("a", "b")
    with pytest.raises(SkeletonError, match="names: expected a sequence of joint names, got 'ab'"):
        Skeleton("ab", np.array([-1, 0]), np.zeros((2, 3)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "error", [MissingExtraError("matplotlib", extra="plots"), BvhError("wrong", path="a.bvh", line=3), FormatError("x")]
)
def test_errors_survive_pickling(error: Exception) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
