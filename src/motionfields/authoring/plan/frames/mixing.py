"""Interpolated motion: well-connected graphs and interpolated graphs.

A *well-connected* graph (Zhao and Safonova 2009) adds interpolated frames between similar motions, finds transitions
among all frames, and keeps the interpolated frames that lie on the cheapest paths between changes of contacts.

An *interpolated* graph (Safonova and Hodgins 2007) is nearly the product of a graph with itself: its nodes are (a, b,
weight), its links pairs of links that are followed at once, each stretched to the time between the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionfields.authoring.plan.frames.linking import FrameGraph, Links, connect, contact_changes, resting_frames
from motionfields.authoring.plan.frames.pool import (
    Clouds,
    Frames,
    FrameSettings,
    captured_frames,
    cloud_distances,
    clouds_of,
    state_clouds,
)
from motionfields.authoring.plan.steps import accumulated, largest_core, relative, settled_places
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.control.root_motion import measure_root_motion
from motionfields.field import MotionField


def well_connected(field: MotionField, *, settings: FrameSettings | None = None) -> FrameGraph:
    """Return the motion graph of the frames of `field` and of motions interpolated between similar ones."""
    use = settings or FrameSettings()
    places = settled_places(field, measure_root_motion(field.database))
    clouds = state_clouds(field, places, use.window)
    frames = captured_frames(field, places)
    return connect(field, use, _with_interpolated(frames, clouds, use, field.database.frame_time), clouds)


class _Segments(NamedTuple):
    """Captured motions from one change of contacts, or rest, to the next."""

    start: IntArray  # [segment], frames
    end: IntArray  # [segment], later frames of the same run

    @property
    def length(self) -> IntArray:
        """Lengths [segment] in frames."""
        return np.asarray(self.end - self.start)


def _with_interpolated(frames: Frames, clouds: FloatArray, settings: FrameSettings, frame_time: float) -> Frames:
    """Return captured `frames` and those interpolated between similar segments, each in a run of its own."""
    marks = np.flatnonzero(contact_changes(frames) | resting_frames(frames, frame_time))
    same_run = frames.run[marks[1:]] == frames.run[marks[:-1]]
    segments = _Segments(marks[:-1][same_run], marks[1:][same_run])
    starts, ends = (Clouds.of(clouds[rows]) for rows in segments)
    distance = np.maximum(cloud_distances(starts, starts), cloud_distances(ends, ends))
    phases = 4 * frames.phase[segments.start] + frames.phase[segments.end]
    fits = (phases[:, np.newaxis] == phases) & fit_in_time(segments.length, segments.length, settings.stretch)
    made = [frames]
    run = int(frames.run[-1])
    for one, other in similar_pairs(np.where(fits, distance, np.inf), settings).tolist():
        for share in settings.shares:
            run += 1
            made.append(_interpolated(frames, segments, one, other, share, run))
    return Frames(*(np.concatenate(part) for part in zip(*made, strict=True)))


def _interpolated(frames: Frames, segments: _Segments, one: int, other: int, share: float, run: int) -> Frames:
    """Return the frames of one interpolated segment."""
    lengths = segments.length[[one, other]]
    count = round((1.0 - share) * lengths[0] + share * lengths[1]) + 1
    rows = [
        start + np.round(np.linspace(0.0, length, count)).astype(np.int64)
        for start, length in zip(segments.start[[one, other]].tolist(), lengths.tolist(), strict=True)
    ]
    phase = np.full(count, frames.phase[segments.start[one]])
    ground = blended_ground(frames.ground[rows[0]], frames.ground[rows[1]], share)
    return Frames(
        frames.first[rows[0]], frames.first[rows[1]], np.full(count, share), np.full(count, run), phase, ground
    )


def fit_in_time(a: FloatArray | IntArray, b: FloatArray | IntArray, stretch: float) -> BoolArray:
    """Return which durations `a` [a] and `b` [b] differ by at most the factor `stretch`, [a, b]."""
    return np.asarray((a[:, np.newaxis] <= stretch * b) & (b <= stretch * a[:, np.newaxis]))


def similar_pairs(distance: FloatArray, settings: FrameSettings) -> IntArray:
    """Return pairs [n, 2], lower first, of which one is among the nearest partners of the other.

    `distance` [m, m] is infinite for pairs that are not allowed.
    """
    apart = np.where(np.eye(len(distance), dtype=np.bool_), np.inf, distance)
    nearest = np.argsort(apart, axis=1, kind="stable")[:, : settings.partners]
    kept = np.take_along_axis(apart, nearest, axis=1) <= settings.spread
    row, place = np.nonzero(kept)
    return np.unique(np.sort(np.stack([row, nearest[row, place]], axis=1), axis=1), axis=0)


def blended_ground(a: FloatArray, b: FloatArray, share: float) -> FloatArray:
    """Return the ground poses [n, 3] of a root that starts at 0 and moves between `a` and `b` [n, 3].

    Each step is that of a, plus `share` times the difference of that of b, in the frame of the root.
    """
    steps = [relative(track[:-1], track[1:]) for track in (a, b)]
    return accumulated(steps[0] + share * (steps[1] - steps[0]))


@dataclass(frozen=True, eq=False)
class MixedGraph:
    """An interpolated graph: the nodes and links of `base`, and those between two of them."""

    base: FrameGraph
    nodes: IntArray  # [node, 2], nodes of `base`
    share: FloatArray  # [node], weight of the second; 0 where both are the same
    rests: BoolArray  # [node]
    links: Links
    parts: IntArray  # [link, 2], links of `base`
    link_share: FloatArray  # [link], weight of the second

    @classmethod
    def build(cls, base: FrameGraph) -> MixedGraph:
        """Return the interpolated graph of `base`: pairs of similar nodes with the same feet in contact.

        A link between two nodes follows a link of each half with the same weight throughout. From a node of `base`,
        two of its links may be followed at once, and they may end in one node.
        """
        nodes, share, rests, number = _mixed_nodes(base)
        source, target, parts, weight = _mixed_links(base, number)
        core = largest_core(len(nodes), source, target)
        kept = np.flatnonzero(core[source] & core[target])
        kept = kept[np.argsort(source[kept], kind="stable")]
        anew = np.cumsum(core) - 1
        parts, weight = parts[kept], weight[kept]
        links = _between(base.links, anew[source[kept]], anew[target[kept]], parts, weight)
        return cls(base, nodes[core], share[core], rests[core], links, parts, weight)


Number = dict[tuple[int, int, float], int]


def _mixed_nodes(base: FrameGraph) -> tuple[IntArray, FloatArray, BoolArray, Number]:
    """Return the nodes of an interpolated graph: pairs, weights and rests, and their numbers."""
    settings, frames = base.settings, base.frames
    places = settled_places(base.field, measure_root_motion(base.field.database))
    own = Clouds.of(clouds_of(frames, state_clouds(base.field, places, settings.window))[base.nodes])
    kind = frames.phase[base.nodes] + 4 * base.rests
    distance = np.where(kind[:, np.newaxis] == kind, cloud_distances(own, own), np.inf)
    made = [(node, node, 0.0) for node in range(len(base.nodes))]
    made += [
        (one, other, share) for one, other in similar_pairs(distance, settings).tolist() for share in settings.shares
    ]
    pairs = np.array([entry[:2] for entry in made])
    shares = np.array([entry[2] for entry in made])
    return pairs, shares, base.rests[pairs[:, 0]], {entry: place for place, entry in enumerate(made)}


def _mixed_links(base: FrameGraph, number: Number) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
    """Return sources, targets, parts and weights of the links of an interpolated graph with the nodes `number`."""
    links, settings = base.links, base.settings
    first = np.searchsorted(links.source, np.arange(len(base.nodes) + 1)).tolist()
    target, seconds = links.target.tolist(), links.seconds.tolist()
    found = [
        (int(a), int(b), link, link, 0.0) for link, (a, b) in enumerate(zip(links.source, links.target, strict=True))
    ]
    for (a, b, share), place in number.items():
        for one in range(first[a], first[a + 1]):
            for other in range(first[b], first[b + 1]):
                slow, fast = max(seconds[one], seconds[other]), min(seconds[one], seconds[other])
                if one == other or slow > settings.stretch * fast or (a == b and one > other):
                    continue
                for weight in (share,) if a != b else settings.shares:
                    c, d = target[one], target[other]
                    ends = (c, d, weight) if c < d else (d, c, 1.0 - weight) if c > d else (c, c, 0.0)
                    if ends in number:
                        found.append((place, number[ends], one, other, weight))
    table = np.array(found)
    whole = table[:, :4].astype(np.int64)
    return whole[:, 0], whole[:, 1], whole[:, 2:], table[:, 4]


def _between(links: Links, source: IntArray, target: IntArray, parts: IntArray, share: FloatArray) -> Links:
    """Return links from `source` to `target` [link] between the `parts` [link, 2] of `links` with weights `share`."""
    cost, seconds, height = (
        column[parts[:, 0]] + share.reshape(-1, *[1] * (column.ndim - 1)) * (column[parts[:, 1]] - column[parts[:, 0]])
        for column in (links.cost, links.seconds, links.course[..., 3])
    )
    courses = np.empty((len(parts), *links.course.shape[1:]))
    for link, ((one, other), weight) in enumerate(zip(parts.tolist(), share.tolist(), strict=True)):
        courses[link, :, :3] = blended_ground(links.course[one, :, :3], links.course[other, :, :3], weight)
    courses[..., 3] = height
    return Links(source.astype(np.int32), target.astype(np.int32), cost, seconds, courses)
