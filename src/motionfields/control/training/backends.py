"""Backends for the expensive parts of training: finding transitions, and the best actions in every full sweep.

`LocalBackend` does both in this process, on all its threads; `motionfields.control.cluster.RayBackend` distributes them
over a cluster. The results are identical, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.control.root_motion import RootMotion, Warp
from motionfields.control.training.sweeps import Actions, improve_here
from motionfields.control.training.work import TransitionParts
from motionfields.control.transitions import ControlSettings, TransitionFinder, Transitions, find_transitions, roughness
from motionfields.field import MotionField


@dataclass(frozen=True, eq=False)
class Job:
    """The inputs of the workers."""

    field: MotionField
    root_motion: RootMotion
    warp: Warp | None
    settings: ControlSettings
    parts: TransitionParts | None  # files that store transitions; None stores nothing


class Found(NamedTuple):
    """Progress of the search for transitions."""

    done: int  # parts finished
    total: int  # parts in total
    note: str = ""  # description of the workers


class Workers(Protocol):
    """The workers of one training run."""

    def transitions(self, on_part: Callable[[Found], None]) -> Transitions:
        """Return the transitions of all states; `on_part` is called after each part."""
        ...

    def improve(self, actions: Actions, action_values: FloatArray, values: FloatArray, best: IntArray) -> None:
        """Find the best actions, as `sweeps.Improve` specifies."""
        ...

    def note(self) -> str:
        """Return a description of the workers for a progress display."""
        ...


class Backend(Protocol):
    """A source of workers."""

    @property
    def needs_work(self) -> bool:
        """Whether the workers need a shared folder."""
        ...

    def hire(self, job: Job) -> AbstractContextManager[Workers]:
        """Return a context manager that provides workers for `job`."""
        ...


@dataclass(frozen=True)
class LocalBackend:
    """The backend that does all work in this process."""

    @property
    def needs_work(self) -> bool:
        """Always False: no folder is needed."""
        return False

    def hire(self, job: Job) -> AbstractContextManager[Workers]:
        """Return a context manager that provides this process as the worker."""
        return nullcontext(_ThisProcess(job))


@dataclass(frozen=True, eq=False)
class _ThisProcess:
    job: Job

    def transitions(self, on_part: Callable[[Found], None]) -> Transitions:
        job = self.job
        if job.parts is None:
            return find_transitions(job.field, job.root_motion, job.settings)
        finder, missing = TransitionFinder(job.field, job.root_motion, job.settings), job.parts.missing()
        for done, part in enumerate(missing, start=job.parts.count - len(missing) + 1):
            job.parts.write(part, *finder.find(job.parts.states(part)))
            on_part(Found(done, job.parts.count))
        return job.parts.read(range(job.parts.state_count), roughness(job.field.database, job.settings))

    def improve(self, actions: Actions, action_values: FloatArray, values: FloatArray, best: IntArray) -> None:
        improve_here(actions, action_values, values, best)

    def note(self) -> str:
        return ""
