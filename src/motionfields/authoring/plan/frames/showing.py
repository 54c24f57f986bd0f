"""From links of a motion graph to a displayed motion: frames in order, jumps spread, halves merged, feet held."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from motionfields.authoring.easing import smooth_share
from motionfields.authoring.plan.frames.cutting import Followed
from motionfields.authoring.plan.frames.linking import FrameGraph
from motionfields.authoring.plan.frames.mixing import MixedGraph
from motionfields.authoring.plan.steps import composed
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.geometry import (
    quat_conjugate,
    quat_exp,
    quat_from_yaw,
    quat_log,
    quat_multiply,
    quat_normalize,
    quat_slerp,
)
from motionfields.motion.clip import Clip
from motionfields.motion.planting.holding import hold_feet

FADE: Final = 0.25  # seconds on each side of a transition over which its jump is spread


class Shown(NamedTuple):
    """Frames of one link after its source, up to its target."""

    rotations: FloatArray  # [frame, joint, 4], the root's without yaw
    height: FloatArray  # [frame], metres
    ground: FloatArray  # [frame, 3], ground pose in the frame of the source
    votes: FloatArray  # [frame, 2], contacts from 0 to 1
    follows: BoolArray  # [frame], whether it follows the frame before in the data

    def at(self, rows: IntArray) -> Shown:
        """Return the frames `rows`."""
        return Shown(*(column[rows] for column in self))  # type: ignore[arg-type]


def show(graph: FrameGraph | MixedGraph, found: Followed) -> Clip:
    """Return the motion of `found` with foot locking; the gap at which its halves merge is spread over all of it."""
    if not len(found.links):
        raise ValueError("found: expected a motion; the search found none")
    parts = [_shown(graph, link) for link in found.links.tolist()]
    starts = found.poses[:-1].copy()
    starts[found.merged : found.merged + 1] += found.gap
    ground = [
        composed(np.broadcast_to(pose, part.ground.shape), part.ground)
        for pose, part in zip(starts, parts, strict=True)
    ]
    counts = np.cumsum([len(part.height) for part in parts])
    split = counts[found.merged - 1] if found.merged else 0
    base = graph.base if isinstance(graph, MixedGraph) else graph
    places = _joined(np.concatenate(ground), split, found.gap)
    rotations = np.concatenate([part.rotations for part in parts])
    height = np.concatenate([part.height for part in parts])
    _spread(rotations, height, np.concatenate([part.follows for part in parts]), base.field.database.frame_time)
    rotations[:, 0] = quat_multiply(quat_from_yaw(places[:, 2]), rotations[:, 0])
    root = np.stack([places[:, 0], height, places[:, 1]], axis=1)
    database = base.field.database
    clip = Clip(database.skeleton, root, quat_normalize(rotations), database.frame_time, name="followed")
    return hold_feet(clip, np.concatenate([part.votes for part in parts]) >= 0.5, move_root=False).clip


def _joined(ground: FloatArray, split: int, gap: FloatArray) -> FloatArray:
    """Return ground poses [frame, 3] whose second part, from frame `split`, is `gap` [3] away from the first.

    Both ends stay; the places between are moved by a share of the gap that grows with time.
    """
    share = np.linspace(0.0, 1.0, len(ground))
    second = np.arange(len(ground)) >= split
    return np.asarray(ground + np.where(second, share - 1.0, share)[:, np.newaxis] * gap)


def _shown(graph: FrameGraph | MixedGraph, link: int) -> Shown:
    """Return the frames of one link."""
    if isinstance(graph, FrameGraph):
        return _captured(graph, link)
    one, other = graph.parts[link].tolist()
    if one == other:
        return _captured(graph.base, one)
    parts = [_captured(graph.base, part) for part in (one, other)]
    share = float(graph.link_share[link])
    count = max(1, round(graph.links.seconds[link] / graph.base.field.database.frame_time))
    rows = [np.round(np.linspace(1.0 / count, 1.0, count) * len(part.height)).astype(np.int64) - 1 for part in parts]
    a, b = (part.at(np.maximum(row, 0)) for part, row in zip(parts, rows, strict=True))
    course = graph.links.course[link]
    at = np.linspace(1.0 / count, 1.0, count) * (len(course) - 1)
    ground = np.stack([np.interp(at, np.arange(len(course)), course[:, n]) for n in range(3)], axis=1)
    return Shown(
        quat_slerp(a.rotations, b.rotations, np.full((count, 1), share)),
        a.height + share * (b.height - a.height),
        ground,
        a.votes + share * (b.votes - a.votes),
        a.follows & b.follows,
    )


def _captured(graph: FrameGraph, link: int) -> Shown:
    """Return the frames of a link of a graph of frames."""
    part = slice(graph.walked.first[link], graph.walked.first[link + 1])
    rows = graph.walked.frame[part]
    frames, database = graph.frames, graph.field.database
    before = np.concatenate([[graph.nodes[graph.links.source[link]]], rows[:-1]])

    def mixed(values: FloatArray) -> FloatArray:
        a, b = (values[states[rows]].astype(np.float64) for states in (frames.first, frames.second))
        return np.asarray(a + frames.share[rows].reshape(-1, *[1] * (a.ndim - 1)) * (b - a))

    one, other = (_rotations(graph, states[rows]) for states in (frames.first, frames.second))
    return Shown(
        quat_slerp(one, other, frames.share[rows][:, np.newaxis]),
        mixed(database.root_height),
        graph.walked.ground[part],
        mixed(graph.field.state_votes),
        (rows == before + 1) & (frames.run[rows] == frames.run[before]),
    )


def _rotations(graph: FrameGraph, states: IntArray) -> FloatArray:
    database = graph.field.database
    root = database.root_tilt[states][:, np.newaxis]
    return np.concatenate([root, database.joint_rotations[states]], axis=1).astype(np.float64)


def _spread(rotations: FloatArray, height: FloatArray, follows: BoolArray, frame_time: float) -> None:
    """Spread each jump of `rotations` [frame, joint, 4] and `height` [frame] over the frames on both sides of it."""
    window = max(1, round(FADE / frame_time))
    jumps = [frame for frame in np.flatnonzero(~follows).tolist() if frame > 0]
    turn, rise = np.zeros((*rotations.shape[:2], 3)), np.zeros(len(height))
    for frame in jumps:
        # Half of the jump goes to the frames before it and half to those after it, less the further away they are.
        gap = quat_log(quat_multiply(quat_conjugate(rotations[frame - 1]), rotations[frame]))
        step = height[frame] - height[frame - 1]
        before = np.arange(max(0, frame - window), frame)
        after = np.arange(frame, min(len(height), frame + window))
        for rows, sign in ((before, 0.5), (after, -0.5)):
            near = np.where(rows < frame, frame - 1 - rows, rows - frame)
            share = sign * (1.0 - smooth_share(near / window))
            turn[rows] += share[:, np.newaxis, np.newaxis] * gap
            rise[rows] += share * step
    rotations[:] = quat_multiply(rotations, quat_exp(turn))
    height += rise
