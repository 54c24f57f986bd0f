"""Reports in parts: the same each time, gone on with after an interruption, and made again where need be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from motionfields.measure.evaluation import GATES
from motionfields.measure.evaluation.tables import (
    REGISTRY,
    DataSet,
    Progress,
    Results,
    costs,
    quick_registry,
    run_tables,
    running,
    without_paper,
)
from motionfields.measure.evaluation.tables.cells import Cells, cell_key
from motionfields.measure.evaluation.tables.report import missed_by_main, report_facts
from tests.measure.evaluation.small_tables import SETTINGS, small_registry, small_set

CELLS = [
    "small.source",
    "small.direction.rival",
    "small.course.rival",
    "small.sweep.rival.0500",
    "small.direction.field",
    "small.course.field",
    "small.sweep.field.0500",
    "small.direction.field-sampled-every-10-states",
]


class Run(NamedTuple):
    results: Results
    folder: Path
    progress: list[Progress]


@pytest.fixture(scope="module", autouse=True)
def _quick_costs() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(costs, "BLOCK_FRAMES", 1)
        yield


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder, heard = tmp_path_factory.mktemp("tables"), list[Progress]()
    results = run_tables([small_set()], folder, SETTINGS, registry=small_registry(), on_progress=heard.append)
    return Run(results, folder, heard)


def rerun(folder: Path) -> list[str]:
    """What was made by going on in `folder`."""
    heard: list[Progress] = []
    run_tables([small_set()], folder, SETTINGS, registry=small_registry(), on_progress=heard.append)
    return [progress.doing for progress in heard]


def test_every_cell_is_made_told_of_and_kept(done: Run) -> None:
    assert [progress.number for progress in done.progress] == list(range(1, len(CELLS) + 1))
    assert {progress.cell_count for progress in done.progress} == {len(CELLS)}
    assert all(0.0 < progress.seconds_left < float("inf") for progress in done.progress)
    assert sorted(path.stem for path in done.folder.iterdir()) == sorted(CELLS)
    assert list(done.results.rows) == [
        ("small", "direction", row) for row in ("rival", "field", "field, sampled every 10 states")
    ]
    for content in done.results.rows.values():
        assert content["figures"]["trial_count"][0] == len(content["trials"]["reached_s"]) >= SETTINGS.trials
        assert set(GATES) <= set(content["figures"])
        assert content["timings"]["cost"]["microseconds"] > 0.0
        assert content["size"]["file"] > content["size"]["values"] > 0


def test_the_same_seed_gives_the_same_figures_to_the_digit(done: Run, tmp_path: Path) -> None:
    registry = small_registry()
    again = run_tables([small_set()], tmp_path, SETTINGS, registry=registry)
    facts = [report_facts(results, SETTINGS, registry) for results in (done.results, again)]
    for one in facts:
        one.pop("timings")
        one.pop("machine")
    assert json.dumps(facts[0]) == json.dumps(facts[1])


def test_the_time_left_follows_the_pace_of_this_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0, *range(0, 100 * 3600, 3600)])  # every cell takes an hour
    monkeypatch.setattr(running, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    plan = [running._Cell(f"c{n}", "it", 100.0, cell_key(n=n), dict, lambda results, content: None) for n in range(20)]
    monkeypatch.setattr(running, "_Plan", lambda *words: SimpleNamespace(cells=lambda: plan))
    heard: list[Progress] = []
    run_tables([small_set()], tmp_path, SETTINGS, registry=small_registry(), on_progress=heard.append)
    assert heard[0].seconds_left == pytest.approx(20 * 100.0 * running.USUAL_PACE)
    assert heard[10].seconds_left == pytest.approx(10 * 3600.0, rel=0.1)
    assert heard[19].seconds_left == pytest.approx(3600.0, rel=0.1)


def test_a_quick_registry_has_the_main_rows_and_one_task() -> None:
    quick = quick_registry(REGISTRY)
    assert [row.name for row in quick.rows] == ["graph", "matching", "field"]
    assert list(quick.cases) == ["direction"]
    assert (quick.main, quick.methods) == (REGISTRY.main, REGISTRY.methods)


def test_the_rows_of_the_paper_can_be_left_out() -> None:
    left_out = {row.name for row in REGISTRY.rows} - {row.name for row in without_paper(REGISTRY).rows}
    assert left_out == {name for name in REGISTRY.methods if name.startswith("Lee et al. 2010")}


def test_nothing_is_made_twice(done: Run) -> None:
    assert rerun(done.folder) == []


def test_a_fresh_run_makes_all_again(done: Run) -> None:
    def refuse(name: str) -> None:
        raise RuntimeError(name)

    with pytest.raises(RuntimeError, match="rival"):
        run_tables([small_set()], done.folder, SETTINGS, registry=small_registry(refuse), fresh=True)
    run_tables([small_set()], done.folder, SETTINGS, registry=small_registry(refuse))


def test_a_damaged_cell_is_made_again_and_no_other(done: Run) -> None:
    before = {name: (done.folder / f"{name}.json").read_bytes() for name in CELLS}
    cut, bent = done.folder / "small.source.json", done.folder / "small.course.field.json"
    cut.write_bytes(cut.read_bytes()[:50])
    bent.write_bytes(bent.read_bytes().replace(b'"off_deg": [', b'"off_deg": [1.5, ', 1))
    assert rerun(done.folder) == ["small: measuring the data", "small: course of field"]
    assert {name: (done.folder / f"{name}.json").read_bytes() for name in CELLS} == before


def test_other_data_or_settings_are_other_cells(done: Run, tmp_path: Path) -> None:
    cells = Cells(tmp_path)
    keys = [cell_key(seed=1), cell_key(seed=2)]
    cells.write("one", keys[0], {"a": 1.0, "b": float("nan"), "c": [float("inf")]})
    assert cells.read("one", keys[0]) == {"a": 1.0, "b": None, "c": [None]}
    assert cells.read("one", keys[1]) is None
    assert cells.read("two", keys[0]) is None
    assert small_set().digest != DataSet("small", small_set().clips[:1]).digest
    for text in ("", "[]", "null", '{"key": 1}', "[" * 100_000):
        (tmp_path / "one.json").write_text(text)
        assert cells.read("one", keys[0]) is None


def test_an_interruption_keeps_what_was_done(tmp_path: Path) -> None:
    def interrupt(name: str) -> None:
        if name == "field":
            raise KeyboardInterrupt

    first = SETTINGS.__class__(**{**vars(SETTINGS), "agilities": ()})
    registry = small_registry(interrupt)._replace(main=("field", "rival"))  # what costs are held against is the rival
    with pytest.raises(KeyboardInterrupt):
        run_tables([small_set()], tmp_path, first, registry=registry)
    kept = sorted(path.stem for path in tmp_path.iterdir())
    assert kept == ["small.course.rival", "small.direction.rival", "small.source"]
    heard: list[Progress] = []
    registry = small_registry()._replace(main=("field", "rival"))
    run_tables([small_set()], tmp_path, first, registry=registry, on_progress=heard.append)
    assert [progress.number for progress in heard] == [4, 5, 6]


def test_sets_with_names_that_are_alike_are_refused(tmp_path: Path) -> None:
    one = small_set()
    for sets in ([], [one, one], [DataSet("a b", one.clips), DataSet("A-B", one.clips)], [DataSet("?", one.clips)]):
        with pytest.raises(ValueError, match="sets: expected names that differ"):
            run_tables(sets, tmp_path, SETTINGS)


def test_gates_that_main_rows_miss_are_told(done: Run) -> None:
    missed = missed_by_main(done.results, small_registry())
    for (data, case, row), content in done.results.rows.items():
        told = [f"{data}, {case}, {row}: {gate}" in missed for gate in content["missed"]]
        assert all(told) if row in ("rival", "field") else not any(told)
