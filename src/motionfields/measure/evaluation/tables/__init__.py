"""Tables that compare control methods on the same data, tasks and measures, as in the paper (Lee et al. 2010)."""

from motionfields.measure.evaluation.tables.measuring import TableSettings
from motionfields.measure.evaluation.tables.registry import REGISTRY, Registry, quick_registry, without_paper
from motionfields.measure.evaluation.tables.running import Progress, Results, run_tables
from motionfields.measure.evaluation.tables.workshop import DataSet

__all__ = [
    "REGISTRY",
    "DataSet",
    "Progress",
    "Registry",
    "Results",
    "TableSettings",
    "quick_registry",
    "run_tables",
    "without_paper",
]
