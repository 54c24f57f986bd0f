"""Train a controller for walking directions, save it, load it and steer a character.

    python examples/03_first_controller.py [FOLDER]

A controller stores the transitions of every state and their values for the task, so it plans ahead: it starts a turn
with the step that completes it soonest. The program prints the duration of turns.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

import numpy as np

import motionfields as mf

CLIPS = re.compile("walk_forward|turn_left_045_gentle|turn_left_(090|180)_quick")


def main(folder: Path) -> None:
    """Write a controller to `folder`, load it, and turn characters with it."""
    clips = [sample.clip for sample in mf.samples.generate_samples(only=CLIPS)]
    field = mf.MotionField(mf.MotionDatabase.build(clips))
    trained = mf.train(field, mf.tasks.Direction())
    trained.save(folder / "walker.ctrl")
    size = (folder / "walker.ctrl").stat().st_size
    print(f"trained on {field.database.state_count} states in {trained.sweeps} sweeps; {size / 1e6:.1f} MB on disk")

    controller = mf.FieldController.load(folder / "walker.ctrl")
    crowd = controller.crowd(count=8, seed=0)
    for _ in range(60):  # two seconds straight ahead, to +z
        crowd.step(0.0)

    goals = np.radians([45.0, 90.0, 135.0, 180.0, -45.0, -90.0, -135.0, -170.0])  # positive is to the left
    done = np.full(8, np.inf)
    for frame in range(150):
        crowd.step(goals)
        off = np.abs(mf.geometry.angle_difference(crowd.ground.facing, goals))
        arrived = (off < np.radians(5.0)) & np.isinf(done)
        done[arrived] = (frame + 1) * field.database.frame_time
    for goal, seconds in zip(np.degrees(goals), done, strict=True):
        print(f"turn by {goal:4.0f} degrees: done after {seconds:.2f} s")
    assert np.isfinite(done).all(), "expected every turn to be done within five seconds"
    assert done.mean() < 2.0, f"expected quick turns, they take {done.mean():.1f} s on average"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as spare:
        main(Path(sys.argv[1] if len(sys.argv) > 1 else spare))
