"""Archives and folders made to do harm: each is refused with a typed error, quickly and in little memory.

Nothing is written, and no file outside what was given is opened.
"""

from __future__ import annotations

import bz2
import glob
import io
import os
import signal
import socket
import struct
import sys
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import motionfields as mf
from motionfields.motion.clip import Clip
from motionfields.motion.formats._folders import files_matching
from tests.motion.formats.zips import (
    BZIP2,
    DEFLATED,
    LZMA,
    STORED,
    UTF8_NAME,
    Member,
    archive,
    lzma_packed,
    pack,
    zip64_end,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and alarms are those of POSIX")

MOST_SECONDS = 3.0  # of processor time, so that a busy machine does not matter
MOST_BYTES = 24_000_000
GOOD_BVH = b"""HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  End Site
  {
    OFFSET 0 10 0
  }
}
MOTION
Frames: 2
Frame Time: 0.01
0 90 0 0 0 0
0 91 0 1 2 3
"""
GOOD = Member(b"good.bvh", GOOD_BVH)
BAD = Member(b"x.bvh", GOOD_BVH)
MANY_FRAMES = GOOD_BVH.replace(b"Frames: 2", b"Frames: 99999999999")
ZIP64 = struct.Struct("<2H2Q")  # an extra field with two sizes


def bad(**lies: Any) -> Member:
    return Member(**{"name": b"x.bvh", "data": GOOD_BVH, **lies})


def named(name: bytes, **lies: Any) -> bytes:
    return archive(GOOD, Member(name, GOOD_BVH, **lies))


def beside(**lies: Any) -> bytes:
    return archive(GOOD, bad(**lies))


@dataclass(frozen=True)
class Attack:
    """`make` fills a folder and returns what to load; `kept` are the clips that load when errors are handed over."""

    make: Callable[[Path], Path]
    reason: str
    kept: tuple[str, ...] | None = ("good",)  # None: the whole is refused


def zipped(make: Callable[[], bytes], reason: str, kept: tuple[str, ...] | None = ("good",)) -> Attack:
    def write(folder: Path) -> Path:
        (folder / "attack.zip").write_bytes(make())
        return folder / "attack.zip"

    return Attack(write, reason, kept)


def foldered(make: Callable[[Path], object], reason: str, kept: tuple[str, ...] | None = ("good",)) -> Attack:
    def fill(folder: Path) -> Path:
        (folder / "good.bvh").write_bytes(GOOD_BVH)
        make(folder)
        return folder

    return Attack(fill, reason, kept)


def alone(
    make: Callable[[Path], object], reason: str, *, name: str = "x.bvh", kept: tuple[str, ...] | None = ()
) -> Attack:
    def fill(folder: Path) -> Path:
        make(folder)
        return folder / name

    return Attack(fill, reason, kept)


def zeros_in_bzip2(megabytes: int) -> bytes:
    packer = bz2.BZ2Compressor()
    return b"".join(packer.compress(bytes(1_000_000)) for _ in range(megabytes)) + packer.flush()


def sharing_members() -> bytes:
    """A thousand members that are all the same bytes."""
    local = Member(b"x.bvh", b"0 " * 100_000)
    entries = b"".join(local.entry(0) for _ in range(1000))
    body = local.local()
    return body + entries + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 1000, 1000, len(entries), len(body), 0)


def quoting_members() -> bytes:
    """Two members, of which the first quotes the header of the second as a stored block and then uses its bytes."""
    inner = Member(b"b.bvh", b"0 " * 50_000)
    quoted = inner.local()[: 30 + len(inner.name)]
    packed = b"\0" + struct.pack("<HH", len(quoted), len(quoted) ^ 0xFFFF) + quoted + inner.packed_bytes
    outer = Member(b"a.bvh", quoted + inner.data, packed=packed)
    body = outer.local()
    entries = outer.entry(0) + inner.entry(len(body) - len(inner.packed_bytes) - len(quoted))
    return body + entries + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 2, 2, len(entries), len(body), 0)


def extra_quoting_members() -> bytes:
    """Two members, of which the first has the header of the second in its extra field and then uses its bytes."""
    inner = Member(b"b.bvh", GOOD_BVH)
    header = inner.local()[: 30 + len(inner.name)]
    outer = Member(b"a.bvh", GOOD_BVH, local_extra=struct.pack("<2H", 0x9999, len(header)) + header)
    body = outer.local()
    entries = outer.entry(0) + inner.entry(body.index(b"PK\3\4", 4))
    return body + entries + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 2, 2, len(entries), len(body), 0)


def large_archive(**lies: int) -> bytes:
    """An archive with the end record of large ones."""
    plain = archive(GOOD)
    size, offset = len(GOOD.entry(0)), len(GOOD.local())
    truth = {"at": offset + size, "count": 1, "size": size, "offset": offset}
    assert len(plain) == offset + size + 22
    ff = 0xFFFFFFFF
    return archive(GOOD, count=0xFFFF, directory_size=ff, directory_offset=ff, zip64=zip64_end(**truth | lies))


def full_directory(count: int) -> bytes:
    """Nothing but members without bytes."""
    entries = b"".join(Member(b"%d.bvh" % number).entry(0) for number in range(count))
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, len(entries), 0, 0)
    return entries + zip64_end(at=len(entries), count=count, size=len(entries), offset=0) + end


def nested() -> bytes:
    inner = archive(GOOD)
    for _ in range(5):
        inner = archive(Member(b"inner.zip", inner))
    return inner


def comment_with_an_end_record() -> bytes:
    """Read from the front of the comment there is one member, read from its back there is another."""
    other = archive(Member(b"other.bvh", GOOD_BVH))
    return archive(GOOD, comment=other)


def deep_folders(folder: Path, depth: int = 2500) -> None:
    """Folders in each other, with a motion in the last: deeper than a path can say, or than functions can nest."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        here = moved(here, "d")
    with open("x.bvh", "wb", opener=lambda name, flags: os.open(name, flags, dir_fd=here)) as file:
        file.write(GOOD_BVH)
    os.close(here)


def remove_deep_folders(folder: Path) -> None:
    """So that pytest need not, which calls itself for every level."""
    here, depth = os.open(folder, os.O_RDONLY), 0
    while "d" in os.listdir(here):
        here, depth = moved(here, "d"), depth + 1
    if depth:
        os.unlink("x.bvh", dir_fd=here)
    for _ in range(depth):
        here = moved(here, "..")
        os.rmdir("d", dir_fd=here)
    os.close(here)


def moved(handle: int, name: str) -> int:
    """The folder `name` beside or above the open folder `handle`, which is closed."""
    there = os.open(name, os.O_RDONLY, dir_fd=handle)
    os.close(handle)
    return there


def patched(data: bytes, place: int, new: bytes) -> bytes:
    return data[:place] + new + data[place + len(new) :]


def outside(folder: Path) -> Path:
    file = folder.parent / "outside.bvh"
    file.write_bytes(GOOD_BVH)
    return file


def links(folder: Path, targets: dict[str, str]) -> None:
    for name, target in targets.items():
        (folder / name).symlink_to(target)


def listen(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(path.parent)  # names of sockets are short
        try:
            server.bind(path.name)
        finally:
            os.chdir(here)


def sparse(path: Path, size: int) -> None:
    with path.open("wb") as file:
        file.truncate(size)


def without_access(path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read any file")
    path.write_bytes(GOOD_BVH)
    path.chmod(0)


LARGE = b"0 " * 20_000_000
NOTHING = "no .bvh, .glb, .gltf or .fbx file found"

ATTACKS: dict[str, Attack] = {
    # too much
    "one huge deflated member": zipped(lambda: beside(data=LARGE), "unpacks to 40000000 bytes"),
    "many members that are too much together": zipped(
        lambda: archive(*(Member(b"%d.bvh" % n, b"0 " * 1_000_000) for n in range(20))), "unpacks|expected", ()
    ),
    "archives in archives": zipped(nested, NOTHING, None),
    "an archive in place of a motion": zipped(lambda: beside(data=archive(GOOD)), "UTF-16 or binary"),
    "members that are the same bytes": zipped(sharing_members, "share", None),
    "a member that quotes the header of the next": zipped(quoting_members, "share", None),
    "a member whose extra field quotes the next header": zipped(extra_quoting_members, "share", None),
    "an extra field that reaches into the next member": zipped(
        lambda: patched(archive(BAD, GOOD), 28, b"\x60\0"), "share"
    ),
    "a directory among the members": zipped(
        lambda: archive(GOOD, directory_offset=10, directory_size=len(archive(GOOD)) - 32), "not a readable zip", None
    ),
    "bzip2 that unpacks 100 MB from one read": zipped(
        lambda: beside(method=BZIP2, packed=zeros_in_bzip2(100), size=1000), "more than the 1000 bytes"
    ),
    "LZMA that unpacks a lot from one read": zipped(
        lambda: beside(method=LZMA, packed=lzma_packed(bytes(40_000_000)), size=1000), "more than the 1000 bytes"
    ),
    "LZMA that asks for 4 GB": zipped(
        lambda: beside(method=LZMA, packed=lzma_packed(b"x" * 100, claimed_dictionary=2**32 - 1), data=b"x" * 100),
        "HIERARCHY",
    ),
    "a hundred thousand members and one": zipped(lambda: full_directory(100_001), "members", None),
    "more members than the directory can hold": zipped(lambda: archive(GOOD, count=0xFFFE), "not a readable zip", None),
    "a million members claimed": zipped(lambda: large_archive(count=1_000_000), "not a readable zip", None),
    "2 to the 64 members claimed": zipped(lambda: large_archive(count=2**64 - 1), "not a readable zip", None),
    # sizes that lie
    "more bytes than the directory says": zipped(lambda: beside(data=LARGE, size=1000), "more than the 1000 bytes"),
    "fewer bytes than the directory says": zipped(
        lambda: beside(size=len(GOOD_BVH) + 9), "expected the 218 bytes declared"
    ),
    "a stored member of two sizes": zipped(lambda: beside(method=STORED, size=50), "expected the 50 bytes"),
    "a packed size beyond the file": zipped(lambda: beside(packed_size=10_000_000), "share", None),
    "a packed size of 4 GB": zipped(lambda: beside(packed_size=0xFFFFFFFE), "share", None),
    "a packed size of nothing": zipped(lambda: beside(packed_size=0), "cannot be unpacked"),
    "a packed size cut short": zipped(lambda: beside(packed_size=20), "cannot be unpacked"),
    "a size of -1 without the field of large ones": zipped(lambda: beside(size=0xFFFFFFFF), "unpacks to"),
    "a large size in zip64": zipped(
        lambda: beside(size=0xFFFFFFFF, packed_size=0xFFFFFFFF, extra=ZIP64.pack(1, 16, 2**62, 60)), "unpacks to|share"
    ),
    "sizes of -1 in zip64": zipped(
        lambda: beside(size=0xFFFFFFFF, packed_size=0xFFFFFFFF, extra=ZIP64.pack(1, 16, 2**64 - 1, 2**64 - 1)),
        "share",
        None,
    ),
    "a zip64 field cut short": zipped(
        lambda: beside(size=0xFFFFFFFF, extra=struct.pack("<2HI", 1, 4, 7)), "not a readable zip", None
    ),
    "an extra field longer than it is": zipped(
        lambda: beside(size=0xFFFFFFFF, extra=struct.pack("<2H", 1, 900)), "not a readable zip", None
    ),
    "bytes after the packed ones": zipped(
        lambda: beside(packed=pack(GOOD_BVH, DEFLATED) + b"hidden"), "cannot be unpacked"
    ),
    # names
    "a name that climbs out": zipped(lambda: named(b"../../x.bvh"), "name"),
    "a name that climbs out from inside": zipped(lambda: named(b"a/../../x.bvh"), "name"),
    "a name that climbs out by backslashes": zipped(lambda: named(b"..\\..\\x.bvh"), "name"),
    "an absolute name": zipped(lambda: named(b"/etc/x.bvh"), "name"),
    "a name with a drive": zipped(lambda: named(b"C:\\x.bvh"), "name"),
    "a name on a server": zipped(lambda: named(b"\\\\server\\x.bvh"), "name"),
    "a name with a NUL": zipped(lambda: named(b"x.bvh\0.bvh"), "name"),
    "a name that ends otherwise after a NUL": zipped(lambda: named(b"x.bvh\0.exe"), "name"),
    "a name with a line end": zipped(lambda: named(b"x\n/etc/passwd: fine.bvh"), "name"),
    "a name that colours the terminal": zipped(lambda: named(b"\x1b[2Jx.bvh"), "name"),
    "a name of 60,000 bytes": zipped(lambda: named(b"n" * 60_000 + b".bvh"), "name"),
    "a name twice": zipped(lambda: archive(GOOD, BAD, bad(data=GOOD_BVH + b"\n")), "name"),
    "a name of a folder": zipped(lambda: archive(Member(b"x.bvh/")), NOTHING, None),
    "a folder with a file's name": zipped(lambda: beside(mode=0o040755), "regular"),
    "a name of a device": zipped(lambda: named(b"sub/AUX.bvh"), "name"),
    "a name that reads backwards": zipped(lambda: named("x\u202ehvb.bvh".encode()), "name"),
    "a name that is no UTF-8": zipped(lambda: named(b"\xff\xfe.bvh"), "name"),
    "a name that differs in the member's own header": zipped(lambda: beside(local_name=b"y.bvh"), "name"),
    # kinds of member
    "a link to a file outside": zipped(lambda: beside(mode=0o120777, data=b"../outside.bvh"), "regular"),
    "a device as a member": zipped(lambda: beside(mode=0o020666), "regular"),
    "an encrypted member": zipped(lambda: beside(flags=UTF8_NAME | 1), "encrypted"),
    "a strongly encrypted member": zipped(lambda: beside(flags=UTF8_NAME | 0x41), "encrypted"),
    "a patch as a member": zipped(lambda: beside(flags=UTF8_NAME | 0x20), "patch"),
    "an unknown method": zipped(lambda: beside(method=99, packed=GOOD_BVH), "method 99"),
    "an old method": zipped(lambda: beside(method=9, packed=GOOD_BVH), "method 9"),
    "a wrong checksum": zipped(lambda: beside(crc=1), "checksum"),
    "bytes that are no deflate": zipped(lambda: beside(packed=b"\xff" * 60), "cannot be unpacked"),
    "bytes that are no bzip2": zipped(lambda: beside(method=BZIP2, packed=b"\xff" * 60), "cannot be unpacked"),
    "bytes that are no LZMA": zipped(lambda: beside(method=LZMA, packed=b"\xff" * 60), "cannot be unpacked"),
    "LZMA without its header": zipped(lambda: beside(method=LZMA, packed=b"\0"), "cannot be unpacked"),
    "a motion with too many frames": zipped(lambda: beside(data=MANY_FRAMES), "room for"),
    # the archive itself
    "a cut archive": zipped(lambda: archive(GOOD, BAD)[:-30], "not a readable zip", None),
    "an archive without a start": zipped(lambda: archive(GOOD, BAD)[40:], "not a readable zip", None),
    "bytes before the archive": zipped(lambda: b"#!/bin/sh\n" + archive(GOOD), "not a readable zip", None),
    "bytes after the archive": zipped(lambda: archive(GOOD) + b"junk", "not a readable zip", None),
    "an archive after the archive": zipped(lambda: archive(BAD) + archive(GOOD), "not a readable zip", None),
    "an end record in the comment": zipped(comment_with_an_end_record, "not a readable zip", None),
    "a comment longer than the file": zipped(lambda: archive(GOOD, comment_size=900), "not a readable zip", None),
    "an archive of nothing": zipped(lambda: archive(), NOTHING, None),
    "an empty file": zipped(lambda: b"", "not a readable zip", None),
    "a directory beyond the file": zipped(lambda: archive(GOOD, directory_offset=2**31), "not a readable zip", None),
    "a directory larger than the file": zipped(lambda: archive(GOOD, directory_size=2**31), "not a readable zip", None),
    "a directory with fewer members than claimed": zipped(lambda: archive(GOOD, count=2), "not a readable zip", None),
    "a directory with more members than claimed": zipped(
        lambda: archive(GOOD, BAD, count=1), "not a readable zip", None
    ),
    "an archive of several disks": zipped(lambda: archive(GOOD, disk=3), "several", None),
    "a member on another disk": zipped(lambda: beside(disk=3), "several", None),
    "a member that starts in the directory": zipped(lambda: beside(offset=700), "share", None),
    "a member that starts beyond the file": zipped(lambda: beside(offset=2**31), "share", None),
    "a zip64 directory beyond the file": zipped(lambda: large_archive(offset=2**63), "not a readable zip", None),
    "a zip64 directory larger than the file": zipped(lambda: large_archive(size=2**63), "not a readable zip", None),
    "a zip64 end record beyond the file": zipped(lambda: large_archive(at=2**63), "not a readable zip", None),
    # folders
    "a link out of the folder": foldered(lambda f: (f / "x.bvh").symlink_to(outside(f)), "outside"),
    "a link by links out of the folder": foldered(lambda f: links(f, {"a": str(outside(f)), "x.bvh": "a"}), "outside"),
    "a link to the memory of zeros": foldered(lambda f: (f / "x.bvh").symlink_to("/dev/zero"), "outside"),
    "a link to itself": foldered(lambda f: (f / "x.bvh").symlink_to("x.bvh"), "cannot be read"),
    "a link to nothing": foldered(lambda f: (f / "x.bvh").symlink_to("none"), "cannot be read"),
    "a pipe in the folder": foldered(lambda f: os.mkfifo(f / "x.bvh"), "regular"),
    "a socket in the folder": foldered(lambda f: listen(f / "x.bvh"), "cannot be read"),
    "a file nobody may read": foldered(lambda f: without_access(f / "x.bvh"), "cannot be read"),
    "a folder too deep for a path": foldered(deep_folders, "cannot be read", None),
    "a file of 4 TB": foldered(lambda f: sparse(f / "x.bvh", 2**42), "bytes"),
    "a file name that is no UTF-8": foldered(
        lambda f: Path(os.fsdecode(os.fsencode(f) + b"/\xff.bvh")).write_bytes(GOOD_BVH), "name"
    ),
    "a file name that colours the terminal": foldered(lambda f: (f / "\x1b[2J.bvh").write_bytes(GOOD_BVH), "name"),
    "a pipe": alone(lambda f: os.mkfifo(f / "x.bvh"), "regular"),
    "a pipe called an archive": alone(lambda f: os.mkfifo(f / "x.zip"), "regular", name="x.zip", kept=None),
    "an endless device": alone(lambda f: links(f, {"x.bvh": "/dev/zero"}), "regular"),
    "an endless device called an archive": alone(
        lambda f: links(f, {"x.zip": "/dev/zero"}), "regular", name="x.zip", kept=None
    ),
    "a folder called a motion": alone(lambda f: (f / "x.bvh").mkdir(), NOTHING, kept=None),
    "a folder called an archive": alone(lambda f: (f / "x.zip").mkdir(), NOTHING, name="x.zip", kept=None),
    "a pattern over links that loop": alone(
        lambda f: links(f, dict.fromkeys("abc", ".")), NOTHING, name="**/x*.bvh", kept=None
    ),
    "a pattern over a link out of the folder": alone(
        lambda f: links(f, {"x.bvh": str(outside(f))}), "outside", name="*.bvh"
    ),
    "a pattern that climbs by a link": alone(
        lambda f: links(f, {"up": str(outside(f).parent)}), "outside", name="u*/outside.bvh"
    ),
    "a path with a NUL": alone(lambda f: None, "cannot be read", name="x\0.bvh"),
}


class TooSlowError(BaseException):
    """Not an `Exception`, so that nothing takes it for an error of the file."""


class Watch:
    """Files opened while `names` is a list; hooks of this kind cannot be removed."""

    names: list[tuple[str, int]] | None = None
    hooked = False

    @classmethod
    def hook(cls, event: str, args: tuple[Any, ...]) -> None:
        if event == "open" and cls.names is not None and isinstance(args[0], str | bytes):
            cls.names.append((os.fsdecode(args[0]), int(args[2])))


@contextmanager
def bounded(folder: Path) -> Iterator[None]:
    """Fails if the block takes too long or too much memory, writes, or opens a file outside `folder`."""

    def stop(*_: object) -> None:
        raise TooSlowError(f"more than {MOST_SECONDS} s")

    if not Watch.hooked:
        sys.addaudithook(Watch.hook)
        Watch.hooked = True
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    Watch.names = []
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        opened, Watch.names = Watch.names, None
        tracemalloc.stop()
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
    assert peak < MOST_BYTES
    for name, flags in opened:
        if not name.endswith((".py", ".pyc")):
            assert not flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            assert os.path.realpath(name) != os.path.realpath(folder.parent / "outside.bvh")


@pytest.fixture(scope="module", autouse=True)
def compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """So that the first attack does not pay for compiling."""
    path = tmp_path_factory.mktemp("first") / "good.bvh"
    path.write_bytes(GOOD_BVH)
    mf.load_clip(path)


@pytest.fixture
def given(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "given"
    folder.mkdir()
    yield folder
    remove_deep_folders(folder)


def names(clips: list[Clip]) -> tuple[str, ...]:
    return tuple(clip.name for clip in clips)


def test_there_are_enough_attacks() -> None:
    assert len(ATTACKS) >= 100


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_refused(name: str, given: Path) -> None:
    attack, folder = ATTACKS[name], given
    source = attack.make(folder)
    with bounded(folder), pytest.raises(mf.FormatError, match=attack.reason) as caught:
        mf.load_clips(source)
    message = str(caught.value)
    assert len(message) < 1000
    assert message.isprintable()
    errors: list[mf.FormatError] = []
    with bounded(folder):
        try:
            kept: tuple[str, ...] | None = names(mf.load_clips(source, on_error=errors.append))
        except mf.FormatError:
            kept = None
    assert kept == attack.kept
    assert kept is None or errors


def streamed() -> bytes:
    """An archive written where nothing can be corrected later: sizes follow the bytes."""

    class Pipe(io.RawIOBase):
        written = b""

        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> int:
            self.written += bytes(data)
            return len(data)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as file, file.open("good.bvh", "w", force_zip64=True) as out:
        out.write(GOOD_BVH)
    return pipe.written


FINE: dict[str, tuple[Callable[[], bytes], tuple[str, ...]]] = {
    "stored": (lambda: archive(Member(b"good.bvh", GOOD_BVH, STORED)), ("good",)),
    "bzip2": (lambda: archive(Member(b"good.bvh", GOOD_BVH, BZIP2)), ("good",)),
    "LZMA": (lambda: archive(Member(b"good.bvh", GOOD_BVH, LZMA)), ("good",)),
    "LZMA with a large window": (
        lambda: beside(method=LZMA, packed=lzma_packed(GOOD_BVH, claimed_dictionary=2**32 - 1)),
        ("good", "x"),
    ),
    "written to a pipe": (streamed, ("good",)),
    "sizes after the bytes": (lambda: beside(flags=UTF8_NAME | 8, after=b"PK\7\x08" + bytes(12)), ("good", "x")),
    "the end record of large archives": (large_archive, ("good",)),
    "sizes in the field of large archives": (
        lambda: beside(
            size=0xFFFFFFFF,
            packed_size=0xFFFFFFFF,
            extra=ZIP64.pack(1, 16, len(GOOD_BVH), len(pack(GOOD_BVH, DEFLATED))),
        ),
        ("good", "x"),
    ),
    "a comment": (lambda: archive(GOOD, comment=b"PK\5\6 is how an end record starts, and twenty more"), ("good",)),
    "bytes in front that the directory counts": (lambda: archive(GOOD, before=b"PK00"), ("good",)),
    "a name from an old program": (lambda: named(b"\x81ben.bvh", flags=0), ("good", "\u00fcben")),
    "names that differ by case": (lambda: named(b"GOOD.bvh"), ("GOOD", "good")),
    "backslashes for slashes": (lambda: named(b"sub\\x.bvh"), ("good", "x")),
    "dots in names": (lambda: named(b"sub..2/..x...bvh"), ("good", "..x..")),
    "no mode": (lambda: beside(mode=0), ("good", "x")),
    "a folder": (lambda: archive(Member(b"sub/", mode=0o040755, method=STORED), GOOD), ("good",)),
    "what is no motion does not matter": (
        lambda: archive(GOOD, Member(b"../notes.txt", b"x", flags=1), Member(b"l", b"/etc", mode=0o120777)),
        ("good",),
    ),
}


@pytest.mark.parametrize("name", FINE)
def test_an_archive_that_is_unusual_and_sound_is_read(name: str, tmp_path: Path) -> None:
    make, expected = FINE[name]
    (tmp_path / "fine.zip").write_bytes(make())
    assert sorted(names(mf.load_clips(tmp_path / "fine.zip"))) == sorted(expected)


def test_links_that_stay_in_the_folder_are_followed_and_so_are_those_that_are_named(given: Path) -> None:
    (given / "sub").mkdir()
    (given / "sub" / "good.bvh").write_bytes(GOOD_BVH)
    links(given, {"link.bvh": "sub/good.bvh", "again": "sub", "x.bvh": str(outside(given))})
    links(given.parent, {"elsewhere": "given/sub"})
    assert names(mf.load_clips(given / "l*.bvh")) == ("link",)
    assert names(mf.load_clips(given / "*" / "good.bvh")) == ("good", "good")
    assert names(mf.load_clips(given / "**" / "good.bvh")) == ("good",)  # once: ** follows no link
    assert names(mf.load_clips(given / "x.bvh")) == ("x",)
    assert names(mf.load_clips(given.parent / "elsewhere")) == ("good",)
    errors: list[mf.FormatError] = []
    assert names(mf.load_clips(given, on_error=errors.append)) == ("link", "good")
    assert [Path(str(error.path)).name for error in errors] == ["x.bvh"]


def test_a_folder_as_deep_as_a_path_can_say_is_searched(given: Path) -> None:
    deep_folders(given, 1500)
    assert names(mf.load_clips(given)) == ("x",)
    assert names(mf.load_clips(given / "**" / "x.bvh")) == ("x",)


@pytest.mark.parametrize(
    "pattern",
    ["*", "*.bvh", "**", "**/*", "**/*.bvh", "s*/*", "s*/../*.bvh", ".h*/*", "[ab].bvh", "**/**/b.bvh", "a.bvh/*"],
)
def test_patterns_mean_what_they_mean_elsewhere(pattern: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.bvh", "b.bvh", "s1/b.bvh", "s1/t/c.bvh", "s2/.d.bvh", ".h/b.bvh", ".e.bvh"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    for start in ("", f"{tmp_path}/"):
        expected = {name for name in glob.glob(start + pattern, recursive=True) if Path(name).is_file()}
        assert set(files_matching(Path(start + pattern))) == expected


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs a file of no size that has bytes")
def test_a_file_that_grows_is_refused() -> None:
    with pytest.raises(mf.FormatError, match="changed while it was read"):
        mf.load_clip("/proc/self/maps")
