"""Foot locking of a finished motion: with the future known, feet are held without any sudden change.

`FootPlanter` works frame by frame and must correct a foot when it has landed. Here all contacts are known beforehand.
The root is moved so that feet in contact slide less, and each contact gets the one place from which the foot is
displaced least. The correction of a foot is exact in contacts, and between them the smoothest one that joins them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.base.geometry import quat_exp, quat_multiply, quat_rotate
from motionfields.base.runs import true_runs
from motionfields.motion.body import Body, Leg, find_body
from motionfields.motion.clip import Clip
from motionfields.motion.clip.fitting import LegGoal, fit_legs
from motionfields.motion.contacts import checked_labels
from motionfields.motion.legs import bend_axis
from motionfields.motion.skeleton import WorldPose

EASE: Final = 0.17  # seconds: time scale in which a correction fades away from contacts
ROOT_EASE: Final = 0.1  # seconds: width of the filter on the correction of the root's velocity
FURTHEST: Final = 0.12  # metres: largest correction; a contact in which a foot strays further is cut in two
SHORTEST_SWING: Final = 0.12  # seconds; shorter ones are closed
SHORTEST_CONTACT: Final = 0.05  # seconds; shorter ones are dropped; those of a run last 0.1 s
LEAST_BEND: Final = 0.15  # radians of knee bend below which the hinge decides where a knee bends
KEPT_BEND: Final = 0.25  # radians of knee bend at which the pelvis sinks rather than the leg stretches
SWING: Final = 0.1  # seconds on each side of the place where a contact is cut


class Held(NamedTuple):
    """A motion with locked feet, and the size of the changes."""

    clip: Clip
    root_shift: FloatArray  # [frame, 2], metres, x and z: displacement of the root
    corrections: FloatArray  # [frame, 2, 2], metres, x and z: displacement of each foot relative to the moved body


def hold_feet(clip: Clip, contacts: BoolArray, *, move_root: bool = True, body: Body | None = None) -> Held:
    """Return `clip` with the ball of each foot in place during its `contacts` [frame, 2].

    With `move_root`, the root moves along with the feet (see `root_shift`). Feet keep their rotation; hips and knees
    are solved. Where a leg is too short, the pelvis sinks. Knee, ankle and ball must be direct children of the joint
    above (see `fit_skeleton`).
    """
    use = body or find_body(clip.skeleton)
    labels = _steady_contacts(clip, contacts)
    world = clip.world()
    balls = world.positions[:, [leg.toe for leg in use.legs]][..., ::2]
    shift = root_shift(clip, contacts, body=use) if move_root else np.zeros((clip.frame_count, 2))
    balls = balls + shift[:, np.newaxis]
    corrections = np.stack(
        [
            smooth_correction(_wanted(balls[:, foot], labels[:, foot], clip.frame_time), clip.frame_time)
            for foot in range(2)
        ],
        axis=1,
    )
    root = clip.root_position.copy()
    root[:, ::2] += shift
    goals = []
    for foot, leg in enumerate(use.legs):
        move = np.zeros((clip.frame_count, 3))
        move[:, ::2] = shift
        hip = world.positions[:, leg.hip] + move
        move[:, ::2] += corrections[:, foot]
        joints = {joint: world.rotations[:, joint] for joint in (leg.hip, leg.knee, leg.ankle, leg.toe)}
        joints[leg.knee] = _bent_shank(world, leg, clip.skeleton.offsets[[leg.knee, leg.ankle]])
        goals.append(LegGoal(hip, world.positions[:, leg.ankle] + move, joints))
    return Held(fit_legs(clip, use.legs, goals, kept_bend=KEPT_BEND), shift, corrections)


def _bent_shank(world: WorldPose, leg: Leg, bones: FloatArray) -> FloatArray:
    """Return the world rotation [frame, 4] of the shank, bent a little about the hinge where the knee is straight.

    A straight knee does not show the plane in which it bends, and one that is overstretched would bend backwards.
    `bones` [2, 3] are thigh and shank in their own frames, in metres.
    """
    thigh, shank = (world.rotations[:, joint] for joint in (leg.hip, leg.knee))
    hinge = quat_rotate(thigh, np.broadcast_to(bend_axis(thigh, shank, bones), (len(thigh), 3)))
    upper, lower = quat_rotate(thigh, bones[0]), quat_rotate(shank, bones[1])
    bend = np.arctan2((np.cross(upper, lower) * hinge).sum(axis=-1), (upper * lower).sum(axis=-1))
    lacking = LEAST_BEND - bend
    extra = 0.5 * (lacking + np.hypot(lacking, 0.2 * LEAST_BEND))
    return quat_multiply(quat_exp(hinge * extra[:, np.newaxis]), shank)


def smooth_correction(wanted: FloatArray, frame_time: float, *, ease: float = EASE) -> FloatArray:
    """Return the smoothest track [frame, k] that equals `wanted` [frame, k] wherever that is not NaN.

    It minimises the sum of squares of its third differences plus a pull to zero with the time scale `ease` in seconds.
    """
    from scipy.sparse import csc_array, diags_array, eye_array
    from scipy.sparse.linalg import spsolve

    fixed: BoolArray = np.asarray(np.isfinite(wanted).all(axis=-1))
    out = np.where(fixed[:, np.newaxis], wanted, 0.0)
    free = np.flatnonzero(~fixed)
    count = len(wanted)
    if not fixed.any() or not len(free) or count < 4:
        return out
    third = diags_array([-1.0, 3.0, -3.0, 1.0], offsets=[0, 1, 2, 3], shape=(count - 3, count)).tocsr()
    energy = csc_array(third.T @ third + (frame_time / ease) ** 6 * eye_array(count))
    known = np.flatnonzero(fixed)
    right = -(energy[free][:, known] @ wanted[known])
    out[free] = spsolve(energy[free][:, free], right).reshape(len(free), -1)
    return np.asarray(out)


def root_shift(clip: Clip, contacts: BoolArray, *, body: Body | None = None) -> FloatArray:
    """Return the shift [frame, 2] of the root, x and z in metres, with which feet in `contacts` [frame, 2] slide less.

    It cancels the mean velocity of the feet in contact, low-pass filtered.
    """
    from scipy.ndimage import gaussian_filter1d

    labels = _steady_contacts(clip, contacts)
    legs = (body or find_body(clip.skeleton)).legs
    balls = clip.world().positions[:, [leg.toe for leg in legs]][..., ::2]
    held = labels[1:] & labels[:-1]
    steps = np.diff(balls, axis=0)
    count = held.sum(axis=1)
    slide = (steps * held[..., np.newaxis]).sum(axis=1) / np.maximum(count, 1)[:, np.newaxis]
    smooth = gaussian_filter1d(slide, ROOT_EASE / clip.frame_time, axis=0, mode="constant")
    return np.concatenate([np.zeros((1, 2)), -np.cumsum(smooth, axis=0)])


def _steady_contacts(clip: Clip, contacts: BoolArray) -> BoolArray:
    """Return `contacts` [frame, 2], checked, without short swings and contacts."""
    labels = checked_labels(clip, contacts)
    return np.stack([steady(labels[:, foot], clip.frame_time) for foot in range(2)], axis=1)


def steady(contact: BoolArray, frame_time: float) -> BoolArray:
    """Return `contact` [frame] with swings shorter than `SHORTEST_SWING` closed, then short contacts removed."""
    out = contact.copy()
    for value, shortest in ((True, SHORTEST_SWING), (False, SHORTEST_CONTACT)):
        for start, stop in true_runs(out != value):
            if stop - start < round(shortest / frame_time) and (start > 0 and stop < len(out)):
                out[start:stop] = value
    return out


def _wanted(ball: FloatArray, contact: BoolArray, frame_time: float) -> FloatArray:
    """Return the correction [frame, 2] that keeps one foot in place in each contact; NaN elsewhere."""
    out = np.full(ball.shape, np.nan)
    for start, stop in true_runs(contact):
        for first, last in _parts(ball, start, stop, max(1, round(SWING / frame_time))):
            part = ball[first:last]
            out[first:last] = 0.5 * (part.min(axis=0) + part.max(axis=0)) - part
    return out


def _parts(ball: FloatArray, start: int, stop: int, swing: int) -> list[tuple[int, int]]:
    """Return the contact `start` to `stop` cut where the foot moves fastest, until no part strays too far.

    Around each cut, `swing` frames on both sides are left out for the foot to move.
    """
    part = ball[start:stop]
    spread = float(np.linalg.norm(part.max(axis=0) - part.min(axis=0)))
    if spread <= 2.0 * FURTHEST or stop - start < 3:
        return [(start, stop)]
    middle = start + 1 + int(np.linalg.norm(np.diff(part, axis=0), axis=-1).argmax())
    sides = ((start, middle - swing), (middle + swing, stop))
    return [part for first, last in sides if last > first for part in _parts(ball, first, last, swing)]
