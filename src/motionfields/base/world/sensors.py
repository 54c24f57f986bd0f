"""Sensors: depth to whatever a character sees around it, and explicit numbers of the nearest obstacles.

Depth has real occlusion: a ray ends at the first obstacle, side of the room or other body. Scans, and their pyramid
of coarser resolutions, follow equations 6.2 to 6.5 of the thesis of Wan-Yen Lo.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.checks import checked_count, checked_number, checked_numbers
from motionfields.base.compiled import kernel, lean_kernel
from motionfields.base.geometry import turn_over_ground
from motionfields.base.world.rooms import LARGEST, block_distance
from motionfields.base.world.worlds import World

MOST_RAYS: Final = 4096
SIDE: Final = -1  # number of the side of a room, where a ray ends at one
NOTHING: Final = -2  # where a ray ends at nothing within reach
NEAREST_SIZE: Final = 6  # numbers of one obstacle of `Nearest`
MOMENT: Final = 1e-3  # seconds over which velocities of moving obstacles are measured


class Seen(NamedTuple):
    """Depth scans of characters [n]."""

    depth: FloatArray  # [n, ray], metres, at most the reach
    closing: FloatArray  # [n, ray], m/s at which the seen surface comes nearer by its own motion; 0 where nothing moves
    hit: IntArray  # [n, ray], index of the block that the ray ends at, or `SIDE`, or `NOTHING`


@dataclass(frozen=True)
class DepthScan:
    """Scanner of `rays` directions, evenly spread over `span` radians about the facing, from the right to the left.

    Depths are in metres and at most `reach`. With `pyramid`, a reading is followed by its coarser versions down to one
    number, in which each number is the lesser of two of the finer version; `rays` is then a power of two.
    """

    rays: int = 32
    span: float = 2.0 * math.pi
    reach: float = 6.0
    pyramid: bool = True

    def __post_init__(self) -> None:
        checked_count("rays", self.rays, 1)
        checked_number("span", self.span, 1e-3, 2.0 * math.pi)
        checked_number("reach", self.reach, 0.1, LARGEST)
        if self.rays > MOST_RAYS:
            raise ValueError(f"rays: expected at most {MOST_RAYS}, got {self.rays}")
        if self.pyramid and self.rays & (self.rays - 1):
            raise ValueError(f"rays: expected a power of two with `pyramid`, got {self.rays}")

    @property
    def size(self) -> int:
        """Length of a reading."""
        return 2 * self.rays - 1 if self.pyramid else self.rays

    @property
    def angles(self) -> FloatArray:
        """Directions [ray] in radians to the left of the facing."""
        return np.asarray(self.span * ((np.arange(self.rays) + 0.5) / self.rays - 0.5))

    def look(
        self,
        world: World,
        places: FloatArray,
        facing: FloatArray,
        *,
        time: float = 0.0,
        bodies: FloatArray | None = None,
    ) -> Seen:
        """Return what characters at `places` [n, 2] (metres), `facing` [n] (radians), see of `world` at `time` seconds.

        `bodies` [m, 2] are the places of characters that are seen as well; a body at the observer's own place is not.
        """
        places, facing = _checked_characters(places, facing)
        blocks, velocity = world_blocks(world, time)
        first = len(blocks)
        if bodies is not None:
            bodies = checked_numbers("bodies", bodies, shape=(None, 2))
            discs = np.zeros((len(bodies), 6))
            discs[:, :2], discs[:, 5] = bodies, world.room.radius
            blocks = np.concatenate([blocks, discs])
            velocity = np.concatenate([velocity, np.zeros((len(bodies), 2))])
        depth, hit = np.empty((len(places), self.rays)), np.empty((len(places), self.rays), np.int64)
        bounds = np.array(world.room.bounds)
        scan(blocks, bounds, first, places, facing, self.angles, self.reach, depth, hit)
        headings = facing[:, np.newaxis] + self.angles
        moved = np.concatenate([velocity, np.zeros((2, 2))])[hit]  # the last two are of the side and of nothing
        closing = -(moved[..., 0] * np.sin(headings) + moved[..., 1] * np.cos(headings))
        return Seen(depth, closing, hit)

    def readings(self, seen: Seen) -> FloatArray:
        """Return the depths [n, size] of `seen`, with the coarser versions if this has a pyramid."""
        return pyramid(seen.depth) if self.pyramid else seen.depth


def pyramid(depth: FloatArray) -> FloatArray:
    """Return `depth` [..., n] and its coarser versions [..., 2 n - 1], finest first, for a power of two n (eq. 6.5)."""
    levels = [depth]
    while levels[-1].shape[-1] > 1:
        finer = levels[-1]
        levels.append(np.minimum(finer[..., ::2], finer[..., 1::2]))
    return np.concatenate(levels, axis=-1)


@dataclass(frozen=True)
class Nearest:
    """Distance, size and velocity of the `count` nearest obstacles within `reach` metres, including hidden ones.

    Each obstacle has six numbers: its distance in metres, its nearest point to the left and ahead, its size (the radius
    of the circle around it), and its velocity to the left and ahead. A missing obstacle is at `reach`, and otherwise 0.
    Without `ordered`, these are the first `count` obstacles of the world in its own order, those that stand before
    those that move, however near they are (eq. 6.1 of the thesis).
    """

    count: int = 4
    reach: float = 6.0
    ordered: bool = True

    def __post_init__(self) -> None:
        checked_count("count", self.count, 1)
        checked_number("reach", self.reach, 0.1, LARGEST)

    @property
    def size(self) -> int:
        """Length of a reading."""
        return NEAREST_SIZE * self.count

    def readings(self, world: World, places: FloatArray, facing: FloatArray, *, time: float = 0.0) -> FloatArray:
        """Return the numbers [n, size] for characters at `places` [n, 2] (metres) and `facing` [n] (radians)."""
        places, facing = _checked_characters(places, facing)
        blocks, velocity = (np.tile(part, (len(places), 1, 1)) for part in world_blocks(world, time))
        gaps = [block_distance(places, block) for block in blocks[0]] if len(places) else []
        table = np.stack(gaps, axis=-1) if gaps else np.zeros((len(places), 0))
        return nearest_numbers(self, blocks, velocity, table, places, facing)


def _checked_characters(places: FloatArray, facing: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return `places` [n, 2] and `facing` [n] as the loops take them; ValueError if they are none."""
    places = checked_numbers("places", places, shape=(None, 2))
    return np.ascontiguousarray(places), np.ascontiguousarray(checked_numbers("facing", facing, shape=(len(places),)))


def nearest_numbers(
    sensor: Nearest, blocks: FloatArray, velocity: FloatArray, gaps: FloatArray, places: FloatArray, facing: FloatArray
) -> FloatArray:
    """Return the numbers [n, size] of `sensor` for characters each with `blocks` [n, m, 6] at `gaps` [n, m] metres.

    `velocity` [n, m, 2] is that of the blocks in m/s, `places` [n, 2] and `facing` [n] are those of the characters.
    """
    out = np.zeros((len(places), sensor.count, NEAREST_SIZE))
    out[..., 0] = sensor.reach
    keys = gaps if sensor.ordered else np.zeros_like(gaps)
    chosen, every = np.argsort(keys, axis=1, kind="stable")[:, : sensor.count], np.arange(len(places))
    for k in range(chosen.shape[1]):
        rows = chosen[:, k]
        gap, block = gaps[every, rows], blocks[every, rows]
        found = np.stack(
            [
                gap,
                *turn_over_ground(_nearest_points(places, block) - places, -facing).T,
                np.hypot(block[:, 2], block[:, 3]) + block[:, 5],
                *turn_over_ground(velocity[every, rows], -facing).T,
            ],
            axis=-1,
        )
        out[:, k] = np.where((gap < sensor.reach)[:, np.newaxis], found, out[:, k])
    return out.reshape(len(places), -1)


def world_blocks(world: World, time: float) -> tuple[FloatArray, FloatArray]:
    """Return the blocks [m, 6] of standing and moving obstacles of `world` at `time`, and their velocity [m, 2]."""
    time = checked_number("time", time)
    now, later = world.mover_blocks(np.array([time, time + MOMENT]))
    standing = world.room.blocks()
    velocity = np.concatenate([np.zeros((len(standing), 2)), (later - now)[:, :2] / MOMENT])
    return np.concatenate([standing, now]), velocity


def _nearest_points(places: FloatArray, blocks: FloatArray) -> FloatArray:
    """Return the point [n, 2] of each of `blocks` [n, 6] that is nearest to its place of `places` [n, 2]."""
    own = turn_over_ground(places - blocks[:, :2], -blocks[:, 4])
    core = blocks[:, :2] + turn_over_ground(np.clip(own, -blocks[:, 2:4], blocks[:, 2:4]), blocks[:, 4])
    off = places - core
    far = np.maximum(np.hypot(*off.T), 1e-9)
    return np.asarray(core + off * np.minimum(1.0, blocks[:, 5] / far)[:, np.newaxis])


@kernel
def scan(
    blocks: FloatArray,
    bounds: FloatArray,
    first: int,
    places: FloatArray,
    facing: FloatArray,
    angles: FloatArray,
    reach: float,
    depth: FloatArray,
    hit: IntArray,
) -> None:
    """Fill `depth` and `hit` [n, ray] of characters in a room with `bounds` [4] and `blocks` [m, 6].

    Rays are at `angles` [ray] to the left of `facing` [n]. Blocks from `first` on are bodies of characters; one exactly
    at the place of a character is its own, and not seen.
    """
    for i in range(len(places)):
        x, z = places[i, 0], places[i, 1]
        for k in range(len(angles)):
            sine, cosine = math.sin(facing[i] + angles[k]), math.cos(facing[i] + angles[k])
            side = _side_depth(bounds, x, z, sine, cosine)
            depth[i, k], hit[i, k] = (side, SIDE) if side < reach else (reach, NOTHING)
        for number in range(len(blocks)):
            dx, dz = blocks[number, 0] - x, blocks[number, 1] - z
            if number >= first and dx == 0.0 and dz == 0.0:
                continue
            around = math.hypot(blocks[number, 2], blocks[number, 3]) + blocks[number, 5]
            far = math.hypot(dx, dz)
            if far > reach + around:
                continue
            # Rays outside the angle of the circle around the block cannot meet it.
            middle, half = math.atan2(dx, dz) - facing[i], math.pi
            if far > around:
                half = math.asin(around / far) + 1e-9
            for k in range(len(angles)):
                off = angles[k] - middle
                off -= 2.0 * math.pi * math.floor(off / (2.0 * math.pi) + 0.5)
                if abs(off) <= half:
                    heading = facing[i] + angles[k]
                    found = ray_depth(blocks[number], x, z, math.sin(heading), math.cos(heading))
                    if found < depth[i, k]:
                        depth[i, k], hit[i, k] = found, number


@kernel
def scan_each(
    blocks: FloatArray,
    bounds: FloatArray,
    places: FloatArray,
    facing: FloatArray,
    angles: FloatArray,
    reach: float,
    depth: FloatArray,
    hit: IntArray,
) -> None:
    """Fill `depth` and `hit` [n, ray] as `scan` does, for characters each in a room of its own without other bodies.

    `blocks` [n, m, 6] and `bounds` [n, 4] are those of each character's room.
    """
    for i in range(len(places)):
        one = slice(i, i + 1)
        scan(blocks[i], bounds[i], blocks.shape[1], places[one], facing[one], angles, reach, depth[one], hit[one])


@lean_kernel
def _side_depth(bounds: FloatArray, x: float, z: float, sine: float, cosine: float) -> float:
    """Return the metres from one place along a ray to the side of a room; 0 outside it."""
    if x < bounds[0] or z < bounds[1] or x > bounds[2] or z > bounds[3]:
        return 0.0
    across = ((bounds[2] if sine > 0.0 else bounds[0]) - x) / sine if sine != 0.0 else np.inf
    along = ((bounds[3] if cosine > 0.0 else bounds[1]) - z) / cosine if cosine != 0.0 else np.inf
    return float(min(across, along))


@lean_kernel
def ray_depth(block: FloatArray, x: float, z: float, sine: float, cosine: float) -> float:
    """Return the metres from one place along the ray to (`sine`, `cosine`) to `block` [6]; infinite if it misses.

    A rounded rectangle is two rectangles and four discs; the ray ends at the first of them.
    """
    turn_s, turn_c = math.sin(block[4]), math.cos(block[4])
    dx, dz = x - block[0], z - block[1]
    px, pz = turn_c * dx - turn_s * dz, turn_c * dz + turn_s * dx
    rx, rz = turn_c * sine - turn_s * cosine, turn_c * cosine + turn_s * sine
    half_x, half_z, radius = block[2], block[3], block[5]
    best = np.inf
    if half_x > 0.0 or half_z > 0.0:
        best = min(_slab(px, pz, rx, rz, half_x + radius, half_z), _slab(px, pz, rx, rz, half_x, half_z + radius))
    if radius > 0.0:
        for corner in range(4):
            cx, cz = half_x if corner & 1 else -half_x, half_z if corner & 2 else -half_z
            ox, oz = px - cx, pz - cz
            middle, outside = ox * rx + oz * rz, ox * ox + oz * oz - radius * radius
            if outside <= 0.0:
                return 0.0
            under = middle * middle - outside
            if middle < 0.0 and under >= 0.0:
                best = min(best, -middle - math.sqrt(under))
            if half_x == 0.0 and half_z == 0.0:
                break
    return float(best)


@lean_kernel
def _slab(px: float, pz: float, rx: float, rz: float, half_x: float, half_z: float) -> float:
    """Return the metres along a ray from (`px`, `pz`) to the rectangle about the origin; infinite if it misses."""
    low, high = 0.0, np.inf
    for axis in range(2):
        place, way, half = (px, rx, half_x) if axis == 0 else (pz, rz, half_z)
        if abs(way) < 1e-12:
            if abs(place) > half:
                return float(np.inf)
        else:
            a, b = (-half - place) / way, (half - place) / way
            low, high = max(low, min(a, b)), min(high, max(a, b))
    return float(low if low <= high else np.inf)
