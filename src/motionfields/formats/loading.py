"""From files, folders and archives to clips in metres, y up, facing +z; and back to files."""

from __future__ import annotations

import glob
import hashlib
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypedDict, Unpack

from motionfields.body import Body, known_body
from motionfields.clip import Clip, Finding, LoadReport, change_axes, rescale, trim
from motionfields.clip.place import AXES
from motionfields.clip.timing import FASTEST_RATE
from motionfields.errors import FormatError
from motionfields.formats._folders import (
    LARGEST_FILE,
    files_below,
    files_matching,
    open_regular,
    pattern_root,
    read_file,
    unreadable,
)
from motionfields.formats._names import file_name_fault, natural, shown
from motionfields.formats._zip import ZipArchive
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
LARGEST_RATIO = 200  # how many times its own size an archive may unpack to; text of numbers shrinks 3 to 6 times
SCALES = (1e-6, 1e6)  # metres per file unit


class LoadOptions(TypedDict, total=False):
    """What can be said about files that are loaded; see `load_clip`."""

    scale: float | str | None
    up: str | None
    facing: str | None
    rest_frames: int | None
    frame_rate: float | None


class MotionFile(NamedTuple):
    """A motion file of a folder or archive; `read` works until the next one is asked for."""

    path: str
    read: Callable[[], bytes]


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
    return _clip_from_bytes(read_file(str(path)), str(path), given)


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
    unpacked to disk) or one file. Links found in a folder are followed if they end inside it. `options` are those of
    `load_clip`, for all files. A file that cannot be used raises `FormatError`; with `on_error` the error is handed to
    that function and the file skipped. An archive whose directory is not sound raises in any case.
    """
    given = _Given(**options)
    for path, read in iter_files(source):
        try:
            yield _clip_from_bytes(read(), path, given)
        except FormatError as error:
            if on_error is None:
                raise
            on_error(error)


def iter_files(source: str | Path) -> Iterator[MotionFile]:
    """The motion files of `source`, which is as in `iter_clips`, by name; raises `FormatError` if there are none."""
    found = False
    for path, read in _files(source):
        found = True
        yield MotionFile(path, read)
    if not found:
        raise FormatError(f"no {' or '.join(SUFFIXES)} file found", path=str(source))


def clip_from_bytes(data: bytes, path: str, **options: Unpack[LoadOptions]) -> Clip:
    """The motion that the bytes of a file hold, as `load_clip` gives it; `path` is for its name and messages."""
    return _clip_from_bytes(data, path, _Given(**options))


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
        if path.suffix.lower() == ".zip" and not path.is_dir() and path.exists():
            yield from _archive(str(path))
        elif path.is_dir():
            yield from _found(str(path), files_below(str(path), _is_motion))
        elif path.exists() or not glob.has_magic(str(path)):
            yield str(path), lambda: read_file(str(path))
        else:
            yield from _found(pattern_root(path), files_matching(path))
    except (OSError, ValueError) as error:
        raise unreadable(str(source), error) from None


def _found(root: str, files: list[str]) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Name and reader of `files` that were found, and not named, under the folder `root`."""
    for file in sorted(files, key=natural):
        yield file, lambda file=file: _read_found(file, root)  # type: ignore[misc]


def _read_found(file: str, root: str) -> bytes:
    if fault := file_name_fault(os.path.relpath(file, root or ".")):
        raise FormatError(fault, path=shown(file))
    return read_file(file, within=root)


def _is_motion(name: str) -> bool:
    """Whether a file so called is read; macOS keeps notes on files beside them, under the same names."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    # What comes after a NUL is dropped by some and counts for others.
    ends_well = any(part.endswith(SUFFIXES) for part in name.lower().split("\0"))
    return ends_well and "__MACOSX" not in parts and not parts[-1].startswith("._")


def _archive(path: str) -> Iterator[tuple[str, Callable[[], bytes]]]:
    with open_regular(path) as file:
        archive = ZipArchive(file, path)
        room = LARGEST_RATIO * max(archive.size(), 1024)
        members = [member for member in archive.members() if _is_motion(member.name)]
        for member in sorted(members, key=lambda m: natural(m.name)):
            limit = min(LARGEST_FILE, room)
            room -= member.size if member.size <= limit else 0
            yield f"{path}/{member.name}", lambda m=member, most=limit: archive.read(m, limit=most)  # type: ignore[misc]
