"""Custom metrics: any embedding of motion states, identified in files by name."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import Any, ClassVar, Self

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import ArtifactError
from motionfields.base.registry import Registry
from motionfields.field.database.states import MotionState


class StateMetric(ABC):
    """A distance between motion states: the Euclidean distance between their feature vectors.

    Subclass it as a dataclass whose fields are numbers, strings and lists, set `name`, and implement `embed`. For
    `MotionField.load` to find it, add the class to `METRICS` or declare it as an entry point of the group
    motionfields.metrics.
    """

    name: ClassVar[str]

    @abstractmethod
    def embed(self, state: MotionState) -> FloatArray:
        """Return feature vectors [..., dimension], float32, of a batch of states [...].

        The vector of a state must not depend on the rest of the batch, nor on the place and facing of the character.
        """

    def facts(self) -> dict[str, Any]:
        """Return the settings as JSON values; by default the fields of the dataclass."""
        if not is_dataclass(self):
            raise TypeError(f"{type(self).__name__}: expected a dataclass, or a method facts of its own")
        return asdict(self)

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Self:
        """Return the metric with the settings `facts`."""
        return cls(**facts)

    def distance(self, first: MotionState, second: MotionState) -> FloatArray:
        """Return d(m, m') [...] for two batches of states [...] (eq. 1 for the paper's metric)."""
        return np.asarray(np.linalg.norm(self.embed(first) - self.embed(second), axis=-1))


METRICS: Registry[type[StateMetric]] = Registry(
    "motionfields.metrics", {"paper": "motionfields.field.database.metric:Metric"}
)
"""Metric classes by name: the paper's, those added with `METRICS.add`, and those of installed packages."""


def check_metric(metric: StateMetric) -> None:
    """Raise ValueError unless `metric` has a name, and settings that can be saved as JSON."""
    name = getattr(metric, "name", None)
    if not (isinstance(name, str) and name):
        raise ValueError(f"metric: expected {type(metric).__name__} to have a name, got {name!r}")
    try:
        json.dumps(metric.facts(), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"metric: expected the facts of {name!r} to be JSON values: {error}") from None


def checked_features(metric: StateMetric, state: MotionState) -> FloatArray:
    """Return the features [n, dimension] of the states `state` [n] as float32; ValueError if they are not valid."""
    features = np.asarray(metric.embed(state), dtype=np.float32)
    count = len(state.pose.root_position)
    if features.ndim != 2 or len(features) != count or features.shape[1] < 1:
        raise ValueError(f"metric {metric.name}: expected features [{count}, dimension], got {features.shape}")
    if not np.isfinite(features).all():
        raise ValueError(f"metric {metric.name}: expected finite features")
    return np.ascontiguousarray(features)


def metric_from_facts(name: str, facts: Mapping[str, Any], *, path: str) -> StateMetric:
    """Return the metric called `name` in the file `path`; `ArtifactError` explains how to provide a missing one."""
    if name not in METRICS:
        raise ArtifactError(
            f"was built with the metric {name!r}, which is not known here; install the package that has it, or call "
            f"motionfields.database.METRICS.add({name!r}, ...) with its class before loading",
            path=path,
        )
    return METRICS.load(name).from_facts(facts)
