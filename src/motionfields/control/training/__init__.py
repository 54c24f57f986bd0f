"""Training of a controller from a field and a task."""

from motionfields.control.training.backends import Backend, Found, Job, LocalBackend, Workers
from motionfields.control.training.sweeps import Actions, Progress, Solution, TaskTable, evaluate, improve_here, solve
from motionfields.control.training.train import estimate_memory, train
from motionfields.control.training.work import TransitionParts

__all__ = [
    "Actions",
    "Backend",
    "Found",
    "Job",
    "LocalBackend",
    "Progress",
    "Solution",
    "TaskTable",
    "TransitionParts",
    "Workers",
    "estimate_memory",
    "evaluate",
    "improve_here",
    "solve",
    "train",
]
