"""From files, folders and archives to clips in metres, y up, facing +z; and back to files."""

from __future__ import annotations

import glob
import hashlib
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TypedDict, Unpack

from motionfields.body import Body, known_body
from motionfields.clip import Clip, Finding, LoadReport, change_axes, rescale, trim
from motionfields.clip.place import AXES
from motionfields.clip.timing import FASTEST_RATE
from motionfields.errors import FormatError
from motionfields.formats.bvh import read_bvh, save_bvh
from motionfields.formats.guessing import (
    UNITS,
    guess_facing,
    guess_rest_frames,
    guess_scale,
    guess_up,
    implausible_stature,
)
from motionfields.formats.plausibility import implausible_rate, rate_evidence
from motionfields.skeleton import Skeleton

SUFFIXES = (".bvh",)
LARGEST_FILE = 2 * 1024**3  # bytes; a text of this size holds hours of motion
LARGEST_RATIO = 200  # how many times its own size an archive may unpack to; text of numbers shrinks 3 to 6 times
UNPACKED_AT_ONCE = 4096  # bytes; LZMA and bzip2 unpack all of what they are handed, up to 20,000 times as much
SCALES = (1e-6, 1e6)  # metres per file unit
# All that `zipfile` was seen to raise on damaged archives.
ZIP_ERRORS = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, OSError, EOFError),
    *(RuntimeError, NotImplementedError, ValueError, OverflowError, LookupError),
)


class LoadOptions(TypedDict, total=False):
    """What can be said about files that are loaded; see `load_clip`."""

    scale: float | str | None
    up: str | None
    facing: str | None
    rest_frames: int | None
    frame_rate: float | None


def load_clip(
    path: str | Path,
    *,
    scale: float | str | None = None,
    up: str | None = None,
    facing: str | None = None,
    rest_frames: int | None = None,
    frame_rate: float | None = None,
) -> Clip:
    """The motion in a file, in metres, y up, facing +z, with `clip.report` saying how it got there.

    What is not given is guessed: `scale` is metres per file unit or a unit's name ("cm", "inch", "cmu"...), `up` and
    `facing` are the file's axes ("+z", "-x"...), `rest_frames` is how many frames at the start are a T-pose or other
    rest pose and are dropped, `frame_rate` is frames per second. Raises `FormatError` for any file that cannot be used.
    """
    given = _Given(scale=scale, up=up, facing=facing, rest_frames=rest_frames, frame_rate=frame_rate)
    return _clip_from_bytes(_read(Path(path)), str(path), given)


def load_clips(
    source: str | Path, *, on_error: Callable[[FormatError], None] | None = None, **options: Unpack[LoadOptions]
) -> list[Clip]:
    """All motions of a pattern ("takes/*.bvh"), folder, zip archive or file, sorted by name; see `iter_clips`."""
    return list(iter_clips(source, on_error=on_error, **options))


def iter_clips(
    source: str | Path, *, on_error: Callable[[FormatError], None] | None = None, **options: Unpack[LoadOptions]
) -> Iterator[Clip]:
    """The motions of `source`, read one at a time.

    `source` is a pattern with wildcards, a folder (searched with its subfolders), a zip archive (read in place, never
    unpacked to disk) or one file. `options` are those of `load_clip`, for all files. A file that cannot be used raises
    `FormatError`; with `on_error` the error is handed to that function and the file skipped.
    """
    given = _Given(**options)
    found = False
    for path, read in _files(source):
        found = True
        try:
            yield _clip_from_bytes(read(), path, given)
        except FormatError as error:
            if on_error is None:
                raise
            on_error(error)
    if not found:
        raise FormatError(f"no {' or '.join(SUFFIXES)} file found", path=str(source))


def save_clip(clip: Clip, path: str | Path, *, unit: str = "cm", order: str = "ZYX") -> None:
    """Write `clip` to `path`, as BVH, atomically; lengths in `unit`, rotations as Euler angles in `order`."""
    if Path(path).suffix.lower() not in SUFFIXES:
        raise FormatError(f"unknown kind of file; expected a name that ends in {' or '.join(SUFFIXES)}", path=str(path))
    try:
        save_bvh(path, clip, scale=_unit(unit), order=order)
    except OSError as error:
        raise FormatError(f"cannot be written: {error.strerror or error}", path=str(path)) from None


@dataclass(frozen=True)
class _Given:
    """What the caller knows about the files, checked; None is to be guessed."""

    scale: float | str | None = None
    up: str | None = None
    facing: str | None = None
    rest_frames: int | None = None
    frame_rate: float | None = None

    def __post_init__(self) -> None:
        if isinstance(self.scale, str):
            object.__setattr__(self, "scale", _unit(self.scale, "scale: expected metres per unit or one of"))
        low, high = SCALES
        if self.scale is not None and not low <= float(self.scale) <= high:
            raise ValueError(
                f"scale: expected a positive number of metres per unit from {low:g} to {high:g}, got {self.scale}"
            )
        if self.frame_rate is not None and not 0.0 < self.frame_rate <= FASTEST_RATE:
            raise ValueError(
                f"frame_rate: expected a positive number of frames per second up to {FASTEST_RATE:g}, "
                f"got {self.frame_rate}"
            )
        if self.rest_frames is not None and self.rest_frames < 0:
            raise ValueError(f"rest_frames: expected 0 or more, got {self.rest_frames}")
        self._check_axes()

    def _check_axes(self) -> None:
        for name, axis in (("up", self.up), ("facing", self.facing)):
            if axis is not None and axis not in AXES:
                raise ValueError(f"{name}: expected one of {', '.join(AXES)}, got {axis!r}")
        if self.up is not None and self.facing is not None and self.up[1] == self.facing[1]:
            raise ValueError(f"facing: expected an axis across up ({self.up}), got {self.facing}")

    def finding(self, name: str) -> Finding | None:
        """The given value called `name`, or None."""
        value = getattr(self, name)
        return None if value is None else Finding(value, "given", given=True)


def _clip_from_bytes(data: bytes, path: str, given: _Given) -> Clip:
    motion = read_bvh(data, path=path)
    skeleton = Skeleton(motion.names, motion.parents, motion.offsets, motion.tip_joints, motion.tip_offsets)
    name = re.split(r"[/\\]", path)[-1].rsplit(".", 1)[0]
    rate = given.finding("frame_rate") or Finding(1.0 / motion.frame_time, "the file's frame time")
    raw = Clip(skeleton, motion.root_position, motion.rotations, 1.0 / float(rate.value), name=name)
    body = known_body(raw.skeleton)
    if given.rest_frames is not None and given.rest_frames >= raw.frame_count > 0:
        raise FormatError(
            f"rest_frames: expected fewer than the file's {raw.frame_count} frames, got {given.rest_frames}", path=path
        )
    rest = given.finding("rest_frames") or guess_rest_frames(raw, body)
    scale = given.finding("scale") or guess_scale(raw, body)
    up = given.finding("up") or guess_up(raw, body, int(rest.value))
    facing = given.finding("facing") or guess_facing(raw, body, str(up.value))
    moving = trim(raw, int(rest.value))
    clip = rescale(change_axes(moving, up=str(up.value), facing=str(facing.value)), float(scale.value))
    stature = implausible_stature(raw, body, float(scale.value))
    warnings = (*motion.notes, *([stature] if stature else []), *_rate_warnings(clip, body))
    digest = hashlib.sha256(data).hexdigest()
    return replace(clip, report=LoadReport(path, digest, scale, up, facing, rest, rate, warnings))


def _rate_warnings(clip: Clip, body: Body | None) -> tuple[str, ...]:
    if body is None or clip.frame_count < 8:
        return ()
    warning = implausible_rate(clip, rate_evidence(clip, body))
    return (warning,) if warning else ()


def _unit(name: str, expected: str = "unit: expected one of") -> float:
    if name not in UNITS:
        raise ValueError(f"{expected} {', '.join(UNITS)}, got {name!r}")
    return UNITS[name]


def _files(source: str | Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Name and reader of each motion file of `source`, sorted so that take2 comes before take10."""
    path = Path(source)
    try:
        archived = path.suffix.lower() == ".zip" and path.is_file()
        paths = [] if archived else _paths(path)
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=str(source)) from None
    if archived:
        yield from _archive(path)
    for file in sorted(paths, key=lambda p: _natural(str(p))):
        yield str(file), lambda file=file: _read(file)  # type: ignore[misc]


def _paths(path: Path) -> list[Path]:
    """The motion files of a folder or pattern, or `path` itself."""
    if path.is_dir():
        return [file for file in path.rglob("*") if _is_motion(str(file.relative_to(path))) and file.is_file()]
    if path.exists() or not glob.has_magic(str(path)):
        return [path]
    return [Path(match) for match in glob.glob(str(path), recursive=True) if Path(match).is_file()]


def _is_motion(name: str) -> bool:
    """Whether a file so called is read; macOS keeps notes on files beside them, under the same names."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return name.lower().endswith(SUFFIXES) and "__MACOSX" not in parts and not parts[-1].startswith("._")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=str(path)) from None


def _archive(path: Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    try:
        archive = zipfile.ZipFile(path)
        room = LARGEST_RATIO * max(path.stat().st_size, 1024)
    except ZIP_ERRORS as error:
        raise FormatError(f"is no zip archive that can be read: {error}", path=str(path)) from None
    with archive:
        members = [member for member in archive.infolist() if _is_motion(member.filename)]
        for member in sorted(members, key=lambda m: _natural(m.filename)):
            name = f"{path}/{member.filename}"
            # What the directory says of packed sizes may be a lie, so all members share what the file's size allows.
            limit = min(LARGEST_FILE, room)
            room -= member.file_size if member.file_size <= limit else 0
            yield name, lambda m=member, n=name, most=limit: _member(archive, m, n, most)  # type: ignore[misc]


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str, limit: int) -> bytes:
    """The bytes of a member that unpacks to `limit` bytes at most."""
    if member.file_size > limit:
        raise FormatError(f"unpacks to {member.file_size} bytes, too many for the size of the archive", path=name)
    try:
        with archive.open(member) as stream:
            return b"".join(iter(lambda: stream.read(UNPACKED_AT_ONCE), b""))
    except ZIP_ERRORS as error:
        raise FormatError(f"cannot be unpacked: {error}", path=name) from None


def _natural(name: str) -> list[tuple[int, str]]:
    """A key that sorts numbers by their size: by how many digits they have, then by the digits."""
    parts = re.split(r"(\d+)", name)
    return [(len(part.lstrip("0")), part.lstrip("0")) if part.isdecimal() else (-1, part) for part in parts]
