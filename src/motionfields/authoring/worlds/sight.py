"""Perception from depth scans alone: a short memory of places where something stood, and discs that move.

A point counts as seen through if a scan passed it on both sides. A point that is hit now, and was seen through a moment
ago, belongs to something that moves. A remembered point that is seen through now is forgotten.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from motionfields.authoring.worlds.maps import GroundGrid
from motionfields.authoring.worlds.rolling import SAMPLES
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.compiled import kernel
from motionfields.base.world import DepthScan

SLACK: Final = 0.12  # metres by which a ray must pass a point to see through it
SCANS: Final = 5  # earlier scans that a hit is compared with
FEWEST: Final = 3  # hits on something that moves
JUMP: Final = 0.3  # metres between the hits of two neighbouring rays on different things
EDGE: Final = 0.15  # metres from its expected edge within which hits are of a disc
NEAR: Final = 0.03  # metres from its edge within which they are, once its centre is known
GATE: Final = 0.5  # metres within which a disc that was lost is found again
GAIN: Final = 0.6  # share of the newest measurement in the velocity of a disc
SUDDEN: Final = 0.4  # m/s: a larger change of velocity is taken over at once
REACTION: Final = 1.1  # seconds within which a disc may turn back before a character can react
TIGHT: Final = 0.1  # metres taken off the radius of a disc that may turn back
NOWHERE: Final = 1e5  # metres
COAST: Final = 1.0  # seconds for which a disc that is hidden is expected to go on
FASTEST: Final = 3.0  # m/s of discs
LEAST_RADIUS, LARGEST_RADIUS = 0.05, 1.0  # metres of discs
CELL: Final = 0.2  # metres, of the grid
POINT_CELL: Final = 0.075  # metres, side of a cell with one remembered point at most
DRIFT: Final = 1.0  # metres off the middle of the grid at which it is placed anew
FARTHEST: Final = 1.0  # metres, the largest clearance in the grid


class Glance(NamedTuple):
    """One depth scan of one character."""

    place: FloatArray  # [2], world metres
    facing: float  # radians
    depth: FloatArray  # [ray], metres


@dataclass
class Track:
    """A disc that moves: `centre` [2] in metres at the time `seen`, `velocity` [2] in m/s."""

    centre: FloatArray
    velocity: FloatArray
    radius: float
    seen: float
    count: int = 1

    def at(self, time: float) -> FloatArray:
        """Return where the centre [2] is expected at `time`."""
        return np.asarray(self.centre + (time - self.seen) * self.velocity)

    def move(self, time: float, centre: FloatArray) -> None:
        """Note that the disc is at `centre` at `time`."""
        measured = (centre - self.centre) / max(time - self.seen, 1e-6)
        measured *= min(1.0, FASTEST / max(float(np.hypot(*measured)), 1e-9))
        change = float(np.hypot(*(measured - self.velocity)))
        gain = 1.0 if self.count == 1 or change > SUDDEN else GAIN
        self.velocity = self.velocity + gain * (measured - self.velocity)
        self.centre, self.seen, self.count = centre, time, self.count + 1


class Circle(NamedTuple):
    """A circle through points, and the largest distance of one of them from it in metres."""

    centre: FloatArray  # [2]
    radius: float
    error: float


def fitted_circle(points: FloatArray) -> Circle:
    """Return the circle of least squares, by the linear method of Kasa, through `points` [m, 2]."""
    middle = points.mean(axis=0)
    off = points - middle
    (a, b, c), *_ = np.linalg.lstsq(np.column_stack([2.0 * off, np.ones(len(off))]), (off**2).sum(axis=1), rcond=None)
    radius = math.sqrt(max(c + a * a + b * b, 0.0))
    error = float(np.abs(np.hypot(off[:, 0] - a, off[:, 1] - b) - radius).max())
    return Circle(middle + np.array([a, b]), radius, error)


def shifted_centre(points: FloatArray, centre: FloatArray, radius: float) -> FloatArray:
    """Return the centre [2] near `centre` of the circle of `radius` that fits `points` [m, 2] best."""
    for _ in range(3):
        off = points - centre
        far = np.maximum(np.hypot(*off.T), 1e-9)
        ways, miss = off / far[:, np.newaxis], far - radius
        centre = centre + np.linalg.solve(ways.T @ ways + 0.01 * len(points) * np.eye(2), ways.T @ miss)
    return centre


class Sight:
    """The scans of one character with `sensor` that it remembers, for at most `memory` seconds."""

    def __init__(self, sensor: DepthScan, memory: float) -> None:
        self.sensor, self.memory = sensor, memory
        self.points: FloatArray = np.zeros((0, 2))  # [m, 2], world metres
        self.times: FloatArray = np.zeros(0)  # [m], seconds at which each was last hit
        self.tracks: list[Track] = []
        self._glances: deque[Glance] = deque(maxlen=SCANS)
        self._middle: FloatArray = np.full(2, np.inf)  # of the grid

    def update(self, time: float, glance: Glance) -> None:
        """Take the scan `glance` at `time` seconds into account."""
        hits = np.flatnonzero(glance.depth < self.sensor.reach)
        headings = glance.facing + self.sensor.angles[hits]
        ways = np.stack([np.sin(headings), np.cos(headings)], axis=-1)
        points = glance.place + glance.depth[hits, np.newaxis] * ways
        moving = self._follow(time, points)
        moved = np.zeros(len(hits), np.bool_)
        for earlier in self._glances:
            moved |= seen_through(self.sensor, earlier, points)
        found = moved & ~moving
        for run in self._runs(np.flatnonzero(found), hits, points):
            circle = fitted_circle(points[run])
            moving[run] = circle.error <= NEAR and LEAST_RADIUS <= circle.radius <= LARGEST_RADIUS
            disc = (circle.centre, circle.radius) if moving[run[0]] else self._wide_disc(glance, hits[run])
            self._begin(time, *disc)
        gone = seen_through(self.sensor, glance, np.array([track.at(time) for track in self.tracks]).reshape(-1, 2))
        self.tracks = [
            track
            for track, empty in zip(self.tracks, gone, strict=True)
            if track.seen == time or (time - track.seen <= COAST and not empty)
        ]
        self._remember(time, glance, points[~moving])
        self._glances.append(glance)

    def _follow(self, time: float, points: FloatArray) -> BoolArray:
        """Continue the tracks whose edges are among `points` [m, 2], and return which points are theirs."""
        taken = np.zeros(len(points), np.bool_)
        for track in self.tracks:
            centre = track.at(time)
            edge = np.abs(np.hypot(*(points - centre).T) - track.radius) < EDGE
            edge &= ~taken
            if edge.sum() < FEWEST:
                continue
            centre = shifted_centre(points[edge], centre, track.radius)
            edge = ~taken & (np.abs(np.hypot(*(points - centre).T) - track.radius) < NEAR)
            if edge.sum() < FEWEST:
                continue
            taken |= edge
            track.move(time, centre)
        return taken

    def _begin(self, time: float, centre: FloatArray, radius: float) -> None:
        """Continue the nearest track that is not yet continued at `time` with a disc, or begin one."""
        lost = [track for track in self.tracks if track.seen < time]
        gaps = [float(np.hypot(*(track.at(time) - centre))) for track in lost]
        if not gaps or min(gaps) > GATE:
            self.tracks.append(Track(centre, np.zeros(2), radius, time))
            return
        track = lost[int(np.argmin(gaps))]
        track.radius = radius
        track.move(time, centre)

    def _runs(self, found: IntArray, hits: IntArray, points: FloatArray) -> list[IntArray]:
        """Return neighbouring hits among `found`, in runs that may be of one disc."""
        if not len(found):
            return []
        apart = (np.diff(hits[found]) > 2) | (np.hypot(*np.diff(points[found], axis=0).T) > JUMP)
        runs, out = np.split(found, np.flatnonzero(apart) + 1), []
        while runs:
            run = runs.pop()
            if len(run) < FEWEST:
                continue
            if len(run) >= 2 * FEWEST and fitted_circle(points[run]).error > NEAR:
                cut = FEWEST + int(np.argmax(np.hypot(*np.diff(points[run[FEWEST - 1 : 1 - FEWEST]], axis=0).T)))
                runs += [run[:cut], run[cut:]]
                continue
            out.append(run)
        return out

    def _wide_disc(self, glance: Glance, rays: IntArray) -> tuple[FloatArray, float]:
        """Return centre [2] and radius of a disc as wide as whatever neighbouring `rays` end at, if it is not round."""
        angles, depth = self.sensor.angles[rays], float(glance.depth[rays].min())
        sine = math.sin(min(0.5 * float(np.ptp(angles)) + 0.25 * self.sensor.span / self.sensor.rays, 1.2))
        radius = min(depth * sine / (1.0 - sine), LARGEST_RADIUS)
        heading = glance.facing + 0.5 * float(angles[0] + angles[-1])
        way = np.array([math.sin(heading), math.cos(heading)])
        return glance.place + (depth + radius) * way, radius

    def _remember(self, time: float, glance: Glance, standing: FloatArray) -> None:
        """Forget points that are gone, old, far, or of something that moves; remember `standing` [m, 2]."""
        kept = ~seen_through(self.sensor, glance, self.points) & (time - self.times <= self.memory)
        kept &= np.hypot(*(self.points - glance.place).T) < 1.5 * self.sensor.reach
        for track in self.tracks:
            kept &= np.hypot(*(self.points - track.at(time)).T) > track.radius + SLACK
        points = np.concatenate([standing, self.points[kept]])
        times = np.concatenate([np.full(len(standing), time), self.times[kept]])
        cells = np.floor(points / POINT_CELL).astype(np.int64)
        _, first = np.unique(cells[:, 0] * (1 << 32) + cells[:, 1], return_index=True)
        self.points, self.times = points[first], times[first]

    def movers(self, time: float, seconds: float) -> FloatArray:
        """Return the blocks [SAMPLES + 1, mover, 6] of the tracks at `time` and at the samples, `seconds` apart.

        Each track has two: one that goes on, and one that turns back now, for the time that a character needs to react.
        """
        out = np.zeros((SAMPLES + 1, 2 * len(self.tracks), 6))
        later = seconds * np.arange(SAMPLES + 1.0)[:, np.newaxis]
        for number, track in enumerate(self.tracks):
            here = track.at(time)
            out[:, 2 * number, :2], out[:, 2 * number, 5] = here + later * track.velocity, track.radius
            out[:, 2 * number + 1, :2] = np.where(later <= REACTION, here - later * track.velocity, NOWHERE)
            out[:, 2 * number + 1, 5] = max(track.radius - TIGHT, LEAST_RADIUS)
        return out

    def grid(self, place: FloatArray) -> GroundGrid:
        """Return the clearance around `place` [2], as far as it is remembered, at most `FARTHEST`."""
        if not np.abs(place - self._middle).max() <= DRIFT:
            self._middle = np.rint(place / CELL) * CELL
        half = math.ceil(self.sensor.reach / CELL)
        x, z = (self._middle - half * CELL).tolist()
        clearance = np.full((2 * half + 1, 2 * half + 1), FARTHEST, np.float32)
        stamp(self.points, x, z, CELL, FARTHEST, clearance)
        return GroundGrid(clearance, x, z, CELL)


def seen_through(sensor: DepthScan, glance: Glance, points: FloatArray) -> BoolArray:
    """Return which `points` [m, 2] the rays of `glance` passed on both sides."""
    off = points - glance.place
    far = np.hypot(off[:, 0], off[:, 1])
    angle = np.arctan2(off[:, 0], off[:, 1]) - glance.facing
    angle -= 2.0 * np.pi * np.floor(angle / (2.0 * np.pi) + 0.5)
    place = (angle / sensor.span + 0.5) * sensor.rays - 0.5  # in rays
    low = np.floor(place).astype(np.int64)
    full = sensor.span >= 2.0 * np.pi - 1e-9
    inside = np.ones(len(points), np.bool_) if full else (low >= 0) & (low + 1 < sensor.rays)
    depth = np.minimum(glance.depth[low % sensor.rays], glance.depth[(low + 1) % sensor.rays])
    return np.asarray(inside & (depth > far + SLACK))


@kernel
def stamp(points: FloatArray, x0: float, z0: float, cell: float, most: float, out: FloatArray) -> None:
    """Lower `out` [x, z], whose cell (0, 0) is at (`x0`, `z0`), to the distance to `points` [m, 2] within `most`."""
    span = int(most / cell) + 1
    for number in range(len(points)):
        x, z = (points[number, 0] - x0) / cell, (points[number, 1] - z0) / cell
        i, j = math.floor(x + 0.5), math.floor(z + 0.5)
        for a in range(max(0, i - span), min(out.shape[0], i + span + 1)):
            for b in range(max(0, j - span), min(out.shape[1], j + span + 1)):
                far = cell * math.sqrt((a - x) * (a - x) + (b - z) * (b - z))
                if far < out[a, b]:
                    out[a, b] = far
