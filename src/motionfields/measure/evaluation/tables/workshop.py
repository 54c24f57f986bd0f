"""Data sets, and the training of their controllers."""

from __future__ import annotations

import hashlib
import re
import time
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np

from motionfields.control.contract import Controller
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.measure.evaluation.source import SourceFigures, measure_source
from motionfields.measure.evaluation.tables.registry import Registry, Row
from motionfields.motion.clip import Clip
from motionfields.motion.samples import generate_samples

WARM_UP = re.compile("walk_forward|turn_left_090_quick")  # names of the samples used to warm up


@dataclass(frozen=True, eq=False)
class DataSet:
    """A named set of clips, with its field, source figures and digest."""

    name: str
    clips: tuple[Clip, ...]

    @property
    def slug(self) -> str:
        """Name in the form used in file names."""
        return slug(self.name)

    @cached_property
    def field(self) -> MotionField:
        """Motion field of the clips; it keeps standing states and clip ends, because the values account for them."""
        return MotionField(MotionDatabase.build(self.clips))

    @cached_property
    def source(self) -> SourceFigures:
        """Figures of the data itself."""
        return measure_source(self.field)

    @cached_property
    def digest(self) -> str:
        """SHA-256 digest of the content of all clips."""
        digest = hashlib.sha256()
        for clip in self.clips:
            skeleton = clip.skeleton
            digest.update(repr((clip.name, clip.frame_time, skeleton.names, clip.rotations.shape)).encode())
            for array in (skeleton.parents, skeleton.offsets, clip.root_position, clip.rotations):
                digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()


def slug(name: str) -> str:
    """Return `name` in lower-case letters, digits and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


class Made(NamedTuple):
    """A controller and the seconds it took to make."""

    controller: Controller
    seconds: float


class WarmUp:
    """Training of each method on two clips before it is timed, so that loading compiled code is not counted."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._done: set[tuple[str, str]] = set()

    def train(self, method: str, case: str, agility: float) -> None:
        """Train `method` for the task `case`, unless this was done before."""
        if (method, case) not in self._done:
            self._done.add((method, case))
            self._registry.methods[method].train(warm_up_field(), self._registry.cases[case].task(), agility)


@cache
def warm_up_field() -> MotionField:
    """Return the field of a forward walk and a quick left turn."""
    return DataSet("warm-up", tuple(sample.clip for sample in generate_samples(only=WARM_UP))).field


@dataclass(frozen=True, eq=False)
class Workshop:
    """Factory of the controllers of one data set and task; caches those trained at the agility of the tables."""

    data: DataSet
    case: str
    registry: Registry
    warm_up: WarmUp
    kept: dict[str, Made]

    def trained(self, method: str, agility: float | None = None) -> Made:
        """Return `method` trained with `agility`, by default the agility used in the tables."""
        usual = self.registry.methods[method].agility[self.case]
        if agility is not None and agility != usual:
            return self._train(method, agility)
        if method not in self.kept:
            self.kept[method] = self._train(method, usual)
        return self.kept[method]

    def made(self, row: Row) -> Made:
        """Return the controller that `row` of the tables measures."""
        made = self.trained(row.method)
        if row.derive is None:
            return made
        began = time.perf_counter()
        return Made(row.derive(made.controller), made.seconds + time.perf_counter() - began)

    def _train(self, method: str, agility: float) -> Made:
        self.warm_up.train(method, self.case, agility)
        field, task = self.data.field, self.registry.cases[self.case].task()
        began = time.perf_counter()
        controller = self.registry.methods[method].train(field, task, agility)
        return Made(controller, time.perf_counter() - began)
