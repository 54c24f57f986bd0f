"""Desired motion of tasks, and settings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.control.methods.matching import Desired, MatchingSettings, train_matching
from motionfields.control.methods.matching.desired import desired_by
from motionfields.control.tasks import Axis, Direction, Lane, Line, Navigation, Task, Velocity, angle_axis
from motionfields.field import MotionField

SETTINGS = MatchingSettings(look_ahead=1.0, look_share=0.5, line_width=0.0)


@dataclass(frozen=True)
class Strafe(Direction):
    """Go that way without turning."""


@dataclass(frozen=True)
class Dance:
    """Not a task that anyone knows."""

    @property
    def axes(self) -> tuple[Axis, ...]:
        return (angle_axis(),)

    @property
    def command_names(self) -> tuple[str, ...]:
        return ("heading",)

    params = Direction.params
    advance = Direction.advance
    reward = Direction.reward

    def adapted(self, database: object) -> Dance:
        return self


def test_a_direction_is_where_to_go_and_to_face() -> None:
    asked = desired_by(Direction(speed=0.8), np.array([[0.5], [-2.0]]), SETTINGS)
    np.testing.assert_array_equal(asked, [[0.5, -2.0], [0.8, 0.8], [0.5, -2.0]])


def test_a_velocity_says_how_fast_and_who_stands_need_not_turn() -> None:
    asked = desired_by(Velocity(facing_speed=0.5), np.array([[1.0, 0.0], [1.0, 0.25], [1.0, 1.2]]), SETTINGS)
    np.testing.assert_allclose(asked, [[1.0, 1.0, 1.0], [0.0, 0.25, 1.2], [0.0, 0.5, 1.0]])


def test_navigation_goes_one_way_and_faces_another() -> None:
    asked = desired_by(Navigation(top=2.0), np.array([[1.0, -0.25, 0.6], [3.0, 1.0, 0.0]]), SETTINGS)
    np.testing.assert_allclose(asked, [[0.75, 4.0 - 2.0 * np.pi], [0.6, 0.0], [1.0, 3.0]])


def test_a_line_is_headed_for_from_either_side() -> None:
    params = np.array([[0.3, 0.0], [0.0, 1.0], [0.0, -1.0], [np.pi / 2.0, 1.0]])
    asked = desired_by(Line(speed=0.7), params, SETTINGS)
    quarter = np.pi / 4.0
    np.testing.assert_allclose(asked.heading, [0.3, -quarter, quarter, quarter])
    np.testing.assert_allclose(asked.facing, [0.3, -0.5 * quarter, 0.5 * quarter, 1.5 * quarter])
    np.testing.assert_array_equal(asked.speed, 0.7)
    near = desired_by(Line(speed=0.7), np.array([[0.3, 0.1], [0.3, -0.1]]), MatchingSettings(line_width=0.1))
    np.testing.assert_array_equal(near.heading, 0.3)


def test_a_lane_is_a_line_at_its_own_speed_that_turns_less_below_it() -> None:
    params = np.array([[0.3, 0.4, 1.2], [0.3, 0.4, 0.25], [0.3, 0.4, 0.0]])
    asked = desired_by(Lane(facing_speed=0.5), params, SETTINGS)
    line = desired_by(Line(), params[:, :2], SETTINGS)
    np.testing.assert_array_equal(asked.heading, line.heading)
    np.testing.assert_array_equal(asked.speed, params[:, 2])
    np.testing.assert_allclose(asked.facing, line.facing * [1.0, 0.5, 0.0])


def test_an_unknown_task_is_refused_unless_someone_says_what_it_asks_for(field: MotionField) -> None:
    dance: Task = Dance()
    with pytest.raises(TypeError, match=r"expected Direction, Line, Velocity, Lane or Navigation, got Dance.*steer"):
        train_matching(field, dance)

    def steer(task: Task, params: FloatArray) -> Desired:
        return Desired(params[:, 0], np.ones(len(params)), np.zeros(len(params)))

    controller = train_matching(field, dance, steer=steer)
    crowd = controller.crowd(2)
    for _ in range(10):
        assert np.isfinite(crowd.step(1.0).root_position).all()


def test_a_task_made_of_one_of_ours_is_understood() -> None:
    assert desired_by(Strafe(speed=1.0), np.zeros((1, 1)), SETTINGS).speed == [1.0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("foot_position", -1.0),
        ("trajectory_direction", float("nan")),
        ("velocity_half_life", 0.0),
        ("half_life", float("inf")),
        ("interval", -0.1),
        ("tail", 1e300),
        ("facing_half_life", 1e-300),
        ("horizons", ()),
        ("horizons", (0.3, -1.0)),
    ],
)
def test_senseless_settings_are_refused(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=name):
        MatchingSettings(**{name: value})  # type: ignore[arg-type]


def test_agility_weighs_the_trajectory() -> None:
    settings = MatchingSettings()
    assert settings.agile(0.5) == settings
    assert settings.agile(1.0).trajectory_direction == pytest.approx(2.0 * settings.trajectory_direction)
    assert settings.agile(0.0).trajectory_position == pytest.approx(0.5 * settings.trajectory_position)
    assert settings.agile(1.0).foot_velocity == settings.foot_velocity
    with pytest.raises(ValueError, match="agility"):
        settings.agile(1.5)
