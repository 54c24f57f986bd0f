"""`retarget`, and `build` with a skeleton, as a user types them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionfields as mf
from motionfields.motion.clip import Clip
from motionfields.motion.skeleton import Skeleton
from tests.cli.conftest import Run


@pytest.fixture
def take(tmp_path: Path, wobble: Clip) -> Path:
    path = tmp_path / "take.bvh"
    mf.save_clip(wobble, path)
    return path


@pytest.fixture
def tall(tmp_path: Path, wobble: Clip) -> Path:
    """A taller body that calls its toes as LaFAN1 does, and its extra joint otherwise."""
    other = {"LeftToeBase": "LeftToe", "RightToeBase": "RightToe", "Extra": "Antenna"}
    names = tuple(other.get(name, name) for name in wobble.skeleton.names)
    path = tmp_path / "tall.bvh"
    mf.save_clip(
        replace(mf.rescale(wobble, 1.1), skeleton=replace(mf.rescale(wobble, 1.1).skeleton, names=names)), path
    )
    return path


def test_a_file_is_retargeted_and_the_report_printed(run: Run, take: Path, tall: Path, tmp_path: Path) -> None:
    result = run("retarget", take, "--skeleton", tall, "-o", tmp_path / "moved.bvh", "--no-plant")
    assert result.code == 0, result.err
    for words in (
        "rig: CMU to LaFAN1, scale 1.100",
        "mapped: 11 joints, 9 of them with equal names",
        "renamed: LeftToeBase -> LeftToe, RightToeBase -> RightToe",
        "dropped: Extra",
        "left at rest: Antenna",
        "moved.bvh: feet moved 0.0 cm by fitting (p95 0.0); foot skate ",
    ):
        assert words in result.out
    assert "planting" not in result.out
    moved, wanted = mf.load_clip(tmp_path / "moved.bvh"), mf.load_clip(tall)
    assert moved.skeleton.matches(wanted.skeleton, tolerance=1e-5)
    np.testing.assert_allclose(moved.world().positions, wanted.world().positions, atol=1e-4)


def test_a_map_adds_to_what_names_say(run: Run, take: Path, tall: Path, tmp_path: Path) -> None:
    result = run("retarget", take, "--skeleton", tall, "-o", tmp_path / "m.bvh", "--map", "Extra=Antenna")
    assert result.code == 0, result.err
    assert "Extra -> Antenna" in result.out
    assert "dropped" not in result.out


def test_many_files_go_to_a_folder_under_their_names(run: Run, take: Path, tall: Path, tmp_path: Path) -> None:
    result = run("retarget", take, tall, "--skeleton", tall, "-o", tmp_path / "all")
    assert result.code == 0, result.err
    assert sorted(path.name for path in (tmp_path / "all").iterdir()) == ["take.bvh", "tall.bvh"]
    assert result.out.count("rig: ") == 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("-o", "out.bvh", "--map", "Extra"), "--map: expected CLIP=TARGET, two joint names, got 'Extra'"),
        (("-o", "out.bvh", "--map", "Extra=Head", "--map", "Extra=Spine"), "expected one target for Extra, got Head"),
        (("-o", "out.bvh", "--map", "Nose=Head"), "take.bvh: names: the clip's skeleton has no joint 'Nose'"),
        (("-o", "no/out.bvh"), "the folder does not exist; create it first"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(
    run: Run, take: Path, tall: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(take.parent)
    result = run("retarget", take, "--skeleton", tall, *words)
    assert result.code == 1
    assert says in result.err
    assert result.err.count("\n") == 1
    assert not (take.parent / "out.bvh").exists()


def test_two_clips_need_a_folder_and_two_names(run: Run, take: Path, tall: Path, tmp_path: Path) -> None:
    result = run("retarget", take, tall, "--skeleton", tall, "-o", tmp_path / "one.bvh")
    assert result.code == 1
    assert "expected a folder to write 2 clips to" in result.err
    result = run("retarget", take, take, "--skeleton", tall, "-o", tmp_path / "all")
    assert result.code == 1
    assert "2 clips are called take; retarget them to separate folders" in result.err


def test_a_hand_is_refused_and_named(run: Run, tall: Path, tmp_path: Path) -> None:
    hand = Skeleton(("Wrist", "Thumb"), np.array([-1, 0]), np.array([[0.0, 0.0, 0.0], [0.02, 0.0, 0.03]]))
    rest = np.tile([1.0, 0.0, 0.0, 0.0], (9, 2, 1))
    mf.save_clip(Clip(hand, np.zeros((9, 3)), rest, 1.0 / 30.0, name="hand"), tmp_path / "hand.bvh")
    result = run("retarget", tmp_path / "hand.bvh", "--skeleton", tall, "-o", tmp_path / "out.bvh")
    assert result.code == 1
    for words in ("hand.bvh: no joint of the clip matches LeftUpLeg", "Wrist, Thumb", "--map CLIP=TARGET"):
        assert words in result.err


def test_a_field_is_built_of_two_bodies(run: Run, tmp_path: Path) -> None:
    from motionfields.motion.samples import generate_samples

    walks = [
        sample.clip for sample in generate_samples(frame_rate=30.0, only=["walk_forward", "walk_slow", "walk_fast"])
    ]
    mf.save_clip(walks[0], tmp_path / "own.bvh")
    for walk in walks[1:]:
        mf.save_clip(mf.rescale(walk, 1.1), tmp_path / f"{walk.name}.bvh")
    sources = [tmp_path / "own.bvh", *(tmp_path / f"{walk.name}.bvh" for walk in walks[1:])]
    field = tmp_path / "two.field"
    result = run("build", *sources, "-o", field, "--no-mirror", "--scale", "cm")
    assert result.code == 1
    assert "(pass --skeleton to retarget it)" in result.err
    result = run("build", *sources, "-o", field, "--no-mirror", "--scale", "cm", "--skeleton", tmp_path / "own.bvh")
    assert result.code == 0, result.err
    assert result.out.count("retargeted ") == 1
    assert (
        f"retargeted {walks[1].name} and 1 more: Mixamo, 22 joints mapped, 0 dropped, 0 left at rest, scale 0.909"
        in result.out
    )
    assert "3 clips" in result.out
    result = run("build", *sources, "-o", field, "--map", "Hips=Hips")
    assert result.code == 1
    assert "--map: expected --skeleton too" in result.err
