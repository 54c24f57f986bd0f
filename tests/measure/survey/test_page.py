"""The report: files beside the page, statements on it, pictures inside it, and how a browser shows it."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.measure.survey import Statement, Survey, save_report, survey

from .conftest import clip_called

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Survey, Path]:
    """The report of a set that cannot turn, with a name that must be escaped and a statement about a pair of frames."""
    walk = replace(clip_called("walk_forward"), name="<walk>")
    field = MotionField(MotionDatabase.build([walk, clip_called("walk_stop")], mirror=False))
    found = survey(field)
    pair = Statement("lost-take", "Characters never play <walk>. Why.", "<walk>", 3, 2.0, "walk_stop", 50)
    found = replace(found, statements=(pair, Statement("pop", "A jump.", "walk_stop", 0), *found.statements))
    return found, save_report(found, field, tmp_path_factory.mktemp("report") / "new", title="Survey of <this>")


def test_the_page_names_every_statement_with_its_advice(report: tuple[Survey, Path]) -> None:
    found, page = report
    text = page.read_text("utf-8")
    for one in found.statements[2:]:
        assert one.text.replace("<", "&lt;").replace(">", "&gt;").split(". ")[0] in text
        assert one.advice.replace("'", "&#x27;") in text
    assert "<walk>" not in text
    assert "&lt;walk&gt;" in text
    assert "Survey of &lt;this&gt;" in text


def test_the_page_stands_alone_and_its_files_lie_beside_it(report: tuple[Survey, Path]) -> None:
    found, page = report
    text = page.read_text("utf-8")
    assert not re.search(r'(src|href)="(?!data:|#)', text)
    files = {file.name for file in page.parent.iterdir()}
    assert {"index.html", "survey.json", "map.png", "reach.png", "01_lost-take.png", "02_pop.png"} <= files
    facts = json.loads((page.parent / "survey.json").read_text("utf-8"))
    assert len(facts["statements"]) == len(found.statements)


def test_the_same_survey_gives_the_same_page(report: tuple[Survey, Path], tmp_path: Path) -> None:
    from motionfields.measure.survey.page import page_text

    found, page = report
    pictures = {0: "01_lost-take.png", 1: "02_pop.png"}
    pictures |= {
        number: f"{number + 1:02d}_{one.kind}.png"
        for number, one in enumerate(found.statements)
        if (page.parent / f"{number + 1:02d}_{one.kind}.png").exists()
    }
    assert page_text(found, page.parent, pictures, title="Survey of <this>") == page.read_text("utf-8")


def test_a_long_page_begins_with_the_kinds_of_its_findings(report: tuple[Survey, Path]) -> None:
    from motionfields.measure.survey.page import LONG_PAGE, page_text

    found, page = report
    assert 'href="#pop"' not in page.read_text("utf-8")
    pops = tuple(Statement("pop", "A jump.", "walk_stop", 0) for _ in range(LONG_PAGE + 1))
    text = page_text(replace(found, statements=pops), page.parent, {}, title="Survey")
    row = re.search(r'<tr><td>(\d+)</td><td>problem</td><td><a href="#pop">(.*?)</a></td></tr>', text)
    assert row is not None
    assert row.groups() == (str(LONG_PAGE + 1), "a joint jumps from one frame to the next")
    assert text.count('id="pop"') == 1


def test_the_summary_tells_how_much_of_the_set_characters_can_play(report: tuple[Survey, Path]) -> None:
    from motionfields.measure.survey.page import summary

    found, _ = report
    takes = {**found.takes, "frames": np.array([300, 100]), "in_core": np.array([1.0, 0.4])}
    assert summary(replace(found, takes=takes)).endswith("Characters can play 85 % of it.")
    assert "play" not in summary(replace(found, takes={**takes, "in_core": np.ones(2)}))


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium on the path")
def test_a_browser_shows_the_page_without_errors_or_sideways_scrolling(report: tuple[Survey, Path]) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as run:
        browser = run.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 400, "height": 800})
        messages: list[str] = []
        page.on("console", lambda message: messages.append(message.text))
        page.goto(report[1].as_uri())
        assert page.title() == "Survey of <this>"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate("[...document.images].slice(0, 1).every(image => image.naturalWidth > 0)")
        assert messages == []
        browser.close()
