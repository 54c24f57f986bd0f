"""The best possible steering: tables equal the model, bounds hold, and the search equals trying all actions."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest

from motionfields.authoring.worlds.trees.learning import LONGEST, NEAR_GOAL, Arena, Walkers
from motionfields.authoring.worlds.trees.optimum import Searcher, best_returns, between
from motionfields.authoring.worlds.trees.scores import score_actions
from motionfields.authoring.worlds.trees.steering_trees import ACTIONS
from motionfields.base.geometry import turn_over_ground
from motionfields.base.world import Box, DepthScan, Disc, Mover, Reach, Room, World, draw_world
from tests.authoring.worlds.trees.test_trees import small_model

SIDES = (-9.0, -9.0, 9.0, 9.0)


@cache
def searcher() -> Searcher:
    return Searcher(small_model())


def drawn(count: int, seed: int) -> Walkers:
    """Characters at the origin, each in a world of its own, facing anywhere."""
    model, rng = small_model(), np.random.default_rng(seed)
    state, zeros = rng.choice(model.starts, count), np.zeros(count, np.int64)
    return Walkers(state, np.zeros((count, 2)), rng.uniform(-np.pi, np.pi, count), np.arange(count), zeros)


def test_a_table_of_actions_moves_characters_as_the_model_does() -> None:
    model, table = small_model(), searcher().table
    walkers, actions = drawn(200, 0), np.random.default_rng(1).integers(len(ACTIONS), size=200)
    facing = model.facing(walkers)
    arena = Arena(model, [World(Room(SIDES), goals=(Reach(8.0, 8.0),))] * 200, DepthScan(8))
    later = arena.act(walkers, actions).walkers
    end = turn_over_ground(table.path[walkers.state, actions, -1], facing)
    assert np.array_equal(table.target[walkers.state, actions], later.state)
    assert later.position == pytest.approx(end, abs=1e-9)
    assert model.facing(later) == pytest.approx(facing + table.turn[walkers.state, actions], abs=1e-9)


def test_no_sequence_of_actions_makes_more_progress_than_the_bound() -> None:
    table, ahead, rng = searcher().table, searcher().progress, np.random.default_rng(2)
    for _ in range(200):
        state = first = int(rng.integers(len(table.target)))
        place, facing, way = np.zeros(2), 0.0, float(rng.uniform(-np.pi, np.pi))
        best = 0.0
        for count in range(1, 7):
            action = int(rng.choice(3)) if rng.random() < 0.8 else int(rng.integers(len(ACTIONS)))
            path = place + turn_over_ground(table.path[state, action], np.asarray(facing))
            best = max(best, float((path @ np.array([np.sin(way), np.cos(way)])).max()))
            assert best <= between(ahead[count, first], way) + 1e-5
            place, facing = path[-1], facing + float(table.turn[state, action])
            state = int(table.target[state, action])


def test_one_action_ahead_is_exact_in_tabulated_directions() -> None:
    table, ahead = searcher().table, searcher().progress
    for state in (0, 17, len(table.target) - 1):
        sideways = table.path[state, :, :, 0].max()
        assert ahead[1, state, ahead.shape[2] // 4] == pytest.approx(max(0.0, sideways), abs=1e-5)


def test_the_search_finds_the_fewest_of_all_sequences_of_actions() -> None:
    model = small_model()
    for seed in range(8):
        walkers = drawn(1, seed)
        facing = float(model.facing(walkers)[0])
        goal = turn_over_ground(np.array([0.3 * (seed % 3 - 1), 1.25]), np.asarray(facing))
        side = turn_over_ground(np.array([0.5, 0.4]), np.asarray(facing))
        room = Room(SIDES, (Disc(float(side[0]), float(side[1]), 0.1),), 0.25)
        worlds = [World(room, goals=(Reach(float(goal[0]), float(goal[1])),))]
        found = searcher().search(worlds, walkers)
        arena, fewest = Arena(model, worlds, DepthScan(8)), 4
        for count in (1, 2, 3):
            tried = np.array(list(product(range(len(ACTIONS)), repeat=count)))
            going = walkers.take(np.zeros(len(tried), np.int64))
            for number in range(count):
                outcome = arena.act(going, tried[:, number])
                if number + 1 == count and (outcome.reward > 0.0).any():
                    fewest = min(fewest, count)
                tried, going = tried[~outcome.over], outcome.walkers.take(~outcome.over)
        assert found.actions[0] == found.least[0] or found.least[0] > 3
        assert min(int(found.actions[0]), 4) == fewest


def test_found_actions_reach_the_goal_and_no_tree_could_score_more() -> None:
    model = small_model()
    worlds = [draw_world(seed, counts=(2, 4), shapes=("disc",), movers=0)[0] for seed in range(6)]
    worlds = [World(world.room, goals=(Reach(0.0, 3.0),)) for world in worlds]
    arena = Arena(model, worlds, DepthScan(8))
    walkers = arena.begin(np.random.default_rng(3), anywhere=0.0)
    found = searcher().search(worlds, walkers, most=20_000)
    assert (found.least <= found.actions).all()
    assert found.proven.any()
    arrived = found.actions <= LONGEST
    plans = np.zeros((len(walkers.state), LONGEST), np.int64)
    for row, plan in zip(plans, found.plans, strict=True):
        row[: len(plan)] = plan
    scores = score_actions(arena, walkers, plans)
    assert scores.reached[arrived].all()
    seconds = model.hold * model.frame_time
    assert scores.returns[arrived] == pytest.approx(best_returns(found.actions, seconds)[arrived])
    assert (best_returns(found.least, seconds) >= best_returns(found.actions, seconds)).all()
    straight = Searcher(model, straight=True)
    walked = straight.search(worlds, walkers, most=20_000)
    assert (walked.least <= found.actions).all()
    both = walked.proven & found.proven
    assert both.any()
    assert np.array_equal(walked.actions[both], found.actions[both])
    assert walked.expanded.sum() >= found.expanded.sum()


def test_where_the_search_is_stopped_another_finds_some_motion() -> None:
    model, walkers = small_model(), drawn(3, 5)
    wall = World(Room(SIDES, (Box(0.0, 1.8, 3.6, 0.3),), 0.25), goals=(Reach(0.0, 3.5),))
    found = searcher().search([wall] * 3, walkers, most=3000)
    assert not found.proven.any()
    arrived = found.actions <= LONGEST
    assert arrived.any()
    plans = np.array([np.concatenate([plan, np.zeros(LONGEST - len(plan), np.int64)]) for plan in found.plans])
    scores = score_actions(Arena(model, [wall] * 3, DepthScan(8)), walkers, plans)
    assert scores.reached[arrived].all()
    assert scores.seconds[arrived] == pytest.approx(found.actions[arrived] * model.hold * model.frame_time)


def test_a_goal_behind_walls_is_not_reached() -> None:
    ahead = tuple(Box(0.0, z, 5.0, 0.2) for z in (-2.0, 2.0))
    aside = tuple(Box(x, 0.0, 0.2, 5.0) for x in (-2.0, 2.0))
    caged = World(Room(SIDES, ahead + aside, 0.25), goals=(Reach(0.0, 6.0),))
    found = searcher().search([caged], drawn(1, 4), most=200)
    assert found.actions.tolist() == [LONGEST + 1]
    assert found.plans[0].tolist() == []
    assert found.least[0] >= (6.0 - NEAR_GOAL) / 0.8


def test_returns_of_the_fewest_actions_by_hand() -> None:
    assert best_returns(np.array([1, 2]), 0.5, discount=0.9) == pytest.approx([100.0 - 0.5, 90.0 - 0.5 - 0.45])
    late = best_returns(np.array([LONGEST + 1]), 0.5, discount=0.9)
    assert late == pytest.approx([-0.5 * sum(0.9**k for k in range(LONGEST))])


def test_worlds_with_moving_obstacles_are_refused() -> None:
    moving = World(Room(SIDES), (Mover(Disc(1.0, 1.0, 0.3), ((2.0, 2.0),), 0.5),), goals=(Reach(0.0, 3.0),))
    with pytest.raises(ValueError, match="moving"):
        searcher().search([moving], drawn(1, 0))
