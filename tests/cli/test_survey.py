"""`survey` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.clip import trim
from motionfields.motion.samples import generate_samples
from tests.cli.conftest import Run


def test_survey_writes_a_report_and_prints_the_problems_first(run: Run, tmp_path: Path) -> None:
    samples = generate_samples(frame_rate=30.0, only=["walk_forward", "walk_fast"])
    clips = [trim(sample.clip, 0, 100) for sample in samples]
    MotionField(MotionDatabase.build(clips, mirror=False)).save(tmp_path / "straight.field")
    result = run(
        "survey", tmp_path / "straight.field", "-o", tmp_path / "new" / "report", "--bounds", "--worth", "--shots"
    )
    assert result.code == 0, result.err
    lines = result.out.splitlines()
    assert lines[0].startswith("problem: The set cannot turn: nothing turns faster than")
    assert lines[-1] == str(tmp_path / "new" / "report" / "index.html")
    facts = json.loads((tmp_path / "new" / "report" / "survey.json").read_text("utf-8"))
    assert facts["title"] == "Survey of straight.field"
    assert len(facts["turn_times"]) == 9
    assert lines[-2].startswith("worth: ")
    assert {one["take"] for one in facts["worth"]["takes"]} == {"walk_forward", "walk_fast"}
    page = (tmp_path / "new" / "report" / "index.html").read_text("utf-8")
    assert "The soonest possible turns" in page
    assert "What each take is worth" in page
    assert any(line.startswith("capture: Walk, turn left by ") for line in lines)
    assert {"turn left", "turn right", "stop"} <= {one["kind"] for one in facts["shots"]}
    assert "What to capture next" in page
    assert (tmp_path / "new" / "report" / "shot_0.png").exists()


def test_survey_says_what_is_wrong_with_its_input(run: Run, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    assert "no such file" in run("survey", tmp_path / "none.field", "-o", tmp_path / "report").err.lower()
    assert "a file has that name" in run("survey", tmp_path / "none.field", "-o", tmp_path / "taken").err
