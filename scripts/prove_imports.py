"""Compare our .glb, .bvh, .usda and .usdc files, imported into Blender with its defaults, with the motion in them.

    python scripts/prove_imports.py --blender PYTHON [--picture PNG]

PYTHON is a Python with bpy, which runs `scripts/blender_import.py`. Every joint must be within 0.01 mm of its place at
every frame. Exits with 1 if a file is further off. Whether the scene then plays at the true speed is printed too:
Blender keeps its own frame rate for some formats.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import motionfields as mf

MOST_APART = 1e-5  # metres
SUFFIXES = (".glb", ".bvh", ".usda", ".usdc")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blender", required=True, help="a Python with bpy")
    parser.add_argument("--picture", help="render the .usdc file to this picture")
    options = parser.parse_args()
    [sample] = mf.samples.generate_samples(frame_rate=30.0, only=["turn_left_090_quick"])
    clip = sample.clip
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"walk{suffix}" for suffix in SUFFIXES]
        for path in files:
            mf.save_clip(clip, path)
        expected = {"names": clip.skeleton.names, "rate": clip.frame_rate, "places": clip.world().positions.tolist()}
        (Path(folder) / "expected.json").write_text(json.dumps(expected))
        command = [options.blender, str(Path(__file__).with_name("blender_import.py")), *map(str, files)]
        command += [
            "--expected",
            f"{folder}/expected.json",
            *(["--picture", options.picture] if options.picture else []),
        ]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    results = [json.loads(line[7:]) for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    for result in results:
        print(
            f"{result['file']:10} {1000.0 * result['apart']:.5f} mm, {result['joints']} joints, {result['meshes']} "
            f"meshes, {clip.frame_count} frames, scene at {result['rate']:g} frames/s, "
            f"{'true' if result['true_speed'] else 'another'} speed"
        )
    sound = [result["apart"] < MOST_APART and result["joints"] == clip.skeleton.joint_count for result in results]
    sys.exit(0 if len(sound) == len(SUFFIXES) and all(sound) else 1)


if __name__ == "__main__":
    main()
