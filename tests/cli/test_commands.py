"""The commands as a user types them: what they print, what they write, how they fail."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionfields as mf
from motionfields.cli.app import FIRST, app
from motionfields.motion.clip import Clip
from tests.cli.conftest import Run


@pytest.fixture
def take(tmp_path: Path, wobble: Clip) -> Path:
    path = tmp_path / "take.bvh"
    mf.save_clip(wobble, path)
    return path


def test_without_words_it_says_what_to_do(run: Run) -> None:
    result = run()
    assert result.code == 0
    for words in ("motionfields demo", "motionfields build takes -o walker.field", "doctor", "--help"):
        assert words in result.out


def test_every_command_shows_an_example_of_itself(run: Run) -> None:
    shown = [line for line in FIRST.splitlines() if line.startswith("  motionfields")]
    assert len(shown) == 4
    for command in app.registered_commands:
        assert command.callback is not None
        name = command.callback.__name__
        assert f"Example: motionfields {name}" in run(name, "--help").out


def test_the_installed_script_runs_and_knows_its_version() -> None:
    script = Path(sys.executable).with_name("motionfields")
    answer = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert answer.stdout == f"motionfields {mf.__version__}\n"


def test_info_tells_what_was_found_and_why(run: Run, take: Path) -> None:
    result = run("info", take)
    assert result.code == 0
    for words in ("take: 1.98 s, 120 frames at 60/s, 12 joints", "stature 1.69 m", "hips are above ankles along +y"):
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
    assert "1 clip, 2.0 s in total, 1 file refused" in result.out
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
    assert "none of it captured" in result.out
    clips = mf.load_clips(tmp_path / "samples")
    assert sum(clip.duration for clip in clips) > 150.0
    for clip in clips:
        assert clip.report is not None
        assert clip.report.scale.value == 0.01
        assert clip.report.rest_frames.value == 0
        assert not clip.report.warnings, clip.name


def test_sample_writes_only_the_clips_asked_for(run: Run, tmp_path: Path) -> None:
    result = run("sample", "-o", tmp_path / "one", "--only", "walk_forward")
    assert (result.code, result.err) == (0, "")
    assert result.out == f"{tmp_path / 'one'}: 1 clip, 9 s of generated motion, none of it captured\n"
    run("sample", "-o", tmp_path / "some", "--only", "walk_s*p", "--only", "stand_idle")
    assert {path.stem for path in (tmp_path / "some").iterdir()} == {"walk_speed_up", "walk_stop", "stand_idle"}
    result = run("sample", "-o", tmp_path / "none", "--only", "run_*")
    assert result.code == 1
    assert "--only: no clip is called run_*" in result.err
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("render", "none.bvh", "-o", "x.png"), "no such file"),
        (("render", "take.bvh", "-o", "x.avi"), "ends in .png or .gif or .mp4 or .webm"),
        (("convert", "take.bvh", "-o", "none/x.bvh"), "folder does not exist"),
        (("convert", "take.bvh", "-o", "x.fbx"), "ends in .bvh"),
        (("convert", "take.bvh", "-o", "x.bvh", "--unit", "ell"), "unit: expected one of m, cm"),
        (("convert", "take.bvh", "-o", "x.bvh", "--order", "XXX"), "order"),
        (("convert", "take.bvh", "-o", "x.bvh", "--frame-rate", "-3"), "frame_rate: expected a positive"),
        (("convert", "take.bvh", "-o", "x.bvh", "--start", "9"), "no frames between 9 s and the end"),
        (("convert", "take.bvh", "-o", "x.bvh", "--scale", "0"), "expected a positive number"),
        (("convert", "take.bvh", "-o", "x.bvh", "--file-rate", "0"), "frame_rate: expected a positive"),
        (("convert", "take.bvh", "-o", "x.bvh", "--up", "+y", "--facing", "-y"), "an axis perpendicular to up"),
        (("convert", "take.bvh", "-o", "x.bvh", "--scale", "banana"), "scale: expected metres per unit or one of m"),
        (("convert", "take.bvh", "-o", "x.bvh", "--start", "inf"), "start: expected a finite number of seconds"),
        (("convert", "take.bvh", "-o", "x.bvh", "--end", "inf"), "end: expected a finite number of seconds"),
        (("convert", "take.bvh", "-o", "x.bvh", "--end", "nan"), "end: expected a finite number of seconds"),
        (("convert", "take.bvh", "-o", "x.bvh", "--frame-rate", "1e12"), "frame_rate: expected a positive"),
        (("convert", "take.bvh", "-o", "x.bvh", "--rest-frames", "10000"), "fewer than the file's 120 frames"),
        (("convert", "take.bvh", "-o", "n" * 300 + ".bvh"), "cannot be written"),
        (("convert", "take.bvh", "-o", "n" * 300 + "/x.bvh"), "name too long"),
        (("render", "take.bvh", "-o", "x.gif", "--seconds", "inf"), "max_seconds: expected a positive"),
        (("render", "take.bvh", "-o", "n" * 300 + ".png"), "name too long"),
        (("info", "take.bvh", "--scale", "1e300"), "scale: expected"),
        (("sample", "-o", "take.bvh"), "cannot be created"),
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


def test_convert_says_when_the_rate_cannot_hold_the_cutoff(run: Run, take: Path) -> None:
    result = run("convert", take, "-o", take.with_name("out.bvh"), "--cutoff", "40")
    assert result.code == 0
    assert "not filtered: 40 Hz needs at least 100 frames/s, the clip has 60" in result.out
    assert "not filtered" not in run("convert", take, "-o", take.with_name("out.bvh"), "--cutoff", "8").out


def test_convert_mirrors_legs_with_roll_bones_on_mirrored_bones_and_says_so(
    run: Run, tmp_path: Path, wobble: Clip
) -> None:
    clip = with_roll_bones(wobble)
    mf.save_clip(clip, tmp_path / "roll.bvh")
    result = run("convert", tmp_path / "roll.bvh", "-o", tmp_path / "out.bvh", "--mirror")
    assert result.code == 0
    assert "kept on the mirrored skeleton: LeftUpLegRoll lies between LeftUpLeg and LeftLeg" in result.out
    expected = mf.mirror(clip).world().positions
    np.testing.assert_allclose(mf.load_clip(tmp_path / "out.bvh").world().positions, expected, atol=1e-4)


def with_roll_bones(clip: Clip) -> Clip:
    """`clip` with a joint halfway down each thigh that twists by 0.3 radians, left and right alike."""
    for name in ("LeftLeg", "RightLeg"):
        skeleton, knee = clip.skeleton, clip.skeleton.index(name)
        shifted = np.where(skeleton.parents >= knee, skeleton.parents + 1, skeleton.parents)
        parents = np.insert(shifted, knee, knee - 1)
        parents[knee + 1] = knee
        offsets = np.insert(skeleton.offsets, knee, 0.5 * skeleton.offsets[knee], axis=0)
        offsets[knee + 1] *= 0.5
        names = (*skeleton.names[:knee], name.replace("Leg", "UpLegRoll"), *skeleton.names[knee:])
        tips = np.where(skeleton.tip_joints >= knee, skeleton.tip_joints + 1, skeleton.tip_joints)
        rolled = np.insert(clip.rotations, knee, mf.geometry.quat_exp([0.0, 0.3, 0.0]), axis=1)
        clip = replace(
            clip, skeleton=mf.Skeleton(names, parents, offsets, tips, skeleton.tip_offsets), rotations=rolled
        )
    return clip


def test_info_goes_on_after_a_source_that_cannot_be_used(run: Run, take: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.zip").write_bytes(b"PK nothing")
    (tmp_path / "empty").mkdir()
    result = run("info", tmp_path / "bad.zip", tmp_path / "empty", tmp_path / ("n" * 300 + ".bvh"), take)
    assert result.code == 1
    assert "take: 1.98 s" in result.out
    assert "1 clip, 2.0 s in total, 3 files refused" in result.out
    assert result.err == ""


def test_the_package_runs_as_a_module() -> None:
    words = [sys.executable, "-m", "motionfields", "--version"]
    answer = subprocess.run(words, capture_output=True, text=True, check=True)
    assert answer.stdout == f"motionfields {mf.__version__}\n"


def test_render_takes_what_settles_the_guesses(run: Run, take: Path) -> None:
    words = ("--scale", "cm", "--up", "+y", "--facing", "+z", "--rest-frames", "3", "--file-rate", "30")
    assert run("render", take, "-o", take.with_name("x.png"), "--poses", "2", *words).code == 0


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), "not enough memory"),
        (OverflowError("too large"), "too large"),
        (PermissionError(13, "Permission denied", "/x"), "Permission denied"),
    ],
)
def test_what_the_system_refuses_is_told_in_one_line(
    error: Exception, words: str, run: Run, take: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("motionfields.motion.formats.load_clip", fail)
    result = run("convert", take, "-o", take.with_name("x.bvh"))
    assert result.code == 1
    assert result.err.startswith("error: ")
    assert result.err.count("\n") == 1
    assert words in result.err


@pytest.mark.parametrize("name", ["take_$5_and_$6_final", "a$\\badmacro$b", "\u6b69\u304f", "caf\udce9"])
def test_files_of_any_name_are_drawn_and_named(name: str, run: Run, take: Path) -> None:
    source = take.rename(take.with_name(f"{name}.bvh"))
    for picture in ("filmstrip", "angles", "contacts"):
        target = take.with_name(f"{name}.png")
        result = run("render", source, "-o", target, "--picture", picture)
        assert (result.code, result.err) == (0, "")
        assert target.exists()
    assert run("info", source).code == 0
