"""Labels of states: spans become columns, and mirror images swap sides."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.authoring.compose.labels import NO, UNKNOWN, YES, label_states, labels_of, spans_of_states
from motionfields.field import MotionField
from motionfields.motion.annotations import EVERYTHING, Annotations, Span


def clip_rows(field: MotionField, name: str) -> slice:
    clip = field.database.clip_names.index(name)
    return slice(int(field.database.clip_starts[clip]), int(field.database.clip_starts[clip + 1]))


def test_spans_become_columns_and_mirror_images_swap_sides(field: MotionField) -> None:
    name = field.database.clip_names[0]
    labels = label_states(field.database, Annotations((Span(f"takes/{name}.bvh", 0.5, 1.0, "turn_left"),)))
    assert labels.names == ("turn_left", "turn_right")
    own, image = (labels.values[clip_rows(field, one)] for one in (name, f"{name}.mirror"))
    expected = np.full((len(own), 2), NO)
    expected[15:30, 0] = YES
    np.testing.assert_array_equal(own, expected)
    np.testing.assert_array_equal(image, expected[:, ::-1])


def test_takes_without_spans_are_unknown(field: MotionField) -> None:
    labels = label_states(field.database, Annotations((Span(field.database.clip_names[0], 0.0, 1.0, "walk"),)))
    rest = labels.values[clip_rows(field, field.database.clip_names[-1])]
    assert (rest == UNKNOWN).all()
    assert (labels.share[labels.values == UNKNOWN] == 0.5).all()


def test_incomplete_labels_leave_the_rest_of_a_take_unknown(field: MotionField) -> None:
    """Only where everything is said to be labelled is a missing label a no; later spans overrule earlier ones."""
    name = field.database.clip_names[0]
    spans = (
        Span(name, 0.0, 1.0, "walk"),
        Span(name, 0.5, 1.0, "walk", present=False),
        Span(name, 0.9, 1.5, EVERYTHING),
    )
    values = label_states(field.database, Annotations(spans, complete=False)).values[clip_rows(field, name)][:, 0]
    assert (values[:15] == YES).all()
    assert (values[15:45] == NO).all()
    assert (values[45:] == UNKNOWN).all()


def test_labels_are_stored_in_the_database(field: MotionField, labels: Annotations) -> None:
    found = label_states(field.database, labels)
    stored = labels_of(found.added_to(field.database))
    assert stored.names == found.names
    np.testing.assert_array_equal(stored.values, found.values)
    with pytest.raises(ValueError, match="expected columns called label_"):
        labels_of(field.database)


def test_spans_of_states_give_those_states_the_label(field: MotionField) -> None:
    database = field.database
    image = clip_rows(field, database.clip_names[1])
    assert database.clip_names[1].endswith(".mirror")
    states = np.array([image.start + 3, image.start + 4, image.start + 9, image.stop - 1, image.stop])
    spans = spans_of_states(database, states, "turn_left")
    assert [span.label for span in spans] == ["turn_right"] * 3 + ["turn_left"]
    found = label_states(database, Annotations(tuple(spans), complete=False))
    chosen = np.flatnonzero(found.values[:, found.column_of("turn_left")] == YES)
    assert set(states) <= set(chosen.tolist())


def test_labels_of_other_takes_are_refused(field: MotionField) -> None:
    with pytest.raises(ValueError, match="got labels of elsewhere"):
        label_states(field.database, Annotations((Span("elsewhere", 0.0, 1.0, "walk"),)))
    with pytest.raises(ValueError, match="expected one of walk"):
        label_states(field.database, Annotations((Span(field.database.clip_names[0], 0.0, 1.0, "walk"),))).column_of(
            "fly"
        )
