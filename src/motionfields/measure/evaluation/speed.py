"""How fast crowds run: what a character takes for a frame, where the time goes, and how even frames are."""

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

GOAL_FRAMES = 60  # frames from one new goal of a character to its next
WARM_FRAMES = 45  # before anything is timed
SPLIT_CHARACTERS = 100  # crowds too small to be timed stage by stage: calling a stage takes as long as doing it
SPLIT_WORK = 60_000  # characters times frames that each stage is timed for
TURN_WORK = 10_000  # characters times frames of one turn


class Split(NamedTuple):
    """Where the time of a character and frame goes, microseconds of the processor's time on one thread."""

    lists: float  # reading what may be followed and what it costs; nothing is searched for
    actions: float  # what each of them pays at once
    values: float  # looking up what they lead to
    blend: float  # going on, springs, and the pose that is shown
    planting: float  # holding feet in place
    whole: float  # a frame in one go, with what Python does besides
    bare: float  # all the same bytes and products, and nothing else
    scattered: float  # a whole frame where each character is at a state drawn from all: nothing is in a cache


class FrameTimes(NamedTuple):
    """How long whole frames took, milliseconds by the clock on the wall."""

    frame_count: int
    median: float
    p99: float
    worst: float


class Speed(NamedTuple):
    """How fast a crowd runs on one thread."""

    character_count: int
    microseconds: float  # of the processor's time for a character and frame, everything included; the median frame
    frames: FrameTimes
    split: Split | None  # None for a small crowd
    crowd_bytes: int  # of the crowd's arrays, without those of the controller

    @property
    def per_second(self) -> float:
        """Characters times frames in a second."""
        return 1e6 / self.microseconds

    @property
    def real_time_count(self) -> float:
        """How many characters run at 30 frames a second."""
        return self.per_second / 30.0

    @property
    def ratio(self) -> float:
        """How many times the bare limit a frame takes, timed in turns; not a number for a small crowd."""
        return self.split.whole / self.split.bare if self.split is not None else math.nan

    def facts(self) -> dict[str, Any]:
        """All of it, as JSON can hold it."""
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
    """What is timed."""

    def crowd(self, count: int, *, seed: int = 0) -> Crowd:
        """Characters of it, whose decision is compiled."""
        ...


def measure_speed(
    controller: Runnable,
    count: int,
    *,
    frame_count: int,
    seed: int = 0,
) -> Speed:
    """Time `frame_count` frames of a crowd of `count` whose characters get a new goal every two seconds."""
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
    """The microseconds of a character and frame of each of `controllers` in crowds of `count`, timed in turns."""
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
    """New headings for a crowd, for some of its characters at every frame."""

    def __init__(self, crowd: Crowd, seed: int) -> None:
        self._crowd = crowd
        self._rng = np.random.default_rng(seed)
        self._number = 0
        self._heading = crowd.ground.facing

    def next(self) -> FloatArray:
        """The commands [n, column] of the next frame."""
        due = np.arange((-self._number) % GOAL_FRAMES, self._crowd.count, GOAL_FRAMES)
        self._heading[due] = self._rng.uniform(-np.pi, np.pi, len(due))
        self._number += 1
        return commands_for(self._crowd.controller.task, self._crowd.ground, self._heading)


def _split(crowd: Crowd, goals: Goals, frame: Frame) -> Split:
    """Medians over frames that are gone through stage by stage and in one go, beside the bare limit, all in turns."""
    policy = crowd.controller.policy
    if policy is None:
        raise ValueError("controller: expected one whose decision is compiled")
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
    """Seconds of the processor's time that `stage` takes with what it is `given`."""
    began = time.process_time()
    stage(*given)
    return time.process_time() - began
