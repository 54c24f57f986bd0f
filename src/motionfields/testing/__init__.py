"""Contracts as checks that anyone can run on what they wrote themselves."""

from motionfields.testing.controller import check_controller
from motionfields.testing.task import check_task

__all__ = ["check_controller", "check_task"]
