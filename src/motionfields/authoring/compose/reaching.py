"""Motions that reach places: goals and paths for the beam search, and the choice of the best motion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionfields.authoring.compose.beam import Aim, Particles, World, expand, join, select
from motionfields.authoring.compose.cuts import COST_UNIT, Cuts
from motionfields.authoring.compose.goals import JointGoal, PlaceGoal, goal_frame
from motionfields.authoring.compose.solving import IMPOSSIBLE, StateCosts, values
from motionfields.authoring.compose.timeline import Timeline
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import turn_over_ground
from motionfields.control.root_motion import RootMotion
from motionfields.field.database import MotionDatabase

START_SLACK = 8.0  # cost above that of the best start up to which a start is tried
MOST_STARTS = 4000
JOINT_SLACK = 0.4  # metres between a joint and the root, about the reach of a bent arm


@dataclass(frozen=True)
class ReachSettings:
    """Settings of the search for places.

    Missing a goal costs `place_cost` for each m2 and `heading_cost` for each rad2; being off a path costs `path_cost`
    for each m2 and frame. The beam keeps `width` particles, at most `quota` for each cell of `cell` metres and `angle`
    radians, and none that scores worse than the best by `budget`. The last goal is reached by joining particles with
    the endings of the `endings` best.
    """

    place_cost: float = 300.0
    heading_cost: float = 100.0
    path_cost: float = 10.0
    path_heading_cost: float = 3.0
    width: int = 30_000
    quota: int = 20
    cell: float = 0.3
    angle: float = 0.35
    budget: float = 100.0
    endings: int = 6000


class Reached(NamedTuple):
    """A motion found by the search."""

    path: IntArray  # [frame], states
    cost: float  # with the penalties for missed goals
    yaw: float  # radians, of the root at the first frame


def reach(
    database: MotionDatabase,
    root_motion: RootMotion,
    cuts: Cuts,
    costs: StateCosts,
    timeline: Timeline,
    *,
    stay: int,
    settings: ReachSettings,
    start: int | None = None,
    on_progress: Callable[[float], None] = lambda share: None,
) -> Reached:
    """Return a cheap motion that comes near the places of `timeline`, or near its path.

    It begins at the state `start`, or at any. `on_progress` is called at every frame of the search with the share that
    is done, 0 to 1. ValueError if there is no motion at all.
    """
    world = _world(database, root_motion, cuts)
    aims = _aims(database, root_motion, costs, timeline, settings)
    onward = values(cuts, database.frames_left, costs)
    x, z, heading = start_of(timeline)
    now = _first_particles(world, costs, onward, start, x, z, heading)
    history = [now]
    found, score = Particles.empty(20 * settings.width), np.empty(20 * settings.width)
    for frame in range(1, costs.frame_count):
        on_progress(frame / costs.frame_count)
        own = costs.at(frame) / COST_UNIT
        shown = _shown(own, onward, world.left, frame)
        count = expand(world, now, aims[frame], shown, own, settings.budget, stay, found, score)
        if count == 0:
            raise ValueError("no sequence of states is long enough; use longer clips or a shorter timeline")
        order = np.argsort(score[:count], kind="stable")
        chosen = np.empty(settings.width, np.int64)
        kept = select(order, found, settings.cell, settings.angle, settings.quota, 6, 1 << 18, chosen)
        now = found.take(chosen[:kept])
        history.append(now)
    best = int(np.argmin(now.cost))
    path, cost = _traced(history, np.array([best]))[0][0], float(now.cost[best])
    if later_goals(timeline) and not timeline.path:
        joined = _joined(world, costs, timeline, aims, history, database.frame_time, stay, settings)
        if joined is not None and joined[1] < cost:
            path, cost = joined
    return Reached(path, cost, heading - float(root_motion.facing[path[0]]))


def start_of(timeline: Timeline) -> tuple[float, float, float]:
    """Return x, z in metres and the heading in radians at which a motion for `timeline` starts."""
    at_start = [place for place in timeline.places if place.time == 0.0]
    if at_start:
        return at_start[0].x, at_start[0].z, at_start[0].heading or 0.0
    if timeline.path is not None and timeline.path.start == 0.0:
        place, heading = timeline.path.at(np.zeros(1))
        return float(place[0, 0]), float(place[0, 1]), float(heading[0])
    return 0.0, 0.0, 0.0


class Aimed(NamedTuple):
    """A goal to come near: the place of the root, or of a joint, whose root may be `slack` metres away."""

    goal: PlaceGoal | JointGoal
    place: PlaceGoal
    slack: float


def later_goals(timeline: Timeline) -> list[Aimed]:
    """Return the places of the root and of joints of `timeline` after its start, in order of time."""
    found = [Aimed(goal, goal, 0.0) for goal in timeline.places if goal.time > 0.0]
    for joint in timeline.joints:
        if joint.x is not None and joint.z is not None and joint.time > 0.0:
            found.append(Aimed(joint, PlaceGoal(joint.time, joint.x, joint.z), JOINT_SLACK))
    return sorted(found, key=lambda one: one.place.time)


def _world(database: MotionDatabase, root_motion: RootMotion, cuts: Cuts) -> World:
    return World(
        np.ascontiguousarray(database.root_step[:, ::2], dtype=np.float64),
        np.ascontiguousarray(root_motion.yaw_turn[:, 0], dtype=np.float64),
        np.ascontiguousarray(root_motion.facing, dtype=np.float64),
        database.frames_left.astype(np.int64),
        cuts.first,
        cuts.targets,
        cuts.costs / COST_UNIT,
    )


def _first_particles(
    world: World, costs: StateCosts, onward: IntArray, start: int | None, x: float, z: float, heading: float
) -> Particles:
    """Return the particles of frame 0: `start` alone, or the states that are cheapest from there on."""
    own = costs.at(0) / COST_UNIT
    if start is not None:
        states = np.array([start])
    else:
        shown = _shown(own, onward, world.left, 0)
        states = np.argsort(shown, kind="stable")
        states = np.sort(states[shown[states] <= shown[states[0]] + START_SLACK])
        states = states[np.unique(np.linspace(0, len(states) - 1, MOST_STARTS).astype(np.int64))]
    count = len(states)
    particles = Particles.empty(count)
    particles.state[:], particles.x[:], particles.z[:] = states, x, z
    particles.yaw[:] = heading - world.facing[states]
    particles.cost[:] = own[states]
    return particles


def _shown(own: FloatArray, onward: IntArray, left: IntArray, frame: int) -> FloatArray:
    """Return the cost [state] of showing each state at `frame` and going on as well as possible, without places."""
    if frame + 1 >= len(onward) - 1:
        return own
    ahead = np.append(onward[frame + 1, 1:], IMPOSSIBLE).astype(np.float64) / COST_UNIT
    return own + np.where(left >= 1, ahead, IMPOSSIBLE / COST_UNIT)


def _aims(
    database: MotionDatabase, root_motion: RootMotion, costs: StateCosts, timeline: Timeline, use: ReachSettings
) -> list[Aim]:
    """Return the goal ahead at each frame."""
    frame_count = costs.frame_count
    nothing = Aim(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    aims = [nothing] * frame_count
    if timeline.path is not None:
        frames = np.arange(frame_count)
        times = frames * database.frame_time
        place, heading = timeline.path.at(times)
        for frame in frames[(times >= timeline.path.start) & (times <= timeline.path.end)].tolist():
            at = float(place[frame, 0]), float(place[frame, 1]), float(heading[frame])
            aims[frame] = Aim(*at, use.path_cost, use.path_heading_cost, 0.0, 0.0, 1.0)
        return aims
    speed = np.linalg.norm(database.root_step[:, ::2].astype(np.float64), axis=-1)
    spin = np.abs(root_motion.yaw_turn[:, 0])
    fits = [part <= part.min() for part in costs.parts]
    reach = np.array([np.percentile(speed[fit], 85.0) for fit in fits])[costs.part_of]
    turn = np.array([np.percentile(spin[fit], 90.0) for fit in fits])[costs.part_of]
    frame = 1
    for _, goal, near in later_goals(timeline):
        end = goal_frame(goal, database.frame_time, frame_count)
        heading_cost = 0.0 if goal.heading is None else use.heading_cost
        while frame <= end:
            slack = near + (0.05 if frame < end else 0.0)
            aims[frame] = Aim(
                goal.x,
                goal.z,
                goal.heading or 0.0,
                use.place_cost,
                heading_cost,
                float(reach[frame:end].sum()) + slack,
                float(turn[frame:end].sum()),
                float(frame == end),
            )
            frame += 1
    return aims


def _traced(history: list[Particles], last: IntArray) -> tuple[IntArray, IntArray]:
    """Return the states and the particles [path, frame] that led to the particles `last` [path]."""
    states = np.empty((len(last), len(history)), np.int64)
    particles = np.empty_like(states)
    at = last
    for frame in range(len(history) - 1, -1, -1):
        states[:, frame], particles[:, frame] = history[frame].state[at], at
        at = history[frame].parent[at]
    return states, particles


def _joined(
    world: World,
    costs: StateCosts,
    timeline: Timeline,
    aims: list[Aim],
    history: list[Particles],
    frame_time: float,
    stay: int,
    use: ReachSettings,
) -> tuple[IntArray, float] | None:
    """Return the cheapest motion that begins as one particle and ends as another, and its cost."""
    goals = [goal_frame(one.place, frame_time, costs.frame_count) for one in later_goals(timeline)]
    final, earlier = goals[-1], goals[-2] if len(goals) > 1 else 0
    ends = np.argsort(history[-1].cost, kind="stable")[: use.endings]
    states, particles = _traced(history, ends)
    tracks = [np.array([getattr(history[t], name)[particles[:, t]] for t in range(len(history))]).T for name in "xz"]
    yaw, spent = (
        np.array([getattr(history[t], name)[particles[:, t]] for t in range(len(history))]).T
        for name in ("yaw", "cost")
    )
    aim = aims[final]
    # The cost of an ending without the penalty that it paid at the goal: it will arrive elsewhere.
    heading = yaw[:, final] + world.facing[states[:, final]]
    paid = np.array(
        [aim.penalty(x, z, h) for x, z, h in zip(tracks[0][:, final], tracks[1][:, final], heading, strict=True)]
    )
    cut_at = np.diff(states, axis=1, prepend=states[:, :1] - 1) != 1
    best: tuple[float, int, int, int] = (np.inf, -1, -1, -1)
    for frame in range(max(stay, earlier + 1), final - stay, 2):
        begin = frame + 1
        free = ~cut_at[:, begin + 1 : begin + stay].any(axis=1)
        own = costs.at(begin)[states[:, begin]] / COST_UNIT
        end_cost = spent[:, -1] - spent[:, begin] + own - paid
        gap = np.stack([track[:, final] - track[:, begin] for track in tracks], axis=-1)
        seen = turn_over_ground(gap, -yaw[:, begin])
        head = np.full(len(world.left), -1, np.int64)
        following = np.full(len(ends), -1, np.int64)
        for ending in np.flatnonzero(free)[::-1].tolist():
            following[ending], head[states[ending, begin]] = head[states[ending, begin]], ending
        turned = heading - yaw[:, begin]
        parts = (np.ascontiguousarray(seen[:, 0]), np.ascontiguousarray(seen[:, 1]), turned, end_cost)
        value, particle, ending = join(world, history[frame], head, following, *parts, aim)
        if value < best[0]:
            best = (value, frame, particle, ending)
    value, frame, particle, ending = best
    if frame < 0:
        return None
    prefix = _traced(history[: frame + 1], np.array([particle]))[0][0]
    return np.concatenate([prefix, states[ending, frame + 1 :]]), float(value)
