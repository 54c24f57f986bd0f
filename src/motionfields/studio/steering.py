"""From what the user wants to the commands of a task: one wish, told to every character in its own terms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import heading_vector, yaw_of_vector
from motionfields.control.tasks import Ground, Task
from motionfields.studio.messages import Goal

KNOWN_COMMANDS = frozenset({"heading", "speed", "point_x", "point_z"})
CLOSE = 0.6  # metres from a point at which it counts as reached
SLOWING = 0.8  # of the speed for each metre that is left


@dataclass(frozen=True, eq=False)
class Wish:
    """What the characters were last told."""

    kind: str  # "heading", "point" or "line"
    heading: float = 0.0  # radians, of a heading or a line
    point: tuple[float, float] = (0.0, 0.0)  # world x and z, of a point or a line
    share: float = 1.0  # of the pace, 0 to 1


class Steering:
    """The wish of the user, and what follows from it for each of `count` characters.

    Tasks that follow lines are given one through where each character was when it was told: along the heading, or
    to the point. A character that reached its point keeps its heading, and stands if its task lets it.
    """

    def __init__(self, task: Task, ground: Ground) -> None:
        self.pace = top_speed(task)
        self.begin(task, ground)

    def begin(self, task: Task, ground: Ground) -> None:
        """Steer characters at `ground` by the commands of `task`, on in the direction that they face on average."""
        self.task = task
        self.pace = min(self.pace, top_speed(task)) or top_speed(task)
        ahead = heading_vector(ground.facing).mean(axis=0)
        self.tell(Wish("heading", heading=float(yaw_of_vector(ahead))), ground)

    def tell(self, wish: Wish, ground: Ground) -> None:
        """Follow `wish` from now on."""
        self.wish = wish
        self._start = ground.position.copy()
        self._headings = np.full(len(ground.facing), wish.heading)
        if wish.kind == "point":
            self._headings = yaw_over_ground(np.array(wish.point) - ground.position)

    def let_go(self, ground: Ground) -> None:
        """Ask for no speed any more; those who cannot stand go on as they were told."""
        if self.wish.kind == "heading":
            self.tell(Wish("heading", heading=self.wish.heading, share=0.0), ground)

    def commands(self, ground: Ground) -> FloatArray:
        """What the characters at `ground` [n] are told at this frame: [n, column] as the task's `command_names` say."""
        speeds = np.full(len(ground.facing), self.wish.share * self.pace)
        points = self._start
        if self.wish.kind == "line":
            points = np.broadcast_to(np.array(self.wish.point), points.shape)
        elif self.wish.kind == "point":
            way = np.array(self.wish.point) - ground.position
            distance = np.linalg.norm(way, axis=-1)
            far = distance > CLOSE
            self._headings = np.where(far, yaw_over_ground(way), self._headings)
            speeds = np.where(far, np.minimum(speeds, SLOWING * distance), 0.0)
        columns = {"heading": self._headings, "speed": speeds, "point_x": points[:, 0], "point_z": points[:, 1]}
        return np.stack([columns[name] for name in self.task.command_names], axis=-1)

    def goal(self, character: int, commands: FloatArray) -> Goal:
        """What `character` is told by `commands` [n, column], in the words of the page."""
        names = self.task.command_names
        told = dict(zip(names, commands[character].tolist(), strict=True))
        kind = self.wish.kind
        if told.get("speed", 1.0) == 0.0:
            kind = "stand"
        elif "point_x" in told:
            kind = "line"
        x, z = (told["point_x"], told["point_z"]) if "point_x" in told else self.wish.point
        return Goal(kind, x, z, told.get("heading", 0.0), told.get("speed", 0.0))


def check_commands(task: Task) -> None:
    """ValueError unless the studio can steer by all commands of `task`."""
    unknown = [name for name in task.command_names if name not in KNOWN_COMMANDS]
    if unknown:
        raise ValueError(
            f"task: the studio steers by {', '.join(sorted(KNOWN_COMMANDS))}; "
            f"{type(task).__name__} wants {', '.join(unknown)} too"
        )


def yaw_over_ground(way: FloatArray) -> FloatArray:
    """The yaw [...] of `way` [..., 2], world x and z."""
    return np.arctan2(way[..., 0], way[..., 1])


def top_speed(task: Task) -> float:
    """The highest speed in m/s that can be commanded; 0 where none can."""
    if "speed" not in task.command_names:
        return 0.0
    return next((float(axis.nodes[-1]) for axis in task.axes if axis.name == "speed"), 0.0)
