"""Composition: from a field, labels and a timeline to motions, each traced to its takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from motionfields.authoring.compose.cuts import COST_UNIT, Cuts, CutSettings, find_cuts
from motionfields.authoring.compose.labels import MIRROR, StateLabels, label_states
from motionfields.authoring.compose.objective import Adherence, adherence, label_costs
from motionfields.authoring.compose.rendering import SEAM, Rendered, RootWarp, render
from motionfields.authoring.compose.solving import StateCosts, cut_frames, path_costs, solve
from motionfields.authoring.compose.timeline import Timeline
from motionfields.base.arrays import BoolArray, IntArray
from motionfields.base.errors import ComposeError
from motionfields.control.root_motion import RootMotion, measure_root_motion
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.field.passive import uniform_draws
from motionfields.motion.annotations import Annotations
from motionfields.motion.clip import Clip

MOMENT = 10  # frames: states this near in time, or mirror images of such, count as the same moment
VARIATION = 0.05  # largest cost for each frame that a seed adds to a state
MOST_ALTERNATIVES = 20


@dataclass(frozen=True)
class ComposeSettings:
    """Settings of composition.

    A frame that fails a label costs `label_weight`, in the unit of the cost of cuts (see `CutSettings`): a higher one
    shows labels longer, a lower one needs fewer cuts. A piece lasts at least `shortest_piece` seconds. Pieces fade into
    each other over `seam` seconds on both sides of a cut. Each frame of an alternative that shows a moment of an
    earlier one costs `repeat_cost`.
    """

    label_weight: float = 2.5
    shortest_piece: float = 0.26
    seam: float = SEAM
    repeat_cost: float = 0.1
    cuts: CutSettings = field(default_factory=CutSettings)

    def __post_init__(self) -> None:
        for name, most in (("label_weight", 20.0), ("shortest_piece", 8.0), ("seam", 2.0), ("repeat_cost", 10.0)):
            if not 0.0 < getattr(self, name) <= most:
                raise ValueError(f"{name}: expected more than 0 and at most {most:g}, got {getattr(self, name)}")


class Piece(NamedTuple):
    """An uninterrupted part of a take in a composed motion."""

    start: float  # seconds in the composed motion
    end: float
    take: str  # name of the clip in the database
    take_start: float  # seconds in the take
    mirrored: bool


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
        costs = self.state_costs(timeline)
        penalties = _drawn_costs(seed, self.field.database.state_count)
        found: list[Composition] = []
        used = np.zeros(costs.parts.shape, np.bool_)
        for _ in range(alternatives):
            path = self._cheapest(costs, penalties[np.newaxis] + self._repeat_units * used)
            found.append(self.composition(timeline, costs, path))
            self._mark(used, costs.part_of, path)
        best, *others = sorted(found, key=lambda one: one.costs.total)
        return _with_alternatives(best, others)

    def state_costs(self, timeline: Timeline) -> StateCosts:
        """Return the costs of showing each state at each frame of `timeline`."""
        frame_time = self.field.database.frame_time
        return label_costs(timeline, self.labels, frame_time=frame_time, weight=self.settings.label_weight)

    def composition(self, timeline: Timeline, costs: StateCosts, path: IntArray) -> Composition:
        """Return the composition that shows the states `path` [frame]; `ComposeError` if it fails a hard label."""
        database = self.field.database
        kept = adherence(timeline, self.labels, path, frame_time=database.frame_time)
        for one in kept:
            if one.goal.hard and one.share < 1.0:
                lacking = (1.0 - one.share) * (one.goal.end - one.goal.start)
                raise ComposeError(f"{one.goal.text} cannot be met: {lacking:.2f} s fail; {one.reason}")
        shown = render(self.field, self.root_motion, path, seam=self.settings.seam)
        return self._finished(kept, costs, path, shown, RootWarp.none(len(path)))

    def _finished(
        self, kept: list[Adherence], costs: StateCosts, path: IntArray, shown: Rendered, warp: RootWarp
    ) -> Composition:
        database = self.field.database
        labels, jumps = (units / COST_UNIT for units in path_costs(self.cuts, costs, path))
        asked = np.array([one.goal.end - one.goal.start for one in kept])
        met = float((asked * [one.share for one in kept]).sum() / asked.sum()) if len(kept) else 1.0
        travelled = float(np.linalg.norm(database.root_step[path][:, ::2], axis=-1).sum())
        shifted = float(np.linalg.norm(warp.shifts, axis=-1).sum())
        report = WarpReport(shifted / max(travelled, 1e-9), float(np.abs(warp.turns).max()) / database.frame_time)
        missed = tuple(one for one in kept if one.share < 1.0)
        pieces = pieces_of(database, path)
        return Composition(shown.clip, pieces, ComposeCosts(labels, jumps), missed, report, path, shown.contacts, met)

    def _cheapest(self, costs: StateCosts, penalties: IntArray) -> IntArray:
        """Return the cheapest path [frame] with `penalties` [part, state] added to the costs."""
        raised = costs._replace(parts=(costs.parts + penalties).astype(np.int32))
        try:
            return solve(self.cuts, self.field.database.frames_left, raised, stay=self.stay).path
        except ValueError as error:
            raise ComposeError(f"timeline: {error}") from None

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
    the shortest length costs less. `alternatives` is the number of motions: the others are in the field `alternatives`
    of the result, in order of cost, and each avoids the moments of the earlier ones. `seed` other than 0 varies the
    costs a little, for other motions of nearly the same cost; the same arguments give the same bits. Raises
    `ComposeError`, which names the constraint, if no motion meets a hard goal. To compose several timelines, keep a
    `Composer`.
    """
    return Composer(field, labels, settings=settings).compose(timeline, alternatives=alternatives, seed=seed)


def pieces_of(database: MotionDatabase, path: IntArray) -> tuple[Piece, ...]:
    """Return the pieces of `path` [frame], in order."""
    edges = [0, *cut_frames(path).tolist(), len(path)]
    pieces = []
    for start, end in pairwise(edges):
        clip = int(database.clip_of[path[start]])
        name = database.clip_names[clip]
        offset = float(path[start] - database.clip_starts[clip]) * database.frame_time
        mirrored = database.report.mirrored and name.endswith(MIRROR)
        pieces.append(Piece(start * database.frame_time, end * database.frame_time, name, offset, mirrored))
    return tuple(pieces)


def mirror_images(database: MotionDatabase) -> IntArray:
    """Return the state [state] of the mirror image of each state; the state itself where there is none."""
    number = {name: clip for clip, name in enumerate(database.clip_names)}
    images = np.arange(database.state_count)
    for name, clip in number.items():
        other = number.get(f"{name}{MIRROR}")
        if other is not None:
            own, image = (np.arange(database.clip_starts[one], database.clip_starts[one + 1]) for one in (clip, other))
            count = min(len(own), len(image))
            images[own[:count]], images[image[:count]] = image[:count], own[:count]
    return images


def unmirrored(database: MotionDatabase, states: IntArray) -> IntArray:
    """Return `states` [n] with those of mirror images replaced by the states that they are images of."""
    return np.asarray(np.minimum(states, mirror_images(database)[states]))


def _drawn_costs(seed: int, state_count: int) -> IntArray:
    """Return costs [state] in units of up to `VARIATION`, drawn by `seed`; none for seed 0."""
    if seed == 0:
        return np.zeros(state_count, np.int32)
    draws = uniform_draws(seed, np.arange(state_count), 0)
    return np.asarray(np.floor(COST_UNIT * VARIATION * draws), np.int32)


def _with_alternatives(best: Composition, others: list[Composition]) -> Composition:
    fields = {name: getattr(best, name) for name in best.__dataclass_fields__}
    return Composition(**{**fields, "alternatives": tuple(others)})
