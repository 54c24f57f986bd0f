"""An engine programmer: the core alone, on every Python here, and ten thousand characters on a CPU."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.journeys.conftest import EVERYTHING, REPO, Journey, pythons

CROWD = """
import hashlib, sys
import motionfields as mf

names = ("walk_forward", "walk_fast", "turn_left_045_gentle", "turn_left_090_quick")
clips = [sample.clip for sample in mf.samples.generate_samples(only=names)]
field = mf.MotionField(mf.MotionDatabase.build(clips))
mf.train(field, mf.tasks.Direction()).save("walker.ctrl")
controller = mf.load_controller("walker.ctrl")
digests = []
for _ in range(2):
    crowd = controller.crowd(count=10_000, seed=0)
    for _ in range(30):
        frame = crowd.step(0.8)
    digests.append(hashlib.sha256(frame.rotations.tobytes()).hexdigest()[:12])
assert digests[0] == digests[1], digests
assert not {"torch", "matplotlib", "starlette"} & set(sys.modules)
print(crowd.count, "characters", digests[0])
"""


@pytest.mark.parametrize("python", pythons(), ids=lambda path: re.sub(r"\W+", "_", path))
def test_engine_programmer(journey: Journey, wheel: Path, python: str) -> None:
    journey.install(wheel, python=python)
    assert journey.run("motionfields", "--version").startswith("motionfields ")
    if python != sys.executable and not EVERYTHING:
        journey.type("motionfields sample -o takes --only walk_forward")
        assert journey.type("motionfields info takes").startswith("walk_forward: ")
        return
    (journey.folder / "crowd.py").write_text(CROWD)
    assert "10000 characters" in journey.type("python crowd.py")
    journey.minutes("ten thousand characters")
    weight = installed_megabytes(journey)
    promised = re.search(r"about (\d+) MB", (REPO / "README.md").read_text())
    assert promised is not None
    print(f"  the core and what it needs: {weight:.0f} MB; README says about {promised[1]}", flush=True)
    assert weight == pytest.approx(float(promised[1]), rel=0.15)


def installed_megabytes(journey: Journey) -> float:
    """Return the installed files, without those of a new environment and without compiled code."""
    files = (journey.folder / "environment" / "lib").rglob("*")
    ours = (file for file in files if not re.search(r"site-packages/(pip|setuptools)|\.kernel$", str(file)))
    return sum(file.stat().st_size for file in ours if file.is_file() and not file.is_symlink()) / 1e6
