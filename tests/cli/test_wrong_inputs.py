"""The mistakes shown in docs/errors.md, typed as a user would: each says what the page shows, and none a traceback."""

from __future__ import annotations

import re
import shlex
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import motionfields as mf
from motionfields.motion.clip import Clip, trim
from motionfields.motion.samples import generate_samples
from motionfields.motion.skeleton import Skeleton
from tests.cli.conftest import Run

PAGE = Path(__file__).resolve().parents[2] / "docs" / "errors.md"
ROW = re.compile(r"^\| (?P<mistake>[^|]+) \| `motionfields(?P<typed>[^`]*)` \| (?P<said>.+) \|$", re.MULTILINE)
PACKAGES = {"plots": "matplotlib", "storage": "fsspec", "faiss": "faiss"}


class Mistake(NamedTuple):
    mistake: str
    typed: str
    said: str  # on one line; ... stands for anything


MISTAKES = [Mistake(*row) for row in ROW.findall(PAGE.read_text())]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a user may have lying about: good takes, and files that are not what they seem."""
    folder = tmp_path_factory.mktemp("mistakes")
    names = ("walk_forward", "walk_fast", "turn_left_090_quick")
    clips = {sample.clip.name: sample.clip for sample in generate_samples(only=re.compile("|".join(names)))}
    for place in ("takes", "empty"):
        (folder / place).mkdir()
    for name in names:
        mf.save_clip(clips[name], folder / "takes" / f"{name}.bvh")
    walk = clips["walk_forward"]
    mf.save_clip(trim(walk, 0, 1), folder / "still.bvh")
    mf.save_clip(walk, folder / "metres.bvh", unit="m")
    mf.save_clip(hand(), folder / "hand.bvh")
    text = (folder / "takes" / "walk_forward.bvh").read_text()
    (folder / "z_up.bvh").write_text(z_up(text))
    (folder / "half.bvh").write_text(text[: len(text) // 2])
    (folder / "walk.fbx").write_bytes(b"Kaydara FBX Binary  \x00\x1a\x00")
    (folder / "takes.zip").write_bytes(b"PK\x03\x04 and no more")
    field = mf.MotionField(mf.MotionDatabase.build(clips[name] for name in names))
    field.save(folder / "walker.field")
    mf.train(field, mf.tasks.Direction(), tolerance=0.1).save(folder / "walker.ctrl")
    whole = (folder / "walker.ctrl").read_bytes()
    (folder / "half.ctrl").write_bytes(whole[:3000])
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 1
    (folder / "damaged.ctrl").write_bytes(flipped)
    (folder / "turns.json").write_text('{"task": "direction", "seconds": 3, "commands": [')
    (folder / "line.json").write_text('{"task": "line", "seconds": 3, "commands": [{"time": 0, "heading": 0}]}')
    return folder


@pytest.fixture
def busy_port() -> Iterator[None]:
    """Port 8017 is taken, by this test or by another program."""
    with socket.socket() as taken:
        with suppress(OSError):
            taken.bind(("127.0.0.1", 8017))
            taken.listen()
        yield


def hand() -> Clip:
    """A wrist and five fingers that rest."""
    parents, offsets, names = [-1], [[0.0, 1.0, 0.0]], ["Wrist"]
    for number, finger in enumerate(("Thumb", "Index", "Middle", "Ring", "Pinky")):
        for joint in range(3):
            parents.append(len(parents) - 1 if joint else 0)
            offsets.append([0.0, 0.0, 0.03] if joint else [0.02 * (number - 2), 0.0, 0.08])
            names.append(f"{finger}{joint + 1}")
    rotations = np.zeros((60, len(names), 4))
    rotations[..., 0] = 1.0
    skeleton = Skeleton(tuple(names), np.array(parents), np.array(offsets))
    return Clip(skeleton, np.tile([0.0, 1.0, 0.0], (60, 1)), rotations, 1.0 / 30.0, name="hand")


def z_up(text: str) -> str:
    """The BVH file `text`, y up with rotations Z, Y, X, turned so that z is up: (x, y, z) becomes (x, -z, y)."""
    head, rows = text.split("Frame Time:")

    def turned(row: str) -> str:
        values = [float(word) for word in row.split()]
        values[:3] = [values[0], -values[2], values[1]]
        values[3::3] = [-value for value in values[3::3]]  # a turn about z is now one about -y
        return " ".join(f"{value:g}" for value in values)

    def offset(found: re.Match[str]) -> str:
        x, y, z = map(float, found[1].split())
        return f"OFFSET {x} {-z} {y}\n"

    head = re.sub(r"OFFSET (.*)\n", offset, head)
    head = head.replace("Zrotation Yrotation Xrotation", "Yrotation Zrotation Xrotation")
    time, *frames = rows.strip().splitlines()
    return f"{head}Frame Time:{time}\n" + "\n".join(map(turned, frames)) + "\n"


def test_the_page_shows_at_least_thirty() -> None:
    assert len(MISTAKES) >= 30
    assert len({one.typed + one.mistake for one in MISTAKES}) == len(MISTAKES)


@pytest.mark.usefixtures("busy_port")
@pytest.mark.parametrize("mistake", MISTAKES, ids=[one.mistake for one in MISTAKES])
def test_it_says_what_the_page_shows(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, mistake: Mistake) -> None:
    monkeypatch.chdir(folder)
    if missing := re.search(r"without the extra (\w+)", mistake.mistake):
        package = PACKAGES[missing[1]]
        for name in [name for name in sys.modules if name.startswith(f"{package}.")]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, package, None)
    result = run(*shlex.split(mistake.typed))
    said = " ".join(re.sub(r"[│╭╮╰╯─]+", " ", result.out + result.err).split())
    assert "Traceback" not in said
    expected = ".*".join(map(re.escape, mistake.said.replace("\\|", "|").split("...")))
    assert re.search(expected, said), said
    assert result.code == 0 if "not refused)" in mistake.mistake else result.code in (1, 2)
