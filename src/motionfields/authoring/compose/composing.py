"""Composition: from a field, labels and a timeline to motions, each traced to its takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import NamedTuple

import numpy as np

from motionfields.authoring.compose.cuts import COST_UNIT, Cuts, CutSettings, find_cuts
from motionfields.authoring.compose.goals import goal_frame
from motionfields.authoring.compose.labels import StateLabels, label_states
from motionfields.authoring.compose.objective import Adherence, adherence, frame_count_of, label_costs
from motionfields.authoring.compose.pieces import Piece, mirror_images, pieces_of, unmirrored
from motionfields.authoring.compose.posing import (
    OPEN_COST,
    closing_costs,
    goal_pose,
    pose_gap,
    with_extra,
    with_moments,
)
from motionfields.authoring.compose.reaching import ReachSettings, later_goals, reach
from motionfields.authoring.compose.rendering import (
    SEAM,
    Rendered,
    RootWarp,
    Track,
    crossfaded,
    pinned,
    settled,
    show,
)
from motionfields.authoring.compose.solving import StateCosts, path_costs, replaying_cuts, solve
from motionfields.authoring.compose.timeline import Timeline
from motionfields.authoring.compose.warping import Placed, place_track
from motionfields.base.arrays import BoolArray, IntArray
from motionfields.base.errors import ComposeError
from motionfields.base.geometry import quat_conjugate, quat_exp, quat_log, quat_multiply, quat_normalize
from motionfields.control.root_motion import RootMotion, measure_root_motion
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.field.passive import uniform_draws
from motionfields.motion.annotations import Annotations
from motionfields.motion.clip import Clip

MOMENT = 10  # frames: states this near in time, or mirror images of such, count as the same moment
VARIATION = 0.05  # largest cost for each frame that a seed adds to a state
MOST_ALTERNATIVES = 20
MOST_LENGTHS = 9  # of a timeline of free length that are tried
WARP_COST = 100.0  # of a shift as long as the way, where lengths are compared
MOST_STARTS = 16  # of loops that are tried
NEAR_STARTS = 4  # frames: starts this near to one that was tried are skipped
MOST_ROUNDS = 8  # of solving again without the cuts that show states again
NEAR_CUTS = 4  # frames: cuts this near to one that is left out, on both sides, are left out too
PIN_TIME = 0.4  # seconds on each side of a pose in which it fades in and out


@dataclass(frozen=True)
class ComposeSettings:
    """Settings of composition.

    A frame that fails a label costs `label_weight`, in the unit of the cost of cuts (see `CutSettings`): a higher one
    shows labels longer, a lower one needs fewer cuts. A piece lasts at least `shortest_piece` seconds. Pieces fade into
    each other over `seam` seconds on both sides of a cut. Each frame of an alternative that shows a moment of an
    earlier one costs `repeat_cost`.

    To meet places, the root motion may be shifted by up to `most_shift` of the distance travelled and turned by up to
    `most_turn` radians per second. To meet a pose, the shown one may be changed by up to `most_pose` metres, on average
    over the joints. A motion that needs more is refused, unless `forced`.
    """

    label_weight: float = 2.5
    shortest_piece: float = 0.26
    seam: float = SEAM
    repeat_cost: float = 0.25
    most_shift: float = 0.15
    most_turn: float = math.radians(30.0)
    most_pose: float = 0.08
    forced: bool = False
    cuts: CutSettings = field(default_factory=CutSettings)
    reach: ReachSettings = field(default_factory=ReachSettings)

    def __post_init__(self) -> None:
        for name, most in (("label_weight", 20.0), ("shortest_piece", 8.0), ("seam", 2.0), ("repeat_cost", 10.0)):
            if not 0.0 < getattr(self, name) <= most:
                raise ValueError(f"{name}: expected more than 0 and at most {most:g}, got {getattr(self, name)}")


class ComposeCosts(NamedTuple):
    """The cost of a composed motion, in m/s2 of mean jump of the joints' acceleration."""

    labels: float
    cuts: float

    @property
    def total(self) -> float:
        """The sum that the dynamic program minimises."""
        return self.labels + self.cuts


class WarpReport(NamedTuple):
    """The change of root motion that constraints need."""

    shift_share: float  # metres added, as a share of the distance travelled
    turn_rate: float  # largest extra turn in radians per second


@dataclass(frozen=True, eq=False)
class Composition:
    """A composed motion: where each frame comes from, what it costs and which labels it misses."""

    clip: Clip
    pieces: tuple[Piece, ...]
    costs: ComposeCosts
    missed: tuple[Adherence, ...]  # labels that not all of their frames show
    warp: WarpReport
    path: IntArray  # [frame], database states
    contacts: BoolArray  # [frame, 2], in which the feet are held
    labels_met: float  # share of the asked frames, over all labels
    alternatives: tuple[Composition, ...] = ()

    def shared_moments(self, other: Composition, database: MotionDatabase) -> float:
        """Return the share of frames that show the same moment of a take, or of its mirror image, as `other`."""
        own, theirs = (unmirrored(database, one.path) for one in (self, other))
        count = min(len(own), len(theirs))
        return float((np.abs(own[:count] - theirs[:count]) <= MOMENT).mean())


class Composer:
    """Composes motions of one field with one set of labels; keeps the cuts between its states for the next timeline."""

    def __init__(
        self,
        motion_field: MotionField,
        labels: Annotations | StateLabels,
        *,
        settings: ComposeSettings | None = None,
        cuts: Cuts | None = None,
    ) -> None:
        self.field = motion_field
        self.settings = settings or ComposeSettings()
        self.labels = labels if isinstance(labels, StateLabels) else label_states(motion_field.database, labels)
        if len(self.labels.values) != motion_field.database.state_count:
            raise ValueError(
                f"labels: expected {motion_field.database.state_count} states, got {len(self.labels.values)}"
            )
        self.cuts = cuts or find_cuts(motion_field, self.settings.cuts)

    def changed(self, *, labels: StateLabels | None = None, settings: ComposeSettings | None = None) -> Composer:
        """Return a composer with other `labels` or `settings` that shares the cuts and root motion of this one."""
        other = Composer(self.field, labels or self.labels, settings=settings or self.settings, cuts=self.cuts)
        other.__dict__["root_motion"] = self.root_motion
        return other

    @cached_property
    def root_motion(self) -> RootMotion:
        """Root motion of every state."""
        return measure_root_motion(self.field.database)

    @property
    def stay(self) -> int:
        """Number of frames that a piece lasts at least."""
        return max(1, round(self.settings.shortest_piece / self.field.database.frame_time))

    def compose(self, timeline: Timeline, *, alternatives: int = 1, seed: int = 0) -> Composition:
        """Return the cheapest motion for `timeline`, and others that differ from it: see `motionfields.compose`."""
        if not 1 <= alternatives <= MOST_ALTERNATIVES:
            raise ValueError(f"alternatives: expected 1 to {MOST_ALTERNATIVES}, got {alternatives}")
        found = list(islice(self.motions(timeline, seed=seed), alternatives))
        best, *others = sorted(found, key=lambda one: one.costs.total)
        return replace(best, alternatives=tuple(others))

    def motions(
        self, timeline: Timeline, *, seed: int = 0, on_progress: Callable[[str, float], None] | None = None
    ) -> Iterator[Composition]:
        """Yield the cheapest motion for `timeline`, then one after another that avoids the moments of the earlier ones.

        `on_progress` is called with the current step in words and the share of the next motion that is done, 0 to 1.
        """
        tell = on_progress or (lambda doing, share: None)
        if timeline.shortest is not None:
            timeline = self.with_length(timeline)
        costs = self.state_costs(timeline)
        penalties = _drawn_costs(seed, self.field.database.state_count)
        used = np.zeros(costs.parts.shape, np.bool_)
        while True:
            tell("searching", 0.0)
            raised = costs._replace(parts=(costs.parts + penalties + self._repeat_units * used).astype(np.int32))
            path = self._cheapest(timeline, raised, lambda share: tell("searching", 0.9 * share))
            tell("rendering", 0.9)
            yield self.composition(timeline, costs, path)
            self._mark(used, costs.part_of, path)

    def with_length(self, timeline: Timeline) -> Timeline:
        """Return `timeline` with the length between its shortest and longest at which its motion costs least.

        At most `MOST_LENGTHS` lengths are tried, evenly spaced; warp counts as `WARP_COST` for all of the way. Raises
        `ComposeError` if no length can be met.
        """
        longest = frame_count_of(timeline, self.field.database.frame_time)
        least = max(1, round((timeline.shortest or timeline.seconds) / self.field.database.frame_time))
        best: tuple[float, Timeline] | None = None
        refusal: ComposeError | None = None
        for count in np.unique(np.linspace(least, longest, MOST_LENGTHS).round().astype(np.int64)).tolist():
            fixed = timeline.ending_at(min(count * self.field.database.frame_time, timeline.seconds))
            try:
                found = next(self.motions(fixed))
            except ComposeError as error:
                refusal = error
                continue
            cost = found.costs.total + WARP_COST * found.warp.shift_share
            if best is None or cost < best[0]:
                best = cost, fixed
        if best is None:
            assert refusal is not None
            raise refusal
        return best[1]

    def state_costs(self, timeline: Timeline) -> StateCosts:
        """Return the costs of showing each state at each frame of `timeline`."""
        database = self.field.database
        weight = self.settings.label_weight
        costs = label_costs(timeline, self.labels, frame_time=database.frame_time, weight=weight)
        return with_moments(costs, timeline, database)

    def composition(self, timeline: Timeline, costs: StateCosts, path: IntArray) -> Composition:
        """Return the composition that shows the states `path` [frame]; `ComposeError` if it fails a hard label."""
        database = self.field.database
        kept = adherence(timeline, self.labels, path, frame_time=database.frame_time)
        for one in kept:
            if one.goal.hard and one.share < 1.0:
                lacking = (1.0 - one.share) * (one.goal.end - one.goal.start)
                raise ComposeError(f"{one.goal.text} cannot be met: {lacking:.2f} s fail; {one.reason}")
        for goal in timeline.poses if not self.settings.forced else ():
            gap = pose_gap(database, goal, int(path[goal_frame(goal, database.frame_time, len(path))]))
            if gap > self.settings.most_pose:
                raise ComposeError(
                    f"{goal.text} cannot be met: the nearest pose found is {gap:.2f} m away on average over the joints"
                )
        if timeline.loop:
            costs = with_extra(costs, {len(path) - 1: closing_costs(self.cuts, database.frames_left, int(path[0]))})
            if costs.extra[-1, path[-1]] >= OPEN_COST * COST_UNIT:
                raise ComposeError(f"loop of {timeline.seconds:g} s cannot be closed: no cut leads back to its start")
        placed = self._placed(timeline, path)
        return self._finished(kept, costs, path, placed.shown, placed.warp)

    def _placed(self, timeline: Timeline, path: IntArray) -> Placed:
        """Return the motion that shows the states `path` [frame], at the places of `timeline`."""
        track = self._track(timeline, path)
        if not timeline.is_placed:
            shown = show(self.field, track, yaw=-float(self.root_motion.facing[path[0]]))
            if timeline.loop:
                shown = Rendered(*_middle(shown, len(path)))
            return Placed(shown, RootWarp.none(len(path)), (), ())
        placed = place_track(self.field, track, timeline)
        report = self._warp_report(path, placed.warp)
        if not self.settings.forced and not (
            report.shift_share <= self.settings.most_shift and report.turn_rate <= self.settings.most_turn
        ):
            raise ComposeError(_refusal(timeline, placed, report))
        return placed

    def _track(self, timeline: Timeline, path: IntArray) -> Track:
        """Return the track of `path` [frame] with the poses of `timeline` pinned; of three repetitions for a loop."""
        database = self.field.database
        shown = np.concatenate([path, path, path]) if timeline.loop else path
        track = crossfaded(self.field, self.root_motion, shown, seam=self.settings.seam)
        reach_frames = round(PIN_TIME / database.frame_time)
        for goal in timeline.poses:
            pose = goal_pose(database, goal)
            frame = goal_frame(goal, database.frame_time, len(path))
            for start in range(0, len(shown), len(path)):
                track = pinned(track, pose, start + frame, reach_frames)
        return settled(self.field, track)

    def _warp_report(self, path: IntArray, warp: RootWarp) -> WarpReport:
        database = self.field.database
        travelled = float(np.linalg.norm(database.root_step[path][:, ::2], axis=-1).sum())
        shifted = float(np.linalg.norm(warp.shifts, axis=-1).sum())
        return WarpReport(shifted / max(travelled, 1e-9), float(np.abs(warp.turns).max()) / database.frame_time)

    def _finished(
        self, kept: list[Adherence], costs: StateCosts, path: IntArray, shown: Rendered, warp: RootWarp
    ) -> Composition:
        database = self.field.database
        labels, jumps = (units / COST_UNIT for units in path_costs(self.cuts, costs, path))
        asked = np.array([one.goal.end - one.goal.start for one in kept])
        met = float((asked * [one.share for one in kept]).sum() / asked.sum()) if len(kept) else 1.0
        report = self._warp_report(path, warp)
        missed = tuple(one for one in kept if one.share < 1.0)
        pieces = pieces_of(database, path)
        return Composition(shown.clip, pieces, ComposeCosts(labels, jumps), missed, report, path, shown.contacts, met)

    def _cheapest(self, timeline: Timeline, costs: StateCosts, tell: Callable[[float], None]) -> IntArray:
        """Return the cheapest path [frame]; calls `tell` with the share of a search for places that is done.

        If it shows states again soon after, the cuts that lead back to them are left out, and the rest is solved again,
        as long as there is a path without them.
        """
        cuts = self.cuts
        try:
            path = self._solved(timeline, cuts, costs, tell)
        except ValueError as error:
            raise ComposeError(f"timeline: {error}") from None
        for _ in range(MOST_ROUNDS):
            back = replaying_cuts(path, self.field.database.frame_time)
            if not len(back):
                break
            cuts = cuts.without(path[back - 1] + 1, path[back], reach=NEAR_CUTS)
            try:
                path = self._solved(timeline, cuts, costs, tell)
            except ValueError:
                break
        return path

    def _solved(self, timeline: Timeline, cuts: Cuts, costs: StateCosts, tell: Callable[[float], None]) -> IntArray:
        """Return the cheapest path [frame] with `cuts`."""
        if timeline.loop:
            return self._closed(cuts, costs)
        if timeline.is_placed:
            facts = (self.field.database, self.root_motion, cuts, costs, timeline)
            return reach(*facts, stay=self.stay, settings=self.settings.reach, on_progress=tell).path
        return solve(cuts, self.field.database.frames_left, costs, stay=self.stay).path

    def _closed(self, cuts: Cuts, costs: StateCosts) -> IntArray:
        """Return the cheapest path whose last frame leads to its first, among the most promising starts.

        Without closing, no path from a start costs less than its total, so starts are tried in this order until none
        can be cheaper than the best loop found, or `MOST_STARTS` were tried.
        """
        left = self.field.database.frames_left
        totals = solve(cuts, left, costs, stay=self.stay).totals
        best: tuple[int, IntArray] | None = None
        tried: list[int] = []
        for start in np.argsort(totals, kind="stable").tolist():
            if len(tried) >= MOST_STARTS or (best is not None and totals[start] >= best[0]):
                break
            if any(abs(start - other) < NEAR_STARTS for other in tried):
                continue
            tried.append(start)
            closed = with_extra(costs, {costs.frame_count - 1: closing_costs(cuts, left, start)})
            found = solve(cuts, left, closed, stay=self.stay, start=start)
            if best is None or found.cost < best[0]:
                best = found.cost, found.path
        assert best is not None
        return best[1]

    @property
    def _repeat_units(self) -> int:
        return round(self.settings.repeat_cost * COST_UNIT)

    def _mark(self, used: BoolArray, part_of: IntArray, path: IntArray) -> None:
        """Mark in `used` [part, state] the moments of `path` [frame] and their mirror images."""
        database = self.field.database
        first, last = database.clip_starts[database.clip_of], database.clip_starts[database.clip_of + 1] - 1
        for states in (path, mirror_images(database)[path]):
            for shift in range(-MOMENT, MOMENT + 1):
                used[part_of, np.clip(states + shift, first[states], last[states])] = True


def compose(
    field: MotionField,
    labels: Annotations | StateLabels,
    timeline: Timeline,
    *,
    alternatives: int = 1,
    seed: int = 0,
    settings: ComposeSettings | None = None,
) -> Composition:
    """Return the cheapest motion of the captured frames of `field` that shows the labels of `timeline`.

    The motion is exact: no other sequence of captured frames with the cuts found by `find_cuts` and pieces of at least
    the shortest length costs less. If that sequence shows a frame again within 0.7 s, the cuts that lead back to it are
    left out. `alternatives` is the number of motions: the others are in the field `alternatives`
    of the result, in order of cost, and each avoids the moments of the earlier ones. `seed` other than 0 varies the
    costs a little, for other motions of nearly the same cost; the same arguments give the same bits. Raises
    `ComposeError`, which names the constraint, if no motion meets a hard goal. To compose several timelines, keep a
    `Composer`.
    """
    return Composer(field, labels, settings=settings).compose(timeline, alternatives=alternatives, seed=seed)


def _refusal(timeline: Timeline, placed: Placed, report: WarpReport) -> str:
    """Return why a motion is refused: the goal that is missed most, by how much, and the warp that it needs."""
    worst = int(np.argmax([distance for distance, _ in placed.missed]))
    distance, turn = placed.missed[worst]
    goal = timeline.path.text if timeline.path is not None else later_goals(timeline)[worst].goal.text
    return (
        f"{goal} cannot be met: the nearest motion found misses it by {distance:.2f} m and {math.degrees(turn):.0f} "
        f"degrees; meeting it needs a shift of {report.shift_share:.0%} of the way and "
        f"{math.degrees(report.turn_rate):.0f} degrees/s of extra turn"
    )


def _middle(shown: Rendered, frame_count: int) -> tuple[Clip, BoolArray]:
    """Return the middle one of three repetitions of a loop, moved to where the first one starts.

    Joint rotations and the height of the root are spread over the clip so that the next frame is exactly the first.
    """
    clip, frames = shown.clip, slice(frame_count, 2 * frame_count)
    root, rotations = clip.root_position[frames].copy(), clip.rotations[frames].copy()
    root[:, ::2] += clip.root_position[0, ::2] - root[0, ::2]
    share = (np.arange(frame_count) / frame_count)[:, np.newaxis, np.newaxis]
    gap = quat_log(quat_multiply(rotations[0, 1:], quat_conjugate(clip.rotations[2 * frame_count, 1:])))
    rotations[:, 1:] = quat_multiply(quat_exp(share * gap), rotations[:, 1:])
    root[:, 1] += share[:, 0, 0] * (root[0, 1] - clip.root_position[2 * frame_count, 1])
    return replace(clip, root_position=root, rotations=quat_normalize(rotations)), shown.contacts[frames]


def _drawn_costs(seed: int, state_count: int) -> IntArray:
    """Return costs [state] in units of up to `VARIATION`, drawn by `seed`; none for seed 0."""
    if seed == 0:
        return np.zeros(state_count, np.int32)
    draws = uniform_draws(seed, np.arange(state_count), 0)
    return np.asarray(np.floor(COST_UNIT * VARIATION * draws), np.int32)
