"""Shared fixtures: the folder of real motion capture, and clips that need none."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import settings

from motionfields.base.geometry import quat_normalize
from motionfields.motion.clip import Clip
from motionfields.motion.skeleton import Skeleton

# The first call of a compiled kernel takes long, and CI must not fail by chance.
settings.register_profile("motionfields", deadline=None, derandomize=True)
settings.load_profile("motionfields")

# Tests run side by side, one process a core; those about threads ask for more themselves.
numba.set_num_threads(1)

# A background job of a shell ignores Ctrl-C, and so would every program that a test starts and interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

REPO = Path(__file__).resolve().parents[1]
# Set to 1 to run the long versions of slow tests: more damage, more kills, longer fuzzing. Takes minutes each.
LONG = os.environ.get("MOTIONFIELDS_LONG") == "1"
DATA = Path(os.environ.get("MOTIONFIELDS_DATA", REPO.parent / "shared" / "data"))
# Files whose tests take longest; they run first, so that no process is left alone with one of them at the end.
FIRST = ("test_readme.py", "test_cluster.py", "test_docs.py", "test_examples.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: FIRST.index(item.path.name) if item.path.name in FIRST else len(FIRST))


def data_folder() -> Path | None:
    """The folder of real motion capture, where there is one."""
    return DATA if (DATA / "locomotion").is_dir() else None


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real motion capture, or a skip that says what is missing."""
    if (folder := data_folder()) is None:
        pytest.skip(f"no motion capture at {DATA}; set MOTIONFIELDS_DATA to run this test")
    return folder


@pytest.fixture(scope="session")
def locomotion(shared_data: Path) -> list[Path]:
    """The BVH files of the locomotion set, by name."""
    return sorted((shared_data / "locomotion").glob("*.bvh"))


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.fixture
def biped() -> Skeleton:
    """A small humanoid with unequal legs: 12 joints, faces +z, left is +x."""
    legs = "LeftUpLeg LeftLeg LeftFoot LeftToeBase RightUpLeg RightLeg RightFoot RightToeBase"
    names = tuple(f"Hips {legs} Spine Head Extra".split())
    parents = np.array([-1, 0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 9])
    offsets = np.array(
        [
            [0.0, 0.95, 0.0],
            [0.10, -0.05, 0.0],
            [0.01, -0.42, 0.0],
            [0.0, -0.41, 0.0],
            [0.0, -0.05, 0.13],
            [-0.09, -0.05, 0.0],
            [-0.01, -0.43, 0.01],
            [0.0, -0.40, 0.0],
            [0.01, -0.06, 0.14],
            [0.0, 0.3, 0.0],
            [0.0, 0.3, 0.02],
            [0.0, 0.0, 0.0],
        ]
    )
    tip_offsets = np.array([[0.0, 0.0, 0.06], [0.0, -0.01, 0.06], [0.0, 0.15, 0.0], [0.0, 0.05, 0.0]])
    return Skeleton(names, parents, offsets, np.array([4, 8, 10, 11]), tip_offsets)


@pytest.fixture
def wobble(biped: Skeleton, rng: np.random.Generator) -> Clip:
    """Two seconds at 60 Hz of smooth, bounded, made-up motion of the biped, moving forwards and turning."""
    frame_count = 120
    time = np.arange(frame_count) / 60.0
    phase = rng.uniform(0.0, 6.28, (biped.joint_count, 3))
    size = rng.uniform(0.05, 0.2, (biped.joint_count, 3))
    vectors = size * np.sin(2.0 * np.pi * time[:, None, None] + phase)
    rotations = quat_normalize(np.concatenate([np.ones((*vectors.shape[:-1], 1)), vectors], axis=-1))
    root = np.stack([0.1 * np.sin(3.0 * time), 0.9 + 0.02 * np.sin(12.0 * time), 1.2 * time], axis=-1)
    return Clip(biped, root, rotations, 1.0 / 60.0, name="wobble")
