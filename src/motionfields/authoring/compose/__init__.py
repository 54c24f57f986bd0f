"""Composition: captured frames in a new order, chosen to show the labels of a timeline."""

from motionfields.authoring.compose.composing import (
    ComposeCosts,
    Composer,
    ComposeSettings,
    Composition,
    Piece,
    WarpReport,
    compose,
)
from motionfields.authoring.compose.cuts import Cuts, CutSettings, find_cuts
from motionfields.authoring.compose.labels import StateLabels, label_states, labels_of
from motionfields.authoring.compose.objective import Adherence, adherence
from motionfields.authoring.compose.timeline import (
    LabelGoal,
    Timeline,
    format_timeline,
    parse_timeline,
    read_timeline,
    write_timeline,
)

__all__ = [
    "Adherence",
    "ComposeCosts",
    "ComposeSettings",
    "Composer",
    "Composition",
    "CutSettings",
    "Cuts",
    "LabelGoal",
    "Piece",
    "StateLabels",
    "Timeline",
    "WarpReport",
    "adherence",
    "compose",
    "find_cuts",
    "format_timeline",
    "label_states",
    "labels_of",
    "parse_timeline",
    "read_timeline",
    "write_timeline",
]
