"""Costs of a controller: bytes on disk and in memory, and processor time per character and frame."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.control.compression import AnchoredValues
from motionfields.control.contract import Controller
from motionfields.control.tasks import Ground, Task
from motionfields.measure.evaluation.tables.measuring import one_thread
from motionfields.runtime import Crowd

BLOCK_COUNT = 7  # alternating blocks timed for each controller
BLOCK_FRAMES = 30
FEWEST_FRAMES, BLOCK_SECONDS = 2, 2.0  # a block of slow controllers has fewer frames, to take about these seconds


class Size(NamedTuple):
    """Size of a controller in bytes."""

    file: int
    values: int | None  # of the value function in the file; None if there is none
    memory: int  # of all arrays that a running crowd holds, including those of the field


class Cost(NamedTuple):
    """Processor time per character and frame."""

    microseconds: float
    error: float  # its standard error
    ratio: float  # to another controller timed in the same run
    ratio_error: float


def measure_size(controller: Controller) -> Size:
    """Measure the size of `controller`: its file, the value function in it, and the memory of a crowd of one.

    For the paper's compressed values (`AnchoredValues`) only the anchors are counted as part of the file.
    """
    values = getattr(controller, "values", None)
    value_bytes = getattr(values, "byte_count", None)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "controller"
        controller.save(path)
        file_bytes = path.stat().st_size
        load = getattr(type(controller), "load", None)
        running = (controller if load is None else load(path)).crowd(1)
        running.step(commands_for(running.controller.task, running.ground, np.zeros(1)))
        memory = array_bytes(running)
    if isinstance(values, AnchoredValues):
        file_bytes += values.byte_count - values.table().nbytes
    return Size(file_bytes, None if value_bytes is None else int(value_bytes), memory)


def array_bytes(root: object) -> int:
    """Return the bytes of all arrays reachable from `root` through this package's objects, each array counted once."""
    sizes: dict[int, int] = {}
    seen: set[int] = set()
    waiting: list[Any] = [root]
    while waiting:
        value = waiting.pop()
        if isinstance(value, np.ndarray):
            place = int(value.__array_interface__["data"][0])
            sizes[place] = max(sizes.get(place, 0), value.nbytes)
        elif id(value) not in seen:
            seen.add(id(value))
            if isinstance(value, dict):
                waiting += value.values()
            elif isinstance(value, tuple | list):
                waiting += value
            elif type(value).__module__.startswith("motionfields"):
                waiting += vars(value).values() if hasattr(value, "__dict__") else ()
    return sum(sizes.values())


def measure_cost(controller: Controller, beside: Controller, *, count: int, seed: int = 0) -> Cost:
    """Measure the time per character and frame of `controller` in a crowd of `count`, on one thread, next to `beside`.

    The two controllers alternate, and only processor time is counted, so other load on the computer affects both alike
    and little. The results are medians over the blocks; two frames before them warm up and are discarded. Blocks of
    slow controllers have fewer frames.
    """
    same = controller is beside
    crowds = [one.crowd(count, seed=seed) for one in ((controller,) if same else (controller, beside))]
    rng = np.random.default_rng(seed)
    with one_thread():
        turns = [rng.uniform(-np.pi, np.pi, count) for _ in range(BLOCK_COUNT + 1)]
        _, slowest = (max(_block_seconds(crowd, turns[0], 1) for crowd in crowds) for _ in range(2))
        frames = int(np.clip(BLOCK_SECONDS / max(slowest, 1e-9), min(FEWEST_FRAMES, BLOCK_FRAMES), BLOCK_FRAMES))
        blocks = np.array([[_block_seconds(crowd, turn, frames) for crowd in crowds] for turn in turns[1:]])
    each = 1e6 * blocks / (count * frames)
    ratios = each[:, 0] / each[:, -1]
    return Cost(
        float(np.median(each[:, 0])), _median_error(each[:, 0]), float(np.median(ratios)), _median_error(ratios)
    )


def commands_for(task: Task, ground: Ground, heading: FloatArray) -> FloatArray:
    """Return commands [n, column] to walk along `heading` [n] (radians) from the current positions."""
    columns = {"heading": heading, "point_x": ground.position[:, 0], "point_z": ground.position[:, 1]}
    return np.column_stack([columns.get(name, np.zeros(len(heading))) for name in task.command_names])


def _block_seconds(crowd: Crowd, turn: FloatArray, frame_count: int) -> float:
    commands = commands_for(crowd.controller.task, crowd.ground, crowd.ground.facing + turn)
    began = time.thread_time()
    for _ in range(frame_count):
        crowd.step(commands)
    return time.thread_time() - began


def _median_error(values: FloatArray) -> float:
    """Return the standard error of the median of `values` [n], assuming a normal distribution."""
    return float(1.2533 * values.std(ddof=1) / np.sqrt(len(values)))
