"""Measurements of a controller: its trials, every figure with its standard error, and a fixed course of three turns."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import numba
import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import angle_difference, quat_normalize
from motionfields.control.contract import Controller
from motionfields.field import MotionField
from motionfields.measure.evaluation.figures import Figures, Motions, figures_of, measure_motions, missed_gates
from motionfields.measure.evaluation.source import SourceFigures
from motionfields.measure.evaluation.tables.cells import Content
from motionfields.measure.evaluation.tables.registry import Case
from motionfields.measure.evaluation.trials import Controlled, Trials, counted_characters, joined
from motionfields.motion import quality
from motionfields.motion.clip import Clip
from motionfields.runtime.recording import Commands, record

SPARE = 1.05  # factor on the number of characters, since changes under 5 degrees do not count
COURSE_TIMES = (0.0, 3.0, 6.5, 10.0)  # seconds at which the heading of the course changes
COURSE_HEADINGS = (0.0, 90.0, 270.0, 135.0)  # degrees: turns by 90, 180 and -135
COURSE_SECONDS = 13.5
FILMED = {"090": 3.0, "180": 6.5}  # names of the filmed changes, and their times in seconds
FILM_BEFORE, FILM_AFTER = 0.2, 1.8  # seconds


@dataclass(frozen=True)
class TableSettings:
    """Amount of measuring: trials, seeds, sweeps and resamples."""

    trials: int = 500  # least number of changes of 5 degrees or more for each row
    seeds: int = 2  # number of seeds that the trials are spread over
    changes: int = 4  # changes per character
    first_seed: int = 2000  # the others follow; no setting of the package was tuned on these seeds
    sweep_trials: int = 130
    agilities: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)  # of an agility sweep
    resamples: int = 200  # bootstrap resamples for standard errors
    crowd: int = 100  # characters in the crowd that is timed

    def __post_init__(self) -> None:
        for name in ("trials", "seeds", "changes", "sweep_trials", "crowd"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: expected at least 1, got {getattr(self, name)}")
        if self.resamples < 2:
            raise ValueError(f"resamples: expected at least 2, got {self.resamples}")
        if self.first_seed < 0:
            raise ValueError(f"first_seed: expected 0 or more, got {self.first_seed}")


class Ran(NamedTuple):
    """Trials, with the seed and character of each."""

    trials: Trials
    seeds: IntArray  # [trial]
    characters: IntArray  # [trial], numbered through all seeds


def run_trials(
    controller: Controlled, case: Case, *, count: int, seeds: int, first_seed: int, change_count: int = 4
) -> Ran:
    """Run at least `count` changes, spread over `seeds` seeds; more seeds follow in the rare case of too few."""
    each = math.ceil(SPARE * count / (seeds * change_count))
    parts: list[Trials] = []
    owners: list[IntArray] = []
    while len(parts) < seeds or sum(len(owner) for owner in owners) < count:
        seed = first_seed + len(parts)
        owners.append(counted_characters(count=each, change_count=change_count, seed=seed) + each * len(parts))
        with one_thread():
            parts.append(case.trials(controller, count=each, change_count=change_count, seed=seed))
    seed_of = [np.full(len(part.reached), first_seed + place) for place, part in enumerate(parts)]
    return Ran(joined(parts), np.concatenate(seed_of), np.concatenate(owners))


def measured(field: MotionField, source: SourceFigures, ran: Ran, *, resamples: int, seed: int) -> Content:
    """Return the figures of the trials `ran` with their errors, the missed gates, and the response to each change."""
    trials = ran.trials
    motions = measure_motions(field, source, trials)
    figures = figures_of(field, source, trials.reached, trials.settled, motions)
    errors = standard_errors(field, source, ran, motions, resamples=resamples, seed=seed)
    return {
        "figures": {name: [getattr(figures, name), errors[name]] for name in Figures._fields if name != "error"},
        "missed": missed_gates(figures),
        "trials": {
            "seed": ran.seeds.tolist(),
            "character": ran.characters.tolist(),
            "angle_deg": np.degrees(trials.angles).tolist(),
            "reached_s": trials.reached.tolist(),
            "settled_s": trials.settled.tolist(),
        },
    }


def standard_errors(
    field: MotionField, source: SourceFigures, ran: Ran, motions: Motions, *, resamples: int, seed: int
) -> dict[str, float]:
    """Return the standard error of every figure of the trials `ran`, by name.

    Computed by a bootstrap over characters: each of `resamples` resamples draws as many characters as there are, with
    replacement, each with all its changes and motion. The error of a figure is its standard deviation over the
    resamples. Changes and frames of one character are correlated, so resampling them singly would underestimate the
    error. The errors of minimum and maximum mean little.
    """
    rng = np.random.default_rng(seed)
    count = len(motions.skate)
    drawn: list[Figures] = []
    for _ in range(resamples):
        taken = rng.integers(0, count, count)
        times = np.bincount(taken, minlength=count)
        rows = np.repeat(np.arange(len(ran.characters)), times[ran.characters])
        reached, settled = (track[rows] for track in (ran.trials.reached, ran.trials.settled))
        if len(reached):
            drawn.append(figures_of(field, source, reached, settled, motions.of(taken)))
    return {name: spread(np.array([getattr(one, name) for one in drawn], np.float64)) for name in Figures._fields}


def spread(values: FloatArray) -> float:
    """Return the standard deviation of the finite numbers in `values` [n]; NaN if there are fewer than two."""
    known = values[np.isfinite(values)]
    return float(known.std(ddof=1)) if len(known) > 1 else float("nan")


def course(controller: Controller, *, seed: int) -> Content:
    """Record one character on turns of 90, 180 and -135 degrees; return its heading errors and two short films."""
    times, headings = np.array(COURSE_TIMES), np.radians(COURSE_HEADINGS)
    told = Commands(("heading",), times, headings[:, np.newaxis], COURSE_SECONDS)
    clip = record(controller, told, seed=seed)
    seconds = clip.frame_time * np.arange(clip.frame_count)
    off = np.degrees(angle_difference(told.at(seconds)[:, 0], quality.facing_yaw(clip)))
    return {
        "seconds": seconds.tolist(),
        "off_deg": off.tolist(),
        "films": {name: _film(clip, time) for name, time in FILMED.items()},
    }


def film_clip(field: MotionField, film: Content, *, name: str) -> Clip:
    """Return the clip of a film that `course` recorded of a character of `field`."""
    rotations = quat_normalize(np.array(film["rotations"]))
    return Clip(field.database.skeleton, np.array(film["root"]), rotations, field.database.frame_time, name=name)


def _film(clip: Clip, time: float) -> Content:
    """Return the frames of `clip` around a change at `time` seconds; positions are rounded to 0.01 mm."""
    part = slice(round((time - FILM_BEFORE) / clip.frame_time), round((time + FILM_AFTER) / clip.frame_time) + 1)
    root, rotations = clip.root_position[part], clip.rotations[part]
    return {"root": np.round(root, 5).tolist(), "rotations": np.round(rotations, 6).tolist()}


@contextmanager
def one_thread() -> Iterator[None]:
    """Run compiled loops on one thread: frames of a few characters are too short to split between threads."""
    usual = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        yield
    finally:
        numba.set_num_threads(usual)
