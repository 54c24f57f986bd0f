"""Comparisons of two table rows, change by change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.measure.evaluation.tables.cells import Content
from motionfields.measure.evaluation.tables.measuring import spread
from motionfields.measure.evaluation.trials import WINDOW

SHOWN = 3  # changes listed one by one


class Estimate(NamedTuple):
    """A figure and its standard error."""

    value: float
    error: float


class Change(NamedTuple):
    """One change of goal, as timed for two rows."""

    seed: int
    character: int
    angle_deg: float
    seconds: float  # infinite if the change was not completed
    rival_seconds: float

    @property
    def gain(self) -> float:
        """Seconds by which this row beats the rival; a change that was not completed counts as the whole window."""
        return min(self.rival_seconds, WINDOW) - min(self.seconds, WINDOW)


def seconds_of(content: Content, name: str = "reached_s") -> FloatArray:
    """Return the response time in seconds of each change of a row, [trial]; infinite if it was not completed."""
    return np.array([np.inf if time is None else time for time in content["trials"][name]])


def mean_ratio(content: Content, rival: Content, *, resamples: int, seed: int) -> Estimate:
    """Return the mean response of one row divided by that of `rival`, with its standard error.

    Both rows received the same commands, so the bootstrap resamples characters jointly for both. As in the tables, the
    means cover completed changes only.
    """
    owners = np.array(content["trials"]["character"])
    times = [seconds_of(one) for one in (content, rival)]
    count = int(owners.max()) + 1
    rng = np.random.default_rng(seed)
    ratios = []
    for _ in range(resamples):
        weight = np.bincount(rng.integers(0, count, count), minlength=count)[owners]
        ratios.append(_ratio(*(np.repeat(track, weight) for track in times)))
    return Estimate(_ratio(*times), spread(np.array(ratios)))


def extremes(content: Content, rival: Content) -> tuple[list[Change], list[Change]]:
    """Return the changes where one row beats `rival` by most, and those where it loses by most; up to 3 each."""
    trials = content["trials"]
    changes = [
        Change(*facts)
        for facts in zip(
            *(trials[name] for name in ("seed", "character", "angle_deg")),
            *(seconds_of(one).tolist() for one in (content, rival)),
            strict=True,
        )
    ]
    ordered = sorted(changes, key=lambda change: (-change.gain, change.seed, change.character, change.angle_deg))
    return _only(ordered[:SHOWN], 1.0), _only(ordered[: -SHOWN - 1 : -1], -1.0)


def _only(changes: Sequence[Change], sign: float) -> list[Change]:
    return [change for change in changes if sign * change.gain > 0.0]


def _ratio(one: FloatArray, other: FloatArray) -> float:
    means = [float(times[np.isfinite(times)].mean()) if np.isfinite(times).any() else np.nan for times in (one, other)]
    return means[0] / means[1] if means[1] else float("nan")
