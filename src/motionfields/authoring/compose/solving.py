"""The cheapest sequence of states for given costs of states and cuts, by exact dynamic programming.

Time runs backwards. W[t, s] is the cost from frame t on if state s would come at t: either s is shown, or one of its
cuts is taken. After a cut, and at the start, the motion stays in its clip for at least `stay` frames. M[t, r] is the
cost from t on of such a stay that begins at r: the costs of r, r + 1, ... for `stay` frames, then W. Sums along a clip
are differences of running sums, which is exact because costs are whole numbers.

Cuts are sorted by cost, and no stay costs less than the cheapest one of the frame: the loop over the cuts of a state
ends at the first whose cost plus that minimum cannot improve on the best so far. The only memory that grows with time
is one byte for each state and frame.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from motionfields.authoring.compose.cuts import Cuts
from motionfields.base.arrays import IntArray
from motionfields.base.compiled import parallel_kernel, prange
from motionfields.field.database.takes import shown_again

IMPOSSIBLE: Final = 1 << 28
"""Cost in units of what cannot be; all possible totals are smaller."""


class StateCosts(NamedTuple):
    """Costs in units of showing each state at each frame: those of the frame's part plus those of the frame alone."""

    parts: IntArray  # [part, state], int32
    part_of: IntArray  # [frame], int64
    frames: IntArray  # [extra], frames with further costs, rising, int64
    extra: IntArray  # [extra, state], int32

    @property
    def frame_count(self) -> int:
        """Number of frames."""
        return len(self.part_of)

    def at(self, frame: int) -> IntArray:
        """Return the costs [state] at `frame`."""
        own = self.parts[self.part_of[frame]]
        found = np.flatnonzero(self.frames == frame)
        return np.asarray(own + self.extra[found[0]] if found.size else own)

    def along(self, path: IntArray) -> IntArray:
        """Return the cost [frame] of each state of `path` [frame] at its frame."""
        found = self.parts[self.part_of, path].astype(np.int64)
        found[self.frames] += self.extra[np.arange(len(self.frames)), path[self.frames]]
        return found


class Solution(NamedTuple):
    """The cheapest sequence of states."""

    path: IntArray  # [frame], states, int64
    cost: int  # units
    totals: IntArray  # [state], cost in units of the cheapest sequence that starts at each state, int32
    choices: IntArray  # [frame, state], uint8: 0 to show the state that would come, n for its n-th cut


def solve(cuts: Cuts, frames_left: IntArray, costs: StateCosts, *, stay: int, start: int | None = None) -> Solution:
    """Return the cheapest sequence of states, which starts at the state `start` or anywhere.

    `frames_left` [state] is the number of states that follow in the same clip. Ties go to the lowest start state, then
    to showing the next state, then to the cheapest cut, then to the lowest target. ValueError if there is no sequence.
    """
    frame_count, state_count = costs.frame_count, len(frames_left)
    if not 1 <= stay <= 255:
        raise ValueError(f"stay: expected 1 to 255 frames, got {stay}")
    _check_range(cuts, costs, stay)
    choices = np.zeros((frame_count, state_count), np.uint8)
    totals = np.empty(state_count, np.int32)
    left = np.ascontiguousarray(frames_left, dtype=np.int32)
    onward, sums = np.empty((2, stay + 1, state_count), np.int32)
    _sweep(*cuts, left, *costs, stay, onward, sums, choices, totals)
    first = int(totals.argmin()) if start is None else start
    if totals[first] >= IMPOSSIBLE:
        raise ValueError("costs: no sequence of states is long enough; use longer clips or a shorter timeline")
    return Solution(_traced(cuts, choices, first, stay), int(totals[first]), totals, choices)


def values(cuts: Cuts, frames_left: IntArray, costs: StateCosts) -> IntArray:
    """Return W [frame + 1, state], int32: least cost in units from each frame on, if `state` would come next.

    Cuts may follow each other in every frame, so this is a lower bound of the cost with a shortest stay. The last row
    has no meaning.
    """
    _check_range(cuts, costs, 1)
    frame_count, state_count = costs.frame_count, len(frames_left)
    onward = np.zeros((frame_count + 1, state_count), np.int32)
    sums = np.zeros((2, state_count), np.int32)
    choices = np.zeros((frame_count, state_count), np.uint8)
    left = np.ascontiguousarray(frames_left, dtype=np.int32)
    _sweep(*cuts, left, *costs, 1, onward, sums, choices, np.empty(state_count, np.int32))
    return onward


def path_costs(cuts: Cuts, costs: StateCosts, path: IntArray) -> tuple[int, int]:
    """Return the costs in units of the states and of the cuts of `path` [frame], added up the plain way."""
    jumps = sum(cuts.cost(int(path[t - 1]) + 1, int(path[t])) for t in cut_frames(path))
    return int(costs.along(path).sum()), jumps


def cut_frames(path: IntArray) -> IntArray:
    """Return the frames of `path` [frame] that begin a new piece after a cut."""
    return np.flatnonzero(np.diff(path) != 1) + 1


def replaying_cuts(path: IntArray, frame_time: float) -> IntArray:
    """Return the frames of `path` [frame] at which a piece begins that shows states again soon (see `shown_again`)."""
    begins = cut_frames(path)
    again = np.flatnonzero(shown_again(path, frame_time))
    return np.unique(begins[np.searchsorted(begins, again, side="right") - 1])


def _check_range(cuts: Cuts, costs: StateCosts, stay: int) -> None:
    """Raise ValueError if the cost of a possible sequence could reach `IMPOSSIBLE`."""
    if costs.parts.min(initial=0) < 0 or costs.extra.min(initial=0) < 0:
        raise ValueError("costs: expected 0 or more")
    worst = costs.parts.max(axis=1, initial=0).astype(np.int64)[costs.part_of].sum()
    worst += costs.extra.max(axis=1, initial=0).astype(np.int64).sum() if len(costs.extra) else 0
    worst += (costs.frame_count // stay + 1) * int(cuts.costs.max(initial=0))
    if worst >= IMPOSSIBLE:
        raise ValueError("costs: too large in total; use lower weights or a shorter timeline")


def _traced(cuts: Cuts, choices: IntArray, first: int, stay: int) -> IntArray:
    """Return the path [frame] that begins at state `first` and follows `choices`."""
    path = np.empty(len(choices), np.int64)
    path[0], held = first, stay - 1
    for frame in range(1, len(choices)):
        state = path[frame - 1] + 1
        choice = int(choices[frame, state]) if held <= 0 else 0
        path[frame] = state if choice == 0 else cuts.targets[cuts.first[state] + choice - 1]
        held = stay - 1 if choice else held - 1
    return path


@parallel_kernel
def _sweep(
    first: IntArray,
    targets: IntArray,
    cut_costs: IntArray,
    left: IntArray,
    parts: IntArray,
    part_of: IntArray,
    extra_frames: IntArray,
    extra: IntArray,
    stay: int,
    onward: IntArray,
    sums: IntArray,
    choices: IntArray,
    totals: IntArray,
) -> None:
    """Fill `choices` [frame, state] and `totals` [state]; `onward` and `sums` [stay + 1, state] are W and running sums.

    `onward` may also have one row for each frame and one more, and then holds W of all frames in the end.
    """
    frame_count, state_count = len(part_of), len(left)
    rows, sum_rows = len(onward), len(sums)
    stays = np.empty(state_count, np.int32)
    e = len(extra_frames) - 1
    for frame in range(frame_count - 1, -1, -1):
        now, following = frame % rows, (frame + 1) % rows
        sum_now, sum_following = frame % sum_rows, (frame + 1) % sum_rows
        rest = frame_count - 1 - frame  # frames that follow
        held = min(stay, rest + 1)  # frames of a stay that lie in the timeline
        after, sum_after = (frame + stay) % rows, (frame + stay) % sum_rows
        own = parts[part_of[frame]]
        more = e >= 0 and extra_frames[e] == frame
        low = np.int32(IMPOSSIBLE)
        for s in prange(state_count):
            cost = own[s]
            if more:
                cost = np.int32(cost + extra[e, s])
            ends = left[s] < 1
            # Showing s and going on; kept in `onward` until the cuts are known.
            if rest == 0:
                onward[now, s] = cost
            elif ends:
                onward[now, s] = np.int32(IMPOSSIBLE)
            else:
                onward[now, s] = min(np.int32(cost + onward[following, s + 1]), np.int32(IMPOSSIBLE))
            if rest == 0 or ends:
                sums[sum_now, s] = cost
            else:
                sums[sum_now, s] = np.int32(cost + sums[sum_following, s + 1])
            staying = np.int32(IMPOSSIBLE)
            if held <= rest:
                if left[s] >= stay:
                    whole = np.int32(sums[sum_now, s] - sums[sum_after, s + stay])
                    staying = min(np.int32(whole + onward[after, s + stay]), np.int32(IMPOSSIBLE))
            elif left[s] >= rest:
                staying = sums[sum_now, s]
            stays[s] = staying
            low = min(low, staying)
        for s in prange(state_count):
            best, choice = onward[now, s], 0
            begin = first[s]
            for cut in range(begin, first[s + 1]):
                cost = cut_costs[cut]
                if np.int32(cost + low) >= best:
                    break
                value = np.int32(cost + stays[targets[cut]])
                if value < best:
                    best, choice = value, cut - begin + 1
            onward[now, s] = best
            choices[frame, s] = choice
        if more:
            e -= 1
    totals[:] = stays
