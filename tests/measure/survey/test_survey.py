"""The survey as a whole: no false alarm, its table, its JSON, and every kind of statement tested somewhere."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.measure.survey import LEVELS, MEANINGS, PARTS, Survey, quick_statements, survey
from motionfields.measure.survey.statements import NOTE, PROBLEM, runs
from motionfields.motion.samples import generate_samples
from tests.conftest import LONG

from . import test_coverage, test_faults, test_reaching, test_redundancy
from .conftest import clip_called


@pytest.fixture(scope="module")
def whole_survey(whole_field: MotionField) -> Survey:
    return survey(whole_field)


def test_a_set_without_holes_and_faults_gets_notes_only(whole_survey: Survey) -> None:
    assert {one.level for one in whole_survey.statements} == {NOTE}


@pytest.mark.skipif(not LONG, reason="builds all generated clips, which takes a minute; set MOTIONFIELDS_LONG=1")
def test_the_full_generated_samples_get_notes_only() -> None:
    clips = [sample.clip for sample in generate_samples(frame_rate=30.0)]
    assert {one.level for one in survey(MotionField(MotionDatabase.build(clips))).statements} == {NOTE}


def test_every_kind_of_statement_has_a_set_made_for_it() -> None:
    tested = {*test_coverage.SETS, "speed-limit", *test_reaching.KINDS, *test_redundancy.KINDS}
    tested |= {*test_faults.ALTERED, *test_faults.OTHERS}
    assert tested == set(MEANINGS)
    assert {meaning.level for meaning in MEANINGS.values()} == set(LEVELS)
    assert {meaning.part for meaning in MEANINGS.values()} == set(PARTS)


def test_the_table_has_a_row_for_each_take_without_its_mirror_image(whole_survey: Survey) -> None:
    table = whole_survey.frame()
    assert all(column.shape == table["take"].shape for column in table.values())
    assert not any(name.endswith(".mirror") for name in table["take"])
    assert 2 * table["frames"].sum() == whole_survey.state_count
    walk = table["take"].tolist().index("walk_fast")
    assert table["speed"][walk] == pytest.approx(1.25, abs=0.1)
    assert table["in_core"][walk] > 0.95


def test_pandas_accepts_the_table(whole_survey: Survey) -> None:
    pandas = pytest.importorskip("pandas", reason="needs pandas, which the extra dev installs")
    frame = pandas.DataFrame(whole_survey.frame())
    assert list(frame.columns) == list(whole_survey.frame())
    assert len(frame) == len(whole_survey.takes["take"])
    assert all(frame[name].dtype.kind in "if" for name in frame.columns if name != "take")
    fastest = frame.sort_values("speed", ascending=False).iloc[0]
    assert fastest["take"] == whole_survey.takes["take"][whole_survey.takes["speed"].argmax()]
    assert frame["frames"].sum() == whole_survey.takes["frames"].sum()


def test_the_json_is_strict_and_names_every_statement(whole_survey: Survey) -> None:
    facts = json.loads(json.dumps(whole_survey.as_json(), allow_nan=False))
    assert [one["text"] for one in facts["statements"]] == [one.text for one in whole_survey.statements]
    assert set(facts["reach"]) <= set(facts["seconds"])


def test_quick_statements_find_a_set_that_cannot_turn(whole_field: MotionField) -> None:
    assert quick_statements(whole_field) == []
    straight = MotionField(MotionDatabase.build([clip_called("walk_forward"), clip_called("walk_fast")]))
    assert [one.kind for one in quick_statements(straight)] == ["cannot-turn"]


def test_quick_statements_find_a_lost_take_and_the_speed_that_only_it_has() -> None:
    walks = [clip_called(name) for name in ("walk_forward", "turn_left_090_quick", "turn_right_090_quick")]
    fast = clip_called("walk_fast")
    run = test_reaching.arms_raised(replace(fast, frame_time=0.5 * fast.frame_time), np.ones(fast.frame_count), "run")
    found = quick_statements(MotionField(MotionDatabase.build([*walks, run], mirror=False)))
    assert [(one.kind, one.take) for one in found] == [("speed-out-of-reach", "run"), ("lost-take", "run")]
    assert all(one.advice for one in found)


def test_problems_come_first(whole_survey: Survey) -> None:
    straight = survey(MotionField(MotionDatabase.build([clip_called("walk_forward")])))
    levels = [LEVELS.index(one.level) for one in straight.statements]
    assert levels == sorted(levels)
    assert levels[0] == LEVELS.index(PROBLEM)


def test_runs_end_with_their_clip() -> None:
    flags, starts = np.array([True, True, False, True, True, True]), np.array([0, 2, 4, 6])
    found = runs(flags, starts)
    np.testing.assert_array_equal(found, [[0, 1], [3, 3], [4, 5]])
    for first, last in found:
        assert any(begin <= first and last < end for begin, end in pairwise(starts))
