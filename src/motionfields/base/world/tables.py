"""Obstacles of many worlds in arrays of one shape, for batches of characters that are each alone in one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.checks import LARGEST, check_indices, checked_count, checked_number
from motionfields.base.geometry import turn_over_ground
from motionfields.base.world.sensors import DepthScan, Nearest, nearest_numbers, pyramid, scan_each
from motionfields.base.world.worlds import World

NOWHERE: Final = 1e5  # metres: place of obstacles that a world lacks
MOST_NUMBERS: Final = 100_000_000  # of the paths of all moving obstacles


class Around(NamedTuple):
    """Obstacles around characters [n], each in its own world at its own time."""

    blocks: FloatArray  # [n, m, 6]
    velocity: FloatArray  # [n, m, 2], m/s
    bounds: FloatArray  # [n, 4]
    radius: FloatArray  # [n], metres, of the bodies


class WorldTables:
    """Blocks of `worlds` for `frames` frames of `frame_time` seconds, after which moving obstacles stand.

    Frame 0 is `start` seconds after the start of the worlds.
    """

    def __init__(self, worlds: Sequence[World], frames: int, frame_time: float, *, start: float = 0.0) -> None:
        frames, frame_time = checked_count("frames", frames), checked_number("frame_time", frame_time, 1e-6)
        if not worlds:
            raise ValueError("worlds: expected at least one")
        standing = max(len(world.room.obstacles) for world in worlds)
        moving = max(len(world.movers) for world in worlds)
        if len(worlds) * (frames + 1) * max(moving, 1) * 6 > MOST_NUMBERS:
            raise ValueError("worlds: too many moving obstacles for this time; use fewer worlds")
        self.worlds, self.frame_time = tuple(worlds), frame_time
        away = np.array([NOWHERE, NOWHERE, 0.0, 0.0, 0.0, 0.0])
        self._standing = np.tile(away, (len(worlds), standing, 1))  # [world, obstacle, 6]
        self._moving = np.tile(away, (len(worlds), frames + 1, moving, 1))  # [world, frame, mover, 6]
        times = checked_number("start", start) + np.arange(frames + 1) * frame_time
        for number, world in enumerate(worlds):
            self._standing[number, : len(world.room.obstacles)] = world.room.blocks()
            self._moving[number, :, : len(world.movers)] = world.mover_blocks(times)
        self._bounds = np.array([world.room.bounds for world in worlds])
        self._radius = np.array([world.room.radius for world in worlds])

    def around(self, world: IntArray, frame: IntArray) -> Around:
        """Return the obstacles of the worlds number `world` [n] at `frame` [n]."""
        world = check_indices("world", world, len(self.worlds))
        frame = np.minimum(check_indices("frame", frame, int(LARGEST)), self._moving.shape[1] - 2)
        if world.ndim != 1 or frame.shape != world.shape:
            raise ValueError(f"world, frame: expected one of each, got shapes {world.shape} and {frame.shape}")
        moving, later = self._moving[world, frame], self._moving[world, frame + 1]
        blocks = np.concatenate([self._standing[world], moving], axis=1)
        velocity = np.zeros((*blocks.shape[:2], 2))
        velocity[:, self._standing.shape[1] :] = (later - moving)[..., :2] / self.frame_time
        return Around(blocks, velocity, self._bounds[world], self._radius[world])


def clearances(around: Around, position: FloatArray) -> FloatArray:
    """Return the distance [n] in metres of bodies at `position` [n, 2] to the nearest obstacle or side."""
    sides = np.minimum(position - around.bounds[:, :2], around.bounds[:, 2:] - position).min(axis=1)
    gaps = block_gaps(around.blocks, position).min(axis=1, initial=np.inf)
    return np.asarray(np.minimum(gaps, sides) - around.radius)


def block_gaps(blocks: FloatArray, position: FloatArray) -> FloatArray:
    """Return the signed distance [n, m] in metres from `position` [n, 2] to each of `blocks` [n, m, 6]."""
    off = np.abs(turn_over_ground(position[:, np.newaxis] - blocks[..., :2], -blocks[..., 4])) - blocks[..., 2:4]
    outside = np.hypot(np.maximum(off[..., 0], 0.0), np.maximum(off[..., 1], 0.0))
    return np.asarray(outside + np.minimum(off.max(axis=-1), 0.0) - blocks[..., 5])


def sensed(sensor: DepthScan | Nearest, around: Around, position: FloatArray, facing: FloatArray) -> FloatArray:
    """Return what characters at `position` [n, 2] and `facing` [n] sense, [n, `sensed_size`].

    For a depth scan these are its readings, and for each ray the speed in m/s at which the seen surface comes nearer by
    its own motion; for `Nearest` its numbers.
    """
    if isinstance(sensor, Nearest):
        gaps = block_gaps(around.blocks, position)
        return nearest_numbers(sensor, around.blocks, around.velocity, gaps, position, facing)
    count, angles = len(position), sensor.angles
    depth, hit = np.empty((count, sensor.rays)), np.empty((count, sensor.rays), np.int64)
    blocks, places, headings = (np.ascontiguousarray(part) for part in (around.blocks, position, facing))
    scan_each(blocks, around.bounds, places, headings, angles, sensor.reach, depth, hit)
    moved = np.concatenate([around.velocity, np.zeros((count, 2, 2))], axis=1)  # the last two: the side, and nothing
    seen = np.take_along_axis(moved, hit[..., np.newaxis] % moved.shape[1], axis=1)
    headings = facing[:, np.newaxis] + angles
    closing = -(seen[..., 0] * np.sin(headings) + seen[..., 1] * np.cos(headings))
    return np.concatenate([pyramid(depth) if sensor.pyramid else depth, closing], axis=1)


def sensed_size(sensor: DepthScan | Nearest) -> int:
    """Return how many numbers `sensed` returns for each character."""
    return sensor.size if isinstance(sensor, Nearest) else sensor.size + sensor.rays
