"""Each fault is found in a generated take made to have it, alone; the take without it has none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_exp, quat_multiply
from motionfields.field import MotionField
from motionfields.measure.survey.faults import Take, figures, report_faults, take_faults
from motionfields.motion.body import find_body
from motionfields.motion.clip import Clip, low_pass
from motionfields.motion.contacts import detect_contacts
from motionfields.motion.planting import measure_stance

from .conftest import clip_called

FRAME = 60  # at which sudden faults are placed
SPREAD = 73  # at which the legs of the walk are farthest apart


def moved(clip: Clip, offset: FloatArray) -> Clip:
    """`clip` with its root moved by `offset` [frame, 3] metres."""
    return replace(clip, root_position=clip.root_position + offset)


def along(clip: Clip, axis: int, values: FloatArray) -> FloatArray:
    """Offsets [frame, 3] of `values` [frame] metres along `axis`."""
    return np.asarray(np.eye(3)[axis] * values[:, np.newaxis])


def turned(clip: Clip, joint: str, angle: FloatArray) -> Clip:
    """`clip` with `joint` turned about its x axis by `angle` [frame] radians."""
    rotations, place = clip.rotations.copy(), clip.skeleton.names.index(joint)
    rotations[:, place] = quat_multiply(rotations[:, place], quat_exp(angle[:, np.newaxis] * np.array([1.0, 0.0, 0.0])))
    return replace(clip, rotations=rotations)


def at(clip: Clip, frame: int, width: float) -> FloatArray:
    """A smooth bump [frame] of height 1 at `frame`."""
    return np.exp(-0.5 * ((np.arange(clip.frame_count) - frame) / width) ** 2)


def shaken(clip: Clip) -> Clip:
    noise = np.random.default_rng(3).normal(0.0, 0.05, (*clip.rotations.shape[:2], 3))
    return low_pass(replace(clip, rotations=quat_multiply(clip.rotations, quat_exp(noise))), 8.0)


def frozen(clip: Clip) -> Clip:
    frames = np.concatenate([np.arange(FRAME), np.full(10, FRAME), np.arange(FRAME + 1, clip.frame_count)])
    return replace(clip, root_position=clip.root_position[frames], rotations=clip.rotations[frames])


def legs_swapped(clip: Clip, frames: slice) -> Clip:
    """`clip` with the rotations of the left and the right leg exchanged in `frames`."""
    rotations = clip.rotations.copy()
    left, right = ([leg.hip, leg.knee, leg.ankle, leg.toe] for leg in find_body(clip.skeleton).legs)
    rotations[frames, left], rotations[frames, right] = rotations[frames, right].copy(), rotations[frames, left].copy()
    return replace(clip, rotations=rotations)


def ramp(clip: Clip, height: float) -> FloatArray:
    return height * np.linspace(0.0, 1.0, clip.frame_count)


# Each fault: the altered take, and the first and last frame at which it may be reported.
ALTERED: dict[str, tuple[Callable[[Clip], Clip], tuple[int, int]]] = {
    "skate": (lambda c: moved(c, along(c, 0, ramp(c, 0.3 * c.duration))), (0, 10_000)),
    "jitter": (shaken, (0, 10_000)),
    "pop": (lambda c: turned(c, "LeftArm", 0.9 * (np.arange(c.frame_count) == FRAME)), (FRAME, FRAME)),
    "frozen": (frozen, (FRAME - 1, FRAME + 1)),
    "floor-drift": (lambda c: moved(c, along(c, 1, ramp(c, 0.12))), (100, 10_000)),
    "floor-offset": (lambda c: moved(c, along(c, 1, np.full(c.frame_count, -0.08))), (0, 100)),
    "through-floor": (lambda c: moved(c, along(c, 1, -0.08 * at(c, FRAME, 6.0))), (FRAME - 12, FRAME + 12)),
    "frame-rate": (lambda c: replace(c, frame_time=0.5 * c.frame_time), (0, 0)),
    "left-right-swap": (lambda c: low_pass(legs_swapped(c, slice(SPREAD, SPREAD + 40)), 8.0), (SPREAD - 4, SPREAD + 4)),
    "same-side-swing": (lambda c: legs_swapped(c, slice(None)), (0, 10_000)),
}
OTHERS = ("missing-contacts", "uneven-bones", "file-warning")
# What a fault brings with it: legs that change places jump, and shaken or frozen feet slide.
COMPANIONS = {
    "left-right-swap": {"pop", "skate", "same-side-swing", "jitter"},
    "same-side-swing": {"skate"},
    "jitter": {"skate", "pop", "missing-contacts"},
    "frozen": {"pop", "skate"},
    "frame-rate": {"skate", "jitter"},
}


def take_of(clip: Clip, like: Clip) -> Take:
    """`clip` with its own contacts, and the stance of `like`."""
    return Take(clip, detect_contacts(clip), find_body(clip.skeleton), measure_stance(like))


@pytest.mark.parametrize("name", ["walk_forward", "walk_stop", "turn_left_090_quick", "walk_backward", "stand_idle"])
def test_generated_takes_have_no_fault(name: str) -> None:
    take = take_of(clip_called(name), clip_called("walk_forward"))
    assert take_faults(take, figures(take)) == []


def test_a_step_at_four_times_the_speed_is_no_exchange_of_the_legs() -> None:
    walk = clip_called("walk_slow")
    for first in range(60, 90, 3):
        frames = np.concatenate([np.arange(first), first + 4 * np.arange(4), np.arange(first + 16, walk.frame_count)])
        hasty = replace(walk, rotations=walk.rotations[frames], root_position=walk.root_position[: len(frames)])
        take = take_of(hasty, walk)
        assert "left-right-swap" not in {one.kind for one in take_faults(take, figures(take))}


@pytest.mark.parametrize("kind", ALTERED)
def test_a_fault_is_found_alone_and_at_its_frame(kind: str) -> None:
    walk = clip_called("walk_forward")
    change, (first, last) = ALTERED[kind]
    take = take_of(change(walk), walk)
    found = {one.kind: one for one in take_faults(take, figures(take))}
    assert kind in found
    assert first <= found[kind].frame <= last
    assert found[kind].take == "walk_forward"
    assert set(found) - {kind} <= COMPANIONS.get(kind, set())


def test_a_standing_foot_without_a_label_is_a_missing_contact() -> None:
    walk = clip_called("walk_stop")
    take = take_of(walk, walk)
    labels = take.contacts.copy()
    standing = np.flatnonzero(labels.all(axis=1))
    labels[standing, 1] = False
    (found,) = (one for one in take_faults(take._replace(contacts=labels), figures(take)) if one.kind == OTHERS[0])
    assert "right foot" in found.text
    assert found.frame in standing


def test_the_report_of_a_build_gives_uneven_bones_and_warnings(whole_field: MotionField) -> None:
    report = whole_field.database.report
    assert report_faults(report) == []
    warnings = ("a: looks odd", "b: 3.4 steps per second: check the frame rate", "a and b are nearly the same motion")
    found = report_faults(replace(report, bone_change=0.08, warnings=warnings))
    assert [(one.kind, one.take) for one in found] == [("uneven-bones", ""), ("file-warning", "a"), ("frame-rate", "b")]


def test_a_take_of_a_few_frames_is_not_judged() -> None:
    walk = clip_called("walk_forward")
    short = replace(walk, root_position=walk.root_position[:5], rotations=walk.rotations[:5])
    take = Take(short, np.ones((5, 2), np.bool_), find_body(walk.skeleton), measure_stance(walk))
    assert np.isnan(figures(take).jerk)
    assert take_faults(take, figures(take)) == []
