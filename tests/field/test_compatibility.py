"""Files of earlier releases still open, with the same content; they hold a few steps of a generated walk."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest

from motionfields.control.methods import load_controller
from motionfields.control.tasks import Direction
from motionfields.field import MotionField
from motionfields.motion.clip import resample, trim
from motionfields.motion.samples import generate_samples

FILES = Path(__file__).parent / "files"
RELEASES = sorted(path.name.removesuffix(".field.xz") for path in FILES.glob("*.field.xz"))


def unpacked(name: str, folder: Path) -> Path:
    path = folder / name
    path.write_bytes(lzma.decompress((FILES / f"{name}.xz").read_bytes()))
    return path


@pytest.mark.parametrize("release", RELEASES)
def test_a_field_of_an_earlier_release_opens(release: str, tmp_path: Path) -> None:
    database = MotionField.load(unpacked(f"{release}.field", tmp_path)).database
    [walk] = generate_samples(only=["walk_forward"])
    frames = trim(resample(walk.clip, 30.0), 0, 80)
    assert database.state_count == 158  # with the mirror image
    assert database.skeleton.names == frames.skeleton.names
    heights = database.root_height[:79]
    assert np.abs(heights - frames.root_position[:79, 1]).max() < 0.01  # but for the low-pass filter of the build


@pytest.mark.parametrize("release", RELEASES)
def test_a_controller_of_an_earlier_release_opens_and_moves(release: str, tmp_path: Path) -> None:
    controller = load_controller(unpacked(f"{release}.ctrl", tmp_path))
    assert isinstance(controller.task, Direction)
    crowd = controller.crowd(3, seed=0)
    before = crowd.ground
    for _ in range(60):
        frame = crowd.step(before.facing + 0.5)
    assert np.isfinite(frame.rotations).all()
    assert (np.linalg.norm(crowd.ground.position - before.position, axis=1) > 0.5).all()
    assert (crowd.ground.facing > before.facing).all()
