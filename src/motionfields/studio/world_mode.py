"""World mode of a session: the world of its pages, and whether a pilot or the user steers its characters.

Steering needs numba, without which characters can still be played. So it is imported where it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import MotionFieldsError
from motionfields.base.world import Goal, Reach, Room, Start, World, format_room, parse_room
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Velocity
from motionfields.runtime import Controller, Crowd
from motionfields.studio import messages as m
from motionfields.studio.history import Steered

if TYPE_CHECKING:
    from motionfields.authoring.worlds import Futures
    from motionfields.studio.navigation import Navigation

ROOM: Final = Room((-10.0, -10.0, 10.0, 10.0), radius=0.25)
LARGEST_ROOM: Final = 60.0  # metres, longest side; maps of larger ones are late
APART: Final = 1.6  # metres between characters that are moved to free places


class WorldMode:
    """The world of a session, and its pilot while characters find their way by themselves."""

    def __init__(self) -> None:
        self.world = World(ROOM)
        self.navigation: Navigation | None = None  # None while the user steers
        self.hand: tuple[float, float] | None = None  # heading and speed at which the user steers the selected one
        self._futures: dict[str, Futures] = {}  # by task name
        self.state = self._state()  # for the pages; another object after every change

    def knows(self, task: str) -> bool:
        """Return whether the futures of the controller for `task` are known."""
        return task in self._futures

    def learn(self, task: str, futures: Futures, controller: Controller) -> None:
        """Keep the `futures` of the `controller` for `task`; raise ValueError if they belong to another one."""
        futures.check_controller(controller)
        self._futures[task] = futures

    def start(self, task: str, crowd: Crowd, *, seed: int) -> None:
        """Hand `crowd` to a pilot; characters outside the room or in an obstacle are moved to free places."""
        if not self.knows(task):
            raise MotionFieldsError("world: the futures of this controller are not known yet")
        from motionfields.studio.navigation import Navigation

        room = self.world.room
        self.navigation = Navigation(self._futures[task], self.world, crowd.count, seed=seed)
        where = crowd.followers.position.copy()
        lost = np.flatnonzero(room.clearance(where) < room.radius)
        if len(lost):
            x0, z0, x1, z1 = room.bounds
            middle = np.array([0.5 * (x0 + x1), 0.5 * (z0 + z1)])
            where[lost] = self.free_places(middle, np.delete(where, lost, axis=0), len(lost))
            crowd.place(slice(None), where, crowd.ground.facing)
        self.hand = None
        self.state = self._state()

    def leave(self) -> None:
        """Let the user steer."""
        self.navigation, self.hand = None, None
        self.state = self._state()

    def free_places(self, centre: FloatArray, taken: FloatArray, count: int) -> FloatArray:
        """Return free places [count, 2] in the world, nearest to `centre` [2] first, away from `taken` [n, 2]."""
        assert self.navigation is not None
        others = taken if len(taken) else np.full((1, 2), 1e6)
        return self.navigation.free_places(centre, others, count, APART)

    def build(self, text: str) -> None:
        """Replace the obstacles by those of a room file; raise `FormatError` or ValueError if the file is invalid."""
        room = parse_room(text.encode(), path="room")
        x0, z0, x1, z1 = room.bounds
        if max(x1 - x0, z1 - z0) > LARGEST_ROOM:
            raise ValueError(f"room: expected at most {LARGEST_ROOM:g} m along each side in the studio")
        self.world = World(room, self.world.movers, self.world.starts, self.world.goals)
        if self.navigation is not None:
            self.navigation.set_room(room)
        self.state = self._state()

    def order(self, what: str, selected: int, crowd: Crowd) -> None:
        """Tell everyone what to do, see `Navigation.order`."""
        if self.navigation is None:
            raise ValueError("order: expected characters in a world; enter it first")
        self.navigation.order(what, selected, crowd.ground)
        self.state = self._state()

    def send(self, message: m.Go, selected: int, crowd: Crowd) -> None:
        """Send the `selected` character, or everyone, to a place."""
        assert self.navigation is not None
        if message.everyone and self.navigation.orders != "go":
            self.order("go", selected, crowd)
        who = list(range(crowd.count)) if message.everyone else [selected]
        self.navigation.send(who, message.x, message.z, crowd.ground)

    def steer(self, selected: int, hand: tuple[float, float] | None) -> None:
        """Let the user steer the `selected` character by heading and speed; None lets it stand, and avoid others."""
        assert self.navigation is not None
        if self.hand is None and hand is not None:
            self.navigation.let_go(selected)
        self.hand = hand

    def commands(self, selected: int, crowd: Crowd) -> FloatArray:
        """Return the commands [n, 2] of the next frame."""
        assert self.navigation is not None
        commands = self.navigation.commands(crowd)
        if self.hand is not None:
            commands[selected] = self.hand
            self.navigation.pilot.take_over(selected, *self.hand)
        return commands

    def steered(self) -> Steered | None:
        """Return what steered the characters of the last frame; None if the user did."""
        if self.navigation is None:
            return None
        pilot = self.navigation.pilot
        fresh = pilot.decision if pilot.decision is not None and pilot.decision.frame == pilot.frame - 1 else None
        return Steered(pilot, self.navigation.world, fresh)

    def goal(self, selected: int, commands: FloatArray) -> m.Goal:
        """Return the goal of the `selected` character, as the page displays it."""
        assert self.navigation is not None
        heading, speed = commands[selected].tolist()
        x, z = self.navigation.slots[selected].tolist()
        if not np.isfinite(x) or (self.navigation.pilot.reached[selected] and speed == 0.0):
            return m.Goal("stand" if speed == 0.0 else "heading", 0.0, 0.0, heading, speed)
        return m.Goal("point", x, z, heading, speed)

    def walks(self) -> m.Walks | None:
        """Return where characters are going; None if the user steers."""
        if self.navigation is None:
            return None
        from motionfields.studio.plan_reasons import walks

        return walks(self.navigation.pilot, self.navigation.world, self.navigation.slots, self.navigation.time)

    def saved(self, crowd: Crowd) -> World:
        """Return the world with the present places of `crowd` as starts, and their goals if all have a place to go."""
        if self.navigation is None:
            return self.world
        ground, slots = crowd.ground, self.navigation.slots
        facings = ground.facing.tolist()
        starts = tuple(Start(x, z, yaw) for (x, z), yaw in zip(ground.position.tolist(), facings, strict=True))
        goals = tuple(Reach(x, z) for x, z in slots.tolist()) if np.isfinite(slots).all() else ()
        return World(self.world.room, self.world.movers, starts, goals)

    def set_goals(self, goals: tuple[Goal, ...]) -> None:
        """Give the characters the `goals` of a world file."""
        assert self.navigation is not None
        for i, goal in enumerate(goals[: self.navigation.count]):
            self.navigation.set_goal(i, goal)

    def _state(self) -> m.WorldState:
        orders = "go" if self.navigation is None else self.navigation.orders
        return m.WorldState(self.navigation is not None, format_room(self.world.room).decode(), orders)


def can_navigate(controller: Controller) -> bool:
    """Return whether characters of `controller` can find their way through worlds."""
    return (
        isinstance(controller, FieldController)
        and isinstance(controller.task, Velocity)
        and controller.policy is not None
    )
