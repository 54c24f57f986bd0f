"""Pushes through a physics engine, blended into the motion (Lee et al. 2010, section 5); needs the extra `physics`."""

from motionfields.physics.balls import Ball
from motionfields.physics.body_model import BodyModel
from motionfields.physics.pushes import BLEND_FRAMES, Push, Pushes
from motionfields.physics.ranges import JointRanges, measure_ranges
from motionfields.physics.segments import Segment, SegmentedBody
from motionfields.physics.simulation import Load, Simulation

__all__ = [
    "BLEND_FRAMES",
    "Ball",
    "BodyModel",
    "JointRanges",
    "Load",
    "Push",
    "Pushes",
    "Segment",
    "SegmentedBody",
    "Simulation",
    "measure_ranges",
]
