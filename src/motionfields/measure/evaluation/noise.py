"""A fault to plant: joints that tremble, added to what any controller shows, so that gates can be seen to shut."""

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
    """A controller whose characters do as those of `controller`, but show every joint turned by `degrees`.

    All but the root, each frame about axes drawn anew: of `seed`, the number of the frame and the character alone.
    """

    controller: Controlled
    degrees: float
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0.0 <= self.degrees <= 180.0:
            raise ValueError(f"degrees: expected 0 to 180, got {self.degrees}")

    @property
    def field(self) -> MotionField:
        """The motion."""
        return self.controller.field

    @property
    def task(self) -> Task:
        """The task."""
        return self.controller.task

    def crowd(self, count: int, *, seed: int = 0, plant: bool = True) -> NoisyCrowd:
        """The characters of the controller, trembling."""
        return NoisyCrowd(self.controller.crowd(count, seed=seed, plant=plant), np.radians(self.degrees), self.seed)


class NoisyCrowd:
    """Characters whose joints tremble by `angle` radians."""

    def __init__(self, crowd: Characters, angle: float, seed: int) -> None:
        self.crowd = crowd
        self.angle, self.seed = angle, seed
        self.unplanted: DisplayPose | None = None  # what the last frame showed before feet were held
        self._frame_count = 0

    @property
    def ground(self) -> Ground:
        """Where the characters are and face."""
        return self.crowd.ground

    def step(self, commands: FloatArray) -> Frame:
        """One frame on."""
        frame = self.crowd.step(commands)
        axes = np.random.default_rng((self.seed, self._frame_count)).normal(size=(*frame.rotations.shape[:2], 3))
        noise = quat_exp(self.angle * axes / np.linalg.norm(axes, axis=-1, keepdims=True))
        self._frame_count += 1
        if self.crowd.unplanted is not None:
            self.unplanted = self.crowd.unplanted._replace(rotations=_shaken(self.crowd.unplanted.rotations, noise))
        return frame._replace(rotations=_shaken(frame.rotations, noise))


def _shaken(rotations: FloatArray, noise: FloatArray) -> FloatArray:
    """`rotations` [n, joint, 4] turned by `noise` [n, joint, 4], the root as it is."""
    shaken = np.array(rotations)
    shaken[:, 1:] = quat_multiply(noise[:, 1:], rotations[:, 1:].astype(np.float64))
    return shaken
