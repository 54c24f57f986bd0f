"""Read a motion file, show the detected unit, axes and rest pose, and measure the motion.

    python examples/01_read_and_measure.py [FOLDER]

The program writes a generated walk in inches and reads it back without giving the unit. It prints the evidence for the
detected unit and axes, the agreement of detected foot contacts with the true ones, which are known for a generated
clip, and several measures.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

import numpy as np

import motionfields as mf


def main(folder: Path) -> None:
    """Write, read and measure a walk in `folder`."""
    sample = mf.samples.generate_samples(only=re.compile("walk_forward"))[0]
    mf.save_clip(sample.clip, folder / "walk.bvh", unit="inch")

    clip = mf.load_clip(folder / "walk.bvh")
    assert clip.report is not None
    print(f"{clip.name}: {clip.duration:.1f} s, {clip.frame_count} frames, {clip.skeleton.joint_count} joints")
    for name in ("scale", "up", "facing", "rest_frames"):
        finding = getattr(clip.report, name)
        print(f"  {name}: {finding.value}, since {finding.evidence}")
    off = np.abs(clip.root_position - sample.clip.root_position).max()
    assert off < 1e-4, f"expected the same way in metres, it is off by {off} m"

    contacts = mf.detect_contacts(clip)  # [frame, 2], left and right
    agree = (contacts == sample.contacts).mean()
    print(f"contacts: {contacts.mean():.0%} of the time, {agree:.0%} as they truly are")
    assert agree > 0.85, f"expected contacts to be found, got {agree:.0%} of them right"

    smooth = mf.resample(mf.low_pass(clip), 30.0)
    skate = mf.quality.foot_skate(smooth, mf.detect_contacts(smooth))
    speed = np.median(mf.quality.root_speed(smooth))
    print(
        f"speed {speed:.2f} m/s, foot skate {100 * skate.mean:.1f} cm/s, jerk {mf.quality.mean_jerk(smooth):.0f} m/s3"
    )
    assert 0.5 < speed < 1.2, f"expected a walk, got {speed:.2f} m/s"
    assert skate.mean < 0.02, f"expected feet that stand, got {100 * skate.mean:.1f} cm/s"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as spare:
        main(Path(sys.argv[1] if len(sys.argv) > 1 else spare))
