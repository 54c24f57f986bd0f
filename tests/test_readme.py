"""The commands of README.md, typed in order into one empty folder.

`pip install` is left out: tests run the package as it is installed. `demo` and `play` serve until they are interrupted,
so they run without a browser until they print the address of the page. The Python of the page is run in test_docs.py.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from motionfields.cli import bench_tables
from motionfields.measure.evaluation import tables
from motionfields.measure.evaluation.tables import costs
from tests.cli.test_control_commands import typed
from tests.measure.evaluation.small_tables import small_registry
from tests.test_docs import REPO, blocks_of, serve_for_a_moment

pytest.importorskip("matplotlib")
pytest.importorskip("starlette")


def commands() -> list[list[str]]:
    """Return the words of every command of the page, in order."""
    lines = []
    for block in blocks_of((REPO / "README.md").read_text(encoding="utf-8")):
        if block.kind == "bash":
            lines += block.body.splitlines()
        elif block.kind == "console":
            lines += re.findall(r"^\$ (.*)$", block.body, re.MULTILINE)
    found = [shlex.split(line, comments=True) for line in lines]
    return [words for words in found if words and words[:2] != ["pip", "install"]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Type all commands; the folder they leave."""
    home = tmp_path_factory.mktemp("readme")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        patch.setenv("MOTIONFIELDS_CACHE", str(home / "cache"))
        patch.setattr(
            tables, "REGISTRY", small_registry()
        )  # bench tables with fewer rows, timings and trials, for time
        patch.setattr(costs, "BLOCK_FRAMES", 1)
        patch.setattr(bench_tables, "QUICK_TRIALS", 8)
        for words in commands():
            assert words[0] == "motionfields", words
            if words[1] in ("demo", "play"):
                serve_for_a_moment(words, home)
                continue
            result = typed(*words[1:])
            assert result.code == 0, f"{shlex.join(words)}\n{result.out}\n{result.err}"
    return home


def test_the_commands_of_the_page_work_in_order(folder: Path) -> None:
    made = ("walker.field", "walker.ctrl", "walk.glb", "walker.html", "report/report.html")
    assert [name for name in made if not (folder / name).is_file()] == []
    assert (folder / "walk.glb").read_bytes()[:4] == b"glTF"
