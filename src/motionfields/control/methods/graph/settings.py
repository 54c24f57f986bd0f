"""Settings of the clip graph."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.checks import check_fields, checked_number
from motionfields.control.transitions import AGILITY_RANGE, SHORTEST_HALF_LIFE


@dataclass(frozen=True)
class GraphSettings:
    """Costs of changing clips, limits of their warps, and settings of planning.

    Costs are in the unit of the reward, radians for one frame. `jump_cost` is charged for each m/s2 by which the
    acceleration of the joints jumps at a change of clips (the physical cost; see `transitions.jump_features`).
    `rough_cost` is multiplied by the fraction by which the jerk of a frame exceeds that of frames with similar speed.

    A clip may turn up to `most_turn` radians further than captured, in `turn_count` amounts to each side and by the
    amount that just reaches the goal. A turn costs `turn_cost` times the square of the turning rate that it adds, in
    rad/s. A clip may travel 1 - `most_stretch` to 1 + `most_stretch` times as far; a stretch costs `stretch_cost` times
    its difference from 1.

    With `standing`, clips in which the character stands are available too. The next clip is chosen when the fraction
    `ahead` of the current one is left: 0 is as late as possible, 0.5 is what fading from clip to clip requires. Future
    reward is multiplied by `discount` for each frame, and in each frame the user gives a new goal with probability
    `goal_change`.
    """

    jump_cost: float = 1.6
    rough_cost: float = 0.4
    most_turn: float = math.radians(45.0)
    turn_count: int = 3
    turn_cost: float = 5.0
    most_stretch: float = 0.15
    stretch_cost: float = 1.0
    standing: bool = False
    ahead: float = 0.0
    half_life: float = 0.18  # seconds, of the springs as in `transitions.ControlSettings`
    root_half_life: float = 0.3
    discount: float = 0.99
    goal_change: float = 1.0 / 60.0

    def __post_init__(self) -> None:
        check_fields(self)
        for name in ("jump_cost", "rough_cost", "turn_cost", "stretch_cost", "most_turn"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise ValueError(f"{name}: expected 0 or more, got {getattr(self, name)}")
        for name in ("half_life", "root_half_life"):
            checked_number(name, getattr(self, name), SHORTEST_HALF_LIFE)
        for name in ("discount", "goal_change", "most_stretch", "ahead"):
            if not 0.0 <= getattr(self, name) < 1.0:
                raise ValueError(f"{name}: expected at least 0 and less than 1, got {getattr(self, name)}")
        if self.turn_count < 0:
            raise ValueError(f"turn_count: expected 0 or more, got {self.turn_count}")

    def agile(self, agility: float) -> GraphSettings:
        """Return these settings for an `agility` from 0 (smoothest) through 0.5 (unchanged) to 1 (most responsive)."""
        if not 0.0 <= agility <= 1.0:
            raise ValueError(f"agility: expected 0 to 1, got {agility}")
        share = AGILITY_RANGE ** (1.0 - 2.0 * agility)
        return replace(self, jump_cost=self.jump_cost * share, turn_cost=self.turn_cost * share)

    @property
    def turns(self) -> FloatArray:
        """Radians that clips may turn in addition, besides the amount that just reaches the goal."""
        return np.linspace(-self.most_turn, self.most_turn, 2 * self.turn_count + 1)

    @property
    def stretches(self) -> FloatArray:
        """Ground distances that clips may travel, as multiples of the captured one."""
        return np.array([1.0] if self.most_stretch == 0.0 else [1.0 - self.most_stretch, 1.0, 1.0 + self.most_stretch])
