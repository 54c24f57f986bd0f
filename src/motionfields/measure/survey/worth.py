"""Worth of takes: what a direction controller loses without each of them.

Where takes overlap, none of them is missed alone, and each of two copies would seem worthless. The Shapley value shares
the worth among them: the mean gain of adding a take to a set that grows in random order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.base.checks import checked_count
from motionfields.field import MotionField
from motionfields.measure.survey.coverage import COVERED
from motionfields.measure.survey.subsets import Performance, TakeTables
from motionfields.measure.survey.tracks import measure_tracks, motion_kinds

ENOUGH = 0.95  # share of the worth of all takes that few of them should reach
ROUNDS = 6  # random orders of the takes
NEARLY_ALL = 0.01  # share of the worth of all takes below which the rest of an order is not measured


class TakeWorth(NamedTuple):
    """Worth of one take and its mirror image."""

    take: str
    share: float  # share of the worth of the whole set; all shares add up to 1
    error: float  # standard error of the share, from the random orders
    played: float  # share of the time that a character shows this take
    loss: float  # share of the worth of the whole set that is lost without this take alone
    slower: float  # seconds by which turns take longer without it
    rougher: float  # relative change of the cost of transitions without it
    kinds: tuple[str, ...]  # kinds of motion that no other take shows


@dataclass(frozen=True, eq=False)
class Worth:
    """Worth of all takes of a field; see `take_worth`."""

    takes: tuple[TakeWorth, ...]  # the most valuable first
    whole: Performance
    enough: tuple[str, ...]  # the most valuable takes that reach `ENOUGH` of the worth of the whole set alone
    reached: float  # share that they reach

    @property
    def text(self) -> str:
        """The result in one sentence."""
        if self.reached <= 0.0:
            return "The set does no better than standing still, so no take is worth anything."
        verb = "carry" if len(self.enough) != 1 else "carries"
        return (
            f"{len(self.enough)} of {len(self.takes)} takes {verb} {100.0 * self.reached:.0f} % of what the set can do."
        )

    def as_json(self) -> dict[str, Any]:
        """Return the worth as plain dictionaries, lists and numbers."""
        whole = {name: value for name, value in self.whole._asdict().items() if name != "shares"}
        return {
            "whole": whole,
            "enough": list(self.enough),
            "reached": self.reached,
            "takes": [{**one._asdict(), "kinds": list(one.kinds)} for one in self.takes],
        }


def take_worth(
    field: MotionField,
    *,
    rounds: int = ROUNDS,
    seed: int = 0,
    tables: TakeTables | None = None,
    on_progress: Callable[[str], None] | None = None,
) -> Worth:
    """Return the worth of each take of `field` for a character that walks in directions which change at random.

    Worth is that of `TakeTables.worth`: it counts the angle to the goal, slowness and rough transitions. Shapley values
    are the mean over `rounds` random orders, drawn with `seed`. `tables` are those of `TakeTables.of`, if already
    known. `on_progress` is called with a description of the work.
    """
    checked_count("rounds", rounds, 1)
    say = on_progress or (lambda text: None)
    say("training on all takes")
    use = tables or TakeTables.of(field)
    count, seen = use.take_count, dict[bytes, Performance]()

    def performance(kept: BoolArray) -> Performance:
        if kept.tobytes() not in seen:
            seen[kept.tobytes()] = use.performance(kept)
            say(f"measured {len(seen)} sets of takes")
        return seen[kept.tobytes()]

    def gain(kept: BoolArray) -> float:
        return use.worth(performance(kept))

    every = np.ones(count, np.bool_)
    whole, most = performance(every), max(gain(every), 1e-9)
    values, errors = shapley_values(gain, count, rounds=rounds, seed=seed)
    shares = values / max(values.sum(), 1e-9)
    order = np.argsort(-shares, kind="stable")
    kinds = _only_here(use)
    takes = []
    for take in order.tolist():
        kept = every.copy()
        kept[take] = False
        left = performance(kept)
        takes.append(
            TakeWorth(
                use.names[take],
                float(shares[take]),
                float(errors[take] / max(values.sum(), 1e-9)),
                float(whole.shares[take]),
                1.0 - gain(kept) / most,
                left.response - whole.response,
                left.cost / max(whole.cost, 1e-9) - 1.0,
                kinds[take],
            )
        )
    number = _fewest(lambda size: gain(np.isin(np.arange(count), order[:size])) >= ENOUGH * most, count)
    reached = gain(np.isin(np.arange(count), order[:number])) / most
    return Worth(tuple(takes), whole, tuple(one.take for one in takes[:number]), reached)


def shapley_values(
    worth: Callable[[BoolArray], float], count: int, *, rounds: int, seed: int = 0
) -> tuple[FloatArray, FloatArray]:
    """Return the Shapley values [member] of `count` members and their standard errors [member].

    `worth` returns that of the members marked in an array [member]; that of none is 0. Members are added in `rounds`
    random orders, each second one the reverse of the one before. An order ends early when its members reach all but
    `NEARLY_ALL` of the worth of all. The errors are NaN with one round.
    """
    count, rounds = checked_count("count", count, 1), checked_count("rounds", rounds, 1)
    rng = np.random.default_rng(seed)
    every = worth(np.ones(count, np.bool_))
    gains = np.zeros((rounds, count))
    order = np.arange(count)
    for number in range(rounds):
        order = order[::-1] if number % 2 else rng.permutation(count)
        kept, before = np.zeros(count, np.bool_), 0.0
        for member in order.tolist():
            if every - before <= NEARLY_ALL * abs(every):
                break
            kept[member] = True
            after = worth(kept)
            gains[number, member], before = after - before, after
    errors = gains.std(axis=0, ddof=1) / np.sqrt(rounds) if rounds > 1 else np.full(count, np.nan)
    return gains.mean(axis=0), errors


def _fewest(holds: Callable[[int], bool], most: int) -> int:
    """Return the smallest size from 1 to `most` for which `holds`, by bisection; it holds for `most`."""
    low, high = 1, most
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _only_here(tables: TakeTables) -> list[tuple[str, ...]]:
    """Return the kinds of motion [take] that each take alone shows."""
    tracks = measure_tracks(tables.field.database)
    found: list[list[str]] = [[] for _ in range(tables.take_count)]
    for name, mask in motion_kinds(tracks).items():
        seconds = np.bincount(tables.take_of, weights=mask, minlength=tables.take_count) * tracks.frame_time
        missing = (seconds.sum() >= COVERED) & (seconds.sum() - seconds < COVERED)
        for take in np.flatnonzero(missing).tolist():
            found[take].append(name)
    return [tuple(names) for names in found]
