"""Explanations of steering: the futures that a character in a world compared, and the sight around it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from motionfields.authoring.worlds import Pilot
from motionfields.authoring.worlds.steering import FOLLOW, HOLD, REACH, SURVIVE, THROUGH
from motionfields.base.arrays import FloatArray
from motionfields.base.world import DepthScan, World
from motionfields.studio.history import Steered
from motionfields.studio.messages import PlanReasons, PlanScore, Walks

RAYS: Final = DepthScan(128, reach=6.0, pyramid=False)
GOALS: Final = {REACH: "reach", THROUGH: "through", FOLLOW: "follow", HOLD: "hold", SURVIVE: "avoid"}


def plan_reasons(number: int, character: int, decided: int, steered: Steered) -> PlanReasons:
    """Return the futures that `character` compared in the frame `decided`, for the frame `number`."""
    pilot, world, decision = steered
    assert decision is not None
    walkers, scores = decision.walkers, pilot.scores(decision, character)
    place, facing = walkers.position[character], walkers.facing[character]
    time = decision.frame * pilot.futures.frame_time
    seen = RAYS.look(world, place[np.newaxis], np.array([facing]), time=time, bodies=walkers.position)
    columns: list[Any] = [scores.total, scores.arrive, scores.near, scores.hit, scores.turn, scores.change]
    columns += [np.minimum(scores.gap, 99.0), scores.when, scores.blocker]
    return PlanReasons(
        number=number,
        character=character,
        decided=decided,
        chosen=int(walkers.plan[character]),
        goal=GOALS[int(walkers.kind[character])],
        place=(float(place[0]), float(place[1])),
        facing=float(facing),
        plans=[
            PlanScore(*values)
            for values in zip(*pilot.futures.commands.T.tolist(), *(column.tolist() for column in columns), strict=True)
        ],
        places=packed(scores.places),
        rays=packed(seen.depth[0]),
    )


def walks(pilot: Pilot, world: World, slots: FloatArray, time: float) -> Walks:
    """Return planned routes, goals `slots` [n, 2], arrivals and moving obstacles of `pilot` at `time` in seconds."""
    reached = pilot.reached & np.isfinite(slots[:, 0])
    movers = world.mover_blocks(np.array([time]))[0]
    return Walks(packed(pilot.told), packed(slots), reached.astype(np.uint8).tobytes(), packed(movers))


def packed(numbers: FloatArray) -> bytes:
    """Return `numbers` as bytes of float32."""
    return np.asarray(numbers, dtype="<f4").tobytes()
