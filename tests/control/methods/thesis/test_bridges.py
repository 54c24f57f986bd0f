"""A walk and a run, with one pair of clips that leads smoothly from the walk to the run, and one that does not."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from motionfields.control.methods.thesis import Skill, Steps, Switch, bridge_clips

SPEEDS = np.array([0.5, 1.5, 1.0, 1.0])  # m/s, of a walk, a run, a smooth step between, and a rough one
PAIR = np.repeat(np.arange(4), 2)  # clips 2 n and 2 n + 1 are a step and its mirror image


def steps_between() -> Steps:
    """Steps of 0.5 s straight ahead; only the third pair leads smoothly from the walk to the run."""
    speed, foot = SPEEDS[PAIR], np.arange(8) % 2
    jump = np.abs(speed[:, np.newaxis] - speed)
    rough = np.where((PAIR == 3)[:, np.newaxis] ^ (PAIR == 3), 3.0, 0.0)
    cost = np.where(foot[:, np.newaxis] != foot, 3.0 * jump**2 + rough, np.inf)
    travel = np.stack([np.zeros(8), 0.5 * speed], axis=-1)
    return Steps(np.arange(8), np.zeros((8, 8)), np.tile(travel, (8, 1, 1)), cost, np.full(8, 0.5), np.zeros((8, 2)))


@pytest.fixture(scope="module")
def switch() -> Switch:
    walk, run = (Skill(name, np.array(pair == PAIR), float(SPEEDS[pair])) for name, pair in (("walk", 0), ("run", 1)))
    return Switch(steps_between(), PAIR, walk, run)


def test_the_smooth_pair_is_chosen_first_and_brings_what_was_predicted(switch: Switch) -> None:
    bridge = bridge_clips(switch, 1)
    assert bridge.pairs == (2,)
    assert np.isnan(bridge.predicted[1])  # the target's own
    assert bridge.costs[1] < bridge.costs[0]
    assert bridge.costs[0] - bridge.costs[1] == pytest.approx(bridge.predicted[2], abs=1e-3)
    assert bridge.predicted[3] == pytest.approx(0.0, abs=1e-6)
    assert bridge.least == pytest.approx(bridge.costs[1], abs=1e-3)


def test_the_values_of_the_target_stay_fixed(switch: Switch) -> None:
    every = np.ones(8, np.bool_)
    target = switch.target.clips
    np.testing.assert_array_equal(switch.solved(every)[target], switch.fixed[target])
    np.testing.assert_allclose(switch.fixed[target].max(), 0.0, atol=1e-3)  # a run ahead costs nothing


def test_more_clips_never_cost_more(switch: Switch) -> None:
    costs = bridge_clips(switch, 3).costs
    assert all(after <= before + 1e-9 for before, after in pairwise(costs))
