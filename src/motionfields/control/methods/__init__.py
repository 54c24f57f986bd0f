"""Methods of control for comparison, which use the same data, tasks and measures as the motion field."""

from motionfields.control.contract import METHODS, Method, find_method, load_controller
from motionfields.control.methods.graph import GraphController, GraphSettings, StepClips, cut_steps, train_graph
from motionfields.control.methods.matching import Desired, MatchingController, MatchingSettings, Steer, train_matching
from motionfields.control.methods.paper import (
    PaperController,
    PaperSettings,
    as_published,
    estimate_paper_memory,
    train_as_published,
    train_paper,
)

__all__ = [
    "METHODS",
    "Desired",
    "GraphController",
    "GraphSettings",
    "MatchingController",
    "MatchingSettings",
    "Method",
    "PaperController",
    "PaperSettings",
    "Steer",
    "StepClips",
    "as_published",
    "cut_steps",
    "estimate_paper_memory",
    "find_method",
    "load_controller",
    "train_as_published",
    "train_graph",
    "train_matching",
    "train_paper",
]
