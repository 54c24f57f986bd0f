"""Retarget a motion to another body with other joint names, and export it as BVH and glTF.

    python examples/09_retarget.py [FOLDER]

The program retargets a generated walk to a child of 70 % of the size, with the joint names of SMPL. The report lists
the mapped joints, how far the feet were moved, and the foot skate before and after. The clip is written as BVH and as
binary glTF, which Blender, Unity, Unreal, Godot and web pages can read.
"""

from __future__ import annotations

import re
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

import motionfields as mf
from motionfields.motion.clip import RIGS


def main(folder: Path) -> None:
    """Write the motion of the child to `folder`."""
    walk = mf.samples.generate_samples(only=re.compile("walk_forward"))[0].clip
    called = {names[0]: RIGS["SMPL"][part][0] for part, names in RIGS["Mixamo"].items() if part in RIGS["SMPL"]}
    small = mf.rescale(walk, 0.7).skeleton
    child = replace(small, names=tuple(called[name] for name in small.names))

    moved, report = mf.retarget_with_report(walk, child)
    for line in report.lines():
        print(line)
    assert len(report.pairs) == child.joint_count, "expected every joint to find its match"
    way = np.linalg.norm(moved.root_position[-1] - moved.root_position[0])
    whole = np.linalg.norm(walk.root_position[-1] - walk.root_position[0])
    print(f"it goes {way:.2f} m where the model went {whole:.2f} m")
    assert abs(way / whole - 0.7) < 0.02, f"expected 70 % of the way, got {way / whole:.0%}"

    for name in ("child.bvh", "child.glb"):
        mf.save_clip(moved, folder / name)
        again = mf.load_clip(folder / name)
        off = np.abs(again.root_position - moved.root_position).max()
        print(f"{name}: {(folder / name).stat().st_size / 1e3:.0f} kB, read again to within {1000 * off:.2f} mm")
        assert off < 1e-3, f"expected {name} to hold the same motion, it is off by {off} m"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as spare:
        main(Path(sys.argv[1] if len(sys.argv) > 1 else spare))
