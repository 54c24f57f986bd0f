"""A body mesh for a skeleton: rounded shapes around its bones at rest, each bound to the joint that moves it.

The part that a bone belongs to (see `find_parts`) determines its shape; other bones get a plain one. Shapes overlap, so
that the body stays closed when it bends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.motion.body import LEG_SHARE, known_body
from motionfields.motion.clip.resting import rest_positions
from motionfields.motion.clip.rigs import find_parts
from motionfields.motion.skeleton import Skeleton

SIDES: Final = 14  # vertices per ring
DOME_RINGS: Final = 3  # rings in the dome that closes each end
SHORTEST_BONE: Final = 1e-3  # metres; shorter bones get no shape
LIKELY_STATURE: Final = 1.7  # metres; used if a skeleton has no size
UP, FORWARD = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])

# Shapes along a bone: [share of the bone's length, half width, half depth], the last two as shares of stature.
LIMBS: Final[Mapping[str, tuple[tuple[float, float, float], ...]]] = {
    "thigh": ((0.02, 0.046, 0.048), (0.25, 0.045, 0.048), (0.6, 0.037, 0.039), (0.95, 0.029, 0.031)),
    "shank": ((0.03, 0.029, 0.031), (0.3, 0.030, 0.033), (0.6, 0.025, 0.027), (0.95, 0.019, 0.021)),
    "foot": ((0.0, 0.022, 0.022), (0.6, 0.025, 0.02), (1.0, 0.026, 0.015)),
    "toes": ((0.0, 0.026, 0.015), (0.7, 0.024, 0.012)),
    "collar": ((0.0, 0.022, 0.022), (1.0, 0.028, 0.028)),
    "upper arm": ((0.0, 0.030, 0.031), (0.3, 0.028, 0.029), (0.95, 0.021, 0.022)),
    "forearm": ((0.0, 0.021, 0.022), (0.25, 0.023, 0.024), (0.95, 0.015, 0.017)),
    "hand": ((0.05, 0.014, 0.019), (0.45, 0.015, 0.025), (0.95, 0.009, 0.02)),
    "neck": ((0.0, 0.033, 0.033), (1.0, 0.030, 0.031)),
    "upper neck": ((0.0, 0.030, 0.031), (1.0, 0.030, 0.031)),
    "head": ((0.05, 0.034, 0.040), (0.4, 0.045, 0.055), (0.75, 0.043, 0.052)),
    "": ((0.0, 0.010, 0.010), (1.0, 0.007, 0.007)),
}
TRUNK: Final = (
    (0.0, 0.080, 0.055),
    (0.25, 0.077, 0.054),
    (0.5, 0.078, 0.055),
    (0.8, 0.092, 0.060),
    (1.0, 0.075, 0.050),
)
"""The same for the trunk, from the hips up to the neck."""
TRUNK_PARTS: Final = ("pelvis", "low spine", "mid spine", "chest")
HEAD_LENGTH: Final = 0.12  # share of stature, used if a head has no tip
HAND_LENGTH: Final = 0.1
HEEL: Final = 0.4  # distance of the heel behind the ankle, as a share of the foot's length


class Mesh(NamedTuple):
    """A surface at rest: y up, metres, root at the origin; triangles are counter-clockwise seen from outside."""

    positions: FloatArray  # [vertex, 3], metres
    normals: FloatArray  # [vertex, 3], unit
    joints: IntArray  # [vertex], the joint that each is bound to
    triangles: IntArray  # [triangle, 3], vertices


class _Form(NamedTuple):
    joint: int
    centres: FloatArray  # [section, 3]
    halves: FloatArray  # [section, 2]: width and depth, metres


def figure_mesh(skeleton: Skeleton) -> Mesh:
    """Return a body around the bones of `skeleton` in its rest pose; a ball if there are no bones."""
    forms = _forms(skeleton)
    if not forms:
        ball = np.full((2, 2), 0.03)
        forms = [_Form(0, np.array([[0.0, -0.01, 0.0], [0.0, 0.01, 0.0]]), ball)]
    surfaces = [_loft(form) for form in forms]
    starts = np.cumsum([0, *(len(positions) for positions, _ in surfaces)])
    positions = np.concatenate([positions for positions, _ in surfaces])
    triangles = np.concatenate([faces + start for (_, faces), start in zip(surfaces, starts[:-1], strict=True)])
    joints = np.repeat([form.joint for form in forms], np.diff(starts))
    return Mesh(positions, _normals(positions, triangles), joints, triangles)


def stature_of(skeleton: Skeleton) -> float:
    """Return the height of the body in metres, from its legs or else from the size of its rest pose."""
    body = known_body(skeleton)
    bones = [] if body is None else [joint for leg in body.legs for joint in (leg.knee, leg.ankle)]
    legs = 0.5 * float(np.linalg.norm(skeleton.offsets[bones], axis=-1).sum()) / LEG_SHARE
    return legs or float(np.ptp(rest_positions(skeleton), axis=0).max()) or LIKELY_STATURE


def _forms(skeleton: Skeleton) -> list[_Form]:
    places, stature = rest_positions(skeleton), stature_of(skeleton)
    parts = {joint: part for part, joint in find_parts(skeleton).items()}
    trunk = [joint for joint, part in parts.items() if part in TRUNK_PARTS]
    bones = [(int(parent), joint, places[joint]) for joint, parent in enumerate(skeleton.parents) if parent >= 0]
    ends = zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets, strict=True)
    bones += [(joint, -1, places[joint] + offset) for joint, offset in ends]
    bones += _missing_ends(parts, {joint for joint, _, _ in bones}, places, stature)
    forms = []
    for joint, child, end in bones:
        part = parts.get(joint, "").removeprefix("left ").removeprefix("right ")
        if np.linalg.norm(end - places[joint]) < SHORTEST_BONE:
            continue
        if joint in trunk:
            on_trunk = child in trunk or parts.get(child) in ("neck", "head")
            forms.append(_trunk_form(joint, places, end, trunk, stature) if on_trunk else _plain(joint, places, end))
            continue
        forms.append(_limb_form(joint, places[joint], end, LIMBS.get(part, LIMBS[""]), stature))
        if part == "foot" and child >= 0:
            forms.append(_heel_form(joint, places[joint], end, stature))
    return forms


def _missing_ends(
    parts: Mapping[int, str], begun: set[int], places: FloatArray, stature: float
) -> list[tuple[int, int, FloatArray]]:
    """Return bones for heads and hands that have nothing below them."""
    bones = []
    for joint in sorted(set(parts) - begun):
        if parts[joint] == "head":
            bones.append((joint, -1, places[joint] + HEAD_LENGTH * stature * UP))
        elif parts[joint].endswith("hand"):
            sideways = np.array([1.0 if parts[joint].startswith("left") else -1.0, 0.0, 0.0])
            bones.append((joint, -1, places[joint] + HAND_LENGTH * stature * sideways))
    return bones


def _limb_form(
    joint: int, start: FloatArray, end: FloatArray, form: Sequence[tuple[float, float, float]], stature: float
) -> _Form:
    table = np.array(form)
    # A bone that is short for its body, such as one of a finger, is thin as well.
    thickness = min(stature, float(np.linalg.norm(end - start)) / (1.2 * table[:, 1:].max()))
    return _Form(joint, start + table[:, :1] * (end - start), thickness * table[:, 1:])


def _plain(joint: int, places: FloatArray, end: FloatArray) -> _Form:
    """Return the connection from the trunk to a thigh or a collarbone, inside the body."""
    length = float(np.linalg.norm(end - places[joint]))
    return _Form(joint, np.stack([places[joint], end]), np.full((2, 2), 0.3 * length))


def _trunk_form(joint: int, places: FloatArray, end: FloatArray, trunk: Sequence[int], stature: float) -> _Form:
    """Return a part of the trunk, with the width that the table gives for its height between hips and neck."""
    low = min(float(places[j][1]) for j in trunk)
    high = max(float(end[1]), max(float(places[j][1]) for j in trunk) + 0.08 * stature)
    shares = np.linspace(0.0, 1.0, 5)
    centres = places[joint] + shares[:, np.newaxis] * (end - places[joint])
    heights = (centres[:, 1] - low) / max(high - low, SHORTEST_BONE)
    table = np.array(TRUNK)
    halves = np.stack([np.interp(heights, table[:, 0], table[:, column]) for column in (1, 2)], axis=-1)
    return _Form(joint, centres, stature * halves)


def _heel_form(joint: int, ankle: FloatArray, ball: FloatArray, stature: float) -> _Form:
    """Return the sole from the heel to the ball of the foot."""
    direction = (ball - ankle) * (1.0, 0.0, 1.0)
    heel = np.array([ankle[0], ball[1], ankle[2]]) - HEEL * direction
    halves = stature * np.array([[0.019, 0.015], [0.022, 0.015], [0.026, 0.015]])
    return _Form(joint, heel + np.array([[0.0], [0.5], [1.0]]) * (ball - heel), halves)


def _loft(form: _Form) -> tuple[FloatArray, IntArray]:
    """Return the closed surface through the sections of `form`: vertices [vertex, 3] and triangles [triangle, 3]."""
    axis = form.centres[-1] - form.centres[0]
    axis = axis / np.linalg.norm(axis)
    reference = UP if abs(axis @ FORWARD) > 0.7 else FORWARD
    deep = reference - (reference @ axis) * axis
    deep = deep / np.linalg.norm(deep)
    across = np.cross(axis, deep)
    centres, halves = _with_domes(form, axis)
    angles = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)
    ring = np.cos(angles)[:, np.newaxis, np.newaxis] * across, np.sin(angles)[:, np.newaxis, np.newaxis] * deep
    rings = centres + halves[:, :1] * ring[0] + halves[:, 1:] * ring[1]  # [side, ring, 3]
    poles = [form.centres[end] + sign * axis * form.halves[end].min() for end, sign in ((0, -1.0), (-1, 1.0))]
    return np.concatenate([rings.swapaxes(0, 1).reshape(-1, 3), *(pole[np.newaxis] for pole in poles)]), _faces(
        len(centres)
    )


def _with_domes(form: _Form, axis: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return centres and half widths of all rings: those of `form`, and smaller ones beyond both ends."""
    angles = np.linspace(0.0, np.pi / 2.0, DOME_RINGS + 2)[1:-1, np.newaxis]
    near = form.centres[0] - np.sin(angles) * form.halves[0].min() * axis, np.cos(angles) * form.halves[0]
    far = form.centres[-1] + np.sin(angles) * form.halves[-1].min() * axis, np.cos(angles) * form.halves[-1]
    return (
        np.concatenate([near[0][::-1], form.centres, far[0]]),
        np.concatenate([near[1][::-1], form.halves, far[1]]),
    )


def _faces(ring_count: int) -> IntArray:
    """Return triangles between rings of `SIDES` vertices, and to the two poles that follow them."""
    corner = np.arange(SIDES)
    following = (corner + 1) % SIDES
    quads = [
        np.stack([low + corner, high + corner, high + following, low + corner, high + following, low + following], 1)
        for low, high in ((SIDES * ring, SIDES * (ring + 1)) for ring in range(ring_count - 1))
    ]
    first, last = SIDES * ring_count, SIDES * (ring_count - 1)
    caps = [
        np.stack([np.full(SIDES, first), corner, following], 1),
        np.stack([last + corner, np.full(SIDES, first + 1), last + following], 1),
    ]
    return np.concatenate([np.concatenate(quads).reshape(-1, 3), *caps]).astype(np.int64)


def _normals(positions: FloatArray, triangles: IntArray) -> FloatArray:
    """Return unit normals [vertex, 3]: the area-weighted mean over the triangles around each vertex."""
    a, b, c = (positions[triangles[:, corner]] for corner in range(3))
    faces = np.cross(b - a, c - a)
    sums = np.zeros_like(positions)
    for corner in range(3):
        np.add.at(sums, triangles[:, corner], faces)
    return np.asarray(sums / np.linalg.norm(sums, axis=-1, keepdims=True))
