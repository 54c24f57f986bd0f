"""What planting may do, in metres, seconds, radians and votes."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

# Settings that divide something.
POSITIVE = (
    "lock_vote",
    "stop_time",
    "settle_time",
    "fade_time",
    "root_time",
    "root_haste",
    "lean_time",
    "furthest_turn",
    "heel_hold",
    "floor_softness",
    "clearance_time",
    "ankle_lift",
    "reach_softness",
    "sink_time",
    "rise_time",
)


@dataclass(frozen=True)
class PlantingSettings:
    """How feet are held, let go and reached; the defaults were tuned on captured turns in place at 30 Hz."""

    lock_vote: float = 0.5  # a free foot is brought to rest once its contact vote is this high
    release_vote: float = 0.35  # and let go once the vote is below this
    lock_lead: float = 0.08  # seconds by which a vote looks ahead along its rise to lock
    release_lead: float = 0.02  # seconds by which it looks ahead along its fall to release
    stop_time: float = 0.042  # seconds from then in which a locked foot comes to rest
    settle_time: float = 0.28  # seconds in which its ball comes to the floor and its heel down
    fade_time: float = 0.2  # seconds in which the correction of a released foot is gone
    root_time: float = 0.2  # seconds by which the root lags the correction of the planted feet; it keeps that shift
    root_haste: float = 0.1  # metres of correction at which the root hurries twice as much
    lean_time: float = 0.35  # seconds in which 63 % of a push are taken back while the feet it met stay planted
    furthest: float = 0.15  # metres a planted foot may be off the animation before it is let go
    furthest_turn: float = 0.52  # radians about which a flat foot begins to pivot with the animation
    wait_time: float = 0.25  # seconds before such a foot may lock again
    heel_hold: float = 0.37  # radians of heel rise below which a planted foot is more and more held flat
    floor_softness: float = 0.006  # metres a foot may sink below its resting height
    swing_clearance: float = 0.038  # metres above its resting height that a fast swinging toe keeps; 0 for none
    clearance_speeds: tuple[float, float] = (0.2, 0.5)  # m/s over the ground between which clearance sets in
    clearance_time: float = 0.055  # seconds by which clearance lags
    ankle_lift: float = 0.35  # radians by which the ankle lifts the toes for that; the knee does the rest
    easy_reach: float = 0.92  # of the leg's length: further the pelvis gives way, unless the animation reaches further
    full_reach: float = 0.9985  # of the leg's length: no planted leg is straighter, the heel rises instead
    reach_softness: float = 0.02  # metres over which the pelvis begins to give way
    deepest: float = 0.08  # metres the pelvis gives way at most
    sink_time: float = 0.08  # seconds by which a sinking pelvis lags
    rise_time: float = 0.16  # seconds by which a rising pelvis lags

    def __post_init__(self) -> None:
        for field in fields(self):
            values = np.asarray(getattr(self, field.name), dtype=np.float64)
            if not np.all((values >= 0.0) & (values < np.inf)):
                raise ValueError(
                    f"{field.name}: expected finite numbers of at least 0, got {getattr(self, field.name)}"
                )
        for name in POSITIVE:
            if not getattr(self, name) > 0.0:
                raise ValueError(f"{name}: expected a positive number, got {getattr(self, name)}")
        if not self.release_vote <= self.lock_vote:
            raise ValueError(f"release_vote: expected at most lock_vote {self.lock_vote}, got {self.release_vote}")
        if not self.easy_reach <= self.full_reach <= 1.0:
            raise ValueError("easy_reach, full_reach: expected easy_reach <= full_reach <= 1")
        if not self.clearance_speeds[0] < self.clearance_speeds[1]:
            raise ValueError(f"clearance_speeds: expected a lower and a higher speed, got {self.clearance_speeds}")


class Numbers(NamedTuple):
    """The settings and the frame time as the compiled step takes them; the names are those of the settings."""

    frame_time: float
    lock_vote: float
    release_vote: float
    lock_lead: float
    release_lead: float
    stop_time: float
    settle_time: float
    fade_time: float
    root_time: float
    root_haste: float
    lean_time: float
    furthest: float
    furthest_turn: float
    wait_time: float
    heel_hold: float
    floor_softness: float
    swing_clearance: float
    clearance_from: float
    clearance_to: float
    clearance_time: float
    ankle_lift: float
    easy_reach: float
    full_reach: float
    reach_softness: float
    deepest: float
    sink_time: float
    rise_time: float


def numbers_of(settings: PlantingSettings, frame_time: float) -> Numbers:
    """`settings` at a frame every `frame_time` seconds, as plain numbers."""
    values = {name: float(getattr(settings, name)) for name in Numbers._fields if hasattr(settings, name)}
    lower, upper = settings.clearance_speeds
    return Numbers(frame_time=frame_time, clearance_from=lower, clearance_to=upper, **values)
