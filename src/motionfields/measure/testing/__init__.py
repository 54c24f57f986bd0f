"""Contract checkers for tasks, controllers and timelines, to run on your own implementations."""

from motionfields.measure.testing.controller import check_controller
from motionfields.measure.testing.task import check_task
from motionfields.measure.testing.timeline import check_timeline

__all__ = ["check_controller", "check_task", "check_timeline"]
