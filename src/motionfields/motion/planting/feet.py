"""The target of each foot: follow the animation, come to rest and stay locked, or fade back into the animation.

A free foot is shown as animated, a locked one at its anchor. Whenever it changes between the two, it continues with its
position and velocity and eases into the new rule, so that nothing jumps. All functions change the state of one foot of
one character, `row` and `side`.
"""

from __future__ import annotations

import math

from motionfields.base.arrays import FloatArray
from motionfields.base.compiled import lean_kernel
from motionfields.base.geometry.vectors import (
    UP,
    Vector,
    about,
    exponential,
    length,
    logarithm,
    multiply,
    rotate,
    subtract,
    vector_of,
)
from motionfields.motion.planting.curves import damped, fading, smoothstep, soft_positive
from motionfields.motion.planting.limb import Limb, Rig
from motionfields.motion.planting.settings import Numbers
from motionfields.motion.planting.state import (
    ANIMATED_COUNT,
    KEPT_FRAMES,
    PITCH,
    SHOWN_COUNT,
    TURN,
    YAW,
    PlantingState,
    X,
    Y,
    Z,
)

HEEL_SHARE = 0.5  # clearance of a swinging heel as a share of that of its ball
SHARPEST_LANDING = 2.5  # rate times duration divided by height: a steeper fade would go below the floor


@lean_kernel
def read_foot(
    rig: Rig, numbers: Numbers, limb: Limb, state: PlantingState, row: int, side: int, foot: FloatArray
) -> None:
    """Fill `foot` [ANIMATED_COUNT] from the animation, kept above the floor and with a continuous yaw."""
    arm = subtract(limb.toe, limb.ankle)
    for c in range(3):
        foot[c] = limb.toe[c]
    foot[Y] = above_floor(rig, numbers, side, foot[Y], 0.0)
    foot[YAW] = foot[PITCH] = 0.0
    if length(arm) > 0.0:
        foot[YAW] = math.atan2(arm[0], arm[2])
        foot[PITCH] = math.atan2(-arm[1], math.hypot(arm[0], arm[2]))
    if state.frames[row] == 0:  # no history yet: the foot counts as at rest, so that velocities start at zero
        for k in range(KEPT_FRAMES):
            _copy(foot, state.animated[row, side, k], ANIMATED_COUNT)
            _copy(foot, state.shown[row, side, k], 3)
        return
    foot[YAW] = _nearest_turn(foot[YAW], state.animated[row, side, 0, YAW])


@lean_kernel
def above_floor(rig: Rig, numbers: Numbers, side: int, height: float, clearance: float) -> float:
    """Return the ball's height in metres, kept `clearance` above its standing height; it may sink by the softness."""
    lack = rig.toe_heights[side] + clearance - numbers.floor_softness - height
    return float(height + soft_positive(lack, numbers.floor_softness))


@lean_kernel
def lock_or_release(
    rig: Rig, numbers: Numbers, state: PlantingState, row: int, side: int, vote: float, foot: FloatArray
) -> None:
    """Decide by `vote` and by the distance to the animation whether the foot is locked, and begin any change."""
    state.fade_clock[row, side] += numbers.frame_time
    state.wait[row, side] = max(0.0, state.wait[row, side] - numbers.frame_time)
    # The vote is extrapolated along its own slope, because a foot takes time to stop and to start moving.
    rise = 0.0 if state.frames[row] == 0 else (vote - state.votes[row, side]) / numbers.frame_time
    state.votes[row, side] = vote
    if not state.locked[row, side]:
        if vote + rise * numbers.lock_lead >= numbers.lock_vote and state.wait[row, side] <= 0.0:
            _lock(rig, numbers, state, row, side)
        return
    anchor, lean = state.anchor[row, side], state.lean[row, side]
    off = math.hypot(anchor[X] + lean[0] - foot[X], anchor[Z] + lean[1] - foot[Z])
    if off > numbers.furthest:
        state.wait[row, side] = numbers.wait_time
    if off > numbers.furthest or vote + rise * numbers.release_lead < numbers.release_vote:
        _release(numbers, state, row, side)


@lean_kernel
def show_foot(rig: Rig, numbers: Numbers, state: PlantingState, row: int, side: int, foot: FloatArray) -> None:
    """Compute the displayed foot, `state.shown`, from the animated `foot` [ANIMATED_COUNT], and record both."""
    animated, shown = state.animated[row, side], state.shown[row, side]
    # Row 0 of `animated` still holds the last frame here; the loop below then moves the history back by one frame,
    # oldest first, so that no row is overwritten before it is copied.
    steps = (foot[X] - animated[0, X], foot[Z] - animated[0, Z], foot[YAW] - animated[0, YAW])
    for k in range(KEPT_FRAMES - 1, 0, -1):
        _copy(animated[k - 1], animated[k], ANIMATED_COUNT)
        _copy(shown[k - 1], shown[k], SHOWN_COUNT)
    _copy(foot, animated[0], ANIMATED_COUNT)
    _copy(foot, shown[0], 3)
    if state.locked[row, side]:
        _pivot(rig, numbers, state, row, side, foot, steps[2])
        shown[0, X], shown[0, Z] = state.anchor[row, side, X], state.anchor[row, side, Z]
        shown[0, Y] = _held_height(rig, numbers, side, foot[Y], foot[PITCH])
        turn = _held_turn(rig, numbers, side, foot[YAW], foot[PITCH], state.anchor[row, side, YAW])
    else:
        lift = _clearing_lift(rig, numbers, state, row, side, foot, math.hypot(steps[0], steps[1]))
        pitch = _lifting_pitch(rig, numbers, side, foot, lift)
        turn = (pitch * math.cos(foot[YAW]), 0.0, -pitch * math.sin(foot[YAW]))
        shown[0, Y] += lift
        shown[0, Y] += _heel_lift(rig, numbers, state, row, side, shown[0, Y], foot[PITCH] + pitch)
    for c in range(3):
        shown[0, TURN + c] = turn[c]
    for c in range(SHOWN_COUNT):
        shown[0, c] += offset(state, row, side, c, state.fade_clock[row, side])
    shown[0, Y] = above_floor(rig, numbers, side, shown[0, Y], 0.0)


@lean_kernel
def planted_share(numbers: Numbers, state: PlantingState, row: int, side: int) -> float:
    """Return how firmly a foot is locked: rises to 1 while it settles and falls to 0 while its correction fades."""
    clock = state.fade_clock[row, side]
    if state.locked[row, side]:
        return smoothstep(clock / numbers.settle_time)
    return 1.0 - smoothstep(clock / numbers.fade_time)


@lean_kernel
def offset(state: PlantingState, row: int, side: int, channel: int, clock: float) -> float:
    """Return the remaining offset of a foot in `channel`, `clock` seconds after it began to fade."""
    duration = state.fade_time[row, side, channel]
    if clock >= duration:
        return 0.0
    fade = state.fade[row, side]
    return fading(clock / duration, fade[0, channel], fade[1, channel] * duration)


@lean_kernel
def _lock(rig: Rig, numbers: Numbers, state: PlantingState, row: int, side: int) -> None:
    """Lock the foot on the floor, at the point where it stops if it decelerates evenly within the stop time."""
    state.locked[row, side] = True
    for c in range(2):
        state.lean[row, side, c] = state.clearance[row, side, c] = 0.0
    shown, animated, anchor = state.shown[row, side], state.animated[row, side], state.anchor[row, side]
    duration = numbers.stop_time + numbers.frame_time
    ahead = 0.5 * duration / numbers.frame_time  # even deceleration covers half the distance of constant speed
    for c in (X, Z):
        anchor[c] = shown[0, c] + ahead * (shown[0, c] - shown[1, c])
        _begin_fade(numbers, state, row, side, c, anchor[c], anchor[c], duration)
    anchor[Y] = rig.toe_heights[side]
    height = _held_height(rig, numbers, side, animated[0, Y], animated[0, PITCH])
    height_before = _held_height(rig, numbers, side, animated[1, Y], animated[1, PITCH])
    _begin_fade(numbers, state, row, side, Y, height, height_before, numbers.settle_time)
    yaw = _shown_yaw(state, row, side, 0)
    anchor[YAW] = yaw + ahead * (yaw - _nearest_turn(_shown_yaw(state, row, side, 1), yaw))
    now = _held_turn(rig, numbers, side, animated[0, YAW], animated[0, PITCH], anchor[YAW])
    before = _held_turn(rig, numbers, side, animated[1, YAW], animated[1, PITCH], anchor[YAW])
    for c in range(3):
        _begin_fade(numbers, state, row, side, TURN + c, now[c], before[c], numbers.settle_time)
    _soften_landing(numbers, state, row, side)


@lean_kernel
def _release(numbers: Numbers, state: PlantingState, row: int, side: int) -> None:
    """Release the foot, which then fades into the animation."""
    state.locked[row, side] = False
    animated = state.animated[row, side]
    for c in range(3):
        _begin_fade(numbers, state, row, side, c, animated[0, c], animated[1, c], numbers.fade_time)
        _begin_fade(numbers, state, row, side, TURN + c, 0.0, 0.0, numbers.fade_time)


@lean_kernel
def _begin_fade(
    numbers: Numbers, state: PlantingState, row: int, side: int, channel: int, now: float, before: float, time: float
) -> None:
    """Start the offset that continues the displayed motion, where the new rule gives `before` and then `now`."""
    shown = state.shown[row, side]
    gap = shown[0, channel] - now
    state.fade[row, side, 0, channel] = gap
    state.fade[row, side, 1, channel] = (gap - (shown[1, channel] - before)) / numbers.frame_time
    state.fade_time[row, side, channel] = time
    state.fade_clock[row, side] = numbers.frame_time


@lean_kernel
def _soften_landing(numbers: Numbers, state: PlantingState, row: int, side: int) -> None:
    """Adjust the fade of a foot's height if it would go below the floor."""
    height, rate = state.fade[row, side, 0, Y], state.fade[row, side, 1, Y]
    if height <= 0.0:
        state.fade[row, side, 1, Y] = max(rate, 0.0)
    elif -rate * numbers.settle_time > SHARPEST_LANDING * height:
        state.fade_time[row, side, Y] = SHARPEST_LANDING * height / -rate


@lean_kernel
def _pivot(
    rig: Rig, numbers: Numbers, state: PlantingState, row: int, side: int, foot: FloatArray, yaw_step: float
) -> None:
    """Turn the anchor with the animation: in proportion to the heel's rise, and where a flat foot is turned too far."""
    anchor = state.anchor[row, side]
    anchor[YAW] += _risen_share(rig, numbers, side, foot[PITCH]) * yaw_step
    turned = foot[YAW] - anchor[YAW]
    beyond = soft_positive(abs(turned) - numbers.furthest_turn, 0.25 * numbers.furthest_turn)
    anchor[YAW] += math.copysign(beyond, turned)


@lean_kernel
def _clearing_lift(
    rig: Rig, numbers: Numbers, state: PlantingState, row: int, side: int, foot: FloatArray, step: float
) -> float:
    """Return the lift in metres that lets a free `foot`, moving by `step` metres in this frame, clear the floor."""
    speed = step / numbers.frame_time
    goal = 0.0
    if state.votes[row, side] < numbers.lock_vote:
        fast = (speed - numbers.clearance_from) / (numbers.clearance_to - numbers.clearance_from)
        goal = numbers.swing_clearance * smoothstep(fast)
    height, rate = state.clearance[row, side]
    height, rate = damped(height, rate, goal, numbers.clearance_time, numbers.frame_time)
    state.clearance[row, side, 0], state.clearance[row, side, 1] = height, rate
    lifted = above_floor(rig, numbers, side, foot[Y], height)
    return float(lifted - above_floor(rig, numbers, side, foot[Y], 0.0))


@lean_kernel
def _heel_lift(
    rig: Rig, numbers: Numbers, state: PlantingState, row: int, side: int, height: float, pitch: float
) -> float:
    """Return the lift in metres that lets the heel of a free foot clear the floor too, by half as much as its ball.

    The ball is at `height` metres, and the foot has that `pitch` in radians.
    """
    above = height + rig.foot_lengths[side] * (math.sin(pitch) - math.sin(rig.heel_pitches[side]))
    wanted = above_floor(rig, numbers, side, above, HEEL_SHARE * state.clearance[row, side, 0])
    return float(wanted - above_floor(rig, numbers, side, above, 0.0))


@lean_kernel
def _lifting_pitch(rig: Rig, numbers: Numbers, side: int, foot: FloatArray, lift: float) -> float:
    """Return the radians by which `foot` pitches to lift its ball by `lift` metres, as far as the ankle allows.

    The ankle lifts the toes first, because lifting them with the knee bends a nearly straight leg by a large angle. A
    steep foot is left unchanged, because its ankle would lift the ball very little.
    """
    if lift == 0.0 or not rig.has_toes[side]:
        return 0.0
    pitch = -numbers.ankle_lift * math.tanh(lift / (rig.foot_lengths[side] * numbers.ankle_lift))
    return pitch * (1.0 - smoothstep(abs(foot[PITCH]) - 0.3))


@lean_kernel
def _risen_share(rig: Rig, numbers: Numbers, side: int, pitch: float) -> float:
    """Return how far a foot of `pitch` radians stands on its ball: 0 while flat, 1 from the setting `heel_hold` on."""
    return float(smoothstep((pitch - rig.heel_pitches[side]) / numbers.heel_hold))


@lean_kernel
def _held_height(rig: Rig, numbers: Numbers, side: int, height: float, pitch: float) -> float:
    """Return the height of a locked foot's ball: at rest while the foot is flat, as animated while it rolls."""
    rest = rig.toe_heights[side]
    most = rig.tip_lengths[side] * math.sin(max(pitch - rig.heel_pitches[side], 0.0))
    return float(rest + max(most - soft_positive(most - (height - rest), numbers.floor_softness), 0.0))


@lean_kernel
def _held_turn(rig: Rig, numbers: Numbers, side: int, yaw: float, pitch: float, anchor_yaw: float) -> Vector:
    """Return the rotation vector from an animated foot of `yaw` and `pitch` radians to the locked foot.

    A locked foot points along `anchor_yaw`. It is flat for a small rise of the heel and as animated for a large one.
    """
    if not rig.has_toes[side]:
        return (0.0, 0.0, 0.0)
    flat = rig.heel_pitches[side]
    held = flat + (pitch - flat) * _risen_share(rig, numbers, side, pitch)
    sideways = (math.cos(anchor_yaw), 0.0, -math.sin(anchor_yaw))
    turned = _nearest_turn(anchor_yaw, yaw) - yaw
    return logarithm(multiply(about(sideways, held - pitch), about(UP, turned)))


@lean_kernel
def _shown_yaw(state: PlantingState, row: int, side: int, frame: int) -> float:
    """Return the yaw in radians of the displayed foot `frame` frames ago."""
    yaw, pitch = state.animated[row, side, frame, YAW], state.animated[row, side, frame, PITCH]
    shown = state.shown[row, side, frame]
    arm = (math.cos(pitch) * math.sin(yaw), -math.sin(pitch), math.cos(pitch) * math.cos(yaw))
    arm = rotate(exponential(vector_of(shown[TURN:])), arm)
    return _nearest_turn(math.atan2(arm[0], arm[2]), yaw)


@lean_kernel
def _copy(values: FloatArray, out: FloatArray, count: int) -> None:
    """Copy the first `count` of `values` to `out`; an assignment of slices would allocate in numba."""
    for c in range(count):
        out[c] = values[c]


@lean_kernel
def _nearest_turn(yaw: float, near: float) -> float:
    """Return `yaw` plus the number of full turns that brings it nearest to `near`, in radians."""
    return yaw - 2.0 * math.pi * math.floor((yaw - near) / (2.0 * math.pi) + 0.5)
