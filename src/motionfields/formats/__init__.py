"""Motion files: the only place that knows their units, axes and Euler orders."""

from motionfields.formats.bvh import BvhMotion, format_bvh, read_bvh
from motionfields.formats.guessing import UNITS
from motionfields.formats.loading import iter_clips, load_clip, load_clips, save_clip

__all__ = ["UNITS", "BvhMotion", "format_bvh", "iter_clips", "load_clip", "load_clips", "read_bvh", "save_clip"]
