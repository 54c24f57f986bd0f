"""Interactive, data-driven character animation from motion capture.

Public names are imported on first use, so that `import motionfields` itself is fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from motionfields.authoring.compose import Composition, LabelGoal, Timeline, compose, read_timeline
    from motionfields.authoring.plan import Plan, StepGraph, plan
    from motionfields.authoring.sketch import Sketch, Stroke, read_sketch, sketch
    from motionfields.authoring.worlds import Avoid, DepthPilot, Futures, Manner, Pilot, RivalPilot, Walk, walk
    from motionfields.base.errors import (
        AnnotationError,
        ArtifactError,
        BvhError,
        CharacterWarning,
        ClusterError,
        ComposeError,
        ConcurrencyError,
        DownloadError,
        FormatError,
        MissingExtraError,
        MotionError,
        MotionFieldsError,
        PlanError,
        SkeletonError,
    )
    from motionfields.base.world import (
        Box,
        DepthScan,
        Disc,
        Follow,
        Mover,
        Nearest,
        Reach,
        Room,
        Start,
        Survive,
        Through,
        Wall,
        World,
        read_room,
        read_world,
        write_room,
        write_world,
    )
    from motionfields.control.compression import compress
    from motionfields.control.contract import Controller, load_controller
    from motionfields.control.controller import FieldController
    from motionfields.control.root_motion import Warp
    from motionfields.control.styles import Styles
    from motionfields.control.training.train import train
    from motionfields.control.transitions import ControlSettings
    from motionfields.field import MotionField
    from motionfields.field.database import MetricSettings, MotionDatabase, MotionState, Pose, PoseDelta
    from motionfields.field.passive import PassiveSettings
    from motionfields.measure.survey import Statement, Survey, survey
    from motionfields.motion.annotations import Annotations, Span, read_annotations, write_annotations
    from motionfields.motion.body import Arm, Body, Leg, find_body, find_pairs
    from motionfields.motion.clip import (
        Clip,
        Finding,
        LoadReport,
        change_axes,
        fit_skeleton,
        floor_height,
        low_pass,
        mirror,
        place_at,
        place_on_ground,
        resample,
        rescale,
        retarget,
        symmetric_skeleton,
        trim,
    )
    from motionfields.motion.contacts import ContactSettings, detect_contacts
    from motionfields.motion.formats import Character, iter_clips, load_character, load_clip, load_clips, save_clip
    from motionfields.motion.retargeting import Retargeted, RetargetReport, retarget_with_report
    from motionfields.motion.skeleton import Skeleton, WorldPose, forward_kinematics, tip_positions
    from motionfields.runtime import Crowd

__version__ = "0.2.0"

_HOMES = {
    "authoring.compose": ("Composition", "LabelGoal", "Timeline", "compose", "read_timeline"),
    "authoring.plan": ("Plan", "StepGraph", "plan"),
    "authoring.sketch": ("Sketch", "Stroke", "read_sketch", "sketch"),
    "authoring.worlds": ("Avoid", "DepthPilot", "Futures", "Manner", "Pilot", "RivalPilot", "Walk", "walk"),
    "base.world": (
        "Box",
        "DepthScan",
        "Disc",
        "Follow",
        "Mover",
        "Nearest",
        "Reach",
        "Room",
        "Start",
        "Survive",
        "Through",
        "Wall",
        "World",
        "read_room",
        "read_world",
        "write_room",
        "write_world",
    ),
    "measure.survey": ("Statement", "Survey", "survey"),
    "motion.annotations": ("Annotations", "Span", "read_annotations", "write_annotations"),
    "motion.body": ("Arm", "Body", "Leg", "find_body", "find_pairs"),
    "motion.clip": (
        "Clip",
        "Finding",
        "LoadReport",
        "change_axes",
        "fit_skeleton",
        "floor_height",
        "low_pass",
        "mirror",
        "place_at",
        "place_on_ground",
        "resample",
        "rescale",
        "retarget",
        "symmetric_skeleton",
        "trim",
    ),
    "control.styles": ("Styles",),
    "control.transitions": ("ControlSettings",),
    "control.compression": ("compress",),
    "motion.contacts": ("ContactSettings", "detect_contacts"),
    "control.contract": ("Controller", "load_controller"),
    "control.controller": ("FieldController",),
    "field.database": ("MetricSettings", "MotionDatabase", "MotionState", "Pose", "PoseDelta"),
    "field": ("MotionField",),
    "field.passive": ("PassiveSettings",),
    "base.errors": (
        "AnnotationError",
        "ArtifactError",
        "BvhError",
        "CharacterWarning",
        "ClusterError",
        "ComposeError",
        "ConcurrencyError",
        "DownloadError",
        "FormatError",
        "MissingExtraError",
        "MotionError",
        "MotionFieldsError",
        "PlanError",
        "SkeletonError",
    ),
    "motion.formats": ("Character", "iter_clips", "load_character", "load_clip", "load_clips", "save_clip"),
    "runtime": ("Crowd",),
    "control.root_motion": ("Warp",),
    "motion.retargeting": ("RetargetReport", "Retargeted", "retarget_with_report"),
    "motion.skeleton": ("Skeleton", "WorldPose", "forward_kinematics", "tip_positions"),
    "control.training": ("train",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = {
    "analysis": "measure.analysis",
    "annotations": "motion.annotations",
    "artifacts": "base.artifacts",
    "authoring": "authoring",
    "base": "base",
    "body": "motion.body",
    "choices": "control.transitions",
    "cluster": "control.cluster",
    "compression": "control.compression",
    "contact_labels": "motion.contact_labels",
    "contacts": "motion.contacts",
    "control": "control",
    "controller": "control.controller",
    "database": "field.database",
    "datasets": "motion.datasets",
    "errors": "base.errors",
    "evaluation": "measure.evaluation",
    "field": "field",
    "footwork": "motion.footwork",
    "formats": "motion.formats",
    "geometry": "base.geometry",
    "measure": "measure",
    "methods": "control.methods",
    "motion": "motion",
    "moves": "control.root_motion",
    "neighbors": "field.neighbors",
    "paths": "runtime.paths",
    "physics": "runtime.physics",
    "planting": "motion.planting",
    "pruning": "field.pruning",
    "quality": "motion.quality",
    "recording": "runtime.recording",
    "retargeting": "motion.retargeting",
    "root_motion": "control.root_motion",
    "runtime": "runtime",
    "samples": "motion.samples",
    "skeleton": "motion.skeleton",
    "storage": "base.storage",
    "streaming": "export.streaming",
    "tasks": "control.tasks",
    "testing": "measure.testing",
    "training": "control.training",
    "transitions": "control.transitions",
    "values": "control.values",
    "world": "base.world",
}

__all__ = [
    "AnnotationError",
    "Annotations",
    "Arm",
    "ArtifactError",
    "Avoid",
    "Body",
    "Box",
    "BvhError",
    "Character",
    "CharacterWarning",
    "Clip",
    "ClusterError",
    "ComposeError",
    "Composition",
    "ConcurrencyError",
    "ContactSettings",
    "ControlSettings",
    "Controller",
    "Crowd",
    "DepthPilot",
    "DepthScan",
    "Disc",
    "DownloadError",
    "FieldController",
    "Finding",
    "Follow",
    "FormatError",
    "Futures",
    "LabelGoal",
    "Leg",
    "LoadReport",
    "Manner",
    "MetricSettings",
    "MissingExtraError",
    "MotionDatabase",
    "MotionError",
    "MotionField",
    "MotionFieldsError",
    "MotionState",
    "Mover",
    "Nearest",
    "PassiveSettings",
    "Pilot",
    "Plan",
    "PlanError",
    "Pose",
    "PoseDelta",
    "Reach",
    "RetargetReport",
    "Retargeted",
    "RivalPilot",
    "Room",
    "Skeleton",
    "SkeletonError",
    "Sketch",
    "Span",
    "Start",
    "Statement",
    "StepGraph",
    "Stroke",
    "Styles",
    "Survey",
    "Survive",
    "Through",
    "Timeline",
    "Walk",
    "Wall",
    "Warp",
    "World",
    "WorldPose",
    "change_axes",
    "compose",
    "compress",
    "detect_contacts",
    "find_body",
    "find_pairs",
    "fit_skeleton",
    "floor_height",
    "forward_kinematics",
    "iter_clips",
    "load_character",
    "load_clip",
    "load_clips",
    "load_controller",
    "low_pass",
    "mirror",
    "place_at",
    "place_on_ground",
    "plan",
    "read_annotations",
    "read_room",
    "read_sketch",
    "read_timeline",
    "read_world",
    "resample",
    "rescale",
    "retarget",
    "retarget_with_report",
    "save_clip",
    "sketch",
    "survey",
    "symmetric_skeleton",
    "tip_positions",
    "train",
    "trim",
    "walk",
    "write_annotations",
    "write_room",
    "write_world",
]


def __getattr__(name: str) -> Any:
    from motionfields.base.errors import naming_the_extra

    with naming_the_extra():
        if name in _HOME_OF:
            value = getattr(import_module(f"motionfields.{_HOME_OF[name]}"), name)
        elif name in _MODULES:
            value = import_module(f"motionfields.{_MODULES[name]}")
        else:
            raise AttributeError(f"module 'motionfields' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
