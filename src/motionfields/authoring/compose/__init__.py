"""Composition: captured frames in a new order, chosen to show the labels of a timeline."""

from motionfields.authoring.compose.composing import (
    ComposeCosts,
    Composer,
    ComposeSettings,
    Composition,
    WarpReport,
    compose,
)
from motionfields.authoring.compose.cuts import Cuts, CutSettings, find_cuts
from motionfields.authoring.compose.goals import JointGoal, LabelGoal, PathGoal, PlaceGoal, PoseGoal
from motionfields.authoring.compose.labels import StateLabels, label_states, labels_of
from motionfields.authoring.compose.layers import with_layer
from motionfields.authoring.compose.learning import learn_labels, proposals, with_answers
from motionfields.authoring.compose.objective import Adherence, adherence
from motionfields.authoring.compose.pieces import Piece
from motionfields.authoring.compose.reaching import ReachSettings
from motionfields.authoring.compose.rendering import RootWarp
from motionfields.authoring.compose.timeline import (
    Timeline,
    format_timeline,
    parse_timeline,
    read_timeline,
    write_timeline,
)
from motionfields.authoring.compose.warping import least_warp

__all__ = [
    "Adherence",
    "ComposeCosts",
    "ComposeSettings",
    "Composer",
    "Composition",
    "CutSettings",
    "Cuts",
    "JointGoal",
    "LabelGoal",
    "PathGoal",
    "Piece",
    "PlaceGoal",
    "PoseGoal",
    "ReachSettings",
    "RootWarp",
    "StateLabels",
    "Timeline",
    "WarpReport",
    "adherence",
    "compose",
    "find_cuts",
    "format_timeline",
    "label_states",
    "labels_of",
    "learn_labels",
    "least_warp",
    "parse_timeline",
    "proposals",
    "read_timeline",
    "with_answers",
    "with_layer",
    "write_timeline",
]
