"""`build` and `synth` as a user types them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import motionfields as mf
from motionfields.motion.samples import generate_samples


@pytest.fixture(scope="module")
def takes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("takes")
    for sample in generate_samples(only=["walk_forward", "walk_slow", "walk_fast", "walk_speed_up"]):
        mf.save_clip(sample.clip, folder / f"{sample.clip.name}.bvh")
    return folder


@pytest.fixture(scope="module")
def walker(takes: Path) -> Path:
    result = typed("build", takes, "-o", takes / "walker.field")
    assert result.returncode == 0, result.stderr
    for words in ("scale: 0.01 m per unit", "4 clips and their mirror images", "characters can transition to"):
        assert words in result.stdout
    return takes / "walker.field"


def typed(*words: str | Path) -> subprocess.CompletedProcess[str]:
    script = Path(sys.executable).with_name("motionfields")
    return subprocess.run([script, *words], capture_output=True, text=True, check=False)


def test_a_field_is_built_and_moves_on_its_own(walker: Path, tmp_path: Path) -> None:
    for name in ("one.bvh", "two.bvh"):
        result = typed("synth", walker, "--seconds", "3", "--seed", "7", "-o", tmp_path / name)
        assert result.returncode == 0, result.stderr
        assert "90 frames at 30/s" in result.stdout
    assert (tmp_path / "one.bvh").read_bytes() == (tmp_path / "two.bvh").read_bytes()
    clip = mf.load_clip(tmp_path / "one.bvh")
    assert clip.skeleton.joint_count == 22
    assert np.linalg.norm(clip.root_position[-1] - clip.root_position[0]) > 0.5


def test_the_papers_rule_and_bare_feet_can_be_asked_for(walker: Path, tmp_path: Path) -> None:
    result = typed("synth", walker, "--seconds", "1", "--rule", "paper", "--no-plant", "-o", tmp_path / "x.bvh")
    assert result.returncode == 0, result.stderr


def test_mistakes_are_told_in_one_line(takes: Path, walker: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.field"
    damaged.write_bytes(walker.read_bytes()[:-100])
    for words, reason in (
        (("build", takes, "-o", tmp_path / "x.bvh"), "ends in .field"),
        (("build", tmp_path / "none.bvh", "-o", tmp_path / "x.field"), "there is no such file"),
        (("synth", damaged, "-o", tmp_path / "x.bvh"), "damaged.field"),
        (("synth", takes / "walk_slow.bvh", "-o", tmp_path / "x.bvh"), "walk_slow.bvh"),
        (("synth", tmp_path / "none.field", "-o", tmp_path / "x.bvh"), "there is no such file"),
    ):
        result = typed(*words)
        assert result.returncode == 1
        assert result.stderr.splitlines()[-1].startswith("error: ")
        assert reason in result.stderr
        assert "Traceback" not in result.stderr


def test_a_field_is_pruned_and_searched_by_faiss_on_request(takes: Path, walker: Path, tmp_path: Path) -> None:
    pytest.importorskip("faiss")
    result = typed("build", takes, "-o", tmp_path / "small.field", "--prune", "1.5", "--search", "ivf")
    assert result.returncode == 0, result.stderr
    assert "pruned within 1.5 times the spacing of" in result.stdout
    assert "% of the true neighbours found" in result.stdout
    whole, small = mf.MotionField.load(walker), mf.MotionField.load(tmp_path / "small.field")
    assert small.database.state_count < whole.database.state_count
    assert (whole.search, small.search) == ("exact", "ivf")
