"""Public motion capture sets: what there is, under which licence, and how to get it, checked bit by bit."""

from motionfields.motion.datasets.catalogue import DataFile, DataSet, list_sets
from motionfields.motion.datasets.fetching import Progress, fetch

__all__ = ["DataFile", "DataSet", "Progress", "fetch", "list_sets"]
