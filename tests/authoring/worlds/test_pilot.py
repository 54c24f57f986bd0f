"""Pilots: decisions equal a plain twin, threads do not matter, and characters reach, follow, pass and avoid."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from motionfields.authoring.worlds import Avoid, Futures, Manner, Pilot
from motionfields.authoring.worlds.maps import GroundGrid, clearance_at, way_at
from motionfields.authoring.worlds.neighbours import NEAREST, REACH, cell_table, fill_cells, find_nearest
from motionfields.authoring.worlds.rolling import PLANS, SAMPLES
from motionfields.authoring.worlds.steering import block_gap, crosses
from motionfields.base.arrays import FloatArray, frozen
from motionfields.base.errors import CharacterWarning
from motionfields.base.geometry import wrap_angle
from motionfields.base.world import Box, Disc, Follow, Goal, Mover, Reach, Room, Survive, Through, Wall, World
from motionfields.base.world.rooms import block_distance
from motionfields.control.controller import FieldController
from motionfields.runtime import Crowd

ROOM = Room((-6.0, -6.0, 6.0, 6.0), (Box(0.0, 1.5, 2.0, 0.6, 0.4), Disc(-2.0, -2.0, 0.5)), radius=0.25)
WORLD = World(ROOM, (Mover(Disc(3.0, 0.0, 0.3), ((-3.0, 0.5),), 0.8), Mover(Box(-3.0, 3.0, 1.6, 0.1), spin=0.7)))


def drawn(count: int, seed: int) -> FloatArray:
    """Places [count, 2] in the room that are free of its standing obstacles."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(-5.5, 5.5, (40 * count, 2))
    return np.asarray(places[ROOM.clearance(places) > 0.5][:count])


def plain_costs(pilot: Pilot, i: int, command: FloatArray, crowd: Crowd, expected: FloatArray) -> FloatArray:
    """The cost [plan] of all plans of character `i` for a goal `Reach`, written without loops over cells or plans."""
    futures, ground, goal = pilot.futures, crowd.ground, pilot._goal[i]
    states, every = np.full(PLANS, crowd.followers.state[i]), np.arange(PLANS)
    places = futures.in_world(states, every, np.tile(ground.position[i], (PLANS, 1)), np.full(PLANS, ground.facing[i]))
    off = np.abs(wrap_angle(ground.facing[i] + futures.commands[:, 0] - command[i, 0]))
    changed = np.abs(futures.commands[:, 1] - command[i, 1]) > 0.01
    costs = np.where(every > 0, pilot.manner.turn_cost * off, 0.0) + pilot.manner.change_cost * changed
    costs[0] += min(0.5 * pilot._still[i], 3.0)
    weight = pilot.avoid.weight / (1.0 + pilot._still[i])
    far = np.linalg.norm(ground.position - ground.position[i], axis=1)
    others = [j for j in np.argsort(far, kind="stable") if j != i and far[j] < REACH][:NEAREST]
    movers = pilot._movers()
    for plan in range(PLANS):
        arrive, hit = np.inf, False
        for sample in range(SAMPLES):
            x, z = places[plan, sample]
            gaps = [clearance_at(pilot.grid, x, z) - ROOM.radius]
            gaps += [float(block_distance(places[plan, sample], block)) - ROOM.radius for block in movers[sample + 1]]
            gaps += [np.hypot(*(places[plan, sample] - expected[j, sample + 1])) - 2 * ROOM.radius for j in others]
            gap = min(gaps) - pilot.avoid.margin
            if gap < 0.0:
                costs[plan] += 0.0 if hit else pilot.avoid.hit * (1.0 - 0.7 * sample / SAMPLES)
                costs[plan] += 4.0 * min(-gap, 1.0)
                hit = True
                continue
            costs[plan] += weight * max(0.0, 1.0 - gap / pilot.avoid.clear) * futures.sample_seconds
            if not hit and np.hypot(x - goal[0], z - goal[1]) < pilot.manner.arrival - 0.1:
                arrive = min(arrive, (sample + 1) * futures.sample_seconds)
        x, z = places[plan, -1]
        length = way_at(pilot.grid, pilot._ways[pilot._way[i]], x, z)
        length = np.hypot(x - goal[0], z - goal[1]) + 2.0 if length >= 1e6 else length
        costs[plan] += min(arrive, futures.seconds + length / futures.top)
    return np.asarray(costs)


def test_decisions_have_the_least_cost_of_a_plain_twin(walker: FieldController, futures: Futures) -> None:
    places = drawn(25, 1)
    pilot = Pilot(futures, WORLD, [Reach(*goal) for goal in drawn(25, 2).tolist()], manner=Manner(every=1))
    crowd = Crowd(walker, 25, seed=3)
    crowd.place(slice(None), places, np.linspace(-3.0, 3.0, 25))
    for frame in range(12):
        before = pilot._command.copy()
        if frame == 0:
            before[:, 0] = crowd.ground.facing
        command = pilot.commands(crowd)
        if frame in (0, 11):
            pilot.frame -= 1  # as the decision saw it
            for i in np.flatnonzero(~pilot.reached):
                costs = plain_costs(pilot, int(i), before, crowd, pilot._expected)
                assert pilot._cost[i] == pytest.approx(costs.min(), abs=1e-6)
                assert costs[pilot.chosen[i]] == pytest.approx(costs.min(), abs=1e-6)
            pilot.frame += 1
        crowd.step(command)


def test_scores_of_kept_decisions_explain_every_choice(walker: FieldController, futures: Futures) -> None:
    goals: list[Goal] = [
        Reach(4.0, 4.0),
        Through((-1.0, 4.0), (1.0, 4.0)),
        Follow(0),
        Survive(),
        Reach(*drawn(6, 1)[4]),
    ]
    pilot = Pilot(futures, WORLD, [*goals, Reach(3.0, 3.0, way=((0.0, -3.0),))])
    crowd = Crowd(walker, 6, seed=3)
    crowd.place(slice(None), drawn(6, 1), np.linspace(-3.0, 3.0, 6))
    pilot.keeps_decisions = True
    for _ in range(30):
        crowd.step(pilot.commands(crowd))
        decision = pilot.decision
        assert decision is not None
        for i in np.flatnonzero(decision.walkers.due):
            scores = pilot.scores(decision, int(i))
            assert decision.walkers.cost[i] == pytest.approx(scores.total.min(), abs=1e-6)
            assert scores.total[decision.walkers.plan[i]] == pytest.approx(scores.total.min(), abs=1e-6)
            assert (scores.hit > 0.0).tolist() == (scores.gap < 0.0).tolist()


def test_obstacles_and_the_number_of_characters_may_change(walker: FieldController, futures: Futures) -> None:
    pilot = Pilot(futures, World.open(size=12.0, radius=0.25), [Reach(0.0, 4.0), Reach(1.5, 4.0)])
    crowd = Crowd(walker, 2, seed=1)
    crowd.place(slice(None), np.array([[0.0, -3.0], [1.5, -3.0]]), 0.0)
    for _ in range(30):
        crowd.step(pilot.commands(crowd))
    wall = Wall((-4.0, 0.5), (4.0, 0.5))
    pilot.set_world(Room((-6.0, -6.0, 6.0, 6.0), (wall,), radius=0.25))
    one = pilot.resized([Reach(0.0, 4.0)])
    np.testing.assert_array_equal(one._command, pilot._command[:1])
    crowd, least = crowd.resized(1, seed=0), np.inf
    for _ in range(900):
        frame = crowd.step(one.commands(crowd))
        least = min(least, float(one.world.clearance(frame.root_position[:, ::2])[0]))
    assert one.reached.all()
    assert least > 0.25


def test_threads_do_not_change_a_bit(walker: FieldController, futures: Futures) -> None:
    found = []
    usual = numba.get_num_threads()
    for threads in (1, 2):
        if threads > numba.config.NUMBA_NUM_THREADS:  # type: ignore[attr-defined]
            pytest.skip("one core")
        numba.set_num_threads(threads)
        try:
            pilot = Pilot(futures, WORLD, [Reach(*goal) for goal in drawn(140, 2).tolist()])
            crowd = Crowd(walker, 140, seed=3)
            crowd.place(slice(None), drawn(140, 5), np.linspace(-3.0, 3.0, 140))
            for _ in range(30):
                crowd.step(pilot.commands(crowd))
            found.append((crowd.ground.position, pilot.commands(crowd)))
        finally:
            numba.set_num_threads(usual)
    assert all(np.array_equal(one, two) for one, two in zip(*found, strict=True))


def walked(walker: FieldController, pilot: Pilot, places: FloatArray, facing: FloatArray, frames: int) -> FloatArray:
    """The displayed places [frame, n, 2] of characters that `pilot` steers."""
    crowd = Crowd(walker, len(places), seed=1)
    crowd.place(slice(None), places, facing)
    return np.array([crowd.step(pilot.commands(crowd)).root_position[:, ::2] for _ in range(frames)])


def test_a_character_walks_around_a_wall(walker: FieldController, futures: Futures) -> None:
    world = World(Room((-5.0, -3.0, 5.0, 7.0), (Wall((-3.0, 2.0), (1.0, 2.0)),), radius=0.25))
    pilot = Pilot(futures, world, [Reach(-0.5, 4.5)])
    way = walked(walker, pilot, np.zeros((1, 2)), np.zeros(1), 420)
    assert pilot.reached.all()
    assert world.clearance(way).min() > world.room.radius - 0.02


def test_two_characters_pass_each_other_and_stay_at_their_goals(walker: FieldController, futures: Futures) -> None:
    places = np.array([[0.0, -3.0], [0.05, 3.0]])
    pilot = Pilot(futures, World.open(radius=0.25), [Reach(0.0, 3.0), Reach(0.0, -3.0)])
    way = walked(walker, pilot, places, np.array([0.0, np.pi]), 420)
    assert pilot.reached.all()
    assert np.linalg.norm(way[:, 0] - way[:, 1], axis=1).min() > 0.48
    assert np.linalg.norm(way[-1] - [[0.0, 3.0], [0.0, -3.0]], axis=1).max() < 1.2


def test_a_way_a_gate_and_someone_to_follow(walker: FieldController, futures: Futures) -> None:
    goals: list[Goal] = [
        Reach(3.0, 4.0, way=((0.0, 3.0),)),
        Through((3.5, 1.0), (3.5, -1.0)),
        Follow(0, 1.5),
        Survive(),
    ]
    places = np.array([[0.0, 0.0], [2.0, -2.0], [-1.5, -1.0], [-4.0, -4.0]])
    pilot = Pilot(futures, World.open(radius=0.25), goals)
    way = walked(walker, pilot, places, np.zeros(4), 420)
    assert pilot.reached.tolist() == [True, True, False, False]
    assert np.linalg.norm(way[:, 0] - [0.0, 3.0], axis=1).min() < 0.8
    assert abs(np.linalg.norm(way[-1, 2] - way[-1, 0]) - 1.5) < 0.8
    assert np.linalg.norm(way[-1, 3] - places[3]) < 1.5


def test_a_character_that_is_not_sound_hurts_nobody(walker: FieldController, futures: Futures) -> None:
    pilot = Pilot(futures, WORLD, [Reach(4.0, 4.0), Reach(-4.0, 4.0)])
    crowd = Crowd(walker, 2, seed=1)
    crowd.followers.position[0], crowd.followers.yaw[0] = np.nan, np.inf
    command = pilot.commands(crowd)
    assert np.isfinite(command).all()
    with pytest.warns(CharacterWarning):
        crowd.step(command)
    assert np.isfinite(pilot.commands(crowd)).all()


def test_neighbours_are_the_nearest(rng: np.random.Generator) -> None:
    position = rng.uniform(-6.0, 6.0, (150, 2))
    heads, following = cell_table(150)
    fill_cells(position, heads, following)
    found, squares = np.empty(NEAREST, np.int64), np.empty(NEAREST)
    for i in range(150):
        far = np.linalg.norm(position - position[i], axis=1)
        wanted = [j for j in np.argsort(far, kind="stable").tolist() if j != i and far[j] < REACH][:NEAREST]
        count = find_nearest(position, heads, following, i, found, squares)
        assert found[:count].tolist() == wanted


def test_gaps_of_blocks_and_the_grid_are_those_of_the_room(rng: np.random.Generator) -> None:
    grid = frozen(GroundGrid.over(ROOM))
    for place in rng.uniform(-5.5, 5.5, (200, 2)):
        assert clearance_at(grid, *place) == pytest.approx(float(ROOM.clearance(place)), abs=0.08)
        for block in ROOM.blocks():
            assert block_gap(block, *place) == pytest.approx(float(block_distance(place, block)), abs=1e-9)


@pytest.mark.parametrize(
    ("way", "crossed"),
    [((-1.0, 0.0, 1.0, 0.0), True), ((1.0, 0.5, -1.0, -0.5), True), ((-1.0, 2.0, 1.0, 2.0), False)],
)
def test_gates_are_crossed_between_their_ends(way: tuple[float, float, float, float], crossed: bool) -> None:
    assert crosses(*way, 0.0, -1.0, 0.0, 1.0) == crossed
    assert not crosses(-2.0, 0.0, -1.0, 0.0, 0.0, -1.0, 0.0, 1.0)


def test_a_goal_in_an_obstacle_has_a_map_to_the_nearest_free_place(futures: Futures) -> None:
    grid = GroundGrid.over(ROOM)
    way = grid.way_map(Reach(-2.0, -2.0), ROOM.radius)
    assert 0.0 <= way.min() < 1.5


def test_wrong_arguments_are_refused(walker: FieldController, futures: Futures) -> None:
    with pytest.raises(ValueError, match="told or seen"):
        Pilot(futures, ROOM, [Survive()], plans="guessed")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected one for each character"):
        Pilot(futures, ROOM)
    with pytest.raises(ValueError, match="cannot follow"):
        Pilot(futures, ROOM, [Follow(0)])
    with pytest.raises(ValueError, match="expected 1 characters"):
        Pilot(futures, ROOM, [Survive()]).commands(Crowd(walker, 2))
    pilot = Pilot(futures, ROOM, [Survive()])
    here, nan = np.zeros((1, 2)), np.full(1, np.nan)
    for wrong in ((np.array([-1]), here, np.zeros(1)), (np.array([futures.state_count]), here, np.zeros(1))):
        with pytest.raises(ValueError, match="states"):
            pilot.steer(*wrong)
    with pytest.raises(ValueError, match="finite"):
        pilot.steer(np.zeros(1, np.int64), here, nan)
    with pytest.raises(ValueError, match="one for each of 1"):
        pilot.steer(np.zeros(1, np.int64), np.zeros((2, 2)), np.zeros(1))
    with pytest.raises(ValueError, match="at least 0"):
        Avoid(margin=-1.0)
    with pytest.raises(ValueError, match="every"):
        Manner(every=0)
