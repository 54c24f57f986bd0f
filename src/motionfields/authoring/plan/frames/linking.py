"""The motion graph of frames, compressed to the frames at which contacts change.

A link of the compressed graph is the cheapest path of frames from one change of contacts to another that passes no
third one (Safonova and Hodgins 2007; section 3.4 of Lo's thesis).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from motionfields.authoring.plan.frames.pool import (
    Frames,
    FrameSettings,
    Transitions,
    captured_frames,
    clouds_of,
    find_transitions,
    state_clouds,
)
from motionfields.authoring.plan.steps import STILL_SPEED, composed, largest_core, relative, settled_places
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.errors import MotionError
from motionfields.base.runs import true_runs
from motionfields.control.root_motion import measure_root_motion
from motionfields.field import MotionField

POINTS: Final = 4  # places of a link at which its distance from a stroke is measured, the end included
BOTH_FEET: Final = 3
NONE: Final = -9999  # scipy's mark of frames without a frame before them on a path


class Links(NamedTuple):
    """Links of a compressed graph, by source, in the form that searches use."""

    source: IntArray  # [link], int32, nodes, rising
    target: IntArray  # [link], int32, nodes
    cost: FloatArray  # [link], seconds: duration and penalties of transitions
    seconds: FloatArray  # [link], duration
    course: FloatArray  # [link, POINTS + 1, 4], x, z, yaw and height of the root at even times, in the source's frame


class Walked(NamedTuple):
    """Frames that each link shows after its source, up to its target, one after the other for all links."""

    first: IntArray  # [link + 1]
    frame: IntArray  # [n]
    ground: FloatArray  # [n, 3], ground pose in the frame of the source


@dataclass(frozen=True, eq=False)
class FrameGraph:
    """A motion graph of frames: similar frames, and the compressed graph of changes of contacts."""

    field: MotionField
    settings: FrameSettings
    frames: Frames
    transitions: Transitions
    nodes: IntArray  # [node], frames at which contacts change or in which the character rests
    rests: BoolArray  # [node], where motions may begin and end
    links: Links
    walked: Walked

    @classmethod
    def build(cls, field: MotionField, *, settings: FrameSettings | None = None) -> FrameGraph:
        """Return the motion graph of the frames of `field`: its largest part in which every node reaches every other.

        Motions begin and end standing on both feet where the data does that, otherwise anywhere.
        """
        use = settings or FrameSettings()
        places = settled_places(field, measure_root_motion(field.database))
        return connect(field, use, captured_frames(field, places), state_clouds(field, places, use.window))


def connect(field: MotionField, settings: FrameSettings, frames: Frames, clouds: FloatArray) -> FrameGraph:
    """Return the motion graph of `frames`, with the `clouds` [state, point, 3] of the states of `field`."""
    frame_time = field.database.frame_time
    transitions = find_transitions(frames, clouds_of(frames, clouds), settings, frame_time)
    rest = resting_frames(frames, frame_time)
    marks = np.flatnonzero(contact_changes(frames) | rest)
    nodes, links, walked = _compressed(frames, transitions, marks, settings, frame_time, field.database.root_height)
    if len(nodes) < 2:
        raise MotionError(f"no changes of contacts reach each other with clouds up to {settings.threshold:g} m apart")
    rests = rest[nodes] if rest[nodes].any() else np.ones(len(nodes), np.bool_)
    return FrameGraph(field, settings, frames, transitions, nodes, rests, links, walked)


def contact_changes(frames: Frames) -> BoolArray:
    """Return which captured frames [frame] have other contacts than the frame before in their run."""
    changed = (frames.phase[1:] != frames.phase[:-1]) & (frames.run[1:] == frames.run[:-1])
    return np.concatenate([[False], changed]) & frames.captured


def resting_frames(frames: Frames, frame_time: float) -> BoolArray:
    """Return one frame [frame] of each stance on both feet in which the root rests: the middle of its slow frames."""
    step = np.linalg.norm(np.diff(frames.ground[:, :2], axis=0), axis=1)
    slow = np.concatenate([step < STILL_SPEED * frame_time, [False]]) & frames.follows() & frames.captured
    out = np.zeros(len(slow), np.bool_)
    for begin, end in true_runs(slow & (frames.phase == BOTH_FEET)):
        out[(begin + end) // 2] = True
    return out


def _compressed(
    frames: Frames,
    transitions: Transitions,
    nodes: IntArray,
    settings: FrameSettings,
    frame_time: float,
    root_height: FloatArray,
) -> tuple[IntArray, Links, Walked]:
    """Return the nodes of the largest strongly connected part, and the cheapest links between them."""
    count = len(frames.run)
    natural = np.flatnonzero(frames.follows())
    source = np.concatenate([natural, transitions.source])
    target = np.concatenate([natural + 1, transitions.target])
    cost = np.concatenate([np.full(len(natural), frame_time), frame_time + settings.jump_cost * transitions.distance])
    # Paths end at nodes: only a copy of each node, as a start, leads on.
    copy = np.full(count, -1)
    copy[nodes] = count + np.arange(len(nodes))
    leaving = np.where(copy[source] >= 0, copy[source], source)
    graph = csr_array((cost, (leaving, target)), shape=(count + len(nodes),) * 2)
    costs, before = dijkstra(graph, indices=count + np.arange(len(nodes)), return_predecessors=True)
    found = _cheapest(costs[:, nodes], settings.branching)
    core = largest_core(len(nodes), *found)
    kept = core[found[0]] & core[found[1]]
    number = np.cumsum(core) - 1
    starts, ends = found[0][kept], found[1][kept]
    walked = _walked(frames, transitions, nodes, starts, ends, before)
    lengths = np.diff(walked.first)
    links = Links(
        number[starts].astype(np.int32),
        number[ends].astype(np.int32),
        costs[starts, nodes[ends]],
        lengths * frame_time,
        _courses(frames, nodes[starts], walked, root_height),
    )
    return nodes[core], links, walked


def _cheapest(costs: FloatArray, branching: int) -> tuple[IntArray, IntArray]:
    """Return source and target [link] of the `branching` lowest finite `costs` [node, node] of each row."""
    order = np.argsort(costs, axis=1, kind="stable")[:, :branching]
    finite = np.isfinite(np.take_along_axis(costs, order, axis=1))
    source, place = np.nonzero(finite)
    return source, order[source, place]


def _walked(
    frames: Frames, transitions: Transitions, nodes: IntArray, starts: IntArray, ends: IntArray, before: IntArray
) -> Walked:
    """Return the frames of links from `starts` to `ends` [link], by the frames `before` [node, frame] on the paths."""
    count = len(frames.run)
    entry = {
        pair: n for n, pair in enumerate(zip(transitions.source.tolist(), transitions.target.tolist(), strict=True))
    }
    first, shown, ground = [0], [], []
    for start, end in zip(starts.tolist(), nodes[ends].tolist(), strict=True):
        path = [end]
        while path[-1] < count:
            path.append(int(before[start, path[-1]]))
        path = [int(nodes[start]), *path[-2::-1]]
        pose: FloatArray = np.zeros(3)
        for one, other in pairwise(path):
            here = entry.get((one, other))
            move = relative(frames.ground[one], frames.ground[other]) if here is None else transitions.pose[here]
            pose = composed(pose, move)
            shown.append(other)
            ground.append(pose)
        first.append(len(shown))
    return Walked(np.array(first), np.array(shown, np.int64), np.array(ground).reshape(-1, 3))


def _courses(frames: Frames, starts: IntArray, walked: Walked, root_height: FloatArray) -> FloatArray:
    """Return the courses [link, POINTS + 1, 4] of links that begin at the frames `starts` [link]."""
    height = root_height[frames.first] + frames.share * (root_height[frames.second] - root_height[frames.first])
    courses = np.empty((len(starts), POINTS + 1, 4))
    for link, start in enumerate(starts.tolist()):
        part = slice(walked.first[link], walked.first[link + 1])
        track = np.zeros((part.stop - part.start + 1, 4))
        track[1:, :3] = walked.ground[part]
        track[:, 3] = height[np.concatenate([[start], walked.frame[part]])]
        at = np.linspace(0.0, len(track) - 1.0, POINTS + 1)
        courses[link] = np.stack([np.interp(at, np.arange(len(track)), column) for column in track.T], axis=1)
    return courses
