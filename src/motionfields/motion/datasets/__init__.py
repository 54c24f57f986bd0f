"""Public motion capture sets: a catalogue with licences, and downloads that are verified to the last bit."""

from motionfields.motion.datasets.catalogue import DataFile, DataSet, list_sets
from motionfields.motion.datasets.fetching import Progress, fetch

__all__ = ["DataFile", "DataSet", "Progress", "fetch", "list_sets"]
