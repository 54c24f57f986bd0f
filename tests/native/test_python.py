"""Crowds in Python use the C library, with the bits of numba's loops."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scripts.build_native import build_library
from scripts.native import random_commands

from motionfields.base import native
from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import kernels, quat_average, quat_normalize
from motionfields.base.native import without_library
from motionfields.control.contract import Controller
from motionfields.control.root_motion import Warp
from motionfields.control.tasks import Direction, Lane, Navigation
from motionfields.motion.skeleton import forward_kinematics
from motionfields.runtime import Crowd
from motionfields.runtime.soundness import unsound_poses
from tests.native.crowds import controller, labelled_field

UNNEEDED = {
    *("numba", "scipy", "mujoco", "motionfields.motion.formats", "motionfields.field.database.streaming"),
    *("motionfields.control.methods", "motionfields.control.training"),
}
COUNT = 70  # on two threads where there are two


@pytest.fixture(autouse=True)
def _library() -> None:
    if native.library() is None:
        pytest.skip("this installation has no C library: run scripts/build_native.py")


def pair(trained: Controller, count: int = COUNT) -> tuple[Crowd, Crowd]:
    """Two equal crowds: one in C, one in numba's loops."""
    fast = trained.crowd(count, seed=3)
    with without_library():
        plain = trained.crowd(count, seed=3)
    assert fast._stepper._native is not None
    assert plain._stepper._native is None
    return fast, plain


def assert_same(fast: Crowd, plain: Crowd, commands: FloatArray) -> None:
    for frame, (one, other) in enumerate(zip(fast.step(commands), plain.step(commands), strict=True)):
        np.testing.assert_array_equal(one, other, err_msg=f"frame {frame}")
    ours, theirs = fast._stepper, plain._stepper
    tracks = zip(
        (*fast.followers, *ours.planting, *ours.standing, *ours.chosen),
        (*plain.followers, *theirs.planting, *theirs.standing, *theirs.chosen),
        strict=True,
    )
    for one, other in tracks:
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(("task", "warp"), [(Lane(), Warp()), (Navigation(gait_count=2), None)])
def test_every_track_of_a_crowd_has_the_same_bits(task: Any, warp: Warp | None) -> None:
    fast, plain = pair(controller(task, warp))
    for crowd in (fast, plain):
        crowd.set_detail(slice(0, 20), every=3)
        crowd.set_detail(slice(20, 30), plant=False)
    for frame, commands in enumerate(random_commands(fast.controller.task, 40, COUNT)):
        if frame == 20:
            for crowd in (fast, plain):
                crowd.place(np.array([1, 5]), [[3.0, 4.0], [0.0, 1e6]], [1.0, -2.0])
        assert_same(fast, plain, commands)
    np.testing.assert_array_equal(fast.unplanted.rotations, plain.unplanted.rotations)


def test_pushed_characters_have_the_same_bits() -> None:
    pytest.importorskip("mujoco")
    fast, plain = pair(controller(Direction(), None), 6)
    for frame, commands in enumerate(random_commands(Direction(), 30, 6)):
        if frame == 5:
            for crowd in (fast, plain):
                crowd.push(2, 0, [300.0, 0.0, 100.0], duration=0.2)
        assert_same(fast, plain, commands)


def test_a_copy_of_a_crowd_goes_on_by_itself() -> None:
    crowd = controller(Direction(), Warp()).crowd(3)
    crowd.step(np.zeros(3))
    for copied in (copy.deepcopy(crowd), pickle.loads(pickle.dumps(crowd))):
        before = crowd.followers.position.copy()
        moved = copied.step(np.ones(3))
        np.testing.assert_array_equal(crowd.followers.position, before)
        np.testing.assert_array_equal(copy.deepcopy(crowd).step(np.ones(3)).rotations, moved.rotations)


@pytest.mark.parametrize("name", ["multiply", "rotate", "log", "exp", "exp32"])
def test_loops_over_quaternions_have_the_same_bits(name: str, rng: np.random.Generator) -> None:
    turns = quat_normalize(rng.normal(size=(200, 4)))
    turns[:3] = [[1.0, 0.0, 0.0, 0.0], [-1.0, 1e-6, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]
    vectors = rng.normal(size=(200, 3))
    vectors[:2] *= 1e-6
    given: tuple[FloatArray, ...] = {
        "multiply": (turns, turns[::-1].copy()),
        "rotate": (turns, vectors),
        "log": (turns,),
        "exp": (vectors,),
        "exp32": (vectors.astype(np.float32),),
    }[name]
    loop: Callable[..., None] = getattr(kernels, name.removesuffix("32"))
    results = [np.empty((200, 3 if name in ("rotate", "log") else 4), given[0].dtype) for _ in range(2)]
    loop(*given, results[0])
    with without_library():
        loop(*given, results[1])
    np.testing.assert_array_equal(results[0], results[1])


def test_means_of_rotations_have_the_same_bits(rng: np.random.Generator) -> None:
    near = quat_normalize(np.array([1.0, 0.2, 0.0, 0.1]) + 0.4 * rng.normal(size=(30, 6, 4)))
    weights = rng.random((30, 6)) + 0.01
    found = quat_average(near, weights)
    with without_library():
        np.testing.assert_array_equal(found, quat_average(near, weights))


def test_forward_kinematics_has_the_same_bits(rng: np.random.Generator) -> None:
    skeleton = labelled_field().database.skeleton
    turns = quat_normalize(rng.normal(size=(9, skeleton.joint_count, 4)))
    roots = rng.normal(size=(9, 3))
    found = forward_kinematics(skeleton, roots, turns)
    with without_library():
        again = forward_kinematics(skeleton, roots, turns)
    for one, other in zip(found, again, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_poses_that_are_not_finite_are_found(wrong: float, rng: np.random.Generator) -> None:
    roots, rotations = rng.normal(size=(8, 3)), rng.normal(size=(8, 5, 4))
    assert not len(unsound_poses(roots, rotations))
    roots[2, 1] = rotations[5, 4, 3] = wrong
    assert unsound_poses(roots, rotations).tolist() == [2, 5]
    with without_library():
        assert unsound_poses(roots, rotations).tolist() == [2, 5]


def test_opening_a_controller_and_stepping_imports_only_what_playing_needs(tmp_path: Path) -> None:
    path = tmp_path / "walker.ctrl"
    controller(Direction(), None).save(path)
    code = (
        "import sys, motionfields\n"
        f"crowd = motionfields.load_controller({str(path)!r}).crowd(2)\n"
        "crowd.step([0.0, 1.0])\n"
        f"print(sorted({UNNEEDED!r} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_a_failed_build_leaves_no_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CC", "false")
    assert build_library(tmp_path / "runtime.so") is None
    assert not list(tmp_path.iterdir())
    assert "numba alone" in capsys.readouterr().err
