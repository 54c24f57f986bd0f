"""Other methods of control on the same data, tasks and measures, to compare ours with."""

from motionfields.methods.anchors import Anchors, AnchorValues
from motionfields.methods.graph import GraphController, GraphSettings, StepClips, cut_steps, train_graph
from motionfields.methods.loading import AnyController, load_controller
from motionfields.methods.matching import Desired, MatchingController, MatchingSettings, Steer, train_matching
from motionfields.methods.paper import PaperController, train_paper
from motionfields.methods.paper_crowd import PaperCrowd
from motionfields.methods.paper_sweeps import estimate_paper_memory
from motionfields.methods.transitions import PaperSettings, Transitions, find_transitions

__all__ = [
    "AnchorValues",
    "Anchors",
    "AnyController",
    "Desired",
    "GraphController",
    "GraphSettings",
    "MatchingController",
    "MatchingSettings",
    "PaperController",
    "PaperCrowd",
    "PaperSettings",
    "Steer",
    "StepClips",
    "Transitions",
    "cut_steps",
    "estimate_paper_memory",
    "find_transitions",
    "load_controller",
    "train_graph",
    "train_matching",
    "train_paper",
]
