"""Checks of input to crowds: commands, places, states and decisions from the caller."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.checks import check_indices, checked_number, checked_numbers
from motionfields.control.contract import Controller, Decision
from motionfields.control.tasks import Task
from motionfields.field.database import MotionDatabase, MotionState, Pose, PoseDelta

FURTHEST = 1e9  # metres, of a place or a state; beyond it, float64 resolves less than a micrometre
LARGEST_COMMAND = 1e12
MOST_SPIN, MOST_STRETCH = 100.0, 1e3  # radians in a frame; multiple of the captured distance


def checked_commands(task: Task, commands: ArrayLike, count: int) -> FloatArray:
    """Return `commands` for `count` characters as [n, column], float64; ValueError if `task` expects others."""
    names = task.command_names
    given = checked_numbers("commands", commands, LARGEST_COMMAND)
    if given.ndim < 2 and len(names) == 1:
        given = given[..., np.newaxis]
    try:
        return np.broadcast_to(given, (count, len(names)))
    except ValueError:
        raise ValueError(
            f"commands: expected [{count}, {len(names)}] ({', '.join(names)}), got shape {given.shape}"
        ) from None


def checked_params(task: Task, params: FloatArray, count: int) -> FloatArray:
    """Return what `task.params` computed; ValueError unless it is a finite number for each character and axis."""
    if params.shape != (count, len(task.axes)) or not np.isfinite(params).all():
        raise ValueError(
            f"{type(task).__name__}: expected `params` to return finite numbers [{count}, {len(task.axes)}], "
            f"got shape {params.shape}"
        )
    return params


def check_motion_state(state: MotionState, count: int, database: MotionDatabase) -> None:
    """Raise ValueError unless `state` is of `count` characters of `database`, finite and with rotations of length 1."""
    others = database.skeleton.joint_count - 1
    shapes = ((count, 3), (count, 4), (count, others, 4)), ((count, 3), (count, 3), (count, others, 3))
    for names, part, sizes in zip((Pose._fields, PoseDelta._fields), state, shapes, strict=True):
        for name, track, shape in zip(names, part, sizes, strict=True):
            if np.shape(track) != shape:
                raise ValueError(f"state.{name}: expected shape {shape}, got {np.shape(track)}")
            numbers = checked_numbers(f"state.{name}", track, FURTHEST)
            if shape[-1] == 4 and not np.all(np.abs(np.linalg.norm(numbers, axis=-1) - 1.0) <= 0.01):
                raise ValueError(f"state.{name}: expected unit quaternions wxyz")


def check_start_states(states: IntArray, database: MotionDatabase) -> None:
    """Raise ValueError unless `states` [m] are states of `database`, and at least one."""
    if len(check_indices("start_states", states, database.state_count)) == 0:
        raise ValueError("start_states: expected at least one state")


def check_decision(decision: Decision, controller: Controller, count: int) -> None:
    """Raise ValueError unless `decision` is valid: finite, for `count` characters, and of states with a next state."""
    states, database = decision.states, controller.field.database
    if states.ndim != 2 or len(states) != count or states.dtype.kind not in "iu" or states.shape[1] < 1:
        raise ValueError(f"decide: expected states [{count}, k], got {states.dtype} of shape {states.shape}")
    check_indices("decide: states", states, database.state_count)
    if (database.frames_left[states] < 1).any():
        raise ValueError("decide: expected states with a next state, got the last state of a clip")
    variants = max(2, controller.root_motion.variant_count)  # methods without a warp mark warped steps as 1
    if len(check_indices("decide: variant", decision.variant, variants)) != count:
        raise ValueError(f"decide: expected variants of {count} characters")
    for name, numbers, most, shape in (
        ("weights", decision.weights, 1e6, states.shape),
        ("spin", decision.spin, MOST_SPIN, (count,)),
        ("stretch", decision.stretch, MOST_STRETCH, (count,)),
    ):
        if np.shape(numbers) != shape or not np.isfinite(numbers).all():
            raise ValueError(f"decide: expected finite {name} for {count} characters")
        checked_numbers(f"decide: {name}", numbers, most)
    checked_number("decide: drift", decision.drift, 0.0, 1.0)
    if decision.pivot is not None:
        for name, track, size in zip(("turn", "shift"), decision.pivot, ((count,), (count, 2)), strict=True):
            if np.shape(track) != size:
                raise ValueError(f"decide: expected pivot.{name} of shape {size}, got {np.shape(track)}")
            checked_numbers(f"decide: pivot.{name}", track, FURTHEST)
    if decision.arrival is not None:
        if np.shape(check_indices("decide: arrival.states", decision.arrival.states, database.state_count)) != (count,):
            raise ValueError(f"decide: expected arrival.states of {count} characters")
        if np.shape(checked_numbers("decide: contact_votes", decision.arrival.contact_votes, 1.0)) != (count, 2):
            raise ValueError(f"decide: expected contact_votes [{count}, 2]")
