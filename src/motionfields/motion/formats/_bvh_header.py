"""Parser of the HIERARCHY section of a BVH file, and of the two lines that open its MOTION section."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from motionfields.motion.formats._bvh_text import WORDS_AND_COLONS, BvhText, quoted

MOST_JOINTS: Final = 10_000
"""Largest number of joints, and of End Sites, in a file."""

SHORTEST_FRAME_TIME: Final = 1e-6
"""Smallest `Frame Time` in seconds: a million frames per second."""

ChannelKind = Literal["POSITION", "ROTATION"]


class Channel(NamedTuple):
    """One column of the rows: a motion along, or a rotation about, axis 0, 1, 2 for x, y, z."""

    kind: ChannelKind
    axis: int
    column: int


_KINDS: Final[tuple[ChannelKind, ...]] = ("POSITION", "ROTATION")
_CHANNELS: Final = {f"{letter}{kind}".encode(): (kind, axis) for kind in _KINDS for axis, letter in enumerate("XYZ")}


@dataclass
class Hierarchy:
    """The joints in the order of the file, parents before children; filled while the file is parsed."""

    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)  # -1 for the root
    offsets: list[tuple[float, float, float]] = field(default_factory=list)  # the file's unit
    channels: list[tuple[Channel, ...]] = field(default_factory=list)
    tip_joints: list[int] = field(default_factory=list)
    tip_offsets: list[tuple[float, float, float]] = field(default_factory=list)
    column_count: int = 0

    def channels_of(self, joint: int, kind: ChannelKind) -> list[Channel]:
        """Return the joint's channels of that kind, in the order of the file."""
        return [channel for channel in self.channels[joint] if channel.kind == kind]

    def rotation_order(self, joint: int) -> str:
        """Return the axes that the joint rotates about, in the order of its channels: "ZYX" is Rz Ry Rx."""
        return "".join("XYZ"[channel.axis] for channel in self.channels_of(joint, "ROTATION"))


class MotionHeader(NamedTuple):
    """Values of the MOTION section before its rows."""

    frame_count: int
    frame_count_at: int  # byte offset of that number in the file
    frame_time: float  # seconds


def read_hierarchy(text: BvhText) -> Hierarchy:
    """Read the joints from HIERARCHY to the root's closing brace; stop before MOTION.

    The parser is iterative, so nesting depth cannot exhaust the stack.
    """
    _refuse_other_encodings(text)
    text.expect("HIERARCHY", "at the start of the file")
    text.expect("ROOT", "after HIERARCHY")
    hierarchy = Hierarchy()
    seen: set[str] = set()
    open_joints = [_read_joint(text, hierarchy, seen, parent=-1)]
    while open_joints:
        token = text.take()
        word = token.upper()
        if word == b"JOINT":
            open_joints.append(_read_joint(text, hierarchy, seen, parent=open_joints[-1]))
        elif word == b"END":
            _read_end_site(text, hierarchy, joint=open_joints[-1])
        elif token == b"}":
            open_joints.pop()
        else:
            name = hierarchy.names[open_joints[-1]]
            text.fail(f"expected JOINT, End Site or '}}' inside joint {name!r}, got {quoted(token)}")
    return hierarchy


def read_motion_header(text: BvhText) -> MotionHeader:
    """Read `Frames:` and `Frame Time:`; stop at the end of the latter's line."""
    token = text.take()
    if token.upper() == b"ROOT":
        text.fail("expected MOTION after the root's closing brace, got a second ROOT; put it in a separate file")
    if token.upper() != b"MOTION":
        text.fail(f"expected MOTION after the root's closing brace, got {quoted(token)}")
    colons = WORDS_AND_COLONS
    text.expect("Frames", "after MOTION", words=colons)
    text.expect(":", "after Frames", words=colons)
    frame_count, frame_count_at = text.take_count("Frames", words=colons), text.token_start
    text.expect("Frame", "(Frame Time) after the count of frames", words=colons)
    text.expect("Time", "after Frame", words=colons)
    text.expect(":", "after Frame Time", words=colons)
    frame_time = text.take_number("Frame Time", words=colons)
    if not frame_time >= SHORTEST_FRAME_TIME:
        text.fail(f"Frame Time: expected at least {SHORTEST_FRAME_TIME:g} seconds, got {frame_time:g}")
    text.end_line("Frame Time")
    return MotionHeader(frame_count, frame_count_at, frame_time)


def _refuse_other_encodings(text: BvhText) -> None:
    if text.data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in text.data[:64]:
        text.fail("expected UTF-8 text, got UTF-16 or binary data; save the file as UTF-8", 0)


def _read_joint(text: BvhText, hierarchy: Hierarchy, seen: set[str], *, parent: int) -> int:
    """Read from after the word ROOT or JOINT to the channels; return the joint's index."""
    joint = len(hierarchy.names)
    start = text.token_start
    if joint == MOST_JOINTS:
        text.fail(f"expected at most {MOST_JOINTS} joints, got more")
    name = text.take_name("ROOT" if parent < 0 else "JOINT")
    if name in seen:
        text.fail(f"expected each joint name once, got {name[:40]!r} again; rename one of the two", start)
    seen.add(name)
    hierarchy.names.append(name)
    hierarchy.parents.append(parent)
    hierarchy.offsets.append(_read_offset(text, f"in joint {name!r}"))
    hierarchy.channels.append(_read_channels(text, name, first_column=hierarchy.column_count))
    hierarchy.column_count += len(hierarchy.channels[-1])
    return joint


def _read_end_site(text: BvhText, hierarchy: Hierarchy, *, joint: int) -> None:
    """Read from after the word End to the closing brace; drop a site of zero length, which marks no tip."""
    name = hierarchy.names[joint]
    if len(hierarchy.tip_joints) == MOST_JOINTS:
        text.fail(f"expected at most {MOST_JOINTS} End Sites, got more")
    text.expect("Site", f"after End in joint {name!r}")
    text.expect("{", f"after End Site in joint {name!r}")
    offset = _read_offset(text, f"in the End Site of joint {name!r}")
    text.expect("}", f"after the OFFSET of the End Site of joint {name!r}")
    if any(offset):
        hierarchy.tip_joints.append(joint)
        hierarchy.tip_offsets.append(offset)


def _read_offset(text: BvhText, place: str) -> tuple[float, float, float]:
    text.expect("OFFSET", place)
    what = f"OFFSET {place}"
    return text.take_number(what), text.take_number(what), text.take_number(what)


def _read_channels(text: BvhText, name: str, *, first_column: int) -> tuple[Channel, ...]:
    text.expect("CHANNELS", f"in joint {name!r}")
    count = text.take_count(f"CHANNELS of joint {name!r}")
    if count > len(_CHANNELS):
        text.fail(f"CHANNELS of joint {name!r}: expected a count of 0 to {len(_CHANNELS)}, got {count}")
    channels: list[Channel] = []
    for place in range(count):
        token = text.take()
        kind_and_axis = _CHANNELS.get(token.upper())
        if kind_and_axis is None:
            got = f"{quoted(token)} as number {place + 1}"
            text.fail(f"CHANNELS of joint {name!r}: expected {count} names like Zrotation, got {got}")
        channel = Channel(*kind_and_axis, column=first_column + place)
        if any(channel[:2] == other[:2] for other in channels):
            text.fail(f"CHANNELS of joint {name!r}: expected each channel once, got {quoted(token)} twice")
        channels.append(channel)
    return tuple(channels)
