"""Speed of crowds: time per character and frame, its breakdown by stage, and the variation between frames."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.measure.evaluation.bare import bare_frame, rate_actions, read_lists
from motionfields.measure.evaluation.tables.costs import array_bytes, commands_for
from motionfields.measure.evaluation.tables.measuring import one_thread
from motionfields.runtime import Crowd, DisplayPose, Frame
from motionfields.runtime.stepping import DECIDE, FOLLOW, PLANT, SHOW

GOAL_FRAMES = 60  # frames between new goals of a character
WARM_FRAMES = 45  # frames run before timing starts
SPLIT_CHARACTERS = 100  # smallest crowd timed stage by stage; in smaller ones, call overhead dominates
SPLIT_WORK = 60_000  # characters times frames for which each stage is timed
TURN_WORK = 10_000  # characters times frames of one turn of `compare_speeds`


class Split(NamedTuple):
    """Time per character and frame by stage, in microseconds of processor time on one thread."""

    lists: float  # read the transitions and their costs; no search is involved
    actions: float  # compute the immediate reward of each transition
    values: float  # look up the state values of the successor states
    blend: float  # advance, inertialization, and the displayed pose
    planting: float  # foot locking
    whole: float  # a complete frame in one call, including Python overhead
    bare: float  # lower limit: the same bytes and products, and nothing else
    scattered: float  # a complete frame with characters at random states, so that caches do not help


class FrameTimes(NamedTuple):
    """Wall-clock duration of whole frames, in milliseconds."""

    frame_count: int
    median: float
    p99: float
    worst: float


class Speed(NamedTuple):
    """Speed of a crowd on one thread."""

    character_count: int
    microseconds: float  # processor time per character and frame, all stages included; of the median frame
    frames: FrameTimes
    split: Split | None  # None for a crowd of fewer than SPLIT_CHARACTERS
    crowd_bytes: int  # of the crowd's own arrays, without those of the controller

    @property
    def per_second(self) -> float:
        """Characters times frames per second."""
        return 1e6 / self.microseconds

    @property
    def real_time_count(self) -> float:
        """Number of characters that run at 30 frames per second."""
        return self.per_second / 30.0

    @property
    def ratio(self) -> float:
        """Duration of a frame as a multiple of the bare limit, both timed in turns; NaN for a small crowd."""
        return self.split.whole / self.split.bare if self.split is not None else math.nan

    def facts(self) -> dict[str, Any]:
        """Return all figures as JSON-compatible values."""
        return {
            "characters": self.character_count,
            "microseconds": self.microseconds,
            "per_second": self.per_second,
            "at_30_hz": self.real_time_count,
            "bytes_each": self.crowd_bytes / self.character_count,
            "frames": self.frames._asdict(),
            "split": None if self.split is None else self.split._asdict(),
            "of_bare": None if self.split is None else self.ratio,
        }


class Runnable(Protocol):
    """A controller that can be timed."""

    def crowd(self, count: int, *, seed: int = 0) -> Crowd:
        """Return a crowd of `count` characters whose decision is compiled."""
        ...


def measure_speed(
    controller: Runnable,
    count: int,
    *,
    frame_count: int,
    seed: int = 0,
) -> Speed:
    """Time `frame_count` frames of a crowd of `count` characters, each with a new goal every 60 frames."""
    with one_thread():
        crowd = controller.crowd(count, seed=seed)
        goals = Goals(crowd, seed)
        frame = crowd.step(goals.next())
        for _ in range(WARM_FRAMES):
            crowd.step(goals.next(), out=frame)
        walls, works = np.empty(frame_count), np.empty(frame_count)
        for number in range(frame_count):
            commands = goals.next()
            work, wall = time.process_time(), time.perf_counter()
            crowd.step(commands, out=frame)
            walls[number], works[number] = time.perf_counter() - wall, time.process_time() - work
        split = _split(crowd, goals, frame) if count >= SPLIT_CHARACTERS else None
    times = FrameTimes(frame_count, *(1e3 * float(value) for value in np.percentile(walls, (50.0, 99.0, 100.0))))
    own = array_bytes(crowd) - array_bytes(crowd.controller)
    return Speed(count, 1e6 * float(np.median(works)) / count, times, split, own)


def compare_speeds(controllers: Sequence[Runnable], count: int, *, turn_count: int = 15, seed: int = 0) -> list[float]:
    """Return the microseconds per character and frame of each controller in crowds of `count`, timed in turns."""
    with one_thread():
        crowds = [controller.crowd(count, seed=seed) for controller in controllers]
        goals, frames = [Goals(crowd, seed) for crowd in crowds], [crowd.step(crowd.ground.facing) for crowd in crowds]
        each = max(1, math.ceil(TURN_WORK / count))
        times = np.zeros((WARM_FRAMES // each + 1 + turn_count, len(crowds)))
        for turn in times:
            for place, crowd in enumerate(crowds):
                for _ in range(each):
                    told = goals[place].next()
                    began = time.process_time()
                    crowd.step(told, out=frames[place])
                    turn[place] += time.process_time() - began
    return [1e6 * float(seconds) / (each * count) for seconds in np.median(times[-turn_count:], axis=0)]


class Goals:
    """New headings for a crowd; at every frame, some of its characters get one."""

    def __init__(self, crowd: Crowd, seed: int) -> None:
        self._crowd = crowd
        self._rng = np.random.default_rng(seed)
        self._number = 0
        self._heading = crowd.ground.facing

    def next(self) -> FloatArray:
        """Return the commands [n, column] of the next frame."""
        due = np.arange((-self._number) % GOAL_FRAMES, self._crowd.count, GOAL_FRAMES)
        self._heading[due] = self._rng.uniform(-np.pi, np.pi, len(due))
        self._number += 1
        return commands_for(self._crowd.controller.task, self._crowd.ground, self._heading)


def _split(crowd: Crowd, goals: Goals, frame: Frame) -> Split:
    """Time frames stage by stage, in one call, and at the bare limit, in turns; return the medians."""
    policy = crowd.controller.policy
    if policy is None:
        raise ValueError("controller: expected one with a compiled policy, got None as its `policy`")
    count, stepper, followers = crowd.count, crowd._stepper, crowd.followers
    shown, sums = DisplayPose(frame.root_position, frame.rotations), np.empty(count)
    scratch, feet = DisplayPose.blank(count, frame.rotations.shape[1]), stepper.planting.copy()
    starts, rng = crowd.controller.start_states, np.random.default_rng(0)

    def whole() -> None:
        crowd.step(told, out=frame)

    times = []
    for _ in range(math.ceil(SPLIT_WORK / count) + 1):
        params = np.ascontiguousarray(crowd.params(goals.next()))
        after, before = np.empty(params.shape[1]), followers.copy()
        work = [
            _work(read_lists, policy.table, followers.state, sums),
            _work(rate_actions, policy.table, policy.task, followers.state, params, after, sums),
            _work(crowd._run, DECIDE, shown, params),
            _work(bare_frame, policy.table, stepper.tables, before, feet, scratch, sums),
            _work(crowd._run, FOLLOW | SHOW, shown, params),
            _work(crowd._run, PLANT, shown, params),
        ]
        crowd.frame_number += 1
        told = goals.next()
        work.append(_work(whole))
        kept = (*followers.copy(), *stepper.planting.copy())
        followers.state[:] = rng.choice(starts, count)
        work.append(_work(whole))
        for track, own in zip((*followers, *stepper.planting), kept, strict=True):
            track[:] = own
        times.append(work)
    lists, actions, decide, bare, blend, planting, one_go, scattered = (
        1e6 * np.median(times[1:], axis=0) / count
    ).tolist()
    return Split(lists, actions - lists, decide - actions, blend, planting, one_go, bare, scattered)


def _work(stage: Callable[..., Any], *given: Any) -> float:
    """Return the processor time in seconds of calling `stage` with the arguments `given`."""
    began = time.process_time()
    stage(*given)
    return time.process_time() - began
