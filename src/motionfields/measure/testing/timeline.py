"""A check that the composition of a timeline keeps its promises."""

from __future__ import annotations

import numpy as np

from motionfields.authoring.compose.composing import Composer, Composition
from motionfields.authoring.compose.cuts import COST_UNIT
from motionfields.authoring.compose.objective import adherence, frame_count_of
from motionfields.authoring.compose.pieces import pieces_of
from motionfields.authoring.compose.solving import cut_frames, path_costs
from motionfields.authoring.compose.timeline import Timeline, format_timeline, parse_timeline
from motionfields.base.errors import require


def check_timeline(composer: Composer, timeline: Timeline, *, alternatives: int = 1) -> Composition:
    """Return the composition of `timeline`; raises AssertionError if it breaks the contract.

    Checked are: the timeline comes back from its file; the motion has its length; every frame is a state of the
    database, in pieces of at least the shortest length; costs add up; the missed labels are those that frames fail; no
    alternative is cheaper; and composing again gives the same bits.
    """
    require(parse_timeline(format_timeline(timeline)) == timeline, "timeline: differs after writing and reading")
    found = composer.compose(timeline, alternatives=alternatives)
    again = composer.compose(timeline, alternatives=alternatives)
    require(len(found.alternatives) == alternatives - 1, "alternatives: wrong number")
    for one, other in zip((found, *found.alternatives), (again, *again.alternatives), strict=True):
        _check_one(composer, timeline, one)
        require(np.array_equal(one.path, other.path), "path: differs when composed again")
        same = np.array_equal(one.clip.rotations, other.clip.rotations)
        same &= np.array_equal(one.clip.root_position, other.clip.root_position)
        require(same, "clip: differs when composed again")
        require(one.costs.total >= found.costs.total, "alternatives: one of them is cheaper")
    return found


def _check_one(composer: Composer, timeline: Timeline, found: Composition) -> None:
    database = composer.field.database
    frame_count = frame_count_of(timeline, database.frame_time)
    require(found.clip.frame_count == frame_count == len(found.path), f"clip: expected {frame_count} frames")
    require(bool(((found.path >= 0) & (found.path < database.state_count)).all()), "path: not states of the database")
    goes_on = np.diff(found.path) == 1
    crossing = database.clip_of[found.path[1:]] != database.clip_of[found.path[:-1]]
    require(not (goes_on & crossing).any(), "path: runs from the end of one clip into the next")
    lengths = np.diff([0, *cut_frames(found.path).tolist(), frame_count])
    require(bool((lengths[:-1] >= composer.stay).all()), f"pieces: one is shorter than {composer.stay} frames")
    require(found.pieces == pieces_of(database, found.path), "pieces: differ from the path")
    labels, cuts = path_costs(composer.cuts, composer.state_costs(timeline), found.path)
    total = round(found.costs.total * COST_UNIT)
    require(total == labels + cuts, f"costs: {total} units, but the path costs {labels} + {cuts}")
    kept = adherence(timeline, composer.labels, found.path, frame_time=database.frame_time)
    require([one.goal for one in kept if one.share < 1.0] == [one.goal for one in found.missed], "missed: wrong labels")
    require(all(one.reason for one in found.missed), "missed: no reason given")
