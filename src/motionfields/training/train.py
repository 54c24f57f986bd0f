"""`train`: a controller for a task, from a field."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from os import PathLike
from pathlib import Path

import numpy as np

from motionfields.arrays import FloatArray
from motionfields.artifacts import JsonValue, read_artifact, write_artifact
from motionfields.choices import CHUNK as CHOICES_CHUNK
from motionfields.choices import Choices, ControlSettings, find_choices
from motionfields.controller import FieldController
from motionfields.errors import ArtifactError
from motionfields.field import MotionField
from motionfields.grids import grid_size
from motionfields.moves import Warp, measure_moves
from motionfields.tasks import Task
from motionfields.training.sweeps import CHUNK, Progress, Solution, TaskTable, solve
from motionfields.values import ValueTable

CHECKPOINT_VERSION = 1
CHECKPOINT_SWEEPS = 5  # full sweeps between two checkpoints


def train(
    field: MotionField,
    task: Task,
    *,
    agility: float = 0.5,
    warp: Warp | None = None,
    settings: ControlSettings | None = None,
    tolerance: float = 1e-3,
    checkpoint: str | PathLike[str] | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> FieldController:
    """A controller that does `task` with the motion of `field`.

    `agility`, 0 to 1, moves from the smoothest motion to the fastest answer; 0.5 is as `settings` say. A `warp` lets
    the character turn faster than its data. Values are worked out until a full sweep changes all alike within
    `tolerance` radians. With a `checkpoint`, a file that is written every few sweeps and read if it is there, training
    that was cut off goes on and ends with the same bits.
    """
    fitted = task.adapted(field.database)
    moves = measure_moves(field.database, warp=warp)
    use = (settings or ControlSettings()).agile(agility)
    choices = find_choices(field, moves, use)
    rows = np.arange(field.database.state_count)
    table = TaskTable.build(fitted, moves, np.where(field.database.frames_left >= 1, rows + 1, rows))
    solution = _solve(table, choices, use, tolerance, None if checkpoint is None else Path(checkpoint), on_progress)
    values = ValueTable(fitted.axes, solution.values)
    sweeps, residual = solution.sweeps, solution.residual
    return FieldController(field, fitted, use, warp, choices, values, sweeps=sweeps, residual=residual)


def estimate_memory(
    field: MotionField, task: Task, *, warp: Warp | None = None, settings: ControlSettings | None = None
) -> int:
    """About how many bytes `train` will need at most besides the field itself."""
    use, ways = settings or ControlSettings(), 1 if warp is None else 2
    state_count, joint_count = field.database.state_count, field.database.skeleton.joint_count
    choice_count = state_count * min(use.neighbor_count, len(field.findable))
    task_states = state_count * ways * grid_size(task.axes)
    # Choices are found first; then a table is built, in parts; then values are worked out on it.
    part = min(CHOICES_CHUNK, state_count) / state_count  # choices and jumps of the joints are worked out in parts
    choosing = choice_count * (12 * use.looked_at + 4 + 4 * ways**2) + state_count * joint_count * 12 * ways
    choosing += round(
        part * max(choice_count * (8 * use.looked_at + 44 + 16 * ways**2), state_count * joint_count * 165)
    )
    building = min(CHUNK, task_states) * (20 + 24 * len(task.axes))
    solving = task_states * (4 + 4 + 4 + 4 + 4) + choice_count * (4 * ways + 4 * ways**2)
    kept = TaskTable.byte_count(task, state_count, ways) + choice_count * (4 + 4 * ways**2)
    return max(choosing, kept + max(building, solving))


def _solve(
    table: TaskTable,
    choices: Choices,
    use: ControlSettings,
    tolerance: float,
    checkpoint: Path | None,
    on_progress: Callable[[Progress], None] | None,
) -> Solution:
    """The solution, gone on with from `checkpoint` where that is a file."""
    what = _fingerprint(table, choices, use) if checkpoint is not None else ""
    start, first_sweep = None, 0
    if checkpoint is not None and checkpoint.exists():
        start, first_sweep = _read_checkpoint(checkpoint, what, table.rewards.shape)

    def on_sweep(progress: Progress, values: FloatArray) -> None:
        due = progress.sweep % CHECKPOINT_SWEEPS == 0 and progress.residual > tolerance
        if checkpoint is not None and due:
            facts: dict[str, JsonValue] = {"of": what, "sweep": progress.sweep}
            arrays = {"values": values}
            write_artifact(checkpoint, kind="training", version=CHECKPOINT_VERSION, arrays=arrays, facts=facts)
        if on_progress is not None:
            on_progress(progress)

    return solve(
        table,
        choices,
        discount=use.discount,
        goal_change=use.goal_change,
        tolerance=tolerance,
        start=start,
        first_sweep=first_sweep,
        on_sweep=on_sweep,
    )


def _fingerprint(table: TaskTable, choices: Choices, use: ControlSettings) -> str:
    """What stands for everything that training starts from."""
    digest = hashlib.sha256(repr((use.discount, use.goal_change)).encode())
    for array in (*table, *choices):
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _read_checkpoint(path: Path, what: str, shape: tuple[int, int]) -> tuple[FloatArray, int]:
    artifact = read_artifact(path, kind="training", newest_version=CHECKPOINT_VERSION)
    if artifact.facts.get("of") != what:
        raise ArtifactError("is a checkpoint of other training; name another file, or remove it", path=str(path))
    sweep = artifact.facts.get("sweep")
    if not isinstance(sweep, int):
        raise ArtifactError("holds no checkpoint that makes sense", path=str(path))
    return np.array(artifact.array("values", dtype=np.float32, shape=shape)), sweep
