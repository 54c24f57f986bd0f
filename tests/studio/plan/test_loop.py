"""The server of the page that plans: the search while it goes on, newest request first, downloads, refusals."""

from __future__ import annotations

import threading
import urllib.error
import urllib.request
from typing import Any

import msgspec
import pytest
from websockets.sync.client import connect

from motionfields.motion.formats import read_bvh
from motionfields.studio import PlanServer, PlanSession
from motionfields.studio.plan import messages as p
from motionfields.studio.plan.loop import PlanLoop
from tests.studio.conftest import read
from tests.studio.plan.test_session import TEXT, asked


def fetch(server: PlanServer, name: str) -> bytes:
    with urllib.request.urlopen(f"{server.access.url}{name}") as answer:
        data: bytes = answer.read()
    return data


def test_a_page_gets_the_scene_the_search_motions_and_downloads(server: PlanServer) -> None:
    assert b"<canvas" in fetch(server, "")
    with connect(f"{server.access.url.replace('http', 'ws', 1)}ws", max_size=None) as page:
        assert read(page, "planscene")["room"] == TEXT
        page.send(p.encode(asked()))
        search = read(page, "searching")
        assert search["bound"] > 0.0
        assert len(search["closed"]) % 8 == 0
        motion = read(page, "planned")
        assert read(page, "finished")["revision"] == 1
        assert read_bvh(fetch(server, f"motion-{motion['number']}.bvh")).frame_count == len(motion["roots"]) // 24
        page.send(p.encode(asked(to=(0.3, 2.0))))
        assert "the goal is outside the room" in read(page, "refused")["reason"]
    with pytest.raises(urllib.error.HTTPError, match="404"):
        fetch(server, "motion-999.bvh")


def test_a_newer_request_ends_a_long_search(session: PlanSession) -> None:
    loop = PlanLoop(lambda _: session, lambda message, is_frame: None)
    got: list[dict[str, Any]] = []
    done = threading.Event()

    def answer(data: bytes) -> None:
        message = msgspec.msgpack.decode(data)
        got.append(message)
        if message["type"] == "searching" and message["revision"] == 1:
            loop.hear("page", msgspec.structs.replace(asked(), revision=2), answer)
        if message["type"] == "finished":
            done.set()

    loop.start()
    loop.hear("page", msgspec.structs.replace(asked(), within=60.0), answer)
    assert done.wait(50.0)
    loop.stop()
    assert {message["revision"] for message in got if message["type"] == "planned"} == {2}
