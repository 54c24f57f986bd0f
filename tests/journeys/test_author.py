"""An author: what a set of takes can do, then a composed scene, a planned walk, a walk around obstacles, an own mesh,
a page to send to somebody, and a C program that runs the character.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.journeys.conftest import EVERYTHING, REPO, Journey

LABELS = """file,start_s,end_s,label,basis
turn_left_090_quick,0.0,3.0,walk,seen
turn_left_090_quick,3.0,4.2,turn_left,seen
walk_fast,0.0,4.0,fast,seen
"""
SCENE = """{"timeline": 1, "seconds": 6, "labels": [
  {"label": "fast", "start_s": 0, "end_s": 2}, {"label": "turn_right", "start_s": 3, "end_s": 3.4}]}"""
ROOM = """{"room": 1, "bounds_m": [-4, -2, 4, 8], "boxes": [{"x_m": 0, "z_m": 3, "width_m": 1.5, "depth_m": 0.5}]}"""


@pytest.mark.skipif(not EVERYTHING, reason="takes minutes; scripts/prove_journeys runs it")
def test_author(journey: Journey, wheel: Path) -> None:
    journey.install(wheel, "[studio,plots]")
    takes = ("walk_forward", "walk_fast", "walk_stop", "stand_idle", "turn_left_090_quick", "turn_left_135_quick")
    journey.type("motionfields sample -o takes " + " ".join(f"--only {name}" for name in takes))
    journey.type("motionfields build takes -o walker.field")
    journey.type("motionfields survey walker.field -o report")
    assert (journey.folder / "report" / "index.html").exists()
    journey.minutes("a report on the takes")

    (journey.folder / "labels.csv").write_text(LABELS)
    (journey.folder / "scene.json").write_text(SCENE)
    journey.type("motionfields compose walker.field --labels labels.csv --timeline scene.json -o scene.glb")
    journey.minutes("a composed scene")

    (journey.folder / "room.json").write_text(ROOM)
    journey.type("motionfields steps walker.field -o walker.steps")
    journey.type("motionfields plan walker.steps --to 0.5,6 --room room.json -o plan.glb")
    journey.minutes("a planned walk")

    journey.type("motionfields train walker.field --task velocity -o walker.ctrl")
    journey.type("motionfields walk walker.ctrl --world room.json --goal 0.5,6 -o walk.glb")
    journey.minutes("a walk around an obstacle")

    # The motion that a command writes has a skinned body, so that it can stand in for a character of one's own.
    journey.type("motionfields record walker.ctrl --at 0:heading=0,speed=1 --character plan.glb -o hero.glb")
    journey.minutes("a motion on a mesh of one's own")

    journey.type("motionfields export walker.ctrl -o walker.html")
    journey.minutes("a page that any browser opens")

    journey.type("motionfields export walker.ctrl -o walker.mfpack")
    for file in (REPO / "runtime" / "c").glob("*.[ch]"):
        shutil.copy(file, journey.folder)
    with journey.step("cc -O2 -o example example.c motionfields.c -lm && ./example walker.mfpack"):
        subprocess.run("cc -O2 -o example example.c motionfields.c -lm", shell=True, cwd=journey.folder, check=True)
        shown = subprocess.run(["./example", "walker.mfpack"], cwd=journey.folder, check=True, capture_output=True)
    assert shown.stdout.count(b"character") == 3
    journey.minutes("a C program that runs the character")
