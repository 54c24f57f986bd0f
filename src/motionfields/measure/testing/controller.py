"""The contract of a controller, as a check that anyone can run on a controller of their own."""

from __future__ import annotations

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import require
from motionfields.base.geometry import quat_exp, quat_multiply
from motionfields.field.database import MotionState, PoseDelta
from motionfields.runtime import Controller, Crowd, Followers, Frame, Mind, Steps

CHARACTER_COUNT = 7
FRAME_COUNT = 90
NEW_COMMAND = 25  # frames after which characters are told something else
STATE_COUNT = 200  # states of the data that a decision is made at
FURTHEST = 0.5  # radians by which joints are bent to start from anywhere
UNIT = 1e-6  # by which the length of a quaternion may be off


def check_controller(controller: Controller, *, seed: int = 0) -> None:
    """Raise `AssertionError`, with what was expected and what came, where `controller` breaks the contract.

    Any other class with the members of `runtime.Controller` can be checked; what passes runs in crowds, in the studio,
    in recordings and on the bench.
    """
    rng = np.random.default_rng(seed)
    _check_facts(controller)
    _check_decisions(controller, rng)
    _check_crowd(controller, seed, rng)
    _check_any_start(controller, seed, rng)


def _check_facts(controller: Controller) -> None:
    database = controller.field.database
    starts = np.asarray(controller.starts)
    require(
        starts.ndim == 1 and starts.dtype.kind == "i" and len(starts) > 0,
        f"starts: expected states of the data, got {starts.dtype} of shape {starts.shape}",
    )
    require(
        bool(((starts >= 0) & (starts < database.state_count)).all()),
        f"starts: expected 0 to {database.state_count - 1}, got {starts.min()} to {starts.max()}",
    )
    require(
        all(0.0 < half_life < np.inf for half_life in controller.half_lives),
        f"half_lives: expected two positive numbers of seconds, got {controller.half_lives}",
    )
    mind = controller.mind(CHARACTER_COUNT)
    require(
        isinstance(mind, tuple) and all(track.shape[:1] == (CHARACTER_COUNT,) for track in mind),
        f"mind: expected a tuple of arrays [{CHARACTER_COUNT}, ...], one row for each character",
    )


def _check_decisions(controller: Controller, rng: np.random.Generator) -> None:
    """At any state of the data, also where a clip ends: a decision that makes sense, alone as in a crowd."""
    database, task = controller.field.database, controller.task
    ends = database.clip_starts[1:] - 1
    rows = np.concatenate([rng.integers(0, database.state_count, STATE_COUNT), ends])
    followers = Followers.at(database, rows)
    command = rng.uniform(-3.0, 3.0, (len(rows), len(task.command_names)))
    followers.yaw[:] = rng.uniform(-3.0, 3.0, len(rows))
    crowd = Crowd(controller, len(rows), plant=False)
    crowd.followers = followers
    params, mind = crowd.params(command), controller.mind(len(rows))
    given = (*followers, *mind, params)
    before = [track.copy() for track in given]
    steps, after = controller.decide(followers, mind, params)
    require(
        all(np.array_equal(old, new, equal_nan=True) for old, new in zip(before, given, strict=True)),
        "decide: expected not to change what it is given",
    )
    _check_steps(controller, steps)
    _check_mind(mind, after)
    again, _ = controller.decide(followers, mind, params)
    require(_same_steps(steps, again), "decide: expected the same steps for the same question")
    for i in range(0, len(rows), 9):
        one = slice(i, i + 1)
        alone, _ = controller.decide(followers.take(one), tuple(track[one] for track in mind), params[one])
        require(
            _same_steps(_taken(steps, one), alone),
            "decide: expected the same bits for a character alone and in a crowd",
        )
    _check_outlook(controller, followers, mind, params, steps)


def _check_steps(controller: Controller, steps: Steps) -> None:
    database = controller.field.database
    inside = (steps.row >= 0) & (steps.row < database.state_count)
    require(bool(inside.all()), "decide: expected states of the data")
    require(
        bool((database.frames_left[steps.row] >= 1).all()),
        "decide: expected states that another follows, got the last one of a clip",
    )
    numbers = np.concatenate([steps.spin, steps.stretch])
    require(bool(np.isfinite(numbers).all()), "decide: expected finite spins and stretches")


def _check_mind(before: Mind, after: Mind) -> None:
    require(
        len(before) == len(after)
        and all(old.shape == new.shape and old.dtype == new.dtype for old, new in zip(before, after, strict=True)),
        "decide: expected a mind of the same arrays as `mind` makes",
    )


def _check_outlook(controller: Controller, followers: Followers, mind: Mind, params: FloatArray, steps: Steps) -> None:
    """What people are shown of a decision is the decision."""
    outlook = controller.outlook(followers, mind, params)
    shape = outlook.scores.shape
    require(
        len(shape) == 3 and shape[:2] == outlook.rows.shape and shape[0] == len(params),
        f"outlook: expected scores [{len(params)}, choice, way] and rows [{len(params)}, choice], "
        f"got {shape} and {outlook.rows.shape}",
    )
    best = outlook.scores.reshape(len(params), -1).argmax(axis=1) // shape[2]
    require(
        np.array_equal(outlook.rows[np.arange(len(params)), best], steps.row),
        "outlook: expected the best score at the state that `decide` follows",
    )
    prospects = controller.prospects(followers, mind, params)
    require(
        prospects is None or (prospects.shape == (len(params),) and bool(np.isfinite(prospects).all())),
        "prospects: expected None, or one finite number for each character",
    )


def _check_crowd(controller: Controller, seed: int, rng: np.random.Generator) -> None:
    """A crowd goes on for seconds while it is told this and that; the same in a smaller crowd."""
    names = controller.task.command_names
    commands = rng.uniform(-3.0, 3.0, (FRAME_COUNT // NEW_COMMAND + 1, CHARACTER_COUNT, len(names)))
    crowd, fewer = (Crowd(controller, count, seed=seed) for count in (CHARACTER_COUNT, 2))
    for number in range(FRAME_COUNT):
        told = commands[number // NEW_COMMAND]
        frame, other = crowd.step(told), fewer.step(told[:2])
        _check_frame(frame)
        require(
            np.array_equal(frame.rotations[:2], other.rotations)
            and np.array_equal(frame.root_position[:2], other.root_position),
            "crowd: expected the same bits in a crowd of any size",
        )


def _check_any_start(controller: Controller, seed: int, rng: np.random.Generator) -> None:
    """Characters go on from poses that are nowhere in the data."""
    field = controller.field
    crowd = Crowd(controller, CHARACTER_COUNT, seed=seed)
    state = field.database.states(rng.integers(0, field.database.state_count, CHARACTER_COUNT))
    joints = state.pose.joint_rotations
    bent = quat_multiply(quat_exp(rng.uniform(-FURTHEST, FURTHEST, (*joints.shape[:-1], 3))), joints)
    still = PoseDelta(*(np.zeros_like(track) for track in state.velocity))
    crowd.start_from(MotionState(state.pose._replace(joint_rotations=bent), still))
    for _ in range(NEW_COMMAND):
        _check_frame(crowd.step(np.zeros(len(controller.task.command_names))))


def _check_frame(frame: Frame) -> None:
    finite = np.isfinite(frame.root_position).all() and np.isfinite(frame.rotations).all()
    require(bool(finite), "crowd: expected finite poses")
    off = np.abs(np.linalg.norm(frame.rotations, axis=-1) - 1.0).max()
    require(bool(off < UNIT), f"crowd: expected unit quaternions, got one off by {off:.2g}")


def _taken(steps: Steps, part: slice) -> Steps:
    return Steps(steps.row[part], steps.way[part], steps.spin[part], steps.stretch[part])


def _same_steps(steps: Steps, other: Steps) -> bool:
    return all(np.array_equal(mine, its) for mine, its in zip(steps[:4], other[:4], strict=True))
