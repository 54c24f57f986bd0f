"""The check of the built documentation finds planted faults, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="needs playwright, which the extra dev installs")

from playwright.sync_api import sync_playwright
from scripts.check_site import CHROMIUM, FLAGS, check

PAGE = '<body style="background: #fff; color: #222"><article id="top"><a href="#top">up</a> {}</article></body>'
FAULTS = {
    "leads nowhere": '<a href="absent.html">there</a>',
    "has no anchor": '<a href="good.html#absent">there</a>',
    "wider than the screen": '<div style="width: 2000px">wide</div>',
    "contrast": '<p style="color: #999">pale</p>',
    "console": "<script>console.error('oh')</script>",
    "request failed": '<img src="absent.png">',
}


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: install the package chromium")
def test_planted_faults_are_found(tmp_path: Path) -> None:
    good = tmp_path / "good.html"
    good.write_text(PAGE.format("text"))
    bad = {fault: tmp_path / f"{number}.html" for number, fault in enumerate(FAULTS)}
    for fault, path in bad.items():
        path.write_text(PAGE.format(FAULTS[fault]))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        said = list(check(browser, [good, *bad.values()]))
    for fault, path in bad.items():
        assert [line for line in said if line.startswith(path.name) and fault in line], (fault, said)
    assert not [line for line in said if line.startswith(good.name)]
