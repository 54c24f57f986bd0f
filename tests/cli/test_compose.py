"""`compose` and `annotate` as a user types them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import motionfields as mf
from motionfields.cli.app import app
from motionfields.motion.samples import generate_samples

CLIPS = re.compile("walk_forward|turn_left_(090|135)_quick")
SCENE = '{"timeline": 1, "seconds": 3, "labels": [{"label": "%s", "start_s": 0.5, "end_s": 2.5%s}]}'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("compose")
    samples = generate_samples(only=CLIPS)
    mf.MotionField(mf.MotionDatabase.build([sample.clip for sample in samples])).save(folder / "walker.field")
    spans = [mf.Span(one.clip.name, 0.0, one.clip.duration, "walk") for one in samples]
    spans += [mf.Span(one.clip.name, 1.0, 2.0, "turn_left") for one in samples if "turn" in one.clip.name]
    mf.write_annotations(mf.Annotations(tuple(spans)), folder / "labels.csv")
    (folder / "scene.json").write_text(SCENE % ("turn_right", ""))
    return folder


def typed(*words: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(app, [str(word) for word in words])
    message = "" if result.exception is None else str(result.exception)
    return result.exit_code, result.output + message


def test_a_scene_is_composed_with_alternatives(folder: Path, tmp_path: Path) -> None:
    common = (folder / "walker.field", "--labels", folder / "labels.csv", "--timeline", folder / "scene.json")
    code, text = typed("compose", *common, "-o", tmp_path / "scene.bvh", "--alternatives", "2")
    assert code == 0, text
    assert "scene.bvh: 2.97 s, labels met" in text
    assert re.search(r" 0\.00 to .* s: \w+", text)
    assert mf.load_clip(tmp_path / "scene-2.bvh").frame_count == 90


def test_what_cannot_be_composed_is_told(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "hard.json").write_text(SCENE % ("walk", ', "wanted": false, "hard": true'))
    (tmp_path / "unknown.json").write_text(SCENE % ("fly", ""))
    for name, reason in (("hard.json", "no walk from 0.5 to 2.5 s cannot be met"), ("unknown.json", "got 'fly'")):
        common = (folder / "walker.field", "--labels", folder / "labels.csv", "--timeline", tmp_path / name)
        code, text = typed("compose", *common, "-o", tmp_path / "x.bvh")
        assert code == 1
        assert reason in text


def test_labels_are_converted_and_proposed(folder: Path, tmp_path: Path) -> None:
    code, text = typed(
        "annotate", folder / "walker.field", "--labels", folder / "labels.csv", "-o", tmp_path / "babel.json"
    )
    assert code == 0, text
    assert mf.read_annotations(tmp_path / "babel.json").labels == ("turn_left", "walk")
    pytest.importorskip("sklearn")
    name = mf.MotionField.load(folder / "walker.field").database.clip_names[-2]
    few = (mf.Span(name, 1.0, 2.0, "turn_left"), mf.Span(name, 0.0, 2.5, "*"))
    mf.write_annotations(mf.Annotations(few), tmp_path / "few.csv")
    words = ("annotate", folder / "walker.field", "--labels", tmp_path / "few.csv", "--propose", "-o")
    code, text = typed(*words, tmp_path / "proposed.csv")
    assert code == 0, text
    assert "learnt" in (tmp_path / "proposed.csv").read_text()
