"""How fast controllers answer and how well they move meanwhile, by the definitions of `docs/quality.md`."""

from motionfields.evaluation.figures import GATES, Figures, measure_trials, missed_gates
from motionfields.evaluation.source import SourceFigures, measure_source
from motionfields.evaluation.trials import Trials, direction_trials, joined, line_trials

__all__ = [
    "GATES",
    "Figures",
    "SourceFigures",
    "Trials",
    "direction_trials",
    "joined",
    "line_trials",
    "measure_source",
    "measure_trials",
    "missed_gates",
]
