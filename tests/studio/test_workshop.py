"""Files that users drop on the page: bounded, kept in a temporary folder, trained on beside the session, and shown."""

from __future__ import annotations

import http.client
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest
from websockets.sync.client import ClientConnection

from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction
from motionfields.motion.formats import save_clip
from motionfields.motion.samples import generate_samples
from motionfields.studio import messages as m
from motionfields.studio import workshop as workshop_module
from motionfields.studio.workshop import MOST_FILES, field_of, in_words
from tests.control.training.small import small_controller
from tests.studio.conftest import Running, read, run_studio, send


@pytest.fixture(scope="module")
def running(controllers: list[FieldController]) -> Iterator[Running]:
    yield from run_studio(controllers)


def put(studio: Running, name: str, data: bytes, *, path: str | None = None) -> tuple[int, str]:
    """Status and body of the answer to a file."""
    connection = http.client.HTTPConnection("127.0.0.1", studio.access.port, timeout=60.0)
    connection.request("PUT", path or f"{studio.access.path}files/{urllib.parse.quote(name, safe='')}", data)
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, body


def test_files_need_the_token_and_a_known_suffix_and_stay_in_one_folder(running: Running) -> None:
    assert put(running, "a.bvh", b"x", path="/wrong-token-123/files/a.bvh")[0] == 403
    for name in ("a.exe", "a", ".bvh.py", "x" * 300 + ".bvh", "a\x07.bvh", "..\\a.bvh"):
        status, body = put(running, name, b"x")
        assert (status, "expected a file that ends in" in body) == (400, True), name
    assert put(running, "../../etc/a.bvh", b"x")[0] == 405  # a name with a slash leads to no file
    assert put(running, "näme (1).bvh", b"content")[0] == 204
    folder = running.server.workshop.folder
    assert [file.read_bytes() for file in folder.iterdir()] == [b"content"]
    assert all(file.parent == folder for file in running.server.workshop._files.values())


def test_all_files_together_are_bounded(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    shop = running.server.workshop
    monkeypatch.setattr(workshop_module, "MOST_BYTES", shop._bytes + 1000)
    assert put(running, "b.bvh", bytes(900))[0] == 204
    status, body = put(running, "c.bvh", bytes(200))
    assert (status, "at most" in body) == (400, True)
    monkeypatch.setattr(shop, "_files", {f"{number}.bvh": Path("x") for number in range(MOST_FILES)})
    assert "at most 500 files" in put(running, "d.bvh", b"")[1]


def test_files_that_were_not_sent_and_unknown_tasks_are_refused(running: Running) -> None:
    with running.page() as page:
        send(page, m.Load(["missing.bvh"]))
        assert "was not sent" in read(page, "refused")["reason"]
        put(running, "here.bvh", b"")
        send(page, m.Load(["here.bvh"], task="dancing"))
        assert "task: expected" in read(page, "refused")["reason"]


def test_a_dropped_controller_takes_over_and_its_frames_have_its_skeleton(
    controllers: list[FieldController], tmp_path: Path
) -> None:
    other = small_controller(Direction())
    other.save(tmp_path / "other.ctrl")
    for studio in run_studio(controllers):
        assert put(studio, "other.ctrl", (tmp_path / "other.ctrl").read_bytes())[0] == 204
        assert put(studio, "broken.ctrl", b"no controller")[0] == 204
        with studio.page() as page:
            assert len(read(page, "hello")["tasks"]) == 3
            send(page, m.Load(["broken.ctrl"]))
            assert "broken.ctrl" in read(page, "refused")["reason"]  # and not its name in the folder
            send(page, m.Load(["other.ctrl"]))
            hello = read(page, "hello")
            assert (hello["title"], len(hello["tasks"])) == ("other", 1)
            frame = read(page, "frame")
            assert len(frame["rotations"]) == 8 * len(hello["parents"])
            assert frame["number"] < 100
        with studio.page() as page:  # pages that come later meet the new character
            assert read(page, "hello")["title"] == "other"
            retrain(studio, page)
        folder = studio.server.workshop.folder
    assert not folder.exists()  # the files went with the studio


def retrain(studio: Running, page: ClientConnection) -> None:
    """Another agility trains again, reports its progress and switches to the result."""
    send(page, m.Retrain(0.8))
    shares = []
    while True:
        message = msgspec.msgpack.decode(page.recv(timeout=600.0, decode=False))
        assert message["type"] != "refused", message
        if message["type"] == "making":
            shares.append(message["share"])
        if message["type"] == "status" and message["task"] != "direction":
            break
    assert message["task"] == "direction (agility 0.8)"
    assert shares == sorted(shares)
    assert len(shares) > 2
    assert [info.agility for info in studio.ask(lambda session: session.hello().tasks)] == [0.5, 0.8]


def test_takes_become_a_field_with_their_own_names_and_broken_ones_are_skipped(tmp_path: Path) -> None:
    clips = [sample.clip for sample in generate_samples(only=["walk_forward", "turn_left_090_quick"])]
    for number, clip in enumerate(clips):
        save_clip(clip, tmp_path / f"{number:03d}.bvh")
    (tmp_path / "002.bvh").write_text("HIERARCHY of nothing")
    told: list[tuple[str, float]] = []
    files = [str(tmp_path / f"{number:03d}.bvh") for number in range(3)]
    field = field_of(files, ["walk", "turn", "noise"], lambda doing, share: told.append((doing, share)))
    assert {name.removesuffix(".mirror") for name in field.database.clip_names} == {"walk", "turn"}
    assert "1 file cannot be used" in told[-1][0]
    shares = [share for _, share in told]
    assert shares == sorted(shares)


def test_the_share_of_training_grows_as_the_residual_falls() -> None:
    from motionfields.control.training import Progress

    shares = [in_words(Progress(sweep, residual, np.nan))[1] for sweep, residual in enumerate((5.0, 1.0, 0.1, 0.01))]
    assert shares == sorted(shares)
    assert shares[0] == pytest.approx(0.3)
    assert shares[-1] == pytest.approx(0.95)
    assert in_words(Progress(1, 0.5, 12.2))[0] == "training, about 12 s left"
