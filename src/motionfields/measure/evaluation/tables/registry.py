"""Registry of the comparison: tasks, methods, table rows, and the paper's own figures (Lee et al. 2010)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from motionfields.control.compression import compress, sampled_anchors
from motionfields.control.controller import FieldController
from motionfields.control.methods import GraphController, MatchingController, train_graph, train_matching
from motionfields.control.methods.paper import train_as_published, train_paper
from motionfields.control.root_motion import Warp
from motionfields.control.tasks import Direction, Line, Task
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.measure.evaluation.trials import Trials, direction_trials, line_trials
from motionfields.runtime import Controller

AGILITY = 0.5
GRAPH_AGILITY = 0.2  # for directions: at 0.5 the graph misses the gate of jerk in turns on captured motion
LINE_AGILITY = 0.1  # for methods that plan: lines require more course changes than directions do
LINE_TOLERANCE = 0.01  # radians; the values of the line task are in the tens


class Case(NamedTuple):
    """A task and the trials that time it."""

    task: Callable[[], Task]
    trials: Callable[..., Trials]
    paper: Mapping[str, tuple[float, float, float]]  # min, mean and max response in seconds, by row of the paper


class Method(NamedTuple):
    """A control method, and the agility it is trained with for each task."""

    train: Callable[[MotionField, Task, float], Controller]  # arguments: field, task, agility
    agility: Mapping[str, float]  # by task name
    effort: float = 1.0  # time that a row takes, relative to the other methods


class Row(NamedTuple):
    """A row of the tables: a method as trained, or a controller derived from it."""

    name: str
    method: str
    derive: Callable[[Any], Controller] | None = None
    paper: str | None = None  # the corresponding row of the paper's tables


class Registry(NamedTuple):
    """Everything that is compared. The last row of `main` is the reference; the rows before it are its rivals."""

    cases: Mapping[str, Case]
    methods: Mapping[str, Method]
    rows: tuple[Row, ...]
    main: tuple[str, ...]  # methods as trained: drawn, swept over agility, held to the gates

    @property
    def reference(self) -> str:
        """Name of the row that the others are compared with."""
        return self.main[-1]


def without_paper(registry: Registry) -> Registry:
    """Return `registry` without the rows of the paper's own controller, which take most of the time."""
    return registry._replace(rows=tuple(row for row in registry.rows if row.method not in PAPER_METHODS))


def quick_registry(registry: Registry) -> Registry:
    """Return the main rows of `registry` for its first task alone."""
    first = next(iter(registry.cases))
    rows = tuple(row for row in registry.rows if row.name in registry.main)
    return registry._replace(cases={first: registry.cases[first]}, rows=rows)


def _tolerance(task: Task) -> float:
    return LINE_TOLERANCE if isinstance(task, Line) else 1e-3


def _train_graph(field: MotionField, task: Task, agility: float) -> Controller:
    return train_graph(field, task, agility=agility, tolerance=_tolerance(task))


def _train_matching(field: MotionField, task: Task, agility: float) -> Controller:
    return train_matching(field, task, agility=agility)


def _train_field(field: MotionField, task: Task, agility: float, *, warp: Warp | None = None) -> FieldController:
    return train(field, task, agility=agility, warp=warp, tolerance=_tolerance(task))


def _train_warped(field: MotionField, task: Task, agility: float) -> FieldController:
    return _train_field(field, task, agility, warp=Warp())


def _train_paper(field: MotionField, task: Task, agility: float) -> Controller:
    """Train the paper's controller with our reward; it has no cost of transitions, so `agility` has no effect."""
    return train_paper(field, task, tolerance=_tolerance(task))


def _train_published(stride: int) -> Callable[[MotionField, Task, float], Controller]:
    """Return a function that trains the controller as published, at every `stride`-th state (eq. 14)."""

    def train_published(field: MotionField, task: Task, agility: float) -> Controller:
        return train_as_published(field, task, anchor_stride=stride, tolerance=_tolerance(task))

    return train_published


def _ahead(graph: GraphController) -> GraphController:
    """Return the graph choosing half a clip ahead, as cross-fading between clips requires."""
    return replace(graph, settings=replace(graph.settings, ahead=0.5))


def _turning_further(matching: MatchingController) -> MatchingController:
    return replace(matching, settings=matching.settings.warped())


def _sampled(stride: int) -> Callable[[FieldController], FieldController]:
    """Return a function that keeps every `stride`-th value of a full function; the paper trains at these alone."""

    def derive(full: FieldController) -> FieldController:
        return replace(full, values=sampled_anchors(full.values, full.field.database.clip_starts, stride))

    return derive


def _packed(factor: int) -> Callable[[FieldController], FieldController]:
    """Return a function that compresses the value function by `factor` with this package's own method."""

    def derive(full: FieldController) -> FieldController:
        return compress(full, factor=factor)

    return derive


DIRECTION_PAPER = {
    "graph": (0.31, 0.94, 2.36),
    "field": (0.21, 0.40, 1.01),
    "field x10": (0.21, 0.49, 1.23),
    "field x20": (0.25, 0.66, 1.19),
    "field x30": (0.38, 0.78, 1.93),
}
"""Table 1 of the paper: min, mean and max response in seconds."""
LINE_PAPER = {
    "graph": (0.47, 1.30, 2.19),
    "field": (0.30, 0.57, 1.26),
    "field x10": (0.30, 0.68, 1.42),
    "field x20": (0.42, 0.91, 2.51),
    "field x30": (0.55, 1.45, 3.56),
}
"""Table 2 of the paper: min, mean and max response in seconds."""

PUBLISHED = "Lee et al. 2010, as published"
OUR_REWARD = "Lee et al. 2010, our reward"
ANCHORS = {n: f"{PUBLISHED}, anchors x{n}" for n in (10, 20, 30)}
PAPER_METHODS = (OUR_REWARD, PUBLISHED, *ANCHORS.values())
PAPER_EFFORT = 6.0  # measured: blending fifteen states makes both training and trials slow
EVERYWHERE = {"direction": AGILITY, "line": AGILITY}
PLANNED = {"direction": AGILITY, "line": LINE_AGILITY}
REGISTRY = Registry(
    cases={
        "direction": Case(Direction, direction_trials, DIRECTION_PAPER),
        "line": Case(Line, line_trials, LINE_PAPER),
    },
    methods={
        "graph": Method(_train_graph, {"direction": GRAPH_AGILITY, "line": LINE_AGILITY}),
        "matching": Method(_train_matching, EVERYWHERE),
        "field": Method(_train_field, PLANNED),
        "field, warp": Method(_train_warped, PLANNED),
        OUR_REWARD: Method(_train_paper, EVERYWHERE, PAPER_EFFORT),
        PUBLISHED: Method(_train_published(1), EVERYWHERE, PAPER_EFFORT),
        **{name: Method(_train_published(n), EVERYWHERE, PAPER_EFFORT) for n, name in ANCHORS.items()},
    },
    rows=(
        Row("graph", "graph", paper="graph"),
        Row("graph, ahead", "graph", _ahead, "graph"),
        Row("matching", "matching"),
        Row("matching, warp", "matching", _turning_further),
        Row("field", "field", paper="field"),
        Row("field, warp", "field, warp"),
        *(Row(f"field, sampled every {n} states", "field", _sampled(n), f"field x{n}") for n in (10, 20, 30)),
        *(Row(f"field x{n}, packed", "field", _packed(n), f"field x{n}") for n in (10, 20, 30)),
        Row(OUR_REWARD, OUR_REWARD, paper="field"),
        Row(PUBLISHED, PUBLISHED, paper="field"),
        *(Row(name, name, paper=f"field x{n}") for n, name in ANCHORS.items()),
    ),
    main=("graph", "matching", "field"),
)
"""Registry that `motionfields bench tables` uses."""
