"""What the server and the page say to each other: every message is defined here, and nowhere else.

A message is one binary WebSocket frame of MessagePack: a map with the field `type`, its class's name in lower case.
`scripts/build_studio` writes the same definitions for TypeScript. Lengths are metres, angles radians, times seconds, in
the world of the package: y up, facing +z at yaw 0, positive yaw to the left. Arrays travel as their bytes, row by row,
little-endian; their types are named beside them.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

VERSION = 1  # of the messages; the page refuses to talk to another one
MOST_BYTES = 64 * 1024  # of a message from a client
MOST_CHARACTERS = 200
HISTORY_SECONDS = 30.0
ROTATION_UNIT = 32767  # what stands for 1.0 in a rotation

Vector = tuple[float, float, float]
Real = Annotated[float, Meta(ge=-1e9, le=1e9)]  # from outside: finite, since no NaN is within bounds
RealVector = tuple[Real, Real, Real]
Count = Annotated[int, Meta(ge=1, le=MOST_CHARACTERS)]
Character = Annotated[int, Meta(ge=0, lt=MOST_CHARACTERS)]
Number = Annotated[int, Meta(ge=0, lt=2**53)]  # of a frame


class Message(Struct, tag=str.lower, tag_field="type", frozen=True, forbid_unknown_fields=True):
    """What all messages are."""


# From the server.


class Part(Struct, frozen=True):
    """A part of the body: a capsule in the frame of one joint."""

    joint: int
    name: str  # "pelvis", "spine", "neck", "upper arm", "forearm", "hand", "thigh", "shank" or "foot"
    side: str  # "left", "right" or ""
    start: Vector
    end: Vector
    radius: float


class TaskInfo(Struct, frozen=True):
    """A task that the character can do."""

    name: str  # "direction", "line", "velocity" or one of the user's own
    command_names: list[str]
    top_speed: float  # m/s; 0 where speed is not commanded


class ClipInfo(Struct, frozen=True):
    """A clip of the data: its states are the rows from `start` on, up to those of the next clip."""

    name: str
    start: int


class Hello(Message, frozen=True):
    """The first message, and again whenever the character or its tasks change: all that stays as it is."""

    version: int
    title: str
    frame_time: float
    joint_names: list[str]
    parents: list[int]  # of each joint, -1 for the root
    offsets: list[Vector]  # of each joint from its parent
    parts: list[Part]
    feet: tuple[int, int]  # the joints whose parts light up when the left and the right foot are planted
    tasks: list[TaskInfo]
    clips: list[ClipInfo]
    can_push: bool  # whether the physics engine is installed
    source_skate: float  # m/s: the mean over the captured clips, for comparison
    source_jerk: float  # m/s3


class Preparing(Message, frozen=True):
    """There is no character yet; what is being done."""

    doing: str
    share: float  # of all that is to be done, 0 to 1


class Status(Message, frozen=True):
    """How the simulation is run; sent whenever it changes."""

    task: str
    count: int
    selected: int  # the character that is looked at
    paused: bool
    speed: float  # of time: 1 is as captured
    pace: float  # m/s that steering asks for
    oldest: int  # the first frame that can be looked back at
    newest: int
    taken: int  # frames of the take so far
    taking: bool


class Goal(Struct, frozen=True):
    """What the selected character is told."""

    kind: str  # "heading", "point", "line" or "stand"
    x: float  # world place of a point, or of a point on a line
    z: float
    heading: float  # the desired facing
    speed: float  # m/s


class BallState(Struct, frozen=True):
    """A ball in the air."""

    position: Vector
    radius: float


class PushState(Struct, frozen=True):
    """A push that acts, or the hit of a ball."""

    character: int
    joint: int
    point: Vector  # where it acts, in the frame of the joint
    force: Vector  # newtons, in the world; of a hit, what its impulse is over one frame


class Figures(Struct, frozen=True):
    """Measures of the selected character at one frame."""

    facing: float
    error: float  # from the facing to the desired one, to the left, (-pi, pi]
    response: float  # seconds since the goal last changed, or that the answer took once it came
    answered: bool  # whether the facing came within 5 degrees since the goal changed
    speed: float  # m/s over the ground
    skate: float  # m/s over the ground of planted feet
    jerk: float  # m/s3, mean over the joints
    distance: float  # to the nearest state of the data, over the data's spacing


class Frame(Message, frozen=True):
    """One frame of the simulation, as it was; the same message when it is looked back at."""

    number: int
    time: float  # of the simulation
    task: str
    selected: int
    roots: bytes  # float64 [character, 3], world places of the roots
    rotations: bytes  # int16 [character, joint, 4], wxyz times 32767; world_from_root, then parent_from_joint
    planted: bytes  # uint8 [character, 2], whether the left and the right foot are held
    states: bytes  # int32 [character], the states of the data that they are at
    variants: bytes  # uint8 [character], 1 where the state is followed with an extra turn
    headings: bytes  # float32 [character], the facing that each is told to have
    goal: Goal
    balls: list[BallState]
    pushes: list[PushState]
    figures: Figures


class Neighbor(Struct, frozen=True):
    """One of the most similar moments of the data."""

    state: int
    distance: float  # over the data's spacing
    weight: float  # similarity weight, eq. 2 of the paper


class Action(Struct, frozen=True):
    """One thing the character could do at this frame: follow `state` of the data."""

    state: int
    variant: int  # 1 with an extra turn
    distance: float  # of that state from the one it is at, over the data's spacing
    reward: float
    cost: float  # in smoothness
    future: float  # the discounted value of where it leads
    score: float  # reward - cost + future: the highest is followed


class Ghosts(Struct, frozen=True):
    """Poses to show beside the character."""

    roots: bytes  # float64 [ghost, 3]
    rotations: bytes  # int16 [ghost, joint, 4]


class Reasons(Message, frozen=True):
    """Why one character went on as it did: the decision that led to the frame `number`."""

    number: int
    character: int
    state: int  # that it was at
    variant: int
    chosen: int  # the state it followed; the frame shows the one after that
    chosen_variant: int
    params: list[float]  # of the task, in the order of `param_names`
    param_names: list[str]
    neighbors: list[Neighbor]  # the moments most like what it did, nearest first
    action_count: int  # that were weighed
    actions: list[Action]  # the best, best first: the first was followed
    headings: list[float]  # angles to the left of the facing
    values: list[float]  # of the state it was at, were the goal there
    neighbor_ghosts: Ghosts  # in the order of `neighbors`
    action_ghosts: Ghosts  # where each of `actions` leads, in their order


class Refused(Message, frozen=True):
    """A message of this client was not carried out."""

    reason: str


# From a client.


class Steer(Message, frozen=True):
    """Go in the world direction (x, z); its length, at most 1, is the share of the pace. (0, 0) lets go."""

    x: Real
    z: Real


class Go(Message, frozen=True):
    """Go to a point on the ground."""

    x: Real
    z: Real


class Follow(Message, frozen=True):
    """Follow the line on the ground through the point (x, z) in the direction `heading`."""

    x: Real
    z: Real
    heading: Real


class Pace(Message, frozen=True):
    """The speed in m/s that full steering asks for."""

    speed: Real


class Push(Message, frozen=True):
    """Push a part of a body."""

    character: Character
    joint: int
    point: RealVector  # in the frame of the joint
    force: RealVector  # newtons, in the world
    duration: Annotated[float, Meta(gt=0.0, le=2.0)] = 0.1


class Throw(Message, frozen=True):
    """Throw a ball."""

    position: RealVector
    velocity: RealVector


class Gather(Message, frozen=True):
    """Let the crowd be so many characters."""

    count: Count


class Select(Message, frozen=True):
    """Look at a character."""

    character: Character


class Do(Message, frozen=True):
    """Do another task."""

    task: str


class Clock(Message, frozen=True):
    """Pause or go on, at a speed of time."""

    paused: bool
    speed: Annotated[float, Meta(ge=0.05, le=2.0)] = 1.0


class Step(Message, frozen=True):
    """Pause, and go one frame on."""


class Look(Message, frozen=True):
    """Send the frame `number` again, or the oldest or newest one where it is out of reach."""

    number: Number


class Ask(Message, frozen=True):
    """Send the reasons for what a character did at the frame `number`."""

    number: Number
    character: Character


class Take(Message, frozen=True):
    """Begin a new take of the selected character, or end it; it is at `take.bvh` beside the page."""

    on: bool


FromServer = Hello | Preparing | Status | Frame | Reasons | Refused
FromClient = Steer | Go | Follow | Pace | Push | Throw | Gather | Select | Do | Clock | Step | Look | Ask | Take

encode = msgspec.msgpack.Encoder().encode
_decoder: msgspec.msgpack.Decoder[FromClient] = msgspec.msgpack.Decoder(FromClient)


def decode(data: bytes) -> FromClient:
    """The message of a client in `data`; `msgspec.MsgspecError` says what is wrong with it."""
    try:
        return _decoder.decode(data)
    except (RecursionError, UnicodeDecodeError) as error:
        raise msgspec.DecodeError(str(error)) from None
