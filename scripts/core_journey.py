"""Build, train, step, push, save and load once, and check that all numbers are finite; `scripts/check_lowest` runs it.

python scripts/core_journey.py
"""

from __future__ import annotations

import re
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np

import motionfields as mf
from motionfields.control.tasks import Direction, Velocity
from motionfields.motion.samples import generate_samples
from motionfields.runtime.recording import Commands, TimedPush, record


def main() -> None:
    print(", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "numba", "typer", "rich", "mujoco")))
    clips = [sample.clip for sample in generate_samples(only=re.compile("walk_forward|turn_left_090_quick"))]
    with tempfile.TemporaryDirectory() as folder:
        for name in ("walk.bvh", "walk.glb"):
            mf.save_clip(clips[0], Path(folder, name))
            assert mf.load_clip(Path(folder, name)).frame_count == clips[0].frame_count
        field = mf.MotionField(mf.MotionDatabase.build(clips))
        field.save(Path(folder, "walk.field"))
        runs = field.synthesize(field.start(2), 0.5)
        assert np.isfinite(runs.poses.root_position).all()
        settings = mf.ControlSettings(neighbor_count=10)
        for task in (Direction(), Velocity()):
            mf.train(mf.MotionField.load(Path(folder, "walk.field")), task, settings=settings).save(
                Path(folder, "a.ctrl")
            )
            controller = mf.load_controller(Path(folder, "a.ctrl"))
            crowd = controller.crowd(70, seed=1)
            for _ in range(10):
                frame = crowd.step(np.full(len(task.command_names), 0.5))
            assert all(np.isfinite(track).all() for track in frame)
        pushes = (TimedPush(0.2, "Spine", (200.0, 0.0, 0.0), 0.1),)
        commands = Commands(("heading", "speed"), np.zeros(1), np.array([[0.5, 1.0]]), 1.0, pushes)
        mf.save_clip(record(controller, commands), Path(folder, "take.bvh"))
    print("the core works with these versions")


if __name__ == "__main__":
    main()
