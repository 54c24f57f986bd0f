"""Tasks, the goals that the user sets for a character: one module per task; `task` defines the protocol."""

from motionfields.control.tasks.checking import check_axes, check_task, same_axes
from motionfields.control.tasks.direction import Direction
from motionfields.control.tasks.lane import Lane
from motionfields.control.tasks.line import Line
from motionfields.control.tasks.navigation import Navigation
from motionfields.control.tasks.saving import TASKS, task_facts, task_from
from motionfields.control.tasks.task import (
    Axis,
    Ground,
    Motion,
    Task,
    TaskKernel,
    across,
    along,
    angle_axis,
    angle_cost,
    pace_cost,
    top_speed,
    turned,
    typical_speed,
)
from motionfields.control.tasks.velocity import Velocity, commands_from_velocity

__all__ = [
    "TASKS",
    "Axis",
    "Direction",
    "Ground",
    "Lane",
    "Line",
    "Motion",
    "Navigation",
    "Task",
    "TaskKernel",
    "Velocity",
    "across",
    "along",
    "angle_axis",
    "angle_cost",
    "check_axes",
    "check_task",
    "commands_from_velocity",
    "pace_cost",
    "same_axes",
    "task_facts",
    "task_from",
    "top_speed",
    "turned",
    "typical_speed",
]
