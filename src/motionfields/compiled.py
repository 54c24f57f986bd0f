"""How loops are compiled: one decorator for every kernel of the package."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from numba import njit

if TYPE_CHECKING:
    from numba.core.dispatcher import Dispatcher

Function = TypeVar("Function", bound=Callable[..., object])


def kernel(function: Function) -> Dispatcher[Function]:
    """`function` compiled by numba at its first call, and kept on disk for the next program where that can be done.

    A division by zero gives an infinity or a NaN, as in numpy, and raises nothing. Where numba has no folder that it
    may write to (a read-only installation, say), every program compiles anew.
    """
    try:
        return njit(cache=True, error_model="numpy")(function)
    except RuntimeError:  # numba: "cannot cache function ...: no locator available for file ..."
        return njit(error_model="numpy")(function)
