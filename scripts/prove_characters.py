"""Write characters with motion as USD, validate the files, and compare every vertex with skinning worked out here.

    python scripts/prove_characters.py FOLDER [--output FOLDER]

FOLDER has skinned .glb files, such as those of `scripts/make_characters.py`. Each is bound to a generated walk and
written as .usda and .usdc. All validators of UsdValidation must report nothing, and the vertices that UsdSkel computes
must be within 0.01 mm. Exits with 1 otherwise. Needs the extra usd.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
from pxr import Usd, UsdGeom, UsdSkel, UsdValidation

import motionfields as mf
from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_rotate
from motionfields.motion.clip.resting import rest_positions
from motionfields.motion.formats.character import Surface

MOST_APART = 1e-5  # metres
FRAMES = 30


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--output", type=Path, help="keep the files in this folder, which must exist")
    options = parser.parse_args()
    [sample] = mf.samples.generate_samples(frame_rate=30.0, only=["walk_forward"])
    clip, sound = mf.trim(sample.clip, 0, FRAMES), list[bool]()
    with tempfile.TemporaryDirectory() as name:
        for path in sorted(options.folder.glob("*.glb")):
            hero = mf.load_character(path)
            walk = mf.retarget(clip, hero.skeleton)
            for suffix in (".usda", ".usdc"):
                file = (options.output or Path(name)) / f"{path.stem}{suffix}"
                mf.save_clip(walk, file, character=hero)
                messages, apart = faults(file), distance(file, hero, walk)
                count = f"{hero.vertex_count} vertices"
                print(f"{file.name:24} {count}, {1000 * apart:.5f} mm apart, {len(messages)} messages")
                print("".join(f"    {message}\n" for message in messages), end="")
                sound.append(apart < MOST_APART and not messages)
    sys.exit(0 if sound and all(sound) else 1)


def faults(path: Path) -> list[str]:
    """Return the messages of all validators about a file."""
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    stage = Usd.Stage.Open(str(path))
    return [error.GetMessage() for error in UsdValidation.ValidationContext(validators).Validate(stage)]


def distance(path: Path, hero: mf.Character, walk: mf.Clip) -> float:
    """Return the largest distance in metres between vertices as UsdSkel and as `skinned` place them."""
    stage = Usd.Stage.Open(str(path))
    UsdSkel.BakeSkinning(stage.Traverse())
    gaps = [
        np.linalg.norm(np.array(mesh.GetPointsAttr().Get(frame)) - skinned(surface, walk, frame), axis=-1).max()
        for number, surface in enumerate(hero.surfaces)
        for mesh in [UsdGeom.Mesh.Get(stage, f"/Character/Body{number}")]
        for frame in range(walk.frame_count)
    ]
    return float(max(gaps))


def skinned(surface: Surface, walk: mf.Clip, frame: int) -> FloatArray:
    """Return the vertices [vertex, 3] at a frame by linear blend skinning, joint by joint."""
    world, rest = walk.world(), rest_positions(walk.skeleton)
    places = np.zeros_like(surface.positions)
    for joints, weights in zip(surface.joints.T, surface.weights.T, strict=True):
        turned = quat_rotate(world.rotations[frame][joints], surface.positions - rest[joints])
        places += weights[:, np.newaxis] * (world.positions[frame][joints] + turned)
    return places


if __name__ == "__main__":
    main()
