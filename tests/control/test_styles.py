"""Styles of motion: their costs by hand, and characters that keep to the style they are given."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionfields.base.arrays import IntArray
from motionfields.control.controller import FieldController
from motionfields.control.root_motion import measure_root_motion
from motionfields.control.styles import Styles
from motionfields.control.tasks import Direction
from motionfields.control.training import train
from motionfields.control.transitions import BLOCKED, ControlSettings, find_transitions, roughness
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples
from motionfields.runtime import Crowd
from tests.control.training.small import SETTINGS, small_field

STYLES = Styles("style", wanted=(0, 2), unwanted_cost=3.0, change_cost=1.5)


def styled_field(styles: IntArray) -> MotionField:
    """The small field with a column `style`."""
    return MotionField(small_field().database.with_column("style", styles))


@pytest.fixture(scope="module")
def styles() -> IntArray:
    return np.arange(small_field().database.state_count) // 10 % 5 - 1  # -1, unknown, to 3


def test_a_state_of_an_unwanted_style_costs_and_one_of_unknown_style_does_not(styles: IntArray) -> None:
    database = styled_field(styles).database
    expected = np.where(np.isin(styles, (1, 3)), 3.0, 0.0)
    np.testing.assert_array_equal(STYLES.state_costs(database), expected)
    np.testing.assert_array_equal(replace(STYLES, wanted=None).state_costs(database), 0.0)
    plain = roughness(database, SETTINGS)
    np.testing.assert_allclose(roughness(database, replace(SETTINGS, styles=STYLES)), plain + expected, rtol=1e-6)


def test_a_transition_costs_more_where_both_styles_are_known_and_differ(styles: IntArray) -> None:
    field = styled_field(styles)
    moves = measure_root_motion(field.database)
    plain, more = (find_transitions(field, moves, replace(SETTINGS, styles=one)) for one in (None, STYLES))
    np.testing.assert_array_equal(plain.states, more.states)
    before, after = styles[:, np.newaxis], styles[plain.states]
    differ = (before >= 0) & (after >= 0) & (before != after)
    is_open = plain.costs[..., 0, 0] < BLOCKED
    assert 0 < differ[is_open].sum() < is_open.sum()
    expected = plain.costs[..., 0, 0] + np.where(differ, 1.5, 0.0)
    np.testing.assert_allclose(more.costs[..., 0, 0][is_open], expected[is_open], rtol=1e-5)
    np.testing.assert_array_equal(more.costs[..., 0, 0] < BLOCKED, is_open)


def test_a_column_alone_changes_nothing(styles: IntArray) -> None:
    field = styled_field(styles)
    moves = measure_root_motion(field.database)
    for mine, plain in zip(
        find_transitions(field, moves, SETTINGS), find_transitions(small_field(), moves, SETTINGS), strict=True
    ):
        np.testing.assert_array_equal(mine, plain)


def test_a_controller_keeps_its_styles_in_its_file(styles: IntArray, tmp_path: Path) -> None:
    few = ControlSettings(neighbor_count=5, candidate_factor=1, styles=STYLES)
    controller = train(styled_field(styles), Direction(), settings=few, tolerance=1.0)
    controller.save(tmp_path / "styled.ctrl")
    again = FieldController.load(tmp_path / "styled.ctrl")
    assert again.settings == few
    np.testing.assert_array_equal(again.transitions.roughness, controller.transitions.roughness)


def test_wrong_styles_are_refused(styles: IntArray) -> None:
    database = small_field().database
    with pytest.raises(ValueError, match="styles: expected a column 'style' in the database, got none"):
        STYLES.of(database)
    with pytest.raises(ValueError, match="column style: expected one whole number for each state"):
        STYLES.of(database.with_column("style", 0.5 * styles))
    for wrong in ({"unwanted_cost": -1.0}, {"change_cost": np.nan}, {"wanted": ()}, {"wanted": (-1,)}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            Styles("style", **wrong)


def test_characters_stay_out_of_an_unwanted_style() -> None:
    names = ("walk_forward", "walk_fast", "turn_left_090_quick", "turn_left_090_gentle")
    clips = [sample.clip for sample in generate_samples(only=names)]
    quick = [np.full(clip.frame_count, int(clip.name.endswith("quick"))) for clip in clips]
    field = MotionField(MotionDatabase.build(clips, columns={"style": quick}))
    shares = []
    for use in (None, Styles("style", wanted=(0,))):
        controller = train(field, Direction(), settings=replace(SETTINGS, styles=use), tolerance=0.05)
        crowd = Crowd(controller, 30, seed=1)
        goal, shown = crowd.ground.facing.copy(), []
        for frame in range(240):
            goal += np.where(frame % 60 == 0, 1.5, 0.0)
            shown.append(crowd.step(goal).states)
        shares.append((field.database.columns["style"][np.array(shown[60:])] == 1).mean())
    print(f"unwanted style: {100 * shares[0]:.1f} % without and {100 * shares[1]:.1f} % with the cost")
    assert shares[0] > 0.1
    assert shares[1] < 0.02
