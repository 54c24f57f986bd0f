"""FBX files, read with ufbx in a process of its own.

FBX is a large binary format without a public standard, and its parser is C code. A file that breaks the parser must not
end the program that loads it, so a child process with limits on memory, time and output parses it and returns the
joints and one take as binary glTF, which `read_gltf` checks like any other file.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
from dataclasses import dataclass, fields, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NoReturn

from motionfields.base.errors import FbxError, GltfError
from motionfields.motion.clip.timing import FASTEST_RATE
from motionfields.motion.formats._fbx_child import KEY_RATE
from motionfields.motion.formats._gltf_animation import MOST_ANIMATIONS, labels
from motionfields.motion.formats._names import shown
from motionfields.motion.formats.gltf import GltfMotion, chosen, read_gltf
from motionfields.motion.formats.options import SCALES

LARGEST_FBX: Final = 512 * 1024**2
"""Largest accepted size of an FBX file in bytes."""

CHILD_BYTES_PER_BYTE: Final = 24
CHILD_BYTES_ALWAYS: Final = 512 * 1024**2
"""Limit on the memory of the process that parses a file: the first constant times the file size, plus the second."""

CHILD_SECONDS_ALWAYS: Final = 30
CHILD_BYTES_PER_SECOND: Final = 4_000_000
"""Limit on the time of that process: the first constant, plus the file size divided by the second."""

OUTPUT_BYTES_PER_BYTE: Final = 16
OUTPUT_BYTES_ALWAYS: Final = 8_000_000
"""Limit on the motion that it returns in bytes: the first constant times the file size, plus the second."""

_SIGNS: Final = {"POSITIVE": "+", "NEGATIVE": "-"}
_AXES: Final = {f"{word}_{axis}": f"{sign}{axis.lower()}" for word, sign in _SIGNS.items() for axis in "XYZ"}


@dataclass(frozen=True, eq=False)
class FbxMotion(GltfMotion):
    """One skeleton and one take of an FBX file, in the unit and axes of the file, and the unit and axes it states."""

    unit_metres: float | None = None  # None if the file does not say
    up: str | None = None  # "+y", "+z"...; None if the file does not say


def take_names(data: bytes, *, path: str | None = None) -> tuple[str, ...]:
    """Return the names of the takes in the bytes of an FBX file, by which `read_fbx` finds them."""
    return tuple(labels(_child(data, -1, path)[0]["takes"]))


def read_fbx(data: bytes, *, path: str | None = None, take: str | None = None) -> FbxMotion:
    """Return the motion in the bytes of an FBX file; `path` is only for messages. Raises only `FbxError`.

    If there are several takes, `take` selects one; see `take_names`. A file without any gives a skeleton with no
    frames. Motion is sampled at the frame rate that the file states, from the start of the take to its end. Needs ufbx,
    the extra `fbx`; without it, the error says so.
    """
    number = 0
    if take is not None:
        names = labels(_child(data, -1, path)[0]["takes"])
        number = chosen(names, take, lambda reason: _fail(reason, path)) or 0
    facts, document = _child(data, number, path)
    names = labels(facts["takes"])
    if take is None:
        chosen(names, None, lambda reason: _fail(reason, path))
    try:
        motion = read_gltf(document, path=path)
    except GltfError as error:
        raise FbxError(error.reason, path=path) from None
    return _stated(motion, facts, names[number] if names else None, path)


def _stated(motion: GltfMotion, facts: dict[str, Any], take: str | None, path: str | None) -> FbxMotion:
    """Return `motion` with what the file states about itself."""
    rate, unit = facts["rate"], facts["unit"]
    right, up, front = (_AXES.get(axis) for axis in facts["axes"])
    if right and up and front and not _right_handed(right, up, front):
        _fail(f"expected right-handed axes, got right {right}, up {up}, front {front}; export it again", path)
    evidence = f"the file's frame rate: {rate:.6g}/s"
    if motion.frame_count > 1 and abs(motion.frame_time * KEY_RATE - 1.0) > 1e-6:
        _fail("its motion cannot be sampled at the frame rate that it states", path)
    known = {field.name: getattr(motion, field.name) for field in fields(motion)}
    made = FbxMotion(**known, unit_metres=unit if SCALES[0] <= unit <= SCALES[1] else None, up=up)
    return replace(made, frame_time=1.0 / rate, rate_evidence=evidence, animation=take)


def _right_handed(right: str, up: str, front: str) -> bool:
    """Return whether `front`, which points to the viewer, is `right` times `up` as vectors."""
    signs = math.prod(-1 if axis[0] == "-" else 1 for axis in (right, up, front))
    cyclic = (right[1] + up[1] + front[1]) in ("xyz", "yzx", "zxy")
    return signs == (1 if cyclic else -1)


def _child(data: bytes, take: int, path: str | None) -> tuple[dict[str, Any], bytes]:
    """Return what the child process found in `data`: facts, and binary glTF if `take` is 0 or more."""
    if find_spec("ufbx") is None:
        _fail('reading FBX needs ufbx: pip install "motionfields[fbx]"', path)
    if len(data) > LARGEST_FBX:
        _fail(f"expected at most {LARGEST_FBX} bytes, got {len(data)}", path)
    memory = CHILD_BYTES_PER_BYTE * len(data) + CHILD_BYTES_ALWAYS
    seconds = CHILD_SECONDS_ALWAYS + len(data) // CHILD_BYTES_PER_SECOND
    output = OUTPUT_BYTES_PER_BYTE * len(data) + OUTPUT_BYTES_ALWAYS
    program = str(Path(__file__).with_name("_fbx_child.py"))
    command = [sys.executable, "-P", program, *map(str, (memory, seconds, output, take))]
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as target:
        source.write(data)
        source.seek(0)
        try:
            done = _run(command, stdin=source, stdout=target, stderr=subprocess.DEVNULL, timeout=seconds)
        except subprocess.TimeoutExpired:
            _fail(f"cannot be parsed within {seconds} s", path)
        target.seek(0)
        line, _, document = target.read().partition(b"\n")
    return _facts(line, done.returncode, path), document


def _run(command: list[str], **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, check=False, **options)  # noqa: S603 - our own program, no shell


def _facts(line: bytes, status: int, path: str | None) -> dict[str, Any]:
    """Return the facts that the child process printed, checked; raise `FbxError` if it ended in any other way."""
    try:
        facts = json.loads(line) if status == 0 else None
    except ValueError:
        facts = None
    if not isinstance(facts, dict):
        _fail(f"the parser failed on it (status {status}); is it a complete FBX file?", path)
    if "error" in facts:
        _fail(shown(str(facts["error"])), path)
    if not 0.0 < facts["rate"] < FASTEST_RATE:
        _fail(f"expected a frame rate of a positive number up to {FASTEST_RATE:g}, got {facts['rate']}", path)
    if len(facts["takes"]) > MOST_ANIMATIONS:
        _fail(f"expected at most {MOST_ANIMATIONS} takes, got {len(facts['takes'])}", path)
    return facts


def _fail(reason: str, path: str | None) -> NoReturn:
    raise FbxError(reason, path=path)
