"""Settings of foot locking, in metres, seconds, radians and contact votes."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

# Settings that appear as divisors.
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
    """Settings for locking, releasing and reaching; the defaults were tuned on captured turns in place at 30 Hz."""

    lock_vote: float = 0.5  # contact vote from which a free foot is brought to rest and locked
    release_vote: float = 0.35  # contact vote below which a locked foot is released
    lock_lead: float = 0.08  # seconds by which a rising vote is extrapolated for locking
    release_lead: float = 0.02  # seconds by which a falling vote is extrapolated for release
    stop_time: float = 0.042  # seconds in which a foot comes to rest after locking
    settle_time: float = 0.28  # seconds in which its ball reaches the floor and its heel comes down
    fade_time: float = 0.2  # seconds in which the correction of a released foot fades
    root_time: float = 0.2  # seconds by which the root lags the correction of the locked feet; it keeps that shift
    root_haste: float = 0.1  # metres of correction at which that lag is halved
    lean_time: float = 0.35  # time constant in seconds with which a push is undone while the feet stay locked
    furthest: float = 0.15  # metres between a locked foot and the animation at which it is released
    furthest_turn: float = 0.52  # radians at which a flat foot begins to pivot with the animation
    wait_time: float = 0.25  # seconds before a foot released by `furthest` may lock again
    heel_hold: float = 0.37  # radians of heel rise below which a locked foot is increasingly held flat
    floor_softness: float = 0.006  # metres a foot may sink below its resting height
    swing_clearance: float = 0.038  # metres above its resting height that a fast swinging toe keeps; 0 disables it
    clearance_speeds: tuple[float, float] = (0.2, 0.5)  # m/s over the ground between which clearance sets in
    clearance_time: float = 0.055  # seconds by which clearance lags
    ankle_lift: float = 0.35  # radians by which the ankle lifts the toes for clearance; the knee does the rest
    easy_reach: float = 0.92  # share of the leg's length above which the pelvis sinks, unless animated longer
    full_reach: float = 0.9985  # share of the leg's length that no locked leg exceeds; the heel rises instead
    reach_softness: float = 0.02  # metres over which the pelvis begins to sink
    deepest: float = 0.08  # metres by which the pelvis sinks at most
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
    """The settings and the frame time in the form that the compiled step takes; fields are named like the settings."""

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
    """Return `settings` for a frame every `frame_time` seconds, as plain numbers."""
    values = {name: float(getattr(settings, name)) for name in Numbers._fields if hasattr(settings, name)}
    lower, upper = settings.clearance_speeds
    return Numbers(frame_time=frame_time, clearance_from=lower, clearance_to=upper, **values)
