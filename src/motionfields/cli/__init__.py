"""The `motionfields` command."""

from motionfields.cli.app import main

__all__ = ["main"]
