"""Shove a walking character, see that it staggers and goes on, and write that: python examples/push.py OUT.bvh"""

from __future__ import annotations

import sys

import numpy as np

import motionfields as mf
from motionfields.samples import generate_samples

NAMES = ("walk_forward", "turn_left_090_quick", "turn_right_090_quick", "turn_left_045_gentle", "turn_right_045_gentle")


def main(output: str) -> None:
    """Push one of two characters, and write it to the file `output`."""
    clips = [sample.clip for sample in generate_samples() if sample.clip.name in NAMES]
    field = mf.MotionField(mf.MotionDatabase.build(clips), tail=1, standing=True)
    crowd = mf.train(field, mf.tasks.Direction()).crowd(count=2)
    frames = []
    for number in range(150):
        if number == 75:
            crowd.push(0, "Spine2", (-300.0, 0.0, 0.0))  # to its right; character 1 is left alone
        frames.append(crowd.step(0.0))
    roots = np.stack([frame.root_position for frame in frames])
    start = 75
    pushed = (roots[:, 0] - roots[start - 1, 0]) @ np.array([-1.0, 0.0, 0.0])
    print(f"half a second after the push it is {100 * pushed[start + 15]:.0f} cm to its right")
    assert pushed[start + 15] > 0.05
    print(f"two seconds after it, it goes {abs(np.degrees(crowd.ground.facing[0])):.0f} degrees off its way")
    assert abs(crowd.ground.facing[0]) < np.radians(10.0)
    rotations = np.stack([frame.rotations[0] for frame in frames]).astype(np.float64)
    skeleton, frame_time = field.database.skeleton, field.database.frame_time
    clip = mf.Clip(skeleton, roots[:, 0], mf.geometry.quat_normalize(rotations), frame_time, name="pushed")
    mf.save_clip(clip, output)
    print(f"{output}: {clip.duration:.1f} s")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "pushed.bvh")
