"""FBX files with changed content, parsed in a forked process with the limits of the real one.

Starting Python for each case would take most of the time. A forked process has the same limits, above the memory that
it already uses.
"""

from __future__ import annotations

import os
import resource
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from scripts.fuzz import Case
from tests.motion.formats import fuzz_bvh
from tests.motion.formats.fbxs import Bone, Take, as_binary, as_text, fbx_tree

from motionfields.base.errors import FbxError
from motionfields.motion.formats import _fbx_child, fbx
from motionfields.motion.formats.loading import clip_from_bytes

NUMBERS = (0, 1, 12, 255, 65_535, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1)
MOST_SECONDS = 10  # of a case; the real limit is 30


def cases(folder: Path) -> Callable[[Random], Case]:
    """Return the function that makes a case by chance; files in `folder`/seeds are changed too."""
    import ufbx  # noqa: F401 - before any case is forked

    bones = [Bone(f"b{joint}", joint - 1, (0.0, 20.0, 1.0 * joint), (10.0 * joint, 0.0, 0.0)) for joint in range(5)]
    turns = {joint: [(10.0 * frame, 3.0 * joint, 1.0) for frame in range(4)] for joint in range(5)}
    takes = [Take("walk", turns, {0: [(0.0, 90.0, 1.0 * frame) for frame in range(4)]}), Take("run", turns)]
    trees = [fbx_tree(bones, takes[:count], rate=rate) for count, rate in ((0, 30.0), (1, 24.0), (2, 120.0))]
    seeds = [write(tree) for tree in trees for write in (as_text, as_binary)]
    seeds += [path.read_bytes() for path in sorted(folder.glob("seeds/*.fbx"))]
    fbx._run = forked
    for seed in seeds[2:4]:
        unsound(seed, "x.fbx")  # loads everything that reading needs, before limits hold

    def make(chance: Random) -> Case:
        data = changed(chance.choice(seeds), chance)
        names = ("x.fbx", "x.fbx#walk", "x.fbx#run")
        name = chance.choices(names, (6, 1, 1))[0]
        return Case(name, data, lambda: unsound(data, name), (FbxError,))

    return make


def unsound(data: bytes, name: str) -> str | None:
    """Return what is wrong with the clip in `data`, if it can be read."""
    clip = clip_from_bytes(data, name)
    return None if np.isfinite(clip.rotations).all() else "numbers that are not finite"


def changed(seed: bytes, chance: Random) -> bytes:
    """Return `seed` with other bytes, words or numbers."""
    if chance.random() < 0.4:
        return fuzz_bvh.mutated(seed, chance)
    data = bytearray(seed)
    for _ in range(chance.choice((1, 1, 2, 5, 30))):
        place, code = chance.randrange(len(data)), chance.choice(("<B", "<I", "<Q", "<d", "<f"))
        if code in ("<d", "<f"):
            new = struct.pack(code, chance.choice((float("nan"), float("inf"), 1e30, -1e-30, 0.0)))
        else:
            width = struct.calcsize(code)
            number = chance.choice((*NUMBERS, chance.randrange(1 << 32)))
            new = struct.pack(code, number & ((1 << 8 * width) - 1))
        data[place : place + len(new)] = new
    return bytes(data)


def forked(command: list[str], **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the child program in a fork of this process; the status is that of `subprocess.run`."""
    memory, _, output, take = map(int, command[3:])
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    child = os.fork()
    if child == 0:
        try:
            os.dup2(options["stdin"].fileno(), 0)
            os.dup2(options["stdout"].fileno(), 1)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            _fbx_child.limit(used + memory, MOST_SECONDS, output)
            _fbx_child.convert(
                os.fdopen(0, "rb", closefd=False).read(), take, output, os.fdopen(1, "wb", closefd=False)
            )
        finally:
            os._exit(1)
    status = os.waitpid(child, 0)[1]
    return subprocess.CompletedProcess(command, os.waitstatus_to_exitcode(status))
