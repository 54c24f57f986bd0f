"""Training: from a field and a task to a controller."""

from motionfields.training.backends import Backend, Found, Job, LocalBackend, Workers
from motionfields.training.sweeps import Actions, Progress, Solution, TaskTable, evaluate, improve_here, solve
from motionfields.training.train import estimate_memory, train
from motionfields.training.work import ChoiceParts

__all__ = [
    "Actions",
    "Backend",
    "ChoiceParts",
    "Found",
    "Job",
    "LocalBackend",
    "Progress",
    "Solution",
    "TaskTable",
    "Workers",
    "estimate_memory",
    "evaluate",
    "improve_here",
    "solve",
    "train",
]
