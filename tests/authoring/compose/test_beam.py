"""The compiled loops of the search for places equal plain ones."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.authoring.compose.beam import Aim, Particles, World, expand, join, select
from motionfields.base.geometry import turn_over_ground, wrap_angle

AIM = Aim(1.0, 2.0, 0.5, 30.0, 10.0, 0.4, 0.2, 1.0)


def world(rng: np.random.Generator, count: int = 40) -> World:
    left = np.concatenate([np.arange(25)[::-1], np.arange(count - 25)[::-1]])
    rows = [np.sort(rng.choice(count, int(rng.integers(0, 4)), replace=False)) for _ in range(count)]
    first = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    costs = np.concatenate([np.sort(rng.uniform(0.5, 5.0, len(row))) for row in rows])
    steps, turns, facing = rng.normal(0, 0.05, (count, 2)), rng.normal(0, 0.1, count), rng.normal(0, 0.2, count)
    return World(steps, turns, facing, left, first, np.concatenate(rows).astype(np.int32), costs)


def particles(rng: np.random.Generator, count: int = 15) -> Particles:
    out = Particles.empty(count)
    out.state[:] = rng.integers(0, 40, count)
    for values in (out.x, out.z, out.yaw, out.cost):
        values[:] = rng.normal(0.0, 1.0, count)
    out.held[:] = rng.integers(0, 3, count)
    return out


def penalty(aim: Aim, x: float, z: float, heading: float) -> float:
    over = max(0.0, float(np.hypot(x - aim.x, z - aim.z)) - aim.reach)
    turn = max(0.0, abs(float(wrap_angle(np.asarray(heading - aim.heading)))) - aim.spin)

    def bent(value: float) -> float:
        return value**2 if value < 0.5 else value - 0.25

    return aim.place_cost * bent(over) + (aim.heading_cost * bent(turn) if aim.heading_cost > 0.0 else 0.0)


@pytest.mark.parametrize("seed", range(3))
def test_all_ways_on_are_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ground, old = world(rng), particles(rng)
    own, shown = rng.uniform(0.0, 1.0, 40), rng.uniform(0.0, 5.0, 40)
    new, score = Particles.empty(200), np.empty(200)
    count = expand(ground, old, AIM, shown, own, 1e9, 3, new, score)
    expected = []
    for p in range(15):
        state = int(old.state[p])
        if ground.left[state] < 1:
            continue
        step = turn_over_ground(ground.steps[state], np.asarray(old.yaw[p]))
        x, z, yaw = old.x[p] + step[0], old.z[p] + step[1], old.yaw[p] + ground.turns[state]
        ways = [(state + 1, 0.0, max(int(old.held[p]) - 1, 0))]
        if old.held[p] <= 0:
            own_cuts = range(ground.first[state + 1], ground.first[state + 2])
            ways += [(int(ground.targets[cut]), float(ground.costs[cut]), 2) for cut in own_cuts]
        for target, price, held in ways:
            off = penalty(AIM, float(x), float(z), float(yaw + ground.facing[target]))
            expected.append(
                (
                    target,
                    x,
                    z,
                    yaw,
                    old.cost[p] + price + own[target] + off,
                    held,
                    p,
                    old.cost[p] + price + shown[target] + off,
                )
            )
    assert count == len(expected)
    found = np.column_stack([*(values[:count] for values in new), score[:count]])
    np.testing.assert_allclose(found, np.array(expected), atol=1e-9)
    small = expand(ground, old, AIM, shown, own, 1.0, 3, new, score)
    assert 0 < small < count
    assert AIM.penalty(3.0, 1.0, 2.0) == pytest.approx(penalty(AIM, 3.0, 1.0, 2.0))


def test_cells_keep_their_best_and_most_different_particles() -> None:
    rng = np.random.default_rng(5)
    many = particles(rng, 300)
    order = rng.permutation(300)
    chosen = np.empty(300, np.int64)
    count = select(order, many, 0.8, 1.0, 3, 6, 1 << 12, chosen)
    seen: dict[tuple[int, ...], list[int]] = {}
    expected = []
    for i in order.tolist():
        yaw = float(wrap_angle(many.yaw[i]))
        cell = tuple(int(np.floor(v)) for v in (many.x[i] / 0.8, many.z[i] / 0.8, yaw))
        groups = seen.setdefault(cell, [])
        if len(groups) < 3 and many.state[i] // 6 not in groups:
            groups.append(int(many.state[i] // 6))
            expected.append(i)
    np.testing.assert_array_equal(chosen[:count], expected)
    assert select(order, many, 0.8, 1.0, 3, 6, 1 << 12, chosen[:7]) == 7


def test_the_cheapest_join_is_found() -> None:
    rng = np.random.default_rng(9)
    ground, before = world(rng), particles(rng, 20)
    starts = rng.integers(0, 40, 30)
    x, z, heading, cost = (rng.normal(0.0, 1.0, 30) for _ in range(4))
    head, following = np.full(40, -1, np.int64), np.full(30, -1, np.int64)
    for ending in range(29, -1, -1):
        following[ending], head[starts[ending]] = head[starts[ending]], ending
    best = (np.inf, -1, -1)
    for p in range(20):
        state = int(before.state[p])
        if ground.left[state] < 1:
            continue
        step = turn_over_ground(ground.steps[state], np.asarray(before.yaw[p]))
        yaw = before.yaw[p] + ground.turns[state]
        ways = [(state + 1, 0.0)]
        if before.held[p] <= 0:
            own_cuts = range(ground.first[state + 1], ground.first[state + 2])
            ways += [(int(ground.targets[cut]), float(ground.costs[cut])) for cut in own_cuts]
        for target, price in ways:
            for e in np.flatnonzero(starts == target).tolist():
                gap = turn_over_ground(np.array([x[e], z[e]]), np.asarray(yaw))
                place = float(before.x[p] + step[0] + gap[0]), float(before.z[p] + step[1] + gap[1])
                value = before.cost[p] + price + cost[e] + penalty(AIM, *place, float(yaw + heading[e]))
                best = min(best, (float(value), p, e))
    found = join(ground, before, head, following, x, z, heading, cost, AIM)
    assert found[0] == pytest.approx(best[0])
    assert found[1:] == best[1:]
