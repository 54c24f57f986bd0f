"""`train`: checkpoints, memory, and what it hands over."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from motionfields.base.errors import ArtifactError
from motionfields.control.controller import FieldController
from motionfields.control.root_motion import measure_root_motion
from motionfields.control.tasks import Direction, Line, Task
from motionfields.control.training import Found, Job, LocalBackend, Progress, TransitionParts, estimate_memory, train
from motionfields.control.training.train import CHECKPOINT_SWEEPS
from motionfields.control.training.work import transitions_fingerprint
from motionfields.control.transitions import find_transitions
from motionfields.field import MotionField
from tests.control.training.small import SETTINGS, WARP, direction_controller, small_field

TASK = Direction()


class CutOffError(Exception):
    """Stops training in these tests."""


@pytest.fixture(scope="module")
def field() -> MotionField:
    return small_field()


def train_until(field: MotionField, work: Path, sweep: int, *, tolerance: float = 1e-3) -> None:
    def on_progress(progress: Progress) -> None:
        if progress.sweep == sweep:
            raise CutOffError

    with pytest.raises(CutOffError):
        train(field, TASK, settings=SETTINGS, tolerance=tolerance, work=work, on_progress=on_progress)


def values_digest(controller: FieldController) -> str:
    return sha256(controller.values.table().tobytes()).hexdigest()


@pytest.mark.parametrize("sweep", [CHECKPOINT_SWEEPS - 1, 2 * CHECKPOINT_SWEEPS + 2])
def test_training_that_was_cut_off_goes_on_and_ends_with_the_same_bits(
    field: MotionField, tmp_path: Path, sweep: int
) -> None:
    whole = direction_controller(warped=False)
    assert whole.sweeps > sweep
    work = tmp_path / "work"
    train_until(field, work, sweep)
    assert len(list(work.glob("values-*"))) == (sweep >= CHECKPOINT_SWEEPS)
    told: list[Progress] = []
    found: list[Found] = []
    resumed = train(field, TASK, settings=SETTINGS, work=work, on_progress=told.append, on_transitions=found.append)
    assert not found, "all choices were there"
    assert told[0].sweep == sweep // CHECKPOINT_SWEEPS * CHECKPOINT_SWEEPS + 1
    assert values_digest(resumed) == values_digest(whole)
    assert (resumed.sweeps, resumed.residual) == (whole.sweeps, whole.residual)
    whole.save(tmp_path / "whole.controller")
    resumed.save(tmp_path / "resumed.controller")
    assert (tmp_path / "whole.controller").read_bytes() == (tmp_path / "resumed.controller").read_bytes()


def test_training_that_was_cut_off_when_it_was_done_ends_with_the_same_bits(field: MotionField, tmp_path: Path) -> None:
    told: list[Progress] = []
    train(field, TASK, settings=SETTINGS, tolerance=0.02, on_progress=told.append)
    assert len(told) >= 2 * CHECKPOINT_SWEEPS
    tolerance = told[2 * CHECKPOINT_SWEEPS - 1].residual  # training ends with a sweep at which checkpoints are due
    whole = train(field, TASK, settings=SETTINGS, tolerance=tolerance)
    assert whole.sweeps % CHECKPOINT_SWEEPS == 0
    train_until(field, tmp_path, whole.sweeps, tolerance=tolerance)
    resumed = train(field, TASK, settings=SETTINGS, tolerance=tolerance, work=tmp_path)
    assert values_digest(resumed) == values_digest(whole)


def test_one_folder_serves_any_training(field: MotionField, tmp_path: Path) -> None:
    whole = train(field, TASK, settings=SETTINGS, tolerance=0.5)
    for task, settings, warp in (
        (Direction(pace_weight=0.1), SETTINGS, None),
        (TASK, replace(SETTINGS, jump_cost=2.0), None),
        (TASK, replace(SETTINGS, discount=0.98), None),
        (TASK, replace(SETTINGS, goal_change=0.1), None),
        (TASK, SETTINGS, WARP),
    ):
        train(field, task, settings=settings, warp=warp, tolerance=0.5, work=tmp_path, checkpoint_sweeps=1)
    among = train(field, TASK, settings=SETTINGS, tolerance=0.5, work=tmp_path, checkpoint_sweeps=1)
    assert values_digest(among) == values_digest(whole)


def test_choices_found_in_parts_are_kept_and_are_those_found_at_once(field: MotionField, tmp_path: Path) -> None:
    state_count = field.database.state_count
    parts = TransitionParts(str(tmp_path), transitions_fingerprint(field, None, SETTINGS), state_count, size=700)
    job = Job(field, measure_root_motion(field.database), None, SETTINGS, parts)
    told: list[Found] = []
    with LocalBackend().hire(job) as workers:
        transitions = workers.transitions(told.append)
    assert [found[:2] for found in told] == [(done, parts.count) for done in range(1, parts.count + 1)]
    expected = find_transitions(field, job.root_motion, SETTINGS)
    for array, other in zip(transitions, expected, strict=True):
        np.testing.assert_array_equal(array, other)
    some = parts.read(range(600, 1200), transitions.roughness)
    np.testing.assert_array_equal(some.states, expected.states[600:1200])
    np.testing.assert_array_equal(some.costs, expected.costs[600:1200])
    (tmp_path / next(path.name for path in tmp_path.glob("*-000001.part"))).unlink()
    assert parts.missing() == [1]


@pytest.mark.parametrize("kind", ["values", "choices"])
def test_a_damaged_file_of_the_folder_is_refused(field: MotionField, tmp_path: Path, kind: str) -> None:
    train_until(field, tmp_path, CHECKPOINT_SWEEPS)
    (path, *_) = tmp_path.glob(f"{kind}-*")
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 4]))
    with pytest.raises(ArtifactError, match=path.name):
        train(field, TASK, settings=SETTINGS, work=tmp_path)


def test_a_file_under_the_name_of_another_is_refused(field: MotionField, tmp_path: Path) -> None:
    train_until(field, tmp_path, CHECKPOINT_SWEEPS)
    (path,) = tmp_path.glob("values-*")
    train(field, Direction(pace_weight=0.1), settings=SETTINGS, work=tmp_path, checkpoint_sweeps=1, tolerance=0.5)
    (other,) = set(tmp_path.glob("values-*")) - {path}
    other.replace(path)
    with pytest.raises(ArtifactError, match="values belong to another training run"):
        train(field, TASK, settings=SETTINGS, work=tmp_path)


@pytest.mark.parametrize("warped", [False, True], ids=["captured", "warped"])
@pytest.mark.parametrize("task", [TASK, Line()], ids=["direction", "line"])
def test_memory_is_estimated_within_a_factor_of_two(field: MotionField, task: Task, warped: bool) -> None:
    warp = WARP if warped else None
    _ = field.state_votes, field.stance
    train(field, task, warp=warp, settings=SETTINGS, tolerance=1e9)  # compiled, and cached properties filled
    tracemalloc.start()
    train(field, task, warp=warp, settings=SETTINGS, tolerance=1e9)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    estimate = estimate_memory(field, task, warp=warp, settings=SETTINGS)
    assert 0.5 < estimate / peak < 2.0, f"estimated {estimate / 1e6:.1f} MB, took {peak / 1e6:.1f} MB"


def test_a_controller_knows_what_it_was_trained_for(field: MotionField) -> None:
    controller = direction_controller(warped=False)
    assert controller.residual <= 1e-3
    assert controller.task == TASK.adapted(field.database)
    assert controller.settings == SETTINGS
    smooth = train(field, TASK, settings=SETTINGS, agility=0.0, tolerance=1.0)
    assert smooth.settings == SETTINGS.agile(0.0)
