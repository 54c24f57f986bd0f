"""Contract checker for controllers, to run on your own implementation."""

from __future__ import annotations

import numpy as np

from motionfields.base.errors import require
from motionfields.base.geometry import quat_exp, quat_multiply
from motionfields.field.database import MotionState, PoseDelta
from motionfields.runtime import Controller, ControllerState, Crowd, Decision, Followers, Frame, Observation

CHARACTER_COUNT = 7
FRAME_COUNT = 90
NEW_COMMAND = 25  # frames after which the commands change
STATE_COUNT = 200  # database states at which decisions are checked
FURTHEST = 0.5  # radians, largest joint rotation away from the data in start poses
UNIT = 1e-6  # largest allowed error of a quaternion's length
WEIGHT_SUM = 1e-6  # largest allowed error of the sum of weights


def check_controller(controller: Controller, *, seed: int = 0) -> None:
    """Raise `AssertionError`, stating expected and actual results, if `controller` violates the contract.

    A controller that passes works in crowds, the studio, recordings and benchmarks.
    """
    rng = np.random.default_rng(seed)
    _check_facts(controller)
    _check_decisions(controller, rng)
    _check_crowd(controller, seed, rng)
    _check_any_start(controller, seed, rng)


def _check_facts(controller: Controller) -> None:
    database = controller.field.database
    starts = np.asarray(controller.start_states)
    require(
        starts.ndim == 1 and starts.dtype.kind == "i" and len(starts) > 0,
        f"start_states: expected states of the database, got {starts.dtype} of shape {starts.shape}",
    )
    require(
        bool(((starts >= 0) & (starts < database.state_count)).all()),
        f"start_states: expected 0 to {database.state_count - 1}, got {starts.min()} to {starts.max()}",
    )
    require(
        all(0.0 < half_life < np.inf for half_life in controller.half_lives),
        f"half_lives: expected two positive numbers of seconds, got {controller.half_lives}",
    )
    kept = controller.initial_state(CHARACTER_COUNT)
    require(
        isinstance(kept, tuple) and all(track.shape[:1] == (CHARACTER_COUNT,) for track in kept),
        f"initial_state: expected a tuple of arrays [{CHARACTER_COUNT}, ...], one row for each character",
    )


def _check_decisions(controller: Controller, rng: np.random.Generator) -> None:
    """Check decisions at random states and at clip ends: valid, and the same for one character as in a crowd."""
    database, task = controller.field.database, controller.task
    ends = database.clip_starts[1:] - 1
    states = np.concatenate([rng.integers(0, database.state_count, STATE_COUNT), ends])
    followers = Followers.at(database, states)
    command = rng.uniform(-3.0, 3.0, (len(states), len(task.command_names)))
    followers.yaw[:] = rng.uniform(-3.0, 3.0, len(states))
    crowd = Crowd(controller, len(states), plant=False)
    crowd.followers = followers
    params, kept = crowd.params(command), controller.initial_state(len(states))
    seen = Observation.of(database, followers, kept, params)
    given = (*followers, *kept, params)
    before = [track.copy() for track in given]
    decision, after = controller.decide(seen)
    require(
        all(np.array_equal(old, new, equal_nan=True) for old, new in zip(before, given, strict=True)),
        "decide: expected its inputs to stay unchanged",
    )
    _check_decision(controller, decision)
    _check_kept(kept, after)
    again, _ = controller.decide(seen)
    require(_same(decision, again), "decide: expected the same decision for the same observation")
    for i in range(0, len(states), 9):
        one = slice(i, i + 1)
        alone, _ = controller.decide(seen.take(one))
        require(
            _same(_taken(decision, one), alone),
            "decide: expected the same bits for a character alone and in a crowd",
        )
    _check_values(controller, seen, decision)


def _check_decision(controller: Controller, decision: Decision) -> None:
    database, states = controller.field.database, decision.states
    require(
        states.ndim == 2 and states.shape == decision.weights.shape,
        f"decide: expected states and weights [n, k], got {states.shape} and {decision.weights.shape}",
    )
    inside = (states >= 0) & (states < database.state_count)
    require(bool(inside.all()), "decide: expected states of the database")
    require(
        bool((database.frames_left[states] >= 1).all()),
        "decide: expected states with a next state, got the last state of a clip",
    )
    numbers = np.concatenate([decision.spin, decision.stretch, decision.weights.ravel()])
    require(bool(np.isfinite(numbers).all()), "decide: expected finite weights, spins and stretches")
    total = decision.weights.sum(axis=1)
    require(bool((np.abs(total - 1.0) < WEIGHT_SUM).all()), "decide: expected weights that sum to 1")
    require(0.0 <= decision.drift <= 1.0, f"decide: expected a drift from 0 to 1, got {decision.drift}")


def _check_kept(before: ControllerState, after: ControllerState) -> None:
    require(
        len(before) == len(after)
        and all(old.shape == new.shape and old.dtype == new.dtype for old, new in zip(before, after, strict=True)),
        "decide: expected arrays of the same shapes and types as `initial_state` returns",
    )


def _check_values(controller: Controller, seen: Observation, decision: Decision) -> None:
    """Check that the action values shown to users agree with the decision."""
    scored, count = controller.action_values(seen), len(seen.params)
    shape = scored.scores.shape
    require(
        len(shape) == 3 and shape[:2] == scored.states.shape and shape[0] == count,
        f"action_values: expected scores [{count}, transition, variant] and states [{count}, transition], "
        f"got {shape} and {scored.states.shape}",
    )
    best = scored.scores.reshape(count, -1).argmax(axis=1) // shape[2]
    preferred = decision.states[np.arange(count), decision.weights.argmax(axis=1)]
    require(
        np.array_equal(scored.states[np.arange(count), best], preferred),
        "action_values: expected the best score at the state that `decide` prefers",
    )
    values = controller.state_values(seen)
    require(
        values is None or (values.shape == (count,) and bool(np.isfinite(values).all())),
        "state_values: expected None, or one finite number for each character",
    )


def _check_crowd(controller: Controller, seed: int, rng: np.random.Generator) -> None:
    """Check that a crowd runs for 90 frames under changing commands, with the same result in a smaller crowd."""
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
    """Check that characters can start from poses that do not occur in the data."""
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


def _taken(decision: Decision, part: slice) -> Decision:
    return Decision(
        decision.states[part],
        decision.weights[part],
        decision.variant[part],
        decision.spin[part],
        decision.stretch[part],
        drift=decision.drift,
    )


def _same(decision: Decision, other: Decision) -> bool:
    return decision.drift == other.drift and all(
        np.array_equal(mine, its) for mine, its in zip(decision[:5], other[:5], strict=True)
    )
