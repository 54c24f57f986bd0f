"""An engine programmer: playing alone, on several Pythons; then training, and ten thousand characters on a CPU."""

from __future__ import annotations

import lzma
import re
import subprocess
import sys
from pathlib import Path

import pytest

import motionfields
from tests.journeys.conftest import EVERYTHING, REPO, Journey, first_move, oldest_and_newest, pythons

CONTROLLER = REPO / "tests" / "releases" / f"{motionfields.__version__}.ctrl.xz"  # trained, for who only plays
CROWD = """
import hashlib, sys
import motionfields as mf

controller = mf.load_controller("walker.ctrl")
digests = []
for _ in range(2):
    crowd = controller.crowd(count=10_000, seed=0)
    for _ in range(30):
        frame = crowd.step(0.8)
    digests.append(hashlib.sha256(frame.rotations.tobytes()).hexdigest()[:12])
assert digests[0] == digests[1], digests
assert not {"torch", "matplotlib", "starlette", "numba", "scipy"} & set(sys.modules)
print(crowd.count, "characters", digests[0])
"""
TRAIN = """
import motionfields as mf

names = ("walk_forward", "walk_fast", "turn_left_045_gentle", "turn_left_090_quick")
clips = [sample.clip for sample in mf.samples.generate_samples(only=names)]
field = mf.MotionField(mf.MotionDatabase.build(clips))
mf.train(field, mf.tasks.Direction()).save("walker.ctrl")
"""


@pytest.mark.parametrize(
    "python", pythons() if EVERYTHING else oldest_and_newest(), ids=lambda path: re.sub(r"\W+", "_", path)
)
def test_engine_programmer(journey: Journey, wheel: Path, python: str) -> None:
    journey.install(wheel, python=python)
    for name, text in (("crowd.py", CROWD), ("train.py", TRAIN)):
        (journey.folder / name).write_text(text)
    (journey.folder / "walker.ctrl").write_bytes(lzma.decompress(CONTROLLER.read_bytes()))
    assert journey.run("motionfields", "--version").startswith("motionfields ")
    assert "10000 characters" in journey.type("python crowd.py")
    journey.type("motionfields record walker.ctrl --at 0:heading=0 -o walk.glb")
    journey.type("motionfields export walker.ctrl -o walker.html")
    with journey.step("motionfields demo, until the character moves"), journey.studio("motionfields demo") as page:
        first_move(page)
    journey.minutes("a character that plays")
    assert 'pip install "motionfields[train]"' in journey.refused("motionfields sample -o takes")
    assert 'pip install "motionfields[train]"' in journey.refused("motionfields info walk.glb")
    assert "not installed: reading motion files" in journey.run("motionfields", "doctor")
    check_weight(journey, "plays", 0)
    if python != sys.executable and not EVERYTHING:
        return
    with journey.step("pip install motionfields[train]"):
        subprocess.run([journey.commands / "pip", "install", "--quiet", f"{wheel}[train]"], check=True)
    journey.type("python train.py")
    assert "10000 characters" in journey.type("python crowd.py")
    journey.minutes("ten thousand characters of one's own")
    check_weight(journey, "trains", 1)


def check_weight(journey: Journey, does: str, place: int) -> None:
    """Compare the size of the environment with the number at `place` among those that README.md promises."""
    promised = re.findall(r"about (\d+) MB", (REPO / "README.md").read_text())[place]
    weight = installed_megabytes(journey)
    print(f"  what {does}: {weight:.0f} MB; README says about {promised}", flush=True)
    assert weight == pytest.approx(float(promised), rel=0.15)


def installed_megabytes(journey: Journey) -> float:
    """Return the installed files, without those of a new environment and without compiled code."""
    files = (journey.folder / "environment" / "lib").rglob("*")
    ours = (file for file in files if not re.search(r"site-packages/(pip|setuptools)|\.kernel$", str(file)))
    return sum(file.stat().st_size for file in ours if file.is_file() and not file.is_symlink()) / 1e6
