"""One frame of a crowd in the C runtime: the loops of `stepping` with the same bits, and without compiling anything."""

from __future__ import annotations

import ctypes
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from motionfields.base import native
from motionfields.control.followers import Followers
from motionfields.runtime.follower import DisplayPose
from motionfields.runtime.tables import NativeTables

# The pointers of mfp_tracks in runtime/python/python.c, with the types of their arrays.
_FEET: Final = ("wait", "clearance", "anchor", "lean", "animated", "shown", "fade_clock", "fade_time", "fade")
TRACKS: Final[dict[str, Any]] = {
    **dict.fromkeys(("position", "yaw"), np.float64),
    **dict.fromkeys(("state", "recent", "variant"), np.int64),
    **dict.fromkeys(("spin", "stretch", "offset", "offset_rate"), np.float64),
    "frames": np.int64,
    **dict.fromkeys(("root_velocity", "drop", "votes"), np.float64),
    "locked": np.bool_,
    **dict.fromkeys(_FEET, np.float64),
    "shift": np.float64,
    **dict.fromkeys(("chosen", "chosen_variant"), np.int64),
    **dict.fromkeys(("chosen_spin", "chosen_stretch"), np.float64),
    "every": np.int64,
    "plants": np.bool_,
    **dict.fromkeys(("root", "rotations", "params", "state_votes"), np.float64),
}
FEWEST_CHARACTERS: Final = 32  # characters per thread: fewer are done before a thread has woken up


class Tracks(ctypes.Structure):
    """The C struct `mfp_tracks`."""

    _fields_ = tuple((name, ctypes.c_void_p) for name in TRACKS)


class NativeStep:
    """The frames of one crowd in the C `library`."""

    def __init__(self, library: Any, tables: NativeTables) -> None:
        self._library, self._tables = library, tables
        self._tracks = Tracks()
        self._seen: list[Any] = [None] * len(TRACKS)  # arrays that `_tracks` points to

    def run(
        self,
        stages: int,
        frame: int,
        followers: Followers,
        planting: tuple[NDArray[Any], ...],
        shown: DisplayPose,
        *rest: NDArray[Any],
    ) -> bool:
        """Run the `stages` of frame number `frame`; return False, with nothing done, if C cannot read the arrays.

        `planting` are the tracks of a `PlantingState` that foot locking changes; `rest` are the arrays from "shift" to
        "plants" of `TRACKS`, then parameters and votes.
        """
        *between, params, votes = rest
        arrays = (*followers, *planting, *between, *shown, params, votes)
        for place, (array, seen) in enumerate(zip(arrays, self._seen, strict=True)):
            if array is not seen and not self._point_to(place, array):
                return False
        count = len(followers.state)
        parts = min(_thread_count(), count // FEWEST_CHARACTERS)
        if parts <= 1:
            self._run_range(stages, frame, 0, count)
            return True
        ends = [count * part // parts for part in range(parts + 1)]
        pending = [_pool().submit(self._run_range, stages, frame, *ends[part : part + 2]) for part in range(1, parts)]
        self._run_range(stages, frame, 0, ends[1])
        for one in pending:
            one.result()
        return True

    def _run_range(self, stages: int, frame: int, first: int, end: int) -> None:
        pack, tracks = ctypes.byref(self._tables.pack), ctypes.byref(self._tracks)
        self._library.mfp_step(pack, tracks, stages, frame, first, end - first)

    def _point_to(self, place: int, array: NDArray[Any]) -> bool:
        """Let the track number `place` be `array`; return whether C can read it."""
        name, kind = _NAMES[place]
        if not native.fits(array, kind):
            return False
        setattr(self._tracks, name, native.address(array))
        self._seen[place] = array
        return True


_NAMES: Final = tuple(TRACKS.items())


def _thread_count() -> int:
    """Return the number of threads for a crowd: numba's where its threads run, otherwise one for each processor."""
    numba_threads = sys.modules.get("numba.np.ufunc.parallel")
    if getattr(numba_threads, "_is_initialized", False):
        return int(numba_threads.get_num_threads())  # type: ignore[union-attr]
    return _processor_count()


@cache
def _processor_count() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _pool() -> ThreadPoolExecutor:
    """Return the threads that all crowds of this process share."""
    return ThreadPoolExecutor(max(1, _processor_count() - 1), thread_name_prefix="motionfields")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a fork copies no threads
