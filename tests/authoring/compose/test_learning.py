"""Labels learnt from a few: what is known stays, and what is unknown becomes a share."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from motionfields.authoring.compose.labels import UNKNOWN, YES, StateLabels, label_states
from motionfields.authoring.compose.learning import (
    learn_labels,
    proposals,
    smoothed,
    window_features,
    with_answers,
)
from motionfields.base.errors import MissingExtraError
from motionfields.field import MotionField
from motionfields.motion.annotations import Annotations


@pytest.fixture(scope="module")
def painted(field: MotionField, labels: Annotations) -> StateLabels:
    """The labels of every other second of the takes."""
    full = label_states(field.database, labels)
    database = field.database
    frame = np.arange(database.state_count) - database.clip_starts[database.clip_of]
    hidden = (frame * database.frame_time) % 2.0 >= 1.0
    return StateLabels.of(full.names, np.where(hidden[:, np.newaxis], UNKNOWN, full.values))


@pytest.mark.parametrize("method", ["logistic", "svm"])
def test_unknown_states_are_filled_in(
    field: MotionField, labels: Annotations, painted: StateLabels, method: str
) -> None:
    pytest.importorskip("sklearn")
    learnt = learn_labels(field.database, painted, method=method)  # type: ignore[arg-type]
    known = painted.values != UNKNOWN
    np.testing.assert_array_equal(learnt.values[known], painted.values[known])
    np.testing.assert_array_equal(learnt.share[known], painted.share[known])
    column = learnt.column_of("turn_left")
    truth = label_states(field.database, labels).values[:, column]
    hidden = ~known[:, column]
    assert (learnt.values[hidden, column] == truth[hidden]).mean() > 0.8
    assert ((learnt.share >= 0.0) & (learnt.share <= 1.0)).all()
    walk = learnt.column_of("walk")  # known everywhere as yes: nothing to learn from
    assert (learnt.values[hidden, walk] == UNKNOWN).all()
    spans = proposals(field.database, painted, learnt).spans
    assert {span.basis for span in spans} == {"learnt"}
    assert not any(span.file.endswith(".mirror") for span in spans)


def test_answers_overrule_labels(field: MotionField, painted: StateLabels) -> None:
    path = np.array([3, 4, 5])
    found = with_answers(painted, path, np.array([True, False, True]), "walk")
    column = found.column_of("walk")
    np.testing.assert_array_equal(found.values[path, column] == YES, [True, False, True])
    np.testing.assert_array_equal(found.share[path, column], [1.0, 0.0, 1.0])


def test_windows_do_not_cross_clips(field: MotionField) -> None:
    """The features of the states of a clip are those of a database of that clip alone, and smoothing keeps to clips."""
    database = field.database
    features = window_features(database)
    assert len(features) == database.state_count
    assert np.isfinite(features).all()
    step = np.zeros(database.state_count)
    step[: database.clip_starts[1]] = 1.0
    np.testing.assert_array_equal(smoothed(database, step, seconds=1.0), step)


def test_a_missing_package_names_its_extra(
    field: MotionField, painted: StateLabels, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.decomposition", None)
    with pytest.raises(MissingExtraError, match=r"motionfields\[learn\]"):
        learn_labels(field.database, painted)
