"""Move a thousand characters at once, each to its own goal.

    python examples/06_crowd.py

A crowd takes one command per character and returns poses as arrays, for a game or a renderer. Characters are
independent of each other: the last line repeats one of the thousand walks with a single character, and the result is
bit-identical.
"""

from __future__ import annotations

import re
import time

import numpy as np

import motionfields as mf

CLIPS = re.compile("walk_forward|turn_left_045_gentle|turn_left_090_quick")
COUNT, FRAMES = 1000, 150


def main() -> None:
    """Walk with a crowd, then with one of it alone."""
    clips = [sample.clip for sample in mf.samples.generate_samples(only=CLIPS)]
    field = mf.MotionField(mf.MotionDatabase.build(clips))
    controller = mf.train(field, mf.tasks.Direction())

    goals = np.linspace(-np.pi, np.pi, COUNT, endpoint=False)  # radians; all ways out of one point
    crowd = controller.crowd(count=COUNT, seed=0)
    crowd.step(goals)  # the first frame compiles
    began = time.perf_counter()
    for _ in range(FRAMES - 1):
        frame = crowd.step(goals)
    took = time.perf_counter() - began
    print(f"{COUNT} characters, {1e6 * took / (FRAMES - 1) / COUNT:.1f} microseconds for each and frame")
    print(f"poses {frame.rotations.shape}, positions {frame.root_position.shape}, feet held {frame.planted.mean():.0%}")
    off = np.degrees(np.abs(mf.geometry.angle_difference(crowd.ground.facing, goals)))
    print(f"off their goals by {off.mean():.1f} degrees on average, {off.max():.1f} at most")
    assert off.mean() < 10.0, (
        f"expected characters that go where they are told, they are off by {off.mean():.0f} degrees"
    )

    # The start of a character is drawn by its number, so the first of the thousand is the only one of a crowd of one.
    alone = controller.crowd(count=1, seed=0)
    for _ in range(FRAMES):
        single = alone.step(goals[:1])
    same = np.array_equal(single.rotations[0], frame.rotations[0])
    print(f"the first of them, walking alone: {'the same bits' if same else 'other bits'}")
    assert same, "expected the same motion in company and alone"


if __name__ == "__main__":
    main()
