"""A crowd: characters that take commands and move, the same code for one and for thousands."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionfields.arrays import BoolArray, FloatArray, IntArray
from motionfields.database import MotionState
from motionfields.field import MotionField
from motionfields.flow import chances
from motionfields.moves import Moves
from motionfields.planting import FootPlanter, PlantingSettings
from motionfields.runtime.follower import Followers, Shown, Steps, displace, follow, followers_from
from motionfields.runtime.pushable import Pushable
from motionfields.tasks import Ground, Task

# Quicker turns than passive synthesis makes: the root follows its planted feet later, and feet are let go sooner.
PLANTING = PlantingSettings(
    root_time=0.5,
    root_haste=1.0,
    lock_lead=0.007,
    release_lead=0.06,
    stop_time=0.058,
    fade_time=0.35,
    clearance_time=0.1,
    heel_hold=0.25,
)

STANDS = 0.5  # the contact vote from which a foot is on the ground


class Frame(NamedTuple):
    """One frame of a crowd."""

    root_position: FloatArray  # [n, 3], metres
    rotations: FloatArray  # [n, joint, 4], as in a `Clip`
    planted: BoolArray  # [n, 2], whether the left and the right foot are held in place
    rows: IntArray  # [n], the state of the data that each character is at
    ways: IntArray  # [n], how it came there: 0 as captured, 1 warped


Mind = tuple[NDArray[Any], ...]
"""What characters keep in mind from frame to frame besides where they are: arrays [n, ...], as the controller wants."""


class Outlook(NamedTuple):
    """What characters think of their choices at one frame."""

    rows: IntArray  # [n, choice], the states that they may follow
    rewards: FloatArray  # [n, choice, way], what the task pays for it
    costs: FloatArray  # [n, choice, way], what the change costs
    futures: FloatArray  # [n, choice, way], the discounted value of the state it leads to
    scores: FloatArray  # [n, choice, way], all of it; the highest is followed, and -inf is no choice


class Controller(Protocol):
    """Whatever decides which state of the data each character follows next; `testing.check_controller` checks one."""

    @property
    def field(self) -> MotionField:
        """The motion that is followed."""
        ...

    @property
    def task(self) -> Task:
        """What commands mean."""
        ...

    @property
    def moves(self) -> Moves:
        """How each state moves a character."""
        ...

    @property
    def half_lives(self) -> tuple[float, float]:
        """The half-lives in seconds of the springs that spread a change of pose, and of the root's place."""
        ...

    @property
    def starts(self) -> IntArray:
        """The states of the data that characters may begin at."""
        ...

    def mind(self, count: int) -> Mind:
        """What `count` characters that have just begun keep in mind."""
        ...

    def decide(self, followers: Followers, mind: Mind, params: FloatArray) -> tuple[Steps, Mind]:
        """How the characters `followers` [n] go on for one frame under the task parameters `params` [n, axis].

        Also what they keep in mind then. Nothing that is given is changed.
        """
        ...

    def outlook(self, followers: Followers, mind: Mind, params: FloatArray) -> Outlook:
        """What they think of their choices in that frame, for people to look at."""
        ...

    def prospects(self, followers: Followers, mind: Mind, params: FloatArray) -> FloatArray | None:
        """The value [n] of where they are for `params` [n, axis]; None for a controller without values."""
        ...

    def crowd(self, count: int = 1, *, seed: int = 0, plant: bool = True) -> Crowd:
        """`count` characters, at states drawn by `seed`; `plant` holds their feet in place while they stand."""
        ...


class Crowd(Pushable):
    """Characters of one controller. What each does depends on itself alone: the same bits in a crowd of any size."""

    def __init__(self, controller: Controller, count: int, *, seed: int = 0, plant: bool = True) -> None:
        field = controller.field
        super().__init__(field, count)
        self.controller = controller
        self.plant = plant
        drawn = np.floor(chances(seed, np.arange(count), 0) * len(controller.starts)).astype(np.int64)
        self.followers = Followers.at(field.database, controller.starts[drawn])
        self.mind = controller.mind(count)
        self._planter = crowd_planter(field)
        self._planting = self._planter.start(count)

    @property
    def ground(self) -> Ground:
        """Where the characters are and which way they face, once what they show has caught up with what they follow."""
        followers = self.followers
        return Ground(followers.position, followers.yaw + self.controller.moves.facing[followers.row])

    def start_from(self, state: MotionState, characters: IntArray | BoolArray | slice = slice(None)) -> None:
        """Let `characters` go on from the states `state`, one for each, whatever poses and velocities they are."""
        controller = self.controller
        nearest = controller.field.neighbors(state, 1).indices[:, 0]
        fresh = followers_from(controller.field.database, state, nearest)
        self.followers = self.followers.copy()
        for track, new in zip(self.followers, fresh, strict=True):
            track[characters] = new
        chosen = np.arange(self.count)[characters]
        self.mind = tuple(np.array(track) for track in self.mind)
        for track, new in zip(self.mind, controller.mind(len(chosen)), strict=True):
            track[chosen] = new
        self._planting = self._planting.restarted(chosen)
        self._stop_pushes(chosen)

    def hand_over(self, controller: Controller) -> None:
        """Let another `controller` of the same data move the characters from where they are."""
        self.controller = controller
        self.mind = controller.mind(self.count)
        known = np.minimum(self.followers.way, controller.moves.way_count - 1)  # it may not know warps
        self.followers = self.followers._replace(way=known)

    def resized(self, count: int, *, seed: int = 0) -> Crowd:
        """A crowd of `count`: the first go on as they are here, the others are at the origin, in states by `seed`."""
        crowd = Crowd(self.controller, count, seed=seed, plant=self.plant)
        kept = min(count, self.count)
        tracks = (*crowd.followers, *crowd.mind, *crowd._planting)
        for track, old in zip(tracks, (*self.followers, *self.mind, *self._planting), strict=True):
            track[:kept] = old[:kept]
        crowd.balls = list(self.balls)
        if self._pushes is not None:
            crowd.pushes = self._pushes.resized(count)
        return crowd

    def place(self, characters: slice, position: FloatArray, facing: float) -> None:
        """Put `characters` at `position` [m, 2], world x and z in metres, facing the yaw `facing` in radians."""
        followers = self.followers = self.followers.copy()
        followers.position[characters] = position
        followers.yaw[characters] = facing - self.controller.moves.facing[followers.row[characters]]
        self._planting = self._planting.restarted(np.arange(self.count)[characters])

    def params(self, commands: ArrayLike) -> FloatArray:
        """The task parameters [n, axis] of the characters as they stand, were they told `commands` (see `step`)."""
        task = self.controller.task
        return task.params(checked_commands(task, commands, self.count), self.ground)

    def step(self, commands: ArrayLike) -> Frame:
        """One frame on: every character hears its command, decides and moves.

        `commands` are [n, column] as the task's `command_names` say; [n] where there is one column, or what fits all.
        """
        controller = self.controller
        steps, self.mind = controller.decide(self.followers, self.mind, self.params(commands))
        self.followers, poses = follow(
            self.field.database, controller.moves, self.followers, steps, half_lives=controller.half_lives
        )
        frame = self._planted(poses, self._push_on(poses))
        self._end_frame(frame.root_position, frame.rotations)
        return frame

    def _push_on(self, shown: Shown) -> FloatArray | None:
        """Let pushes move what is `shown`, in place; how far they move each root over the ground, [n, 2] metres."""
        pushed = self._moved_by_pushes()
        if not len(pushed):
            return None
        was, now = shown.take(pushed), shown.take(pushed)
        self.pushes.move(pushed, *now, self.field.state_votes[self.followers.row[pushed]] >= STANDS)
        displace(self.field.database, self.followers, pushed, was, now)
        shown.root_position[pushed], shown.rotations[pushed] = now
        root_push = np.zeros((self.count, 2))
        root_push[pushed] = (now.root_position - was.root_position)[:, ::2]
        return root_push

    def _planted(self, shown: Shown, root_push: FloatArray | None) -> Frame:
        self.unplanted = shown
        row, way = self.followers.row, self.followers.way
        if not self.plant:
            return Frame(*shown, np.zeros((self.count, 2), np.bool_), row, way)
        votes = self.field.state_votes[row]
        posed = self._planter.step(self._planting, *shown, contact_votes=votes, root_push=root_push)
        self._planting = posed.state
        self.followers.position[:] += posed.root_shift[:, ::2]
        self._keep_in_range(shown, posed.rotations)
        return Frame(posed.root_position, posed.rotations, posed.locked, row, way)


def crowd_planter(field: MotionField) -> FootPlanter:
    """What holds the feet of a crowd that feeds the planter's shifts back to its characters."""
    frame_time = field.database.frame_time
    return FootPlanter(
        field.database.skeleton, field.stance, frame_time=frame_time, settings=PLANTING, carries_shift=False
    )


def checked_commands(task: Task, commands: ArrayLike, count: int) -> FloatArray:
    """`commands` for `count` characters as [n, column], float64; ValueError says what `task` wants instead."""
    names = task.command_names
    given = np.asarray(commands, dtype=np.float64)
    if given.ndim < 2 and len(names) == 1:
        given = given[..., np.newaxis]
    try:
        table = np.broadcast_to(given, (count, len(names)))
    except ValueError:
        raise ValueError(
            f"commands: expected [{count}, {len(names)}] ({', '.join(names)}), got shape {given.shape}"
        ) from None
    if not np.isfinite(table).all():
        raise ValueError("commands: expected finite numbers")
    return table
