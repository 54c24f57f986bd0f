"""Learnt steering: forests equal a plain walk, the model follows futures, values satisfy Bellman, files are checked."""

from __future__ import annotations

import copy
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from motionfields.authoring.worlds import Futures
from motionfields.authoring.worlds.trees import LearningSettings, SteeringTrees, TreePilot, learn_steering, parse_sense
from motionfields.authoring.worlds.trees.forest import LEAF, Forest
from motionfields.authoring.worlds.trees.growing import grow_forest
from motionfields.authoring.worlds.trees.learning import (
    COLLIDED,
    REACHED,
    Arena,
    Model,
    Samples,
    Walkers,
    backed_up,
    evaluated,
)
from motionfields.authoring.worlds.trees.scores import imagined_values, score_steering
from motionfields.authoring.worlds.trees.steering_trees import ACTIONS
from motionfields.base.arrays import FloatArray
from motionfields.base.errors import ArtifactError
from motionfields.base.world import Box, DepthScan, Nearest, Reach, Room, Survive, World, draw_world
from motionfields.control.controller import FieldController
from motionfields.runtime import Crowd
from tests.authoring.worlds.conftest import trained

SMALL = LearningSettings(rounds=2, states=120, worlds=25, trees=3, sweeps=5)


@cache
def small_trees() -> SteeringTrees:
    return learn_steering(*trained(), DepthScan(8), settings=SMALL, seed=1)


@cache
def small_model() -> Model:
    return Model(*trained())


def plain_value(forest: Forest, features: FloatArray, action: int) -> float:
    """The value of one action, by walking down each tree."""
    found = []
    for root in forest.roots:
        node = int(root)
        while forest.feature[node] != LEAF:
            less = np.float32(features[forest.feature[node]]) <= forest.threshold[node]
            node = int(forest.left[node] if less else forest.right[node])
        found.append(forest.values[node, action])
    return float(np.mean(found))


def test_values_of_a_forest_are_those_of_a_plain_walk(rng: np.random.Generator) -> None:
    features = rng.normal(size=(300, 6))
    targets = np.stack([features[:, 0] > 0.3, features[:, 1] * features[:, 2]], axis=-1).astype(float)
    forest = grow_forest(features, targets, trees=4, leaf=3, share=0.5, seed=2)
    values = forest.action_values(forest.leaves(features[:40]))
    for i in range(40):
        for action in range(2):
            assert values[i, action] == pytest.approx(plain_value(forest, features[i], action), abs=1e-5)
    assert np.abs(values - targets[:40]).mean() < 0.3
    leaves = forest.leaves(features)
    again = forest.with_means(leaves, targets)
    for tree in range(4):
        rows = leaves[:, tree] == leaves[0, tree]
        assert again.values[leaves[0, tree]] == pytest.approx(targets[rows].mean(axis=0), abs=1e-5)
    assert again.values[leaves] == pytest.approx(forest.values[leaves], abs=1e-4)  # as they were grown


def test_the_model_moves_as_futures_say(futures: Futures) -> None:
    model, rng = small_model(), np.random.default_rng(0)
    state, action = rng.choice(model.starts, 200), rng.integers(len(ACTIONS), size=200)
    zeros = np.zeros(200, np.int64)
    walkers = Walkers(state, np.zeros((200, 2)), -model.facing_of[state], zeros, zeros)
    heading, speed = np.radians(ACTIONS[action, 0]), ACTIONS[action, 1]
    for _ in range(futures.every):
        walkers = model.step(walkers, heading, speed)
    plans = futures.nearest_plan(heading, np.unique(futures.commands[:, 1])[speed])
    off = np.linalg.norm(walkers.position - futures.places(state, plans)[:, 0], axis=1)
    assert np.median(off) < 0.03  # foot locking is not in the model


def test_actions_are_rewarded_for_the_goal_and_for_collisions() -> None:
    model = small_model()
    room, goals = Room((-9.0, -9.0, 9.0, 9.0), (Box(0.0, 1.2, 4.0, 1.0),), 0.25), (Reach(0.0, -0.6),)
    arena = Arena(model, [World(room, goals=goals)], DepthScan(8))
    states = np.tile(model.starts[:5], 2)
    facing = np.repeat([0.0, np.pi], 5)
    here = np.zeros((10, 2))
    zeros = np.zeros(10, np.int64)
    walkers = Walkers(states, here, facing - model.facing_of[states], zeros, zeros)
    seconds = model.hold * model.frame_time
    outcome = arena.act(walkers, np.zeros(10, np.int64))  # straight ahead, fast
    hit, near = outcome.over[:5], outcome.over[5:]
    assert hit.any() or near.any()
    assert outcome.reward[:5] == pytest.approx(COLLIDED * hit - seconds)
    assert outcome.reward[5:] == pytest.approx(REACHED * near - seconds)
    found = evaluated(arena, walkers)
    assert found.reward[:, 0] == pytest.approx(outcome.reward)
    assert found.features.shape == (10, 9 + 15 + 8)


def test_targets_are_rewards_and_what_is_best_afterwards() -> None:
    known = Samples(np.zeros((1, 2)), np.array([[1.0, 2.0]]), np.array([[False, True]]), np.zeros((1, 2, 2)))
    assert backed_up(known, np.array([5.0, 9.0]), 0.9).tolist() == [[1.0 + 0.9 * 5.0, 2.0]]


def test_learning_is_repeatable_and_a_file_comes_back(tmp_path: Path) -> None:
    trees = small_trees()
    again = learn_steering(*trained(), DepthScan(8), settings=SMALL, seed=1)
    assert np.array_equal(trees.forest.values, again.forest.values)
    trees.save(tmp_path / "one.trees")
    back = SteeringTrees.load(tmp_path / "one.trees")
    assert back.sensor == trees.sensor
    features = np.random.default_rng(3).normal(size=(20, trees.feature_count))
    assert np.array_equal(back.choose(features), trees.choose(features))
    other = replace(trees, sensor=Nearest(4))
    other.save(tmp_path / "two.trees")
    assert SteeringTrees.load(tmp_path / "two.trees").sensor == Nearest(4)
    replace(trees, sensor=Nearest(4, ordered=False)).save(tmp_path / "three.trees")
    assert SteeringTrees.load(tmp_path / "three.trees").sensor == Nearest(4, ordered=False)
    content = bytearray((tmp_path / "one.trees").read_bytes())
    content[len(content) // 2] ^= 255
    (tmp_path / "bad.trees").write_bytes(content)
    with pytest.raises(ArtifactError):
        SteeringTrees.load(tmp_path / "bad.trees")


def test_a_pilot_steers_by_trees(walker: FieldController, futures: Futures) -> None:
    world = draw_world(1)[0]
    pilot = TreePilot(small_trees(), futures, world, [Reach(0.0, 3.0), Reach(0.0, 0.1)])
    crowd = Crowd(walker, 2, seed=1)
    crowd.place(slice(None), np.array([[0.0, -1.5], [0.0, 0.0]]), np.zeros(2))
    for _ in range(20):
        command = pilot.commands(crowd)
        crowd.step(command)
    assert np.isfinite(command).all()
    assert pilot.reached.tolist() == [False, True]
    assert command[1, 1] == 0.0  # whoever has arrived stands
    assert 0 <= command[0, 1] <= futures.top


def test_scores_are_discounted_rewards_and_look_ahead_avoids_a_wall(futures: Futures) -> None:
    model, trees = small_model(), small_trees()
    worlds = [draw_world(seed, counts=(1, 2), movers=1)[0] for seed in range(30)]
    found = score_steering(model, trees, worlds, discount=1.0)
    assert not (found.reached & found.collided).any()
    expected = REACHED * found.reached + COLLIDED * found.collided - found.seconds
    assert found.returns == pytest.approx(expected)
    ahead = score_steering(model, trees, worlds, look_ahead=True)
    assert ahead.collided.sum() <= found.collided.sum()
    assert ahead.collided.sum() <= 3
    room = Room((-9.0, -9.0, 9.0, 9.0), (Box(0.0, 1.0, 4.0, 1.0),), 0.25)
    arena = Arena(model, [World(room, goals=(Reach(0.0, 5.0),))], trees.sensor)
    state, zeros = model.starts[:1], np.zeros(1, np.int64)
    walkers = Walkers(state, np.zeros((1, 2)), -model.facing_of[state], zeros, zeros)
    values = imagined_values(arena, trees, walkers, discount=0.9)[0]
    for action in range(len(ACTIONS)):
        one = arena.act(walkers, np.array([action]), frozen=True)
        assert one.walkers.frame[0] == 0  # time stands still
        later = trees.forest.action_values(trees.forest.leaves(arena.features(one.walkers))).max()
        assert values[action] == pytest.approx(one.reward[0] + 0.9 * (not one.over[0]) * later, abs=1e-3)


def test_a_pilot_looks_ahead(walker: FieldController, futures: Futures) -> None:
    world, model = draw_world(1)[0], small_model()
    pilot = TreePilot(small_trees(), futures, world, [Reach(0.0, 3.0)], look_ahead=model)
    crowd = Crowd(walker, 1, seed=1)
    crowd.place(slice(None), np.zeros((1, 2)), np.zeros(1))
    for _ in range(20):
        command = pilot.commands(crowd)
        crowd.step(command)
    assert np.isfinite(command).all()
    other = copy.copy(model)
    other.digest = "0" * 64
    with pytest.raises(ValueError, match="look_ahead"):
        TreePilot(small_trees(), futures, world, [Reach(0.0, 3.0)], look_ahead=other)


def test_wrong_arguments_are_refused(futures: Futures) -> None:
    assert parse_sense("nearest:6") == (Nearest(6), None)
    assert parse_sense("objects:2") == (Nearest(2, ordered=False), None)
    assert parse_sense("depth:16") == (DepthScan(16), None)
    assert parse_sense("scan:12") == (DepthScan(12, pyramid=False), None)
    assert parse_sense("refined:32") == (DepthScan(32), (4, 32))
    assert parse_sense("refined:2") == (DepthScan(2), (2, 2))
    assert parse_sense("stripes:8") == (DepthScan(64), (8, 8))
    for wrong in ("depth", "depth:x", "sonar:3", "depth:12", "nearest:0", "refined:12", "stripes:12", "stripes:0"):
        with pytest.raises(ValueError, match="expected"):
            parse_sense(wrong)
    trees = small_trees()
    with pytest.raises(ValueError, match="Reach alone"):
        TreePilot(trees, futures, World.open(), [Survive()])
    with pytest.raises(ValueError, match="learn them again"):
        TreePilot(replace(trees, policy_digest="0" * 64), futures, World.open(), [Reach(0.0, 1.0)])
    with pytest.raises(ValueError, match="features of the sensor"):
        replace(trees, sensor=Nearest(1))
    forest = trees.forest
    with pytest.raises(ValueError, match="after their parents"):
        replace(forest, left=np.zeros_like(forest.left))
    with pytest.raises(ValueError, match="roots"):
        replace(forest, roots=np.array([10**6], np.int32))
    with pytest.raises(ValueError, match="finite"):
        replace(forest, values=np.full_like(forest.values, np.nan))
    with pytest.raises(ValueError, match="at least 1"):
        LearningSettings(rounds=0)
    with pytest.raises(ValueError, match="shares"):
        LearningSettings(discount=1.0)
