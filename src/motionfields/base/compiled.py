"""How loops are compiled: one decorator for every kernel of the package."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}  # of every compiled function

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """`function` compiled by numba at its first call, and kept on disk for the next program where that can be done.

    A division by zero gives an infinity or a NaN, as in numpy, and raises nothing. Other threads go on meanwhile.
    Where numba has no folder that it may write to (a read-only installation, say), every program compiles anew.
    """
    return _compiled(function, parallel=False)


def lean_kernel(function: Function) -> Function:
    """A `kernel` that allocates nothing and returns no array, such as one step of a loop over many characters.

    Numba then does not count references to arrays, which takes up to half of the time of a short function and, since
    threads share the counts, slows them all. A function that does allocate is refused when it is compiled.
    """
    return _compiled(function, parallel=False, _nrt=False)


def parallel_kernel(function: Function) -> Function:
    """A `kernel` whose `prange` loops are shared out over threads; each turn must stand alone, so that bits agree."""
    return _compiled(function, parallel=True)


def compile_uncached(function: Function, **more: Any) -> Function:
    """Return `function` compiled with numba options `more`, not kept on disk: for functions made at run time."""
    return cast(Function, njit(**OPTIONS, **more)(function))


def _compiled(function: Function, **more: Any) -> Function:
    options: dict[str, Any] = {**OPTIONS, **more}
    try:
        return cast(Function, njit(cache=True, **options)(function))
    except RuntimeError:  # numba: "cannot cache function ...: no locator available for file ..."
        return cast(Function, njit(**options)(function))
