"""From links of a motion graph to a displayed motion: frames in order, jumps spread, halves merged, feet held."""

from __future__ import annotations

from itertools import pairwise
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

FADE: Final = 0.3  # seconds on each side of a transition over which its jump is spread


class Shown(NamedTuple):
    """Frames of one link from its source to its target."""

    rotations: FloatArray  # [frame, joint, 4], the root's without yaw
    height: FloatArray  # [frame], metres
    ground: FloatArray  # [frame, 3], ground pose in the frame of the source
    votes: FloatArray  # [frame, 2], contacts from 0 to 1
    follows: BoolArray  # [frame], whether it follows the frame before in the data


def show(graph: FrameGraph | MixedGraph, found: Followed) -> Clip:
    """Return the motion of `found` with foot locking; the gap at which its halves merge is spread over all of it."""
    if not len(found.links):
        raise ValueError("found: expected a motion; the search found none")
    starts = found.poses[:-1].copy()
    starts[found.merged : found.merged + 1] += found.gap
    shown = [_shown(graph, link) for link in found.links.tolist()]
    # Each link begins with the frame that the one before ends with.
    parts = [Shown(*(column[min(n, 1) :] for column in part)) for n, part in enumerate(shown)]  # type: ignore[arg-type]
    ground = [
        composed(np.broadcast_to(pose, part.ground.shape), part.ground)
        for pose, part in zip(starts, parts, strict=True)
    ]
    counts = np.cumsum([len(part.height) for part in parts])
    places = _joined(np.concatenate(ground), counts[found.merged - 1] if found.merged else 1, found.gap)
    rotations = np.concatenate([part.rotations for part in parts])
    height = np.concatenate([part.height for part in parts])
    database = (graph.base if isinstance(graph, MixedGraph) else graph).field.database
    jumps = np.flatnonzero(~np.concatenate([part.follows for part in parts]))
    window = FADE / database.frame_time
    root = np.stack([places[:, 0], height, places[:, 1], places[:, 2]], axis=1)
    root = root + spread_jumps(np.diff(root, axis=0), jumps, window)
    turns = quat_log(quat_multiply(quat_conjugate(rotations[:-1]), rotations[1:]))
    rotations = quat_multiply(rotations, quat_exp(spread_jumps(turns, jumps, window)))
    rotations[:, 0] = quat_multiply(quat_from_yaw(root[:, 3]), rotations[:, 0])
    clip = Clip(database.skeleton, root[:, :3], quat_normalize(rotations), database.frame_time, name="followed")
    return hold_feet(clip, np.concatenate([part.votes for part in parts]) >= 0.5, move_root=False).clip


def _joined(ground: FloatArray, split: int, gap: FloatArray) -> FloatArray:
    """Return ground poses [frame, 3] whose second part, from frame `split`, is `gap` [3] away from the first.

    Both ends stay; the places between are moved by a share of the gap that grows with time.
    """
    share = np.linspace(0.0, 1.0, len(ground))
    second = np.arange(len(ground)) >= split
    return np.asarray(ground + np.where(second, share - 1.0, share)[:, np.newaxis] * gap)


def spread_jumps(steps: FloatArray, jumps: IntArray, window: float) -> FloatArray:
    """Return offsets [frame, ...] that make a track and its velocity continuous at `jumps`.

    `steps` [frame - 1, ...] are its changes from frame to frame; a jump is between a frame of `jumps` and the one
    before. Half of it is spread over `window` frames before and half after it.
    """
    count = len(steps) + 1
    out = np.zeros((count, *steps.shape[1:]))
    jumped = np.zeros(count, np.bool_)
    jumped[jumps] = True
    for frame in jumps[jumps > 0].tolist():
        before = frame >= 2 and not jumped[frame - 1]
        after = frame + 1 < count and not jumped[frame + 1]
        old = steps[frame - 2] if before else steps[frame] if after else 0.0 * steps[0]
        new = steps[frame] if after else old
        gap, change = steps[frame - 1] - 0.5 * (old + new), new - old
        time = np.arange(count) - (frame - 0.5)
        near = np.flatnonzero(np.abs(time) < window)
        # Both fade to 0; the first begins with the value 1, the second with the slope 1.
        s = np.abs(time[near]) / window
        value, slope = 1.0 - smooth_share(s), window * (s - 6.0 * s**3 + 8.0 * s**4 - 3.0 * s**5)
        value *= -np.sign(time[near])
        wide = (-1, *[1] * (steps.ndim - 1))
        out[near] += 0.5 * (value.reshape(wide) * gap - slope.reshape(wide) * change)
    return out


def _shown(graph: FrameGraph | MixedGraph, link: int) -> Shown:
    """Return the frames of one link."""
    if isinstance(graph, FrameGraph):
        return _captured(graph, link)
    one, other = graph.parts[link].tolist()
    if one == other:
        return _captured(graph.base, one)
    share = float(graph.link_share[link])
    count = max(1, round(graph.links.seconds[link] / graph.base.field.database.frame_time))
    a, b = (_stretched(_captured(graph.base, part), count) for part in (one, other))
    course = graph.links.course[link]
    at = np.linspace(0.0, len(course) - 1.0, count + 1)
    ground = np.stack([np.interp(at, np.arange(len(course)), course[:, n]) for n in range(3)], axis=1)
    return Shown(
        quat_slerp(a.rotations, b.rotations, np.full((count + 1, 1), share)),
        a.height + share * (b.height - a.height),
        ground,
        a.votes + share * (b.votes - a.votes),
        a.follows & b.follows,
    )


def _stretched(part: Shown, count: int) -> Shown:
    """Return a link in `count` frames after its source."""
    at = np.linspace(0.0, len(part.height) - 1.0, count + 1)
    low = np.minimum(at.astype(np.int64), len(part.height) - 2)
    share = at - low
    follows = np.array([True, *(part.follows[a + 1 : b + 1].all() for a, b in pairwise(low))])

    def between(values: FloatArray) -> FloatArray:
        return np.asarray(values[low] + share.reshape(-1, *[1] * (values.ndim - 1)) * (values[low + 1] - values[low]))

    turned = quat_slerp(part.rotations[low], part.rotations[low + 1], share[:, np.newaxis])
    return Shown(turned, between(part.height), between(part.ground), between(part.votes), follows)


def _captured(graph: FrameGraph, link: int) -> Shown:
    """Return the frames of a link of a graph of frames."""
    part = slice(graph.walked.first[link], graph.walked.first[link + 1])
    rows = np.concatenate([[graph.nodes[graph.links.source[link]]], graph.walked.frame[part]])
    frames, database = graph.frames, graph.field.database
    share = frames.share[rows]

    def mixed(values: FloatArray) -> FloatArray:
        a, b = (values[states[rows]].astype(np.float64) for states in (frames.first, frames.second))
        return np.asarray(a + share.reshape(-1, *[1] * (a.ndim - 1)) * (b - a))

    one, other = (_rotations(graph, states[rows]) for states in (frames.first, frames.second))
    return Shown(
        quat_slerp(one, other, share[:, np.newaxis]),
        mixed(database.root_height),
        np.concatenate([np.zeros((1, 3)), graph.walked.ground[part]]),
        mixed(graph.field.state_votes),
        np.concatenate([[True], (np.diff(rows) == 1) & (np.diff(frames.run[rows]) == 0)]),
    )


def _rotations(graph: FrameGraph, states: IntArray) -> FloatArray:
    database = graph.field.database
    root = database.root_tilt[states][:, np.newaxis]
    return np.concatenate([root, database.joint_rotations[states]], axis=1).astype(np.float64)
