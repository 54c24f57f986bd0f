"""A planter of one's own: lift every foot that does not stand by two centimetres, on top of the usual foot locking."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

import motionfields as mf
from motionfields.base.arrays import FloatArray
from motionfields.motion.planting import FootPlanter, PlantedPose

clips = [one.clip for one in mf.samples.generate_samples(only=re.compile("walk_forward|turn_left_090_quick"))]
field = mf.MotionField(mf.MotionDatabase.build(clips))


class Floating:
    """Foot locking whose characters float a little."""

    def __init__(self, usual: FootPlanter) -> None:
        self.usual = usual

    def start(self, count: int) -> Any:
        return self.usual.start(count)

    def step(self, state: Any, root: FloatArray, rotations: FloatArray, *, contact_votes: FloatArray) -> PlantedPose:
        posed = self.usual.step(state, root, rotations, contact_votes=contact_votes)
        return posed._replace(root_position=posed.root_position + np.array([0.0, 0.02, 0.0]))


controller = mf.train(field, mf.tasks.Direction(), tolerance=0.5)
usual = FootPlanter(
    field.database.skeleton,
    field.stance,
    frame_time=field.database.frame_time,
    settings=mf.runtime.planters.PLANTING,
    carries_shift=False,
)
plain, floating = mf.Crowd(controller, 3), mf.Crowd(controller, 3, planter=Floating(usual))
for _ in range(40):
    low, high = plain.step(1.0), floating.step(1.0)
np.testing.assert_allclose(high.root_position[:, 1] - low.root_position[:, 1], 0.02, atol=1e-9)
np.testing.assert_array_equal(mf.Crowd(controller, 3, planter=None).step(1.0).planted, False)
