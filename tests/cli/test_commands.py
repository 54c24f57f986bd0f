"""The commands as a user types them: what they print, what they write, how they fail."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import motionfields as mf
from motionfields.cli import main
from motionfields.clip import Clip


class Result(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def type_command(*words: str | Path) -> Result:
        monkeypatch.setattr(sys, "argv", ["motionfields", *map(str, words)])
        monkeypatch.setenv("COLUMNS", "200")
        code: object = 0
        try:
            main()
        except SystemExit as end:
            code = end.code
        captured = capsys.readouterr()
        return Result(int(str(code or 0)), captured.out, captured.err)

    return type_command


@pytest.fixture
def take(tmp_path: Path, wobble: Clip) -> Path:
    path = tmp_path / "take.bvh"
    mf.save_clip(wobble, path)
    return path


def test_without_words_it_says_what_to_do(run: Run) -> None:
    result = run()
    assert result.code == 2
    for word in ("info", "convert", "render", "sample", "New here?"):
        assert word in result.out + result.err


def test_the_installed_script_runs_and_knows_its_version() -> None:
    script = Path(sys.executable).with_name("motionfields")
    answer = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert answer.stdout == f"motionfields {mf.__version__}\n"


def test_info_tells_what_was_found_and_why(run: Run, take: Path) -> None:
    result = run("info", take)
    assert result.code == 0
    for words in ("take: 1.98 s, 120 frames at 60/s, 12 joints", "stature 1.69 m", "hips stand above ankles along +y"):
        assert words in result.out


def test_info_as_json_holds_findings_and_measures(run: Run, take: Path) -> None:
    (facts,) = json.loads(run("info", "--json", take, "--scale", "cm").out)
    assert facts["frames"] == 120
    assert facts["report"]["scale"] == {"value": 0.01, "evidence": "given", "given": True}
    assert facts["motion"]["root_height_median_m"] == pytest.approx(0.9, abs=0.05)


def test_info_on_many_files_names_the_refused_and_fails(run: Run, take: Path) -> None:
    (take.parent / "broken.bvh").write_text("HIERARCHY\nROOT [bold]x\n")
    result = run("info", take.parent)
    assert result.code == 1
    assert "broken.bvh:3" in result.out
    assert "1 clips, 2.0 s in all, 1 files refused" in result.out
    failed = json.loads(run("info", "--json", take.parent).out)[1]
    assert failed["path"].endswith("broken.bvh")
    assert failed["line"] == 3


def test_convert_cuts_filters_and_resamples(run: Run, take: Path, wobble: Clip) -> None:
    target = take.with_name("out.bvh")
    words = ("--start", "0.5", "--end", "1.5", "--frame-rate", "30", "--cutoff", "8", "--unit", "m", "--order", "XYZ")
    result = run("convert", take, "-o", target, *words)
    assert result.code == 0
    assert "31 frames at 30/s, unit m" in result.out
    clip = mf.load_clip(target)
    expected = mf.resample(mf.low_pass(mf.trim(wobble, 30, 91)), 30.0)
    np.testing.assert_allclose(clip.world().positions, expected.world().positions, atol=1e-4)


def test_convert_mirrors_onto_the_same_skeleton_and_says_the_pairs(run: Run, take: Path, wobble: Clip) -> None:
    target = take.with_name("out.bvh")
    result = run("convert", take, "-o", target, "--mirror", "--ground")
    assert "LeftUpLeg/RightUpLeg" in result.out
    clip = mf.load_clip(target)
    np.testing.assert_allclose(clip.skeleton.offsets[1:], wobble.skeleton.offsets[1:], atol=1e-6)
    assert mf.floor_height(clip) == pytest.approx(0.0, abs=1e-6)


def test_render_draws_every_kind_of_picture(run: Run, take: Path) -> None:
    for name, words in (
        ("a.png", ()),
        ("b.png", ("--picture", "angles")),
        ("c.png", ("--picture", "contacts")),
        ("d.gif", ("--seconds", "0.2")),
    ):
        target = take.with_name(name)
        assert run("render", take, "-o", target, *words).code == 0
        assert target.read_bytes()[:4] in (b"\x89PNG", b"GIF8")


def test_sample_writes_clips_that_load(run: Run, tmp_path: Path) -> None:
    result = run("sample", "-o", tmp_path / "samples", "--frame-rate", "30")
    assert result.code == 0
    assert "nothing in it was captured" in result.out
    clips = mf.load_clips(tmp_path / "samples")
    assert sum(clip.duration for clip in clips) > 150.0
    for clip in clips:
        assert clip.report is not None
        assert clip.report.scale.value == 0.01
        assert clip.report.rest_frames.value == 0
        assert not clip.report.warnings, clip.name


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("render", "none.bvh", "-o", "x.png"), "No such file"),
        (("render", "take.bvh", "-o", "x.mp4"), "ends in .png or .gif"),
        (("convert", "take.bvh", "-o", "none/x.bvh"), "folder does not exist"),
        (("convert", "take.bvh", "-o", "x.fbx"), "ends in .bvh"),
        (("convert", "take.bvh", "-o", "x.bvh", "--unit", "ell"), "unit: expected one of m, cm"),
        (("convert", "take.bvh", "-o", "x.bvh", "--order", "XXX"), "order"),
        (("convert", "take.bvh", "-o", "x.bvh", "--frame-rate", "-3"), "frame_rate: expected a positive"),
        (("convert", "take.bvh", "-o", "x.bvh", "--start", "9"), "nothing lies between 9.0 s"),
        (("convert", "take.bvh", "-o", "x.bvh", "--scale", "0"), "expected a positive number"),
        (("convert", "take.bvh", "-o", "x.bvh", "--file-rate", "0"), "frame_rate: expected a positive"),
        (("convert", "take.bvh", "-o", "x.bvh", "--up", "+y", "--facing", "-y"), "an axis across up"),
        (("sample", "-o", "take.bvh"), "cannot be made"),
    ],
)
def test_mistakes_are_told_in_one_line(
    run: Run, take: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], reason: str
) -> None:
    monkeypatch.chdir(take.parent)
    result = run(*words)
    assert result.code == 1
    assert result.err.startswith("error: ")
    assert result.err.count("\n") == 1
    assert reason in result.err


def test_wrong_words_exit_with_2(run: Run, take: Path) -> None:
    for words in (("info",), ("dance",), ("render", take), ("info", take, "--up", "sideways")):
        assert run(*words).code == 2


def test_a_missing_extra_is_named(run: Run, take: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("matplotlib", "matplotlib.figure", "PIL"):
        monkeypatch.setitem(sys.modules, name, None)
    result = run("render", take, "-o", take.with_name("x.png"))
    assert result.code == 1
    assert 'pip install "motionfields[plots]"' in result.err
