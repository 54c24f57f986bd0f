"""The Blender add-on: its files and commands without Blender, and all of it where there is a Python with bpy."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from scripts.prove_blender_addon import MOST_APART, bake, compared, round_trips

import motionfields as mf
from motionfields.motion.samples import generate_samples

REPO = Path(__file__).resolve().parents[2]
ADDON = REPO / "integrations" / "blender"


def module(name: str) -> ModuleType:
    """Import a part of the add-on that does not need Blender."""
    spec = importlib.util.spec_from_file_location(f"addon_{name}", ADDON / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made  # for its dataclass
    spec.loader.exec_module(made)
    return made


motion = module("motion")
child = module("child")


def blender() -> str | None:
    """Return a Python with bpy: that of MOTIONFIELDS_BLENDER, or this one."""
    named = os.environ.get("MOTIONFIELDS_BLENDER")
    return named or (sys.executable if importlib.util.find_spec("bpy") else None)


def ended(generator: Any) -> list[str]:
    while True:
        try:
            next(generator)
        except StopIteration as end:
            return list(end.value)


def test_motion_of_motionfields_is_read_and_written_without_a_change(tmp_path: Path) -> None:
    [sample] = generate_samples(frame_rate=30.0, only=["turn_left_090_quick"])
    mf.save_clip(sample.clip, tmp_path / "ours.bvh")
    read = motion.read_bvh(tmp_path / "ours.bvh")
    world, skeleton = sample.clip.world(), sample.clip.skeleton
    assert read.names == list(skeleton.names)
    places = np.zeros_like(world.positions)
    for joint, parent in enumerate(read.parents):
        above = read.places if parent < 0 else places[:, parent]
        places[:, joint] = above + (0.0 if parent < 0 else read.turns[:, parent] @ read.offsets[joint])
    np.testing.assert_allclose(places, world.positions, atol=1e-6)
    motion.write_bvh(tmp_path / "theirs.bvh", read)
    back = mf.load_clip(tmp_path / "theirs.bvh", scale="cm", up="+y", facing="+z", rest_frames=0)
    assert back.skeleton.names == skeleton.names
    np.testing.assert_allclose(back.world().positions, world.positions, atol=1e-6)


def test_a_command_tells_its_output_and_its_progress(tmp_path: Path) -> None:
    assert ended(child.finished(sys.executable, ["--version"], tmp_path)) == [f"motionfields {mf.__version__}"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["err.txt", "out.txt"]


def test_a_command_that_fails_says_why_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(child.JobError, match=r"^none\.ctrl: there is no such file or folder$"):
        ended(child.finished(sys.executable, ["record", "none.ctrl", "--at", "0:heading=0", "-o", "x.bvh"], tmp_path))


def test_a_python_without_motionfields_is_told_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = [sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")]
    subprocess.run(bare, check=True)
    [python] = [*tmp_path.glob("bare/bin/python"), *tmp_path.glob("bare/Scripts/python.exe")]
    monkeypatch.delenv("PYTHONPATH", raising=False)
    with pytest.raises(child.JobError, match=r"-m pip install .motionfields.train"):
        ended(child.finished(str(python), ["--version"], tmp_path))
    with pytest.raises(child.JobError, match="cannot be started"):
        ended(child.finished(str(tmp_path / "nothing"), ["--version"], tmp_path))


def test_closing_the_generator_ends_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "motionfields.py").write_text(
        "import os, sys, time, pathlib\n"
        "print('progress: half of it', file=sys.stderr, flush=True)\n"
        "pathlib.Path('pid').write_text(str(os.getpid()))\n"
        "time.sleep(600)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    running = child.finished(sys.executable, ["train"], tmp_path)
    assert next(running) in ("train", "half of it")
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        assert next(running) in ("train", "half of it")
    assert next(running) == "half of it"
    running.close()
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_the_add_on_is_short_and_its_manifest_is_complete() -> None:
    files = [path for path in ADDON.iterdir() if path.is_file()]
    assert sum(len(path.read_text().splitlines()) for path in files) < 800
    manifest = tomllib.loads((ADDON / "blender_manifest.toml").read_text())
    needed = "schema_version id version name tagline maintainer type blender_version_min license"
    assert set(needed.split()) <= set(manifest)
    assert manifest["version"] == mf.__version__
    assert len(manifest["tagline"]) <= 64
    assert all(len(why) <= 64 and why[-1].isalnum() for why in manifest["permissions"].values())


@pytest.mark.slow
@pytest.mark.skipif(blender() is None, reason="needs bpy, Blender as a module: name its Python in MOTIONFIELDS_BLENDER")
def test_a_walk_baked_in_blender_is_that_of_the_crowd(tmp_path: Path) -> None:
    python = blender()
    assert python is not None
    before = set(Path(tempfile.gettempdir()).glob("motionfields-*"))
    bake(python, tmp_path, None)
    assert max(compared(tmp_path).values()) < MOST_APART
    assert max(round_trips(python, tmp_path).values()) < MOST_APART
    results = json.loads((tmp_path / "baked.json").read_text())
    for message, reason in zip(
        results["mistakes"],
        (
            'pip install "motionfields[train]"',
            "press Build and Train first",
            "built from another rig",
            "Select the armature",
        ),
        strict=True,
    ):
        assert reason in message
    events = ["RUNNING_MODAL", "RUNNING_MODAL", "PASS_THROUGH", "timer removed", "Cancelled", "CANCELLED"]
    assert results["cancelled"] == [*events, "0 folders left", ""]
    assert set(Path(tempfile.gettempdir()).glob("motionfields-*")) == before
