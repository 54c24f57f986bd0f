"""Contract checkers for tasks and controllers, to run on your own implementations."""

from motionfields.measure.testing.controller import check_controller
from motionfields.measure.testing.task import check_task

__all__ = ["check_controller", "check_task"]
