"""Controllers of all methods, from their files."""

from __future__ import annotations

from os import PathLike

from motionfields.base.artifacts import artifact_kind
from motionfields.control.controller import FieldController
from motionfields.control.methods.graph import GRAPH_KIND, GraphController
from motionfields.control.methods.matching import MATCHING_KIND, MatchingController
from motionfields.control.tasks import Task

AnyController = FieldController | GraphController | MatchingController


def load_controller(path: str | PathLike[str], *, task: Task | None = None) -> AnyController:
    """The controller in the file `path`, of whatever method; raises `ArtifactError` for one that is damaged.

    A task that this package does not bring must be given as `task`.
    """
    kind = artifact_kind(path)
    if kind == GRAPH_KIND:
        return GraphController.load(path, task=task)
    if kind == MATCHING_KIND:
        return MatchingController.load(path, task=task)
    return FieldController.load(path, task=task)
