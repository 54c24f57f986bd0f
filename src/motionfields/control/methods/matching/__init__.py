"""Motion matching as used in games, on the same data, tasks and measures, for comparison."""

from motionfields.control.methods.matching.controller import MatchingController, train_matching
from motionfields.control.methods.matching.desired import Desired, Steer
from motionfields.control.methods.matching.settings import MatchingSettings

__all__ = ["Desired", "MatchingController", "MatchingSettings", "Steer", "train_matching"]
