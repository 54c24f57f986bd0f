"""Other methods of control on the same data, tasks and measures, to compare ours with."""

from motionfields.control.methods.anchors import Anchors, AnchorValues
from motionfields.control.methods.graph import GraphController, GraphSettings, StepClips, cut_steps, train_graph
from motionfields.control.methods.loading import AnyController, load_controller
from motionfields.control.methods.matching import Desired, MatchingController, MatchingSettings, Steer, train_matching
from motionfields.control.methods.paper import PaperController, train_paper
from motionfields.control.methods.paper_sweeps import estimate_paper_memory
from motionfields.control.methods.transitions import PaperSettings, Transitions, find_transitions

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
