"""Checkpoints of training in a folder: an interrupted run resumes from them and ends with the same bits.

Transitions are stored in files of `PART` states each, values in one file that is rewritten every few sweeps. File names
carry a fingerprint of everything that the content depends on, so one folder serves any number of fields, tasks and
settings: a second task on the same field reuses the transitions of the first. Any number of processes may use a folder,
which may be on object storage.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionfields.base import storage
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.artifacts import JsonValue, read_artifact, write_artifact
from motionfields.base.checks import check_array, check_indices
from motionfields.base.errors import ArtifactError
from motionfields.base.storage import Location
from motionfields.control.root_motion import Warp
from motionfields.control.training.sweeps import TaskTable
from motionfields.control.transitions import LARGEST_COST, ControlSettings, Transitions
from motionfields.field import MotionField, field_arrays, field_facts

PART = 4096  # states whose transitions are in one file
PARTS_VERSION = 1
VALUES_VERSION = 1


def transitions_fingerprint(field: MotionField, warp: Warp | None, settings: ControlSettings) -> str:
    """Return a fingerprint of everything that transitions depend on."""
    about = (field_facts(field), repr(warp), repr(settings))
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode())
    for name, array in sorted(field_arrays(field).items()):
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


@dataclass(frozen=True)
class TransitionParts:
    """The transitions of all states of a field, in files."""

    folder: str
    fingerprint: str
    state_count: int
    transition_count: int | None = None  # of a state; None: any
    variant_count: int | None = None
    size: int = PART  # states of a part

    @property
    def count(self) -> int:
        """Number of parts."""
        return -(-self.state_count // self.size)

    def states(self, part: int) -> IntArray:
        """Return the states [n] of a part."""
        return np.arange(part * self.size, min((part + 1) * self.size, self.state_count))

    def missing(self) -> list[int]:
        """Return the parts that have no file yet, or a damaged one, which is removed."""
        return [part for part in range(self.count) if not self._is_whole(part)]

    def _is_whole(self, part: int) -> bool:
        location = self._location(part)
        if not storage.exists(location):
            return False
        try:
            self._read(part)
        except ArtifactError:
            storage.remove(location)
            storage.forget(location)
            return False
        return True

    def write(self, part: int, rows: IntArray, costs: FloatArray) -> None:
        """Write the transitions of a part to its file."""
        arrays = {"rows": rows, "costs": costs}
        facts: dict[str, JsonValue] = {"of": self.fingerprint, "part": part}
        write_artifact(self._location(part), kind="choices", version=PARTS_VERSION, arrays=arrays, facts=facts)

    def read(self, states: range, roughness: FloatArray) -> Transitions:
        """Return the transitions of `states`, a range of at least one, with the `roughness` [state] of all states."""
        first = states.start // self.size
        read = [self._read(part) for part in range(first, -(-states.stop // self.size))]
        wanted = slice(states.start - first * self.size, states.stop - first * self.size)
        targets, costs = (np.concatenate(arrays)[wanted] for arrays in zip(*read, strict=True))
        return Transitions(targets, costs, roughness)

    def features(self, make: Callable[[], FloatArray]) -> FloatArray:
        """Return the `jump_features` from their file, which `make` computes first if there is no file yet.

        A worker that restarts then need not compute them again.
        """
        location = storage.joined(self.folder, f"{self.fingerprint[:16]}.jumps")
        if storage.exists(location):
            with suppress(ArtifactError):  # a damaged file is made again
                return self._read_features(location)
        arrays: dict[str, NDArray[Any]] = {"features": make()}
        write_artifact(location, kind="jumps", version=PARTS_VERSION, arrays=arrays, facts={"of": self.fingerprint})
        return self._read_features(location)

    def _read_features(self, location: str) -> FloatArray:
        artifact = read_artifact(location, kind="jumps", newest_version=PARTS_VERSION)
        features = artifact.array("features", dtype=np.float32, shape=(self.state_count, None, None, 3))
        if artifact.facts.get("of") != self.fingerprint or not np.isfinite(features).all():
            raise ArtifactError("its content does not match its name; delete the file", path=location)
        return features

    def _read(self, part: int) -> tuple[IntArray, FloatArray]:
        location = self._location(part)
        artifact = read_artifact(location, kind="choices", newest_version=PARTS_VERSION)
        if artifact.facts.get("of") != self.fingerprint or artifact.facts.get("part") != part:
            raise ArtifactError("its content does not match its name; delete the file", path=location)
        count = len(self.states(part))
        shape = (count, self.transition_count)
        targets = artifact.array("rows", dtype=np.int32, shape=shape)
        costs = artifact.array("costs", dtype=np.float32, shape=(*shape, self.variant_count, self.variant_count))
        try:
            check_indices("rows", targets, self.state_count)
            check_array("costs", costs, np.float32, costs.shape, most=LARGEST_COST)
        except ValueError as error:
            raise ArtifactError(str(error), path=location) from None
        return targets, costs

    def _location(self, part: int) -> str:
        return storage.joined(self.folder, f"choices-{self.fingerprint[:16]}-{self.size}-{part:06d}.part")


class Checkpoint(NamedTuple):
    """Values to resume from."""

    values: FloatArray  # [variant * state, node], float32
    sweep: int  # number of full sweeps done


@dataclass(frozen=True)
class ValuesFile:
    """The file of the values of one training run so far."""

    location: str
    fingerprint: str

    @classmethod
    def of(cls, folder: Location, table: TaskTable, transitions: Transitions, settings: ControlSettings) -> ValuesFile:
        """Return the file for a training run with these inputs."""
        digest = hashlib.sha256(repr((settings.discount, settings.goal_change)).encode())
        for array in (*table, *transitions):
            digest.update(np.ascontiguousarray(array).data)
        fingerprint = digest.hexdigest()
        return cls(storage.joined(folder, f"values-{fingerprint[:16]}.training"), fingerprint)

    def write(self, checkpoint: Checkpoint) -> None:
        """Write `checkpoint` to the file."""
        facts: dict[str, JsonValue] = {"of": self.fingerprint, "sweep": checkpoint.sweep}
        arrays = {"values": checkpoint.values}
        write_artifact(self.location, kind="training", version=VALUES_VERSION, arrays=arrays, facts=facts)

    def read(self, shape: tuple[int, int]) -> Checkpoint | None:
        """Return the checkpoint in the file; None if there is no file, or a damaged one: training starts again."""
        if not storage.exists(self.location):
            return None
        try:
            return self._read(shape)
        except ArtifactError:
            return None

    def _read(self, shape: tuple[int, int]) -> Checkpoint:
        artifact = read_artifact(self.location, kind="training", newest_version=VALUES_VERSION)
        sweep = artifact.facts.get("sweep")
        values = artifact.array("values", dtype=np.float32, shape=shape)
        known = artifact.facts.get("of") == self.fingerprint
        if not known or not isinstance(sweep, int) or sweep < 0 or not np.isfinite(values).all():
            raise ArtifactError("its values belong to another training run; delete the file", path=self.location)
        return Checkpoint(np.array(values), sweep)
