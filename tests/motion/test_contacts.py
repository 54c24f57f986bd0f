from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.base.geometry import quat_identity
from motionfields.motion.clip import Clip, low_pass, mirror, resample, trim
from motionfields.motion.contacts import ContactSettings, central_velocity, detect_contacts, foot_track
from motionfields.motion.formats import load_clip
from motionfields.motion.skeleton import Skeleton


def gliding_feet(biped: Skeleton, height: FloatArray, speed: FloatArray, frame_rate: float = 60.0) -> Clip:
    """A stiff biped moved so that both feet have the given height [frame] and forward speed [frame]."""
    ahead = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1]))]) / frame_rate
    root = np.stack([np.zeros_like(ahead), 0.93 + height, ahead], axis=-1)
    return Clip(biped, root, quat_identity(len(root), 12), 1.0 / frame_rate)


def test_a_foot_stands_while_it_is_low_and_slow(biped: Skeleton) -> None:
    frames = np.arange(240)
    swing = (frames // 60) % 2 == 1
    clip = gliding_feet(biped, np.where(swing, 0.1, 0.0), np.where(swing, 2.0, 0.0))
    contacts = detect_contacts(clip)
    inner = np.abs((frames % 60) - 30) < 26
    np.testing.assert_array_equal(contacts[inner, 0], ~swing[inner])
    np.testing.assert_array_equal(contacts[:, 0], contacts[:, 1])


def test_a_contact_holds_between_the_two_thresholds_but_does_not_start_there(biped: Skeleton) -> None:
    speed = np.full(240, 2.0)
    speed[40:80], speed[80:120] = 0.1, 0.3
    speed[180:220] = 0.3
    contacts = detect_contacts(gliding_feet(biped, np.zeros(240), speed))[:, 0]
    assert contacts[45:115].all()
    assert not contacts[125:].any()


def test_short_contacts_and_short_gaps_are_closed(biped: Skeleton) -> None:
    speed = np.full(240, 2.0)
    speed[60:180] = 0.0
    speed[120:122] = 2.0
    speed[210:212] = 0.0
    contacts = detect_contacts(gliding_feet(biped, np.zeros(240), speed))[:, 0]
    assert contacts[65:175].all()
    assert not contacts[190:].any()


def test_captured_walks_stand_on_one_foot_at_least_and_mirror_alike(locomotion: list[Path]) -> None:
    for path in locomotion:
        clip = load_clip(path)
        contacts = detect_contacts(clip)
        assert contacts.any(axis=1).mean() > 0.97
        assert 0.5 < contacts.mean() < 0.95
        np.testing.assert_array_equal(detect_contacts(mirror(clip)), contacts[:, ::-1])
        slower = detect_contacts(resample(low_pass(clip), 30.0))
        assert (slower == contacts[::4][: len(slower)]).mean() > 0.95


def test_heights_are_above_the_foots_own_standing_height(wobble: Clip) -> None:
    track = foot_track(wobble)
    assert track.height.shape == track.speed.shape == (120, 2)


def test_velocities_of_straight_lines_are_exact_to_the_ends() -> None:
    values = 3.0 * np.arange(10.0)[:, np.newaxis]
    np.testing.assert_allclose(central_velocity(values, 0.5, reach=3), 6.0)
    np.testing.assert_array_equal(central_velocity(values[:1], 0.5), 0.0)


def test_clips_of_no_length_have_no_contacts(wobble: Clip) -> None:
    assert detect_contacts(trim(wobble, 0, 0)).shape == (0, 2)
    assert detect_contacts(trim(wobble, 0, 2)).shape == (2, 2)


def test_settings_are_checked() -> None:
    with pytest.raises(ValueError, match="expected values of at least enter_speed"):
        ContactSettings(enter_speed=0.5, leave_speed=0.2)
    with pytest.raises(ValueError, match="enter_height: expected a positive"):
        ContactSettings(enter_height=0.0)


def dip(lowest: float, highest: float) -> FloatArray:
    """Numbers [frame] that fall evenly from `highest` to `lowest` in frame 60 and rise again."""
    return highest + (lowest - highest) * (1.0 - np.abs(np.arange(121) - 60) / 60.0)


@pytest.mark.parametrize("name", ["speed", "height"])
def test_a_contact_begins_and_holds_strictly_below_its_thresholds(biped: Skeleton, name: str) -> None:
    height, speed = np.append(dip(0.0, 0.2), dip(0.1, 0.2)), np.append(dip(0.1, 2.0), dip(0.5, 2.0))
    clip = gliding_feet(biped, height, speed)
    values = getattr(foot_track(clip), name)[:, 0]
    other = "height" if name == "speed" else "speed"

    def contacts(enter: float, leave: float) -> BoolArray:
        loose = {f"enter_{other}": 1e3, f"leave_{other}": 1e3}
        limits = {f"enter_{name}": enter, f"leave_{name}": leave}
        return detect_contacts(clip, ContactSettings(**loose, **limits, shortest=0.0))[:, 0]

    level, lowest = float(values[30]), float(values[121:].min())
    np.testing.assert_array_equal(contacts(level, level), values < level)
    assert not contacts(lowest, 1.2 * lowest)[121:].any()
    np.testing.assert_array_equal(contacts(np.nextafter(lowest, 9.0), 1.2 * lowest)[121:], values[121:] < 1.2 * lowest)
