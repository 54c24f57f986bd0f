"""Learn a policy that walks characters to goals, through the Gymnasium interface.

    python examples/10_gymnasium.py        (needs pip install "motionfields[rl,train]")

A crowd is one vector environment. An action is a heading; the controller chooses the motion, so there is little to
learn. The cross-entropy method finds the seven weights of a policy in six rounds. The program prints its reward on
unseen goals, beside that of a character that walks straight ahead.
"""

from __future__ import annotations

import re

import numpy as np

import motionfields as mf
from motionfields.base.arrays import FloatArray
from motionfields.runtime.environment import CrowdEnv

CLIPS = re.compile("walk_forward|turn_left_090_quick")
COUNT, STEPS = 64, 40


def play(envs: CrowdEnv, weights: FloatArray, seed: int) -> FloatArray:
    """Return the reward [64] that characters with `weights` [64, 7] earn in 40 steps."""
    observations, _ = envs.reset(seed=seed)
    earned = np.zeros(COUNT)
    for _ in range(STEPS):
        actions = np.tanh((observations * weights).sum(axis=1, keepdims=True))
        observations, rewards, *_ = envs.step(actions)
        earned += rewards
    return earned


def main() -> None:
    """Learn, and compare with walking straight ahead."""
    clips = [sample.clip for sample in mf.samples.generate_samples(only=CLIPS)]
    field = mf.MotionField(mf.MotionDatabase.build(clips))
    envs = CrowdEnv(mf.train(field, mf.tasks.Direction()), COUNT, time_limit=10.0)

    rng = np.random.default_rng(0)
    mean, spread = np.zeros(7), np.full(7, 0.3)
    for number in range(6):
        drawn = mean + spread * rng.normal(size=(COUNT, 7))
        earned = play(envs, drawn, seed=number)
        best = drawn[np.argsort(-earned)[:16]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.05
        print(f"round {number}: {earned.mean():5.2f} on average")

    straight = play(envs, np.zeros((COUNT, 7)), seed=100).mean()
    learnt = play(envs, np.tile(mean, (COUNT, 1)), seed=100).mean()
    print(f"on new goals: {learnt:.2f}; straight ahead: {straight:.2f}")
    assert learnt > 3.0 > straight, "expected the policy to reach goals that walking straight ahead does not"


if __name__ == "__main__":
    main()
