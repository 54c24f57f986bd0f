"""Messages between the server and the page that plans motion; `motionfields.studio.messages` describes the format.

Rooms and strokes are sent as the texts of their JSON files (see `motionfields.base.world` and
`motionfields.authoring.sketch`).
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from motionfields.studio.messages import CharacterMessage, Message, Number, Preparing, Refused, encode

MOST_PLANS = 5  # of one request, the cheapest included
MOST_PLACES = 32
LONGEST_TEXT = 40_000  # characters of a room, and of strokes in a message with a room
LONGEST_SEARCH = 60.0  # seconds

Coordinate = Annotated[float, Meta(ge=-1e4, le=1e4)]
Angle = Annotated[float, Meta(ge=-100.0, le=100.0)]
Time = Annotated[float, Meta(ge=0.0, le=1e5)]
Place = tuple[Coordinate, Coordinate]
Places = Annotated[list[Place], Meta(max_length=MOST_PLACES)]
Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Seconds = Annotated[float, Meta(ge=0.0, le=LONGEST_SEARCH)]


# From the server.


class PlanScene(CharacterMessage, frozen=True):
    """Static facts about the character and its room; the first message."""

    room: str  # to start with
    start: tuple[float, float]  # to start with
    goal: tuple[float, float]  # to start with
    drawable: list[int]  # joints that strokes are usually drawn for: root, head, hands and feet


class Searching(Message, frozen=True):
    """Progress of the request `revision`."""

    revision: int
    rank: int  # plan that is sought, 0 for the cheapest
    seconds: float  # since this search began
    cost: float | None  # seconds, of the best motion so far
    bound: float  # seconds
    expanded: int  # states
    open: bytes  # float32 [n, 2], places that the search may go on from
    closed: bytes  # float32 [m, 2], other places that it has reached


class FitInfo(Struct, frozen=True):
    """Distances of a motion from one stroke, in metres."""

    joint: str
    mean: float
    p95: float
    reached: float  # share of its frames within 3 cm


class Planned(Message, frozen=True):
    """One motion for the request `revision`."""

    revision: int
    rank: int  # 0 for the best
    number: int  # for downloads and changes
    roots: bytes  # float64 [frame, 3]
    rotations: bytes  # int16 [frame, joint, 4], as in `Frame`
    planted: bytes  # uint8 [frame, 2]
    cost: float  # seconds
    bound: float | None  # seconds; None for sketches
    step_count: int
    clearance: float  # metres, least distance of the root to an obstacle
    fits: list[FitInfo]  # of strokes; empty for plans
    strokes: str  # with the times at which they are followed; empty for plans
    limits: list[str]  # shortcomings of the motion, in words


class Finished(Message, frozen=True):
    """No other motion of the request `revision` follows."""

    revision: int


# From a client. A newer request of the same page replaces the one under way.


class PlanTo(Message, frozen=True):
    """Plan motions to a place."""

    revision: Number
    room: Text
    start: Place
    start_facing: Angle
    to: Place
    facing: Angle | None = None
    through: Places = msgspec.field(default_factory=list)
    within: Seconds = 1.0
    count: Annotated[int, Meta(ge=1, le=MOST_PLANS)] = 1


class Draw(Message, frozen=True):
    """Find a motion that follows strokes; the room only serves to report the clearance."""

    revision: Number
    room: Text
    strokes: Text


class Redraw(Message, frozen=True):
    """Replace the plan `number` between two times by a motion through places."""

    revision: Number
    room: Text
    number: Number
    begin: Time
    end: Time
    through: Places = msgspec.field(default_factory=list)
    within: Seconds = 1.0


FromPlanner = PlanScene | Preparing | Searching | Planned | Finished | Refused
ToPlanner = PlanTo | Draw | Redraw

__all__ = ["FromPlanner", "ToPlanner", "decode", "encode"]

_decoder: msgspec.msgpack.Decoder[ToPlanner] = msgspec.msgpack.Decoder(ToPlanner)


def decode(data: bytes) -> ToPlanner:
    """Decode a client message from `data`; raise `msgspec.MsgspecError` if it is not valid."""
    try:
        return _decoder.decode(data)
    except (RecursionError, UnicodeDecodeError) as error:
        raise msgspec.DecodeError(str(error)) from None
