"""Conversion of the user's steering into task commands: one wish of the user becomes a command for each character."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import heading_vector, yaw_of_vector
from motionfields.control.tasks import Ground, Task
from motionfields.studio.messages import Goal

KNOWN_COMMANDS = frozenset({"heading", "speed", "facing", "point_x", "point_z"})
CLOSE = 0.6  # metres; a point nearer than this counts as reached
SLOWING = 0.8  # 1/s; near a point, the speed is at most this times the distance left


@dataclass(frozen=True, eq=False)
class Wish:
    """Last steering input of the user, for all characters."""

    kind: str  # "heading", "point" or "line"
    heading: float = 0.0  # radians, of a heading or a line
    point: tuple[float, float] = (0.0, 0.0)  # world x and z, of a point or a line
    share: float = 1.0  # of the pace, 0 to 1


class Steering:
    """The wish of the user, and the commands that follow from it for each character.

    For tasks that follow lines, a heading or point becomes a line through the position of each character at the time of
    the wish, along the heading or to the point. A character that has reached its point keeps its heading, and stands if
    its task allows it.
    """

    def __init__(self, task: Task, ground: Ground) -> None:
        self.pace = top_speed(task)
        self.begin(task, ground)

    def begin(self, task: Task, ground: Ground) -> None:
        """Switch to the commands of `task`; the characters at `ground` continue in their mean facing direction."""
        self.task = task
        self.pace = min(self.pace, top_speed(task)) or top_speed(task)
        ahead = heading_vector(ground.facing).mean(axis=0)
        self.tell(Wish("heading", heading=float(yaw_of_vector(ahead))), ground)

    def tell(self, wish: Wish, ground: Ground) -> None:
        """Replace the current wish by `wish`, starting from `ground`."""
        self.wish = wish
        self._start = ground.position.copy()
        self._headings = np.full(len(ground.facing), wish.heading)
        if wish.kind == "point":
            self._headings = yaw_over_ground(np.array(wish.point) - ground.position)

    def let_go(self, ground: Ground) -> None:
        """Set the speed of a heading wish to zero; characters whose task has no speed command keep walking."""
        if self.wish.kind == "heading":
            self.tell(Wish("heading", heading=self.wish.heading, share=0.0), ground)

    def commands(self, ground: Ground) -> FloatArray:
        """Return the commands [n, column] of the characters at `ground` [n], in the order of `task.command_names`."""
        speeds = np.full(len(ground.facing), self.wish.share * self.pace)
        points = self._start
        if self.wish.kind == "line":
            points = np.broadcast_to(np.array(self.wish.point), points.shape)
        elif self.wish.kind == "point":
            offset = np.array(self.wish.point) - ground.position
            distance = np.linalg.norm(offset, axis=-1)
            far = distance > CLOSE
            self._headings = np.where(far, yaw_over_ground(offset), self._headings)
            speeds = np.where(far, np.minimum(speeds, SLOWING * distance), 0.0)
        columns = {"heading": self._headings, "speed": speeds, "point_x": points[:, 0], "point_z": points[:, 1]}
        columns["facing"] = self._headings  # the user steers one direction, so characters face where they go
        return np.stack([columns[name] for name in self.task.command_names], axis=-1)

    def goal(self, character: int, commands: FloatArray) -> Goal:
        """Return the goal of `character` from `commands` [n, column], as the page displays it."""
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
    """Raise ValueError unless the studio can provide all commands of `task`."""
    unknown = [name for name in task.command_names if name not in KNOWN_COMMANDS]
    if unknown:
        raise ValueError(
            f"task: expected commands among {', '.join(sorted(KNOWN_COMMANDS))}, which the studio can steer; "
            f"{type(task).__name__} also needs {', '.join(unknown)}"
        )


def yaw_over_ground(way: FloatArray) -> FloatArray:
    """Return the yaw [...] in radians of the ground direction `way` [..., 2], world x and z."""
    return np.arctan2(way[..., 0], way[..., 1])


def top_speed(task: Task) -> float:
    """Return the highest speed in m/s that can be commanded; 0 if the task has no speed command."""
    if "speed" not in task.command_names:
        return 0.0
    return next((float(axis.nodes[-1]) for axis in task.axes if axis.name == "speed"), 0.0)
