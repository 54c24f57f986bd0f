"""BVH, glTF, zip, command files, catalogues and contact labels with changed content."""

from __future__ import annotations

import base64
import io
import json
import os
import re
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from scripts.fuzz import Case
from scripts.fuzzers.mutations import changed_json
from scripts.fuzzers.small import small_clips
from tests.motion.formats import fuzz_bvh

from motionfields.base.errors import MotionFieldsError
from motionfields.control.tasks import Direction
from motionfields.motion.clip import Clip
from motionfields.motion.contact_labels import parse_contacts
from motionfields.motion.datasets.catalogue import list_sets
from motionfields.motion.formats import load_clips, save_clip
from motionfields.motion.formats.loading import clip_from_bytes
from motionfields.runtime.recording import read_commands

COMMANDS = {
    "task": "direction",
    "seconds": 6,
    "commands": [{"time": 0, "heading": 0}, {"time": 2.5, "heading": 90}],
    "pushes": [{"time": 1.5, "joint": "Spine2", "force": [250, 0, 0], "duration": 0.1}],
}
LABELS = b"clip,foot,start,end\nwalk.bvh,left,0.0,0.4\nwalk.bvh,right,0.5,0.9\n"
NAMES = ("a{}.bvh", "d/a{}.bvh", "../x{}.bvh", "/abs{}.bvh", "x{}.glb", "c:\\{}.bvh", "\u202e{}.bvh", "in{}.zip")
NUMBERS = (np.nan, np.inf, -np.inf, 1e38, 1e-45, 0.0, -1.0)
ARCHIVE_COUNT = 300  # to start from: packing one takes ten times as long as to change and read it
FURTHEST_INPUT = 200_000  # bytes of a mutated BVH file: small ones are tried more often


def cases(folder: Path) -> Callable[[Random], Case]:
    """Return the function that makes a case by chance; `folder` is for files."""
    walk = small_clips(4)[0]
    save_clip(walk, folder / "walk.bvh")
    save_clip(walk, folder / "walk.glb")
    bvh, glb = (folder / "walk.bvh").read_bytes(), (folder / "walk.glb").read_bytes()
    corpus = [*(seed for seed in fuzz_bvh.seeds() if len(seed) < FURTHEST_INPUT), bvh]
    archives = [zip_bytes(bvh, glb, Random(f"archive {number}")) for number in range(ARCHIVE_COUNT)]
    shared = Path("/dev/shm") if Path("/dev/shm").is_dir() else folder
    path = shared / f"fuzz-{os.getpid()}"
    catalogue = json.loads((Path(list_sets.__code__.co_filename).parent / "cmu.json").read_text())
    catalogue["sets"] = [{**catalogue["sets"][0], "files": catalogue["sets"][0]["files"][:3]}]

    def from_file(name: str, data: bytes, use: Callable[[Path], Any]) -> Case:
        def run() -> str | None:
            file = path.with_suffix(Path(name).suffix)
            file.write_bytes(data)
            try:
                return unsound(use(file))
            finally:
                file.unlink()

        return Case(name, data, run, (MotionFieldsError,))

    def make(chance: Random) -> Case:
        kind = chance.choices(range(6), (8, 5, 3, 3, 2, 2))[0]
        if kind == 0:
            data = fuzz_bvh.mutated(min(chance.choices(corpus, k=2), key=len), chance)[:FURTHEST_INPUT]
            return Case("x.bvh", data, lambda: unsound(clip_from_bytes(data, "x.bvh")), (MotionFieldsError,))
        if kind == 1:
            data, name = changed_gltf(glb, chance)
            return Case(name, data, lambda: unsound(clip_from_bytes(data, name)), (MotionFieldsError,))
        if kind == 2:
            return from_file("x.zip", changed_zip(chance.choice(archives), chance), load_clips)
        if kind == 3:
            return from_file("x.json", json_bytes(COMMANDS, chance), lambda file: read_commands(file, Direction()))
        if kind == 4:
            return from_file("c.json", json_bytes(catalogue, chance), list_sets)
        labels = fuzz_bvh.mutated(LABELS, chance)[:FURTHEST_INPUT]
        return Case("labels.csv", labels, lambda: unsound(parse_contacts(labels)), (MotionFieldsError,))

    return make


def unsound(made: Any) -> str | None:
    """Return what is wrong with clips that were read."""
    clips = made if isinstance(made, list) else [made]
    for clip in clips:
        if isinstance(clip, Clip) and not (np.isfinite(clip.rotations).all() and np.isfinite(clip.root_position).all()):
            return "numbers that are not finite"
    return None


def json_bytes(document: Any, chance: Random) -> bytes:
    """Return changed JSON, at times damaged or deeply nested."""
    data = json.dumps(changed_json(document, chance)).encode()
    kind = chance.random()
    if kind < 0.2:
        data = fuzz_bvh.change_bytes(data, chance)
    elif kind < 0.22:
        data = b"[" * chance.choice((1000, 100_000))
    return data


def changed_gltf(glb: bytes, chance: Random) -> tuple[bytes, str]:
    """Return a binary or plain glTF file with changed JSON, buffers or frame."""
    length = struct.unpack("<I", glb[12:16])[0]
    document, buffer = json.loads(glb[20 : 20 + length]), bytearray(glb[28 + length :])
    kind = chance.random()
    if kind < 0.75:
        document = changed_json(document, chance)
    if kind > 0.6:
        for _ in range(chance.choice((1, 4, 40))):
            place = chance.randrange(len(buffer) // 4) * 4
            buffer[place : place + 4] = np.float32(chance.choice(NUMBERS)).tobytes()
    if chance.random() < 0.1:
        buffer = buffer[: chance.randrange(len(buffer))]
    if chance.random() < 0.3 and isinstance(document, dict) and isinstance(document.get("buffers"), list):
        uri = "data:application/octet-stream;base64," + base64.b64encode(buffer).decode()
        first = document["buffers"][0] if document["buffers"] else {}
        document["buffers"] = [{**first, "uri": uri}] if isinstance(first, dict) else [first]
        return json.dumps(document).encode(), "x.gltf"
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    body = bytes(buffer) + b"\0" * (-len(buffer) % 4)
    data = struct.pack("<III", 0x46546C67, 2, 28 + len(text) + len(body)) + struct.pack("<II", len(text), 0x4E4F534A)
    data += text + struct.pack("<II", len(body), 0x004E4942) + body
    if chance.random() < 0.1:
        place = chance.randrange(40)
        data = data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :]
    return data, "x.glb"


def zip_bytes(bvh: bytes, glb: bytes, chance: Random) -> bytes:
    """Return a zip archive of odd members."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", chance.choice((0, 8, 12, 14))) as archive:
        for number in range(chance.choice((1, 2, 4))):
            content = chance.choice((bvh, fuzz_bvh.change_bytes(bvh, chance), b"\0" * 200_000, glb))
            archive.writestr(chance.choice(NAMES).format(number), content)
    return stream.getvalue()


def changed_zip(archive: bytes, chance: Random) -> bytes:
    """Return `archive` with lies in its headers."""
    data = bytearray(archive)
    for _ in range(chance.choice((0, 1, 1, 2, 6))):
        marks = [match.start() for match in re.finditer(rb"PK(\x01\x02|\x03\x04|\x05\x06)", bytes(data))]
        if chance.random() < 0.7 and marks:
            place, width = chance.choice(marks) + chance.randrange(4, 46), chance.choice((1, 2, 4))
            number = chance.choice((0, 1, 0xFF, 0xFFFF, 0xFFFFFFFF, 0x7FFFFFFF, chance.randrange(1 << 32)))
            data[place : place + width] = (number & ((1 << 8 * width) - 1)).to_bytes(width, "little")
        else:
            data = bytearray(fuzz_bvh.change_bytes(bytes(data), chance) or b"PK")
    return bytes(data)
