"""`train`: checkpoints, memory, and what it hands over."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from motionfields.controller import FieldController
from motionfields.errors import ArtifactError
from motionfields.field import MotionField
from motionfields.tasks import Direction, Line, Task
from motionfields.training import Progress, estimate_memory, train
from motionfields.training.train import CHECKPOINT_SWEEPS
from tests.training.small import SETTINGS, WARP, direction_controller, small_field

TASK = Direction()


class CutOffError(Exception):
    """What stops training in these tests."""


@pytest.fixture(scope="module")
def field() -> MotionField:
    return small_field()


def train_until(field: MotionField, checkpoint: Path, sweep: int, *, tolerance: float = 1e-3) -> None:
    def on_progress(progress: Progress) -> None:
        if progress.sweep == sweep:
            raise CutOffError

    with pytest.raises(CutOffError):
        train(field, TASK, settings=SETTINGS, tolerance=tolerance, checkpoint=checkpoint, on_progress=on_progress)


def values_digest(controller: FieldController) -> str:
    return sha256(controller.values.table().tobytes()).hexdigest()


@pytest.mark.parametrize("sweep", [CHECKPOINT_SWEEPS - 1, 2 * CHECKPOINT_SWEEPS + 2])
def test_training_that_was_cut_off_goes_on_and_ends_with_the_same_bits(
    field: MotionField, tmp_path: Path, sweep: int
) -> None:
    whole = direction_controller(warped=False)
    assert whole.sweeps > sweep
    path = tmp_path / "half.training"
    train_until(field, path, sweep)
    assert path.exists() == (sweep >= CHECKPOINT_SWEEPS)
    told: list[Progress] = []
    resumed = train(field, TASK, settings=SETTINGS, checkpoint=path, on_progress=told.append)
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
    path = tmp_path / "done.training"
    train_until(field, path, whole.sweeps, tolerance=tolerance)
    resumed = train(field, TASK, settings=SETTINGS, tolerance=tolerance, checkpoint=path)
    assert values_digest(resumed) == values_digest(whole)


def test_a_checkpoint_of_other_training_is_refused(field: MotionField, tmp_path: Path) -> None:
    path = tmp_path / "other.training"
    train_until(field, path, CHECKPOINT_SWEEPS)
    for task, settings in (
        (Direction(pace_weight=0.1), SETTINGS),
        (TASK, replace(SETTINGS, jump_cost=2.0)),
        (TASK, replace(SETTINGS, discount=0.98)),
        (TASK, replace(SETTINGS, goal_change=0.1)),
    ):
        with pytest.raises(ArtifactError, match="checkpoint of other training"):
            train(field, task, settings=settings, checkpoint=path)
    with pytest.raises(ArtifactError, match="checkpoint of other training"):
        train(field, TASK, settings=SETTINGS, warp=WARP, checkpoint=path)


def test_a_damaged_checkpoint_is_refused(field: MotionField, tmp_path: Path) -> None:
    path = tmp_path / "damaged.training"
    train_until(field, path, CHECKPOINT_SWEEPS)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 4]))
    with pytest.raises(ArtifactError, match=r"damaged\.training"):
        train(field, TASK, settings=SETTINGS, checkpoint=path)


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
