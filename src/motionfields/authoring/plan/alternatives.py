"""Alternatives: several plans for one goal that take different ways."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np

from motionfields.authoring.plan.graph import StepGraph
from motionfields.authoring.plan.planning import Place, Plan, plan
from motionfields.base.checks import checked_count
from motionfields.base.errors import PlanError
from motionfields.base.world import Disc, Room

WIDEST: Final = 0.6  # metres: radius of the disc that closes the middle of a way
LEAST: Final = 0.1  # metres: a smaller one would hardly change the way
SPACE: Final = 0.3  # metres that it leaves beside the body at start and goal
MOST: Final = 10


def alternatives(graph: StepGraph, to: Place, *, count: int = 3, **options: Any) -> tuple[Plan, ...]:
    """Return up to `count` plans for one goal, the first as `plan` returns it with the same `options`.

    Each of the others keeps away from the middle of the ways before it, by the radius of the body and up to 0.6 m. All
    have the bound of the first, which holds for any motion to the goal. There are fewer plans if no other way is left.
    """
    return tuple(iter_alternatives(graph, to, count=count, **options))


def iter_alternatives(graph: StepGraph, to: Place, *, count: int = 3, **options: Any) -> Iterator[Plan]:
    """Yield the plans that `alternatives` returns, each as soon as it is found."""
    checked_count("count", count, 1, MOST)
    found = first = plan(graph, to, **options)
    room = first.room
    yield first
    ends = np.array([options.get("start", (0.0, 0.0)), *options.get("through", ()), to], dtype=np.float64)
    closed: tuple[Disc, ...] = ()
    for _ in range(count - 1):
        x, z = _middle(found)
        radius = min(WIDEST, float(np.linalg.norm(ends - (x, z), axis=1).min()) - room.radius - SPACE)
        if radius < LEAST:
            break
        closed = (*closed, Disc(x, z, radius))
        try:
            found = plan(graph, to, **{**options, "room": Room(room.bounds, (*room.obstacles, *closed), room.radius)})
        except PlanError:
            break
        clearance = float(room.clearance(found.clip.root_position[:, ::2]).min())
        request = found.trace.request._replace(room=room)
        found = replace(
            found, room=room, clearance=clearance, bound=first.bound, trace=found.trace._replace(request=request)
        )
        yield found


def _middle(one: Plan) -> tuple[float, float]:
    """Return the place in metres at half the length of the way of a plan."""
    places = one.clip.root_position[:, ::2]
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))])
    x, z = places[int(np.searchsorted(way, 0.5 * way[-1]))].tolist()
    return x, z
