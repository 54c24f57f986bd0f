"""Conversion of a task to facts in a file, its name and its numbers, and back."""

from __future__ import annotations

from dataclasses import asdict, is_dataclass
from typing import Any

from motionfields.base.artifacts import JsonValue
from motionfields.base.registry import Registry
from motionfields.control.tasks.checking import check_task
from motionfields.control.tasks.task import Task

TASKS: Registry[type[Task]] = Registry(
    "motionfields.tasks",
    {
        "direction": "motionfields.control.tasks.direction:Direction",
        "line": "motionfields.control.tasks.line:Line",
        "velocity": "motionfields.control.tasks.velocity:Velocity",
        "lane": "motionfields.control.tasks.lane:Lane",
        "navigation": "motionfields.control.tasks.navigation:Navigation",
        "publisheddirection": "motionfields.control.methods.paper.tasks:PublishedDirection",
        "publishedline": "motionfields.control.methods.paper.tasks:PublishedLine",
    },
)
"""Tasks by name: built-in ones, and those of installed packages (entry points `motionfields.tasks`).

The name of a task is that of its class in lower case.
"""


def task_facts(task: Task) -> dict[str, JsonValue]:
    """Return the name and the numbers of `task`, which must be a dataclass."""
    if not is_dataclass(task) or isinstance(task, type):
        raise TypeError(f"task: expected a dataclass of numbers, so that it can be saved, got {type(task).__name__}")
    return {"name": type(task).__name__.lower(), **asdict(task)}


def task_from(facts: dict[str, Any]) -> Task:
    """Return the task that `task_facts` described; raises ValueError for one that is not registered."""
    if not isinstance(facts, dict):
        raise ValueError(f"task: expected its name and numbers, got {type(facts).__name__}")
    numbers = dict(facts)
    name = str(numbers.pop("name"))
    if name not in TASKS:
        raise ValueError(
            f"task: expected one of {', '.join(sorted(TASKS))}, got {name!r}; pass the task to `load` as `task`"
        )
    kind = TASKS.load(name)
    task = kind(**{**getattr(kind, "earlier", {}), **numbers})
    check_task(task)
    return task
