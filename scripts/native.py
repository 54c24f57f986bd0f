"""The C runtime from Python, for tests and benchmarks: compile it and step characters with ctypes.

Also controllers whose decisions need no training, and commands for them.
"""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scripts.build_native import STRICT

from motionfields import load_controller
from motionfields.base.arrays import FloatArray
from motionfields.control.controller import FieldController
from motionfields.control.grids import grid_size
from motionfields.control.root_motion import Warp, measure_root_motion
from motionfields.control.tasks import Task
from motionfields.control.transitions import ControlSettings, Transitions, find_transitions
from motionfields.control.values import ValueTable
from motionfields.export import save_pack
from motionfields.field import MotionField

SOURCE = Path(__file__).resolve().parents[1] / "runtime" / "c"
OPENED = 1024  # bytes kept for an mf_pack or an mf_crowd; both are smaller
RANGES = {"heading": 4.0, "facing": 4.0, "speed": 1.6, "point_x": 3.0, "point_z": 3.0, "gait": 3.0}


def build(
    output: Path, *, compiler: Sequence[str], options: Sequence[str] = ("-O2",), program: Path | None = None
) -> Path:
    """Compile the runtime to the shared library `output`, or the C file `program` with it to a program."""
    kind = ["-shared", "-fPIC"] if program is None else ["-I", str(SOURCE), str(program)]
    command = [*compiler, *STRICT, *options, *kind, str(SOURCE / "motionfields.c"), "-o", str(output), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
    return output


def load(path: Path) -> Any:
    """Return the library `path` with the types of its functions."""
    library = ctypes.CDLL(str(path))
    pointer, index, size = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_size_t
    real = ctypes.c_double
    signatures: dict[str, tuple[Any, list[Any]]] = {
        "mf_pack_open": (ctypes.c_int, [pointer, pointer, size, ctypes.c_uint]),
        "mf_status_text": (ctypes.c_char_p, [ctypes.c_int]),
        "mf_command_count": (index, [pointer]),
        "mf_command_name": (ctypes.c_char_p, [pointer, index]),
        "mf_joint_name": (ctypes.c_char_p, [pointer, index]),
        "mf_crowd_size": (size, [pointer, index]),
        "mf_crowd_init": (ctypes.c_int, [pointer, pointer, pointer, size, index]),
        "mf_crowd_start": (ctypes.c_int, [pointer, index, index]),
        "mf_crowd_place": (ctypes.c_int, [pointer, index, real, real, real]),
        "mf_crowd_detail": (ctypes.c_int, [pointer, index, index, ctypes.c_int]),
        "mf_crowd_step": (ctypes.c_int, [pointer, pointer, index, index]),
        "mf_crowd_end_frame": (None, [pointer]),
        "mf_crowd_root": (pointer, [pointer, index]),
        "mf_crowd_rotations": (pointer, [pointer, index]),
        "mf_crowd_pose": (ctypes.c_int, [pointer, index, pointer, pointer]),
        "mf_crowd_look": (ctypes.c_int, [pointer, index, pointer]),
        "mf_character_size": (size, [pointer]),
        "mf_character_save": (ctypes.c_int, [pointer, index, pointer, size]),
        "mf_character_load": (ctypes.c_int, [pointer, index, pointer, size]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def aligned(size: int) -> NDArray[np.uint8]:
    """Return `size` zero bytes, aligned to 64."""
    raw = np.zeros(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size]


class Look(ctypes.Structure):
    """The C struct `mf_character`."""

    _fields_ = (
        *((name, ctypes.c_double) for name in ("x", "z", "facing")),
        *((name, ctypes.c_uint32) for name in ("state", "variant", "locked")),
    )


def open_status(library: Any, data: bytes, *, flags: int = 0) -> int:
    """Return the status of opening the pack `data`."""
    content = aligned(len(data))
    content[:] = np.frombuffer(data, np.uint8)
    pack = ctypes.create_string_buffer(OPENED)
    return int(library.mf_pack_open(pack, content.ctypes.data, len(data), flags))


class NativeCrowd:
    """`count` characters of a pack in the C runtime; `root` and `rotations` are views of the displayed poses."""

    def __init__(self, library: Any, data: bytes, count: int, *, joint_count: int) -> None:
        self.library, self.count = library, count
        self._content = aligned(len(data))
        self._content[:] = np.frombuffer(data, np.uint8)
        self.pack, self.crowd = ctypes.create_string_buffer(OPENED), ctypes.create_string_buffer(OPENED)
        self._check(library.mf_pack_open(self.pack, self._content.ctypes.data, len(data), 0))
        size = library.mf_crowd_size(self.pack, count)
        self.memory = aligned(size)
        self._check(library.mf_crowd_init(self.crowd, self.pack, self.memory.ctypes.data, size, count))
        self.columns = int(library.mf_command_count(self.pack))
        stride, first = size // count, self.memory.ctypes.data
        root, rotations = library.mf_crowd_root(self.crowd, 0), library.mf_crowd_rotations(self.crowd, 0)
        self.root = np.ndarray((count, 3), np.float64, self.memory.data, root - first, (stride, 8))
        self.rotations = np.ndarray(
            (count, joint_count, 4), np.float64, self.memory.data, rotations - first, (stride, 32, 8)
        )

    def _check(self, status: int) -> None:
        if status:
            raise RuntimeError(self.library.mf_status_text(status).decode())

    def start(self, states: NDArray[Any]) -> None:
        """Let all characters begin at `states` [n], at the origin."""
        for i, state in enumerate(states.tolist()):
            self._check(self.library.mf_crowd_start(self.crowd, i, state))

    def place(self, i: int, x: float, z: float, facing: float) -> None:
        """Put character `i` elsewhere."""
        self._check(self.library.mf_crowd_place(self.crowd, i, x, z, facing))

    def detail(self, i: int, *, every: int = 1, plant: bool = True) -> None:
        """Set the level of detail of character `i`."""
        self._check(self.library.mf_crowd_detail(self.crowd, i, every, plant))

    def step(self, commands: NDArray[np.float64]) -> None:
        """Advance all characters by one frame; `commands` are [n, column], contiguous."""
        self._check(self.library.mf_crowd_step(self.crowd, commands.ctypes.data, 0, self.count))
        self.library.mf_crowd_end_frame(self.crowd)

    def look(self) -> list[Look]:
        """Return place, state and locks of all characters."""
        found = [Look() for _ in range(self.count)]
        for i, one in enumerate(found):
            self._check(self.library.mf_crowd_look(self.crowd, i, ctypes.byref(one)))
        return found

    def save(self, i: int) -> bytes:
        """Return the bytes of character `i`."""
        kept = ctypes.create_string_buffer(int(self.library.mf_character_size(self.pack)))
        self._check(self.library.mf_character_save(self.crowd, i, kept, len(kept)))
        return kept.raw

    def load(self, i: int, kept: bytes) -> None:
        """Bring back character `i`."""
        self._check(self.library.mf_character_load(self.crowd, i, kept, len(kept)))


def arbitrary_controller(
    field: MotionField,
    task: Task,
    *,
    warp: Warp | None,
    settings: ControlSettings,
    transitions: Transitions | None = None,
) -> FieldController:
    """Return a controller that follows its rewards and arbitrary values: other bits lead to other decisions."""
    fitted, count = task.adapted(field.database), field.database.state_count * (1 if warp is None else 2)
    values = np.random.default_rng(5).normal(0.0, 2.0, (count, grid_size(fitted.axes))).astype(np.float32)
    found = transitions or find_transitions(field, measure_root_motion(field.database, warp=warp), settings)
    return FieldController(field, fitted, settings, warp, found, ValueTable(fitted.axes, values))


def demo_pack(folder: Path) -> Path:
    """Write the controller of the demo to `folder` as a compact pack, and return its path."""
    from motionfields.studio.demo import ORDER, Demo  # needs the extra studio

    demo, pack = Demo(folder), folder / "demo.mfpack"
    demo.first()
    save_pack(load_controller(demo.path(ORDER[0])), pack)
    return pack


def random_commands(task: Task, frame_count: int, count: int, *, seed: int = 3) -> FloatArray:
    """Return commands [frame, n, column] that change about once a second; some are outside what `task` can do."""
    rng = np.random.default_rng(seed)
    most = np.array([RANGES[name] for name in task.command_names])
    out = rng.uniform(-most, most, (frame_count, count, len(most)))
    changed = rng.random((frame_count, count)) < 1.0 / 30.0
    changed[0] = True
    latest = np.maximum.accumulate(np.where(changed, np.arange(frame_count)[:, np.newaxis], 0), axis=0)
    return np.ascontiguousarray(out[latest, np.arange(count)])
