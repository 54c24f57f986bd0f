"""The function `train`, which makes a controller for a task from a field."""

from __future__ import annotations

import os
from collections.abc import Callable

from motionfields.base import storage
from motionfields.base.arrays import FloatArray
from motionfields.base.checks import checked_count, checked_number
from motionfields.base.storage import Location
from motionfields.control.contract import Method, check_trainable
from motionfields.control.controller import FieldController
from motionfields.control.grids import grid_size
from motionfields.control.root_motion import Warp, measure_root_motion
from motionfields.control.tasks import Task
from motionfields.control.training.backends import Backend, Found, Job, LocalBackend
from motionfields.control.training.sweeps import CHUNK, Progress, TaskTable, keep_useful, solve
from motionfields.control.training.variety import varied
from motionfields.control.training.work import Checkpoint, TransitionParts, ValuesFile, transitions_fingerprint
from motionfields.control.transitions import CHUNK as TRANSITIONS_CHUNK
from motionfields.control.transitions import ControlSettings
from motionfields.control.values import ValueTable
from motionfields.field import MotionField

CHECKPOINT_SWEEPS = 5  # full sweeps between two checkpoints


def train(
    field: MotionField,
    task: Task,
    *,
    agility: float = 0.5,
    largest_share: float = 1.0,
    warp: Warp | None = None,
    settings: ControlSettings | None = None,
    tolerance: float = 1e-3,
    work: Location | None = None,
    checkpoint_sweeps: int = CHECKPOINT_SWEEPS,
    backend: Backend | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    on_transitions: Callable[[Found], None] | None = None,
) -> FieldController:
    """Return a controller that performs `task` with the motion of `field`.

    `agility`, 0 to 1, trades smooth motion for fast response; 0.5 leaves `settings` unchanged. No captured clip is
    shown for more than `largest_share` of the time, as far as the data allows it; training then takes several times as
    long (see `training.variety`). A `warp` lets the character turn faster than its data. Value iteration stops when a
    full sweep changes all values by the same amount within `tolerance` radians.

    With a folder `work`, which may be on object storage, an interrupted training run resumes and ends with the same
    bits: transitions are stored there as they are found, values every `checkpoint_sweeps` full sweeps. The `backend`
    does the expensive parts, by default in this process; all backends give the same bits. `on_transitions` and
    `on_progress` are called with the progress of the two parts of training, the former only with a folder.
    """
    fitted = task.adapted(field.database)
    check_trainable(field, fitted)
    checked_number("tolerance", tolerance, 0.0)
    checked_count("checkpoint_sweeps", checkpoint_sweeps, 1)
    use = (settings or ControlSettings()).fitted(fitted).agile(agility)
    where = backend or LocalBackend()
    if work is None and where.needs_work:
        raise ValueError("work: expected a folder or URL that all workers can access, got None")
    if not 0.0 < largest_share <= 1.0:
        raise ValueError(f"largest_share: expected more than 0 and at most 1, got {largest_share}")
    root_motion = measure_root_motion(field.database, warp=warp, label_column=getattr(fitted, "label_column", None))
    parts = None if work is None else _transition_parts(work, field, warp, use)
    with where.hire(Job(field, root_motion, warp, use, parts)) as workers:
        transitions = workers.transitions(on_transitions or (lambda found: None))
        table = TaskTable.build(fitted, field.database, root_motion)

        def solved(prices: FloatArray | None, before: FieldController | None) -> FieldController:
            """Return the controller for `prices` [state]; value iteration starts from the values of `before`."""
            priced = table if prices is None else table.priced(prices)
            file = None if work is None else ValuesFile.of(work, priced, transitions, use)
            start = None if file is None else file.read(table.rewards.shape)

            def on_sweep(progress: Progress, values: FloatArray) -> None:
                due = progress.sweep % checkpoint_sweeps == 0 and progress.residual > tolerance
                if file is not None and due:
                    file.write(Checkpoint(values, progress.sweep))
                if on_progress is not None:
                    on_progress(progress._replace(note=workers.note()))

            if start is None and before is not None:
                start = Checkpoint(before.values.table(), 0)
            solution = solve(
                priced,
                transitions,
                discount=use.discount,
                goal_change=use.goal_change,
                tolerance=tolerance,
                start=None if start is None else start.values,
                first_sweep=0 if start is None else start.sweep,
                on_sweep=on_sweep,
                improve=workers.improve,
            )
            kept = keep_useful(
                priced, transitions, solution.values, use.neighbor_count, (use.discount, use.goal_change)
            )
            if prices is not None:
                kept = kept._replace(roughness=kept.roughness + prices)
            values = ValueTable(fitted.axes, solution.values)
            sweeps, residual = solution.sweeps, solution.residual
            return FieldController(field, fitted, use, warp, kept, values, sweeps=sweeps, residual=residual)

        return varied(solved, field.database, largest_share)


def _transition_parts(
    work: Location, field: MotionField, warp: Warp | None, settings: ControlSettings
) -> TransitionParts:
    """Return the files of the transitions of all states in the folder `work`, which is created if missing."""
    storage.make_folder(work)
    return TransitionParts(
        os.fspath(work),
        transitions_fingerprint(field, warp, settings),
        field.database.state_count,
        transition_count=min(settings.candidate_factor * settings.neighbor_count, len(field.findable)),
        variant_count=1 if warp is None else 2,
    )


def estimate_memory(
    field: MotionField, task: Task, *, warp: Warp | None = None, settings: ControlSettings | None = None
) -> int:
    """Return the approximate peak memory of `train` in bytes, without the field itself."""
    use, variants = settings or ControlSettings(), 1 if warp is None else 2
    state_count, joint_count = field.database.state_count, field.database.skeleton.joint_count
    transition_count = state_count * min(use.candidate_factor * use.neighbor_count, len(field.findable))
    task_states = state_count * variants * grid_size(task.axes)
    # Three phases with their own peaks: transitions are found, the table is built in parts, values are solved for.
    part = min(TRANSITIONS_CHUNK, state_count) / state_count  # transitions and jumps of the joints are found in parts
    choosing = transition_count * (4 + 4 * variants**2) + state_count * joint_count * 12 * variants
    choosing += round(
        part * max(transition_count * (24 * use.looked_at + 44 + 16 * variants**2), state_count * joint_count * 165)
    )
    building = min(CHUNK, task_states) * (20 + 24 * len(task.axes))
    solving = task_states * (4 + 4 + 4 + 2 + 4) + transition_count * (4 * variants + 4 * variants**2)
    kept = TaskTable.byte_count(task, state_count, variants) + transition_count * (4 + 4 * variants**2)
    return max(choosing, kept + max(building, solving))


METHOD = Method(FieldController, train)
