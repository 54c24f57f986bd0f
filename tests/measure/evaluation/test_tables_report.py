"""Content and layout of reports."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionfields.measure.evaluation import GATES, Figures
from motionfields.measure.evaluation.tables.cells import Content
from motionfields.measure.evaluation.tables.comparing import extremes, mean_ratio
from motionfields.measure.evaluation.tables.document import (
    Block,
    Grid,
    Heading,
    Picture,
    Points,
    Words,
    as_html,
    as_markdown,
)
from motionfields.measure.evaluation.tables.registry import REGISTRY
from motionfields.measure.evaluation.tables.report import Drawn, report_blocks, report_facts
from motionfields.measure.evaluation.tables.running import Results
from motionfields.measure.evaluation.tables.wording import bytes_shown, listed, seconds_shown, with_error
from tests.measure.evaluation.small_tables import SETTINGS

HOSTILE = '<script>alert(1)</script> | `a` & "b"'


def content_of(reached: list[float | None], **figures: float) -> Content:
    """A cell of a row with these times and figures; all gates are kept unless figures say otherwise."""
    good = {name: 0.5 * (low + high) for name, (low, high) in GATES.items()}
    done = [time for time in reached if time is not None]
    values: dict[str, float] = (
        dict.fromkeys(Figures._fields, 1.0) | good | {"mean": float(np.mean(done or [0.0]))} | figures
    )
    values |= {"failures": 1.0 - len(done) / len(reached), "trial_count": float(len(reached))}
    missed = [f"{name} is {values[name]:.3f}" for name, (low, high) in GATES.items() if not low <= values[name] <= high]
    count = len(reached)
    return {
        "figures": {name: [value, 0.01] for name, value in values.items() if name != "error"},
        "missed": missed,
        "trials": {
            "seed": [2000] * count,
            "character": list(range(count)),
            "angle_deg": [10.0 * (number + 1) for number in range(count)],
            "reached_s": reached,
            "settled_s": reached,
        },
        "size": {"file": 2_000_000, "values": None, "memory": 3_000_000},
        "timings": {
            "training_s": 12.0,
            "trials_s": 1.0,
            "cost": {"microseconds": 40.0, "error": 1.0, "ratio": 1.0, "ratio_error": 0.0},
        },
    }


SOURCE: Content = {
    "clips": 2,
    "states": 1234,
    "frame_rate": 30.0,
    "turning_deg_s": [90.0, 160.0, 200.0],
    "limit_s": 1.0,
    "step_s": 0.6,
}


def results_of(name: str, rows: dict[str, Content]) -> Results:
    return Results({name: SOURCE}, {(name, "direction", row): content for row, content in rows.items()}, {}, {})


def test_a_ratio_is_that_of_the_means_and_pairs_characters() -> None:
    field = content_of([0.5, 1.0, 1.5, 2.0])
    twice = content_of([1.0, 2.0, 3.0, 4.0])
    ratio = mean_ratio(field, twice, resamples=50, seed=0)
    assert ratio.value == pytest.approx(0.5)
    assert ratio.error == pytest.approx(0.0, abs=1e-12)  # whoever is drawn, the rival takes twice as long
    other = mean_ratio(field, content_of([4.0, 3.0, 2.0, 1.0]), resamples=50, seed=0)
    assert other.error > 0.05
    assert other == mean_ratio(field, content_of([4.0, 3.0, 2.0, 1.0]), resamples=50, seed=0)


def test_gains_and_losses_are_the_largest_first() -> None:
    won, lost = extremes(content_of([0.5, 1.0, 1.0, 2.0, None]), content_of([0.5, 3.0, None, 1.0, 1.0]))
    assert [change.character for change in won] == [2, 1]
    assert [change.character for change in lost] == [4, 3]
    assert won[0].rival_seconds == np.inf
    assert lost[0].gain == pytest.approx(-5.0)


def test_the_report_says_who_is_faster_and_what_was_missed() -> None:
    times: list[float | None] = [0.4, 0.5, 0.6, 0.7]
    rows = {
        "graph": content_of([1.1, 1.1, 1.2, 1.2]),
        "matching": content_of([0.4, 0.5, 0.6, 0.7], jerk=1.21),
        "field": content_of(times),
        "field x10, packed": content_of([0.4, 0.5, 0.6, None]),
    }
    text = as_markdown(report_blocks(results_of("walks", rows), SETTINGS, REGISTRY))
    assert re.search(r"The field responds in 0\.550 ± 0\.010 s on average, graph in 1\.150 .* so it is faster\.", text)
    assert re.search(
        r"\|walks: direction\|1\.150 ± 0\.010\|0\.550 ± 0\.010 !\|0\.550 ± 0\.010\|0\.478 ± \S+\|1\.000\|", text
    )
    assert "which is no clear difference" in text
    assert "But matching missed a gate" in text
    assert "matching misses: jerk is 1.210 (within 2 standard errors of the gate)." in text
    assert "All gates are met by graph and field." in text
    assert (
        "Largest leads of the field over graph: a change by 10 degrees (seed 2000, character 0), 0.40 s against" in text
    )
    assert "|1.210 ± 0.010 !|" in text
    assert r"0.500 ± 0.010\*" in text  # of the changes that were done
    assert "25.0 ± 1.0 % !" in text


def test_footwork_has_a_table_of_its_own_with_its_gates() -> None:
    rows = {"field": content_of([0.5, 0.6], replayed=0.13, turning_foot_p95=7.4, largest_share=0.86)}
    text = as_markdown(report_blocks(results_of("walks", rows), SETTINGS, REGISTRY))
    assert r"|gate|up to 1.2|up to 1.2|up to 1.5|up to 2|0.8 to 2|up to 0.005|up to 0.005||" in text
    assert re.search(r"\|field\|0\.600 ± 0\.010\|7\.400 ± 0\.010 !\|.*\|0\.130 ± 0\.010 !\|86\.0 ± 1\.0 %\|", text)
    assert "field misses: turning foot p95 is 7.400; replayed is 0.130." in text


def test_who_does_nothing_is_not_compared() -> None:
    never = content_of([None, None])
    never["figures"]["mean"] = [None, None]
    text = as_markdown(
        report_blocks(results_of("walks", {"graph": never, "field": content_of([1.0, 1.0])}), SETTINGS, REGISTRY)
    )
    assert "graph completed no change in time, so field and graph cannot be compared." in text
    assert "|walks: direction|- !|-|1.000 ± 0.010|-|-|" in text


def test_facts_keep_timings_apart() -> None:
    facts: dict[str, Any] = report_facts(results_of("walks", {"field": content_of([1.0])}), SETTINGS, REGISTRY)
    assert "timings" not in facts["results"]["rows"]["walks / direction / field"]
    assert facts["timings"]["walks / direction / field"]["training_s"] == 12.0
    assert facts["paper"]["line"]["graph"] == [0.47, 1.30, 2.19]


def test_the_page_needs_nothing_else_and_takes_nothing_for_markup(tmp_path: Path) -> None:
    picture = tmp_path / "a.png"
    picture.write_bytes(b"\x89PNG")
    blocks: list[Block] = [Heading(1, HOSTILE), Words(HOSTILE), Points([HOSTILE]), Picture(picture, HOSTILE)]
    page = as_html([*blocks, Grid(HOSTILE, [HOSTILE, "b"], [[HOSTILE, "1.3 !"]])], title=HOSTILE)
    assert "<script" not in page
    assert "http" not in page
    assert "url(" not in page
    assert 'src="data:image/png;base64,iVBORw=="' in page
    assert '<td class="missed">1.3 !</td>' in page
    assert "prefers-color-scheme: dark" in page
    assert 'name="viewport"' in page


def test_markdown_takes_nothing_for_markup() -> None:
    text = as_markdown([Grid("it", ["a|b", "c"], [[HOSTILE, "x_y"]])])
    assert r"|a\|b|c|" in text
    assert r"\<script\>alert(1)\</script\> \|" in text
    assert r"x\_y" in text


def test_pictures_stand_with_their_set_and_task(tmp_path: Path) -> None:
    drawn = [Drawn("walks", case, Picture(tmp_path / f"{case or 'none'}.png", "seen")) for case in ("direction", "")]
    text = as_markdown(report_blocks(results_of("walks", {"field": content_of([1.0])}), SETTINGS, REGISTRY, drawn))
    assert text.index("## walks") < text.index("(direction.png)") < text.index("(none.png)")


def test_numbers_have_the_digits_that_their_error_allows() -> None:
    assert with_error(0.38412, 0.0083) == "0.384 ± 0.008"
    assert with_error(1.6543, 0.12) == "1.65 ± 0.12"
    assert with_error(256.61, 6.6, unit=" deg") == "256.6 ± 6.6 deg"
    assert with_error(1234.5, 40.0) == "1234 ± 40"
    assert with_error(0.0222, 0.018, scale=100.0, unit=" %") == "2.2 ± 1.8 %"
    assert with_error(0.0, 0.0, unit=" %") == "0 %"
    assert with_error(None, None) == with_error(float("nan"), 0.1) == "-"
    assert with_error(1.0, None) == "1.000"
    assert (bytes_shown(12_345), bytes_shown(12_345_678), bytes_shown(None)) == ("12.3 kB", "12.3 MB", "-")
    assert (seconds_shown(1.234), seconds_shown(45.6), seconds_shown(171.0)) == ("1.23 s", "46 s", "2.9 min")
    assert seconds_shown(None) == "-"
    assert listed(["a", "b", "c"]) == "a, b and c"
