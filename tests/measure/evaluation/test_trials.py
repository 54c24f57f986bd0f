"""Trials of characters whose answer is known."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import angle_difference, quat_from_yaw, quat_identity
from motionfields.control.root_motion import facing_of, hip_line
from motionfields.control.tasks import Direction, Ground, Lane, Line, Task, Velocity
from motionfields.field import MotionField
from motionfields.measure.evaluation import Trials, direction_trials, joined, lane_trials, line_trials, velocity_trials
from motionfields.measure.evaluation.trials import LEAST_ANGLE, LINE_TOLERANCE
from motionfields.motion.quality import response_time
from motionfields.runtime import DisplayPose, Frame
from tests.control.training.small import small_field

RATE = np.radians(90.0)  # a second, that puppets turn with
SPEED = 0.15  # m/s, that puppets approach their line with
SPEEDING = 0.8  # m/s2, that puppets come to their speed along the line with


class Puppets:
    """Characters that turn to their heading, and go sideways to their line, at known rates; they write down all.

    Those that are told a speed come to it at a known rate, and to `ahead` m/s more.
    """

    def __init__(self, controller: PuppetController, count: int) -> None:
        self.field, self.controller = controller.field, controller
        self.rest = float(facing_of(quat_identity(), hip_line(self.field.database.skeleton)))
        self.facing, self.place, self.ahead = np.zeros(count), np.zeros((count, 2)), np.zeros(count)
        self.unplanted: DisplayPose | None = None
        self.commands: list[FloatArray] = []
        self.places: list[FloatArray] = []
        self.facings: list[FloatArray] = []

    @property
    def ground(self) -> Ground:
        return Ground(self.place.copy(), self.facing.copy())

    def step(self, commands: FloatArray) -> Frame:
        time = self.field.database.frame_time
        heading = commands[:, self.controller.column]
        most = self.controller.rate * time
        self.facing = self.facing + np.clip(angle_difference(heading, self.facing), -most, most)
        if commands.shape[1] >= 3:
            left = np.stack([np.cos(heading), -np.sin(heading)], axis=-1)
            aside = ((self.place - commands[:, :2]) * left).sum(axis=-1) - self.controller.aside
            most = self.controller.speed * time
            self.place = self.place - np.clip(aside, -most, most)[:, np.newaxis] * left
        if commands.shape[1] == 4:
            most = SPEEDING * time
            self.ahead = self.ahead + np.clip(commands[:, 3] + self.controller.ahead - self.ahead, -most, most)
            variant = np.stack([np.sin(heading), np.cos(heading)], axis=-1)
            self.place = self.place + time * self.ahead[:, np.newaxis] * variant
        self.commands.append(commands.copy())
        self.places.append(self.place.copy())
        self.facings.append(self.facing.copy())
        return self._frame()

    def _frame(self) -> Frame:
        count = len(self.facing)
        rotations = quat_identity(count, self.field.database.skeleton.joint_count)
        rotations[:, 0] = quat_from_yaw(self.facing - self.rest)
        root = np.column_stack([self.place[:, 0], np.ones(count), self.place[:, 1]])
        self.unplanted = DisplayPose(root, rotations)
        nothing = np.zeros(count, np.int64)
        return Frame(root, rotations, np.zeros((count, 2), np.bool_), nothing, nothing)


class PuppetController:
    """Moves puppets."""

    def __init__(
        self, task: Task, *, rate: float = RATE, speed: float = SPEED, aside: float = 0.0, ahead: float = 0.0
    ) -> None:
        self.task, self.rate, self.speed, self.aside, self.ahead = task, rate, speed, aside, ahead
        self.column = task.command_names.index("heading")
        self.last: Puppets | None = None

    @cached_property
    def field(self) -> MotionField:
        return small_field()

    def crowd(self, count: int, *, seed: int = 0, plant: bool = True) -> Puppets:
        self.last = Puppets(self, count)
        return self.last


def changes_of(puppets: Puppets) -> list[tuple[int, int, float, float]]:
    """Every change of command, as characters and frames come: radians and metres that were to go."""
    commands, places = np.stack(puppets.commands, 1), np.stack(puppets.places, 1)
    facings = np.stack(puppets.facings, 1)
    found = []
    for i in range(len(commands)):
        for frame in 1 + np.flatnonzero((np.diff(commands[i], axis=0) != 0.0).any(axis=-1)):
            goal = commands[i, frame]
            angle = abs(float(angle_difference(goal[-1], facings[i, frame - 1])))
            gap = 0.0
            if len(goal) == 3:
                left = np.array([np.cos(goal[2]), -np.sin(goal[2])])
                gap = abs(float((places[i, frame - 1] - goal[:2]) @ left))
            if angle >= LEAST_ANGLE:
                found.append((i, int(frame), angle, gap))
    return found


def frames_until(amount: float, tolerance: float, rate: float, frame_time: float) -> int:
    return max(0, int(np.ceil((amount - tolerance) / (rate * frame_time) - 1e-9)))


def test_a_constant_turning_rate_gives_the_known_response_times() -> None:
    controller = PuppetController(Direction())
    trials = direction_trials(controller, count=8, change_count=2, seed=3)
    assert controller.last is not None
    time = controller.field.database.frame_time
    found = changes_of(controller.last)
    assert len(found) == len(trials.reached) >= 14
    for trial, (_, _, angle, _) in enumerate(found):
        assert abs(trials.angles[trial]) == pytest.approx(angle)
        frames = frames_until(angle, np.radians(5.0), RATE, time)
        assert trials.reached[trial] == pytest.approx(frames * time)
        assert trials.settled[trial] == pytest.approx(frames * time)
        assert trials.errors[trial, 0] == pytest.approx(angle)
        assert trials.errors[trial, frames] <= np.radians(5.0) + 1e-9


def test_who_turns_too_slowly_fails() -> None:
    controller = PuppetController(Direction(), rate=np.radians(10.0))
    trials = direction_trials(controller, count=8, change_count=1, seed=3)
    far = np.abs(trials.angles) > np.radians(5.0 + 60.0 + 1.0)
    assert far.any()
    assert not far.all()
    np.testing.assert_array_equal(np.isinf(trials.reached), far)


def test_a_line_is_reached_when_both_angle_and_distance_are() -> None:
    controller = PuppetController(Line())
    trials = line_trials(controller, count=8, change_count=2, seed=1)
    assert controller.last is not None
    time = controller.field.database.frame_time
    slower = []
    for trial, (_, _, angle, gap) in enumerate(changes_of(controller.last)):
        turning = frames_until(angle, np.radians(5.0), RATE, time)
        walking = frames_until(gap, LINE_TOLERANCE, SPEED, time)
        slower.append(walking > turning)
        assert trials.reached[trial] == pytest.approx(max(turning, walking) * time)
    assert any(slower)
    assert not all(slower)


def test_beside_the_line_is_not_on_it() -> None:
    trials = line_trials(PuppetController(Line(), aside=0.2, speed=1.0), count=4, change_count=1, seed=1)
    crossed = line_trials(PuppetController(Line(), aside=0.09, speed=1.0), count=4, change_count=1, seed=1)
    assert np.isinf(trials.settled).all()
    assert np.isfinite(crossed.settled).all()


def test_lines_begin_near_the_character() -> None:
    controller = PuppetController(Line())
    line_trials(controller, count=10, change_count=2, seed=5)
    assert controller.last is not None
    gaps = [gap for *_, gap in changes_of(controller.last)]
    assert max(gaps) <= 0.5
    assert max(gaps) > 0.3


def test_a_lane_is_a_line_and_a_speed() -> None:
    controller = PuppetController(Lane(top=1.5), speed=1.0)
    found = lane_trials(controller, count=8, change_count=2, seed=1)
    assert controller.last is not None
    time, told = controller.field.database.frame_time, np.stack(controller.last.commands, 1)
    assert np.isfinite(found.trials.settled).all()
    assert len(found.wanted) == len(found.trials.reached) >= 14
    assert np.isin(found.wanted, told[..., 3]).all()
    assert 0.4 * 1.5 <= found.wanted.min() < 0.8
    assert 1.1 < found.wanted.max() <= 0.9 * 1.5
    np.testing.assert_allclose(found.speed_errors, 0.0, atol=1e-9)
    np.testing.assert_allclose(found.speeds[:, -60:], found.wanted[:, np.newaxis].repeat(60, axis=1), atol=1e-9)
    assert (found.distances < 1e-9).all()
    to_go = np.abs(told[..., 3].max() - told[..., 3].min())
    assert (found.speed_reached <= to_go / SPEEDING + time).all()
    assert (found.speed_reached > 0.0).any()


def test_a_velocity_is_a_heading_and_a_speed() -> None:
    controller = PuppetController(Velocity(top=1.5))
    found = velocity_trials(controller, count=8, change_count=2, seed=1)
    assert controller.last is not None
    told = np.stack(controller.last.commands, 1)
    assert 0.4 * 1.5 <= told[..., 1].min() < told[..., 1].max() <= 0.9 * 1.5
    assert len(np.unique(told[..., 1])) == 3 * 8
    time = controller.field.database.frame_time
    np.testing.assert_allclose(found.reached, (np.abs(found.angles) - LEAST_ANGLE) / RATE, atol=2.0 * time)


def test_who_goes_too_fast_is_off_by_that() -> None:
    found = lane_trials(PuppetController(Lane(top=1.5), speed=1.0, ahead=0.25), count=4, change_count=1, seed=1)
    np.testing.assert_allclose(found.speed_errors, 0.25)
    assert np.isfinite(found.trials.reached).all()


def test_the_same_seed_gives_the_same_trials() -> None:
    one, again, other = (
        direction_trials(PuppetController(Direction()), count=3, change_count=1, seed=seed) for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(one.reached, again.reached)
    assert not np.isin(other.angles, one.angles).any()


def test_clips_show_what_was_shown_and_joining_keeps_all() -> None:
    parts = [direction_trials(PuppetController(Direction()), count=2, change_count=1, seed=seed) for seed in (0, 1)]
    whole: Trials = joined(parts)
    assert len(whole.clips) == len(whole.unplanted) == len(whole.states) == len(whole.variants) == 4
    np.testing.assert_array_equal(whole.reached, np.concatenate([part.reached for part in parts]))
    assert whole.errors.shape == (len(whole.angles), parts[0].errors.shape[1])
    clip = whole.clips[0]
    assert len(whole.states[0]) == clip.frame_count
    time = response_time(np.zeros(5), 0.0, clip.frame_time)
    assert time.reached == 0.0
