"""A thousand characters steered by velocity vectors."""

from __future__ import annotations

import re

import numpy as np

import motionfields as mf

clips = [one.clip for one in mf.samples.generate_samples(only=re.compile("walk_forward|turn_left_(090|135)_quick|st"))]
field = mf.MotionField(mf.MotionDatabase.build(clips))
controller = mf.train(field, mf.tasks.Velocity(), tolerance=0.1)
crowd = mf.Crowd(controller, 1000, seed=3)
angles = np.linspace(0.0, 2.0 * np.pi, 1000, endpoint=False)
velocity = 0.9 * np.stack([np.sin(angles), np.cos(angles)], axis=-1)  # m/s, world x and z
before = crowd.ground.position
for frame in range(120):
    crowd.step(mf.tasks.commands_from_velocity(velocity))
    if frame == 60:
        before = crowd.ground.position
moved = (crowd.ground.position - before) / (59 * field.database.frame_time)
along = (moved * velocity).sum(axis=-1) / 0.9
print(f"{np.median(along):.2f} m/s along the wanted direction")
assert np.median(along) > 0.7, "expected most characters to go where their vectors point"
