"""Motion files: the only package that knows their units, axes and Euler orders."""

from motionfields.motion.formats.bvh import BvhMotion, format_bvh, read_bvh
from motionfields.motion.formats.character import Character, load_character, read_character
from motionfields.motion.formats.fbx import FbxMotion, read_fbx, take_names
from motionfields.motion.formats.gltf import GltfMotion, animation_names, format_crowd_glb, format_glb, read_gltf
from motionfields.motion.formats.guessing import UNITS
from motionfields.motion.formats.loading import (
    FORMATS,
    OUTPUT_SUFFIXES,
    Reader,
    iter_clips,
    load_clip,
    load_clips,
    save_clip,
)
from motionfields.motion.formats.room import load_room, load_world, read_gltf_room
from motionfields.motion.formats.usd import format_usd

__all__ = [
    "FORMATS",
    "OUTPUT_SUFFIXES",
    "UNITS",
    "BvhMotion",
    "Character",
    "FbxMotion",
    "GltfMotion",
    "Reader",
    "animation_names",
    "format_bvh",
    "format_crowd_glb",
    "format_glb",
    "format_usd",
    "iter_clips",
    "load_character",
    "load_clip",
    "load_clips",
    "load_room",
    "load_world",
    "read_bvh",
    "read_character",
    "read_fbx",
    "read_gltf",
    "read_gltf_room",
    "save_clip",
    "take_names",
]
