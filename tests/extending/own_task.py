"""A task of one's own that crowds run compiled: keep the heading that is told at the left hand."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

import motionfields as mf
from motionfields.base.geometry import angle_difference, wrap_angle
from motionfields.control.tasks import Axis, Ground, Motion, Task, TaskKernel, angle_axis


def _advance(numbers: Any, params: Any, turn: float, velocity: Any, frame_time: float, after: Any) -> None:
    after[0] = (params[0] - turn + math.pi) % (2.0 * math.pi) - math.pi


def _reward(numbers: Any, params: Any, after: Any, turn: float, velocity: Any, frame_time: float) -> float:
    return float(-abs(after[0]) + numbers[0] * velocity[1])


@dataclass(frozen=True)
class LeftHand(Task):
    """Walk with the heading at the left hand; each m/s ahead pays `pace` radians."""

    pace: float = 0.25
    axes: tuple[Axis, ...] = (angle_axis(),)
    command_names: tuple[str, ...] = ("heading",)

    def params(self, command: Any, ground: Ground) -> Any:
        return angle_difference(command[:, 0] - 0.5 * np.pi, ground.facing)[:, np.newaxis]

    def advance(self, params: Any, motion: Motion) -> Any:
        return wrap_angle(params[..., 0] - motion.turn)[..., np.newaxis]

    def reward(self, params: Any, motion: Motion) -> Any:
        return self.pace * motion.velocity[..., 1] - np.abs(self.advance(params, motion)[..., 0])

    def kernel(self) -> TaskKernel:
        return TaskKernel(_advance, _reward, (self.pace,))


if __name__ == "__main__":
    clips = [one.clip for one in mf.samples.generate_samples(only=re.compile("walk_forward|turn_left_090_quick"))]
    controller = mf.train(mf.MotionField(mf.MotionDatabase.build(clips)), LeftHand(), tolerance=0.1)
    crowd = mf.Crowd(controller, 40, seed=2)
    for _ in range(150):
        crowd.step(3.0)
    off = np.abs(angle_difference(crowd.ground.facing, 3.0 - 0.5 * np.pi))
    assert np.median(off) < 0.35, "expected characters that keep the heading at their left"
