"""Load files, folders and archives as clips in metres, y up, facing +z; save clips to files."""

from __future__ import annotations

import glob
import hashlib
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, Unpack

from motionfields.base.errors import FormatError, MotionFieldsError
from motionfields.base.registry import Registry
from motionfields.base.wording import counted
from motionfields.motion.body import Body, known_body
from motionfields.motion.clip import Clip, Finding, LoadReport, change_axes, rescale, trim
from motionfields.motion.formats._folders import (
    LARGEST_FILE,
    files_below,
    files_matching,
    open_regular,
    pattern_root,
    read_file,
    unreadable,
)
from motionfields.motion.formats._gltf_document import standing_alone
from motionfields.motion.formats._names import file_name_fault, natural, shown
from motionfields.motion.formats._zip import Member, ZipArchive
from motionfields.motion.formats.bvh import BvhMotion, read_bvh, save_bvh
from motionfields.motion.formats.fbx import FbxMotion, read_fbx, take_names
from motionfields.motion.formats.gltf import GltfMotion, animation_names, read_gltf, save_glb
from motionfields.motion.formats.guessing import (
    facing_ahead,
    guess_facing,
    guess_rest_frames,
    guess_scale,
    guess_up,
    implausible_stature,
)
from motionfields.motion.formats.options import Given, LoadOptions, metres_per
from motionfields.motion.formats.plausibility import implausible_rate, rate_evidence
from motionfields.motion.formats.usd import USD_SUFFIXES, save_usd
from motionfields.motion.skeleton import Skeleton

if TYPE_CHECKING:
    from motionfields.motion.formats.character import Character

GLTF_SUFFIXES = (".glb", ".gltf")
TAKE_SUFFIXES = (*GLTF_SUFFIXES, ".fbx")  # of files that may hold several motions
SUFFIXES = (".bvh", *TAKE_SUFFIXES)  # of files that this package reads itself
OUTPUT_SUFFIXES = (".bvh", ".glb", *USD_SUFFIXES)  # of files that are written
_BLENDER = "open it in Blender and export it as glTF 2.0 (.glb)"
ELSEWHERE = {
    ".usd": f"USD is not supported as input: {_BLENDER}",
    ".usda": f"USD is not supported as input: {_BLENDER}",
    ".usdc": f"USD is not supported as input: {_BLENDER}",
    ".usdz": f"USD is not supported as input: {_BLENDER}",
    ".dae": f"COLLADA is not supported: {_BLENDER}",
    ".blend": f"Blender files are not supported: {_BLENDER}",
    ".vrm": "VRM is a kind of glTF file: rename it to .glb",
    ".c3d": "C3D has markers but no skeleton: fit a skeleton and export it as BVH or glTF",
    ".field": "expected motion, got a motion field: use it with motionfields synth or motionfields train",
    ".ctrl": "expected motion, got a controller: use it with motionfields play or motionfields record",
    ".asf": "ASF and AMC are not supported: convert them to BVH",
    ".amc": "ASF and AMC are not supported: convert them to BVH",
}
"""Advice for files of other kinds, by suffix."""
Reader: TypeAlias = Callable[[bytes, str], Clip]
"""Takes the bytes of a file and its path, for messages; returns the motion in the unit and axes of the file."""
_READER = "motionfields.motion.formats.loading:_read_itself"
FORMATS: Registry[Reader] = Registry("motionfields.formats", {suffix[1:]: _READER for suffix in SUFFIXES})
"""Readers by suffix without its dot: built in, added with `FORMATS.add`, or of installed packages."""
LARGEST_RATIO = 200  # largest unpacked size of an archive divided by its own; text of numbers shrinks 3 to 6 times


class MotionFile(NamedTuple):
    """A motion file of a folder or archive; `read` works until the next file is requested."""

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
    """Load the motion in a file, in metres, y up, facing +z; `clip.report` says how it was converted.

    Options that are not given are guessed: `scale` is metres per file unit or the name of a unit ("cm", "inch",
    "cmu"...), `up` and `facing` are the file's axes ("+z", "-x"...), `rest_frames` is the number of frames at the start
    that are a T-pose or other rest pose and are dropped, `frame_rate` is frames per second. FBX files state their unit
    and up axis, which are used. To choose one of several animations in a glTF or FBX file, add # and its name:
    "pack.glb#walk". Raises `FormatError` for any file that cannot be used.
    """
    given = Given(scale=scale, up=up, facing=facing, rest_frames=rest_frames, frame_rate=frame_rate)
    return _clip_from_bytes(read_named(_file_of(str(path))), str(path), given)


def load_clips(
    source: str | Path, *, on_error: Callable[[FormatError], None] | None = None, **options: Unpack[LoadOptions]
) -> list[Clip]:
    """Load all motions of a pattern ("takes/*.bvh"), folder, zip archive or file, sorted by name; see `iter_clips`."""
    return list(iter_clips(source, on_error=on_error, **options))


def iter_clips(
    source: str | Path, *, on_error: Callable[[FormatError], None] | None = None, **options: Unpack[LoadOptions]
) -> Iterator[Clip]:
    """Yield the motions of `source`, read one at a time.

    `source` is a pattern with wildcards, a folder (searched with its subfolders), a zip archive (read in place, never
    unpacked to disk) or one file. Links found in a folder are followed if they end inside it. A glTF or FBX file gives
    one motion for each of its animations. `options` are those of `load_clip`, for all files. A file that cannot be used
    raises `FormatError`; with `on_error`, that function receives the error and the file is skipped. An archive with a
    damaged directory always raises.
    """
    given = Given(**options)
    for path, read in iter_files(source):
        try:
            yield _clip_from_bytes(read(), path, given)
        except FormatError as error:
            if on_error is None:
                raise
            on_error(error)


def iter_files(source: str | Path) -> Iterator[MotionFile]:
    """Yield the motion files of `source`, as in `iter_clips`, by name; raise `FormatError` if there are none.

    A file with several animations is yielded once for each, with # and the animation's name added to its path.
    """
    found = False
    for path, read in _files(source):
        found = True
        yield from _motions(path, read)
    if not found:
        raise FormatError(f"no {_either(read_suffixes())} file found", path=str(source))


def read_suffixes() -> tuple[str, ...]:
    """Return the suffixes of files that can be read, in lower case: built in, added and installed."""
    return tuple(f".{name.lower()}" for name in FORMATS)


def clip_from_bytes(data: bytes, path: str, **options: Unpack[LoadOptions]) -> Clip:
    """Return the motion in the bytes of a file, as `load_clip` does; `path` is for its name and messages."""
    return _clip_from_bytes(data, path, Given(**options))


def save_clip(
    clip: Clip, path: str | Path, *, unit: str = "cm", order: str = "ZYX", character: Character | None = None
) -> None:
    """Write `clip` to `path`, atomically, in the format of its suffix: .bvh, .glb (binary glTF), .usda or .usdc (USD).

    BVH has lengths in `unit` and rotations as Euler angles in `order`. glTF and USD have a body, metres and
    quaternions, and ignore both options. USD needs the extra `usd`. Both have the surfaces of `character`,
    whose skeleton must be that of the clip (see `retarget`), in place of a plain body; the pictures of a USD file are
    in a folder beside it.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in OUTPUT_SUFFIXES:
        raise FormatError(f"unknown file type; expected a name that ends in {_either(OUTPUT_SUFFIXES)}", path=str(path))
    if character is not None and suffix == ".bvh":
        raise FormatError("BVH files hold no character; expected .glb, .usda or .usdc", path=str(path))
    scale = metres_per(unit)
    try:
        if suffix == ".glb":
            save_glb(path, clip, character=character)
        elif suffix in USD_SUFFIXES:
            save_usd(path, clip, character=character)
        else:
            save_bvh(path, clip, scale=scale, order=order)
    except OSError as error:
        raise FormatError(f"cannot be written: {error.strerror or error}", path=str(path)) from None


def _clip_from_bytes(data: bytes, path: str, given: Given) -> Clip:
    raw, rate, stated = _raw_clip(data, path, given)
    body = known_body(raw.skeleton)
    if _file_of(path).lower().endswith(TAKE_SUFFIXES) and given.facing is None:
        raw = facing_ahead(raw, body)
    if given.rest_frames is not None and given.rest_frames >= raw.frame_count > 0:
        raise FormatError(
            f"rest_frames: expected fewer than the file's {counted(raw.frame_count, 'frame')}, got {given.rest_frames}",
            path=path,
        )
    rest = given.finding("rest_frames") or guess_rest_frames(raw, body)
    scale = given.finding("scale") or stated.scale or guess_scale(raw, body)
    up = given.finding("up") or stated.up or guess_up(raw, body, int(rest.value))
    facing = given.finding("facing") or guess_facing(raw, body, str(up.value))
    moving = trim(raw, int(rest.value))
    clip = rescale(change_axes(moving, up=str(up.value), facing=str(facing.value)), float(scale.value))
    stature = implausible_stature(raw, body, float(scale.value))
    upright = None if stated.up is None or body is None else guess_up(raw, body, int(rest.value))
    if upright is not None and upright.value != up.value:
        stated = stated._replace(notes=(*stated.notes, f"up is {up.value}, but {upright.evidence}: check the up axis"))
    warnings = (*stated.notes, *([stature] if stature else []), *_rate_warnings(clip, body))
    digest = hashlib.sha256(data).hexdigest()
    return replace(clip, report=LoadReport(path, digest, scale, up, facing, rest, rate, warnings))


class _Stated(NamedTuple):
    """Facts that a file states about itself, as far as its format can, and notes of its reader."""

    scale: Finding | None = None
    up: Finding | None = None
    notes: tuple[str, ...] = ()


def _raw_clip(data: bytes, path: str, given: Given) -> tuple[Clip, Finding, _Stated]:
    """The motion of a file in its own unit and axes, its frame rate, and what the file states."""
    if reader := _other_reader(path):
        clip = _read_by(reader, data, path)
        rate = given.finding("frame_rate") or Finding(1.0 / clip.frame_time, "the file's frame time")
        return replace(clip, frame_time=1.0 / float(rate.value)), rate, _Stated()
    motion, name, evidence = _read_motion(data, path)
    skeleton = Skeleton(motion.names, motion.parents, motion.offsets, motion.tip_joints, motion.tip_offsets)
    rate = given.finding("frame_rate") or Finding(1.0 / motion.frame_time, evidence)
    raw = Clip(skeleton, motion.root_position, motion.rotations, 1.0 / float(rate.value), name=name)
    return raw, rate, _stated(motion)


def _stated(motion: BvhMotion | GltfMotion) -> _Stated:
    if not isinstance(motion, FbxMotion):
        return _Stated(notes=tuple(motion.notes))
    unit, up = motion.unit_metres, motion.up
    return _Stated(
        None if unit is None else Finding(unit, f"stated by the file: a unit is {100.0 * unit:.6g} cm"),
        None if up is None else Finding(up, "stated by the file"),
        tuple(motion.notes),
    )


def _read_itself(data: bytes, path: str) -> Clip:
    """Return the motion of a BVH, glTF or FBX file in its own unit and axes."""
    return _raw_clip(data, path, Given())[0]


def _other_reader(path: str) -> Reader | None:
    """The reader that was added or installed for the suffix of `path`; None for the kinds read here."""
    suffix = Path(path).suffix.lower()
    if not suffix or suffix in SUFFIXES:
        return None
    name = next((name for name in FORMATS if f".{name.lower()}" == suffix), None)
    return None if name is None else FORMATS.load(name)


def _read_by(reader: Reader, data: bytes, path: str) -> Clip:
    """Return the clip that a registered reader makes of a file; raises `FormatError` where it fails."""
    try:
        clip = reader(data, path)
    except MotionFieldsError:
        raise
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise FormatError(f"cannot be read: {error or type(error).__name__}", path=path) from error
    if not isinstance(clip, Clip):
        raise FormatError(f"its reader returned {type(clip).__name__}, expected a Clip", path=path)
    return replace(clip, name=clip.name or Path(path).stem, report=None)


def _read_motion(data: bytes, path: str) -> tuple[BvhMotion | GltfMotion, str, str]:
    """Return the motion in the bytes of a file, its name, and the evidence for its frame rate."""
    file = _file_of(path)
    name = re.split(r"[/\\]", file)[-1].rsplit(".", 1)[0]
    if not file.lower().endswith(TAKE_SUFFIXES):
        return read_bvh(data, path=path), name, "the file's frame time"
    animation = path[len(file) + 1 :] or None
    if file.lower().endswith(GLTF_SUFFIXES):
        motion = read_gltf(data, path=path, animation=animation)
    else:
        motion = read_fbx(data, path=path, take=animation)
    return motion, f"{name} {animation}" if animation else name, motion.rate_evidence


def _rate_warnings(clip: Clip, body: Body | None) -> tuple[str, ...]:
    if body is None or clip.frame_count < 8:
        return ()
    warning = implausible_rate(clip, rate_evidence(clip, body))
    return (warning,) if warning else ()


def _either(suffixes: tuple[str, ...]) -> str:
    return f"{', '.join(suffixes[:-1])} or {suffixes[-1]}"


def _file_of(path: str) -> str:
    """Return `path` without # and the name of an animation after the name of a file that may hold several."""
    match = re.match(rf"(.*({'|'.join(map(re.escape, TAKE_SUFFIXES))}))#[^/\\]*$", path, re.IGNORECASE | re.DOTALL)
    return path if match is None or os.path.lexists(path) else match.group(1)


def _motions(path: str, read: Callable[[], bytes]) -> Iterator[MotionFile]:
    """Yield a file once for each motion in it."""
    if not path.lower().endswith(TAKE_SUFFIXES):
        yield MotionFile(path, read)
        return
    try:
        data = read()
        names = (animation_names if path.lower().endswith(GLTF_SUFFIXES) else take_names)(data, path=path)
    except FormatError:
        yield MotionFile(path, read)  # reading it raises again, for that file alone
        return
    for place in [f"{path}#{name}" for name in names] if len(names) > 1 else [path]:
        yield MotionFile(place, lambda: data)


def _files(source: str | Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield name and reader of each motion file of `source`, sorted so that take2 comes before take10."""
    path = Path(source)
    try:
        if path.suffix.lower() == ".zip" and not path.is_dir() and path.exists():
            yield from _archive(str(path))
        elif path.is_dir():
            yield from _found(str(path), files_below(str(path), _is_motion))
        elif path.exists() or _file_of(str(path)) != str(path) or not glob.has_magic(str(path)):
            yield str(path), lambda: read_named(_file_of(str(path)))
        else:
            yield from _found(pattern_root(path), files_matching(path))
    except (OSError, ValueError) as error:
        raise unreadable(str(source), error) from None


def read_named(path: str) -> bytes:
    """Return the bytes of a file that the caller named, as opposed to one found in a folder."""
    if (reason := ELSEWHERE.get(Path(path).suffix.lower())) and _other_reader(path) is None:
        raise FormatError(reason, path=shown(path))
    return _whole(path, read_file(path))


def _whole(path: str, data: bytes) -> bytes:
    """Return `data` of the file at `path`, with the buffers that a glTF file keeps in other files of its folder."""
    if not path.lower().endswith(GLTF_SUFFIXES):
        return data
    folder = os.path.dirname(path) or "."
    return standing_alone(data, path, lambda name: read_file(os.path.join(folder, name), within=folder))


def _found(root: str, files: list[str]) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield name and reader of `files` that were found, as opposed to named, in the folder `root`."""
    for file in sorted(files, key=natural):
        yield file, lambda file=file: _read_found(file, root)  # type: ignore[misc]


def _read_found(file: str, root: str) -> bytes:
    if fault := file_name_fault(os.path.relpath(file, root or ".")):
        raise FormatError(fault, path=shown(file))
    return _whole(file, read_file(file, within=root))


def _is_motion(name: str) -> bool:
    """Return whether a file with this name is read; macOS keeps metadata files beside others, under similar names."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    # Some programs cut a name at a NUL, others do not: the part before it counts as a name too.
    ends_well = any(part.endswith(read_suffixes()) for part in name.lower().split("\0"))
    return ends_well and "__MACOSX" not in parts and not parts[-1].startswith("._")


def _archive(path: str) -> Iterator[tuple[str, Callable[[], bytes]]]:
    with open_regular(path) as file:
        archive = ZipArchive(file, path)
        members = archive.members()
        reader = _MemberReader(archive, {member.name.replace("\\", "/"): member for member in members})
        for member in sorted((m for m in members if _is_motion(m.name)), key=lambda m: natural(m.name)):
            yield f"{path}/{member.name}", reader.reader(member)


class _MemberReader:
    """Reader of members of an archive, and of members that these refer to, within a limit set by the archive's size."""

    def __init__(self, archive: ZipArchive, members: dict[str, Member]) -> None:
        self._archive = archive
        self._members = members
        self._room = LARGEST_RATIO * max(archive.size(), 1024)

    def reader(self, member: Member) -> Callable[[], bytes]:
        """Return a function that reads `member`; its share of the limit is taken now."""
        limit = self._take(member)

        def read() -> bytes:
            data = self._archive.read(member, limit=limit)
            if not member.name.lower().endswith(GLTF_SUFFIXES):
                return data
            folder = member.name.replace("\\", "/").rpartition("/")[0]
            return standing_alone(
                data, f"{self._archive.path}/{shown(member.name)}", lambda name: self._beside(folder, name)
            )

        return read

    def _beside(self, folder: str, name: str) -> bytes:
        path = f"{folder}/{name}" if folder else name
        member = self._members.get(path)
        if member is None:
            raise FormatError("is missing from the archive; a glTF file refers to it", path=shown(path))
        return self._archive.read(member, limit=self._take(member))

    def _take(self, member: Member) -> int:
        """Return the most bytes that `member` may unpack to, and subtract its size from the limit."""
        limit = min(LARGEST_FILE, self._room)
        self._room -= member.size if member.size <= limit else 0
        return limit
