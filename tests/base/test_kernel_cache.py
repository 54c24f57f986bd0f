"""The kernel cache: recompiled after any change of the sources, and never a traceback, whatever is in its files."""

from __future__ import annotations

import errno
import hashlib
import os
import pickle
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import numba
import pytest

from motionfields.base import kernel_cache as compiled
from motionfields.base.compiled import kernel
from motionfields.base.kernel_cache import KEPT_SECONDS, KEPT_VERSIONS, SUFFIX, cache_state
from tests.base import small_kernels

SOURCE = Path(__file__).resolve().parents[2] / "src"
NO_FOLDER = "/proc/nothing"  # cannot be made, not even by root

PACKAGE = {
    "__init__": "",
    "numbers": "FACTOR = 2.0\n",
    "callee": "from motionfields.base.compiled import kernel\n\n@kernel\ndef inner(x):\n    return x + 1.0\n",
    "caller": (
        "from numba import prange\nfrom motionfields.base.compiled import kernel, lean_kernel, parallel_kernel\n"
        "from . import callee\nfrom .callee import (\n    inner,\n)\nfrom tiny.numbers import FACTOR\n\n"
        "@kernel\ndef outer(x):\n    return FACTOR * inner(x)\n\n"
        "@lean_kernel\ndef lean(x):\n    return FACTOR * callee.inner(x)\n\n"
        "@parallel_kernel\ndef wide(x):\n    total = 0.0\n    for i in prange(2):\n        total += inner(x)\n"
        "    return FACTOR * total / 2.0\n"
    ),
    "other": "UNUSED = 1\n",
}
USE = """
from tiny.caller import lean, outer, wide
for one in (outer, lean, wide):
    print(one(1.0), sum(one.stats.cache_hits.values()), sum(one.stats.cache_misses.values()))
"""


def run(code: str, folder: Path, **more: str) -> list[list[float]]:
    """Return the numbers that `code` prints in a process of its own, whose modules are in `folder`."""
    surroundings = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    surroundings |= {"PYTHONPATH": f"{folder}{os.pathsep}{SOURCE}", "PYTHONDONTWRITEBYTECODE": "1", **more}
    words = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(words, env=surroundings, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return [[float(word) for word in line.split()] for line in done.stdout.splitlines()]


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A package whose kernels call a kernel and use a constant of other files."""
    package = tmp_path / "tiny"
    package.mkdir()
    for name, text in PACKAGE.items():
        (package / f"{name}.py").write_text(text)
    return package


def test_a_change_in_another_file_is_seen_and_nothing_else_is_compiled_again(tiny: Path) -> None:
    assert run(USE, tiny.parent) == [[4.0, 0, 1]] * 3
    assert (tiny / "__pycache__" / "kernels").is_dir()
    edit(tiny / "other.py", "1", "2")  # imported by none of them
    assert run(USE, tiny.parent) == [[4.0, 1, 0]] * 3
    edit(tiny / "callee.py", "+", "-")
    assert run(USE, tiny.parent) == [[0.0, 0, 1]] * 3
    edit(tiny / "numbers.py", "2.0", "5.0")
    edit(tiny / "callee.py", "-", "+")
    assert run(USE, tiny.parent) == [[10.0, 0, 1]] * 3
    edit(tiny / "numbers.py", "5.0", "2.0")  # as at first, which is still kept
    assert run(USE, tiny.parent) == [[4.0, 1, 0]] * 3


def test_a_kernel_knows_whether_it_is_compiled(tiny: Path) -> None:
    use = "from tiny.caller import outer\nfor _ in range(2):\n    print(int(outer.is_compiled), outer(1.0))"
    assert run(use, tiny.parent) == [[0, 4.0], [1, 4.0]]
    assert run(use, tiny.parent) == [[1, 4.0], [1, 4.0]]
    assert run(use, tiny.parent, NUMBA_DISABLE_JIT="1") == [[0, 4.0], [0, 4.0]]


def test_a_change_of_this_package_is_seen_by_kernels_of_others(tmp_path: Path) -> None:
    shutil.copytree(SOURCE / "motionfields", tmp_path / "motionfields", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "mine.py").write_text(
        "import numpy as np\nfrom motionfields.base.compiled import kernel\n"
        "from motionfields.base.springs import damp\n\n"
        "@kernel\ndef use(x, v):\n    damp(x, v, 1.0, 0.5, 0.1)\n    return x[0]\n\n"
        "print(use(np.ones(3), np.zeros(3)), sum(use.stats.cache_hits.values()))\n"
    )
    code = f"import runpy; runpy.run_path({str(tmp_path / 'mine.py')!r}, run_name='__main__')"
    assert run(code, tmp_path) == [[0.55, 0]]
    assert run(code, tmp_path) == [[0.55, 1]]
    edit(tmp_path / "motionfields/base/springs.py", "offset[c] + push * frame_time", "offset[c] - push * frame_time")
    assert run(code, tmp_path) == [[0.45, 0]]


def test_a_file_that_changes_before_the_first_call_does_not_mislead_the_next_process(tiny: Path) -> None:
    edited = (
        "import tiny.caller, pathlib\npath = pathlib.Path(tiny.__file__).with_name('callee.py')\n"
        "path.write_text(path.read_text().replace('+', '-'))\n"
    )
    use = USE.replace("(outer, lean, wide)", "(outer,)")
    assert run(edited + use, tiny.parent) == [[4.0, 0, 1]]
    assert run(use, tiny.parent) == [[0.0, 0, 1]]


def test_settings_of_numba_that_change_the_code_are_part_of_the_key(tiny: Path) -> None:
    use = USE.replace("(outer, lean, wide)", "(outer,)")
    assert run(use, tiny.parent) == [[4.0, 0, 1]]
    assert run(use, tiny.parent, NUMBA_BOUNDSCHECK="1") == [[4.0, 0, 1]]
    assert run("from tiny.caller import outer; print(outer(1.0))", tiny.parent, NUMBA_DISABLE_JIT="1") == [[4.0]]


def test_the_package_of_a_lazy_name_counts_with_all_its_files() -> None:
    files = [name for name, _, _ in compiled._files_of_module("motionfields", True)]
    assert {"motionfields", "motionfields.base.springs", "motionfields.runtime"} <= set(files)
    names = compiled._sources(cast(Any, small_kernels.doubled).py_func)
    assert names is not None
    assert set(names) >= {"tests.base.small_kernels", "motionfields.base.compiled"}
    assert not [name for name in names if name.startswith("motionfields.runtime")]


@pytest.mark.parametrize(
    ("origin", "package", "module"),
    [("a.b", "c", "a.b"), (".b", "a", "a.b"), (".", "a.b", "a.b"), ("..c", "a.b", "a.c"), ("..", "a.b", "a")],
)
def test_relative_imports_are_resolved(origin: str, package: str, module: str) -> None:
    assert compiled._absolute(origin, package) == module


# From here on in one process: each call of `fresh` is as a process of its own to the cache.


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    return Path(fresh().stats.cache_path)


def fresh(function: Any = small_kernels.doubled) -> Any:
    return kernel(function.py_func)


def hits(function: Any = small_kernels.doubled, factor: float = 2.0) -> int:
    """Return how many entries a process that calls `function` takes from the cache."""
    one = fresh(function)
    assert one(1.5) == factor * 1.5
    return sum(one.stats.cache_hits.values())


def entry(folder: Path) -> Path:
    (path,) = folder.glob(f"*doubled*{SUFFIX}")
    return path


def checked(payload: bytes) -> bytes:
    return compiled._MAGIC + hashlib.sha256(payload).digest() + payload


def flipped(data: bytes, place: int) -> bytes:
    changed = bytearray(data)
    changed[place] ^= 0x40
    return bytes(changed)


START = len(compiled._MAGIC) + 32
CONTENTS: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda data: b"",
    "one byte": lambda data: data[:1],
    "cut in the checksum": lambda data: data[: START - 7],
    "nothing after the checksum": lambda data: data[:START],
    "cut in half": lambda data: data[: len(data) // 2],
    "last byte missing": lambda data: data[:-1],
    "one byte more": lambda data: data + b"\0",
    "twice": lambda data: data + data,
    "first byte changed": lambda data: flipped(data, 0),
    "checksum changed": lambda data: flipped(data, START - 1),
    "first byte of the payload changed": lambda data: flipped(data, START),
    "machine code changed": lambda data: flipped(data, len(data) // 2),
    "last byte changed": lambda data: flipped(data, -1),
    "zeros": lambda data: bytes(len(data)),
    "noise": lambda data: random.Random(7).randbytes(len(data)),
    "a page of a proxy": lambda data: b"<html>quota exceeded</html>",
    "a file of numba": lambda data: pickle.dumps(numba.__version__) + data[START:],
    "no pickle, checksum right": lambda data: checked(b"not a pickle"),
    "empty payload, checksum right": lambda data: checked(b""),
    "pickle of something else, checksum right": lambda data: checked(pickle.dumps([1, 2, 3])),
    "pickle of a missing module, checksum right": lambda data: checked(b"cnowhere_to_be_found\nname\n."),
    "right key with wrong data, checksum right": lambda data: checked(
        pickle.dumps((pickle.loads(data[START:])[0], (None, "wrong")))
    ),
}


@pytest.mark.parametrize("damage", CONTENTS)
def test_damaged_entries_are_compiled_again_and_replaced(damage: str, folder: Path) -> None:
    assert [hits(), hits()] == [0, 1]
    path = entry(folder)
    path.write_bytes(CONTENTS[damage](path.read_bytes()))
    assert [hits(), hits()] == [0, 1]


def directory(path: Path) -> None:
    path.mkdir()


def full_directory(path: Path) -> None:
    path.mkdir()
    (path / "file").touch()


def sparse_file(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


OBSTACLES: dict[str, tuple[Callable[[Path], None], bool]] = {
    "removed": (lambda path: None, True),
    "directory": (directory, False),
    "directory with a file": (full_directory, False),
    "link to nothing": (lambda path: path.symlink_to(path.with_name("nothing")), True),
    "link to itself": (lambda path: path.symlink_to(path), True),
    "link to a device without end": (lambda path: path.symlink_to("/dev/zero"), True),
    "pipe": (lambda path: os.mkfifo(path), True),
    "a terabyte": (sparse_file, True),
}


@pytest.mark.skipif(os.name == "nt", reason="needs links and pipes")
@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_anything_in_the_place_of_an_entry_is_passed_by(obstacle: str, folder: Path) -> None:
    assert [hits(), hits()] == [0, 1]
    path = entry(folder)
    path.unlink()
    make, replaced = OBSTACLES[obstacle]
    make(path)
    assert [hits(), hits()] == [0, int(replaced)]
    assert not list(folder.glob("*.tmp"))


def test_an_entry_of_another_function_is_not_taken(folder: Path) -> None:
    assert hits() == 0
    path = entry(folder)
    assert hits(small_kernels.tripled, 3.0) == 0
    (other,) = folder.glob(f"*tripled*{SUFFIX}")
    shutil.copyfile(other, path)
    assert [hits(), hits()] == [0, 1]


@pytest.fixture
def plain_user(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The cache folder of a user whom permissions bind, for whom this process acts while the test runs."""
    with tempfile.TemporaryDirectory() as name:  # not in `tmp_path`, which only its owner may enter
        monkeypatch.setattr(numba.config, "CACHE_DIR", name)
        user = os.geteuid()
        if user == 0:
            os.chown(name, 65534, 65534)
            os.seteuid(65534)
        yield Path(fresh().stats.cache_path)
        os.seteuid(user)


@pytest.mark.skipif(os.name == "nt", reason="needs the permissions of POSIX")
@pytest.mark.parametrize(("mode", "expected"), [(0o000, 0), (0o300, 1), (0o500, 1)])
def test_folders_without_permission_are_passed_by(plain_user: Path, mode: int, expected: int) -> None:
    assert hits() == 0
    plain_user.chmod(mode)
    try:
        assert hits() == expected
        assert hits(small_kernels.tripled, 3.0) == 0
    finally:
        plain_user.chmod(0o700)


@pytest.mark.skipif(os.name == "nt", reason="needs the permissions of POSIX")
def test_files_without_permission_are_replaced(plain_user: Path) -> None:
    assert hits() == 0
    entry(plain_user).chmod(0)
    assert [hits(), hits()] == [0, 1]


def test_a_file_in_the_place_of_the_folder_is_passed_by(folder: Path) -> None:
    folder.parent.mkdir()
    folder.touch()
    assert [hits(), hits()] == [0, 0]
    assert not cache_state().entries


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder in which nothing can be made")
def test_a_folder_that_cannot_be_made_is_passed_by(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", NO_FOLDER)
    assert [hits(), hits()] == [0, 0]
    assert not cache_state().writable


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO])
def test_errors_of_the_disk_are_passed_by(folder: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refuse(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[: len(data) // 2])
        raise OSError(number, os.strerror(number), str(path))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", refuse)
        assert [hits(), hits()] == [0, 0]
    assert not list(folder.iterdir())
    assert [hits(), hits()] == [0, 1]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 1 MiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    if shutil.which("mount") is None or subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a disk")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_and_a_read_only_one_are_passed_by(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(small_disk))
    filler = small_disk / "filler"
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        filler.write_bytes(bytes(1 << 21))
    assert [hits(), hits()] == [0, 0]
    assert [path for path in small_disk.rglob("*") if path.is_file()] == [filler]
    assert not cache_state().writable
    filler.unlink()
    assert [hits(), hits()] == [0, 1]
    assert cache_state().writable
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    assert [hits(), hits()] == [1, 1]
    assert hits(small_kernels.tripled, 3.0) == 0
    assert not cache_state().writable


def test_old_versions_are_removed_and_the_last_used_are_kept(folder: Path) -> None:
    assert hits() == 0
    path = entry(folder)
    group, stamp, rest = path.name.rsplit(".", 3)[0], *path.name.rsplit(".", 3)[1:3]
    for i in range(KEPT_VERSIONS + 2):
        old = folder / f"{group}.{i:016x}.{rest}{SUFFIX}"
        shutil.copyfile(path, old)
        os.utime(old, (time.time() - 100 - i,) * 2)
    gone = folder / f"a_kernel_of_the_past-x.{stamp}.{rest}{SUFFIX}"
    abandoned = folder / "0.tmp"
    for one in (gone, abandoned):
        one.touch()
        os.utime(one, (time.time() - KEPT_SECONDS - 60,) * 2)
    path.unlink()
    compiled._unused.cache_clear()
    assert hits() == 0
    left = sorted(one.name.rsplit(".", 3)[1] for one in folder.iterdir())
    assert left == sorted([stamp, *(f"{i:016x}" for i in range(KEPT_VERSIONS - 1))])


def test_flushing_removes_the_entries_of_one_function(folder: Path) -> None:
    assert hits() == 0
    assert hits(small_kernels.tripled, 3.0) == 0
    fresh()._cache.flush()
    assert [hits(), hits(small_kernels.tripled, 3.0)] == [0, 1]


def test_the_state_of_the_cache_counts_damaged_and_outdated_entries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    state = cache_state()
    assert (state.writable, state.entries, state.size, state.outdated, state.damaged) == (True, 0, 0, 0, ())
    for name in ("a-x.1.2", "a-x.2.2", "b-x.1.2"):
        (state.folder / f"{name}{SUFFIX}").write_bytes(checked(b"payload"))
    (state.folder / f"c-x.1.2{SUFFIX}").write_bytes(b"payload")
    state = cache_state()
    assert (state.entries, state.outdated) == (3, 1)
    assert [path.name for path in state.damaged] == [f"c-x.1.2{SUFFIX}"]
    assert state.size == 3 * len(checked(b"payload")) + 7
