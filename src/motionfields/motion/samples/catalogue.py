"""The generated clips by name, each as a list of steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from motionfields.motion.samples.footsteps import LEFT, RIGHT, USUAL_STEP, Step
from motionfields.motion.samples.spins import spin_seconds

TURN_ANGLES = tuple(range(15, 181, 15))  # degrees
SPIN_ANGLES = tuple(range(30, 181, 30))  # degrees
# Milliseconds from the touch-down of the foot that the body spins on to the start of the spin: inside, outside foot.
SPIN_ONSETS = (tuple(range(-140, 421, 70)), tuple(range(-140, 421, 70)))
WALK = Step()


@dataclass(frozen=True)
class Route:
    """The steps of one clip; the first and last few are walked but not shown."""

    name: str
    steps: Sequence[Step]
    first_side: int = LEFT
    skip: int = 3  # steps before the clip begins
    drop: int = 2  # steps after the clip ends
    spins: int | None = None  # index of the step that a spin leads to, if any; the clip is then cut around it


@cache
def all_routes() -> tuple[Route, ...]:
    """Return every clip of the sample set."""
    turns = [
        route
        for angle in TURN_ANGLES
        for side in (LEFT, RIGHT)
        for route in (gentle_turn(angle, side), quick_turn(angle, side))
    ]
    sidesteps = [sidestep(LEFT), sidestep(RIGHT)]
    spins = [
        spin_turn(angle, side, onset) for angle in SPIN_ANGLES for side in (LEFT, RIGHT) for onset in SPIN_ONSETS[side]
    ]
    return (*_straight_routes(), *_standing_routes(), *turns, *sidesteps, *_backward_routes(), *spins)


def paced(speed: float) -> Step:
    """Return a straight step at `speed` in m/s; people walk faster with both longer and quicker steps."""
    length = 0.54 * (speed / 0.87) ** 0.6
    return Step(forward=length, duration=length / speed)


def gentle_turn(angle: int, side: int) -> Route:
    """Return a walk on an arc through `angle` degrees to the `side`, at most 33 degrees per step."""
    count = max(2, int(np.ceil(angle / 33)))
    sign = 1.0 if side == LEFT else -1.0
    share = np.radians(angle) * sign / count
    length = 0.53 - 0.09 * min(abs(share) / np.radians(33), 1.0)
    arc = [Step(forward=length, turn=share, duration=0.61, width=0.125)] * count
    name = f"turn_{_word(side)}_{angle:03d}_gentle"
    return Route(name, [*([WALK] * 6), *arc, *([WALK] * 5)], first_side=angle // 15 % 2, skip=4, drop=3)


def quick_turn(angle: int, side: int) -> Route:
    """Return a planted turn through `angle` degrees to the `side`: one foot plants, and the body turns over it."""
    sign = 1.0 if side == LEFT else -1.0
    full = np.radians(angle) * sign
    turn = _one_plant(full) if angle <= 105 else _two_plants(full)
    outside = RIGHT if side == LEFT else LEFT
    planting = outside if angle <= 105 else side
    steps = [*([WALK] * 5), Step(forward=0.5), *turn, *([WALK] * 5)]
    return Route(f"turn_{_word(side)}_{angle:03d}_quick", steps, first_side=planting, skip=4, drop=3)


def _one_plant(full: float) -> list[Step]:
    """Return steps in which the outside foot plants slightly turned and the inside foot opens to the new direction."""
    sharp = min(abs(full) / np.radians(90), 1.0)
    return [
        Step(forward=0.5 - 0.06 * sharp, turn=0.2 * full, duration=0.61, width=0.12, travel=0.0),
        Step(forward=0.5 - 0.06 * sharp, turn=0.7 * full, duration=0.64, width=0.12, travel=1.0, lead=0.85),
        Step(forward=0.52, turn=0.1 * full, duration=0.6, travel=1.0, lead=0.9),
    ]


def _two_plants(full: float) -> list[Step]:
    """Return steps in which the inside foot plants short, the outside foot steps round it, and the inside one opens."""
    sharp = (abs(full) - np.radians(105)) / np.radians(75)
    return [
        Step(forward=0.44 - 0.04 * sharp, turn=0.06 * full, duration=0.62, travel=0.0),
        Step(forward=0.2, turn=0.48 * full, duration=0.6, width=0.16, travel=0.1),
        Step(forward=0.34, turn=0.36 * full, duration=0.66, width=0.15, travel=1.0, lead=0.64),
        Step(forward=0.48, turn=0.1 * full, duration=0.7, travel=1.0, lead=0.9),
    ]


def spin_turn(angle: int, side: int, onset: int) -> Route:
    """Return a turn by `angle` degrees to the `side` on the ball of the left foot, `onset` ms after its touch-down.

    To the left that is the inside foot, to the right the outside one. Turns on the right foot are the mirror images.
    """
    sign = 1.0 if side == LEFT else -1.0
    full = np.radians(angle) * sign
    foot = "inside" if side == LEFT else "outside"
    moment = f"{abs(onset):03d}_{'before' if onset < 0 else 'after'}"
    steps = [*([WALK] * 6), *_spin(full, 0.001 * onset), *([WALK] * 5)]
    return Route(f"turn_{_word(side)}_{angle:03d}_spin_{foot}_{moment}", steps, first_side=RIGHT, spins=6)


def _spin(full: float, onset: float) -> list[Step]:
    """Return steps in which the right foot swings round the left one to catch the body, and the left foot walks on."""
    width, sharp = 0.1, abs(full) / np.pi
    wide = (0.14 + 0.12 * onset) * np.sin(full) if full > 0.0 else 0.05 * abs(np.sin(full)) + 0.08 * sharp**2
    carry = 0.21 - 0.2 * min(onset, 0.0)
    shortening = 0.0 if full > 0.0 else 0.05 * min(2.0 * sharp, 1.0)
    duration = max(USUAL_STEP + 0.25 * min(onset, 0.0) - shortening, onset + 1.08 * spin_seconds(full))
    return [
        Step(
            forward=0.285 + (carry - 0.025) * np.cos(full) + 0.5 * width * np.sin(full),
            sideways=0.5 * width * (np.cos(full) - 1.0) - wide,
            turn=full, duration=duration, width=width, travel=1.0, lead=1.0, spin=onset,
        ),
        Step(forward=0.52 + 0.04 * sharp, duration=USUAL_STEP - 0.11 * sharp, width=0.1 + 0.02 * sharp),
    ]  # fmt: skip


def sidestep(side: int) -> Route:
    """Return a walk that stops, side-steps three times to the `side` and walks on."""
    sign = 1.0 if side == LEFT else -1.0
    stop = [Step(forward=0.4), Step(forward=0.22, width=0.13), Step(forward=0.02, width=0.16, duration=0.6)]
    first = Step(forward=0.0, sideways=0.3 * sign, duration=0.8, width=0.16, toe_out=0.05)
    opening = Step(forward=0.0, sideways=0.42 * sign, duration=0.54, width=0.16, toe_out=0.05)
    closing = Step(forward=0.0, duration=0.5, width=0.16, toe_out=0.05)
    last = Step(forward=0.0, duration=0.56, width=0.15)
    sideways = [first, closing, opening, closing, opening, last]
    start = [Step(forward=0.32, duration=0.75), Step(forward=0.48)]
    steps = [*([WALK] * 6), *stop, *sideways, *start, *([WALK] * 5)]
    return Route(f"sidestep_{_word(side)}", steps, first_side=1 - side, skip=4, drop=3)


def _straight_routes() -> list[Route]:
    faster = [paced(speed) for speed in np.linspace(0.7, 1.3, 7)]
    slower = [paced(speed) for speed in np.linspace(1.25, 0.65, 6)]
    return [
        Route("walk_forward", [WALK] * 20),
        Route("walk_slow", [paced(0.65)] * 14, first_side=RIGHT),
        Route("walk_fast", [paced(1.25)] * 16),
        Route("walk_speed_up", [paced(0.65)] * 6 + faster + [paced(1.3)] * 5),
        Route("walk_slow_down", [paced(1.3)] * 6 + slower + [paced(0.6)] * 4, first_side=RIGHT),
    ]


def _standing_routes() -> list[Route]:
    stop = [Step(forward=0.46), Step(forward=0.32), Step(forward=0.03, width=0.15, duration=0.66)]
    walk_on = [Step(forward=0.5), *([WALK] * 4)]
    settle, shuffle = Step(forward=0.0, duration=1.0, width=0.17), Step(forward=0.02, duration=10.0, width=0.16)
    return [
        Route("walk_stop", [*([WALK] * 6), *stop, Step(forward=0.34, duration=2.6), *walk_on]),
        Route("walk_stop_other_foot", [*([WALK] * 7), *stop, Step(forward=0.34, duration=1.8), *walk_on]),
        Route("walk_stop_short", [*([WALK] * 6), *stop, Step(forward=0.34, duration=1.1), *walk_on]),
        Route("stand_idle", [settle, settle, shuffle, settle], skip=2, drop=1),
    ]


def _backward_routes() -> list[Route]:
    stop = [Step(forward=0.4), Step(forward=0.2), Step(forward=0.02, width=0.13)]
    back = [Step(forward=-0.24, duration=0.8), *([Step(forward=-0.4, duration=0.62, width=0.13)] * 5)]
    halt = [Step(forward=-0.2, duration=0.62), Step(forward=-0.02, width=0.13, duration=0.62)]
    start = [Step(forward=0.32, duration=0.8), Step(forward=0.48)]
    return [
        Route(name, [*([WALK] * lead_in), *stop, *back, *halt, *start, *([WALK] * 5)], skip=4, drop=3)
        for name, lead_in in (("walk_backward", 6), ("walk_backward_other_foot", 7))
    ]


def _word(side: int) -> str:
    return "left" if side == LEFT else "right"
