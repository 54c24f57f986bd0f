"""Messages between the server and the page that composes motion; `motionfields.studio.messages` describes the format.

A timeline is sent as the text of its JSON file (see `motionfields.authoring.compose.timeline`).
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from motionfields.studio.messages import CharacterMessage, Message, Number, Preparing, Refused, encode

MOST_MOTIONS = 5  # alternatives of one request, the best included
LONGEST_TIMELINE = 60_000  # characters

Time = Annotated[float, Meta(ge=0.0, le=1e5)]
Text = Annotated[str, Meta(max_length=1024)]


# From the server.


class LabelInfo(Struct, frozen=True):
    """Label of the data."""

    name: str
    seconds: float  # for which the data is known to show it, mirror images included


class TakeInfo(Struct, frozen=True):
    """Take of the data, or its mirror image."""

    name: str
    seconds: float


class Scene(CharacterMessage, frozen=True):
    """Static facts about the character and its data; the first message, sent again after answers about pieces."""

    labels: list[LabelInfo]
    takes: list[TakeInfo]
    timeline: str  # to start with


class Working(Message, frozen=True):
    """Progress of the request `revision`."""

    revision: int
    doing: str  # current step, in words
    share: float  # share of the work for the next motion that is done, 0 to 1


class PieceInfo(Struct, frozen=True):
    """Uninterrupted part of a take in a motion."""

    start: float  # seconds in the motion
    end: float
    take: str
    take_start: float  # seconds in the take
    mirrored: bool
    labels: list[str]  # wanted labels that the piece is used for


class MissedInfo(Struct, frozen=True):
    """Goal that not all of its frames meet."""

    label: str
    wanted: bool
    share: float  # of its frames that meet it
    reason: str
    runs: list[tuple[float, float]]  # stretches that fail, seconds


class Motion(Message, frozen=True):
    """One composed motion for the request `revision`."""

    revision: int
    rank: int  # 0 for the best, then in the order in which they were found
    last: bool  # whether no other motion of the request follows
    number: int  # for downloads and answers
    roots: bytes  # float64 [frame, 3]
    rotations: bytes  # int16 [frame, joint, 4], as in `Frame`
    planted: bytes  # uint8 [frame, 2]
    cost: float
    labels_met: float  # share of the asked frames
    shift_share: float  # warp of the root motion, as a share of the distance travelled
    pieces: list[PieceInfo]
    missed: list[MissedInfo]


class SourcePose(Message, frozen=True):
    """Pose of a source frame, at the origin, facing +z."""

    take: str
    time: float
    roots: bytes  # float64 [1, 3]
    rotations: bytes  # int16 [1, joint, 4]


# From a client.


class Compose(Message, frozen=True):
    """Compose motions for a timeline; a newer request of the same page replaces this one."""

    revision: Number
    timeline: Annotated[str, Meta(max_length=LONGEST_TIMELINE)]
    count: Annotated[int, Meta(ge=1, le=MOST_MOTIONS)] = 1
    forced: bool = False  # meet places whatever warp that needs


class Judge(Message, frozen=True):
    """Say whether the motion `number` is right to show `label` from `start` up to `end` seconds."""

    number: Number
    start: Time
    end: Time
    label: Text
    right: bool


class Peek(Message, frozen=True):
    """Request the pose of `take` at `time` seconds."""

    take: Text
    time: Time


FromComposer = Scene | Preparing | Working | Motion | SourcePose | Refused
ToComposer = Compose | Judge | Peek

__all__ = ["FromComposer", "ToComposer", "decode", "encode"]

_decoder: msgspec.msgpack.Decoder[ToComposer] = msgspec.msgpack.Decoder(ToComposer)


def decode(data: bytes) -> ToComposer:
    """Decode a client message from `data`; raise `msgspec.MsgspecError` if it is not valid."""
    try:
        return _decoder.decode(data)
    except (RecursionError, UnicodeDecodeError) as error:
        raise msgspec.DecodeError(str(error)) from None
