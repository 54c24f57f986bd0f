"""Labels of every state of a database: yes, no or unknown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.field.database import MotionDatabase
from motionfields.field.database.takes import original_clip
from motionfields.motion.annotations import EVERYTHING, Annotations, Span, mirrored_label, take_name

YES: Final = 1
NO: Final = 0
UNKNOWN: Final = -1


@dataclass(frozen=True, eq=False)
class StateLabels:
    """The labels of every state of a database."""

    names: tuple[str, ...]
    values: IntArray  # [state, label], int8: `YES`, `NO` or `UNKNOWN`
    share: FloatArray  # [state, label], float32: 1 for yes, 0 for no, between for learnt labels; 0.5 for unknown

    @classmethod
    def of(cls, names: tuple[str, ...], values: IntArray) -> StateLabels:
        """Return labels with `values` [state, label]: `YES`, `NO` or `UNKNOWN`."""
        found = np.asarray(values)
        if found.ndim != 2 or found.shape[1] != len(names) or not np.isin(found, (YES, NO, UNKNOWN)).all():
            raise ValueError(
                f"values: expected {YES}, {NO} or {UNKNOWN} for each state and each of {len(names)} labels, "
                f"got shape {found.shape}"
            )
        share = np.where(found == UNKNOWN, 0.5, found).astype(np.float32)
        return cls(tuple(names), found.astype(np.int8), share)

    def column_of(self, label: str) -> int:
        """Return the column of `label`; ValueError if there is none of that name."""
        if label not in self.names:
            raise ValueError(f"label: expected one of {', '.join(self.names)}; got {label!r}")
        return self.names.index(label)

    def added_to(self, database: MotionDatabase) -> MotionDatabase:
        """Return `database` with one column for each label whose name can be that of a column (see `with_column`)."""
        for name, values in zip(self.names, self.values.T, strict=True):
            database = database.with_column(f"label_{name}", values)
        return database


def labels_of(database: MotionDatabase) -> StateLabels:
    """Return the labels that `StateLabels.added_to` stored in the columns of `database`."""
    found = {name.removeprefix("label_"): column for name, column in database.columns.items() if name[:6] == "label_"}
    if not found:
        raise ValueError("database: expected columns called label_..., got none; label its states first")
    return StateLabels.of(tuple(found), np.stack(list(found.values()), axis=1))


def label_states(database: MotionDatabase, annotations: Annotations) -> StateLabels:
    """Return the labels of every state of `database`; raises ValueError if no span belongs to one of its clips.

    A state has the label of a span if its time in the clip, rounded to frames, is in the span. Mirror images have the
    labels of their clips with left and right exchanged. Spans of takes that are not in the database are ignored.
    """
    names = tuple(sorted({*annotations.labels, *(mirrored_label(label) for label in annotations.labels)}))
    column = {name: number for number, name in enumerate(names)}
    values = np.full((database.state_count, len(names)), UNKNOWN, np.int8)
    by_take: dict[str, list[Span]] = {}
    for span in annotations.spans:
        by_take.setdefault(span.take, []).append(span)
    clips = _clips_by_take(database)
    if annotations.spans and not by_take.keys() & clips.keys():
        raise ValueError(
            f"annotations: expected labels of clips of the database such as {database.clip_names[0]}, "
            f"got labels of {annotations.takes[0]}"
        )
    for take, spans in by_take.items():
        for clip, mirrored in clips.get(take, ()):
            first, stop = int(database.clip_starts[clip]), int(database.clip_starts[clip + 1])
            rows = values[first:stop]
            if annotations.complete:
                rows[:] = NO
            # Statements about all labels come first, whatever their place: they only fill what no other span says.
            for span in sorted(spans, key=lambda span: span.label != EVERYTHING):
                frames = slice(round(span.start / database.frame_time), round(span.end / database.frame_time))
                if span.label == EVERYTHING:
                    rows[frames] = NO
                else:
                    label = mirrored_label(span.label) if mirrored else span.label
                    rows[frames, column[label]] = YES if span.present else NO
    return StateLabels.of(names, values)


def _clips_by_take(database: MotionDatabase) -> dict[str, list[tuple[int, bool]]]:
    """Return the numbers of the clips of each take, and whether each is a mirror image."""
    found: dict[str, list[tuple[int, bool]]] = {}
    for number in range(database.clip_count):
        name, mirrored = original_clip(database, number)
        found.setdefault(take_name(name), []).append((number, mirrored))
    return found


def spans_of_states(
    database: MotionDatabase, states: IntArray, label: str, *, basis: str = "", present: bool = True
) -> list[Span]:
    """Return spans that give `label` to `states` [n], one for each run of consecutive states.

    States of mirror images give spans of the original take, with left and right exchanged in the label. `basis`
    and `present` are those of the spans.
    """
    wanted = np.unique(states)
    runs = np.split(wanted, np.flatnonzero((np.diff(wanted) != 1) | (np.diff(database.clip_of[wanted]) != 0)) + 1)
    spans = []
    for run in runs:
        if len(run):
            clip = int(database.clip_of[run[0]])
            name, mirrored = original_clip(database, clip)
            start = float(run[0] - database.clip_starts[clip]) * database.frame_time
            end = start + len(run) * database.frame_time
            text = mirrored_label(label) if mirrored else label
            spans.append(Span(name, start, end, text, basis, present))
    return spans
