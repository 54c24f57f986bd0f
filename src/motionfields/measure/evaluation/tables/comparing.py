"""Two rows held against each other, change by change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.measure.evaluation.tables.cells import Content
from motionfields.measure.evaluation.tables.measuring import spread
from motionfields.measure.evaluation.trials import WINDOW

SHOWN = 3  # changes that are told of one by one


class Estimate(NamedTuple):
    """A figure and its standard error."""

    value: float
    error: float


class Change(NamedTuple):
    """One change of course, under two rows."""

    seed: int
    character: int
    angle_deg: float
    seconds: float  # infinite where it was not done
    rival_seconds: float

    @property
    def gain(self) -> float:
        """The seconds by which the rival was later; what was not done counts as done when time was up."""
        return min(self.rival_seconds, WINDOW) - min(self.seconds, WINDOW)


def seconds_of(content: Content, name: str = "reached_s") -> FloatArray:
    """Seconds [trial] of each change of a row; infinite where it was not done."""
    return np.array([np.inf if time is None else time for time in content["trials"][name]])


def mean_ratio(content: Content, rival: Content, *, resamples: int, seed: int) -> Estimate:
    """The mean response of one row over that of a `rival`, with its standard error.

    Characters are told the same in both, so the bootstrap draws them for both at once. Like the means of the tables it
    is of the changes that were done.
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
    """The changes that one row does sooner than a `rival` by most, and those that it does later by most."""
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
