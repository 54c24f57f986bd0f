"""Push a walking character, measure its displacement, and check that it recovers.

    python examples/05_push_and_measure.py [FOLDER]        (needs pip install "motionfields[physics]")

A physics engine simulates the push for a tenth of a second, and the field continues from the resulting pose and
velocity; no training is needed. The program compares the character with an unpushed copy, prints its displacement for
pushes of different strength, and writes a clip.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

import numpy as np

import motionfields as mf

CLIPS = re.compile("walk_forward|turn_left_090_quick|turn_left_045_gentle")
FORCES = (0.0, 150.0, 300.0)  # newtons, for 0.1 s
START, FRAMES = 60, 135  # the frame of the push, and of the end


def main(folder: Path) -> None:
    """Push two of three characters, and write the one that was pushed most to `folder`."""
    clips = [sample.clip for sample in mf.samples.generate_samples(only=CLIPS)]
    field = mf.MotionField(mf.MotionDatabase.build(clips))
    crowd = mf.train(field, mf.tasks.Direction()).crowd(count=len(FORCES))
    for character in range(crowd.count):  # they are twins: all begin in the same state
        crowd.start_from(field.draw(1, seed=2), np.array([character]))
    frames = []
    for number in range(FRAMES):
        if number == START:
            for character, force in enumerate(FORCES):
                crowd.push(character, "Spine2", (-force, 0.0, 0.0))  # to its right
        frames.append(crowd.step(0.0))

    roots = np.stack([frame.root_position for frame in frames])  # [frame, character, 3]
    aside = (roots[..., 0] - roots[START - 1, :, 0]) * -1.0
    aside -= aside[:, :1]  # beside the twin
    for character, force in enumerate(FORCES[1:], start=1):
        way = aside[START:, character].max()
        off = np.degrees(abs(crowd.ground.facing[character]))
        print(f"{force:.0f} N: {100 * way:.0f} cm aside; after 2.5 s it goes {off:.0f} degrees off its way")
        assert off < 10.0, f"expected it to recover, it faces {off:.0f} degrees off"
    assert 0.02 < aside[START:, 1].max() < aside[START:, 2].max(), "expected a harder push to move it farther"

    rotations = np.stack([frame.rotations[-1] for frame in frames]).astype(np.float64)
    skeleton, frame_time = field.database.skeleton, field.database.frame_time
    clip = mf.Clip(skeleton, roots[:, -1], mf.geometry.quat_normalize(rotations), frame_time, name="pushed")
    mf.save_clip(clip, folder / "pushed.bvh")
    print(f"pushed.bvh: {clip.duration:.1f} s")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as spare:
        main(Path(sys.argv[1] if len(sys.argv) > 1 else spare))
