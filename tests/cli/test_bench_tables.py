"""`bench tables` as a user types it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer.main

import motionfields as mf
from motionfields.cli import bench_tables
from motionfields.cli.app import app
from motionfields.cli.bench_tables import first_estimate, parse_set, progress_text
from motionfields.measure.evaluation import tables
from motionfields.measure.evaluation.tables import Progress, costs, report
from tests.cli.test_control_commands import Result, typed
from tests.measure.evaluation.small_tables import small_registry, small_set, small_settings

DOCS = Path(__file__).resolve().parents[2] / "docs" / "cli.md"
PICTURES = ["bars_small_direction", "course_small", "distribution_small_direction", "film_small_090", "film_small_180"]

pytest.importorskip("matplotlib")


class Typed(NamedTuple):
    result: Result
    words: tuple[str | Path, ...]
    report: Path


@pytest.fixture(scope="module", autouse=True)
def _small() -> Iterator[None]:
    """A bench that takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "REGISTRY", small_registry())
        patch.setattr(tables, "TableSettings", small_settings)
        patch.setattr(costs, "BLOCK_FRAMES", 1)
        yield


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Typed:
    home = tmp_path_factory.mktemp("tables")
    for clip in small_set().clips:
        mf.save_clip(clip, home / f"{clip.name}.bvh")
    data = f"small={','.join(str(path) for path in sorted(home.glob('*.bvh')))}"
    words = ("bench", "tables", "--data", data, "-o", home / "report", "--trials", "4", "--seeds", "1", "--seed", "7")
    return Typed(typed(*words), words, home / "report")


def test_everything_is_written_and_told(done: Typed) -> None:
    assert done.result.code == 0, done.result.err
    assert re.search(r"^small, direction, field: \d\.\d{3} s", done.result.out, re.MULTILINE)
    first, second = done.result.err.splitlines()[:2]
    assert re.fullmatch(r"8 cells: about \d+ (s|min) on two free cores\. .*", first)
    assert re.fullmatch(r"cell 1 of 8: small: measuring the data, about \d+ (s|min) left", second)
    assert done.result.err.count(" cells: about ") == 1
    names = sorted(path.name for path in done.report.iterdir())
    pictures = [f"{name}.png" for name in (*PICTURES, "frontier_small")]
    assert names == sorted([*pictures, "cells", "report.html", "report.json", "report.md"])
    text = (done.report / "report.md").read_text(encoding="utf-8")
    assert re.findall(r"\((\w+\.png)\)", text).sort() == pictures.sort()
    page = (done.report / "report.html").read_text(encoding="utf-8")
    assert page.count("data:image/png;base64,") == len(pictures)
    facts: dict[str, Any] = json.loads((done.report / "report.json").read_text(encoding="utf-8"))
    assert facts["settings"]["trials"] == 4
    assert facts["settings"]["first_seed"] == 7
    assert len(facts["results"]["rows"]) == len(facts["timings"]) == 3


def test_a_second_run_goes_on_from_the_first_and_a_missed_gate_fails_the_check(done: Typed) -> None:
    before = (done.report / "report.json").read_text(encoding="utf-8")
    again = typed(*done.words, "--check")
    assert "cell" not in again.err
    assert (done.report / "report.json").read_text(encoding="utf-8") == before
    assert "missed: small, direction, field: " in again.out  # so little data cannot keep them
    assert again.code == 1


def test_the_check_passes_where_no_gate_is_missed(done: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "missed_by_main", lambda results, registry: [])
    monkeypatch.setattr(bench_tables, "_write", lambda *words: None)
    assert typed(*done.words, "--check").code == 0


def test_a_quick_report_has_the_main_rows_of_one_task(
    done: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_tables, "QUICK_TRIALS", 5)
    result = typed("bench", "tables", "--data", done.words[3], "-o", tmp_path, "--quick", "--seed", "7")
    assert result.code == 0, result.err
    facts: dict[str, Any] = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert (facts["settings"]["trials"], facts["settings"]["seeds"]) == (5, 1)
    assert list(facts["results"]["rows"]) == ["small / direction / rival", "small / direction / field"]
    assert facts["results"]["sweeps"] == {}
    assert (tmp_path / "report.html").is_file()


def test_help_says_how_long_it_takes_and_how_to_make_it_shorter() -> None:
    said = " ".join(typed("bench", "tables", "--help").out.split())
    assert "The defaults take about an hour for each data set on two cores." in said
    assert "For a shorter run, use --quick, less data or fewer --trials." in said


def test_sets_are_named_or_take_the_name_of_their_path() -> None:
    assert parse_set("samples") == ("samples", [])
    assert parse_set("made up=samples") == ("made up", [])
    assert parse_set("takes/walks") == ("walks", [Path("takes/walks")])
    assert parse_set("takes/a.bvh,b.bvh") == ("a", [Path("takes/a.bvh"), Path("b.bvh")])
    assert parse_set("mine=a.zip,takes") == ("mine", [Path("a.zip"), Path("takes")])
    assert parse_set("./samples") == ("samples", [Path("samples")])
    assert parse_set("takes/../walks/.")[0] == "walks"
    assert parse_set("\udce4.bvh")[0] == "?"
    assert parse_set("odd=a=b.bvh") == ("odd", [Path("a=b.bvh")])
    for wrong in ("", "=a.bvh", "name=", ","):
        with pytest.raises(ValueError, match="data: expected NAME=PATH"):
            parse_set(wrong)


def test_mistakes_are_told_in_one_line(done: Typed, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    data = done.words[3]
    for words, reason in (
        (("--data", "none.bvh"), "none.bvh: there is no such file"),
        (("--data", "a="), "data: expected NAME=PATH"),
        (("--data", data, "-o", tmp_path / "file"), "cannot be created"),
        (("--data", data, "--data", data, "-o", tmp_path / "out"), "sets: expected names that differ"),
    ):
        result = typed("bench", "tables", *words)
        assert result.code == 1
        assert result.err.count("\n") == 1
        assert reason in result.err
    assert typed("bench", "tables", "--trials", "0").code == 2


def test_progress_tells_the_time_left() -> None:
    assert first_estimate(Progress(1, 9, "it", 2700.0)).startswith("9 cells: about 45 min on two free cores.")
    assert progress_text(Progress(2, 9, "it", 61.2)) == "cell 2 of 9: it, about 61 s left"
    assert progress_text(Progress(2, 9, "it", 600.0)) == "cell 2 of 9: it, about 10 min left"


def test_the_page_names_the_options_that_exist() -> None:
    group: Any = typer.main.get_command(app)
    known = {option for one in group.commands["bench"].commands["tables"].params for option in one.opts}
    section = DOCS.read_text(encoding="utf-8").partition("\n## bench tables\n")[2].partition("\n## ")[0]
    assert known - {"-o"} == set(re.findall(r"(?<![\w-])--[a-z]+", section))
