"""The built-in tasks in compiled code: `Task.advance` and `Task.reward` for one motion at a time.

A user-defined task does not need this module; if it has no compiled form, crowds call its numpy methods.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.compiled import lean_kernel
from motionfields.control.tasks.direction import Direction
from motionfields.control.tasks.lane import Lane
from motionfields.control.tasks.line import DISTANCES, FORESIGHT, Line
from motionfields.control.tasks.navigation import Navigation
from motionfields.control.tasks.task import HASTE, LAST_PART, Task
from motionfields.control.tasks.velocity import Velocity

DIRECTION, LINE, VELOCITY, LANE, NAVIGATION, OWN = range(6)
NUMBER_COUNT = 6
FURTHEST = DISTANCES[-1]


class CompiledTask(NamedTuple):
    """The kind of a task, and its numbers in the order that `compiled_task` defines."""

    kind: int
    numbers: FloatArray  # [NUMBER_COUNT]; for a user-defined task, as many as it provides


def compiled_task(task: Task) -> CompiledTask | None:
    """Return `task` for compiled code; None if it is not a built-in task."""
    # Compare types exactly: a subclass may define another reward.
    if type(task) is Direction:
        return _compiled(DIRECTION, task.speed or 0.0, task.pace_weight, task.last_weight)
    if type(task) is Line:
        return _compiled(LINE, task.speed or 0.0, task.pace_weight, task.last_weight, task.distance_weight)
    if type(task) is Velocity:
        speed = (task.speed_weight, task.sway, task.facing_speed, task.standing_share)
        return _compiled(VELOCITY, *speed, task.last_weight)
    if type(task) is Lane:
        speed = (task.speed_weight, task.sway, task.facing_speed, task.standing_share)
        return _compiled(LANE, *speed, task.distance_weight, task.last_weight)
    if type(task) is Navigation:
        weights = task.facing_weight, task.gait_weight, task.last_weight
        return _compiled(NAVIGATION, task.speed_weight, task.sway, *weights)
    return None


def _compiled(kind: int, *numbers: float) -> CompiledTask:
    """Return a task with `numbers` padded with 0 to `NUMBER_COUNT`."""
    return CompiledTask(kind, np.array([*numbers, *[0.0] * (NUMBER_COUNT - len(numbers))]))


@lean_kernel
def outcome(
    task: CompiledTask,
    params: FloatArray,
    heading: tuple[float, float],
    turn: float,
    velocity: tuple[float, float],
    frame_time: float,
    after: FloatArray,
    label: int,
) -> float:
    """Return the reward of one motion from `params` [axis]; fills `after` [axis] with the parameters after it.

    `label` is the number of the followed state in the task's `label_column`; -1 if there is none. `heading` is the sine
    and cosine of the first parameter, which is an angle in all of these tasks.
    """
    numbers = task.numbers
    along = heading[0] * velocity[0] + heading[1] * velocity[1]
    across = heading[1] * velocity[0] - heading[0] * velocity[1]
    # `after` is filled before the reward is computed: rewards depend on the parameters after the motion.
    after[0] = _wrapped(params[0] - turn)
    if task.kind == VELOCITY:
        after[1] = params[1]
        return _velocity_reward(numbers, params[1], _angle_cost(after[0], numbers[4]), along, across)
    if task.kind == NAVIGATION:
        for axis in range(1, len(params)):
            after[axis] = params[axis]
        return _navigation_reward(numbers, params, _angle_cost(after[0], numbers[4]), along, across, label)
    if task.kind == LANE:
        after[1] = params[1] + across * frame_time
        after[2] = params[2]
        metres = abs(after[1]) + FORESIGHT * (_beyond(after[1]) - _beyond(params[1]))
        distance_weight, last_weight = numbers[4], numbers[5]
        off = _angle_cost(after[0], last_weight) + distance_weight * metres
        return _velocity_reward(numbers, params[2], off, velocity[1], velocity[0])
    speed, pace_weight, last_weight, distance_weight = numbers[0], numbers[1], numbers[2], numbers[3]
    lacking = speed - along
    slowness = max(lacking, -HASTE * lacking)
    cost = _angle_cost(after[0], last_weight)
    if task.kind == LINE:
        after[1] = params[1] + across * frame_time
        cost += distance_weight * abs(after[1])
        cost += FORESIGHT * distance_weight * (_beyond(after[1]) - _beyond(params[1]))
    return float(-cost - pace_weight * slowness)


@lean_kernel
def _velocity_reward(numbers: FloatArray, wanted: float, off: float, ahead: float, across: float) -> float:
    """Return minus `off` radians, weighted by the `wanted` speed, minus the cost of the speed error."""
    speed_weight, sway, facing_speed, standing_share = numbers[0], numbers[1], numbers[2], numbers[3]
    # The same formulas as `velocity.walking_share` and `velocity.speed_cost`.
    share = standing_share + (1.0 - standing_share) * min(1.0, wanted / facing_speed)
    aside, lacking = (1.0 - share) * across, wanted - ahead
    gap = speed_weight * (math.sqrt(lacking * lacking + aside * aside + sway * sway) - sway)
    return float(-share * off - gap)


@lean_kernel
def _navigation_reward(
    numbers: FloatArray, params: FloatArray, off: float, ahead: float, left: float, label: int
) -> float:
    """Return the reward of `Navigation`; `ahead` and `left` are speeds relative to the wanted facing."""
    speed_weight, sway, facing_weight, gait_weight = numbers[0], numbers[1], numbers[2], numbers[3]
    sine, cosine = math.sin(params[1]), math.cos(params[1])
    lacking, aside = params[2] - (cosine * ahead + sine * left), cosine * left - sine * ahead
    cost = facing_weight * off
    cost += speed_weight * (math.sqrt(lacking * lacking + aside * aside + sway * sway) - sway)
    if len(params) > 3 and label >= 0:
        cost += gait_weight * min(abs(params[3] - label), 1.0)
    return float(-cost)


@lean_kernel
def _angle_cost(angle: float, last_weight: float) -> float:
    """Return the cost in radians of one angle, as `task.angle_cost`."""
    off = abs(angle)
    return off + last_weight * min(off / LAST_PART, 1.0)


@lean_kernel
def _beyond(distance: float) -> float:
    """Return the metres by which one `distance` lies outside the grid, as `line.beyond`."""
    return max(abs(distance) - FURTHEST, 0.0)


@lean_kernel
def _wrapped(angle: float) -> float:
    """Return `angle`, which is outside (-pi, pi] by less than a full turn, wrapped into that range."""
    if angle > math.pi:
        return angle - 2.0 * math.pi
    if angle <= -math.pi:
        return angle + 2.0 * math.pi
    return angle
