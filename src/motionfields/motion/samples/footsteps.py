"""Footstep planning: turns steps (length, width, direction, time) into positions and times of foot contacts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.motion.samples.spins import foot_turn, spin_share

LEFT, RIGHT = 0, 1
SWING_SHARE = 0.96  # share of the time between two touch-downs in which the other foot is in the air
USUAL_STEP = 0.62  # seconds
REAR_FOOT_FOLLOWS = 0.4  # share of the body's turn before touch-down that the other, standing foot follows
LONGEST_SWING = 0.66  # seconds; a slower step spends the rest of its time on both feet


@dataclass(frozen=True)
class Step:
    """One step of one foot, relative to the midline of the body after the previous step."""

    forward: float = 0.54  # metres along the heading
    sideways: float = 0.0  # metres to the left
    turn: float = 0.0  # radians by which the heading changes
    duration: float = USUAL_STEP  # seconds since the previous touch-down
    width: float = 0.1  # metres between left and right footprints
    travel: float = 0.5  # share of the turn made before moving: 0 moves along the old heading, 1 along the new
    lead: float = 0.62  # share of the turn the pelvis has made at touch-down
    toe_out: float = 0.09  # radians
    spin: float | None = None  # seconds from the previous touch-down to the start of a spin; None for no spin


class FootstepPlan(NamedTuple):
    """Positions and times of foot contacts, in order of touch-down; left and right alternate."""

    side: IntArray  # [step], 0 left, 1 right
    position: FloatArray  # [step, 2], x and z in metres of the ball of the foot
    yaw: FloatArray  # [step], radians, direction of the foot at touch-down
    lift_yaw: FloatArray  # [step], radians, direction of the foot when it leaves, after turning on its ball
    down_time: FloatArray  # [step], seconds
    lift_time: FloatArray  # [step], seconds
    heading: FloatArray  # [step], radians, direction of the path
    body_yaw: FloatArray  # [step], radians, direction of the pelvis at touch-down
    forward: FloatArray  # [step], metres gained along the body since the previous step, negative backwards
    spin_time: FloatArray  # [step], seconds, start of a spin on the previous foot into this step; NaN for other steps
    early_turn: FloatArray  # [step], radians of `yaw` due to a spin on this foot that begins before it is down


def plan_footsteps(
    steps: Sequence[Step], *, first_side: int, rng: np.random.Generator, variation: float = 1.0
) -> FootstepPlan:
    """Return the footsteps of `steps`, starting from a stand at the origin with heading 0.

    The first of `steps` moves the foot `first_side`. Steps 0 and 1 of the plan are the feet of the initial stand.
    Lengths, widths and times vary slightly from step to step, as drawn from `rng`; `variation` 0 keeps them exact.
    """
    stand = Step(forward=0.0, duration=0.0)
    varied = [stand, stand, *(_varied(step, variation * rng.standard_normal(4)) for step in steps)]
    side = (np.arange(len(varied)) + first_side) % 2
    outward = np.where(side == LEFT, 1.0, -1.0)
    heading = np.cumsum([step.turn for step in varied])
    turn = np.array([step.turn for step in varied])
    course = heading - (1.0 - np.array([step.travel for step in varied])) * turn
    forward = np.array([step.forward for step in varied])
    midline = np.cumsum(
        forward[:, None] * _ahead(course) + np.array([s.sideways for s in varied])[:, None] * _leftward(course), axis=0
    )
    half_width = 0.5 * np.array([step.width for step in varied])
    yaw = heading + outward * np.array([step.toe_out for step in varied])
    body_yaw = heading - (1.0 - np.array([step.lead for step in varied])) * turn
    down_time = np.cumsum([step.duration for step in varied])
    spin = np.array([np.nan if step.spin is None else step.spin for step in varied])
    early = _early_turns(body_yaw, spin)
    return FootstepPlan(
        side=side,
        position=midline + (outward * half_width)[:, None] * _leftward(heading),
        yaw=yaw + early,
        lift_yaw=yaw + _pivots(yaw, body_yaw, outward, spin),
        down_time=down_time,
        lift_time=_lift_times(down_time, spin),
        heading=heading,
        body_yaw=body_yaw,
        forward=forward,
        spin_time=np.append(0.0, down_time[:-1]) + spin,
        early_turn=early,
    )


def _varied(step: Step, draw: FloatArray) -> Step:
    """Return `step` with the small variation of human steps, from 4 normal numbers `draw`."""
    length, width, time, toe = np.clip(draw, -2.0, 2.0)
    return replace(
        step,
        forward=step.forward * (1.0 + 0.025 * length),
        sideways=step.sideways * (1.0 + 0.02 * length),
        width=step.width + 0.007 * width,
        duration=step.duration * (1.0 + 0.012 * time),
        toe_out=step.toe_out + 0.02 * toe,
    )


def _lift_times(down_time: FloatArray, spin: FloatArray) -> FloatArray:
    """Return the end time of each footstep: one swing before the foot's next touch-down; never for the last two.

    Before a spin, a foot lifts as in an ordinary walk, because the spin is unanticipated.
    """
    lift = np.full(len(down_time), np.inf)
    next_own = down_time[2:]
    late = next_own - np.minimum(SWING_SHARE * (next_own - down_time[1:-1]), LONGEST_SWING)
    lift[:-2] = np.where(np.isnan(spin[2:]), late, down_time[1:-1] + (1.0 - SWING_SHARE) * USUAL_STEP)
    return lift


def _pivots(yaw: FloatArray, body_yaw: FloatArray, outward: FloatArray, spin: FloatArray) -> FloatArray:
    """Return how far each foot turns on its ball before it lifts: the part of the turn that the hip cannot take."""
    twist = np.append(body_yaw[1:], body_yaw[-1]) - yaw
    turn = np.diff(body_yaw, append=body_yaw[-1])
    spun = np.array([foot_turn(angle) for angle in turn])
    easy = np.where(twist * outward > 0.0, 0.5, 0.8)  # radians that a hip takes easily: thigh turned in, turned out
    walked = np.sign(twist) * 0.8 * np.maximum(np.abs(twist) - easy, 0.0)
    pivots = np.where(np.isnan(np.append(spin[1:], np.nan)), walked, spun)
    return np.asarray(pivots + REAR_FOOT_FOLLOWS * np.append(_early_turns(body_yaw, spin)[1:], 0.0))


def _early_turns(body_yaw: FloatArray, spin: FloatArray) -> FloatArray:
    """Return radians [step] by which the body has turned at each touch-down, in a spin on that foot."""
    early = np.zeros(len(spin))
    for step in np.flatnonzero(spin < 0.0):
        angle = float(body_yaw[step] - body_yaw[step - 1])
        early[step - 1] = angle * float(spin_share(-spin[step], angle))
    return early


def _ahead(yaw: FloatArray) -> FloatArray:
    return np.stack([np.sin(yaw), np.cos(yaw)], axis=-1)


def _leftward(yaw: FloatArray) -> FloatArray:
    return np.stack([np.cos(yaw), -np.sin(yaw)], axis=-1)
