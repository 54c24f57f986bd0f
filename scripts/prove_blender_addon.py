"""Compare a walk that the Blender add-on has baked with the crowd that walked it, joint by joint and frame by frame.

    python scripts/prove_blender_addon.py --blender PYTHON [--folder FOLDER] [--pictures FOLDER]

PYTHON is a Python with bpy, which runs `scripts/blender_addon.py`: it installs the add-on, builds and trains from the
actions of an armature, and bakes walks along a curve of 10 m and a plan. Here a crowd of the same controller walks the
same path. Then actions of eleven other rigs are exported, converted by motionfields and baked back to them. Every joint
must be within 0.01 mm. Exits with 1 if one is not.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import motionfields as mf
from motionfields.runtime.paths import GroundPath, walk_path

MOST_APART = 1e-5  # metres
TAKES = ("walk_forward", "walk_fast", "turn_left_045_gentle", "turn_left_090_quick", "turn_left_135_quick")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blender", default=os.environ.get("MOTIONFIELDS_BLENDER"), help="a Python with bpy")
    parser.add_argument("--pictures", type=Path, help="render the walk to this folder")
    parser.add_argument("--folder", type=Path, help="keep the files in this folder, which must exist")
    options = parser.parse_args()
    if not options.blender:
        parser.error(
            "expected --blender, a Python with bpy, or its path in the environment variable MOTIONFIELDS_BLENDER"
        )
    with tempfile.TemporaryDirectory() as name:
        folder = options.folder or Path(name)
        bake(options.blender, folder, options.pictures)
        apart = [*compared(folder).values(), *round_trips(options.blender, folder).values()]
    sys.exit(0 if max(apart) < MOST_APART else 1)


def bake(blender: str, folder: Path, pictures: Path | None) -> None:
    """Write the takes to `folder`, and run the add-on on them with the Python `blender`."""
    for sample in mf.samples.generate_samples(frame_rate=30.0, only=TAKES):
        mf.save_clip(sample.clip, folder / f"{sample.clip.name}.glb")
    script = Path(__file__).with_name("blender_addon.py")
    # Blender's user folder must be a new one, and known before it starts.
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(folder / "user")}
    command = [blender, str(script), str(folder), "--python", sys.executable]
    command += [] if pictures is None else ["--pictures", str(pictures)]
    subprocess.run(command, check=True, env=environment)


def round_trips(blender: str, folder: Path) -> dict[str, float]:
    """Print and return how far actions of other rigs are from themselves after a round trip, in metres."""
    script = Path(__file__).with_name("blender_addon.py")
    command = [blender, str(script), str(folder), "--python", sys.executable, "--rigs"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    results: dict[str, float | str] = json.loads((folder / "rigs.json").read_text())
    for name, result in results.items():
        print(f"{name}: {result if isinstance(result, str) else f'{1000 * result:.5f} mm apart after a round trip'}")
    return {name: result for name, result in results.items() if not isinstance(result, str)}


def compared(folder: Path) -> dict[str, float]:
    """Print and return how far the joints of each baked walk are from those of a crowd, in metres."""
    results: dict[str, Any] = json.loads((folder / "baked.json").read_text())
    [controller] = [mf.load_controller(path) for path in folder.glob("*.ctrl")]
    apart = {}
    for name in ("plain", "turned"):
        result = results[name]
        path = GroundPath(np.array(result["points"]))
        clip = walk_path(controller, path).clip
        world = clip.world().positions[:, [clip.skeleton.names.index(joint) for joint in result["names"]]]
        baked = np.array(result["places"])[..., [0, 2, 1]] * (1.0, 1.0, -1.0)
        baked[..., 1] -= result["height"]
        gaps = np.linalg.norm(baked - world, axis=-1)
        feet = [number for number, joint in enumerate(result["names"]) if "Foot" in joint or "Toe" in joint]
        print(
            f"{name}: {path.length:.2f} m, {len(world)} frames, {world.shape[1]} joints up to {1000 * gaps.max():.5f} "
            f"mm apart, feet {1000 * gaps[:, feet].max():.5f} mm"
        )
        apart[name] = float(gaps.max())
    for name in ("plan", "compose"):
        print(f"{name}: {len(results[name]['places'])} frames")
    return apart


if __name__ == "__main__":
    main()
