"""Worlds as environments: Gymnasium's checks, depths of the world, collisions that end, bits of any batch size."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from motionfields.base.world import Box, DepthScan, Disc, Follow, Mover, Reach, Room, Start, World, draw_world
from motionfields.runtime.environment import CharacterEnv
from motionfields.runtime.world_environment import WorldEnv
from tests.control.training.small import direction_controller

BARE = 7  # numbers of an observation of CrowdEnv
SENSOR = DepthScan(16, reach=5.0)
CROSSING = World(
    Room((-6.0, -6.0, 6.0, 6.0), (Box(1.0, 2.0, 1.0, 0.5, 0.4),), radius=0.25),
    (Mover(Disc(3.0, 1.0, 0.3), ((-3.0, 1.0),), 0.8),),
    (Start(0.0, -1.0, 0.2),),
    (Reach(0.0, 4.0),),
)
AHEAD = World(Room((-6.0, -6.0, 6.0, 6.0), (Box(0.0, 1.5, 8.0, 0.4),)), (), (Start(0.0, 0.0),), (Reach(0.0, 5.0),))


def test_the_single_form_passes_the_checks_of_gymnasium() -> None:
    worlds = [draw_world(seed)[0] for seed in range(3)]
    gymnasium.register(
        "motionfields/World-v0",
        entry_point=lambda **_: CharacterEnv(direction_controller(), kind=WorldEnv, worlds=worlds, sensor=SENSOR),
    )
    try:
        check_env(gymnasium.make("motionfields/World-v0").unwrapped)  # its warnings are errors here
    finally:
        del gymnasium.registry["motionfields/World-v0"]


def test_observations_hold_what_the_sensor_sees_of_the_world() -> None:
    env = WorldEnv(direction_controller(), 2, worlds=[CROSSING, AHEAD], sensor=SENSOR)
    env.reset(seed=1)
    for _ in range(3):
        found = env.step(np.zeros((2, 1)))[0]
    time = 18 * env.crowd.field.database.frame_time
    for i in range(2):
        world, ground = env.worlds[env.world_of[i]], env.crowd.ground
        seen = SENSOR.look(world, ground.position[i : i + 1], ground.facing[i : i + 1], time=time)
        depth, closing = found[i, BARE : BARE + SENSOR.size], found[i, BARE + SENSOR.size :]
        assert depth == pytest.approx(SENSOR.readings(seen)[0], abs=1e-4)
        assert closing == pytest.approx(seen.closing[0], abs=1e-3)
        gap = float(world.clearance(ground.position[i], time)) - world.room.radius
        assert env.clearances(ground.position)[i] == pytest.approx(gap, abs=1e-6)


def test_a_collision_ends_the_episode_and_costs() -> None:
    env = WorldEnv(direction_controller(), 1, worlds=[AHEAD], penalty=3.0)
    env.reset(seed=0)
    for _ in range(60):
        heading = np.array([[-env.crowd.ground.facing[0] / np.pi]])
        _, reward, terminated, truncated, _ = env.step(heading)
        if terminated[0] or truncated[0]:
            break
    assert terminated[0]
    assert env.collided[0]
    assert not env.reached()[0]
    assert reward[0] < -2.0
    env.step(heading)  # begins again
    assert not env.collided[0]


def test_a_character_in_a_batch_does_the_same_as_alone() -> None:
    worlds = [draw_world(seed)[0] for seed in range(4)]
    found = []
    for count in (1, 5):
        env = WorldEnv(direction_controller(), count, worlds=worlds, sensor=SENSOR)
        env.reset(seed=7)
        steps = [env.step(np.full((count, 1), 0.1))[0][0] for _ in range(12)]
        found.append(np.stack(steps))
    assert np.array_equal(found[0], found[1])


def test_wrong_arguments_are_refused() -> None:
    controller = direction_controller()
    with pytest.raises(ValueError, match="at least one"):
        WorldEnv(controller, worlds=[])
    with pytest.raises(ValueError, match="world 1 has none"):
        WorldEnv(controller, worlds=[AHEAD, World(Room((-6.0, -6.0, 6.0, 6.0)), goals=(Follow(1),))])
    with pytest.raises(ValueError, match="penalty"):
        WorldEnv(controller, worlds=[AHEAD], penalty=-1.0)
