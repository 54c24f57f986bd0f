"""Controllers with added joint noise, to verify that the quality gates detect bad motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_exp, quat_multiply
from motionfields.control.tasks import Ground, Task
from motionfields.field import MotionField
from motionfields.measure.evaluation.trials import Characters, Controlled
from motionfields.runtime import DisplayPose, Frame


@dataclass(frozen=True, eq=False)
class NoisyController:
    """A copy of `controller` that adds an error of `degrees` to every joint except the root.

    The rotation axes are drawn anew at every frame; they depend only on `seed`, the frame number and the character.
    """

    controller: Controlled
    degrees: float
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0.0 <= self.degrees <= 180.0:
            raise ValueError(f"degrees: expected 0 to 180, got {self.degrees}")

    @property
    def field(self) -> MotionField:
        """Motion field of the controller."""
        return self.controller.field

    @property
    def task(self) -> Task:
        """Task of the controller."""
        return self.controller.task

    def crowd(self, count: int, *, seed: int = 0, plant: bool = True) -> NoisyCrowd:
        """Return a crowd of `count` characters with noise added."""
        return NoisyCrowd(self.controller.crowd(count, seed=seed, plant=plant), np.radians(self.degrees), self.seed)


class NoisyCrowd:
    """Crowd whose joints are rotated by `angle` radians about random axes."""

    def __init__(self, crowd: Characters, angle: float, seed: int) -> None:
        self.crowd = crowd
        self.angle, self.seed = angle, seed
        self.unplanted: DisplayPose | None = None  # displayed pose of the last frame before foot locking
        self._frame_count = 0

    @property
    def ground(self) -> Ground:
        """Positions and facings of the characters."""
        return self.crowd.ground

    def step(self, commands: FloatArray) -> Frame:
        """Advance by one frame."""
        frame = self.crowd.step(commands)
        axes = np.random.default_rng((self.seed, self._frame_count)).normal(size=(*frame.rotations.shape[:2], 3))
        noise = quat_exp(self.angle * axes / np.linalg.norm(axes, axis=-1, keepdims=True))
        self._frame_count += 1
        if self.crowd.unplanted is not None:
            self.unplanted = self.crowd.unplanted._replace(rotations=_shaken(self.crowd.unplanted.rotations, noise))
        return frame._replace(rotations=_shaken(frame.rotations, noise))


def _shaken(rotations: FloatArray, noise: FloatArray) -> FloatArray:
    """Return `rotations` [n, joint, 4] rotated by `noise` [n, joint, 4], except for the root."""
    shaken = np.array(rotations)
    shaken[:, 1:] = quat_multiply(noise[:, 1:], rotations[:, 1:].astype(np.float64))
    return shaken
