"""Interactive, data-driven character animation from motion capture.

Names are brought in when they are first used, so that `import motionfields` itself costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from motionfields.body import Arm, Body, Leg, find_body, find_pairs
    from motionfields.choices import ControlSettings
    from motionfields.clip import (
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
    from motionfields.compression import compress
    from motionfields.contacts import ContactSettings, detect_contacts
    from motionfields.controller import FieldController
    from motionfields.database import MetricSettings, MotionDatabase, MotionState, Pose, PoseDelta
    from motionfields.errors import (
        ArtifactError,
        BvhError,
        ClusterError,
        DownloadError,
        FormatError,
        MissingExtraError,
        MotionFieldsError,
        SkeletonError,
    )
    from motionfields.field import MotionField
    from motionfields.flow import PassiveSettings
    from motionfields.formats import iter_clips, load_clip, load_clips, save_clip
    from motionfields.methods import load_controller
    from motionfields.moves import Warp
    from motionfields.retargeting import Retargeted, RetargetReport, retarget_with_report
    from motionfields.skeleton import Skeleton, WorldPose, forward_kinematics, tip_positions
    from motionfields.training.train import train

__version__ = "0.1.0"

_HOMES = {
    "body": ("Arm", "Body", "Leg", "find_body", "find_pairs"),
    "clip": (
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
    "choices": ("ControlSettings",),
    "compression": ("compress",),
    "contacts": ("ContactSettings", "detect_contacts"),
    "controller": ("FieldController",),
    "database": ("MetricSettings", "MotionDatabase", "MotionState", "Pose", "PoseDelta"),
    "field": ("MotionField",),
    "flow": ("PassiveSettings",),
    "errors": (
        "ArtifactError",
        "BvhError",
        "ClusterError",
        "DownloadError",
        "FormatError",
        "MissingExtraError",
        "MotionFieldsError",
        "SkeletonError",
    ),
    "formats": ("iter_clips", "load_clip", "load_clips", "save_clip"),
    "methods": ("load_controller",),
    "moves": ("Warp",),
    "retargeting": ("RetargetReport", "Retargeted", "retarget_with_report"),
    "skeleton": ("Skeleton", "WorldPose", "forward_kinematics", "tip_positions"),
    "training": ("train",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = frozenset(
    {
        "analysis",
        "artifacts",
        "body",
        "choices",
        "cluster",
        "compression",
        "contacts",
        "controller",
        "database",
        "datasets",
        "errors",
        "evaluation",
        "field",
        "formats",
        "geometry",
        "methods",
        "moves",
        "neighbors",
        "physics",
        "planting",
        "pruning",
        "quality",
        "recording",
        "retargeting",
        "runtime",
        "samples",
        "skeleton",
        "storage",
        "tasks",
        "testing",
        "training",
        "values",
    }
)

__all__ = [
    "Arm",
    "ArtifactError",
    "Body",
    "BvhError",
    "Clip",
    "ClusterError",
    "ContactSettings",
    "ControlSettings",
    "DownloadError",
    "FieldController",
    "Finding",
    "FormatError",
    "Leg",
    "LoadReport",
    "MetricSettings",
    "MissingExtraError",
    "MotionDatabase",
    "MotionField",
    "MotionFieldsError",
    "MotionState",
    "PassiveSettings",
    "Pose",
    "PoseDelta",
    "RetargetReport",
    "Retargeted",
    "Skeleton",
    "SkeletonError",
    "Warp",
    "WorldPose",
    "change_axes",
    "compress",
    "detect_contacts",
    "find_body",
    "find_pairs",
    "fit_skeleton",
    "floor_height",
    "forward_kinematics",
    "iter_clips",
    "load_clip",
    "load_clips",
    "load_controller",
    "low_pass",
    "mirror",
    "place_at",
    "place_on_ground",
    "resample",
    "rescale",
    "retarget",
    "retarget_with_report",
    "save_clip",
    "symmetric_skeleton",
    "tip_positions",
    "train",
    "trim",
]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        value = getattr(import_module(f"motionfields.{_HOME_OF[name]}"), name)
    elif name in _MODULES:
        value = import_module(f"motionfields.{name}")
    else:
        raise AttributeError(f"module 'motionfields' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
