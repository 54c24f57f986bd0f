"""Settings of recovery, in metres, seconds and the unit of the reward (radians off the goal for one frame)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple


@dataclass(frozen=True)
class RecoverySettings:
    """Settings for the search around the displayed state, for balance and for moved landing places.

    A character that a push has moved is searched for in every frame of the force, from `delay` seconds after it began,
    and for `duration` seconds after it ended. The search rates the `candidate_count` states of lowest cost.
    """

    duration: float = 0.9  # seconds after a force in which every frame is searched
    delay: float = 0.1  # seconds from the start of a push to the first search
    rest: float = 0.2  # seconds between two changes of the followed state
    ahead: float = 0.27  # seconds of its clip that a state must have left
    candidate_count: int = 150  # states of lowest cost whose value is looked up
    value_weight: float = 0.3  # weight of reward and value; balance comes first
    margin: float = 0.5  # by which another state must be better than the followed one
    commit: float = 6.0  # the same while a recovery step has not landed
    jump_cost: float = 0.75  # for each m/s2 by which the acceleration of the mean joint jumps
    velocity_cost: float = 3.0  # for each m/s between the ground velocities of the roots
    contact_cost: float = 1.5  # for each foot that stands in only one of the two
    slip_cost: float = 10.0  # for each metre between the places of a foot that stands in both
    start_cost: float = 3.0  # for each m/s of a foot that stands and must swing
    balance_cost: float = 8.0  # for each metre that the capture point is beyond the one of the state
    unmet_cost: float = 25.0  # for each metre that it lacks to be `safety` inside the support after the next landing
    late_cost: float = 2.0  # for each second until the next foot lands, while out of balance
    missing_cost: float = 2.0  # for a state that lands no foot within `soon`, while out of balance
    cross_cost: float = 10.0  # for each metre by which the feet come closer than `apart` at the landing
    safety: float = 0.10  # metres inside the support that the capture point must be
    tolerance: float = 0.05  # metres that the capture point may be beyond the one of the followed state
    soon: float = 0.7  # seconds within which a landing counts as a recovery step
    swing: float = 0.25  # seconds until landing that a standing foot needs in a state that makes it step
    apart: float = 0.06  # metres between the feet, sideways
    reach: float = 0.30  # metres that a landing place is moved at most
    foot_speed: float = 2.0  # m/s at which it is moved at most
    foot_time: float = 0.07  # seconds, time constant of the spring that moves it
    lift_time: float = 0.035  # seconds, time constant of the spring that lifts it
    lift: float = 0.06  # metres that ball and ankle of a swing foot are lifted to
    land_time: float = 0.12  # seconds before its landing in which it comes down
    return_time: float = 0.5  # seconds, time constant with which the root takes over a moved landing place

    def __post_init__(self) -> None:
        for field in fields(self):
            number = getattr(self, field.name)
            if not 0.0 <= number < float("inf"):
                raise ValueError(f"{field.name}: expected a finite number of at least 0, got {number}")
        for name in ("foot_time", "lift_time", "land_time", "return_time"):
            if not getattr(self, name) > 0.0:
                raise ValueError(f"{name}: expected a positive number of seconds, got {getattr(self, name)}")
        if self.candidate_count < 1:
            raise ValueError(f"candidate_count: expected at least 1, got {self.candidate_count}")


class Costs(NamedTuple):
    """The settings that the compiled search reads, named like those of `RecoverySettings`."""

    jump_cost: float
    velocity_cost: float
    contact_cost: float
    slip_cost: float
    start_cost: float
    balance_cost: float
    unmet_cost: float
    late_cost: float
    missing_cost: float
    cross_cost: float
    safety: float
    soon: float
    swing: float
    apart: float
    reach: float

    @classmethod
    def of(cls, settings: RecoverySettings) -> Costs:
        """Return the costs in `settings`."""
        return cls(*(float(getattr(settings, name)) for name in cls._fields))
