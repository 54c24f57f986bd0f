"""State of foot locking between frames, and its results."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray

# A foot as animated: the position of its ball in metres, and the direction from ankle to ball in radians (the pitch is
# positive when the heel is up).
X, Y, Z, YAW, PITCH = range(5)
ANIMATED_COUNT = 5
# A foot as displayed: the position of its ball, and its rotation from the animated foot as a world rotation vector.
TURN = 3
SHOWN_COUNT = 6
KEPT_FRAMES = 2  # frames of history per foot, which give the velocity to continue with


class PlantingState(NamedTuple):
    """State of foot locking for each character; column 0 is the left foot, column 1 the right."""

    frames: IntArray  # [character], number of frames so far
    root_shift: FloatArray  # [character, 3], metres the root was moved so far; zero if the caller keeps it
    root_velocity: FloatArray  # [character, 3], metres per second of that shift
    drop: FloatArray  # [character, 2], metres the pelvis is lowered, and metres per second
    votes: FloatArray  # [character, 2], of the last frame
    locked: BoolArray  # [character, 2]
    wait: FloatArray  # [character, 2], seconds until a foot may lock again
    clearance: FloatArray  # [character, 2, 2], metres a swinging toe keeps off the floor, and metres per second
    anchor: FloatArray  # [character, 2, 4], position and yaw of a locked foot: x, y, z, yaw
    lean: FloatArray  # [character, 2, 2], metres x and z by which the root was pushed while a foot was locked
    animated: FloatArray  # [character, 2, KEPT_FRAMES, ANIMATED_COUNT], latest frame first
    shown: FloatArray  # [character, 2, KEPT_FRAMES, SHOWN_COUNT], latest frame first
    fade_clock: FloatArray  # [character, 2], seconds since a foot was locked or released
    fade_time: FloatArray  # [character, 2, SHOWN_COUNT], seconds in which the offset fades
    fade: FloatArray  # [character, 2, 2, SHOWN_COUNT], that offset and its rate per second

    @classmethod
    def fresh(cls, count: int) -> PlantingState:
        """Return the state of `count` characters that have not moved yet."""
        if count < 0:
            raise ValueError(f"count: expected at least 0 characters, got {count}")
        feet = (count, 2)
        return cls(
            frames=np.zeros(count, np.int64),
            root_shift=np.zeros((count, 3)),
            root_velocity=np.zeros((count, 3)),
            drop=np.zeros((count, 2)),
            votes=np.zeros(feet),
            locked=np.zeros(feet, np.bool_),
            wait=np.zeros(feet),
            clearance=np.zeros((*feet, 2)),
            anchor=np.zeros((*feet, 4)),
            lean=np.zeros((*feet, 2)),
            animated=np.zeros((*feet, KEPT_FRAMES, ANIMATED_COUNT)),
            shown=np.zeros((*feet, KEPT_FRAMES, SHOWN_COUNT)),
            fade_clock=np.full(feet, np.inf),
            fade_time=np.zeros((*feet, SHOWN_COUNT)),
            fade=np.zeros((*feet, 2, SHOWN_COUNT)),
        )

    def copy(self) -> PlantingState:
        """Return a copy that shares no arrays."""
        return self._replace(**{name: array.copy() for name, array in self._asdict().items()})

    def restart(self, characters: IntArray | BoolArray) -> None:
        """Reset `characters` (indices or a mask) in place, as after a jump to another position."""
        for array, start in zip(self, PlantingState.fresh(1), strict=True):
            array[characters] = start[0]

    def restarted(self, characters: IntArray | BoolArray) -> PlantingState:
        """Return a copy in which `characters` (indices or a mask) are reset."""
        state = self.copy()
        state.restart(characters)
        return state


class PlantedRuns(NamedTuple):
    """Whole motions with locked feet, and the corrections made."""

    root_position: FloatArray  # [character, frame, 3], metres, float64
    rotations: FloatArray  # [character, frame, joint, 4], in the type of the input
    reached: BoolArray  # [character, frame, 2], whether the leg is long enough to reach its foot's target
    pelvis_drop: FloatArray  # [character, frame], metres the pelvis is lowered


class PlantedPose(NamedTuple):
    """Poses with locked feet, the corrections made, and the state for the next frame."""

    root_position: FloatArray  # [character, 3], metres, float64
    rotations: FloatArray  # [character, joint, 4], in the type of the input
    root_shift: FloatArray  # [character, 3], metres the root was permanently moved in this frame
    locked: BoolArray  # [character, 2], whether a foot is held in place
    reached: BoolArray  # [character, 2], whether the leg is long enough to reach its foot's target
    pelvis_drop: FloatArray  # [character], metres the pelvis is lowered
    state: PlantingState
