"""Sketching: motions of captured steps in which parts of the body follow drawn strokes.

`read_sketch` and `write_sketch` read and write files of strokes; `sketch` finds a motion that follows them.
"""

from motionfields.authoring.sketch.sketching import Sketch, StrokeFit, sketch
from motionfields.authoring.sketch.strokes import Stroke, format_sketch, parse_sketch, read_sketch, write_sketch

__all__ = ["Sketch", "Stroke", "StrokeFit", "format_sketch", "parse_sketch", "read_sketch", "sketch", "write_sketch"]
