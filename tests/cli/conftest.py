"""Commands typed inside the test's own process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from motionfields.cli import main


class Result(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def type_command(*words: str | Path) -> Result:
        monkeypatch.setattr(sys, "argv", ["motionfields", *map(str, words)])
        monkeypatch.setenv("COLUMNS", "200")
        code: object = 0
        try:
            main()
        except SystemExit as end:
            code = end.code
        captured = capsys.readouterr()
        return Result(int(str(code or 0)), captured.out, captured.err)

    return type_command
