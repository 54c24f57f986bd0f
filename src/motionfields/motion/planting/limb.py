"""One leg of one character: its pose, the target of its foot, and the rotations that reach it."""

from __future__ import annotations

import math
from typing import NamedTuple

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.compiled import lean_kernel
from motionfields.base.geometry.vectors import (
    NO_TURN,
    UP,
    Quat,
    Vector,
    add,
    between,
    conjugate,
    cross,
    dot,
    length,
    multiply,
    normalized,
    put,
    quat_of,
    rotate,
    scale,
    subtract,
    vector_of,
)
from motionfields.motion.planting.curves import smoothstep, soft_positive

FLAT, STEEP = 0.9, 1.35  # radians of pitch up to which a heel rises freely, and above which it rises only if it must
HEEL_SOFTNESS = 0.08  # radians over which a heel's rise sets in
HINGE_ONLY, BEND_ONLY = 0.02, 0.15  # radians of knee bend below and above which the hinge or the bend sets the plane


class Rig(NamedTuple):
    """Facts about the skeleton that the compiled step needs; row 0 is the left leg, row 1 the right."""

    parents: IntArray  # [joint]
    offsets: FloatArray  # [joint, 3], metres
    paths: IntArray  # [2, depth], joints from the root to the toe, padded with -1
    joints: IntArray  # [2, 4], hip, knee, ankle, toe; the ankle again where there is no toe joint
    hinges: FloatArray  # [2, 3], the knee's axis in the thigh's frame
    toe_heights: FloatArray  # [2], metres, height of a standing foot's ball
    heel_pitches: FloatArray  # [2], radians, pitch of a standing foot from its ball up to its ankle
    foot_lengths: FloatArray  # [2], metres from the ankle to the ball
    tip_lengths: FloatArray  # [2], metres from the ball to the tip of the toes
    has_toes: BoolArray  # [2], whether the foot has a toe joint


class Limb(NamedTuple):
    """One leg as animated, in world coordinates."""

    hip: Vector
    knee: Vector
    ankle: Vector
    toe: Vector
    world_from_thigh: Quat


class FootGoal(NamedTuple):
    """Target of a foot: its ankle position, and the rotations of foot and toes relative to the animation."""

    ankle: Vector
    turn: Quat  # of the foot, in the world
    toe_turn: Quat  # of the toes, in the world


@lean_kernel
def find_limb(rig: Rig, side: int, root: Vector, rotations: FloatArray, worlds: FloatArray) -> Limb:
    """Return the leg of `side` below a root at `root`; fill the rows of `worlds` [joint, 4] on the way down."""
    # Only the joints between the root and the toe are visited: the rest of the body does not move the leg.
    # Invariant: `place` and `turn` are the world position and rotation of the joint visited last.
    hip_joint, knee_joint, ankle_joint, _ = rig.joints[side]
    turn = normalized(quat_of(rotations[0]))
    put(turn, worlds[0])
    place = root
    hip = knee = ankle = place
    thigh = turn
    for step in range(1, rig.paths.shape[1]):
        joint = rig.paths[side, step]
        if joint < 0:
            break
        place = add(place, rotate(turn, vector_of(rig.offsets[joint])))
        turn = multiply(turn, normalized(quat_of(rotations[joint])))
        put(turn, worlds[joint])
        if joint == hip_joint:
            hip, thigh = place, turn
        elif joint == knee_joint:
            knee = place
        elif joint == ankle_joint:
            ankle = place
    return Limb(hip, knee, ankle, place, thigh)


@lean_kernel
def leg_length(limb: Limb) -> float:
    """Return the length of thigh plus shank in metres."""
    return length(subtract(limb.knee, limb.hip)) + length(subtract(limb.ankle, limb.knee))


@lean_kernel
def lacking_height(hip: Vector, ankle: Vector, reach: float) -> float:
    """Return how far in metres a hip must sink for a leg of length `reach` to reach `ankle`; may be negative."""
    offset = subtract(hip, ankle)
    level = offset[0] * offset[0] + offset[2] * offset[2]
    return offset[1] - math.sqrt(max(reach * reach - level, 0.0))


@lean_kernel
def raise_heel(hip: Vector, toe: Vector, arm: Vector, easy: float, full: float) -> tuple[Vector, bool]:
    """Pitch `arm`, the vector from ball to ankle, up about the ball until the ankle is near enough to the hip.

    Up to `easy` metres the arm is unchanged. Beyond that, a flat foot rises to keep that distance; the steeper the
    foot, the less a rising heel helps, and the leg stretches instead, but never beyond `full` metres. The second value
    is false if no pitch suffices.
    """
    to_hip = subtract(hip, toe)
    size, level = length(arm), math.hypot(arm[0], arm[2])
    if level <= 0.02 * size or length(subtract(to_hip, arm)) < easy - size:
        return arm, length(subtract(to_hip, arm)) <= full
    direction = (arm[0] / level, 0.0, arm[2] / level)
    pitch = math.atan2(arm[1], level)
    steep = smoothstep((pitch - FLAT) / (STEEP - FLAT))
    pitch += (1.0 - steep) * soft_positive(_pitch_for(to_hip, direction, size, easy) - pitch, HEEL_SOFTNESS)
    pitch = max(pitch, _pitch_for(to_hip, direction, size, full))
    raised = add(scale(direction, size * math.cos(pitch)), scale(UP, size * math.sin(pitch)))
    return raised, length(subtract(to_hip, raised)) <= full * (1.0 + 1e-9)


@lean_kernel
def _pitch_for(to_hip: Vector, direction: Vector, size: float, reach: float) -> float:
    """Return the smallest pitch of a foot of length `size` along `direction` with the ankle in `reach` of the hip."""
    along, upward = size * dot(to_hip, direction), size * to_hip[1]
    most = max(math.hypot(along, upward), 1e-9)
    wanted = 0.5 * (dot(to_hip, to_hip) + size * size - reach * reach) / most
    return math.atan2(upward, along) - math.acos(min(max(wanted, -1.0), 1.0))


@lean_kernel
def pose_leg(
    rig: Rig, side: int, limb: Limb, hip: Vector, goal: FootGoal, worlds: FloatArray, rotations: FloatArray
) -> None:
    """Write the local rotations of hip, knee, ankle and toe that bring the leg from `hip` to its `goal`.

    `worlds` [joint, 4] are those of the animation, `rotations` [joint, 4] those of the pose to change. As in
    `motionfields.motion.legs.solve_leg`, the knee keeps the plane in which it bends: the knee is set to the right
    length, then the whole leg is swung by the smallest rotation.
    """
    thigh, shank = subtract(limb.knee, limb.hip), subtract(limb.ankle, limb.knee)
    bent = bent_shank(thigh, shank, _hinge(rig, side, limb), length(subtract(goal.ankle, hip)))
    swing = between(add(thigh, bent), subtract(goal.ankle, hip))
    below_knee = multiply(swing, between(shank, bent))
    hip_joint, knee_joint, ankle_joint, toe_joint = rig.joints[side]
    # From the hip down: each local rotation depends on how far its parent was turned just before.
    _write(rotations, rig, worlds, hip_joint, NO_TURN, swing)
    _write(rotations, rig, worlds, knee_joint, swing, below_knee)
    _write(rotations, rig, worlds, ankle_joint, below_knee, goal.turn)
    if toe_joint != ankle_joint:
        _write(rotations, rig, worlds, toe_joint, goal.turn, goal.toe_turn)


@lean_kernel
def bent_shank(thigh: Vector, shank: Vector, hinge: Vector, distance: float) -> Vector:
    """Return the shank bent against `thigh` so that the leg spans `distance`, or as near to it as the bones allow.

    The bend stays in the plane of the two bones; where the knee is nearly straight, `hinge` determines the plane.
    """
    upper, lower = length(thigh), length(shank)
    span = min(max(distance, abs(upper - lower)), upper + lower)
    cosine = (span * span - upper * upper - lower * lower) / (2.0 * upper * lower)
    cosine = min(max(cosine, -1.0), 1.0)
    along = scale(thigh, 1.0 / upper)
    by_hinge = cross(hinge, along)
    by_hinge = scale(by_hinge, 1.0 / max(length(by_hinge), 1e-12))
    direction = scale(shank, 1.0 / lower)
    by_bend = subtract(direction, scale(along, dot(direction, along)))
    # A nearly straight knee has no reliable bend plane: blend from the hinge's to the bend's own as it bends.
    share = (dot(by_bend, by_hinge) - HINGE_ONLY) / (BEND_ONLY - HINGE_ONLY)
    share = min(max(share, 0.0), 1.0)
    across = add(scale(by_hinge, 1.0 - share), scale(by_bend, share / max(length(by_bend), 1e-12)))
    across = scale(across, math.sqrt(1.0 - cosine * cosine) / max(length(across), 1e-12))
    return scale(add(scale(along, cosine), across), lower)


@lean_kernel
def _hinge(rig: Rig, side: int, limb: Limb) -> Vector:
    """Return the knee's axis in the world."""
    return rotate(limb.world_from_thigh, vector_of(rig.hinges[side]))


@lean_kernel
def _write(rotations: FloatArray, rig: Rig, worlds: FloatArray, joint: int, above: Quat, turn: Quat) -> None:
    """Write the local rotation of `joint` after world rotations `above` of its parent and `turn` of itself."""
    parent = multiply(above, quat_of(worlds[rig.parents[joint]]))
    local = normalized(multiply(conjugate(parent), multiply(turn, quat_of(worlds[joint]))))
    # The sign nearest to the old quaternion, so that signs do not flip over time.
    sign = 1.0
    if (
        local[0] * rotations[joint, 0]
        + local[1] * rotations[joint, 1]
        + local[2] * rotations[joint, 2]
        + local[3] * rotations[joint, 3]
        < 0.0
    ):
        sign = -1.0
    for c in range(4):
        rotations[joint, c] = sign * local[c]
