"""Every example runs as it stands, in an empty folder, finds what it expects, and leaves nothing where it ran."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[1]
EXAMPLES = sorted((REPO / "examples").glob("*.py"))
MOST_LINES = 80
NEEDED = {"05_push_and_measure": "mujoco", "10_gymnasium": "gymnasium"}  # optional packages


def first_line(path: Path) -> str:
    """Return what an example claims to show."""
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").splitlines()[0]


def test_the_examples_are_numbered_from_one_to_ten() -> None:
    assert [path.name[:3] for path in EXAMPLES] == [f"{number:02d}_" for number in range(1, 11)]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_is_short_and_says_how_to_run_it_and_what_it_does(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    said = ast.get_docstring(ast.parse(text)) or ""
    assert f"python examples/{path.name}" in said
    assert (
        len(said.partition("\n\n    python ")[2].partition("\n\n")[2].split(". ")) >= 2
    )  # what the program does and prints
    assert "assert " in text


def test_the_page_of_examples_lists_them_in_their_own_words() -> None:
    page = (REPO / "docs" / "examples.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `examples/(\S+)` \| (.+) \|$", page, re.MULTILINE)
    assert rows == [(path.name, first_line(path)) for path in EXAMPLES]


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_runs(path: Path, tmp_path: Path) -> None:
    needed = NEEDED.get(path.stem)
    if needed and importlib.util.find_spec(needed) is None:
        pytest.skip(f"no {needed} to run this example with")
    command = [sys.executable, "-W", "error::UserWarning", str(path)]
    environment = os.environ | {"NUMBA_NUM_THREADS": "1"}  # tests run side by side, one process a core
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout
    assert not list(tmp_path.iterdir())


def test_an_example_writes_to_the_folder_that_is_named(tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLES[0]), str(tmp_path)]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    assert [path.name for path in tmp_path.iterdir()] == ["walk.bvh"]
