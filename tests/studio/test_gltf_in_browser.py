"""A take as glTF in a real browser: three.js shows the joints where the live character had them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from motionfields.control.controller import FieldController

pytest.importorskip("playwright", reason="needs playwright, which the extra dev installs")

from playwright.sync_api import sync_playwright

from draw_gltf import LARGEST_ERROR, WEB, compare, validate
from studio_page import CHROMIUM, FLAGS

pytestmark = pytest.mark.skipif(
    CHROMIUM is None or shutil.which("node") is None or not (WEB / "node_modules" / "gltf-validator").exists(),
    reason="no Chromium, no Node or no gltf-validator: install chromium and node, and run scripts/build_studio",
)


def test_a_take_in_the_browser_is_the_live_character(controllers: list[FieldController], tmp_path: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        file, compared = compare(browser, controllers[:1], tmp_path, frames=15)
    assert compared.frame_count == 15
    assert compared.largest < LARGEST_ERROR
    assert compared.written < LARGEST_ERROR
    said = validate(file)[0]
    assert (said["errors"], said["warnings"], said["infos"], said["hints"]) == (0, 0, 0, 0)
