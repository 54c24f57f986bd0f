"""Planning: from a step graph, a room and a goal to a motion, its cost and a proven bound of that cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, Protocol, TypeVar

import numpy as np

from motionfields.authoring.easing import smooth_share
from motionfields.authoring.plan.graph import StepGraph
from motionfields.authoring.plan.lattice import ANGLE, COST_UNIT
from motionfields.authoring.plan.playback import Played, play
from motionfields.authoring.plan.problem import ROUNDS, Request, lay_out
from motionfields.authoring.plan.solving import Effort, Found, Progress, SearchView, anytime, from_both_ends, in_time
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.checks import checked_count, checked_number
from motionfields.base.errors import PlanError
from motionfields.base.geometry import wrap_angle
from motionfields.base.world import ClearanceGrid, Room
from motionfields.control.root_motion import facing_of, hip_line
from motionfields.motion.clip import Clip

Place = tuple[float, float]
Search = Literal["auto", "anytime", "both"]
SEARCHES: Final = ("auto", "anytime", "both")
MOST_THROUGH: Final = 32
CLEARANCE_SLACK: Final = 0.02  # metres by which the displayed body may come nearer to obstacles than its radius
LANDING: Final = 3.0  # metres before the end over which the way is bent to the goal itself


class Trace(NamedTuple):
    """Path of a plan on the lattice."""

    request: Request
    grid: ClearanceGrid
    path: IntArray  # [node, 5], states as in `search.States`; the first and last nodes are START and END
    edges: IntArray  # [node - 1]


@dataclass(frozen=True, eq=False)
class Plan:
    """A planned motion with its cost and a proven lower bound of the cost of any motion for the same goal.

    Costs are in seconds: the time that the steps take, and penalties for jumps and for changes of steps.
    """

    clip: Clip
    cost: float
    bound: float
    history: tuple[Progress, ...]
    steps: IntArray  # [m], steps of the graph in order
    rows: IntArray  # [frame], database states
    room: Room
    clearance: float  # metres, least distance of the displayed root to an obstacle
    end_offset: float  # metres from the goal at the last frame
    end_turn: float  # radians from the wanted facing at the last frame; 0 if none was asked
    trace: Trace

    @property
    def ratio(self) -> float:
        """Cost over proven bound: no motion for this goal is cheaper by more than this factor."""
        return self.cost / max(self.bound, 1e-9)


def plan(
    graph: StepGraph,
    to: Place,
    *,
    facing: float | None = None,
    start: Place = (0.0, 0.0),
    start_facing: float = 0.0,
    room: Room | None = None,
    through: Sequence[Place] = (),
    first_step: int | None = None,
    last_step: int | None = None,
    by: float | None = None,
    within: float = 1.0,
    most_expansions: int | None = None,
    search: Search = "auto",
    progress: Callable[[Progress], None] | None = None,
    watch: Callable[[SearchView], None] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Plan:
    """Return a cheap motion from `start` to the place `to` (x and z in metres), with a proven bound of its cost.

    `facing` and `start_facing` are in radians. The motion stays in `room`, passes the places `through` in order, each
    within 0.25 m, begins and ends with the given steps of `graph`, if any, and takes at most `by` seconds: if the
    cheapest motion takes longer, the search looks for a shorter one. The search runs for `within` seconds or until the
    motion is proven to be the cheapest; in any case it runs until it has found a motion or proven that there is none.
    `clock` returns the time in seconds. With `most_expansions` it stops by work instead of time, so that every run
    gives the same result. `progress` is called when cost or bound have improved. `watch` is shown an anytime search
    several times a second, and may raise an error to end it.

    `search` is "anytime" (from the start, with a falling weight), "both" (from both ends, exact) or "auto", which
    searches from both ends if first and last step and facing are given. `PlanError` says why there is no motion.
    """
    checked_number("within", within, 0.0, 1e6)
    if by is not None:
        checked_number("by", by, 0.0, 1e6)
    if search not in SEARCHES:
        raise ValueError(f"search: expected one of {', '.join(SEARCHES)}, got {search!r}")
    for name, step in (("first_step", first_step), ("last_step", last_step)):
        if step is not None:
            checked_count(name, step, 0, graph.step_count - 1)
    places = checked_places([start, *through, to])
    checked_number("start_facing", start_facing, -1e3, 1e3)
    if facing is not None:
        checked_number("facing", facing, -1e3, 1e3)
    use = Room.around(places) if room is None else room
    fixed = first_step is not None and last_step is not None and facing is not None
    both = (search == "both" or (search == "auto" and fixed)) and not len(through) and by is None
    request = Request(use, places, start_facing, facing, (first_step, last_step))
    effort = Effort(clock, None if most_expansions is not None else within, most_expansions, progress)

    def solve(margin: float, attempt: int) -> tuple[ClearanceGrid, Found]:
        grid, problem = lay_out(graph, request, margin=margin, attempt=attempt)
        shown = effort.showing(watch, grid)
        if by is not None:
            return grid, in_time(problem, graph.edge_seconds, by, shown)
        found = from_both_ends(problem, graph.back_tables, shown) if both else anytime(problem, shown)
        return grid, found

    return kept_clear(graph, request, solve)


def checked_places(places: Sequence[Place]) -> FloatArray:
    """Return start, places on the way and goal as an array [n, 2] in metres; ValueError if they are no places."""
    if len(places) > MOST_THROUGH + 2:
        raise ValueError(f"through: expected at most {MOST_THROUGH} places, got {len(places) - 2}")
    found = np.array(places, dtype=np.float64)
    if found.ndim != 2 or found.shape[1] != 2 or not np.isfinite(found).all():
        raise ValueError("start, through, to: expected finite x and z in metres")
    return found


def kept_clear(graph: StepGraph, request: Request, solve: Callable[[float, int], tuple[ClearanceGrid, Found]]) -> Plan:
    """Return the plan for the paths that `solve` finds, see `until_clear`."""
    return until_clear(request.room, lambda margin, attempt: _displayed(graph, request, *solve(margin, attempt)))


class _Displayed(Protocol):
    """A displayed motion in a room."""

    @property
    def clearance(self) -> float:
        """Least distance in metres of the displayed root to an obstacle."""


Displayed = TypeVar("Displayed", bound=_Displayed)


def until_clear(room: Room, solve: Callable[[float, int], Displayed]) -> Displayed:
    """Return what `solve` finds with more and more distance from obstacles until the displayed body is clear.

    `solve` receives the additional distance in metres and the number of the attempt. If a later attempt raises
    `PlanError`, or none is clear, the last motion is returned.
    """
    best: Displayed | None = None
    margin = 0.0
    for attempt in range(ROUNDS):
        try:
            best = solve(margin, attempt)
        except PlanError:
            if best is None:
                raise
            break
        if best.clearance >= room.radius - CLEARANCE_SLACK:
            break
        margin += max(0.01, room.radius - best.clearance)
    assert best is not None
    return best


def _displayed(graph: StepGraph, request: Request, grid: ClearanceGrid, found: Found) -> Plan:
    """Return the plan for a path on the lattice."""
    facing, goal = request.facing, request.places[-1]
    played = _shown(graph, grid, found, goal, facing)
    seen = facing_of(played.clip.rotations[-1, 0], hip_line(played.clip.skeleton))
    return Plan(
        played.clip,
        found.cost / COST_UNIT,
        found.bound / COST_UNIT,
        found.history,
        found.path[1:-1, 1].astype(np.int64),
        played.rows,
        request.room,
        float(request.room.clearance(played.clip.root_position[:, ::2]).min()),
        float(np.hypot(*(played.clip.root_position[-1, ::2] - goal))),
        0.0 if facing is None else abs(float(wrap_angle(seen - facing))),
        Trace(request, grid, found.path, found.edges),
    )


def _shown(graph: StepGraph, grid: ClearanceGrid, found: Found, goal: FloatArray, facing: float | None) -> Played:
    """Return the motion of a path, with its end moved from the lattice to the goal itself."""
    cells = found.path[:-1, 2:4].astype(np.float64)
    yaw = grid.yaw + ANGLE * found.path[:-1, 4]
    poses = np.concatenate([grid.to_world(cells), yaw[:, np.newaxis]], axis=1)
    rest = np.zeros(3)
    rest[:2] = goal - poses[-1, :2]
    if facing is not None:
        last = graph.steps.end[found.path[-2, 1]]
        rest[2] = wrap_angle(facing - graph.root_motion.facing[last] - poses[-1, 2])
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(poses[:, :2], axis=0), axis=1))])
    share = smooth_share(1.0 - (way[-1] - way) / min(LANDING, max(way[-1], 1e-9)))
    share[-1] = 1.0
    return play(graph, found.edges[:-1], poses + share[:, np.newaxis] * rest)
