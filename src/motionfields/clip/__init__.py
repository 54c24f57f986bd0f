"""One recorded motion, and what can be done with it before it enters a database."""

from motionfields.clip.clip import Clip, trim
from motionfields.clip.fitting import fit_skeleton
from motionfields.clip.mapping import JointMap, map_joints
from motionfields.clip.mirroring import mirror, symmetric_skeleton
from motionfields.clip.place import change_axes, floor_height, place_at, place_on_ground, rescale
from motionfields.clip.report import Finding, LoadReport
from motionfields.clip.retargeting import retarget
from motionfields.clip.rigs import RIGS, find_rig
from motionfields.clip.timing import low_pass, resample

__all__ = [
    "RIGS",
    "Clip",
    "Finding",
    "JointMap",
    "LoadReport",
    "change_axes",
    "find_rig",
    "fit_skeleton",
    "floor_height",
    "low_pass",
    "map_joints",
    "mirror",
    "place_at",
    "place_on_ground",
    "resample",
    "rescale",
    "retarget",
    "symmetric_skeleton",
    "trim",
]
