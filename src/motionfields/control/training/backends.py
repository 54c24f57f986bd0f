"""Where the heavy parts of training are done: finding choices, and the best of them in every sweep.

`LocalBackend` does both in this process, on all its threads; `motionfields.control.cluster.RayBackend` spreads them
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
    """What workers start from."""

    field: MotionField
    root_motion: RootMotion
    warp: Warp | None
    settings: ControlSettings
    parts: TransitionParts | None  # where choices are kept; None: nowhere


class Found(NamedTuple):
    """How far finding choices is."""

    done: int  # parts
    total: int
    note: str = ""  # who did them


class Workers(Protocol):
    """Who does the heavy parts of one training."""

    def transitions(self, on_part: Callable[[Found], None]) -> Transitions:
        """The choices of all states; `on_part` is told after each part."""
        ...

    def improve(self, actions: Actions, action_values: FloatArray, values: FloatArray, best: IntArray) -> None:
        """See `sweeps.Improve`."""
        ...

    def note(self) -> str:
        """What is to be said of the workers in a display of progress."""
        ...


class Backend(Protocol):
    """Where workers come from."""

    @property
    def needs_work(self) -> bool:
        """Whether the workers need a folder to share."""
        ...

    def hire(self, job: Job) -> AbstractContextManager[Workers]:
        """Workers for `job`, until the block ends."""
        ...


@dataclass(frozen=True)
class LocalBackend:
    """Everything in this process."""

    @property
    def needs_work(self) -> bool:
        """It needs no folder."""
        return False

    def hire(self, job: Job) -> AbstractContextManager[Workers]:
        """This process."""
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
