"""A researcher: the paper's tables for their data from one command, and a task of their own."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.journeys.conftest import REPO, Journey

OWN_TASK = "04_own_task.py"


def test_researcher(journey: Journey, wheel: Path) -> None:
    journey.install(wheel, "[plots,physics]")
    journey.type("motionfields sample -o all")
    (journey.folder / "takes").mkdir()
    for name in ("walk_forward", "walk_fast", "turn_left_045_gentle", "turn_left_090_quick", "turn_left_180_quick"):
        shutil.move(journey.folder / "all" / f"{name}.bvh", journey.folder / "takes")
    journey.type("motionfields bench tables --data takes --trials 40 --seeds 1 -o tables")
    assert (journey.folder / "tables" / "report.md").is_file()
    journey.minutes("the paper's tables for field, graph and matching")
    shutil.copy(REPO / "examples" / OWN_TASK, journey.folder)
    journey.type(f"python {OWN_TASK}")
    journey.minutes("a task of their own")
