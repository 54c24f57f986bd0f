"""The compiled step of foot locking: advances every character by one frame, independently of the others.

For each character, the root follows the locked feet permanently, each foot gets its target (`feet`), the pelvis sinks
when a leg cannot reach, and each leg is solved (`limb`).

Numba's cache of this file does not see changes in the files whose functions it compiles in: after editing `curves`,
`feet`, `limb`, `geometry.vectors` or their constants, delete `planting/__pycache__`.
"""

from __future__ import annotations

import math

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.base.compiled import kernel, lean_kernel
from motionfields.base.geometry.vectors import (
    Quat,
    Vector,
    about,
    add,
    between,
    exponential,
    length,
    multiply,
    rotate,
    subtract,
    twist_about_up,
    vector_of,
)
from motionfields.motion.planting.curves import damped, soft_positive
from motionfields.motion.planting.feet import lock_or_release, offset, planted_share, read_foot, show_foot
from motionfields.motion.planting.limb import (
    FootGoal,
    Limb,
    Rig,
    find_limb,
    lacking_height,
    leg_length,
    pose_leg,
    raise_heel,
)
from motionfields.motion.planting.settings import Numbers
from motionfields.motion.planting.state import ANIMATED_COUNT, PITCH, SHOWN_COUNT, TURN, PlantingState, X, Y, Z

SETTLED = 1e-7  # metres and metres per second; below this the pelvis counts as back in place


@kernel
def step_characters(
    rig: Rig,
    numbers: Numbers,
    state: PlantingState,
    votes: FloatArray,
    root_position: FloatArray,
    rotations: FloatArray,
    root_shift: FloatArray,
    reached: BoolArray,
    carries_shift: bool,
) -> None:
    """Lock the feet of all characters, in place: changes `state`, `root_position` and `rotations`.

    Shapes are those of `PlantedPose`; `root_shift` and `reached` are filled. With `carries_shift` the shifts of earlier
    frames are added to the root as well.
    """
    # One set of scratch arrays serves all characters: every row is written before it is read.
    worlds, feet = planting_scratch(rig)
    for row in range(root_position.shape[0]):
        plant_character(
            rig,
            numbers,
            state,
            row,
            (votes[row, 0], votes[row, 1]),
            (worlds, feet),
            root_position[row],
            rotations[row],
            root_shift[row],
            reached[row],
            carries_shift,
        )


@kernel
def planting_scratch(rig: Rig) -> tuple[FloatArray, FloatArray]:
    """Return the scratch memory of `plant_character`, for one thread."""
    return np.empty((rig.parents.shape[0], 4)), np.empty((2, ANIMATED_COUNT))


@lean_kernel
def plant_character(
    rig: Rig,
    numbers: Numbers,
    state: PlantingState,
    row: int,
    votes: tuple[float, float],
    scratch: tuple[FloatArray, FloatArray],
    root_position: FloatArray,
    rotations: FloatArray,
    root_shift: FloatArray,
    reached: BoolArray,
    carries_shift: bool,
) -> None:
    """Lock the feet of one character, `row` of `state`, in place; `root_position` [3] and so on are its own."""
    worlds, feet = scratch
    place = vector_of(root_position)
    if carries_shift:
        place = add(place, vector_of(state.root_shift[row]))
    limbs = (find_limb(rig, 0, place, rotations, worlds), find_limb(rig, 1, place, rotations, worlds))
    # Both feet are read before the root shifts, because the shift is the mean over the locked feet and moves both.
    for side in range(2):
        read_foot(rig, numbers, limbs[side], state, row, side, feet[side])
    shift = _shift_root(numbers, state, row, feet)
    for side in range(2):
        lock_or_release(rig, numbers, state, row, side, votes[side], feet[side])
        show_foot(rig, numbers, state, row, side, feet[side])
    _pose(rig, numbers, state, row, limbs, shift, worlds, rotations, reached)
    for c in range(3):
        root_shift[c] = shift[c]
        root_position[c] = place[c] + shift[c]
        if carries_shift:
            state.root_shift[row, c] += shift[c]
    # The drop is not part of the carried shift: it is temporary, and `_sink_pelvis` keeps it in the state.
    root_position[1] -= state.drop[row, 0]
    state.frames[row] += 1


@lean_kernel
def _shift_root(numbers: Numbers, state: PlantingState, row: int, feet: FloatArray) -> Vector:
    """Return how far the root moves over the ground in this frame towards its locked feet, and move `feet` along."""
    gap_x, gap_z, count = 0.0, 0.0, 0
    for side in range(2):
        if state.locked[row, side]:
            clock = state.fade_clock[row, side] + numbers.frame_time
            lean = state.lean[row, side]
            lean *= math.exp(-numbers.frame_time / numbers.lean_time)
            gap_x += state.anchor[row, side, X] + offset(state, row, side, X, clock) + lean[0] - feet[side, X]
            gap_z += state.anchor[row, side, Z] + offset(state, row, side, Z, clock) + lean[1] - feet[side, Z]
            count += 1
    gap_x, gap_z = gap_x / max(count, 1), gap_z / max(count, 1)
    # The root moves faster the further the feet are off, so that they need not be released.
    haste = 1.0 + (gap_x * gap_x + gap_z * gap_z) / numbers.root_haste**2
    velocity, duration = state.root_velocity[row], numbers.root_time / haste
    shift_x, velocity[0] = damped(0.0, velocity[0], gap_x, duration, numbers.frame_time)
    shift_z, velocity[2] = damped(0.0, velocity[2], gap_z, duration, numbers.frame_time)
    for side in range(2):
        feet[side, X] += shift_x
        feet[side, Z] += shift_z
    return (shift_x, 0.0, shift_z)


@lean_kernel
def _pose(
    rig: Rig,
    numbers: Numbers,
    state: PlantingState,
    row: int,
    limbs: tuple[Limb, Limb],
    shift: Vector,
    worlds: FloatArray,
    rotations: FloatArray,
    reached: BoolArray,
) -> None:
    """Lower the pelvis as far as the legs need, and write the rotations of the legs that differ from the animation."""
    # The pelvis serves both legs, so its drop is the larger of their needs and comes before either is solved.
    # A leg that shows the animation unchanged is skipped and keeps the bits of its rotations.
    needed = 0.0
    for side in range(2):
        if _changed(state, row, side, limbs[side]):
            needed = max(needed, _needed_drop(numbers, state, row, side, limbs[side], shift))
    drop = _sink_pelvis(numbers, state, row, min(needed, numbers.deepest))
    for side in range(2):
        reached[side] = True
        if drop == 0.0 and not _changed(state, row, side, limbs[side]):
            continue
        limb = limbs[side]
        toe, turn = _shown_foot(state, row, side)
        flat = rotate(turn, subtract(limb.ankle, limb.toe))
        hip = add(limb.hip, (shift[0], -drop, shift[2]))
        arm, reached[side] = raise_heel(
            hip,
            toe,
            flat,
            _easy_reach(numbers, limb, planted_share(numbers, state, row, side)),
            _full_reach(numbers, limb),
        )
        goal = FootGoal(add(toe, arm), multiply(between(flat, arm), turn), _toe_turn(state, row, side, flat, turn))
        pose_leg(rig, side, limb, hip, goal, worlds, rotations)


@lean_kernel
def _changed(state: PlantingState, row: int, side: int, limb: Limb) -> bool:
    """Return whether the displayed foot differs from the animated one."""
    shown, animated = state.shown[row, side, 0], state.animated[row, side, 0]
    changed = shown[X] != animated[X] or shown[Y] != limb.toe[1] or shown[Z] != animated[Z]
    for c in range(TURN, SHOWN_COUNT):
        changed |= shown[c] != 0.0
    return bool(changed)


@lean_kernel
def _shown_foot(state: PlantingState, row: int, side: int) -> tuple[Vector, Quat]:
    """Return the position of the displayed ball of the foot, and its rotation from the animated foot."""
    shown = state.shown[row, side, 0]
    return vector_of(shown), exponential(vector_of(shown[TURN:]))


@lean_kernel
def _toe_turn(state: PlantingState, row: int, side: int, arm: Vector, turn: Quat) -> Quat:
    """Return the rotation of the toes when the foot's is `turn`, which takes the vector from ball to ankle to `arm`.

    Toes follow a foot that is turned or pitched up, but stay level when the heel rises.
    """
    level = math.hypot(arm[0], arm[2])
    twist = twist_about_up(turn)
    if level < 1e-6:
        return twist
    pitched = min(math.atan2(arm[1], level) - state.animated[row, side, 0, PITCH], 0.0)
    return multiply(about((-arm[2] / level, 0.0, arm[0] / level), pitched), twist)


@lean_kernel
def _easy_reach(numbers: Numbers, limb: Limb, planted: float) -> float:
    """Return the leg length in metres beyond which pelvis and heel give way: the animated length, with a lower bound.

    Near full length, a small change of length turns the knee by a large angle, so a leg whose foot is `planted` (0 to
    1) must not be straight.
    """
    whole = leg_length(limb)
    own = length(subtract(limb.ankle, limb.hip))
    longest = 1.0 - planted * (1.0 - numbers.full_reach)
    return max(numbers.easy_reach * whole, min(own, longest * whole))


@lean_kernel
def _full_reach(numbers: Numbers, limb: Limb) -> float:
    """Return the greatest leg length in metres that is allowed."""
    return max(numbers.full_reach * leg_length(limb), length(subtract(limb.ankle, limb.hip)))


@lean_kernel
def _needed_drop(numbers: Numbers, state: PlantingState, row: int, side: int, limb: Limb, shift: Vector) -> float:
    """Return how far the pelvis should sink, in metres, for one leg to reach its foot easily."""
    toe, turn = _shown_foot(state, row, side)
    ankle = add(toe, rotate(turn, subtract(limb.ankle, limb.toe)))
    lack = lacking_height(
        add(limb.hip, shift), ankle, _easy_reach(numbers, limb, planted_share(numbers, state, row, side))
    )
    return soft_positive(lack - numbers.reach_softness, numbers.reach_softness)


@lean_kernel
def _sink_pelvis(numbers: Numbers, state: PlantingState, row: int, goal: float) -> float:
    """Return by how much the pelvis is lowered in this frame, in metres, on its way to `goal`."""
    drop, rate = state.drop[row]
    duration = numbers.sink_time if goal > drop else numbers.rise_time
    drop, rate = damped(drop, rate, goal, duration, numbers.frame_time)
    # A spring only approaches zero; an exact zero lets `_pose` skip unchanged legs again.
    if goal == 0.0 and abs(drop) < SETTLED and abs(rate) < SETTLED:
        drop, rate = 0.0, 0.0
    state.drop[row, 0], state.drop[row, 1] = drop, rate
    return drop
