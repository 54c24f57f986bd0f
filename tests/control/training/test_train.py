"""`train`: checkpoints, memory, and what it hands over."""

from __future__ import annotations

import re
import tracemalloc
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.artifacts import read_artifact, write_artifact
from motionfields.base.errors import MotionError
from motionfields.base.geometry import quat_exp
from motionfields.control.contract import find_method
from motionfields.control.controller import FieldController
from motionfields.control.root_motion import measure_root_motion
from motionfields.control.tasks import Direction, Lane, Line, Motion, Task, Velocity
from motionfields.control.training import Found, Job, LocalBackend, Progress, TransitionParts, estimate_memory, train
from motionfields.control.training.train import CHECKPOINT_SWEEPS
from motionfields.control.training.work import PARTS_VERSION, transitions_fingerprint
from motionfields.control.transitions import find_transitions
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.clip import Clip
from motionfields.motion.samples import generate_samples
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
def test_a_damaged_file_of_the_folder_is_made_again(field: MotionField, tmp_path: Path, kind: str) -> None:
    whole = direction_controller(warped=False)
    train_until(field, tmp_path, CHECKPOINT_SWEEPS)
    (path, *_) = tmp_path.glob(f"{kind}-*")
    data = path.read_bytes()
    for damaged in (data[:-1] + bytes([data[-1] ^ 4]), data[:200]):
        path.write_bytes(damaged)
        again = train(field, TASK, settings=SETTINGS, work=tmp_path)
        assert values_digest(again) == values_digest(whole)


def test_a_forged_part_is_made_again(field: MotionField, tmp_path: Path) -> None:
    whole = train(field, TASK, settings=SETTINGS, tolerance=0.5, work=tmp_path)
    (path, *_) = tmp_path.glob("choices-*")
    artifact = read_artifact(path, kind="choices", newest_version=PARTS_VERSION)
    rows, costs = (np.array(artifact.arrays[name]) for name in ("rows", "costs"))
    for changed in ({"rows": rows + 10**6}, {"rows": rows - 10**6}, {"costs": costs * np.nan}, {"rows": rows[:, :1]}):
        arrays = {"rows": rows, "costs": costs, **changed}
        write_artifact(path, kind="choices", version=PARTS_VERSION, arrays=arrays, facts=artifact.facts)
        again = train(field, TASK, settings=SETTINGS, work=tmp_path, tolerance=0.5)
        assert values_digest(again) == values_digest(whole)


def test_a_file_under_the_name_of_another_is_not_used(field: MotionField, tmp_path: Path) -> None:
    whole = direction_controller(warped=False)
    train_until(field, tmp_path, CHECKPOINT_SWEEPS)
    (path,) = tmp_path.glob("values-*")
    train(field, Direction(pace_weight=0.1), settings=SETTINGS, work=tmp_path, checkpoint_sweeps=1, tolerance=0.5)
    (other,) = set(tmp_path.glob("values-*")) - {path}
    other.replace(path)
    again = train(field, TASK, settings=SETTINGS, work=tmp_path)
    assert values_digest(again) == values_digest(whole)


def idle_clip(clip: Clip) -> Clip:
    """Return a clip that stands in the first pose of `clip` and moves its arms."""
    count = 200
    rotations = np.repeat(clip.rotations[:1], count, axis=0)
    for number, joint in enumerate(("LeftArm", "RightArm", "Head", "Spine")):
        bend = np.zeros((count, 3))
        bend[:, 0] = 0.5 * np.sin(np.arange(count) / 30.0 + number)
        rotations[:, clip.skeleton.index(joint)] = quat_exp(bend)
    return Clip(clip.skeleton, np.repeat(clip.root_position[:1], count, axis=0), rotations, 1.0 / 60.0, name="idle")


def in_place(clip: Clip) -> Clip:
    """Return `clip` without its motion over the ground."""
    return Clip(clip.skeleton, clip.root_position * [0.0, 1.0, 0.0], clip.rotations, clip.frame_time, name=clip.name)


@pytest.mark.parametrize("task", [Velocity(), Lane()], ids=lambda task: type(task).__name__)
def test_clips_that_do_not_travel_cannot_be_told_a_speed(task: Task) -> None:
    (walk,) = (sample.clip for sample in generate_samples(only=re.compile("walk_forward")))
    idle = MotionField(MotionDatabase.build([idle_clip(walk)], mirror=False))
    with pytest.raises(MotionError, match=r"expected clips that travel over the ground.*give a top speed"):
        train(idle, task, settings=SETTINGS)
    given = train(idle, replace(task, top=1.0), settings=SETTINGS, tolerance=0.5)  # type: ignore[type-var]
    assert np.isfinite(given.values.table()).all()
    frame = given.crowd(2).step(np.full(len(task.command_names), 0.3))
    assert np.isfinite(frame.rotations).all()


@pytest.mark.parametrize("method", ["field", "graph", "matching", "paper"])
def test_a_walk_in_place_is_refused_before_training(method: str) -> None:
    (walk,) = (sample.clip for sample in generate_samples(only=re.compile("walk_forward")))
    field = MotionField(MotionDatabase.build([in_place(walk)], mirror=False))
    with pytest.raises(MotionError, match=r"foot never stands on the ground .* need their root motion"):
        find_method(method).train(field, Direction())


@pytest.mark.parametrize("wrong", [{"top": 0.0}, {"top": 1e-320}, {"top": "fast"}, {"facing_speed": 0.0}], ids=str)
def test_a_speed_that_divides_to_infinity_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Velocity(**wrong)


class Broken(Direction):
    """A task whose reward is not a number."""

    def reward(self, params: FloatArray, motion: Motion) -> FloatArray:
        return super().reward(params, motion) * np.nan


def test_training_never_returns_values_that_are_not_numbers(field: MotionField) -> None:
    with pytest.raises(ValueError, match="Broken: expected `reward` to return finite numbers"):
        train(field, Broken(), settings=SETTINGS)
    with pytest.raises(ValueError, match="speed: expected a number"):
        train(field, Direction(speed="fast"), settings=SETTINGS)  # type: ignore[arg-type]


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
