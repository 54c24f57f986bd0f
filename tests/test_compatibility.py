"""Files of earlier releases still open, with the same content; they hold a few steps of a generated walk."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest
from scripts.native import open_status

from motionfields.authoring.plan import StepGraph, plan
from motionfields.authoring.worlds import Futures
from motionfields.control.methods import load_controller
from motionfields.control.tasks import Direction
from motionfields.field import MotionField
from motionfields.motion.clip import resample, trim
from motionfields.motion.samples import generate_samples
from tests.native.crowds import compiled

FILES = Path(__file__).parent / "releases"  # written by scripts/make_release_files.py


def releases(suffix: str) -> list[str]:
    """The releases that wrote files of this kind."""
    return sorted(path.name.removesuffix(f"{suffix}.xz") for path in FILES.glob(f"*{suffix}.xz"))


def unpacked(name: str, folder: Path) -> Path:
    path = folder / name
    path.write_bytes(lzma.decompress((FILES / f"{name}.xz").read_bytes()))
    return path


@pytest.mark.parametrize("release", releases(".field"))
def test_a_field_of_an_earlier_release_opens(release: str, tmp_path: Path) -> None:
    database = MotionField.load(unpacked(f"{release}.field", tmp_path)).database
    [walk] = generate_samples(only=["walk_forward"])
    frames = trim(resample(walk.clip, 30.0), 0, 80)
    assert database.state_count == 158  # with the mirror image
    assert database.skeleton.names == frames.skeleton.names
    heights = database.root_height[:79]
    assert np.abs(heights - frames.root_position[:79, 1]).max() < 0.01  # but for the low-pass filter of the build


@pytest.mark.parametrize("release", releases(".ctrl"))
def test_a_controller_of_an_earlier_release_opens_and_moves(release: str, tmp_path: Path) -> None:
    controller = load_controller(unpacked(f"{release}.ctrl", tmp_path))
    assert isinstance(controller.task, Direction)
    crowd = controller.crowd(3, seed=0)
    before = crowd.ground
    for _ in range(60):
        frame = crowd.step(before.facing)
    assert np.isfinite(frame.rotations).all()
    assert (crowd.ground.position[:, 1] - before.position[:, 1] > 1.0).all()  # the walk is straight: it cannot turn


@pytest.mark.parametrize("release", releases(".steps"))
def test_a_step_graph_of_an_earlier_release_opens_and_plans(release: str, tmp_path: Path) -> None:
    found = plan(StepGraph.load(unpacked(f"{release}.steps", tmp_path)), (0.0, 1.5), most_expansions=500)
    assert found.clip.root_position[-1, 2] == pytest.approx(1.5, abs=0.1)


@pytest.mark.parametrize("release", releases(".futures"))
def test_futures_of_an_earlier_release_open(release: str, tmp_path: Path) -> None:
    futures = Futures.load(unpacked(f"{release}.futures", tmp_path))
    assert len(futures.steps) == 158


@pytest.mark.parametrize("release", releases(".mfpack"))
def test_a_pack_of_an_earlier_release_opens_in_the_c_runtime(release: str, tmp_path: Path) -> None:
    library = compiled(tmp_path, "-O1")
    assert open_status(library, unpacked(f"{release}.mfpack", tmp_path).read_bytes()) == 0
