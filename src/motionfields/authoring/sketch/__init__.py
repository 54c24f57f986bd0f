"""Sketching: motions of captured steps in which parts of the body follow drawn strokes.

`read_sketch` reads strokes from a file; `sketch` finds a motion that follows them.
"""

from motionfields.authoring.sketch.sketching import Sketch, StrokeFit, sketch
from motionfields.authoring.sketch.strokes import Stroke, parse_sketch, read_sketch

__all__ = ["Sketch", "Stroke", "StrokeFit", "parse_sketch", "read_sketch", "sketch"]
