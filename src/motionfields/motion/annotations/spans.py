"""Labels of motion: spans of time in motion files that show an action, or do not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from motionfields.base.checks import check_fields

EVERYTHING: Final = "*"
"""Label of a span whose labels are complete: every label without a span there is absent."""

LONGEST_LABEL: Final = 64
LONGEST_NAME: Final = 1024
LATEST: Final = 1e7  # seconds; 115 days, far beyond any take, and small enough to count frames without overflow

_SIDES: Final = {"left": "right", "right": "left"}
_SIDE: Final = re.compile(r"(?<![A-Za-z])(left|right)(?![A-Za-z])", re.IGNORECASE)
_SUFFIXES: Final = (".bvh", ".glb", ".gltf", ".fbx", ".npz", ".txt", ".tsv")
_ENDINGS: Final = ("_poses", "_stageii")  # that AMASS, and so BABEL, adds to the names of takes


@dataclass(frozen=True)
class Span:
    """A stretch of a motion file, from `start` up to `end` in seconds, that has a label or, if not `present`, lacks it.

    Time 0 is the first frame of the motion: rest frames that loading drops do not count. `file` is the name of the
    motion file, with or without folders and suffix. `basis` says where the label comes from, in any words. The label
    `EVERYTHING` states that the labels of this stretch are complete.
    """

    file: str
    start: float
    end: float
    label: str
    basis: str = ""
    present: bool = True

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.file.strip() or len(self.file) > LONGEST_NAME or not self.file.isprintable():
            raise ValueError(
                f"file: expected a name of 1 to {LONGEST_NAME} printable characters, got {self.file!r:.80}"
            )
        checked_label(self.label, extra=(EVERYTHING,))
        if self.label == EVERYTHING and not self.present:
            raise ValueError(f"label: a span of {EVERYTHING!r} is always present")
        if not self.basis.isprintable() or len(self.basis) > LONGEST_NAME:
            raise ValueError(f"basis: expected at most {LONGEST_NAME} printable characters, got {self.basis!r:.80}")
        if not 0.0 <= self.start < self.end <= LATEST:
            raise ValueError(f"span: expected 0 <= start < end <= {LATEST:g} seconds, got {self.start} to {self.end}")

    @property
    def take(self) -> str:
        """Name of the take: the file name without folders, suffix, and the endings that AMASS adds."""
        return take_name(self.file)

    @property
    def text(self) -> str:
        """The label as files hold it: with an exclamation mark in front if it is absent."""
        return self.label if self.present else f"!{self.label}"


@dataclass(frozen=True)
class Annotations:
    """Labelled spans of motion files.

    Where spans of one label overlap, the later one in `spans` counts. With `complete`, the labels of every file that
    has a span are complete: a label without a span is absent. Otherwise it is unknown, except where a span of
    `EVERYTHING` states that the labels are complete.
    """

    spans: tuple[Span, ...]
    complete: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "spans", tuple(self.spans))

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels, sorted."""
        return tuple(sorted({span.label for span in self.spans} - {EVERYTHING}))

    @property
    def takes(self) -> tuple[str, ...]:
        """Names of the takes that have spans, sorted."""
        return tuple(sorted({span.take for span in self.spans}))

    def seconds(self, label: str) -> float:
        """Return the seconds for which `label` is present; overlapping spans count twice."""
        return sum(span.end - span.start for span in self.spans if span.label == label and span.present)

    def adding(self, spans: Iterable[Span]) -> Annotations:
        """Return these annotations with `spans` added, which overrule earlier ones of the same label."""
        return Annotations((*self.spans, *spans), self.complete)


def checked_label(label: str, *, extra: tuple[str, ...] = ()) -> str:
    """Return `label`; ValueError unless it is a label, or one of `extra`.

    A label has 1 to 64 printable characters, no space at either end, and begins with neither ! nor *.
    """
    if not isinstance(label, str):
        raise ValueError(f"label: expected text, got {label!r:.80}")
    fits = 1 <= len(label) <= LONGEST_LABEL and label.isprintable() and label == label.strip()
    if label not in extra and not (fits and label[0] not in "!*"):
        raise ValueError(
            f"label: expected 1 to {LONGEST_LABEL} printable characters without ! or * in front, got {label!r:.80}"
        )
    return label


def span_of(file: str, start: float, end: float, text: str, basis: str = "") -> Span:
    """Return the span of a label as files hold it: an exclamation mark in front of `text` means absent."""
    present = not text.startswith("!")
    return Span(file, start, end, text if present else text[1:], basis, present)


def take_name(file: str) -> str:
    """Return the name of the take in `file`: without folders, suffix, and the endings that AMASS adds."""
    name = PurePosixPath(file.replace("\\", "/")).name
    stem = next((name[: -len(end)] for end in _SUFFIXES if name.lower().endswith(end)), name) or name
    for ending in _ENDINGS:
        stem = stem.removesuffix(ending) or stem
    return stem


def mirrored_label(label: str) -> str:
    """Return the label of a mirror image: left and right are exchanged where they stand as words of their own.

    turn_left becomes turn_right, and Right-hand wave becomes Left-hand wave; upright stays.
    """

    def other(match: re.Match[str]) -> str:
        word = match[1]
        swapped = _SIDES[word.lower()]
        return swapped.upper() if word.isupper() else swapped.capitalize() if word[0].isupper() else swapped

    return _SIDE.sub(other, label)
