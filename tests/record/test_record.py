"""The figures of fixed runs are those on record, so that no change of behaviour goes unnoticed.

After a change that is meant to alter them, run `python -m tests.record.runs` and say in the commit why they changed.
"""

from __future__ import annotations

import json

import pytest

from tests.record.runs import RECORD, RUNS


@pytest.mark.parametrize("name", [run.__name__ for run in RUNS])
def test_figures_are_those_on_record(name: str) -> None:
    recorded = json.loads(RECORD.read_text())[name]
    found = next(run for run in RUNS if run.__name__ == name)()
    if name == "settings":
        assert found == recorded
    else:
        assert found == pytest.approx(recorded, rel=1e-9, abs=1e-9)
