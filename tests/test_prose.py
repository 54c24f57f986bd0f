"""Prose of the project: docs, docstrings, help texts and messages avoid riddles and private phrases."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[1]
SOURCES = sorted(
    path
    for folder in ("src", "benchmarks", "scripts", "examples", "docs/figures")
    for path in REPO.glob(f"{folder}/**/*.py")
)
PAGES = sorted(
    path for path in (*REPO.glob("*.md"), *REPO.glob("docs/**/*.md")) if REPO / "docs" / "_build" not in path.parents
)
WEB = sorted(REPO.glob("studio/web/src/**/*.ts"))

# A docstring states what the object is or does; it does not begin as a question or a riddle.
RIDDLE = re.compile(r"^(What|Who|How|Where|Why|That which|Those which|Nothing|Something)\b")
PHRASES = re.compile(
    r"\b(so many|dear(er|ly)?|shall|to be had|gone on from|as ever|none of the engine's|is to be|are to be|thereof|"
    r"whereof|therein|hereby|in question|by and by|the like of|has it that|what there is)\b",
    re.IGNORECASE,
)
CODE = re.compile(r"```.*?```|~~~.*?~~~|`[^`\n]*`", re.DOTALL)


def _name(path: Path) -> str:
    return str(path.relative_to(REPO))


def _docstrings(path: Path) -> list[tuple[int, str]]:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, kinds)]
    return [(getattr(node, "lineno", 1), text) for node in nodes if (text := ast.get_docstring(node))]


def _texts(path: Path) -> list[tuple[int, str]]:
    """Return line and text of every string in a source file: docstrings, help texts and messages."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [
        (node.lineno, node.value) for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


@pytest.mark.parametrize("text", ["What characters think of their choices.", "Who has done what there was to do, [n]"])
def test_the_check_sees_a_riddle(text: str) -> None:
    assert RIDDLE.search(text)


@pytest.mark.parametrize("text", ["The jump is three times as dear to it.", "make values so many times smaller"])
def test_the_check_sees_a_private_phrase(text: str) -> None:
    assert PHRASES.search(text)


def test_docstrings_state_what_a_thing_is_or_does() -> None:
    assert len(SOURCES) > 100
    found = [
        f"{_name(path)}:{line}: {text.splitlines()[0]}"
        for path in SOURCES
        for line, text in _docstrings(path)
        if RIDDLE.search(text)
    ]
    assert not found, "\n".join(found)


def test_docstrings_help_and_messages_use_plain_phrases() -> None:
    found = [
        f"{_name(path)}:{line}: {match.group()}"
        for path in SOURCES
        for line, text in _texts(path)
        if (match := PHRASES.search(text))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", [*PAGES, *WEB], ids=_name)
def test_pages_use_plain_phrases(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    plain = CODE.sub(lambda match: "\n" * match.group().count("\n"), text) if path.suffix == ".md" else text
    found = [
        f"{number}: {match.group()}"
        for number, line in enumerate(plain.splitlines(), 1)
        if (match := PHRASES.search(line))
    ]
    assert not found, "\n".join(found)
