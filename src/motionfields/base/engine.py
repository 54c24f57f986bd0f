"""The physics engine MuJoCo, an optional package."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from motionfields.base.errors import MissingExtraError


def engine(name: str = "mujoco") -> Any:
    """Return the module `name` of the physics engine; raises `MissingExtraError` if it is not installed."""
    try:
        found = import_module(name)
        _keep_quiet(import_module("mujoco"))
    except ImportError as error:
        raise MissingExtraError("mujoco", extra="physics") from error
    return found


def _keep_quiet(mujoco: Any) -> None:
    """Stop MuJoCo from writing its warnings to MUJOCO_LOG.TXT in the current folder, unless the user handles them.

    It warns of states that diverge, which `Simulation.move` discards, and of models that it then refuses.
    """
    if mujoco.get_mju_user_warning() is None:
        mujoco.set_mju_user_warning(_ignore)


def _ignore(message: str) -> None:
    """Take a warning of the engine and do nothing."""
