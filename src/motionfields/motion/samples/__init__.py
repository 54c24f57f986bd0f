"""Generated sample clips: a humanoid that walks, turns, side-steps and stands, with exact foot contacts.

They contain no captured frames: footsteps are planned, and feet, pelvis, spine and arms follow from them by formulas.
The few numbers that shape the gait cycle were set near averages over captured walking.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Collection
from functools import lru_cache

import numpy as np

from motionfields.motion.samples.catalogue import WALK, all_routes
from motionfields.motion.samples.figure import Sample, animate
from motionfields.motion.samples.footsteps import plan_footsteps
from motionfields.motion.samples.skeleton import sample_skeleton
from motionfields.motion.samples.spins import spin_seconds

__all__ = ["Sample", "generate_samples", "sample_names", "sample_skeleton"]

WALKED_BEFORE, WALKED_AFTER = 0.5, 1.0  # seconds of walking before a spin begins, and after the body has turned
SPIN_VARIATION = 0.4  # variation of steps relative to other clips; low, so that the walk before a spin is regular


def sample_names(only: re.Pattern[str] | Collection[str] | None = None) -> list[str]:
    """Return the names of all sample clips, or those in `only`, which is a pattern of whole names or a set of names.

    The order is always that of the set. Raises ValueError for a name that no clip has.
    """
    names = [route.name for route in all_routes()]
    if isinstance(only, re.Pattern):
        return [name for name in names if only.fullmatch(name)]
    wanted = set(names if only is None else only)
    if unknown := sorted(wanted - set(names)):
        raise ValueError(f"only: there is no sample clip named {unknown[0]!r}")
    return [name for name in names if name in wanted]


def generate_samples(
    *, frame_rate: float = 60.0, seed: int = 0, only: re.Pattern[str] | Collection[str] | None = None
) -> list[Sample]:
    """Generate all sample clips at `frame_rate` frames per second, which takes some ten seconds, or `only` some.

    `only` is that of `sample_names`. The same `seed` gives the same clips, whichever others are requested. Generated
    clips are cached for the next call.
    """
    if not frame_rate > 0.0:
        raise ValueError(f"frame_rate: expected a positive number of frames per second, got {frame_rate}")
    wanted = set(sample_names(only))
    return [_walked(number, frame_rate, seed) for number, route in enumerate(all_routes()) if route.name in wanted]


@lru_cache(maxsize=1024)
def _walked(number: int, frame_rate: float, seed: int) -> Sample:
    """Return the clip of a route; that of a spin turn is an undisturbed walk until the spin begins."""
    route, rng = all_routes()[number], np.random.default_rng([seed, number])
    if not route.spins:
        plan = plan_footsteps(route.steps, first_side=route.first_side, rng=rng)
        span = (float(plan.down_time[1 + route.skip]), float(plan.down_time[-1 - route.drop]))
        return animate(plan, span, name=route.name, frame_rate=frame_rate, rng=rng)
    undisturbed = [step if number < route.spins else WALK for number, step in enumerate(route.steps)]
    usual = plan_footsteps(undisturbed, first_side=route.first_side, rng=copy.deepcopy(rng), variation=SPIN_VARIATION)
    plan = plan_footsteps(route.steps, first_side=route.first_side, rng=rng, variation=SPIN_VARIATION)
    begin = float(np.nanmin(plan.spin_time))
    end = begin + spin_seconds(float(plan.heading[-1]))
    span = (begin - WALKED_BEFORE, end + WALKED_AFTER)
    return animate(plan, span, name=route.name, frame_rate=frame_rate, rng=rng, usual=usual)
