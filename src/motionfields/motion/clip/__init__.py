"""Recorded motions, and the operations on them before they enter a database."""

from motionfields.motion.clip.clip import Clip, trim
from motionfields.motion.clip.fitting import fit_skeleton
from motionfields.motion.clip.mapping import JointMap, map_joints
from motionfields.motion.clip.mirroring import mirror, symmetric_skeleton
from motionfields.motion.clip.place import change_axes, floor_height, place_at, place_on_ground, rescale
from motionfields.motion.clip.report import Finding, LoadReport
from motionfields.motion.clip.retargeting import retarget
from motionfields.motion.clip.rigs import RIGS, find_rig
from motionfields.motion.clip.timing import low_pass, resample

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
