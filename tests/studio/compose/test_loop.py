"""The server of the page that composes: newest request first, downloads, refusals."""

from __future__ import annotations

import threading
import urllib.error
import urllib.request
from typing import Any

import msgspec
import pytest
from websockets.sync.client import ClientConnection, connect

from motionfields.authoring.compose.goals import LabelGoal
from motionfields.authoring.compose.timeline import Timeline, format_timeline
from motionfields.motion.annotations import parse_csv
from motionfields.motion.formats import read_bvh
from motionfields.studio import ComposeServer, ComposeSession
from motionfields.studio.compose import messages as c
from motionfields.studio.compose.loop import ComposeLoop

WALK = format_timeline(Timeline(2.0, (LabelGoal("walk", 0.0, 2.0),))).decode()


def read(page: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = msgspec.msgpack.decode(page.recv(timeout=60.0, decode=False))
        if message["type"] == kind:
            return message


def fetch(server: ComposeServer, name: str) -> bytes:
    with urllib.request.urlopen(f"{server.access.url}{name}") as answer:
        data: bytes = answer.read()
    return data


def test_a_page_gets_the_scene_motions_progress_and_downloads(server: ComposeServer) -> None:
    assert b"<canvas" in fetch(server, "")
    with connect(f"{server.access.url.replace('http', 'ws', 1)}ws", max_size=None) as page:
        assert read(page, "scene")["title"] == "motionfields"
        page.send(c.encode(c.Compose(7, WALK, 2)))
        assert read(page, "working")["revision"] == 7
        first, second = read(page, "motion"), read(page, "motion")
        assert (first["rank"], first["last"], second["rank"], second["last"]) == (0, False, 1, True)
        motion = read_bvh(fetch(server, f"motion-{second['number']}.bvh"))
        assert motion.frame_count == len(second["roots"]) // 24
        assert fetch(server, f"motion-{first['number']}.glb")[:4] == b"glTF"
        page.send(c.encode(c.Judge(first["number"], 0.0, 1.0, "walk", False)))
        page.send(c.encode(c.Compose(8, WALK)))
        assert read(page, "motion")["revision"] == 8
        spans = parse_csv(fetch(server, "labels.csv")).spans
        assert spans[-1].basis == "checked"
        assert not spans[-1].present
        page.send(c.encode(c.Compose(9, '{"timeline": 1, "seconds": 0}')))
        assert "seconds" in read(page, "refused")["reason"]
        page.send(c.encode(c.Peek("walk_forward", 0.1)))
        assert read(page, "sourcepose")["take"] == "walk_forward"
    with pytest.raises(urllib.error.HTTPError, match="404"):
        fetch(server, "motion-999.bvh")


def test_a_newer_request_of_a_page_replaces_the_one_under_way(session: ComposeSession) -> None:
    loop = ComposeLoop(lambda _: session, lambda message, is_frame: None)
    got: list[dict[str, Any]] = []
    replaced, done = threading.Event(), threading.Event()

    def answer(data: bytes) -> None:
        message = msgspec.msgpack.decode(data)
        got.append(message)
        if message["type"] == "motion" and message["revision"] == 1 and not replaced.is_set():
            replaced.set()
            loop.hear("page", c.Compose(2, WALK), answer)  # before the alternatives of the first
        if message["type"] == "working" and message["doing"] == "done":
            done.set()

    loop.start()
    loop.hear("page", c.Compose(1, WALK, 5), answer)
    assert done.wait(60.0)
    loop.stop()
    assert [message["revision"] for message in got if message["type"] == "motion"] == [1, 2]


def test_an_error_in_preparing_is_reported() -> None:
    def prepare(loop: ComposeLoop) -> ComposeSession:
        raise ValueError("no data")

    failed = threading.Event()
    loop = ComposeLoop(prepare, lambda message, is_frame: None, on_failure=failed.set)
    loop.start()
    assert failed.wait(10.0)
    with pytest.raises(ValueError, match="no data"):
        loop.ready.result()
