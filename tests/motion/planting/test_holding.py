"""Foot locking with the future known: feet in place in contacts, and the smoothest change between them."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_exp
from motionfields.motion import quality
from motionfields.motion.body import find_body
from motionfields.motion.clip import Clip
from motionfields.motion.planting.holding import hold_feet, smooth_correction, steady
from motionfields.motion.samples import generate_samples


@pytest.fixture(scope="module")
def walk() -> Clip:
    return generate_samples(only=["walk_forward"])[0].clip


def slid(clip: Clip) -> Clip:
    """Return `clip` moved sideways at 10 cm/s, so that every foot slides."""
    root = clip.root_position.copy()
    root[:, 0] += 0.1 * clip.frame_time * np.arange(clip.frame_count)
    return Clip(clip.skeleton, root, clip.rotations, clip.frame_time)


def test_feet_stay_in_place_in_their_contacts(walk: Clip) -> None:
    sliding = slid(walk)
    toes = walk.world().positions[:, [leg.toe for leg in find_body(walk.skeleton).legs]]
    speed = np.linalg.norm(np.diff(toes, axis=0, append=toes[-1:]), axis=-1) / walk.frame_time
    contacts = np.stack([steady(speed[:, foot] < 0.2, walk.frame_time) for foot in range(2)], axis=1)
    held = hold_feet(sliding, contacts)
    assert quality.foot_skate(sliding, contacts).mean > 0.05
    assert quality.foot_skate(held.clip, contacts).mean < 1e-6
    assert quality.mean_jerk(held.clip) < 1.3 * quality.mean_jerk(sliding)
    assert np.abs(held.corrections).max() < 0.12
    moved = held.clip.root_position[-1, 0] - sliding.root_position[-1, 0]
    assert moved < -0.5 * (sliding.root_position[-1, 0] - walk.root_position[-1, 0])


def test_a_motion_whose_feet_stand_still_keeps_its_bits_to_round_off(walk: Clip) -> None:
    still = Clip(walk.skeleton, walk.root_position[[5] * 30], walk.rotations[[5] * 30], walk.frame_time)
    held = hold_feet(still, np.ones((30, 2), np.bool_)).clip
    np.testing.assert_allclose(held.world().positions, still.world().positions, atol=1e-6)


def test_straight_and_overstretched_knees_bend_forwards(walk: Clip) -> None:
    """Legs that are straight, and bent a little backwards by turns, keep their knees on one side when feet are held."""
    leg = find_body(walk.skeleton).legs[0]
    count = 40
    rotations = walk.rotations[[5] * count].copy()
    wobble = 0.02 * np.sin(np.arange(count))
    rotations[:, leg.knee] = quat_exp(np.stack([wobble, 0.0 * wobble, 0.0 * wobble], axis=-1))
    root = np.repeat(walk.root_position[5:6], count, axis=0)
    root[:, 1] -= 0.002
    root[:, 0] += 0.002 * np.arange(count)
    straight = Clip(walk.skeleton, root, rotations, walk.frame_time)
    held = hold_feet(straight, np.ones((count, 2), np.bool_)).clip
    hips, knees, ankles = (held.world().positions[:, joint] for joint in (leg.hip, leg.knee, leg.ankle))
    line = (ankles - hips) / np.linalg.norm(ankles - hips, axis=-1, keepdims=True)
    aside = knees - hips - ((knees - hips) * line).sum(axis=-1, keepdims=True) * line
    assert (aside @ aside.sum(axis=0) >= -1e-6).all()


def test_the_pelvis_sinks_before_a_knee_is_stretched_straight(walk: Clip) -> None:
    """The feet of a body that sways on bent knees stay in place, and its knees as bent as they were."""
    leg = find_body(walk.skeleton).legs[0]
    count = 40

    def bend(clip: Clip) -> FloatArray:
        hips, knees, ankles = (clip.world().positions[:, joint] for joint in (leg.hip, leg.knee, leg.ankle))
        thigh, shank = knees - hips, ankles - knees
        lengths = np.linalg.norm(thigh, axis=-1) * np.linalg.norm(shank, axis=-1)
        return np.asarray(np.arccos(np.clip((thigh * shank).sum(axis=-1) / lengths, -1.0, 1.0)))

    root = np.repeat(walk.root_position[5:6], count, axis=0)
    root[:, 2] += 0.1 * np.sin(np.linspace(0.0, 2.0 * np.pi, count))
    swaying = Clip(walk.skeleton, root, walk.rotations[[5] * count], walk.frame_time)
    held = hold_feet(swaying, np.ones((count, 2), np.bool_), move_root=False).clip
    assert bend(held).min() > min(0.25, bend(swaying).min()) - 1e-6
    assert held.root_position[:, 1].min() < root[:, 1].min() - 0.001


def test_the_correction_joins_what_is_wanted_as_smoothly_as_it_can() -> None:
    """The energy of the track is lowest: any change of a free frame raises it."""
    wanted = np.full((40, 1), np.nan)
    wanted[5:10, 0], wanted[25:30, 0] = 0.1, -0.2
    found = smooth_correction(wanted, 1.0 / 30.0, ease=0.2)

    def energy(track: FloatArray) -> float:
        third = np.diff(track[:, 0], n=3)
        return float((third**2).sum() + (1.0 / 6.0) ** 6 * (track**2).sum())

    np.testing.assert_array_equal(found[5:10, 0], 0.1)
    np.testing.assert_array_equal(found[25:30, 0], -0.2)
    for frame in (0, 4, 10, 17, 39):
        for change in (1e-3, -1e-3):
            other = np.array(found)
            other[frame] += change
            assert energy(other) > energy(found)
    np.testing.assert_array_equal(smooth_correction(np.full((9, 2), np.nan), 0.1), 0.0)


def test_short_gaps_close_and_short_contacts_vanish() -> None:
    contact = np.array([mark == "1" for mark in "0010000111000001110011100001"])
    kept = "".join("1" if mark else "0" for mark in steady(contact, 1.0 / 30.0))
    assert kept == "0000000111000001111111100001"
    with pytest.raises(ValueError, match="contacts: expected"):
        hold_feet(generate_samples(only=["walk_forward"])[0].clip, np.ones((3, 2), np.bool_))


def test_a_foot_that_strays_too_far_steps(walk: Clip) -> None:
    """A contact claimed for the whole walk is cut into parts, and no correction exceeds half a step."""
    held = hold_feet(walk, np.ones((walk.frame_count, 2), np.bool_))
    assert np.isfinite(held.clip.rotations).all()
    assert np.abs(held.corrections).max() < 0.5
