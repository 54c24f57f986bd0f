"""The compiled C runtime in this package: found, loaded and called.

Wheels for common platforms carry it. Without it everything works through numba, with the same bits.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from motionfields.base.compiled import Function, Kernel

NAMES: Final = {"win32": "motionfields.dll", "darwin": "libmotionfields.dylib"}
# A folder that is no package, so that no tool takes the library for a module.
FOLDER: Final = Path(__file__).parents[1] / "runtime" / "library"
POINTER, SIZE = ctypes.c_void_p, ctypes.c_size_t
SIGNATURES: Final[dict[str, tuple[Any, list[Any]]]] = {
    "mfp_size": (SIZE, [ctypes.c_int]),
    "mfp_step": (None, [POINTER, POINTER, ctypes.c_uint, ctypes.c_int64, SIZE, SIZE]),
    "mfp_not_finite": (SIZE, [SIZE, SIZE, POINTER, POINTER]),
    "mfp_multiply": (None, [SIZE, POINTER, POINTER, POINTER]),
    "mfp_rotate": (None, [SIZE, POINTER, POINTER, POINTER]),
    "mfp_exp": (None, [SIZE, POINTER, POINTER]),
    "mfp_exp32": (None, [SIZE, POINTER, POINTER]),
    "mfp_log": (None, [SIZE, POINTER, POINTER]),
    "mfp_average": (None, [SIZE, SIZE, POINTER, POINTER, ctypes.c_double, POINTER]),
    "mfp_forward": (None, [SIZE, SIZE, *[POINTER] * 6]),
}


def library_path() -> Path:
    """Return the path of the compiled runtime for this platform, whether or not there is one."""
    return FOLDER / NAMES.get(sys.platform, "libmotionfields.so")


def library() -> Any | None:
    """Return the compiled runtime with the types of its functions; None if this installation has none that loads."""
    return None if _ignored else _loaded()


@contextmanager
def without_library() -> Iterator[None]:
    """Let crowds that are made in the block use numba's loops, as where there is no library: to compare the two."""
    global _ignored
    usual, _ignored = _ignored, True
    try:
        yield
    finally:
        _ignored = usual


_ignored = False


@cache
def _loaded() -> Any | None:
    try:
        found = ctypes.CDLL(str(library_path()))
        for name, (result, arguments) in SIGNATURES.items():
            function = getattr(found, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError):  # missing, for another platform, or older than this file
        return None
    return found


def address(array: NDArray[Any]) -> int:
    """Return the address of the first byte of `array`."""
    return int(array.__array_interface__["data"][0])


def native_kernel(name: str) -> Callable[[Function], Function]:
    """Return a decorator that makes a `NativeKernel` of a function; `name` is its twin in the C runtime."""

    def made(function: Function) -> Function:
        return cast(Function, NativeKernel(function, name))

    return made


class NativeKernel(Kernel):
    """A loop over the rows of arrays that runs in the C runtime if there is one and the arrays are float64.

    `name` is the function there; its arguments are the number of rows of the last array, then the arrays.
    """

    def __init__(self, function: Any, name: str) -> None:
        super().__init__(function)
        self._name = name

    def __call__(self, *arguments: Any) -> Any:
        """Run the loop."""
        runtime = library()
        if runtime is not None and all(fits(array, np.float64) for array in arguments):
            return getattr(runtime, self._name)(len(arguments[-1]), *map(address, arguments))
        if self._name == "mfp_exp" and runtime is not None and all(fits(array, np.float32) for array in arguments):
            return runtime.mfp_exp32(len(arguments[-1]), *map(address, arguments))
        return super().__call__(*arguments)


def fits(array: NDArray[Any], kind: Any) -> bool:
    """Return whether C can read `array` as numbers of the type `kind` in one piece."""
    return array.dtype == kind and array.flags.c_contiguous
