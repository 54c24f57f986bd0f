"""Settings of motion matching: weights of the features, times between searches, and steering."""

from __future__ import annotations

from dataclasses import dataclass, replace

from motionfields.base.checks import check_fields

EXTRA_TURN = 0.2  # fraction of the captured turn that `warped` adds, the same as `Warp`
AGILITY_RANGE = 2.0  # divisor of the trajectory's weights at agility 0; factor at agility 1
POSE_WEIGHTS = ("foot_position", "foot_velocity", "hip_velocity", "hip_turning")
WEIGHTS = (*POSE_WEIGHTS, "trajectory_position", "trajectory_direction")
TIMES = ("smoothing", "interval", "tail")
NOT_NEGATIVE = (*WEIGHTS, *TIMES, "surprise", "change_cost", "look_share", "line_width", "extra_turn", "extra_limit")
POSITIVE = ("velocity_half_life", "facing_half_life", "spin_half_life", "look_ahead", "half_life", "root_half_life")
LEAST, LARGEST = 1e-3, 1e6  # bounds of settings, which keep the arithmetic meaningful


@dataclass(frozen=True)
class MatchingSettings:
    """Settings of the comparison between states, the times of searches, and steering.

    The six weights apply to groups of features (see `features`), which are first brought to one scale. A character
    takes the state of least cost: the squared distance of the weighted features, plus `change_cost` unless it continues
    from its current state.

    The trajectory has a point at each of the `horizons`, in seconds ahead. The wanted trajectory follows critically
    damped springs: the velocity approaches the desired one with `velocity_half_life`, the facing with
    `facing_half_life`, in seconds. Captured trajectories are smoothed over a window of `smoothing` seconds; otherwise
    they would contain the sway of each step.

    The character searches every `interval` seconds, and at once when the task parameters differ by more than `surprise`
    (radians, metres, m/s) from those that its last motion led to. The last `tail` seconds of a clip (of a short clip,
    at most its last third) are not found.

    With `extra_turn`, the character turns by up to that fraction more or less than captured, towards the desired
    facing, as games do to keep a character close to the player's steering. The remaining angle decays with
    `spin_half_life` seconds, and nothing is added beyond `extra_limit` rad/s. This is the counterpart of `Warp`, and
    off by default; `warped` turns it on.

    On a line, the character heads for the point `look_ahead` metres further along it, and turns its facing that way by
    the fraction `look_share`; within `line_width` metres of the line it walks along it.

    After a transition, the displayed pose approaches the followed pose like a critically damped spring with a half-life
    of `half_life` seconds, and the position of its root with `root_half_life`.
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
        check_fields(self)
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
        """Return these settings with turns that go further than captured."""
        return replace(self, extra_turn=EXTRA_TURN)

    def agile(self, agility: float) -> MatchingSettings:
        """Return these settings for an `agility` from 0 (smoothest) through 0.5 (unchanged) to 1 (most responsive)."""
        if not 0.0 <= agility <= 1.0:
            raise ValueError(f"agility: expected 0 to 1, got {agility}")
        more = AGILITY_RANGE ** (2.0 * agility - 1.0)
        return replace(
            self,
            trajectory_position=self.trajectory_position * more,
            trajectory_direction=self.trajectory_direction * more,
        )
