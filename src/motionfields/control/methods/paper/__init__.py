"""The paper's own controller (Lee et al. 2010, section 4), with our reward or with every number as published."""

from motionfields.control.methods.paper.actions import PaperSettings, PaperTransitions, find_paper_transitions
from motionfields.control.methods.paper.anchors import Anchors, AnchorValues
from motionfields.control.methods.paper.controller import PaperController, train_as_published, train_paper
from motionfields.control.methods.paper.sweeps import estimate_paper_memory
from motionfields.control.methods.paper.tasks import PublishedDirection, PublishedLine, as_published

__all__ = [
    "AnchorValues",
    "Anchors",
    "PaperController",
    "PaperSettings",
    "PaperTransitions",
    "PublishedDirection",
    "PublishedLine",
    "as_published",
    "estimate_paper_memory",
    "find_paper_transitions",
    "train_as_published",
    "train_paper",
]
