"""Contracts as checks that anyone can run on what they wrote themselves."""

from motionfields.measure.testing.controller import check_controller
from motionfields.measure.testing.task import check_task

__all__ = ["check_controller", "check_task"]
