"""A task as facts in a file, and back: its name and its numbers."""

from __future__ import annotations

from dataclasses import asdict, is_dataclass
from typing import Any

from motionfields.base.artifacts import JsonValue
from motionfields.control.tasks.direction import Direction
from motionfields.control.tasks.lane import Lane
from motionfields.control.tasks.line import Line
from motionfields.control.tasks.task import Task
from motionfields.control.tasks.velocity import Velocity

TASKS: dict[str, type[Task]] = {kind.__name__.lower(): kind for kind in (Direction, Line, Velocity, Lane)}
"""The tasks that this package brings, by name."""


def task_facts(task: Task) -> dict[str, JsonValue]:
    """The name and the numbers of `task`, which must be a dataclass."""
    if not is_dataclass(task) or isinstance(task, type):
        raise TypeError(f"task: expected a dataclass of numbers, so that it can be saved, got {type(task).__name__}")
    return {"name": type(task).__name__.lower(), **asdict(task)}


def task_from(facts: dict[str, Any]) -> Task:
    """The task that `task_facts` described; raises ValueError for one that this package does not bring."""
    numbers = dict(facts)
    name = str(numbers.pop("name"))
    if name not in TASKS:
        raise ValueError(f"task: {name!r} is none of {', '.join(sorted(TASKS))}; hand it to `load` as `task`")
    return TASKS[name](**numbers)
