"""Control by a graph of clips of one step each; it decides whenever a clip ends."""

from motionfields.control.methods.graph.controller import GraphController, GraphState, train_graph
from motionfields.control.methods.graph.cutting import StepClips, cut_steps
from motionfields.control.methods.graph.settings import GraphSettings

__all__ = ["GraphController", "GraphSettings", "GraphState", "StepClips", "cut_steps", "train_graph"]
