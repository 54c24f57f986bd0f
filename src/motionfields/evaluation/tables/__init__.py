"""Tables of several control methods on the same data, tasks and measures, as in the paper (Lee et al. 2010)."""

from motionfields.evaluation.tables.measuring import TableSettings
from motionfields.evaluation.tables.registry import REGISTRY, Registry
from motionfields.evaluation.tables.running import Progress, Results, run_tables
from motionfields.evaluation.tables.workshop import DataSet

__all__ = ["REGISTRY", "DataSet", "Progress", "Registry", "Results", "TableSettings", "run_tables"]
