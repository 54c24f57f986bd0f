"""Rivals: the velocities of ORCA are the nearest that its lines allow, and all of them walk to a free goal."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.authoring.worlds import Futures
from motionfields.authoring.worlds.orca import avoid_line, best_velocity
from motionfields.authoring.worlds.rivals import RIVALS, RivalPilot
from motionfields.base.world import Disc, Reach, Room, World
from motionfields.control.controller import FieldController
from motionfields.runtime import Crowd


def drawn_lines(rng: np.random.Generator, count: int) -> np.ndarray:
    """Lines of obstacles about a body, none of which it touches."""
    lines = np.empty((count, 4))
    for line in lines:
        away, turn = rng.uniform(1.0, 4.0), rng.uniform(-np.pi, np.pi)
        own, other = rng.uniform(-1.0, 1.0, (2, 2)).tolist()
        x, z = away * np.sin(turn), away * np.cos(turn)
        avoid_line(x, z, 0.6, (own[0], own[1]), (other[0], other[1]), 2.0, 0.5, line)
    return lines


def test_the_velocity_is_the_nearest_that_the_lines_allow(rng: np.random.Generator) -> None:
    side = np.linspace(-1.2, 1.2, 241)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    grid = grid[np.linalg.norm(grid, axis=1) <= 1.2]
    compared = 0
    for _ in range(40):
        lines = drawn_lines(rng, 4)
        wanted = rng.uniform(-1.0, 1.0, 2)
        broken = lines[:, 2] * (lines[:, 3 - 2] - grid[:, None, 1]) - lines[:, 3] * (lines[:, 0] - grid[:, None, 0])
        allowed = (broken <= 0.0).all(axis=1)
        out = np.empty(2)
        best_velocity(lines, 4, 1.2, (float(wanted[0]), float(wanted[1])), np.empty((4, 4)), out)
        if allowed.sum() > 20:
            nearest = np.linalg.norm(grid[allowed] - wanted, axis=1).min()
            assert np.linalg.norm(out - wanted) <= nearest + 1e-6
            assert (lines[:, 2] * (lines[:, 1] - out[1]) - lines[:, 3] * (lines[:, 0] - out[0])).max() < 1e-6
            compared += 1
    assert compared >= 20


def test_bodies_that_keep_the_chosen_velocities_do_not_meet() -> None:
    place, velocity = np.array([[0.0, -3.0], [0.1, 3.0]]), np.array([[0.0, 1.0], [0.0, -1.0]])
    least = np.inf
    for _ in range(180):
        chosen = np.empty((2, 2))
        for i in range(2):
            line, gap = np.empty((1, 4)), place[1 - i] - place[i]
            mine, other = velocity[i].tolist(), velocity[1 - i].tolist()
            avoid_line(gap[0], gap[1], 0.5, (mine[0], mine[1]), (other[0], other[1]), 2.0, 0.5, line[0])
            best_velocity(line, 1, 1.2, (0.0, 1.0 if i == 0 else -1.0), np.empty((1, 4)), chosen[i])
        velocity = chosen
        place = place + velocity / 30.0
        least = min(least, float(np.linalg.norm(place[0] - place[1])))
    assert least > 0.49
    assert place[0, 1] > 2.0


@pytest.mark.parametrize("method", RIVALS)
def test_each_reaches_a_free_goal(walker: FieldController, futures: Futures, method: str) -> None:
    world = World(Room((-6.0, -6.0, 6.0, 6.0), (Disc(2.5, 1.0, 0.4),), radius=0.25))
    pilot = RivalPilot(method, futures, world, [Reach(0.0, 3.0), Reach(-2.0, 2.0)])  # type: ignore[arg-type]
    crowd = Crowd(walker, 2, seed=2)
    crowd.place(slice(None), np.array([[0.0, 0.0], [-2.0, -1.0]]), np.zeros(2))
    for _ in range(240):
        crowd.step(pilot.commands(crowd))
    assert pilot.reached.all()
