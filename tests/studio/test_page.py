"""The built page of the studio: notices of the software that it contains."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from tests.conftest import REPO

PAGE = REPO / "src" / "motionfields" / "studio" / "page"
NOTICES = PAGE / "THIRD_PARTY.txt"


def test_the_page_names_the_software_in_it_with_its_licence() -> None:
    web = REPO / "studio" / "web"
    notices = NOTICES.read_text()
    locked = json.loads((web / "package-lock.json").read_text())["packages"]
    for name in json.loads((web / "package.json").read_text())["dependencies"]:
        assert f"{name} {locked[f'node_modules/{name}']['version']} " in notices
    assert "three.js authors" in notices
    assert "The MessagePack Community" in notices
    assert (web / "public" / "THIRD_PARTY.txt").read_text() == notices
    assert 'rel="license" href="./THIRD_PARTY.txt"' in (PAGE / "index.html").read_text()


def test_the_wheel_has_the_notices() -> None:
    project = tomllib.loads((REPO / "pyproject.toml").read_text())["project"]
    assert [Path(name) for name in project["license-files"]] == [Path("LICENSE"), NOTICES.relative_to(REPO)]
