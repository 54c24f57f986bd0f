"""Other ways to steer, behind the interface of `Pilot`, to compare with: each gives a velocity, and the body follows.

"straight" heads for the goal, "potential" is pushed away by obstacles, "orca" is reciprocal collision avoidance, and
"sampled" scores straight lines as `Pilot` scores futures, as if a body could take any velocity at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, Literal

import numpy as np

from motionfields.authoring.worlds.futures import Futures, quantised
from motionfields.authoring.worlds.maps import GroundGrid
from motionfields.authoring.worlds.neighbours import NEAREST, find_nearest
from motionfields.authoring.worlds.orca import avoid_line, best_velocity
from motionfields.authoring.worlds.pilot import Avoid, Manner, Pilot
from motionfields.authoring.worlds.rolling import SAMPLES
from motionfields.authoring.worlds.steering import GOAL_X, GOAL_Z, HOLD, MOST_MOVERS, Numbers, Scene, Walkers, to_go
from motionfields.base.arrays import FloatArray, IntArray, read_only
from motionfields.base.compiled import kernel, lean_kernel
from motionfields.base.world import Goal, Room, World

RIVALS: Final = ("straight", "potential", "orca", "sampled")
STRAIGHT, POTENTIAL, ORCA = range(3)
SEEN: Final = 4.0  # metres within which obstacles count
MOST: Final = NEAREST + 2 * MOST_MOVERS  # obstacles that one takes account of
SECONDS: Final = 2.0  # of `orca` without a collision
PUSHED: Final = 1.2  # metres within which `potential` is pushed away


class RivalPilot(Pilot):
    """Steers by one of `RIVALS`, with the same maps, goals and neighbours as `Pilot`."""

    def __init__(
        self,
        method: Literal["straight", "potential", "orca", "sampled"],
        futures: Futures,
        world: World | Room,
        goals: Sequence[Goal] | None = None,
        **options: Any,
    ) -> None:
        if method not in RIVALS:
            raise ValueError(f"method: expected one of {', '.join(RIVALS)}, got {method!r:.40}")
        self.method, self._unit = method, futures.unit
        if method != "sampled":  # cheap enough to decide in every frame, and better for it
            options = {"manner": Manner(every=1), "avoid": Avoid(margin=0.1), **options}
        super().__init__(futures, world, goals, plans="seen", **options)
        self._blocks = read_only(self.world.room.blocks())

    def _motion(self) -> tuple[IntArray, FloatArray]:
        if self.method != "sampled":
            return super()._motion()
        heading, speed = self.futures.commands.T
        times = self.futures.sample_seconds * (np.arange(SAMPLES) + 1.0)
        way = np.stack([np.sin(heading), np.cos(heading)], axis=-1) * speed[:, np.newaxis]
        steps, self._unit = quantised((way[:, np.newaxis] * times[:, np.newaxis])[np.newaxis])
        return read_only(np.ascontiguousarray(steps)), self.futures.commands

    def _numbers(self) -> Numbers:
        return super()._numbers()._replace(unit=self._unit)

    def _run(self, scene: Scene, walkers: Walkers) -> None:
        if self.method == "sampled":
            super()._run(scene, walkers)
            return
        rates = (scene.movers[1] - scene.movers[0]) / self.futures.sample_seconds
        here = np.ascontiguousarray(scene.movers[0])
        method = RIVALS.index(self.method)
        numbers = self._numbers()
        steer_velocities(method, numbers, self.grid, scene, walkers, self._blocks, here, rates, self._velocity)
        heading = self._command[:, 0] - walkers.facing
        self._plan[walkers.due] = self.futures.nearest_plan(heading, self._command[:, 1])[walkers.due]


@kernel
def steer_velocities(
    method: int,
    numbers: Numbers,
    grid: GroundGrid,
    scene: Scene,
    walkers: Walkers,
    blocks: FloatArray,
    movers: FloatArray,
    rates: FloatArray,
    velocity: FloatArray,
) -> None:
    """Fill the commands of all characters that are due.

    `blocks` [obstacle, 6] stand, `movers` [mover, 6] change by `rates` a second, and `velocity` [n, 2] in m/s is that
    of the characters.
    """
    near, squares = np.empty(NEAREST, np.int64), np.empty(NEAREST)
    points, lines, projected = np.empty((MOST, 6)), np.empty((MOST, 4)), np.empty((MOST, 4))
    chosen = np.empty(2)
    for i in range(len(walkers.state)):
        if not walkers.due[i]:
            continue
        x, z = walkers.position[i, 0], walkers.position[i, 1]
        way_x, way_z = _wanted_way(grid, scene, walkers, i)
        count = _points(blocks, np.zeros((len(blocks), 6)), x, z, numbers.radius, points, 0)
        count = _points(movers, rates, x, z, numbers.radius, points, count)
        for k in range(find_nearest(walkers.position, scene.heads, scene.following, i, near, squares)):
            if count < len(points):
                j = near[k]
                points[count, 0], points[count, 1] = walkers.position[j, 0] - x, walkers.position[j, 1] - z
                points[count, 2] = 2.0 * numbers.radius
                points[count, 3], points[count, 4], points[count, 5] = velocity[j, 0], velocity[j, 1], 0.5
                count += 1
        chosen[0], chosen[1] = way_x * numbers.top, way_z * numbers.top
        if method == POTENTIAL:
            _potential(points, count, way_x, way_z, numbers.top, chosen)
        elif method == ORCA:
            own = (velocity[i, 0], velocity[i, 1])
            for k in range(count):
                other, reach = (points[k, 3], points[k, 4]), points[k, 2] + numbers.margin
                avoid_line(points[k, 0], points[k, 1], reach, own, other, SECONDS, points[k, 5], lines[k])
            best_velocity(lines, count, numbers.top, (chosen[0], chosen[1]), projected, chosen)
        speed = math.hypot(chosen[0], chosen[1])
        if speed > 0.02 * numbers.top:
            walkers.command[i, 0] = math.atan2(chosen[0], chosen[1])
        walkers.command[i, 1] = speed


@lean_kernel
def _wanted_way(grid: GroundGrid, scene: Scene, walkers: Walkers, i: int) -> tuple[float, float]:
    """Return the unit vector down the map of the goal of character `i`, or straight to it; 0 if it has arrived."""
    x, z, goal = walkers.position[i, 0], walkers.position[i, 1], walkers.goal[i]
    if walkers.kind[i] == HOLD:
        return 0.0, 0.0
    dx, dz = goal[GOAL_X] - x, goal[GOAL_Z] - z
    if walkers.way[i] >= 0 and math.hypot(dx, dz) > 1.0:
        kind, way, off = walkers.kind[i], walkers.way[i], 0.3
        down_x = to_go(grid, scene, goal, kind, way, x - off, z) - to_go(grid, scene, goal, kind, way, x + off, z)
        down_z = to_go(grid, scene, goal, kind, way, x, z - off) - to_go(grid, scene, goal, kind, way, x, z + off)
        if math.hypot(down_x, down_z) > 1e-3:
            dx, dz = down_x, down_z
    size = max(math.hypot(dx, dz), 1e-9)
    return dx / size, dz / size


@lean_kernel
def _points(
    blocks: FloatArray, rates: FloatArray, x: float, z: float, radius: float, points: FloatArray, count: int
) -> int:
    """Append the nearest points of `blocks` as discs; columns of `points`: offset, reach, velocity, own share."""
    for k in range(len(blocks)):
        block = blocks[k]
        sine, cosine = math.sin(block[4]), math.cos(block[4])
        dx, dz = x - block[0], z - block[1]
        u = min(max(cosine * dx - sine * dz, -block[2]), block[2])
        w = min(max(cosine * dz + sine * dx, -block[3]), block[3])
        off_x, off_z = block[0] + cosine * u + sine * w - x, block[1] + cosine * w - sine * u - z
        if count < len(points) and math.hypot(off_x, off_z) < SEEN + block[5]:
            points[count, 0], points[count, 1], points[count, 2] = off_x, off_z, radius + block[5]
            points[count, 3], points[count, 4], points[count, 5] = rates[k, 0], rates[k, 1], 1.0
            count += 1
    return count


@lean_kernel
def _potential(points: FloatArray, count: int, way_x: float, way_z: float, top: float, out: FloatArray) -> None:
    """Fill `out` [2] with the velocity of a potential field: drawn by the goal, pushed off and along obstacles."""
    vx, vz = way_x, way_z
    for k in range(count):
        far = max(math.hypot(points[k, 0], points[k, 1]), 1e-9)
        gap = far - points[k, 2]
        if gap < PUSHED:
            push = 1.5 * math.exp(-max(gap, 0.0) / 0.3)
            off_x, off_z = -points[k, 0] / far, -points[k, 1] / far
            side = 1.0 if way_x * off_z - way_z * off_x > 0.0 else -1.0
            vx += push * (off_x - 0.5 * side * off_z)
            vz += push * (off_z + 0.5 * side * off_x)
    size = max(math.hypot(vx, vz), 1e-9)
    speed = min(1.0, size) * top
    out[0], out[1] = vx / size * speed, vz / size * speed
