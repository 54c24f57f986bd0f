"""Compare FBX files made with Blender, as this package reads them, with Blender's own joint positions.

    python scripts/prove_fbx.py --blender PYTHON [--only NAME] [--folder FOLDER]

PYTHON is a Python with bpy, which runs `scripts/make_fbx.py`. Every joint must be within 0.1 mm of Blender's at every
frame, in metres, with the right frame rate and takes. Prints a line for each file and exits with 1 if one is wrong.
Positions may differ by a turn about the vertical, since clips face +z. Without --blender, the files of an earlier run
in FOLDER are compared.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import motionfields as mf
from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_from_yaw, quat_rotate

MOST_APART = 1e-4  # metres


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blender", help="a Python with bpy; without it, existing files are compared")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--only")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="fbx-"))
    if options.blender:
        command = [options.blender, str(Path(__file__).with_name("make_fbx.py")), str(folder)]
        command += ["--only", options.only] if options.only else []
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    files = sorted(path for path in folder.glob("*.fbx") if options.only in (None, path.stem))
    wrong = sum(not report(path) for path in files)
    print(f"{len(files)} files, {wrong} wrong, in {folder}")
    sys.exit(1 if wrong or not files else 0)


def report(path: Path) -> bool:
    """Print how far a file is from Blender's positions; return whether it is right."""
    truth = json.loads(path.with_suffix(".json").read_text())
    try:
        clips = mf.load_clips(path)
    except mf.FormatError as error:
        print(f"{path.stem:24} {error}")
        return False
    apart = max(distance(clip, truth, places) for clip, places in zip(clips, truth["takes"].values(), strict=False))
    right = len(clips) == len(truth["takes"]) and all(abs(clip.frame_rate - truth["rate"]) < 1e-4 for clip in clips)
    findings = clips[0].report
    assert findings is not None
    print(
        f"{path.stem:24} {1000.0 * apart:9.5f} mm, {len(clips)} takes, {clips[0].frame_rate:7.3f} frames/s, unit "
        f"{float(findings.scale.value):.4g} m, up {findings.up.value}, facing {findings.facing.value}"
        + "".join(f"\n    {warning}" for warning in findings.warnings)
    )
    return right and apart < MOST_APART


def distance(clip: mf.Clip, truth: dict[str, Any], places: list[Any]) -> float:
    """Return the largest distance in metres of a joint from Blender's, after the best of four turns."""
    theirs = np.array(places)[..., [0, 2, 1]] * (1.0, 1.0, -1.0)
    joints = [truth["bones"].index(name) for name in clip.skeleton.names if name in truth["bones"]]
    ours = clip.world().positions[:, [name in truth["bones"] for name in clip.skeleton.names]]
    if ours.shape != theirs[:, joints].shape or len(joints) < len(truth["bones"]) - 1:
        print(f"    expected {theirs.shape}, got {ours.shape}")
        return float("inf")
    return min(_apart(ours, theirs[:, joints], 0.5 * np.pi * quarter) for quarter in range(4))


def _apart(ours: FloatArray, theirs: FloatArray, yaw: float) -> float:
    return float(np.linalg.norm(quat_rotate(quat_from_yaw(yaw), ours) - theirs, axis=-1).max())


if __name__ == "__main__":
    main()
