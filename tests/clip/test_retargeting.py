from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionfields import quality
from motionfields.arrays import FloatArray
from motionfields.body import find_body
from motionfields.clip import Clip, rescale, retarget
from motionfields.contacts import detect_contacts
from motionfields.errors import SkeletonError
from motionfields.formats import load_clip
from motionfields.skeleton import Skeleton


def standing_heights(clip: Clip) -> FloatArray:
    """How high the balls of the left and the right foot are, in metres, while they stand."""
    contacts = detect_contacts(clip)
    height = clip.world().positions[:, [leg.toe for leg in find_body(clip.skeleton).legs], 1]
    return np.array([np.median(height[contacts[:, foot], foot]) for foot in range(2)])


def reordered(skeleton: Skeleton, order: list[int]) -> Skeleton:
    place = np.argsort(order)
    parents = [-1 if skeleton.parents[joint] < 0 else place[skeleton.parents[joint]] for joint in order]
    names = tuple(skeleton.names[joint] for joint in order)
    return Skeleton(names, np.array(parents), skeleton.offsets[order], place[skeleton.tip_joints], skeleton.tip_offsets)


def test_on_its_own_skeleton_a_clip_stays_as_it_is(wobble: Clip) -> None:
    same = retarget(wobble, wobble.skeleton)
    np.testing.assert_allclose(same.root_position, wobble.root_position, atol=1e-9)
    np.testing.assert_allclose(same.world().positions, wobble.world().positions, atol=1e-6)
    assert same.name == wobble.name
    assert same.skeleton is wobble.skeleton


@pytest.mark.parametrize("factor", [0.8, 1.25])
def test_a_scaled_body_makes_exactly_the_scaled_way(wobble: Clip, factor: float) -> None:
    scaled = rescale(wobble, factor)
    moved = retarget(wobble, scaled.skeleton)
    np.testing.assert_allclose(moved.root_position, factor * wobble.root_position, atol=1e-9)
    np.testing.assert_allclose(moved.world().positions, scaled.world().positions, atol=1e-6)


def test_joints_are_matched_by_name_in_any_order(wobble: Clip) -> None:
    order = [0, 9, 10, 11, 5, 6, 7, 8, 1, 2, 3, 4]
    skeleton = reordered(wobble.skeleton, order)
    moved = retarget(wobble, skeleton)
    assert moved.skeleton.names == skeleton.names
    np.testing.assert_allclose(moved.world().positions, wobble.world().positions[:, order], atol=1e-6)


def test_other_joints_are_refused_and_named(wobble: Clip) -> None:
    names = tuple("Skull" if name == "Head" else name for name in wobble.skeleton.names)
    with pytest.raises(SkeletonError, match="the clip lacks Skull and has Head besides"):
        retarget(wobble, replace(wobble.skeleton, names=names))


def test_another_hierarchy_is_refused(wobble: Clip) -> None:
    parents = wobble.skeleton.parents.copy()
    parents[wobble.skeleton.index("Extra")] = 0
    with pytest.raises(SkeletonError, match="Extra hangs on Hips, in the clip on Spine"):
        retarget(wobble, replace(wobble.skeleton, parents=parents))


def leg_length(skeleton: Skeleton) -> float:
    bones = [joint for leg in find_body(skeleton).legs for joint in (leg.knee, leg.ankle)]
    return float(np.linalg.norm(skeleton.offsets[bones], axis=-1).sum()) / 2.0


@pytest.mark.parametrize("name", ["stagger_104/104_02", "load_81/81_02", "puller_18/18_01", "pulled_19/19_01"])
def test_captured_feet_stand_as_high_as_those_of_the_new_body(
    name: str, shared_data: Path, locomotion: list[Path]
) -> None:
    own = load_clip(next(path for path in locomotion if path.stem == "69_05"))
    clip = load_clip(shared_data / "perturbation" / f"{name}.bvh")
    moved = retarget(clip, own.skeleton)
    ratio = leg_length(own.skeleton) / leg_length(clip.skeleton)
    np.testing.assert_allclose(standing_heights(moved), ratio * standing_heights(clip), atol=2e-3)
    np.testing.assert_allclose(standing_heights(moved), standing_heights(own), atol=0.02)
    assert quality.root_speed(moved).mean() == pytest.approx(ratio * quality.root_speed(clip).mean(), rel=0.02)
    assert quality.jerk(moved).mean() < 1.1 * ratio * quality.jerk(clip).mean()
