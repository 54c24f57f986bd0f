"""Foot locking of crowds: its settings, and the methods that another one must have."""

from __future__ import annotations

from typing import Any, Protocol

from motionfields.base.arrays import FloatArray
from motionfields.field import MotionField
from motionfields.motion.planting import FootPlanter, PlantedPose, PlantingSettings

# Controlled characters turn faster than those of passive synthesis, so the root lags its locked feet for longer, and
# feet are released sooner.
PLANTING = PlantingSettings(
    root_time=0.4,
    root_haste=1.0,
    lock_lead=0.007,
    release_lead=0.03,
    stop_time=0.058,
    settle_time=0.15,
    fade_time=0.3,
    furthest=0.25,
    swing_clearance=0.037,
    clearance_time=0.085,
    furthest_turn=1.0,
    heel_hold=0.29,
)


class Planter(Protocol):
    """A method of foot locking: a `FootPlanter`, or any object with these two methods."""

    def start(self, count: int) -> Any:
        """Return the initial state of `count` characters; `state.restarted(characters)` resets the feet of some."""
        ...

    def step(
        self, state: Any, root_position: FloatArray, rotations: FloatArray, *, contact_votes: FloatArray
    ) -> PlantedPose:
        """Return poses [n] with feet locked where `contact_votes` [n, 2] are high, and the next state."""
        ...


def crowd_planter(field: MotionField) -> FootPlanter:
    """Return the foot locking of a crowd, which applies the planter's root shifts to its characters."""
    frame_time = field.database.frame_time
    return FootPlanter(
        field.database.skeleton, field.stance, frame_time=frame_time, settings=PLANTING, carries_shift=False
    )
