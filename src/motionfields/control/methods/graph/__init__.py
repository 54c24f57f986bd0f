"""Control by a graph of clips of one step each, which decides whenever a clip ends."""

from motionfields.control.methods.graph.controller import GRAPH_KIND, GraphController, GraphMind, train_graph
from motionfields.control.methods.graph.cutting import StepClips, cut_steps
from motionfields.control.methods.graph.settings import GraphSettings

__all__ = ["GRAPH_KIND", "GraphController", "GraphMind", "GraphSettings", "StepClips", "cut_steps", "train_graph"]
