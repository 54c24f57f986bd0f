"""Physics of pushes, blended into the motion (Lee et al. 2010, section 5); needs the extra `physics`."""

from motionfields.runtime.physics.balls import Ball
from motionfields.runtime.physics.body_model import BodyModel
from motionfields.runtime.physics.effort import Effort, measure_effort
from motionfields.runtime.physics.pushes import BLEND_FRAMES, Push, Pushes
from motionfields.runtime.physics.ranges import JointRanges, measure_ranges
from motionfields.runtime.physics.segments import Segment, SegmentedBody
from motionfields.runtime.physics.simulation import Load, Simulation

__all__ = [
    "BLEND_FRAMES",
    "Ball",
    "BodyModel",
    "Effort",
    "JointRanges",
    "Load",
    "Push",
    "Pushes",
    "Segment",
    "SegmentedBody",
    "Simulation",
    "measure_effort",
    "measure_ranges",
]
