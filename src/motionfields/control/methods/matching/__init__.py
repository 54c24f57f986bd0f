"""Motion matching as games do it, on the same data, tasks and measures, to compare ours with."""

from motionfields.control.methods.matching.controller import MatchingController, train_matching
from motionfields.control.methods.matching.desired import Desired, Steer
from motionfields.control.methods.matching.settings import MatchingSettings

__all__ = ["Desired", "MatchingController", "MatchingSettings", "Steer", "train_matching"]
