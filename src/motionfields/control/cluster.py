"""Training on a Ray cluster (extra `cluster`): workers find transitions, and the best actions in each full sweep.

The database states are divided among the workers. Finding transitions is the larger part of training and needs only the
field, so any idle worker takes the next missing part. In a full sweep, the action values are sent to all nodes once;
each worker finds the best actions of its states and sends them back. The cheap sweeps in between read values of
arbitrary other states, so they stay in the process that trains: sending the values 20 times would take longer than
computing them.

The result is the same, bit for bit, whichever worker does which part. Ray replaces a worker or node that dies; the new
worker reads what it needs from the shared folder.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from motionfields.base import storage
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.artifacts import read_artifact
from motionfields.base.errors import ArtifactError, ClusterError, MissingExtraError
from motionfields.base.wording import counted
from motionfields.control.root_motion import Warp, measure_root_motion
from motionfields.control.training import Actions, Found, Job, TransitionParts, Workers, evaluate, improve_here
from motionfields.control.transitions import ControlSettings, TransitionFinder, Transitions, jump_features, roughness
from motionfields.field import MotionField
from motionfields.field.field import FIELD_VERSION

ANSWER_SECONDS = 10.0  # time limit for a cluster to answer


@dataclass(frozen=True)
class RayBackend:
    """Workers on a Ray cluster, for `motionfields.train`, which then needs a folder that all nodes can access.

    `address` is the address of a cluster that this computer is a node of, for example "10.0.0.5:6379". The cluster is
    joined with the token of the environment (RAY_AUTH_TOKEN, RAY_AUTH_TOKEN_PATH or Ray's own file). Without an
    `address`, a cluster of this computer alone is started, on its loopback address, with a token and without a
    dashboard, and stopped afterwards. A program that has already joined a cluster stays in it. `threads` is the number
    of threads of each worker; by default the cores of the cluster are divided evenly.
    """

    workers: int = 2
    address: str | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        for name in ("workers", "threads"):
            if (number := getattr(self, name)) is not None and number < 1:
                raise ValueError(f"{name}: expected at least 1, got {number}")

    @property
    def needs_work(self) -> bool:
        """Always True: workers share a folder."""
        return True

    def hire(self, job: Job) -> AbstractContextManager[Workers]:
        """Return a context manager that provides workers for `job` on the cluster."""
        return self._hired(job)

    @contextmanager
    def _hired(self, job: Job) -> Iterator[Workers]:
        assert job.parts is not None, "train checks that a folder is given"
        with _joined_cluster(self.address) as ray:
            threads = self.threads or max(1, int(ray.cluster_resources().get("CPU", 1)) // self.workers)
            plan = _Plan(job.parts, job.warp, job.settings, threads)
            if not _is_whole(plan.field_location):
                job.field.save(plan.field_location)
            yield _RayWorkers(ray, plan, self.workers, roughness(job.field.database, job.settings))


@dataclass(frozen=True, eq=False)
class _Plan:
    """The inputs of a worker, sent to each one that starts."""

    parts: TransitionParts
    warp: Warp | None
    settings: ControlSettings
    threads: int

    @property
    def field_location(self) -> str:
        return storage.joined(self.parts.folder, f"{self.parts.fingerprint[:16]}.field")


class _Sign(NamedTuple):
    """The process that did a piece of work, and the time it took."""

    node: str
    process: int
    seconds: float


class _Worker:
    """The code that runs in a worker's process. A restarted process reads its data from the shared folder again."""

    def __init__(self, plan: _Plan, states: range) -> None:
        import numba

        numba.set_num_threads(min(plan.threads, numba.get_num_threads()))
        self._plan, self._states = plan, states
        self._actions: Actions | None = None

    def find(self, part: int) -> _Sign:
        """Find the transitions of a part and write them to its file."""
        began, parts = time.perf_counter(), self._plan.parts
        parts.write(part, *self._finder.find(parts.states(part)))
        return self._sign(began)

    def best(self, action_values: FloatArray, rough: FloatArray) -> tuple[IntArray, _Sign]:
        """Return the best actions [variant, state, node] of this worker's states.

        `action_values` is [variant * state, node]; `rough` is the `roughness` [state] of all states.
        """
        began = time.perf_counter()
        if self._actions is None:
            self.__dict__.pop("_finder", None)  # all transitions are found; free the field's memory
            self._actions = Actions.of(self._plan.parts.read(self._states, rough))
        actions = self._actions
        shape = (len(actions.charges), action_values.shape[1])
        best = np.empty(shape, np.uint16)
        improve_here(actions, action_values, np.empty(shape, np.float32), best)
        return best.reshape(-1, len(self._states), action_values.shape[1]), self._sign(began)

    @cached_property
    def _finder(self) -> TransitionFinder:
        plan, field = self._plan, MotionField.load(self._plan.field_location)
        moves = measure_root_motion(field.database, warp=plan.warp)
        make = partial(jump_features, field.database, moves, half_life=plan.settings.half_life)
        return TransitionFinder(field, moves, plan.settings, features=plan.parts.features(make))

    def _sign(self, began: float) -> _Sign:
        import ray

        return _Sign(ray.get_runtime_context().get_node_id(), os.getpid(), time.perf_counter() - began)


class _RayWorkers:
    """The workers of one training run, as seen by the process that trains."""

    def __init__(self, ray: Any, plan: _Plan, count: int, rough: FloatArray) -> None:
        edges = np.linspace(0, plan.parts.state_count, min(count, plan.parts.state_count) + 1).astype(int).tolist()
        self._blocks = [range(start, stop) for start, stop in pairwise(edges)]
        actor = ray.remote(max_restarts=-1, max_task_retries=-1, scheduling_strategy="SPREAD")(_Worker)
        self._workers = [actor.remote(plan, block) for block in self._blocks]
        self._ray, self._parts, self._rough, self._shared_rough = ray, plan.parts, rough, ray.put(rough)
        self._signs: list[_Sign | None] = [None] * len(self._workers)
        self._deaths = 0

    def transitions(self, on_part: Callable[[Found], None]) -> Transitions:
        waiting = deque(self._parts.missing())
        done = self._parts.count - len(waiting)
        asked: dict[Any, int] = {}

        def ask(worker: int) -> None:
            if waiting:
                asked[self._workers[worker].find.remote(waiting.popleft())] = worker

        for worker in range(len(self._workers)):
            ask(worker)
        while asked:
            (ready,), _ = self._ray.wait(list(asked), num_returns=1)
            worker = asked.pop(ready)
            self._note(worker, self._results([ready])[0])
            done += 1
            ask(worker)
            on_part(Found(done, self._parts.count, self.note()))
        return self._parts.read(range(self._parts.state_count), self._rough)

    def improve(self, actions: Actions, action_values: FloatArray, values: FloatArray, best: IntArray) -> None:
        shared = self._ray.put(action_values)
        by_variant = best.reshape(-1, self._parts.state_count, best.shape[1])
        asked = [worker.best.remote(shared, self._shared_rough) for worker in self._workers]
        for worker, (part, sign) in enumerate(self._results(asked)):
            block = self._blocks[worker]
            by_variant[:, block.start : block.stop] = part
            self._note(worker, sign)
        evaluate(action_values, *actions, best, values)

    def note(self) -> str:
        signs = [sign for sign in self._signs if sign is not None]
        if not signs:
            return ""
        seconds = [sign.seconds for sign in signs]
        said = f"{counted(len(signs), 'worker')} on {counted(len({sign.node for sign in signs}), 'node')}"
        said += f", {min(seconds):.2g} to {max(seconds):.2g} s each"
        return f"{said}, {self._deaths} replaced" if self._deaths else said

    def _note(self, worker: int, sign: _Sign) -> None:
        before, self._signs[worker] = self._signs[worker], sign
        self._deaths += before is not None and before[:2] != sign[:2]

    def _results(self, asked: list[Any]) -> list[Any]:
        try:
            return list(self._ray.get(asked))
        except self._ray.exceptions.RayTaskError as error:  # raise the worker's own error, without Ray's traceback
            raise (error.cause if isinstance(error.cause, Exception) else error) from None
        except self._ray.exceptions.RayError as error:
            raise ClusterError(
                f"a worker was lost: {str(error).splitlines()[0]}; run the same command again to resume"
            ) from error


def _is_whole(location: str) -> bool:
    """Return whether the field at `location` exists undamaged."""
    if not storage.exists(location):
        return False
    try:
        read_artifact(location, kind="field", newest_version=FIELD_VERSION, verify=True)
    except ArtifactError:
        return False
    return True


@contextmanager
def _joined_cluster(address: str | None) -> Iterator[Any]:
    """Join a cluster and yield the module `ray`."""
    if "ray" in sys.modules and "RAY_AUTH_MODE" not in os.environ:
        raise ClusterError("Ray was imported without authentication; set RAY_AUTH_MODE=token before importing ray")
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray: Any = import_module("ray")
    except ImportError:
        raise MissingExtraError("ray", extra="cluster") from None
    if ray.is_initialized():
        yield ray
        return
    where: dict[str, Any] = {"address": address}
    if address is None:
        where = {"address": "local", "include_dashboard": False, "_node_ip_address": "127.0.0.1"}
    try:
        _call(address)
        ray.init(**where, log_to_driver=False, logging_level=logging.ERROR)
    except (ray.exceptions.RayError, OSError, RuntimeError, ValueError) as error:
        raise ClusterError(f"no cluster at {address or 'this computer'}: {_reason(error)}") from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _call(address: str | None) -> None:
    """Raise OSError if nothing answers at "host:port"; Ray itself would retry for minutes."""
    host, _, port = (address or "").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER_SECONDS).close()


def _reason(error: Exception) -> str:
    """Return a one-line reason why a cluster could not be joined."""
    text = str(error).strip()
    if "auth" in text.lower() and "token" in text.lower():
        return "the token is missing or does not match that of the cluster; set RAY_AUTH_TOKEN or RAY_AUTH_TOKEN_PATH"
    return text.splitlines()[0] if text else type(error).__name__
