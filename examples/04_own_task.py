"""Write a custom task: walk around a point at a given distance.

    python examples/04_own_task.py

A task defines the parameters of a goal, how motion changes them, and a reward. The program prints how closely eight
characters follow the circle.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

import motionfields as mf
from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import angle_difference, wrap_angle
from motionfields.control.tasks import Axis, Ground, Motion, Task, across, along, angle_axis, pace_cost


@dataclass(frozen=True)
class Orbit(Task):
    """Walk round a point, so that it stays at the right hand, `radius` metres away."""

    radius: float = 2.0
    speed: float = 0.8  # m/s

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Which way the point is, to the left of the facing, and how far away."""
        away = np.array([0.25, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 3.0])
        return angle_axis("bearing", count=24), Axis("distance", self.radius * away)

    @property
    def command_names(self) -> tuple[str, ...]:
        """The point, in metres."""
        return "point_x", "point_z"

    def params(self, command: FloatArray, ground: Ground) -> FloatArray:
        """The parameters [n, 2] of characters at `ground`."""
        offset = command - ground.position
        bearing = angle_difference(np.arctan2(offset[:, 0], offset[:, 1]), ground.facing)
        return np.stack([bearing, np.hypot(offset[:, 0], offset[:, 1])], axis=-1)

    def advance(self, params: FloatArray, motion: Motion) -> FloatArray:
        """The parameters [..., 2] after a motion: as it comes nearer and passes by, the point swings round."""
        bearing, distance = params[..., 0], params[..., 1]
        nearer = distance - along(bearing, motion.velocity) * motion.frame_time
        passed = across(bearing, motion.velocity) * motion.frame_time
        swung = wrap_angle(bearing - np.arctan2(passed, nearer) - motion.turn)
        return np.stack([swung, np.hypot(nearer, passed)], axis=-1)

    def reward(self, params: FloatArray, motion: Motion) -> FloatArray:
        """R [...]: the point at the right hand, at the right distance, and getting ahead."""
        after = self.advance(params, motion)
        off = np.abs(wrap_angle(after[..., 0] + 0.5 * np.pi)) + 4.0 * np.abs(after[..., 1] - self.radius)
        return np.asarray(-off - 0.7 * pace_cost(across(params[..., 0], motion.velocity), self.speed))


def main() -> None:
    """Train, walk, and look whether it does the task."""
    mf.testing.check_task(Orbit())  # the contract of tasks, on random goals
    wanted = re.compile("walk_forward|turn_left_(030|060|090|120)_gentle")
    field = mf.MotionField(mf.MotionDatabase.build(one.clip for one in mf.samples.generate_samples(only=wanted)))
    crowd = mf.train(field, Orbit(), tolerance=0.05).crowd(8, seed=0)
    points = crowd.ground.position + np.array([2.0, 0.0])
    seen = np.zeros((420, 8, 2))  # 14 seconds, the first 8 of them to get there
    for now in seen:
        crowd.step(points)
        now[:] = Orbit().params(points, crowd.ground)
    off = np.degrees(np.abs(wrap_angle(seen[240:, :, 0] + 0.5 * np.pi))).mean()
    gap = np.abs(seen[240:, :, 1] - 2.0).mean()
    print(f"the point is {off:.0f} degrees off the right hand, and {100 * gap:.0f} cm off its distance, on average")
    assert off < 15.0, f"expected the point at the right hand, it is {off:.0f} degrees off"
    assert gap < 0.2, f"expected 2 m to the point, they are off by {gap:.2f} m"


if __name__ == "__main__":
    main()
