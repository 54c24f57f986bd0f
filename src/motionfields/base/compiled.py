"""Compile loops with numba at their first call; the machine code is kept on disk (see `kernel_cache`).

Importing this module does not import numba, which takes seconds: a program that runs no compiled loop never loads it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import cache, update_wrapper
from importlib.util import find_spec
from threading import RLock
from typing import Any, TypeVar, cast

from motionfields.base.errors import MissingExtraError

STARTED = time.time()
"""Time at which this process began to load kernels: a source that changed later may differ from the loaded code."""

OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}  # of every compiled function

Function = TypeVar("Function", bound=Callable[..., Any])

prange = range
"""The range of a parallel loop in a `parallel_kernel`; stands for numba's own until the loop is compiled."""


def get_thread_id() -> int:
    """Return the number of the thread that runs an iteration of a `prange`; stands for numba's own likewise."""
    return 0


def numba_is_installed() -> bool:
    """Return whether loops can be compiled; without the extra `train`, only the C runtime runs."""
    return find_spec("numba") is not None


def numba_is_loaded() -> bool:
    """Return whether this process has imported numba; until then, numpy is quicker for small work."""
    return "numba" in sys.modules


def kernel(function: Function) -> Function:
    """Return `function` compiled by numba at its first call; the machine code is kept on disk for later processes.

    A division by zero gives an infinity or a NaN, as in numpy, and raises nothing. Other threads run meanwhile.
    A change to any source file that the function's module imports leads to recompilation. Without a folder that can be
    written to (a read-only installation, say), every process compiles again. Functions without a source file, such as
    those typed into a notebook, are compiled in every process too.
    """
    return cast(Function, Kernel(function))


def lean_kernel(function: Function) -> Function:
    """Return a `kernel` that allocates nothing and returns no array, such as one step of a loop over many characters.

    Numba then does not count references to arrays, which takes up to half of the time of a short function and, since
    threads share the counts, slows them all. A function that does allocate is refused when it is compiled.
    """
    return cast(Function, Kernel(function, _nrt=False))


def parallel_kernel(function: Function) -> Function:
    """Return a `kernel` whose `prange` iterations run on several threads; they must not depend on each other."""
    return cast(Function, Kernel(function, parallel=True))


def compile_uncached(function: Function, **more: Any) -> Function:
    """Return `function` compiled with numba options `more`, not kept on disk: for functions made at run time."""
    return cast(Function, _wrapped(_dispatcher(function, more), more))


class Kernel:
    """A function that numba compiles at its first call; then called and inspected like numba's dispatcher."""

    _making = RLock()

    def __init__(self, function: Callable[..., Any], **more: Any) -> None:
        self.py_func = function
        self._more = more
        self._made: Any = None
        update_wrapper(self, function)

    @property
    def dispatcher(self) -> Any:
        """Numba's dispatcher of the function, made at the first call."""
        if self._made is None:
            with Kernel._making:
                if self._made is None:
                    if not numba_is_installed():
                        raise MissingExtraError("numba", extra="train")
                    self._made = _wrapped(_cached(self.py_func, self._more), self._more)
        return self._made

    @property
    def is_compiled(self) -> bool:
        """Whether machine code of the function is in memory or on disk, for any types."""
        made = self.dispatcher
        return bool(getattr(made, "signatures", ())) or bool(getattr(getattr(made, "_cache", None), "is_filled", False))

    def __call__(self, *arguments: Any) -> Any:
        """Run the compiled function."""
        return (self._made or self.dispatcher)(*arguments)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("py_func", "_more", "_made", "_name"):  # not filled yet
            raise AttributeError(name)
        return getattr(self.dispatcher, name)

    def __reduce__(self) -> str:
        return str(self.__qualname__)  # pickled and copied by name, like a function


def _cached(function: Callable[..., Any], more: dict[str, Any]) -> Any:
    """Return the dispatcher of `function`, with its machine code kept on disk."""
    from motionfields.base.kernel_cache import KernelCache

    dispatcher = _dispatcher(function, more)
    if hasattr(dispatcher, "_cache"):  # not with NUMBA_DISABLE_JIT, which returns `function` itself
        dispatcher._cache = KernelCache(function)
    return dispatcher


def _dispatcher(function: Callable[..., Any], more: dict[str, Any]) -> Any:
    from numba import njit

    names = function.__globals__
    for name, (placeholder, real) in _known_to_numba().items():
        if names.get(name) is placeholder:
            names[name] = real
    return njit(**OPTIONS, **more)(function)


@cache
def _known_to_numba() -> dict[str, tuple[Any, Any]]:
    """Return the placeholders in this module and what numba knows in their place; tell numba what a `Kernel` is."""
    from numba import prange as parallel_range
    from numba.extending import typeof_impl
    from numba.np.ufunc.parallel import get_thread_id as thread_id

    def type_of_kernel(value: Kernel, context: Any) -> Any:
        return typeof_impl(getattr(value.dispatcher, "_dispatcher", value.dispatcher), context)

    typeof_impl.register(Kernel)(type_of_kernel)
    return {"prange": (prange, parallel_range), "get_thread_id": (get_thread_id, thread_id)}


def _wrapped(dispatcher: Any, more: dict[str, Any]) -> Any:
    """Return `dispatcher`, as a `ParallelKernel` if it runs on several threads."""
    from motionfields.base.parallel import ParallelKernel

    return ParallelKernel(dispatcher) if more.get("parallel") and hasattr(dispatcher, "py_func") else dispatcher
