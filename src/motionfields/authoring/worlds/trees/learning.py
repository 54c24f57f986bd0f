"""Fitted Q iteration: characters explore random worlds, and trees learn the value of their actions.

Algorithm 1 of the thesis of Wan-Yen Lo, with two differences: the outcome of every action is computed at each state
that is met, not only of the one that was taken; and one tree serves all actions, with a value for each at its leaves,
unless `LearningSettings.separate` is set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from motionfields.authoring.worlds.footing import Footing
from motionfields.authoring.worlds.futures import Futures, decisions
from motionfields.authoring.worlds.rolling import PARTS, nearest_nodes
from motionfields.authoring.worlds.trees.forest import Forest
from motionfields.authoring.worlds.trees.growing import Cells, grow_forest
from motionfields.authoring.worlds.trees.steering_trees import (
    ACTIONS,
    GOAL_SIZE,
    MOTION_SIZE,
    SteeringTrees,
    bare_features,
)
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import check_fields
from motionfields.base.geometry import wrap_angle
from motionfields.base.world import (
    DepthScan,
    Nearest,
    Reach,
    World,
    WorldTables,
    clearances,
    draw_world,
    sensed,
    sensed_size,
)
from motionfields.control.contract import Controller

HOLD_SECONDS: Final = 8.0 / 15.0  # of one action
REACHED, COLLIDED = 100.0, -200.0  # rewards of the thesis; each second costs 1
NEAR_GOAL: Final = 0.45  # metres within which the goal is reached
MARGIN: Final = 0.04  # metres that bodies must keep from obstacles, since the model has no foot locking
GROWTHS: Final = 2  # of the trees in each round; the second on values that account for more than the next few actions
ANYWHERE: Final = 0.5  # chance to begin elsewhere than at the start, so that states near goals are met early
LONGEST: Final = 40  # actions of one character


@dataclass(frozen=True)
class LearningSettings:
    """Size of the learning: `rounds` of `states` each, from characters in `worlds` random worlds.

    A forest has `trees` trees with at least `leaf` states at a leaf; each split looks at a `share` of its candidates.
    `discount` is that of one action, `explore` the share of random actions. After each growth, values at leaves are
    iterated `sweeps` times at most, until none changes by more than `tolerance`. With `separate`, each action has
    `trees` trees of its own, as in the thesis; otherwise trees serve all actions.
    """

    rounds: int = 5
    states: int = 5000
    worlds: int = 800
    trees: int = 10
    leaf: int = 4
    share: float = 0.4
    discount: float = 0.97
    explore: float = 0.15
    sweeps: int = 30
    tolerance: float = 0.5
    separate: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        if min(self.rounds, self.states, self.worlds, self.trees, self.leaf, self.sweeps) < 1:
            raise ValueError("LearningSettings: expected counts of at least 1")
        if not (0.0 < self.share <= 1.0 and 0.0 < self.discount < 1.0 and 0.0 <= self.explore <= 1.0):
            raise ValueError("LearningSettings: expected shares from 0 to 1")


class Walkers(NamedTuple):
    """Characters [n], each alone in a world."""

    state: IntArray  # [n]
    position: FloatArray  # [n, 2], metres
    yaw: FloatArray  # [n], radians, of the root
    world: IntArray  # [n]
    frame: IntArray  # [n], since the start of its world

    def take(self, rows: IntArray | BoolArray) -> Walkers:
        """Return the characters `rows`."""
        return Walkers(self.state[rows], self.position[rows], self.yaw[rows], self.world[rows], self.frame[rows])


class Model:
    """Motion of characters under held actions: the policy's decisions, without foot locking and memory."""

    def __init__(self, controller: Controller, futures: Futures) -> None:
        futures.check_controller(controller)
        motion, footing = controller.root_motion, Footing.of(controller)
        self.decided, self.nearest = decisions(controller), nearest_nodes()
        self.step_of, self.turn_of, self.facing_of = footing.root_step, footing.yaw_turn, motion.facing
        votes = controller.field.state_votes
        turning = motion.turn[:, :1] / motion.frame_time
        self.motion = np.concatenate([motion.velocity, turning, votes], axis=1).astype(np.float32)
        self.starts = controller.start_states
        self.frame_time, self.top = futures.frame_time, futures.top
        self.hold = max(1, round(HOLD_SECONDS / futures.frame_time))
        self.digest = futures.policy_digest

    def facing(self, walkers: Walkers) -> FloatArray:
        """Return the facing [n] in radians."""
        return np.asarray(walkers.yaw + self.facing_of[walkers.state])

    def step(self, walkers: Walkers, heading: FloatArray, speed: IntArray) -> Walkers:
        """Return the characters one frame later, walking at world `heading` [n] with the speed number `speed` [n]."""
        off = wrap_angle(heading - self.facing(walkers))
        part = np.clip(((off + np.pi) * (PARTS / (2.0 * np.pi))).astype(np.int64), 0, PARTS - 1)
        chosen, variant = self.decided[walkers.state, speed, self.nearest[part]].astype(np.int64).T
        sine, cosine, step = np.sin(walkers.yaw), np.cos(walkers.yaw), self.step_of[chosen]
        moved = np.stack([cosine * step[:, 0] + sine * step[:, 2], cosine * step[:, 2] - sine * step[:, 0]], axis=-1)
        yaw = walkers.yaw + self.turn_of[chosen, variant]
        return Walkers(chosen + 1, walkers.position + moved, yaw, walkers.world, walkers.frame + 1)


class Outcome(NamedTuple):
    """Characters [n] after an action, its reward, and whether it reached the goal or collided."""

    walkers: Walkers
    reward: FloatArray  # [n]
    over: BoolArray  # [n]


class Arena:
    """Worlds in which characters of a `model` act, and perceive with `sensor`; frame 0 is at `start` seconds."""

    def __init__(
        self,
        model: Model,
        worlds: Sequence[World],
        sensor: DepthScan | Nearest,
        *,
        frames: int | None = None,
        start: float = 0.0,
    ) -> None:
        self.model, self.sensor = model, sensor
        count = LONGEST * model.hold if frames is None else frames
        self.tables = WorldTables(worlds, count, model.frame_time, start=start)
        goals = [world.goals[0] for world in worlds]
        self.goals = np.array([(goal.x, goal.z) for goal in goals if isinstance(goal, Reach)])

    def begin(self, rng: np.random.Generator, *, anywhere: float) -> Walkers:
        """Return one character in each world, at its start, or with the chance `anywhere` elsewhere in free space."""
        count = len(self.goals)
        state, world = rng.choice(self.model.starts, count), np.arange(count)
        place = rng.uniform((-4.0, -1.0), (4.0, 9.0), (count, 2))
        place[rng.random(count) >= anywhere] = 0.0
        walkers = Walkers(state, place, rng.uniform(-np.pi, np.pi, count), world, np.zeros(count, np.int64))
        return walkers.take(clearances(self.tables.around(world, walkers.frame), place) > 0.05)

    def features(self, walkers: Walkers) -> FloatArray:
        """Return the features [n, feature], float32."""
        facing, around = self.model.facing(walkers), self.tables.around(walkers.world, walkers.frame)
        bare = bare_features(self.model.motion, walkers.state, walkers.position, facing, self.goals[walkers.world])
        return np.column_stack([bare, sensed(self.sensor, around, walkers.position, facing)]).astype(np.float32)

    def act(self, walkers: Walkers, actions: IntArray, *, frozen: bool = False) -> Outcome:
        """Return the outcome of `actions` [n], each held for a while; characters that collide or arrive stop there.

        With `frozen`, moving obstacles stand meanwhile, and the clocks of the characters too.
        """
        angle, speed = np.radians(ACTIONS[actions, 0]), ACTIONS[actions, 1]
        heading = self.model.facing(walkers) + angle
        reward = np.full(len(actions), -self.model.hold * self.model.frame_time)
        over = np.zeros(len(actions), np.bool_)
        for frame in range(self.model.hold):
            walkers = self.model.step(walkers, heading, speed)
            if frozen:
                walkers = walkers._replace(frame=walkers.frame - 1)
            if frame % 2 == 0 and frame + 1 < self.model.hold:
                continue
            gaps = clearances(self.tables.around(walkers.world, walkers.frame), walkers.position)
            far = np.hypot(*(self.goals[walkers.world] - walkers.position).T)
            hit, near = ~over & (gaps < MARGIN), ~over & (gaps >= MARGIN) & (far < NEAR_GOAL)
            reward += COLLIDED * hit + REACHED * near
            over |= hit | near
        return Outcome(walkers, reward, over)


class Samples(NamedTuple):
    """States [n] with the outcome of every action."""

    features: FloatArray  # [n, feature], float32
    reward: FloatArray  # [n, action]
    over: BoolArray  # [n, action]
    later: FloatArray  # [n, action, feature], float32


def scan_cells(sensor: DepthScan | Nearest, levels: tuple[int, int] | None) -> Cells:
    """Return the features that trees may use with `sensor`, refined from and to `levels` cells of its pyramid."""
    before, count = MOTION_SIZE + GOAL_SIZE, MOTION_SIZE + GOAL_SIZE + sensed_size(sensor)
    if levels is None:
        return Cells.every(count)
    coarsest, finest = levels
    if not isinstance(sensor, DepthScan) or not sensor.pyramid:
        raise ValueError("levels: expected a depth scan with a pyramid")
    powers = [1 << power for power in range(sensor.rays.bit_length())]
    if coarsest not in powers or finest not in powers or coarsest > finest:
        raise ValueError(f"levels: expected two ascending powers of two up to {sensor.rays}, got {levels!r:.40}")
    return Cells.of_pyramid(count, before, sensor.rays, coarsest, finest)


def _any_world(seed: int) -> World:
    return draw_world(seed)[0]


def learn_steering(
    controller: Controller,
    futures: Futures,
    sensor: DepthScan | Nearest,
    *,
    levels: tuple[int, int] | None = None,
    draw: Callable[[int], World] = _any_world,
    settings: LearningSettings | None = None,
    seed: int = 0,
    say: Callable[[str], None] | None = None,
) -> SteeringTrees:
    """Return trees that steer characters of `controller` to goals by `sensor`.

    `levels`, for a depth scan with a pyramid, are the coarsest and finest numbers of cells, such as (4, 32). A tree
    then sees the coarsest scan at its root and refines it along its branches where that pays (algorithm 2 of the
    thesis). Without `levels`, every split may use every resolution. `draw` returns a world for a seed. `seed` draws
    worlds, characters and trees; `say` hears of each round.
    """
    model = Model(controller, futures)
    return learn_with(model, sensor, levels=levels, draw=draw, settings=settings, seed=seed, say=say)


def learn_with(
    model: Model,
    sensor: DepthScan | Nearest,
    *,
    levels: tuple[int, int] | None = None,
    draw: Callable[[int], World] = _any_world,
    settings: LearningSettings | None = None,
    seed: int = 0,
    say: Callable[[str], None] | None = None,
) -> SteeringTrees:
    """Return trees as `learn_steering` does, for a `model` that several forests share."""
    use, cells = settings or LearningSettings(), scan_cells(sensor, levels)
    forest, known = None, None
    for number in range(use.rounds):
        rng = np.random.default_rng([seed, number])
        first = int(rng.integers(1 << 40)) + (1 << 40)  # far from the seeds of trials
        arena = Arena(model, [draw(first + world) for world in range(use.worlds)], sensor)
        met = _explored(arena, forest, use, rng)
        found = evaluated(arena, met.take(rng.permutation(len(met.state))[: use.states]))
        known = found if known is None else Samples(*(np.concatenate(two) for two in zip(known, found, strict=True)))
        forest, residual = _fitted(known, forest, use, cells, int(rng.integers(1 << 31)))
        if say is not None:
            size = f"{len(known.features)} states, {len(forest.feature)} nodes"
            say(f"round {number + 1} of {use.rounds}: {size}, residual {residual:.2f}")
    assert forest is not None
    return SteeringTrees(forest, sensor, model.motion, model.hold, model.top, model.digest)


def _explored(arena: Arena, forest: Forest | None, use: LearningSettings, rng: np.random.Generator) -> Walkers:
    """Return characters that random actions, or the forest with some random actions, lead to."""
    walkers, met = arena.begin(rng, anywhere=1.0 if forest is None else ANYWHERE), []
    for _ in range(LONGEST // 3 if forest is None else LONGEST):
        if not len(walkers.state):
            break
        met.append(walkers.take(rng.random(len(walkers.state)) < 0.5))
        actions = rng.integers(len(ACTIONS), size=len(walkers.state))
        if forest is not None:
            best = forest.action_values(forest.leaves(arena.features(walkers))).argmax(axis=1)
            actions = np.where(rng.random(len(best)) < use.explore, actions, best)
        outcome = arena.act(walkers, actions)
        walkers = outcome.walkers.take(~outcome.over)
    return Walkers(*(np.concatenate(parts) for parts in zip(*met, strict=True)))


def evaluated(arena: Arena, walkers: Walkers, *, frozen: bool = False) -> Samples:
    """Return the outcome of every action of `walkers` [n]; with `frozen`, obstacles stand meanwhile."""
    count, actions = len(walkers.state), len(ACTIONS)
    every = walkers.take(np.repeat(np.arange(count), actions))
    outcome = arena.act(every, np.tile(np.arange(actions), count), frozen=frozen)
    features = arena.features(walkers)
    later = np.zeros((count * actions, features.shape[1]), np.float32)
    going = ~outcome.over
    later[going] = arena.features(outcome.walkers.take(going))
    shape = (count, actions)
    return Samples(features, outcome.reward.reshape(shape), outcome.over.reshape(shape), later.reshape(*shape, -1))


def _fitted(
    known: Samples, forest: Forest | None, use: LearningSettings, cells: Cells, seed: int
) -> tuple[Forest, float]:
    """Return a forest grown on `known`, whose values at leaves satisfy Bellman's equation, and its residual."""
    later = known.later.reshape(-1, known.later.shape[-1])
    targets = known.reward
    if forest is not None:
        targets = backed_up(known, forest.best_values(forest.leaves(later)), use.discount)
    residual = np.inf
    for growth in range(GROWTHS):
        forest = grow_forest(
            known.features,
            targets,
            trees=use.trees,
            leaf=use.leaf,
            share=use.share,
            seed=(seed + growth) % (1 << 31),
            cells=cells,
            separate=use.separate,
        )
        leaves, later_leaves = forest.leaves(known.features), forest.leaves(later)
        for _ in range(use.sweeps):
            forest = forest.with_means(leaves, targets, separate=use.separate)
            better = backed_up(known, forest.best_values(later_leaves), use.discount)
            residual, targets = float(np.abs(better - targets).max()), better
            if residual < use.tolerance:
                break
        forest = forest.with_means(leaves, targets, separate=use.separate)
    assert forest is not None
    return forest, residual


def backed_up(known: Samples, best: FloatArray, discount: float) -> FloatArray:
    """Return reward plus discounted value of the `best` [n * action] action afterwards, [n, action]."""
    return np.asarray(known.reward + discount * np.where(known.over, 0.0, best.reshape(known.reward.shape)))
