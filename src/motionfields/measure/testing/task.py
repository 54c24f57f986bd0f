"""Contract checker for tasks, to run on your own implementation."""

from __future__ import annotations

import json
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import require
from motionfields.base.geometry import turn_over_ground
from motionfields.control.grids import grid_points
from motionfields.control.root_motion import measure_root_motion
from motionfields.control.tasks import Axis, Ground, Motion, Task, task_facts
from motionfields.field.database import MotionDatabase

FRAME_TIME = 1.0 / 30.0
MOTION_COUNT = 40  # motions tried at every grid point
MOST_POINTS = 2000  # grid points that are checked, at most
COMMAND_COUNT = 200
CLOSE = 1e-6  # radians, metres, m/s: tolerance between two ways to compute the same quantity


class Probe(NamedTuple):
    """Grid points and motions to try there."""

    points: FloatArray  # [point, axis]
    motion: Motion  # [motion]


def check_task(task: Task, database: MotionDatabase | None = None, *, seed: int = 0) -> None:
    """Raise `AssertionError`, stating expected and actual results and the remedy, if `task` violates the contract.

    With a `database` the task is first adapted to it, as in training, and half of the motions come from the data.
    """
    rng = np.random.default_rng(seed)
    if database is not None:
        task = _adapted(task, database)
    _check_facts(task)
    _check_axes(task.axes)
    _check_names(task)
    probe = _probe(task, database, rng)
    _check_shapes(task, probe)
    _check_numbers(task, probe)
    _check_standing_still(task, probe)
    _check_wrapping(task, probe)
    _check_batches(task, probe)
    _check_commands(task, probe, rng)


def _adapted(task: Task, database: MotionDatabase) -> Task:
    adapted = task.adapted(database)
    require(
        type(adapted) is type(task),
        f"adapted: expected a {type(task).__name__}, got {type(adapted).__name__}; "
        "return `self` or `replace(self, ...)`",
    )
    return adapted


def _check_facts(task: Task) -> None:
    try:
        facts = task_facts(task)
    except TypeError as error:
        raise AssertionError(f"{error}; write `@dataclass(frozen=True)` above the class") from None
    require(
        type(task).__dataclass_params__.frozen,  # type: ignore[attr-defined]
        "task: expected a frozen dataclass, so that trained values stay valid; write `@dataclass(frozen=True)`",
    )
    try:
        same = json.loads(json.dumps(facts)) == facts
    except TypeError:
        same = False
    require(same, f"task: expected fields of numbers, strings and booleans, which can be saved, got {facts}")
    numbers = {name: value for name, value in facts.items() if name != "name"}
    require(
        type(task)(**numbers) == task,
        f"task: expected {type(task).__name__}(**{numbers}) to be the same task, so that it can be loaded",
    )


def _check_axes(axes: tuple[Axis, ...]) -> None:
    require(
        isinstance(axes, tuple) and len(axes) > 0 and all(isinstance(axis, Axis) for axis in axes),
        f"axes: expected a tuple of one or more `Axis`, got {axes!r}",
    )
    names = [axis.name for axis in axes]
    require(len(set(names)) == len(names), f"axes: expected each name once, got {', '.join(names)}")
    for axis in axes:
        nodes = np.asarray(axis.nodes)
        what = f"axis {axis.name!r}"
        require(nodes.ndim == 1 and len(nodes) >= 2, f"{what}: expected 2 or more nodes [node], got {nodes.shape}")
        require(bool(np.isfinite(nodes).all()), f"{what}: expected finite nodes, got {nodes}")
        require(bool((np.diff(nodes) > 0.0).all()), f"{what}: expected nodes that rise, got {nodes}; sort them")
        if axis.wraps:
            require(
                bool(np.allclose(nodes[[0, -1]], [-np.pi, np.pi], rtol=0.0, atol=1e-12)),
                f"{what}: expected an axis that wraps to go from -pi to pi, got {nodes[0]} to {nodes[-1]}; "
                "`angle_axis` makes one",
            )


def _check_names(task: Task) -> None:
    names = task.command_names
    require(
        isinstance(names, tuple) and len(names) > 0 and all(isinstance(name, str) for name in names),
        f"command_names: expected a tuple of one or more words, got {names!r}; a single one is written ('heading',)",
    )


def _probe(task: Task, database: MotionDatabase | None, rng: np.random.Generator) -> Probe:
    points = grid_points(task.axes)
    if len(points) > MOST_POINTS:
        points = points[np.sort(rng.choice(len(points), MOST_POINTS, replace=False))]
    turn, velocity = rng.uniform(-0.3, 0.3, MOTION_COUNT), rng.uniform(-2.0, 2.0, (MOTION_COUNT, 2))
    frame_time = FRAME_TIME
    if database is not None:
        motions = measure_root_motion(database).motions()
        states = rng.choice(database.state_count, MOTION_COUNT // 2)
        turn[: len(states)], velocity[: len(states)] = motions.turn[states, 0], motions.velocity[states, 0]
        frame_time = database.frame_time
    return Probe(points, Motion(turn, velocity, frame_time))


def _pairs(probe: Probe, leading: tuple[int, ...]) -> tuple[FloatArray, Motion]:
    """Return points [..., axis] and motions [...] of the probe as a batch of shape `leading`."""
    number = np.arange(int(np.prod(leading))).reshape(leading)
    point, which = number * 7 % len(probe.points), number % len(probe.motion.turn)
    motion = Motion(probe.motion.turn[which], probe.motion.velocity[which], probe.motion.frame_time)
    return probe.points[point], motion


def _check_shapes(task: Task, probe: Probe) -> None:
    axis_count = len(task.axes)
    for leading in ((), (1,), (5,), (4, 3, 2)):
        points, motion = _pairs(probe, leading)
        _check_form("reward", task.reward(points, motion), leading)
        _check_form("advance", task.advance(points, motion), (*leading, axis_count))
    points, motion = probe.points[:6], Motion(*_column(probe.motion, 4), probe.motion.frame_time)
    for name, out, wanted in (
        ("reward", task.reward(points, motion), (4, len(points))),
        ("advance", task.advance(points, motion), (4, len(points), axis_count)),
    ):
        require(
            np.shape(out) == wanted,
            f"{name}: expected {wanted} for `params` {points.shape} and a `motion` (4, 1), as training asks for, got "
            f"{np.shape(out)}; stack with `np.stack(np.broadcast_arrays(...), axis=-1)`",
        )


def _column(motion: Motion, count: int) -> tuple[FloatArray, FloatArray]:
    return motion.turn[:count, np.newaxis], motion.velocity[:count, np.newaxis]


def _check_form(name: str, out: FloatArray, shape: tuple[int, ...]) -> None:
    kind = np.asarray(out).dtype
    hint = "use `params[..., i]` and `velocity[..., i]`, never `params[:, i]`"
    require(np.shape(out) == shape, f"{name}: expected shape {shape}, got {np.shape(out)}; {hint}")
    require(np.issubdtype(kind, np.floating), f"{name}: expected floating-point numbers, got {kind}")


def _check_numbers(task: Task, probe: Probe) -> None:
    """Check that results are finite on the whole grid, and the same on repeated calls."""
    turn, velocity = _column(probe.motion, MOTION_COUNT)
    motion = Motion(turn, velocity, probe.motion.frame_time)
    for name, method in (("reward", task.reward), ("advance", task.advance)):
        out = method(probe.points, motion)
        bad = np.argwhere(~np.isfinite(out))
        if len(bad) > 0:
            raise AssertionError(
                f"{name}: expected finite numbers on the whole grid, got {out[tuple(bad[0])]} at "
                f"{_told(task, probe.points[bad[0][1]])}"
            )
        again = method(probe.points, motion)
        require(
            np.array_equal(out, again), f"{name}: expected the same bits on a second call; use no random numbers in it"
        )


def _check_standing_still(task: Task, probe: Probe) -> None:
    still = Motion(np.zeros(len(probe.points)), np.zeros((len(probe.points), 2)), probe.motion.frame_time)
    after = task.advance(probe.points, still)
    _check_same(
        task,
        after,
        probe.points,
        "advance: expected the same parameters for a character that does not move; change them only by `motion`",
    )


def _check_same(task: Task, got: FloatArray, wanted: FloatArray, message: str) -> None:
    """Require that parameters `got` and `wanted` [n, axis] are equal, up to wrapping."""
    gap = np.abs(got - wanted)
    for place, axis in enumerate(task.axes):
        if axis.wraps:
            gap[..., place] = np.minimum(gap[..., place] % (2.0 * np.pi), -gap[..., place] % (2.0 * np.pi))
    worst = int(gap.max(axis=-1).argmax())
    require(
        bool(gap.max() <= CLOSE), f"{message}; expected {_told(task, wanted[worst])}, got {_told(task, got[worst])}"
    )


def _told(task: Task, params: FloatArray) -> str:
    return ", ".join(f"{axis.name} {value:.6g}" for axis, value in zip(task.axes, params, strict=True))


def _check_wrapping(task: Task, probe: Probe) -> None:
    turn, velocity = _column(probe.motion, MOTION_COUNT)
    motion = Motion(turn, velocity, probe.motion.frame_time)
    for place, axis in enumerate(task.axes):
        if not axis.wraps:
            continue
        ends = []
        for end in (-np.pi, np.pi):
            points = probe.points.copy()
            points[:, place] = end
            ends.append(task.reward(points, motion))
        gap = float(np.abs(ends[0] - ends[1]).max())
        require(
            gap <= CLOSE,
            f"reward: expected equal rewards at -pi and pi of axis {axis.name!r}, got a difference of {gap:.3g}; wrap "
            "angles with `turned` or `wrap_angle` first",
        )


def _check_batches(task: Task, probe: Probe) -> None:
    points, motion = _pairs(probe, (64,))
    for name, method in (("reward", task.reward), ("advance", task.advance)):
        whole = method(points, motion)
        for size in (1, 7):
            parts = [
                method(
                    points[i : i + size], Motion(motion.turn[i : i + size], motion.velocity[i : i + size], motion[2])
                )
                for i in range(0, len(points), size)
            ]
            require(
                np.array_equal(np.concatenate(parts), whole),
                f"{name}: expected the same bits alone and in a batch; compute each from its own parameters and "
                "motion, not from others' (no mean, maximum or matrix product over the batch)",
            )


def _check_commands(task: Task, probe: Probe, rng: np.random.Generator) -> None:
    """Check that `params` of characters that moved equals `advance` of their parameters before."""
    names, count = task.command_names, COMMAND_COUNT
    command = rng.uniform(-3.0, 3.0, (count, len(names)))
    ground = Ground(rng.uniform(-3.0, 3.0, (count, 2)), rng.uniform(-4.0, 4.0, count))
    before = task.params(command, ground)
    _check_form("params", before, (count, len(task.axes)))
    require(bool(np.isfinite(before).all()), "params: expected finite numbers for any finite command")
    alone = np.concatenate([task.params(command[i : i + 1], _one(ground, i)) for i in range(count)])
    require(np.array_equal(alone, before), "params: expected the same bits for a character alone and in a crowd")
    which = np.arange(count) % MOTION_COUNT
    motion = Motion(probe.motion.turn[which], probe.motion.velocity[which], probe.motion.frame_time)
    _check_same(
        task,
        task.advance(before, motion),
        task.params(command, moved(ground, motion)),
        "advance: expected the parameters that `params` returns for the same command after the move; `turned`, `along` "
        "and `across` compute how goals turn and approach",
    )


def _one(ground: Ground, i: int) -> Ground:
    return Ground(ground.position[i : i + 1], ground.facing[i : i + 1])


def moved(ground: Ground, motion: Motion) -> Ground:
    """Return the positions and facings of characters at `ground` [n] after `motion` [n]."""
    velocity = turn_over_ground(motion.velocity, ground.facing)
    return Ground(ground.position + velocity * motion.frame_time, ground.facing + motion.turn)
