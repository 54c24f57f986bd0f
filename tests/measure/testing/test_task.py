"""`check_task` lets right tasks pass, and says of broken ones what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.control.tasks import (
    TASKS,
    Axis,
    Direction,
    Ground,
    Lane,
    Line,
    Motion,
    Navigation,
    Task,
    Velocity,
    angle_axis,
    turned,
)
from motionfields.field.database import MotionDatabase
from motionfields.measure.testing import check_task
from motionfields.motion.clip import Clip

BUILT_IN = (
    *(Direction(), Direction(speed=0.9), Line(), Line(speed=1.1, distance_weight=1.0)),
    *(Velocity(), Velocity(0.8), Lane(), Lane(0.8, distance_weight=1.0)),
    *(Navigation(), Navigation(2.5, facing_weight=2.0, gait_count=3)),
)


@pytest.mark.parametrize("task", BUILT_IN, ids=repr)
def test_built_in_tasks_pass(task: Task) -> None:
    check_task(task)


@pytest.mark.parametrize("kind", [TASKS.load(name) for name in TASKS])
def test_built_in_tasks_pass_when_adapted_to_data(kind: Callable[[], Task], wobble: Clip) -> None:
    check_task(kind(), MotionDatabase.build([wobble]))


class Plain(Task):
    """As `Direction`, but no dataclass."""

    @property
    def axes(self) -> tuple[Axis, ...]:
        return (angle_axis(),)

    @property
    def command_names(self) -> tuple[str, ...]:
        return ("heading",)

    def params(self, command: FloatArray, ground: Ground) -> FloatArray:
        return Direction().params(command, ground)

    def advance(self, params: FloatArray, motion: Motion) -> FloatArray:
        return Direction().advance(params, motion)

    def reward(self, params: FloatArray, motion: Motion) -> FloatArray:
        return Direction().reward(params, motion)


@dataclass
class Loose(Plain):
    """A dataclass that is not frozen."""


def broken(base: type[Any], **parts: Any) -> Task:
    """A task as `base`, with some of its methods or axes replaced."""
    kind: Any = type("Broken", (base,), parts)
    made: Task = dataclass(frozen=True)(kind)()
    return made


def with_axes(*axes: Axis) -> Task:
    return broken(Direction, axes=property(lambda task: axes))


def jumpy(task: Task, params: FloatArray, motion: Motion) -> FloatArray:
    return Direction().reward(params, motion) + np.random.default_rng().normal()


def unwrapped(task: Task, params: FloatArray, motion: Motion) -> FloatArray:
    return np.asarray(-np.abs(params[..., 0] - motion.turn))


def compared(task: Task, params: FloatArray, motion: Motion) -> FloatArray:
    reward = Direction().reward(params, motion)
    return np.asarray(reward - reward.mean())


def endless(task: Task, params: FloatArray, motion: Motion) -> FloatArray:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.abs(params[..., 0])) + 0.0 * motion.turn)


def one_batch_axis(task: Task, params: FloatArray, motion: Motion) -> FloatArray:
    return np.asarray(-np.abs(params[:, 0]) + 0.0 * motion.turn)


def impatient(task: Task, params: FloatArray, motion: Motion) -> FloatArray:
    return turned(params[..., 0] + 0.01, motion)[..., np.newaxis]


def mirrored(task: Task, params: FloatArray, motion: Motion) -> FloatArray:
    return turned(params[..., 0], motion._replace(turn=-motion.turn))[..., np.newaxis]


def drifting_right(task: Line, params: FloatArray, motion: Motion) -> FloatArray:
    return Line.advance(task, params, motion._replace(velocity=motion.velocity * [-1.0, 1.0]))


def unbroadcast(task: Velocity, params: FloatArray, motion: Motion) -> FloatArray:
    after = np.array(np.broadcast_to(params, (*np.shape(params)[:-1], 2)))
    if np.ndim(motion.turn) == np.ndim(params) - 1:
        after[..., 0] = turned(params[..., 0], motion)
    return after


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (Plain(), r"expected a dataclass of numbers.*write `@dataclass\(frozen=True\)`"),
        (Loose(), "expected a frozen dataclass"),
        (Direction(speed=cast(Any, np.zeros(2))), "which can be saved"),
        (with_axes(), "axes: expected a tuple of one or more"),
        (with_axes(Axis("angle", np.array([-np.pi, 0.0, 3.0]), wraps=True)), "from -pi to pi, got .* `angle_axis`"),
        (with_axes(Axis("distance", np.array([0.0, 2.0, 1.0]))), "expected nodes that rise"),
        (with_axes(Axis("distance", np.array([0.0, np.inf]))), "expected finite nodes"),
        (with_axes(Axis("distance", np.array([0.0]))), "2 or more nodes"),
        (with_axes(angle_axis(), angle_axis()), "each name once"),
        (broken(Direction, command_names=property(lambda task: "heading")), r"written \('heading',\)"),
        (broken(Direction, reward=jumpy), "reward: expected the same bits on a second call"),
        (broken(Direction, reward=unwrapped), "equal rewards at -pi and pi of axis 'angle'"),
        (broken(Direction, reward=compared), "reward: expected the same bits alone and in a batch"),
        (broken(Direction, reward=endless), "reward: expected finite numbers on the whole grid, got -inf at angle 0"),
        (broken(Direction, advance=impatient), "the same parameters for a character that does not move"),
        (
            broken(Direction, advance=mirrored),
            "the parameters that `params` returns for the same command after the move",
        ),
        (broken(Line, advance=drifting_right), "the parameters that `params` returns"),
        (broken(Velocity, advance=unbroadcast), "as training asks for, got .*broadcast_arrays"),
        (broken(Direction, adapted=lambda task, database: Line()), "adapted: expected a Broken, got Line"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_broken_tasks_are_refused_with_the_reason(task: Task, message: str, wobble: Clip) -> None:
    database = MotionDatabase.build([wobble]) if message.startswith("adapted") else None
    with pytest.raises(AssertionError, match=message):
        check_task(task, database)


def test_a_reward_for_one_batch_axis_only_is_refused() -> None:
    with pytest.raises((AssertionError, IndexError)):
        check_task(broken(Direction, reward=one_batch_axis))
