"""`train`, `record` and `bench response` as a user types them."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import typer.main

import motionfields as mf
from motionfields.cli import main
from motionfields.cli.app import app
from motionfields.cli.bench import characters_for
from motionfields.cli.train import progress_text
from motionfields.control import methods, training
from motionfields.control.controller import FieldController
from motionfields.control.training import Progress
from motionfields.measure.evaluation import GATES
from motionfields.motion.samples import generate_samples
from tests.motion.formats.characters import character_file

NAMES = ("walk_forward", "walk_stop", "turn_left_090_quick")
DOCS = Path(__file__).resolve().parents[2] / "docs" / "cli.md"


class Result(NamedTuple):
    code: int
    out: str
    err: str


def typed(*words: str | Path) -> Result:
    out, err, code = io.StringIO(), io.StringIO(), 0
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        patch.setattr(sys, "argv", ["motionfields", *map(str, words)])
        patch.setenv("COLUMNS", "200")
        try:
            main()
        except SystemExit as end:
            code = int(str(end.code or 0))
    return Result(code, out.getvalue(), err.getvalue())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Takes, fields of them that go on and that stand, and a controller."""
    home = tmp_path_factory.mktemp("control")
    for sample in generate_samples(only=NAMES):
        mf.save_clip(sample.clip, home / f"{sample.clip.name}.bvh")
    turning = (home / "walk_forward.bvh", home / "turn_left_090_quick.bvh")
    assert typed("build", *turning, "-o", home / "walker.field").code == 0
    short = home / "short.bvh"
    assert typed("convert", home / "walk_stop.bvh", "--end", "3", "-o", short).code == 0
    assert typed("build", short, "-o", home / "stander.field", "--no-mirror").code == 0
    result = typed("train", home / "walker.field", "--task", "direction", "-o", home / "walker.ctrl")
    assert result.code == 0, result.err
    assert re.fullmatch(
        r"training needs up to \d+ MB in addition to the field\n"
        r"\S+walker\.ctrl: direction, 814 states, \d+ sweeps, residual 0\.000\d+, converged, [\d.]+ s\n",
        result.out,
    ), result.out
    commands = {"task": "direction", "seconds": 5, "commands": [{"time": 0, "heading": 0}, {"time": 2, "heading": 90}]}
    (home / "commands.json").write_text(json.dumps(commands))
    return home


def test_a_built_field_finds_all_that_goes_on(folder: Path) -> None:
    for name in ("stander.field", "walker.field"):
        field = mf.MotionField.load(folder / name)
        goes_on = field.database.frames_left >= 1
        np.testing.assert_array_equal(field.findable, np.flatnonzero(goes_on & field.connectivity.core))


def test_contacts_of_a_file_take_the_place_of_those_detected(folder: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("file,foot,start_s,end_s\nwalk_forward.bvh,right,0.5,1.0\n")
    words = ("build", folder / "walk_forward.bvh", "--no-mirror", "--contacts", labels)
    assert typed(*words, "-o", tmp_path / "x.field").code == 0
    assert typed(*words, "-o", tmp_path / "y.field", "--memory", "1G").code == 0
    contacts = mf.MotionField.load(tmp_path / "x.field").database.contacts
    assert np.flatnonzero(contacts[:, 1]).tolist() == list(range(15, 30))
    assert (tmp_path / "x.field").read_bytes() == (tmp_path / "y.field").read_bytes()
    labels.write_text("file,foot,start_s,end_s\nwalk_forward.bvh,right,1.0,0.5\n")
    result = typed(*words, "-o", tmp_path / "z.field")
    assert (result.code, "labels.csv:2: end_s: expected more than start_s" in result.err) == (1, True)


def test_training_says_when_it_did_not_converge_and_can_be_made_loose(folder: Path, tmp_path: Path) -> None:
    words = ("--task", "direction", "--tolerance", "0.5", "--agility", "1", "-o", tmp_path / "x.ctrl")
    result = typed("train", folder / "walker.field", *words)
    assert ", converged," in result.out
    controller = FieldController.load(tmp_path / "x.ctrl")
    assert controller.settings.jump_cost < FieldController.load(folder / "walker.ctrl").settings.jump_cost


def test_velocity_is_trained_on_a_field_that_stands_and_compressed(folder: Path, tmp_path: Path) -> None:
    words = ("--task", "velocity", "--tolerance", "0.5", "--compress", "15", "--work", tmp_path / "work")
    result = typed("train", folder / "stander.field", *words, "-o", tmp_path / "x.ctrl")
    assert result.code == 0, result.err
    controller = FieldController.load(tmp_path / "x.ctrl")
    assert 15 * controller.values.byte_count <= 4 * controller.values.table().size


def test_a_warped_line_controller_is_trained(folder: Path, tmp_path: Path) -> None:
    words = ("--task", "line", "--warp", "--tolerance", "1", "-o", tmp_path / "x.ctrl")
    assert typed("train", folder / "walker.field", *words).code == 0
    assert FieldController.load(tmp_path / "x.ctrl").warp is not None


def test_what_was_trained_is_kept_when_it_cannot_be_made_so_small(folder: Path, tmp_path: Path) -> None:
    words = ("--task", "direction", "--tolerance", "1", "--compress", "1e9", "-o", tmp_path / "x.ctrl")
    result = typed("train", folder / "walker.field", *words)
    assert result.code == 1
    assert "--compress: factor: expected at most" in result.err
    assert "x.ctrl was written without compression" in result.err
    FieldController.load(tmp_path / "x.ctrl")


def test_progress_tells_the_time_left_once_it_is_known() -> None:
    assert progress_text(Progress(3, 0.0123, float("nan"))) == "sweep 3, residual 0.012"
    assert progress_text(Progress(3, 0.0123, 8.4)) == "sweep 3, residual 0.012, about 8 s left"


def test_motion_is_recorded_on_a_character_of_ones_own(folder: Path, tmp_path: Path) -> None:
    skeleton = mf.MotionField.load(folder / "walker.field").database.skeleton
    hero = tmp_path / "hero.glb"
    hero.write_bytes(character_file(skeleton, unit=0.01, rolled=True, textured=True))
    words = ("record", folder / "walker.ctrl", "--at", "0:heading=0", "--seconds", "1", "--character", hero)
    result = typed(*words, "-o", tmp_path / "out.glb")
    assert result.code == 0, result.err
    back = mf.load_character(tmp_path / "out.glb")
    assert len(back.looks.images) == 1
    assert mf.load_clip(tmp_path / "out.glb").frame_count == 30
    refused = typed(*words, "-o", tmp_path / "out.bvh")
    assert "expected an output name that ends in .glb or .usda or .usdc" in refused.err
    wrong = typed(*words[:-1], folder / "walker.field", "-o", tmp_path / "out.glb")
    assert "expected a character as a skinned .glb or .gltf file" in wrong.err


def test_recorded_commands_become_a_clip_the_same_for_the_same_seed(folder: Path, tmp_path: Path) -> None:
    for name, seed in (("one.bvh", "1"), ("two.bvh", "1"), ("three.bvh", "2")):
        words = ("--commands", folder / "commands.json", "--seed", seed, "-o", tmp_path / name)
        result = typed("record", folder / "walker.ctrl", *words)
        assert (result.code, result.err) == (0, "")
        assert "4.97 s, 150 frames at 30/s, 2 commands" in result.out
    one, two, three = ((tmp_path / name).read_bytes() for name in ("one.bvh", "two.bvh", "three.bvh"))
    assert one == two != three
    facing = mf.quality.facing_yaw(mf.load_clip(tmp_path / "one.bvh"))
    assert np.degrees(facing[-1]) == pytest.approx(90.0, abs=20.0)
    told = ("--at", "0:heading=0", "--at", "2:heading=90", "--seconds", "5", "--seed", "1")
    result = typed("record", folder / "walker.ctrl", *told, "-o", tmp_path / "typed.bvh")
    assert "4.97 s, 150 frames at 30/s, 2 commands" in result.out
    assert (tmp_path / "typed.bvh").read_bytes() == one
    bare = ("--commands", folder / "commands.json", "--seed", "1", "--no-plant", "-o", tmp_path / "bare.bvh")
    assert typed("record", folder / "walker.ctrl", *bare).code == 0
    assert (tmp_path / "bare.bvh").read_bytes() != one


def test_a_path_is_walked_and_progress_can_be_read_as_lines(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "path.json").write_text(json.dumps({"path": 1, "points_m": [[1, 0], [1, 3]]}))
    words = ("record", folder / "walker.ctrl", "--path", tmp_path / "path.json", "-o", tmp_path / "walk.bvh")
    monkeypatch.setenv("MOTIONFIELDS_PROGRESS", "lines")
    result = typed(*words)
    assert result.code == 0
    assert result.err == "progress: 3 m of path (the first run also compiles: up to a minute)\n"
    assert "arrived after 3 m of path" in result.out
    clip = mf.load_clip(tmp_path / "walk.bvh", facing="+z")
    np.testing.assert_allclose(clip.root_position[0, ::2], (1.0, 0.0), atol=0.1)
    assert clip.root_position[-1, 2] == pytest.approx(3.0, abs=0.15)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("train", "walker.field", "--task", "line", "-o", "x.field"), "ends in .ctrl"),
        (("train", "none.field", "--task", "line", "-o", "x.ctrl"), "there is no such file"),
        (("train", "walker.ctrl", "--task", "line", "-o", "x.ctrl"), "walker.ctrl"),
        (("train", "walker.field", "--task", "line", "-o", "x.ctrl", "--work", "walker.field"), "walker.field"),
        (("train", "walker.field", "--task", "line", "-o", "x.ctrl", "--backend", "ray"), "--work"),
        (("train", "walker.field", "--task", "line", "-o", "x.ctrl", "--address", "localhost:1"), "--backend ray"),
        (("record", "walker.ctrl", "--commands", "commands.json", "-o", "x.gif"), "ends in .bvh"),
        (("record", "walker.ctrl", "--commands", "none.json", "-o", "x.bvh"), "none.json: there is no such file"),
        (
            ("record", "walker.ctrl", "--commands", "commands.json", "--seconds", "3", "-o", "x.bvh"),
            "--seconds: expected",
        ),
        (("record", "walker.ctrl", "--commands", "commands.json", "--at", "0:heading=0", "-o", "x.bvh"), "got 2"),
        (("record", "walker.ctrl", "-o", "x.bvh"), "got none"),
        (("record", "walker.ctrl", "--path", "commands.json", "-o", "x.bvh"), "expected path, points_m"),
        (
            ("record", "walker.ctrl", "--at", "0:heading=0", "--speed", "1", "-o", "x.bvh"),
            "--speed: expected with --path",
        ),
        (("record", "walker.field", "--commands", "commands.json", "-o", "x.bvh"), "walker.field"),
        (("record", "walker.ctrl", "--commands", "walk_stop.bvh", "-o", "x.bvh"), "walk_stop.bvh:1: expected JSON"),
        (("bench", "response", "--data", "none.bvh"), "there is no such file"),
        (("bench", "response", "--json", "x.csv"), "ends in .json"),
        (("bench", "response", "--plots", "commands.json"), "cannot be created"),
    ],
)
def test_mistakes_are_told_in_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], reason: str
) -> None:
    monkeypatch.chdir(folder)
    result = typed(*words)
    assert result.code == 1
    assert result.err.startswith("error: ")
    assert result.err.count("\n") == 1
    assert reason in result.err


def test_wrong_words_exit_with_2(folder: Path) -> None:
    for words in (
        ("bench",),
        ("bench", "weight"),
        ("bench", "response", "--task", "velocity"),
        ("train", folder / "walker.field", "--task", "dance", "-o", "x.ctrl"),
        ("train", folder / "walker.field", "--task", "line", "-o", "x.ctrl", "--agility", "2"),
    ):
        assert typed(*words).code == 2


def test_the_bench_tells_and_writes_every_figure(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loose = functools.partial(training.train, tolerance=1.0)
    monkeypatch.setattr(training, "train", loose)
    monkeypatch.setattr(methods, "train_paper", loose)  # a stand-in: the paper's own takes minutes
    data = ("--data", folder / "walk_forward.bvh", "--data", folder / "turn_left_090_quick.bvh")
    words = ("--trials", "2", "--seeds", "2", "--json", tmp_path / "figures.json", "--plots", tmp_path / "pictures")
    result = typed("bench", "response", *data, *words, "--paper")
    assert result.code == 0, result.err
    assert "2 clips, 814 states including mirror images" in result.out
    for name in ("source", "gate", "ours", "greedy", "paper"):
        assert re.search(rf"^{name} ", result.out, re.MULTILINE)
    assert re.search(r"^footwork +foot +p95 +fast +spin +twist +flight +replayed *$", result.out, re.MULTILINE)
    assert sorted(path.name for path in (tmp_path / "pictures").iterdir()) == ["greedy.png", "ours.png", "paper.png"]
    facts: dict[str, Any] = json.loads((tmp_path / "figures.json").read_text())
    assert facts["settings"]["trials"] == 2
    assert facts["source"]["footwork"]["twist_deg"] > 0.0
    assert facts["versions"]["motionfields"] == mf.__version__
    for name, figures in facts["methods"].items():
        assert figures["trial_count"] == sum(seed["trial_count"] for seed in figures["by_seed"]) >= 2
        assert len(figures["changes"]["angle_deg"]) == figures["trial_count"]
        assert figures["done_count"] == sum(time is not None for time in figures["changes"]["reached_s"])
        assert set(GATES) <= set(figures)
        for missed in figures["missed"]:
            assert f"missed: {name}: {missed}" in result.out
        if figures["done_count"] < figures["trial_count"]:
            done, count = figures["done_count"], figures["trial_count"]
            assert f"* {name}: times of the {done} completed changes, out of {count}" in result.out


def test_lines_can_be_asked_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "train", functools.partial(training.train, tolerance=1.0))
    words = ("--task", "line", "--trials", "1", "--seeds", "1", "--warp", "--agility", "0.7")
    data = ("--data", folder / "walk_forward.bvh", "--data", folder / "turn_left_090_quick.bvh")
    result = typed("bench", "response", *data, *words)
    assert result.code == 0, result.err
    assert "goal changes for task line over 1 seed\n" in result.out


def test_enough_characters_are_asked_for() -> None:
    rng = np.random.default_rng(0)
    for wanted in (1, 10, 250, 1000):
        shape = (200, characters_for(wanted), 4)
        counted = (np.abs(rng.uniform(-180.0, 180.0, shape)) >= 5.0).sum(axis=(1, 2))
        assert (counted >= wanted).mean() > 0.98
        assert counted.mean() < 1.2 * wanted + 8


def test_the_page_names_options_of_the_bench_that_exist() -> None:
    group: Any = typer.main.get_command(app)
    known = {option for one in group.commands["bench"].commands["response"].params for option in one.opts}
    section = DOCS.read_text(encoding="utf-8").partition("\n## bench\n")[2].partition("\n## ")[0]
    assert known == set(re.findall(r"(?<![\w-])--[a-z]+", section))


@pytest.mark.parametrize(
    ("method", "said"),
    [
        ("graph", r"direction, graph, \d+ states, \d+ sweeps, residual [\d.e-]+, converged, [\d.]+ s"),
        ("matching", r"direction, matching, \d+ states, [\d.]+ s"),
    ],
)
def test_other_methods_are_trained_recorded_and_loaded_alike(
    folder: Path, tmp_path: Path, method: str, said: str
) -> None:
    path, clip = tmp_path / f"{method}.ctrl", tmp_path / "motion.bvh"
    result = typed("train", folder / "walker.field", "--task", "direction", "--method", method, "-o", path)
    assert result.code == 0, result.err
    assert re.search(said, result.out), result.out
    result = typed("record", path, "--commands", folder / "commands.json", "-o", clip)
    assert result.code == 0, result.err
    assert mf.load_clip(clip).frame_count == 150
    assert type(methods.load_controller(path)).__name__ == f"{method.capitalize()}Controller"


def test_a_controller_of_the_field_is_loaded_as_one_of_any_method(folder: Path) -> None:
    assert isinstance(methods.load_controller(folder / "walker.ctrl"), FieldController)


@pytest.mark.parametrize(
    ("method", "option"),
    [
        ("graph", ["--warp"]),
        ("graph", ["--compress", "15"]),
        ("matching", ["--compress", "15"]),
        ("matching", ["--work", "a"]),
    ],
)
def test_options_that_a_method_does_not_know_are_refused(folder: Path, method: str, option: list[str]) -> None:
    result = typed(
        "train", folder / "walker.field", "--task", "direction", "--method", method, "-o", folder / "no.ctrl", *option
    )
    assert result.code == 1
    assert f"{option[0]}: not supported by --method {method}; remove the option" in result.err
    assert not (folder / "no.ctrl").exists()


def test_matching_may_turn_further_than_captured(folder: Path, tmp_path: Path) -> None:
    words = ("train", folder / "walker.field", "--task", "direction", "--method", "matching", "--warp")
    assert typed(*words, "-o", tmp_path / "far.ctrl").code == 0
    assert methods.MatchingController.load(tmp_path / "far.ctrl").settings.extra_turn == 0.2
