"""glTF and FBX files as input and output of the commands."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import motionfields as mf
from motionfields.motion.clip import Clip, trim
from motionfields.motion.formats import read_gltf
from tests.cli.conftest import Run
from tests.motion.formats.fbxs import Bone, Take, as_text, fbx_tree
from tests.motion.formats.gltfs import glb


@pytest.fixture
def take(tmp_path: Path, wobble: Clip) -> Path:
    mf.save_clip(wobble, tmp_path / "take.glb")
    return tmp_path / "take.glb"


@pytest.fixture
def pack(take: Path) -> Path:
    """A file of two animations."""
    data = take.read_bytes()
    size = int.from_bytes(data[12:16], "little")
    document = json.loads(data[20 : 20 + size])
    document["animations"] = [{**document["animations"][0], "name": name} for name in ("walk", "run")]
    (take.parent / "pack.glb").write_bytes(glb(document, data[28 + size :]))
    return take.parent / "pack.glb"


def test_convert_writes_and_reads_glb(run: Run, take: Path, wobble: Clip, tmp_path: Path) -> None:
    result = run("convert", take, "-o", tmp_path / "back.bvh")
    assert result.code == 0, result.err
    back = mf.load_clip(tmp_path / "back.bvh", scale="cm")
    assert np.abs(back.world().positions[:, 0] - wobble.world().positions[:, 0]).max() < 1e-4
    result = run("convert", tmp_path / "back.bvh", "-o", tmp_path / "again.glb")
    assert "again.glb: 1.98 s, 120 frames at 60/s, unit m" in result.out
    assert read_gltf((tmp_path / "again.glb").read_bytes()).frame_count == 120


@pytest.mark.parametrize("option", [("--unit", "m"), ("--order", "XYZ")])
def test_what_is_of_bvh_alone_is_refused_for_glb(run: Run, take: Path, option: tuple[str, str]) -> None:
    result = run("convert", take, "-o", take.with_name("x.glb"), *option)
    assert result.code == 1
    assert f"{option[0]}: glTF and USD always use metres and quaternions; remove the option" in result.err
    assert not take.with_name("x.glb").exists()


def test_info_says_how_the_rate_was_found(run: Run, take: Path) -> None:
    (facts,) = json.loads(run("info", "--json", take).out)
    assert facts["report"]["frame_rate"]["evidence"] == "keys at 120 times, 16.67 ms apart"


def test_one_of_several_animations_is_named_after_a_sign(run: Run, pack: Path, tmp_path: Path) -> None:
    facts = json.loads(run("info", "--json", pack).out)
    assert [one["name"] for one in facts] == ["pack walk", "pack run"]
    result = run("convert", pack, "-o", tmp_path / "x.bvh")
    assert result.code == 1
    assert "has 2 animations; add # and one of these names to the file name: walk, run" in result.err
    assert run("convert", f"{pack}#run", "-o", tmp_path / "x.bvh").code == 0


def test_a_character_without_motion_is_a_target_for_others(run: Run, take: Path, wobble: Clip, tmp_path: Path) -> None:
    mf.save_clip(trim(mf.rescale(wobble, 1.1), 0, 0), tmp_path / "tall.glb")
    result = run("retarget", take, "--skeleton", tmp_path / "tall.glb", "-o", tmp_path / "moved.glb", "--no-plant")
    assert result.code == 0, result.err
    assert "scale 1.100" in result.out
    assert mf.load_clip(tmp_path / "moved.glb").frame_count == wobble.frame_count
    result = run("retarget", take, "--skeleton", tmp_path / "tall.glb", "-o", tmp_path / "moved.gltf")
    assert result.code == 1
    assert "ends in .bvh or .glb or .usda or .usdc" in result.err


def test_fbx_is_converted_and_reported_like_other_files(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("ufbx", reason="reading FBX needs ufbx, the extra fbx")
    bones = [Bone("Hips", -1, (0.0, 95.0, 0.0)), Bone("Spine", 0, (0.0, 40.0, 0.0))]
    takes = [Take(name, {0: [(0.0, 10.0 * frame, 0.0) for frame in range(5)]}) for name in ("walk", "run")]
    (tmp_path / "x.fbx").write_bytes(as_text(fbx_tree(bones, takes, rate=24.0)))
    result = run("info", tmp_path / "x.fbx")
    assert result.code == 0, result.err
    assert "x walk: 0.17 s, 5 frames at 24/s, 2 joints, 0.01 m per unit" in result.out
    assert run("convert", f"{tmp_path}/x.fbx#run", "-o", tmp_path / "x.bvh", "--rest-frames", "0").code == 0
    assert mf.load_clip(tmp_path / "x.bvh", rest_frames=0).frame_rate == pytest.approx(24.0, rel=1e-4)


def test_a_broken_fbx_file_is_refused(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("ufbx", reason="reading FBX needs ufbx, the extra fbx")
    (tmp_path / "x.fbx").write_bytes(b"Kaydara FBX Binary  \x00\x1a\x00")
    result = run("convert", tmp_path / "x.fbx", "-o", tmp_path / "x.bvh")
    assert result.code == 1
    assert "x.fbx: cannot be read as FBX: truncated file" in result.err
