"""Reachability: how soon each kind of motion is reached through transitions, and the takes that are cut off.

A character at a state moves on to the next frame, or as one of the states within reach moved: those at most twice the
spacing of the data away, by which the field also finds its core.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, dijkstra

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.wording import counted
from motionfields.control.transitions import joint_places
from motionfields.field import MotionField
from motionfields.field.connectivity import LOOKED_AT, REACH, other_moments
from motionfields.field.neighbors import make_index
from motionfields.field.search_set import clip_ends
from motionfields.measure.evaluation.source import counted_joints
from motionfields.measure.survey.coverage import sustained_speed
from motionfields.measure.survey.statements import Statement, runs
from motionfields.measure.survey.tracks import Tracks, take_name, take_numbers

LEAST_SPEED_GAP = 0.2  # m/s that are worth mentioning
FASTER = 1.25  # times the speed of the core that is reported as out of reach
LOST = 0.05  # share of a take in the core below which it counts as lost
SHORTEST_PART = 0.5  # seconds at the beginning or end of a take whose loss is reported
SLOW = 4.0  # seconds to a kind of motion, from 95 % of the states, that are reported
LEAST_KIND = 0.5  # seconds of a kind of motion that can be looked for
LONGEST_STRETCH = 2.0  # seconds without a transition that are reported
SAME_ENTRY = 0.5  # seconds within which transitions lead to the same moment of a take
BLEND_TIME = 0.25  # seconds over which a transition is blended
SHORTEST_TAKE = 2.0  # seconds of a take whose entries are counted


class Links(NamedTuple):
    """The states within reach of each state, other moments than its own."""

    states: IntArray  # [state, k], -1 where there is none
    distances: FloatArray  # [state, k], in the unit of the features


class Reach(NamedTuple):
    """Time to reach one kind of motion from the states of the core, in seconds; NaN if no state can."""

    median: float
    p95: float
    longest: float


class Pair(NamedTuple):
    """The nearest pair of frames of two parts of the data that no transition joins."""

    state: int
    other: int
    gap: float  # its distance, as a multiple of the greatest distance of a transition


def find_links(field: MotionField) -> Links:
    """Return the links of all states of `field`, found as for its core."""
    database = field.database
    candidates = np.flatnonzero(~clip_ends(database, 1))
    index = make_index(database.features[candidates], field.search)
    states, distances = other_moments(database, index, candidates)
    states[distances > _limit(field)] = -1
    return Links(states, distances)


def step_graph(links: Links, starts: IntArray, frame_time: float) -> csr_matrix:
    """Return the graph of playback; its weights are frames.

    An edge leads from each state to the next frame, and one to the state a quarter of a second after each link, or to
    the last one of its clip: a transition is blended over this time, and a character cannot make another before.
    """
    count = len(links.states)
    left = np.repeat(starts[1:] - 1, np.diff(starts)) - np.arange(count)
    ahead = np.minimum(max(1, round(BLEND_TIME / frame_time)), left[links.states])
    after = np.where((links.states >= 0) & (ahead > 0), links.states + ahead, -1)
    following = np.where(left > 0, np.arange(1, count + 1), -1)[:, np.newaxis]
    edges = np.concatenate([following, after], axis=1)
    weights = np.concatenate([np.ones_like(following), ahead], axis=1)
    ends = np.concatenate([[0], np.cumsum((edges >= 0).sum(axis=1))])
    used = edges >= 0
    return csr_matrix((weights[used].astype(np.float32), edges[used], ends), shape=(count, count))


def frames_to(graph: csr_matrix, targets: BoolArray) -> FloatArray:
    """Return the fewest frames [state] to one of `targets` [state] through `graph`; infinite if there is no way."""
    return _frames_back(graph.T.tocsr(), targets)


def _frames_back(reversed_graph: csr_matrix, targets: BoolArray) -> FloatArray:
    """Return `frames_to`, given the graph with its edges reversed."""
    return np.asarray(dijkstra(reversed_graph, indices=np.flatnonzero(targets), min_only=True))


def reach_times(
    graph: csr_matrix, kinds: Mapping[str, BoolArray], core: BoolArray, frame_time: float
) -> dict[str, Reach]:
    """Return how soon each of `kinds` is reached from the states of the `core` [state], by name."""
    times, backward = {}, graph.T.tocsr()
    for name, mask in kinds.items():
        if mask.sum() * frame_time < LEAST_KIND:
            continue
        if not (mask & core).any():
            times[name] = Reach(*[float("nan")] * 3)
            continue
        seconds = _frames_back(backward, mask & core)[core] * frame_time
        times[name] = Reach(*(float(np.percentile(seconds, share, method="lower")) for share in (50.0, 95.0, 100.0)))
    return times


def reach_statements(times: Mapping[str, Reach], kinds: Mapping[str, BoolArray], tracks: Tracks) -> list[Statement]:
    """Return the kinds of motion that are out of reach or far away."""
    found = []
    for name, reach in times.items():
        if np.isnan(reach.median):
            take, frame = tracks.place(int(np.flatnonzero(kinds[name])[0]))
            text = f"The set holds {tracks.seconds(kinds[name]):.1f} s of {name}, but characters cannot get there."
            found.append(Statement("unreachable-kind", text, take, frame))
        elif reach.p95 > SLOW:
            how = f"takes {reach.p95:.1f} s or more to reach" if np.isfinite(reach.p95) else "is out of reach"
            text = f"{name.capitalize()}: {how} from 5 % of the states; half of them need at most {reach.median:.1f} s."
            found.append(Statement("slow-to-reach", text, value=reach.p95))
    return found


def speed_out_of_reach(core: BoolArray, tracks: Tracks) -> list[Statement]:
    """Return the speed that the set shows but that no state of the `core` [state] has, if it is much higher."""
    shown, reached = sustained_speed(tracks), sustained_speed(tracks, core)
    if shown < FASTER * reached or shown < reached + LEAST_SPEED_GAP:
        return []
    take, frame = tracks.place(int(np.where(core, -np.inf, tracks.velocity[:, 1]).argmax()))
    text = f"The set shows {shown:.1f} m/s, but characters reach only {reached:.1f} m/s."
    return [Statement("speed-out-of-reach", text, take, frame, shown)]


def lost_clips(core: BoolArray, starts: IntArray) -> IntArray:
    """Return the clips [n] that have hardly a state in the `core` [state]."""
    share = np.add.reduceat(core, starts[:-1]) / np.diff(starts)
    return np.flatnonzero(share < LOST)


def nearest_pair(field: MotionField, tracks: Tracks, states: IntArray) -> Pair:
    """Return the nearest pair of one of `states` [n] and a state of another take that characters can reach."""
    count = min(LOOKED_AT, len(field.findable))
    found = field.index.search(field.database.features[states], count)
    takes = take_numbers(tracks)[tracks.clip_of]
    others = field.findable[found.indices]
    own = takes[others] == takes[states][:, np.newaxis]
    distances = found.distances if own.all() else np.where(own, np.inf, found.distances)
    row, column = np.unravel_index(int(distances.argmin()), distances.shape)
    return Pair(int(states[row]), int(others[row, column]), float(distances[row, column] / _limit(field)))


def _limit(field: MotionField) -> float:
    """Return the greatest distance of a transition."""
    return REACH * field.spacing.median


def cut_off(field: MotionField, tracks: Tracks, links: Links | None = None) -> list[Statement]:
    """Return the lost takes and parts of takes, each with the nearest pair of frames.

    With `links`, lost takes that connect with each other are reported as one island. Without, no pair is searched.
    """
    core, starts = field.connectivity.core, tracks.starts
    lost = lost_clips(core, starts)
    names = dict.fromkeys(take_name(tracks.names[clip]) for clip in lost)
    groups = [[clip] for clip in lost] if links is None else _islands(links, lost, tracks)
    found, seen = [], set()
    for group in groups:
        takes = sorted({take_name(tracks.names[clip]) for clip in group}, key=list(names).index)
        if tuple(takes) in seen:
            continue  # the mirror images
        seen.add(tuple(takes))
        own = [clip for clip in group if take_name(tracks.names[clip]) == tracks.names[clip]]
        states = _states_of(own or group, starts)
        pair = None if links is None else nearest_pair(field, tracks, states)
        if len(takes) == 1:
            found.append(
                _of_pair("lost-take", f"Characters never play {takes[0]}", pair, int(states[0]), field, tracks)
            )
        else:
            text = f"Characters never play these {len(takes)} takes, which connect with each other only: "
            found.append(_of_pair("island", text + _listed(takes), pair, int(states[0]), field, tracks))
    return [*found, *_lost_parts(field, tracks, set(lost.tolist()), paired=links is not None)]


def _states_of(clips: list[int], starts: IntArray) -> IntArray:
    """Return the states of `clips`, in order."""
    return np.concatenate([np.arange(starts[clip], starts[clip + 1]) for clip in clips])


def _listed(names: list[str], most: int = 6) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _of_pair(kind: str, text: str, pair: Pair | None, state: int, field: MotionField, tracks: Tracks) -> Statement:
    """Return a statement about a gap, with the nearest pair of frames and what differs in it, or else with `state`."""
    if pair is None:
        return Statement(kind, f"{text}.", *tracks.place(state))
    take, frame = tracks.place(pair.state)
    _, other_frame = tracks.place(pair.other)
    other_take = tracks.names[tracks.clip_at(pair.other)]
    far = "close enough for a transition, but only in one direction"
    if pair.gap > 1.0:
        times = f"{pair.gap:.1f} times as far as a transition may go"
        far = "just too far for a transition" if pair.gap < 1.1 else times
    where = f"The nearest pair of frames is {far}: {difference(field, pair)}."
    return Statement(kind, f"{text}. {where}", take, frame, pair.gap, other_take, other_frame)


def difference(field: MotionField, pair: Pair) -> str:
    """Return what differs most between the two states of `pair`: a joint, and the speed over the ground."""
    database = field.database
    states = np.array([pair.state, pair.other])
    first, second = joint_places(database, database.poses(states))
    apart = np.linalg.norm(first - second, axis=-1)
    in_metric = np.zeros(len(apart), np.bool_)
    in_metric[counted_joints(field)] = True  # no fingers
    joint = int(np.where(in_metric, apart, 0.0).argmax())
    speeds = np.linalg.norm(database.root_step[states][:, ::2], axis=-1) / database.frame_time
    text = f"{database.skeleton.names[joint]} is {100.0 * apart[joint]:.0f} cm apart"
    if abs(speeds[0] - speeds[1]) < LEAST_SPEED_GAP:
        return text
    return f"{text}, and the speed is {speeds[0]:.1f} instead of {speeds[1]:.1f} m/s"


def _islands(links: Links, lost: IntArray, tracks: Tracks) -> list[list[int]]:
    """Return groups of the `lost` clips: those that links join, in either direction."""
    clip_of = tracks.clip_of
    number = np.full(len(tracks.names), -1)
    number[lost] = np.arange(len(lost))
    rows = np.flatnonzero(np.isin(clip_of, lost))
    targets = links.states[rows]
    own = np.broadcast_to(number[clip_of[rows]][:, np.newaxis], targets.shape)
    other = np.where(targets >= 0, number[clip_of[targets]], -1)
    joined = other >= 0
    names = [take_name(tracks.names[clip]) for clip in lost]
    images = np.array([[one, names.index(name)] for one, name in enumerate(names)]).reshape(-1, 2).T
    edges = np.concatenate([np.stack([own[joined], other[joined]]), images], axis=1)
    graph = csr_matrix((np.ones(edges.shape[1]), (edges[0], edges[1])), shape=(len(lost), len(lost)))
    count, part = connected_components(graph, directed=False)
    return [[int(clip) for clip in lost[part == one]] for one in range(count)]


def _lost_parts(field: MotionField, tracks: Tracks, lost: set[int], *, paired: bool) -> Iterator[Statement]:
    """Yield the beginnings and ends of takes that lie outside the core, once for a take and its mirror image."""
    core, starts, told = field.connectivity.core, tracks.starts, set()
    for first, last in runs(~core, starts):
        clip = tracks.clip_at(first)
        seconds = (last + 1 - first) * tracks.frame_time
        if clip in lost or seconds < SHORTEST_PART:
            continue
        take, is_end = take_name(tracks.names[clip]), last == starts[clip + 1] - 1
        if (take, is_end) in told:
            continue
        told.add((take, is_end))
        pair = nearest_pair(field, tracks, np.arange(first, last + 1)) if paired else None
        part = "last" if is_end else "first"
        kind = "dead-end" if is_end else "unreached-start"
        why = "no way back" if is_end else "no way in"
        text = f"Characters never play the {part} {seconds:.1f} s of {take}: {why}"
        yield _of_pair(kind, text, pair, int(first), field, tracks)


def no_choice(links: Links, core: BoolArray, tracks: Tracks) -> list[Statement]:
    """Return the longest stretch of each take in which no state has a transition to another state of the core."""
    free = ((links.states >= 0) & core[links.states]).any(axis=1)
    longest: dict[str, tuple[float, int]] = {}
    for first, last in runs(~free & core, tracks.starts):
        take, frame = tracks.place(int(first))
        seconds = (last + 1 - first) * tracks.frame_time
        if seconds >= LONGEST_STRETCH and seconds > longest.get(take, (0.0, 0))[0]:
            longest[take] = (float(seconds), frame)
    return [
        Statement("no-choice", f"{take} has no transition out of it for {seconds:.1f} s.", take, frame, seconds)
        for take, (seconds, frame) in longest.items()
    ]


def single_entries(links: Links, core: BoolArray, tracks: Tracks) -> list[Statement]:
    """Return the takes into which all transitions of other takes lead at one moment."""
    clip_of, starts = tracks.clip_of, tracks.starts
    rows = np.flatnonzero(core)
    targets = links.states[rows]
    ok = (targets >= 0) & core[targets]
    source, target = np.broadcast_to(clip_of[rows][:, np.newaxis], targets.shape)[ok], targets[ok]
    entered = np.zeros(len(core), np.bool_)
    entered[target[source != clip_of[target]]] = True
    found, told = [], set()
    for clip, (first, end) in enumerate(pairwise(starts)):
        seconds = (end - first) * tracks.frame_time
        take, frames = take_name(tracks.names[clip]), np.flatnonzero(entered[first:end])
        if take in told or seconds < SHORTEST_TAKE or len(frames) == 0:
            continue
        told.add(take)
        span = (frames[-1] - frames[0]) * tracks.frame_time
        if span < SAME_ENTRY:
            text = f"Other takes lead into {take} at one moment only: {counted(len(frames), 'frame')} of {end - first}."
            found.append(Statement("single-entry", text, take, int(frames[0]), float(len(frames))))
    return found
