"""What a matching controller looks for, how often, and how it goes there."""

from __future__ import annotations

from dataclasses import dataclass, replace

EXTRA_TURN = 0.2  # of what was captured, by which `warped` turns further: as far as `Warp`
AGILITY_RANGE = 2.0  # times less the trajectory weighs at agility 0, times more at 1
POSE_WEIGHTS = ("foot_position", "foot_velocity", "hip_velocity", "hip_turning")
WEIGHTS = (*POSE_WEIGHTS, "trajectory_position", "trajectory_direction")
TIMES = ("smoothing", "interval", "tail")
NOT_NEGATIVE = (*WEIGHTS, *TIMES, "surprise", "change_cost", "look_share", "line_width", "extra_turn", "extra_limit")
POSITIVE = ("velocity_half_life", "facing_half_life", "spin_half_life", "look_ahead", "half_life", "root_half_life")
LEAST, LARGEST = 1e-3, 1e6  # of a setting; beyond these no arithmetic means anything


@dataclass(frozen=True)
class MatchingSettings:
    """How motion matching compares moments, and when it looks for another one.

    The six weights are for groups of features (see `features`), brought to one scale first. A character that is at one
    state and wants to go somewhere takes the state of least cost: the squared distance of the weighted features, and
    `change_cost` unless it goes on as it is.

    The trajectory has a point at each of the `horizons`, seconds ahead. The wanted one is that of critically damped
    springs: velocity comes to the desired one with `velocity_half_life`, facing with `facing_half_life`, in seconds.
    Captured ones are smoothed over a window of `smoothing` seconds, without which they carry the sway of each step.

    It searches every `interval` seconds, and at once when the parameters of the task are off by more than `surprise`
    (radians, metres, m/s) from what its last move led to. The last `tail` seconds of a clip (of a short one, at most
    its last third) are not found.

    With an `extra_turn` it turns by up to that share further than captured, or less far, towards the desired facing, as
    games do to keep a character by what the player steers: what is left of the angle goes with `spin_half_life`
    seconds, and nothing is added beyond `extra_limit` rad/s. It is the counterpart of `Warp`, and off by default;
    `warped` turns it on.

    Where it follows a line, it heads for the point `look_ahead` metres further along it, and turns its face that way by
    `look_share`; nearer to the line than `line_width` metres it goes along it.

    After a change the pose that is shown comes to the one that is followed as a critically damped spring of `half_life`
    seconds does, the place of its root with `root_half_life`.
    """

    foot_position: float = 0.75
    foot_velocity: float = 1.0
    hip_velocity: float = 1.0
    hip_turning: float = 1.6
    trajectory_position: float = 1.0
    trajectory_direction: float = 2.0
    horizons: tuple[float, ...] = (1.0 / 3.0, 2.0 / 3.0, 1.0)
    velocity_half_life: float = 0.1
    facing_half_life: float = 0.08
    smoothing: float = 0.5
    interval: float = 0.1
    surprise: float = 0.1
    change_cost: float = 0.5
    tail: float = 0.3
    look_ahead: float = 0.2
    look_share: float = 1.0
    line_width: float = 0.08
    extra_turn: float = 0.0
    extra_limit: float = 3.5
    spin_half_life: float = 0.15
    half_life: float = 0.21
    root_half_life: float = 0.4

    def __post_init__(self) -> None:
        object.__setattr__(self, "horizons", tuple(float(horizon) for horizon in self.horizons))
        for name in NOT_NEGATIVE:
            if not 0.0 <= getattr(self, name) <= LARGEST:
                raise ValueError(f"{name}: expected 0 to {LARGEST:g}, got {getattr(self, name)}")
        for name in POSITIVE:
            if not LEAST <= getattr(self, name) <= LARGEST:
                raise ValueError(f"{name}: expected {LEAST:g} to {LARGEST:g}, got {getattr(self, name)}")
        if not self.horizons or not all(0.0 < horizon <= 10.0 for horizon in self.horizons):
            raise ValueError(f"horizons: expected seconds above 0, at most 10, got {self.horizons}")

    def warped(self) -> MatchingSettings:
        """These settings with turns that go further than captured."""
        return replace(self, extra_turn=EXTRA_TURN)

    def agile(self, agility: float) -> MatchingSettings:
        """These settings for an `agility` from 0 (smoothest) over 0.5 (as they are) to 1 (answers fastest)."""
        if not 0.0 <= agility <= 1.0:
            raise ValueError(f"agility: expected 0 to 1, got {agility}")
        more = AGILITY_RANGE ** (2.0 * agility - 1.0)
        return replace(
            self,
            trajectory_position=self.trajectory_position * more,
            trajectory_direction=self.trajectory_direction * more,
        )
