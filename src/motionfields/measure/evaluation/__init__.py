"""Measures of controllers: response time and motion quality, as defined in `docs/quality.md`."""

from motionfields.measure.evaluation.figures import (
    GATES,
    REQUIRED_GATES,
    Figures,
    measure_trials,
    missed_gates,
    within_gate,
)
from motionfields.measure.evaluation.footing import FootFigures
from motionfields.measure.evaluation.pushes import PushPlan, PushTrials, draw_pushes, joined_pushes, push_trials
from motionfields.measure.evaluation.shoves import Shove, ShoveFigures, ShoveTrials, shove_figures, shove_trials
from motionfields.measure.evaluation.source import SourceFigures, measure_source
from motionfields.measure.evaluation.trials import (
    LaneTrials,
    Trials,
    direction_trials,
    joined,
    lane_trials,
    line_trials,
    velocity_trials,
)

__all__ = [
    "GATES",
    "REQUIRED_GATES",
    "Figures",
    "FootFigures",
    "LaneTrials",
    "PushPlan",
    "PushTrials",
    "Shove",
    "ShoveFigures",
    "ShoveTrials",
    "SourceFigures",
    "Trials",
    "direction_trials",
    "draw_pushes",
    "joined",
    "joined_pushes",
    "lane_trials",
    "line_trials",
    "measure_source",
    "measure_trials",
    "missed_gates",
    "push_trials",
    "shove_figures",
    "shove_trials",
    "velocity_trials",
    "within_gate",
]
