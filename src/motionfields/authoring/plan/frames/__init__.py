"""Motion graphs of frames and the searches of Lo's thesis (chapters 2 and 3), to compare the planner with.

`FrameGraph.build` connects similar frames and compresses the graph to changes of contacts; `well_connected` and
`MixedGraph.build` add interpolated motion. `follow` searches such a graph for a motion along a stroke, `show` plays it.
"""

from motionfields.authoring.plan.frames.cutting import Ends, Followed, Weights, follow
from motionfields.authoring.plan.frames.linking import FrameGraph
from motionfields.authoring.plan.frames.mixing import MixedGraph, well_connected
from motionfields.authoring.plan.frames.pool import FrameSettings
from motionfields.authoring.plan.frames.sheets import Sheet, make_sheet
from motionfields.authoring.plan.frames.showing import show

__all__ = [
    "Ends",
    "Followed",
    "FrameGraph",
    "FrameSettings",
    "MixedGraph",
    "Sheet",
    "Weights",
    "follow",
    "make_sheet",
    "show",
    "well_connected",
]
