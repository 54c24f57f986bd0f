"""Build a motion field from four clips and let a character move through it without a task.

    python examples/02_first_field.py [FOLDER]

Every frame of the data is a state. New motion follows a blend of the states most similar to the current one, so it
resembles the clips without replaying them. The program prints the distance to the data, in units of the spacing between
similar states of the data, and writes a clip to look at.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

import numpy as np

import motionfields as mf

CLIPS = re.compile("walk_forward|walk_fast|turn_left_045_gentle|turn_left_090_quick")


def main(folder: Path) -> None:
    """Write a field and ten seconds of new motion to `folder`."""
    clips = [sample.clip for sample in mf.samples.generate_samples(only=CLIPS)]
    database = mf.MotionDatabase.build(clips)  # with mirror images, at 30 frames per second
    print(f"{len(clips)} clips, {database.state_count} states of {database.skeleton.joint_count} joints")

    field = mf.MotionField(database)
    field.save(folder / "walker.field")
    field = mf.MotionField.load(folder / "walker.field")

    runs = field.synthesize(field.start(3, seed=1), 10.0)  # three characters at once
    away = float(np.median(runs.distances) / field.passive_states().spacing.median)
    print(f"to the nearest state it is {away:.1f} times as far as from one captured state to another like it")
    assert away < 2.0, f"expected motion like the data, it is {away:.1f} times as far away as the data from itself"

    moved = field.clips(runs)  # with their feet held in place
    mf.save_clip(moved[0], folder / "passive.bvh")
    travelled = [float(np.linalg.norm(np.diff(clip.root_position, axis=0), axis=1).sum()) for clip in moved]
    print(f"{moved[0].frame_count} frames each, {', '.join(f'{way:.1f} m' for way in travelled)} of way")
    assert all(np.isfinite(clip.root_position).all() for clip in moved), "expected finite positions"
    assert min(travelled) > 4.0, f"expected characters that keep walking, one went {min(travelled):.1f} m in 10 s"

    skate = np.mean([mf.quality.foot_skate(clip, mf.detect_contacts(clip)).mean for clip in moved])
    print(f"foot skate {100 * skate:.2f} cm/s")
    assert skate < 0.02, f"expected planted feet, they slide at {100 * skate:.1f} cm/s"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as spare:
        main(Path(sys.argv[1] if len(sys.argv) > 1 else spare))
