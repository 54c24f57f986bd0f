"""Threads of compiled loops: use from several threads and after a fork.

Numba's threads do not exist in a forked child, where a parallel loop would hang or end the process. Its layer
"workqueue", the only one on some systems, ends the process if two threads run parallel loops at once. Here the first is
refused with an error, and loops of the second take turns.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cache, update_wrapper
from threading import Lock, RLock
from types import TracebackType
from typing import Any

from motionfields.base.errors import ConcurrencyError

_forked_with_threads = False


def _note_fork() -> None:
    global _forked_with_threads
    numba_threads = sys.modules.get("numba.np.ufunc.parallel")
    if getattr(numba_threads, "_is_initialized", False):
        _forked_with_threads = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)


def check_process() -> None:
    """Raise `ConcurrencyError` in a process that was forked after compiled loops had started their threads."""
    if _forked_with_threads:
        raise ConcurrencyError(
            "this process was forked after compiled loops had started their threads, which a fork does not copy; "
            'start processes with multiprocessing.get_context("spawn"), or fork before the first use'
        )


class ParallelKernel:
    """A compiled loop that runs on several threads; called and inspected like the dispatcher that it wraps."""

    def __init__(self, dispatcher: Callable[..., Any]) -> None:
        self._dispatcher = dispatcher
        update_wrapper(self, dispatcher)

    def __call__(self, *arguments: Any) -> Any:
        """Run the loop; raise `ConcurrencyError` where its threads do not exist."""
        check_process()
        with _turns():
            return self._dispatcher(*arguments)

    def __getattr__(self, name: str) -> Any:
        if name == "_dispatcher":  # before the constructor, as in a copy
            raise AttributeError(name)
        return getattr(self._dispatcher, name)


@cache
def _turns() -> AbstractContextManager[Any]:
    """Return the lock that parallel loops take; none where several threads may run them at once."""
    from numba.np.ufunc.parallel import _launch_threads, threading_layer

    _launch_threads()  # type: ignore[no-untyped-call]
    return Lock() if threading_layer() == "workqueue" else nullcontext()  # type: ignore[no-untyped-call]


class OneThread:
    """A block that one thread at a time may enter; a second one gets a `ConcurrencyError` instead of waiting."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = RLock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise ConcurrencyError(
                f"{self._name} is in use by another thread; use one {self._name} per thread, or a lock of your own"
            )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[Any, ...]:
        return OneThread, (self._name,)  # a copy is free
