"""From a path through the step graph to a motion: steps placed on the ground, faded into each other, feet held."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from motionfields.authoring.easing import smooth_share
from motionfields.authoring.plan.graph import StepGraph
from motionfields.authoring.plan.steps import composed, relative
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.geometry import quat_from_yaw, quat_multiply, quat_normalize, quat_slerp, wrap_angle
from motionfields.motion.clip import Clip
from motionfields.motion.planting.holding import hold_feet

SEAM: Final = 0.3  # seconds on each side of a change over which one step fades into the next


class Played(NamedTuple):
    """A planned motion and the database states of its frames."""

    clip: Clip
    rows: IntArray  # [frame], database states
    contacts: BoolArray  # [frame, 2], in which the feet are held


class _Track(NamedTuple):
    """Frames of a motion, or of one step extended beyond its ends."""

    rotations: FloatArray  # [frame, joint, 4], the root's without yaw
    height: FloatArray  # [frame], metres
    ground: FloatArray  # [frame, 3], x, z and yaw in the world
    votes: FloatArray  # [frame, 2]


def play(graph: StepGraph, edges: IntArray, poses: FloatArray, *, seam: float = SEAM) -> Played:
    """Return the motion that follows `edges` [m] from one of the ground `poses` [m + 1, 3] to the next.

    `poses` are world x, z and the yaw of the root at the end of each step; the first is that of START, whose heading is
    the facing. What a step lacks to its pose is spread over it.
    """
    database = graph.field.database
    window = max(1, round(seam / database.frame_time))
    targets = graph.moves.target[edges]
    starts, ends = graph.steps.start[targets], graph.steps.end[targets]
    cuts = np.concatenate([[0], np.cumsum(ends - starts)])
    frame_count = int(cuts[-1]) + 1
    out = _empty(graph, frame_count)
    limits = database.clip_starts
    for number, edge in enumerate(edges.tolist()):
        start, end, cut = int(starts[number]), int(ends[number]), int(cuts[number])
        clip = database.clip_of[start]
        natural = number > 0 and int(ends[number - 1]) == start
        before = 0 if number == 0 or natural else min(window, cut, start - int(limits[clip]))
        last = min(frame_count - 1, int(cuts[number + 1]) + window, cut + int(limits[clip + 1]) - 1 - start)
        frames = np.arange(cut - before, last + 1)
        piece = _piece(graph, start, end, frames - cut, poses[number], poses[number + 1], edge)
        share: FloatArray = np.ones(len(frames))
        if natural:
            # The step before was written on beyond its end, perhaps still fading in: the two differ in little else.
            share = smooth_share((frames - cut) / window)
        elif number > 0:
            after = min(window, int(limits[database.clip_of[ends[number - 1]] + 1]) - 1 - int(ends[number - 1]))
            share = smooth_share((frames - (cut - before - 1)) / (before + after + 1.0))
        _mix(out, frames, piece, share)
    rows = np.concatenate([np.concatenate([np.arange(a, b) for a, b in zip(starts, ends, strict=True)]), ends[-1:]])
    rotations = out.rotations
    rotations[:, 0] = quat_multiply(quat_from_yaw(out.ground[:, 2]), rotations[:, 0])
    root = np.stack([out.ground[:, 0], out.height, out.ground[:, 1]], axis=1)
    bare = Clip(database.skeleton, root, quat_normalize(rotations), database.frame_time, name="planned")
    contacts = out.votes >= 0.5
    return Played(hold_feet(bare, contacts, move_root=False).clip, rows, contacts)


def _empty(graph: StepGraph, count: int) -> _Track:
    joints = graph.field.database.skeleton.joint_count
    return _Track(np.zeros((count, joints, 4)), np.zeros(count), np.zeros((count, 3)), np.zeros((count, 2)))


def _piece(
    graph: StepGraph, start: int, end: int, frames: IntArray, pose: FloatArray, goal: FloatArray, edge: int
) -> _Track:
    """Return one step at `frames` [n], counted from its start, and beyond its ends as the take goes on."""
    database, places = graph.field.database, graph.places
    rows = start + frames
    anchor = composed(pose, graph.moves.pivot[edge])
    ground = composed(np.broadcast_to(anchor, (len(rows), 3)), relative(places[start], places[rows]))
    reached = composed(anchor, relative(places[start], places[end]))
    rest = goal - reached
    rest[2] = wrap_angle(rest[2])
    later = composed(np.broadcast_to(reached + rest, (len(rows), 3)), relative(places[end], places[rows]))
    ground = ground + smooth_share(frames / (end - start))[:, np.newaxis] * rest
    ground = np.where((rows > end)[:, np.newaxis], later, ground)
    rotations = np.concatenate([database.root_tilt[rows][:, np.newaxis], database.joint_rotations[rows]], axis=1)
    votes = graph.field.state_votes[rows].astype(np.float64)
    return _Track(rotations.astype(np.float64), database.root_height[rows].astype(np.float64), ground, votes)


def _mix(out: _Track, frames: IntArray, piece: _Track, share: FloatArray) -> None:
    """Fade from `out` to `piece` at `frames` [n] with the `share` [n] of the piece."""
    whole = share >= 1.0
    old = _Track(*(values[frames] for values in out))
    mixed = quat_slerp(_safe(old.rotations, piece.rotations), piece.rotations, share[:, np.newaxis])
    out.rotations[frames] = np.where(whole[:, np.newaxis, np.newaxis], piece.rotations, mixed)
    out.height[frames] = old.height + share * (piece.height - old.height)
    out.votes[frames] = old.votes + share[:, np.newaxis] * (piece.votes - old.votes)
    gap = piece.ground - old.ground
    gap[:, 2] = np.where(whole, gap[:, 2], wrap_angle(gap[:, 2]))
    out.ground[frames] = old.ground + share[:, np.newaxis] * gap


def _safe(old: FloatArray, new: FloatArray) -> FloatArray:
    """Return `old` rotations [frame, joint, 4], with `new` ones in frames that nothing was written to."""
    blank = (old[:, 0] == 0.0).all(axis=-1)
    return np.where(blank[:, np.newaxis, np.newaxis], new, old)
