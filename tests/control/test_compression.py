"""Compression of value functions: budgets are kept, and what comes out is near what went in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from motionfields.control.compression import compress, sampled_anchors, value_error
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction, angle_axis
from motionfields.control.training import train
from motionfields.control.values import CompressedValues, ValueTable
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples

NAMES = ("walk_forward", "turn_left_090_quick")


@pytest.fixture(scope="module")
def controller() -> FieldController:
    """A controller of two generated clips and their mirror images."""
    clips = [sample.clip for sample in generate_samples(only=NAMES)]
    return train(MotionField(MotionDatabase.build(clips)), Direction())


@pytest.fixture(scope="module")
def table(controller: FieldController) -> ValueTable:
    return controller.values


@pytest.mark.parametrize("factor", [1.0, 4.0, 10.0, 15.0])
def test_a_factor_is_honoured_and_used_up(table: ValueTable, factor: float) -> None:
    form = compress(table, factor=factor)
    assert form.byte_count * factor <= table.values.nbytes
    assert factor == 1.0 or form.byte_count * factor > 0.93 * table.values.nbytes


@pytest.mark.parametrize("loss", [0.001, 0.03, 0.3])
def test_a_loss_is_honoured_and_used_up(table: ValueTable, loss: float) -> None:
    form = compress(table, loss=loss)
    assert 0.95 * loss < value_error(table, form) <= loss


def test_a_larger_budget_gives_a_smaller_error(table: ValueTable) -> None:
    errors = [value_error(table, compress(table, factor=factor)) for factor in (20.0, 10.0, 5.0, 2.0)]
    assert errors == sorted(errors, reverse=True)


def test_no_value_is_off_by_many_times_the_error(table: ValueTable) -> None:
    form = compress(table, factor=10.0)
    error = value_error(table, form)
    off = np.abs(form.table() - table.table())
    assert np.percentile(off, 99.9) < 6.0 * error
    assert off.max() < 12.0 * error


def test_with_next_to_no_loss_values_are_what_they_were(table: ValueTable) -> None:
    form = compress(table, loss=1e-6)
    np.testing.assert_array_max_ulp(form.table(), table.table(), maxulp=1)
    assert form.byte_count < table.byte_count


def test_an_offset_that_all_states_share_counts_for_nothing(table: ValueTable, rng: np.random.Generator) -> None:
    shift = rng.normal(size=(1, table.values.shape[1])).astype(np.float32)
    shifted = ValueTable(table.axes, table.values + shift)
    assert value_error(table, shifted) < 1e-4
    assert value_error(table, ValueTable(table.axes, table.values * np.float32(1.1))) > 0.01


def test_values_that_are_all_alike_take_next_to_nothing() -> None:
    table = ValueTable((angle_axis(),), np.full((500, 37), -3.0, np.float32))
    for form in (compress(table, factor=300.0), compress(table, loss=0.0)):
        np.testing.assert_array_equal(form.table(), table.values)
        assert len(form.code.scales) == 0


def test_a_compressed_form_can_be_compressed_further(table: ValueTable) -> None:
    again = compress(compress(table, factor=5.0), factor=12.0)
    assert again.byte_count * 12.0 <= table.values.nbytes


def test_budgets_that_cannot_be_kept_are_refused(table: ValueTable) -> None:
    with pytest.raises(ValueError, match="expected exactly one of them"):
        compress(table)
    with pytest.raises(ValueError, match="expected exactly one of them"):
        compress(table, factor=2.0, loss=0.1)
    for factor in (0.5, np.nan, np.inf):
        with pytest.raises(ValueError, match="factor: expected a number of at least 1"):
            compress(table, factor=factor)
    with pytest.raises(ValueError, match="factor: expected at most"):
        compress(table, factor=1e6)
    for loss in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="loss: expected a number of at least 0"):
            compress(table, loss=loss)
    noise = np.random.default_rng(1).normal(0.0, 1e4, (200, 37)).astype(np.float32)
    with pytest.raises(ValueError, match=r"loss: expected at least .* got 1e-09"):
        compress(ValueTable((angle_axis(),), noise), loss=1e-9)
    with pytest.raises(ValueError, match="values: expected finite numbers"):
        compress(ValueTable((angle_axis(),), np.full((2, 37), np.nan, np.float32)), factor=2.0)


def test_a_compressed_controller_comes_back_from_its_file_and_moves_the_same(
    controller: FieldController, tmp_path: Path
) -> None:
    small = compress(controller, factor=10.0)
    assert isinstance(small.values, CompressedValues)
    assert small.field is controller.field
    small.save(tmp_path / "small.ctrl")
    controller.save(tmp_path / "full.ctrl")
    saved = controller.values.byte_count - small.values.byte_count
    sizes = [(tmp_path / name).stat().st_size for name in ("full.ctrl", "small.ctrl")]
    assert abs(sizes[0] - sizes[1] - saved) < 2048  # the header
    back = FieldController.load(tmp_path / "small.ctrl")
    assert isinstance(back.values, CompressedValues)
    np.testing.assert_array_equal(back.values.table(), small.values.table())
    crowds = [one.crowd(4, seed=3, plant=False) for one in (small, back)]
    for _ in range(20):
        frames = [crowd.step(1.0) for crowd in crowds]
    np.testing.assert_array_equal(frames[0].root_position, frames[1].root_position)


def test_sampled_anchors_keep_every_nth_state_and_are_linear_between(table: ValueTable) -> None:
    starts = np.array([0, 11, 12, len(table.values)])
    form = sampled_anchors(table, starts, 4)
    kept = [0, 4, 8, 10, 11, 12, 16]
    np.testing.assert_array_equal(form.table()[kept], table.values[kept])
    np.testing.assert_allclose(form.table()[9], table.values[[8, 10]].mean(axis=0), rtol=1e-6)
    assert form.byte_count == 4 * 37 * (4 + 1 + len(set(range(12, len(table.values), 4)) | {len(table.values) - 1}))
    np.testing.assert_array_equal(sampled_anchors(table, starts, 1).table(), table.values)
    with pytest.raises(ValueError, match="stride: expected at least 1"):
        sampled_anchors(table, starts, 0)


def test_compressing_loses_far_less_than_sampling_to_the_same_size(
    controller: FieldController, table: ValueTable
) -> None:
    sampled = sampled_anchors(table, controller.field.database.clip_starts, 10)
    form = compress(table, factor=table.byte_count / sampled.byte_count)
    assert value_error(table, form) < 0.5 * value_error(table, sampled)
