"""A task of your own: walk round a point at a distance. It is trained on a few generated samples and checks itself.

python examples/own_task.py
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import motionfields as mf
from motionfields.arrays import FloatArray
from motionfields.geometry import angle_difference, wrap_angle
from motionfields.tasks import Axis, Ground, Motion, Task, across, along, angle_axis, pace_cost
from motionfields.testing import check_task
from motionfields.training import train


@dataclass(frozen=True)
class Orbit(Task):
    """Walk round a point, so that it stays at the right hand, `radius` metres away."""

    radius: float = 2.0
    speed: float = 0.8  # m/s

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Which way the point is, to the left of the facing, and how far away; values are kept for these."""
        away = np.array([0.25, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 3.0])
        return angle_axis("bearing", count=24), Axis("distance", self.radius * away)

    @property
    def command_names(self) -> tuple[str, ...]:
        """The point."""
        return ("point_x", "point_z")

    def params(self, command: FloatArray, ground: Ground) -> FloatArray:
        """The parameters [n, 2] of characters at `ground`."""
        way = command - ground.position
        bearing = angle_difference(np.arctan2(way[:, 0], way[:, 1]), ground.facing)
        return np.stack([bearing, np.hypot(way[:, 0], way[:, 1])], axis=-1)

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
    check_task(Orbit())
    names = ("walk_forward", *(f"turn_left_{angle:03d}_gentle" for angle in (45, 90, 135, 180)))
    clips = [sample.clip for sample in mf.samples.generate_samples() if sample.clip.name in names]
    field = mf.MotionField(mf.MotionDatabase.build(clips), tail=8)
    crowd = train(field, Orbit(), tolerance=0.02).crowd(8, seed=0)
    points = crowd.ground.position + np.array([2.0, 0.0])
    seen = []
    for frame in range(480):  # 16 seconds, the first 8 of them to get there
        crowd.step(points)
        if frame >= 240:
            seen.append(Orbit().params(points, crowd.ground))
    bearing, distance = np.moveaxis(np.array(seen), -1, 0)
    off, gap = np.degrees(np.abs(wrap_angle(bearing + 0.5 * np.pi))).mean(), np.abs(distance - 2.0).mean()
    print(f"the point is off the right hand by {off:.0f} degrees and off its distance by {100 * gap:.0f} cm on average")
    assert off < 15.0
    assert gap < 0.2


if __name__ == "__main__":
    main()
