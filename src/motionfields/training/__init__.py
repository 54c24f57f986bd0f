"""Training: from a field and a task to a controller."""

from motionfields.training.sweeps import Progress, Solution, TaskTable, solve
from motionfields.training.train import estimate_memory, train

__all__ = ["Progress", "Solution", "TaskTable", "estimate_memory", "solve", "train"]
