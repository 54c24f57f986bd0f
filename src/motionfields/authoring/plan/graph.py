"""The step graph of a field: steps, the links between them and the tables that searches need, as one artifact."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from os import PathLike
from typing import Any, Final

import numpy as np

from motionfields.authoring.easing import smooth_share
from motionfields.authoring.plan.bounds import LEVELS, Tables, make_tables
from motionfields.authoring.plan.lattice import ANGLE, CELL, COST_UNIT, HEADINGS, Moves, lattice_turn
from motionfields.authoring.plan.steps import (
    Links,
    StepSettings,
    composed,
    effort_seconds,
    facing_at,
    find_links,
    find_steps,
    largest_core,
    relative,
    settled_places,
    standing_ends,
)
from motionfields.base.arrays import BoolArray, FloatArray, IntArray, frozen
from motionfields.base.artifacts import Artifact, JsonValue, read_artifact, write_artifact
from motionfields.base.checks import check_array, check_indices, checked_number
from motionfields.base.errors import INVALID, ArtifactError, MotionError, invalid_reason
from motionfields.control.methods.graph.cutting import StepClips
from motionfields.control.root_motion import RootMotion, measure_root_motion
from motionfields.field import MotionField
from motionfields.field.field import field_arrays, field_facts, field_from

VERSION: Final = 1
EXTENT_SLACK: Final = 3.0 * CELL  # metres for the remainder, and for the cells of a straight line beside it
SAMPLES: Final = 8  # places of the root on the way of a step at which its clearance is checked


@dataclass(frozen=True, eq=False)
class StepGraph:
    """Steps that can all reach each other, the links between them, and tables of lower bounds.

    Its nodes are the steps [step], then START and END: START leads to every step that begins standing, and every step
    that ends standing leads to END. At START and END the heading is that of the facing, at steps that of the root.
    """

    field: MotionField
    settings: StepSettings
    steps: StepClips  # [step]
    begins: BoolArray  # [step], which steps a motion may begin with
    ends: BoolArray  # [step], which steps a motion may end with
    links: Links  # [link], by source
    places: FloatArray  # [state, 3], ground pose of each state in its take, feet held
    tables: Tables  # towards END
    back_tables: Tables  # towards START

    def __post_init__(self) -> None:
        _check_graph(self)

    @classmethod
    def build(cls, field: MotionField, *, settings: StepSettings | None = None) -> StepGraph:
        """Return the step graph of `field`: its largest part in which every step can reach every other.

        Motions begin and end standing on both feet where the data does that, otherwise with any step.
        """
        use = settings or StepSettings()
        root_motion = measure_root_motion(field.database)
        places = settled_places(field, root_motion)
        # Standing still is left out if motions can begin and end standing without it.
        for idle in (True,) if use.standing else (False, True):
            steps, links = _connected(field, root_motion, use, find_steps(field.database, use, places, idle=idle))
            begins, ends = standing_ends(field.database, steps, places)
            if begins.any() and ends.any():
                break
        begins, ends = (mask if mask.any() else np.ones_like(mask) for mask in (begins, ends))
        moves = make_moves(field, root_motion, use, steps, links, begins, ends, places)
        start, goal = (_all_headings(len(steps.start) + 2, len(steps.start) + one) for one in (0, 1))
        tables, back = (
            frozen(make_tables(moves, ends_at, back=is_back)) for ends_at, is_back in ((goal, False), (start, True))
        )
        return cls(field, use, steps, begins, ends, links, places, tables, back)

    @property
    def step_count(self) -> int:
        """Number of steps."""
        return len(self.steps.start)

    @property
    def start_node(self) -> int:
        """The node at which motions start."""
        return self.step_count

    @property
    def end_node(self) -> int:
        """The node at which motions end."""
        return self.step_count + 1

    @cached_property
    def root_motion(self) -> RootMotion:
        """Root motion of every state."""
        return measure_root_motion(self.field.database)

    @cached_property
    def moves(self) -> Moves:
        """The edges in the form that searches use."""
        parts = (self.settings, self.steps, self.links, self.begins, self.ends, self.places)
        return make_moves(self.field, self.root_motion, *parts)

    @property
    def edge_seconds(self) -> FloatArray:
        """Time [edge] in seconds that each of the `moves` takes."""
        lengths = np.concatenate([self.steps.length, np.zeros(2, np.int64)])
        return np.asarray(lengths[self.moves.target] * self.field.database.frame_time)

    def step_near(self, take: str, seconds: float, *, end: bool) -> int:
        """Return the step that begins, or with `end` ends, nearest to a moment of a take; ValueError if none does."""
        database = self.field.database
        if take not in database.clip_names:
            raise ValueError(f"take: no take is called {take!r:.80}")
        clip = database.clip_names.index(take)
        state = database.clip_starts[clip] + checked_number("seconds", seconds, 0.0) / database.frame_time
        rows = self.steps.end if end else self.steps.start
        allowed = np.flatnonzero((database.clip_of[rows] == clip) & (self.ends if end else self.begins))
        if not len(allowed):
            raise ValueError(f"take: no step of {take!r:.80} can be the {'last' if end else 'first'} of a motion")
        return int(allowed[np.argmin(np.abs(rows[allowed] - state))])

    def save(self, path: str | PathLike[str]) -> None:
        """Write the graph with its field to the file `path` in one step (see `motionfields.base.artifacts`)."""
        arrays = {**field_arrays(self.field), "places": self.places, "begins": self.begins, "ends": self.ends}
        for prefix, part in self._parts().items():
            arrays |= {f"{prefix}.{name}": value for name, value in part.items() if isinstance(value, np.ndarray)}
        rates: dict[str, JsonValue] = {
            name: [table.rate, table.straight_rate]
            for name, table in (("tables", self.tables), ("back_tables", self.back_tables))
        }
        facts = {**field_facts(self.field), "steps": asdict(self.settings), "rates": rates}
        write_artifact(path, kind="steps", version=VERSION, arrays=arrays, facts=facts)

    def _parts(self) -> Mapping[str, Mapping[str, Any]]:
        return {
            "clips": self.steps._asdict(),
            "links": self.links._asdict(),
            "tables": self.tables._asdict(),
            "back_tables": self.back_tables._asdict(),
        }

    @classmethod
    def load(cls, path: str | PathLike[str]) -> StepGraph:
        """Return the graph in the file `path`; raises `ArtifactError` if it is damaged or of another kind."""
        artifact = read_artifact(path, kind="steps", newest_version=VERSION)
        field = field_from(artifact)
        facts: dict[str, Any] = dict(artifact.facts)
        try:
            settings = StepSettings(**facts["steps"])
            clips = StepClips(*(artifact.array(f"clips.{name}", dtype=np.int64) for name in StepClips._fields))
            links = Links(*(artifact.array(f"links.{name}") for name in Links._fields))
            begins, ends, places = (artifact.array(name) for name in ("begins", "ends", "places"))
            tables = [_tables_from(artifact, name, facts["rates"][name]) for name in ("tables", "back_tables")]
            return cls(field, settings, clips, begins, ends, links, places, *tables)
        except INVALID as error:
            raise ArtifactError(f"holds an invalid step graph: {invalid_reason(error)}", path=str(path)) from None


def _connected(
    field: MotionField, root_motion: RootMotion, settings: StepSettings, steps: StepClips
) -> tuple[StepClips, Links]:
    """Return the largest part of `steps` in which every step can reach every other, and its links."""
    links = find_links(field, root_motion, steps, settings)
    core = largest_core(len(steps.start), links.source, links.target)
    if core.sum() < 2:
        raise MotionError(f"no two steps lead to each other with jumps of at most {settings.most_jump:g} m/s2")
    return StepClips(*(column[core] for column in steps)), _among(links, core)


def make_moves(
    field: MotionField,
    root_motion: RootMotion,
    settings: StepSettings,
    steps: StepClips,
    links: Links,
    begins: BoolArray,
    ends: BoolArray,
    places: FloatArray,
) -> Moves:
    """Return the edges between steps, from START (the node after them) and to END (the last node)."""
    count = len(steps.start)
    first, last = np.flatnonzero(begins), np.flatnonzero(ends)
    turned = np.zeros((len(first) + len(last), 3))
    # At START and END the heading is the facing: the root of the first step is turned against it.
    turned[: len(first), 2] = -facing_at(root_motion, steps.start[first])
    turned[len(first) :, 2] = facing_at(root_motion, steps.end[last])
    source = np.concatenate([links.source, np.full(len(first), count), last])
    target = np.concatenate([links.target, first, np.full(len(last), count + 1)])
    pivot = np.concatenate([links.pivot, turned])
    jump = np.concatenate([links.jump, np.zeros(len(turned))]).astype(np.float64)
    order = np.argsort(source, kind="stable")
    source, target, pivot, jump = source[order], target[order], pivot[order], jump[order]
    own = np.concatenate([relative(places[steps.start], places[steps.end]), np.zeros((2, 3))])
    spent = steps.length * field.database.frame_time + effort_seconds(field.database, settings, steps)
    seconds = np.concatenate([spent, np.zeros(2)])
    motion = composed(pivot, own[target])
    turn = lattice_turn(motion[:, 2])
    rest = motion[:, 2] / ANGLE - turn
    cost = seconds[target] + settings.jump_cost * jump + settings.warp_cost * rest**2
    back = np.argsort(target, kind="stable")
    shares = (np.arange(SAMPLES) + 1.0) / SAMPLES
    samples = _samples(steps, places, target, pivot, shares)
    moves = Moves(
        _firsts(source, count + 2),
        source.astype(np.int32),
        target.astype(np.int32),
        _firsts(target, count + 2),
        back.astype(np.int32),
        np.ascontiguousarray(motion[:, :2]),
        turn,
        np.round(COST_UNIT * cost).astype(np.int64),
        samples,
        smooth_share(shares),
        settings.warp_cost,
        np.linalg.norm(samples, axis=-1).max(axis=-1) + EXTENT_SLACK,
        pivot,
        jump,
    )
    return frozen(moves)


def _all_headings(node_count: int, node: int) -> BoolArray:
    """Return the mask [node, heading] of one `node` at any heading."""
    return np.repeat((np.arange(node_count) == node)[:, np.newaxis], HEADINGS, axis=1)


def _samples(
    steps: StepClips, places: FloatArray, target: IntArray, pivot: FloatArray, shares: FloatArray
) -> FloatArray:
    """Return the places [edge, sample, 2] of the root at `shares` [sample] of each target, from the source's end."""
    real = target < len(steps.start)
    step = np.where(real, target, 0)
    rows = np.round(steps.start[step][:, np.newaxis] + steps.length[step][:, np.newaxis] * shares).astype(np.int64)
    seen = relative(places[steps.start[step]][:, np.newaxis], places[rows])
    seen[~real] = 0.0
    return np.ascontiguousarray(composed(np.broadcast_to(pivot[:, np.newaxis], seen.shape), seen)[..., :2])


def _firsts(nodes: IntArray, count: int) -> IntArray:
    return np.concatenate([[0], np.cumsum(np.bincount(nodes, minlength=count))]).astype(np.int64)


def _among(links: Links, core: BoolArray) -> Links:
    """Return the links between steps in `core` [step], with the steps numbered anew."""
    number = np.cumsum(core) - 1
    kept = core[links.source] & core[links.target]
    return Links(number[links.source[kept]], number[links.target[kept]], links.jump[kept], links.pivot[kept])


def _tables_from(artifact: Artifact, name: str, rates: Any) -> Tables:
    rate, straight_rate = rates
    potential = artifact.array(f"{name}.potential", dtype=np.int32, shape=(None, HEADINGS))
    far = artifact.array(f"{name}.far", dtype=np.int32, shape=(LEVELS, len(potential), HEADINGS))
    straight = artifact.array(f"{name}.straight", dtype=np.int32, shape=(None, len(potential), HEADINGS))
    return Tables(float(rate), potential, far, float(straight_rate), straight)


def _check_graph(graph: StepGraph) -> None:
    """Raise ValueError unless the arrays of `graph` fit each other, so that compiled loops need no checks."""
    states, count = graph.field.database.state_count, len(graph.steps.start)
    for name, column in graph.steps._asdict().items():
        check_array(name, column, np.int64, (count,))
        check_indices(name, column, 3 if "foot" in name else states)
    clip_of = graph.field.database.clip_of
    if (
        count < 2
        or not (graph.steps.length > 0).all()
        or (clip_of[graph.steps.start] != clip_of[graph.steps.end]).any()
    ):
        raise ValueError("clips: expected at least two steps, each within a take")
    for name, mask in (("begins", graph.begins), ("ends", graph.ends)):
        check_array(name, mask, np.bool_, (count,))
        if not mask.any():
            raise ValueError(f"{name}: expected at least one step")
    effort_seconds(graph.field.database, graph.settings, graph.steps)
    links = graph.links
    check_array("source", links.source, np.int64, (None,))
    check_array("target", links.target, np.int64, links.source.shape)
    check_indices("source", links.source, count)
    check_indices("target", links.target, count)
    if (np.diff(links.source) < 0).any():
        raise ValueError("source: expected links in order of their sources")
    check_array("jump", links.jump, np.float32, links.source.shape, most=1e6)
    if (links.jump < 0.0).any():
        raise ValueError("jump: expected numbers of at least 0")
    check_array("pivot", links.pivot, np.float64, (len(links.source), 3), most=100.0)
    check_array("places", graph.places, np.float64, (states, 3), most=1e6)
    for table in (graph.tables, graph.back_tables):
        check_array("potential", table.potential, np.int32, (count + 2, HEADINGS))
        check_array("far", table.far, np.int32, (LEVELS, count + 2, HEADINGS))
        check_array("straight", table.straight, np.int32, (HEADINGS // 4, count + 2, HEADINGS))
        checked_number("rate", table.rate, 0.0, 100.0)
        checked_number("straight_rate", table.straight_rate, 0.0, 100.0)
        if not math.isfinite(table.rate + table.straight_rate):
            raise ValueError("rates: expected finite numbers")
