"""Messages between the server and the page; this module is their only definition.

A message is one binary WebSocket frame of MessagePack: a map whose field `type` is the class name in lower case.
`scripts/build_studio` writes the same definitions for TypeScript. Lengths are metres, angles radians, times seconds, in
the package's world frame: y up, facing +z at yaw 0, positive yaw to the left. Arrays are sent as raw bytes, row-major
and little-endian; a comment beside each field gives its type and shape.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from motionfields.studio.costume_messages import Costume, Vector

VERSION = 1  # of the protocol; the page refuses a server with another version
MOST_BYTES = 64 * 1024  # longest message from a client
MOST_CHARACTERS = 200
HISTORY_SECONDS = 30.0
LONGEST_ROOM = 40_000  # characters of a room file
PLAN_PLACES = 9  # places of a plan, the first of them where it was made
ROTATION_UNIT = 32767  # integer that represents 1.0 in a quaternion component

Real = Annotated[float, Meta(ge=-1e9, le=1e9)]  # for client input: always finite, since NaN fails the bounds
RealVector = tuple[Real, Real, Real]
Count = Annotated[int, Meta(ge=1, le=MOST_CHARACTERS)]
Character = Annotated[int, Meta(ge=0, lt=MOST_CHARACTERS)]
Number = Annotated[int, Meta(ge=0, lt=2**53)]  # frame number


class Message(Struct, tag=str.lower, tag_field="type", frozen=True, forbid_unknown_fields=True):
    """Base class of all messages."""


# From the server.


class Part(Struct, frozen=True):
    """Part of the body: a capsule in the frame of one joint."""

    joint: int
    name: str  # "pelvis", "spine", "neck", "upper arm", "forearm", "hand", "thigh", "shank" or "foot"
    side: str  # "left", "right" or ""
    start: Vector
    end: Vector
    radius: float


class TaskInfo(Struct, frozen=True):
    """Task that the character can do."""

    name: str  # "direction", "line", "velocity" or a custom task
    command_names: list[str]
    top_speed: float  # m/s; 0 if the task has no speed command
    agility: float = 0.5  # with which the controller was trained here; 0.5 unless the user chose another
    worlds: bool = False  # whether characters can find their way through worlds


class ClipInfo(Struct, frozen=True):
    """Clip of the database: its states run from `start` up to the start of the next clip."""

    name: str
    start: int


class CharacterMessage(Message, frozen=True):
    """Facts about the character in every first message."""

    version: int
    title: str
    frame_time: float
    joint_names: list[str]
    parents: list[int]  # parent of each joint, -1 for the root
    offsets: list[Vector]  # offset of each joint from its parent
    parts: list[Part]
    feet: tuple[int, int]  # joints whose parts are highlighted while the left and the right foot are planted


class Finding(Struct, frozen=True):
    """A motion that the data does not allow, and advice on what to capture or change."""

    text: str
    advice: str


class Hello(CharacterMessage, frozen=True):
    """Static facts about the character and its tasks; the first message, sent again whenever the tasks change."""

    tasks: list[TaskInfo]
    clips: list[ClipInfo]
    can_push: bool  # whether the physics engine is installed
    source_foot: float  # m/s, of the supporting foot, mean over the source clips, for comparison
    source_spin: float  # rad/s, of the supporting foot about the vertical, mean over the source clips
    source_twist: float  # rad, of the torso against the pelvis, mean over the source clips
    source_jerk: float  # m/s3, mean over the source clips
    findings: list[Finding]  # of a survey of the data; empty until it ends, then this message is sent again
    costume: Costume | None = None  # None for the plain body


class Preparing(Message, frozen=True):
    """Progress while there is no character yet."""

    doing: str  # current step, in words
    share: float  # share of the preparation that is done, 0 to 1


class Status(Message, frozen=True):
    """State of the simulation controls; sent whenever it changes."""

    task: str
    count: int
    selected: int  # the selected character
    paused: bool
    speed: float  # playback speed: 1 is real time
    pace: float  # m/s, the speed commanded at full steering
    oldest: int  # number of the oldest frame in the history
    newest: int  # number of the newest frame
    taken: int  # frames in the take so far
    taking: bool  # whether a take is being recorded
    compared: list[
        str
    ] = []  # while methods are compared, the task name of each character's controller; otherwise empty


class Goal(Struct, frozen=True):
    """Current goal of the selected character."""

    kind: str  # "heading", "point", "line" or "stand"
    x: float  # world position of the point, or of a point on the line
    z: float
    heading: float  # desired facing
    speed: float  # m/s


class BallState(Struct, frozen=True):
    """Ball in the air."""

    position: Vector
    radius: float


class PushState(Struct, frozen=True):
    """Push that is acting, or the hit of a ball."""

    character: int
    joint: int
    point: Vector  # point of action, in the frame of the joint
    force: Vector  # newtons, in the world frame; for a hit, its impulse divided by the frame time


class Figures(Struct, frozen=True):
    """Measures of the selected character at one frame."""

    facing: float
    error: float  # desired facing minus facing, positive to the left, (-pi, pi]
    response: float  # seconds since the goal changed, or the response time once the goal is reached
    answered: bool  # whether the facing has come within 5 degrees of the goal since the goal changed
    speed: float  # m/s over the ground
    foot: float  # m/s, ground speed of the supporting foot
    spin: float  # rad/s, yaw speed of the supporting foot
    twist: float  # rad, of the torso against the pelvis
    replayed: float  # share of the turning frames of the last second that show moments of the data again
    jerk: float  # m/s3, mean over the joints
    distance: float  # to the nearest database state, over the median spacing of the data


class Walks(Struct, frozen=True):
    """Plans and goals of the characters in a world, at one frame."""

    plans: bytes  # float32 [character, PLAN_PLACES, 2], world x and z of the plan that each follows
    goals: bytes  # float32 [character, 2], world x and z; NaN for characters without a place to go to
    reached: bytes  # uint8 [character], whether it has arrived
    movers: bytes  # float32 [mover, 6], moving obstacles: x, z, half extents, yaw, radius of rounded corners


class Frame(Message, frozen=True):
    """One frame of the simulation; a past frame is sent again as the same message."""

    number: int
    time: float  # seconds of simulated time
    task: str
    selected: int
    roots: bytes  # float64 [character, 3], world positions of the roots
    rotations: bytes  # int16 [character, joint, 4], wxyz times 32767; world_from_root, then parent_from_joint
    planted: bytes  # uint8 [character, 2], whether the left and the right foot are planted
    states: bytes  # int32 [character], current database state of each character
    variants: bytes  # uint8 [character], variant of the root motion: 0 captured, 1 warped (with an extra turn)
    headings: bytes  # float32 [character], commanded heading; NaN if the task has no heading command
    goal: Goal
    balls: list[BallState]
    pushes: list[PushState]
    figures: Figures
    walks: Walks | None = None  # None outside worlds


class Neighbor(Struct, frozen=True):
    """One of the database states nearest to the displayed state."""

    state: int
    distance: float  # over the median spacing of the data
    weight: float  # similarity weight, eq. 2 of the paper


class Action(Struct, frozen=True):
    """Action available at this frame: follow the database state `state`."""

    state: int
    variant: int  # of the root motion: 0 captured, 1 warped (with an extra turn)
    distance: float  # from the current state to that state, over the median spacing of the data
    reward: float
    cost: float  # smoothness cost of the transition
    future: float  # discounted state value after the action
    score: float  # reward - cost + future: the character follows the highest


class Ghosts(Struct, frozen=True):
    """Poses to draw as translucent bodies around the character."""

    roots: bytes  # float64 [ghost, 3]
    rotations: bytes  # int16 [ghost, joint, 4]


class Reasons(Message, frozen=True):
    """Decision of one character that led to the frame `number`: its neighbours, action values and state values."""

    number: int
    character: int
    state: int  # database state before the decision
    variant: int  # its variant of the root motion
    chosen: int  # the state that the character followed; the frame shows the state after it
    chosen_variant: int
    params: list[float]  # task parameters, in the order of `param_names`
    param_names: list[str]
    neighbors: list[Neighbor]  # database states nearest to the displayed state, nearest first
    action_count: int  # number of available actions
    actions: list[Action]  # the best actions, best first: the first was followed
    headings: list[float]  # goal directions, as angles to the left of the facing
    values: list[float]  # state value before the decision, for a goal in each direction of `headings`
    neighbor_ghosts: Ghosts  # poses of `neighbors`, in their order
    action_ghosts: Ghosts  # poses that `actions` lead to, in their order


class WorldState(Message, frozen=True):
    """World that characters walk through; sent whenever it changes."""

    on: bool  # whether characters find their way by themselves
    room: str  # text of a room file, see `motionfields.base.world`
    orders: str  # "go", "cross", "wander" or "chase"


class PlanScore(Struct, frozen=True):
    """One of the plans of a character, with its costs in seconds."""

    heading: float  # to the left of the facing
    speed: float  # m/s
    total: float  # the sum of the costs; the plan with the least is followed
    arrive: float  # time to the goal, or the cost of being away from it
    near: float  # of coming near to something
    hit: float  # of collisions
    turn: float  # of a change of heading
    change: float  # of a change of speed, and of standing on
    gap: float  # metres, least distance beyond body and margin; negative for a collision
    when: float  # seconds until then
    blocker: int  # what comes nearest: a character, -1 standing, -2 moving obstacle, -3 nothing


class PlanReasons(Message, frozen=True):
    """Decision of one character in a world: all futures that it compared."""

    number: int  # of the frame that was asked about
    character: int
    decided: int  # frame of its last decision up to then
    chosen: int  # which of `plans` it follows
    goal: str  # "reach", "through", "follow", "hold" or "avoid"
    place: tuple[float, float]  # metres, where it decided
    facing: float
    plans: list[PlanScore]
    places: bytes  # float32 [plan, PLAN_PLACES, 2], world x and z of the futures
    rays: bytes  # float32 [ray], metres to the first thing in equal directions, from behind over the right to the left


class Making(Message, frozen=True):
    """Progress of a controller that is being made beside the session; an empty `doing` ends it."""

    doing: str  # current step, in words
    share: float  # share that is done, 0 to 1


class Refused(Message, frozen=True):
    """Notice that a message of this client was not carried out."""

    reason: str


# From a client.


class Steer(Message, frozen=True):
    """Walk in the world direction (x, z); its length, at most 1, is the share of the pace. (0, 0) stops steering."""

    x: Real
    z: Real


class Go(Message, frozen=True):
    """Walk to a point on the ground. In a world, everyone gets a place of their own around it."""

    x: Real
    z: Real
    everyone: bool = True  # in a world; False sends the selected character alone


class Follow(Message, frozen=True):
    """Follow the line on the ground through the point (x, z) in the direction `heading`."""

    x: Real
    z: Real
    heading: Real


class Pace(Message, frozen=True):
    """Set the speed in m/s that is commanded at full steering."""

    speed: Real


class Push(Message, frozen=True):
    """Push a part of a body."""

    character: Character
    joint: int
    point: RealVector  # in the frame of the joint
    force: RealVector  # newtons, in the world frame
    duration: Annotated[float, Meta(gt=0.0, le=2.0)] = 0.1


class Throw(Message, frozen=True):
    """Throw a ball."""

    position: RealVector
    velocity: RealVector


class Gather(Message, frozen=True):
    """Resize the crowd to `count` characters."""

    count: Count


class Select(Message, frozen=True):
    """Select a character."""

    character: Character


class Do(Message, frozen=True):
    """Switch to another task."""

    task: str


class Compare(Message, frozen=True):
    """Move one character by each controller with the commands of the current one, side by side; or end that."""

    on: bool


class Clock(Message, frozen=True):
    """Pause or resume, and set the playback speed (1 is real time)."""

    paused: bool
    speed: Annotated[float, Meta(ge=0.05, le=2.0)] = 1.0


class Step(Message, frozen=True):
    """Pause and advance by one frame."""


class Enter(Message, frozen=True):
    """Let characters find their way through the world, or steer them by hand again."""

    on: bool


class Build(Message, frozen=True):
    """Replace the obstacles of the world."""

    room: Annotated[str, Meta(max_length=LONGEST_ROOM)]  # text of a room file


class Order(Message, frozen=True):
    """Tell everyone in the world what to do: go where they are sent, cross, wander, or chase the selected character."""

    what: Literal["go", "cross", "wander", "chase"]


class Look(Message, frozen=True):
    """Request the frame `number` again, clamped to the oldest and newest ones in the history."""

    number: Number


class Ask(Message, frozen=True):
    """Request the `Reasons` of a character for the frame `number`."""

    number: Number
    character: Character


class AskPlan(Message, frozen=True):
    """Request the `PlanReasons` of a character for the frame `number`."""

    number: Number
    character: Character


class Take(Message, frozen=True):
    """Start or stop recording a take of the selected character; the server offers it as `take.bvh` and `take.glb`."""

    on: bool


class Load(Message, frozen=True):
    """Go on with files that the page has sent: a controller, or a field or takes to train a controller on."""

    files: Annotated[list[str], Meta(min_length=1, max_length=500)]
    task: str = "direction"  # to train for, unless a controller is among the files


class Retrain(Message, frozen=True):
    """Train the current task again with another agility, and switch to the result."""

    agility: Annotated[float, Meta(ge=0.0, le=1.0)]


FromServer = Hello | Preparing | Status | Frame | Reasons | WorldState | PlanReasons | Making | Refused
Steering = Steer | Go | Follow | Pace | Push | Throw | Gather | Select | Do | Enter | Build | Order
FromClient = Steering | Compare | Clock | Step | Look | Ask | AskPlan | Take | Load | Retrain

encode = msgspec.msgpack.Encoder().encode
_decoder: msgspec.msgpack.Decoder[FromClient] = msgspec.msgpack.Decoder(FromClient)


def decode(data: bytes) -> FromClient:
    """Decode a client message from `data`; raise `msgspec.MsgspecError` if it is not valid."""
    try:
        return _decoder.decode(data)
    except (RecursionError, UnicodeDecodeError) as error:
        raise msgspec.DecodeError(str(error)) from None
