"""Generated sample clips: a humanoid that walks, turns, side-steps and stands, with exact foot contacts.

No captured frames are in them: footsteps are planned, and feet, pelvis, spine and arms follow from them by formulas.
The few numbers that shape the gait cycle were set near averages over captured walking.
"""

from __future__ import annotations

import numpy as np

from motionfields.samples.catalogue import all_routes
from motionfields.samples.figure import Sample, animate
from motionfields.samples.footsteps import plan_footsteps
from motionfields.samples.skeleton import sample_skeleton

__all__ = ["Sample", "generate_samples", "sample_skeleton"]


def generate_samples(*, frame_rate: float = 60.0, seed: int = 0) -> list[Sample]:
    """All sample clips at `frame_rate` frames per second; the same `seed` gives the same clips."""
    if not frame_rate > 0.0:
        raise ValueError(f"frame_rate: expected a positive number of frames per second, got {frame_rate}")
    samples = []
    for number, route in enumerate(all_routes()):
        rng = np.random.default_rng([seed, number])
        plan = plan_footsteps(route.steps, first_side=route.first_side, rng=rng)
        span = (float(plan.down_time[1 + route.skip]), float(plan.down_time[-1 - route.drop]))
        samples.append(animate(plan, span, name=route.name, frame_rate=frame_rate, rng=rng))
    return samples
