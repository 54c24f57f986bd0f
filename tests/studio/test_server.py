"""The server as it runs: real sockets, real HTTP, a real WebSocket client."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import re
import socket
import time
from collections.abc import Iterator

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from motionfields.control.controller import FieldController
from motionfields.motion.formats import load_clip
from motionfields.studio import connections
from motionfields.studio import messages as m
from motionfields.studio.mailbox import Mailbox
from tests.studio.conftest import Running, read, run_studio, send

UPGRADE = (
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
)


@pytest.fixture(scope="module")
def shared(controllers: list[FieldController]) -> Iterator[Running]:
    """One studio for the tests that leave it as it is."""
    yield from run_studio(controllers)


def get(studio: Running, path: str, *, method: str = "GET", **headers: str) -> tuple[int, bytes, dict[str, str]]:
    """Status, body and headers of the answer to a plain request."""
    connection = http.client.HTTPConnection("127.0.0.1", studio.access.port, timeout=10.0)
    connection.putrequest(method, path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body, {name.lower(): value for name, value in answer.getheaders()}


def wrong_origins(port: int) -> list[str]:
    own = f"127.0.0.1:{port}"
    return [
        "null",
        "",
        own,
        f"https://{own}",
        f"ws://{own}",
        f"file://{own}",
        f"http://{own}/",
        f"http://{own}.evil.example",
        f"http://{own}@evil.example",
        f"http://evil.example:{port}",
        f"http://evil.example/{own}",
        f"http://127.0.0.1:{port + 1}",
        f"http://127.0.0.1:{port}0",
        "http://127.0.0.1",
        "http://localhost",
        f"http://localhost.evil.example:{port}",
        f"http://xlocalhost:{port}",
        f"http://127.0.0.1.nip.example:{port}",
        f"http://127.0.0.2:{port}",
        f"http://[::ffff:127.0.0.1]:{port}",
        f"http://0.0.0.0:{port}",
        f"http://2130706433:{port}",
        f"http://{own}, http://evil.example",
        "chrome-extension://abcdefgh",
    ]


def wrong_hosts(port: int) -> list[str]:
    return [
        "",
        "127.0.0.1",
        "localhost",
        f"127.0.0.1:{port + 1}",
        f"evil.example:{port}",
        f"localhost.evil.example:{port}",
        f"127.0.0.1.nip.example:{port}",
        f"127.0.0.2:{port}",
        f"0.0.0.0:{port}",
        f"2130706433:{port}",
        f"localhost:{port}@evil.example",
        f"user@localhost:{port}",
        f"[::ffff:127.0.0.1]:{port}",
        f"localhost.:{port}",
    ]


def upgrade_status(studio: Running, path: str, headers: dict[str, str]) -> int:
    """The status of the answer to a request to upgrade, written by hand so that any header can be wrong."""
    given = {"Host": f"127.0.0.1:{studio.access.port}", **headers}
    lines = [f"GET {path} HTTP/1.1", *UPGRADE, *(f"{name}: {value}" for name, value in given.items())]
    with socket.create_connection(("127.0.0.1", studio.access.port), timeout=10.0) as plain:
        plain.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        return int(plain.recv(100).split()[1])


def test_the_page_is_served_with_headers_that_lock_it_in(shared: Running) -> None:
    status, body, headers = get(shared, shared.access.path)
    assert status == 200
    assert b"<canvas" in body
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers


def test_every_file_that_the_page_names_is_there_and_nothing_comes_from_elsewhere(shared: Running) -> None:
    _, body, _ = get(shared, shared.access.path)
    named = re.findall(r'(?:src|href)="([^"]+)"', body.decode())
    assert len(named) >= 3
    for name in named:
        assert name.startswith("./")
        assert get(shared, shared.access.path + name[2:])[0] == 200


@pytest.mark.parametrize("path", ["../server.py", "%2e%2e/server.py", "..%2f..%2fsetup", "assets/../../loop.py", "no"])
def test_only_the_page_is_served(shared: Running, path: str) -> None:
    assert get(shared, shared.access.path + path)[0] == 404


def test_other_methods_than_get_are_refused(shared: Running) -> None:
    assert get(shared, shared.access.path, method="POST", Content_Length="0")[0] == 405


def test_without_the_token_there_is_nothing(shared: Running) -> None:
    for path in ("/", "/ws", "/index.html", "/take.bvh", "/take.glb", "/wrong-token/", f"/{shared.access.token}x/"):
        assert get(shared, path)[0] == 403
        assert upgrade_status(shared, path, {}) == 403


def test_wrong_origins_are_refused_on_http_and_on_the_upgrade(shared: Running) -> None:
    origins = wrong_origins(shared.access.port)
    assert len(origins) >= 20
    for origin in origins:
        assert get(shared, shared.access.path, Origin=origin)[0] == 403, origin
        assert upgrade_status(shared, f"{shared.access.path}ws", {"Origin": origin}) == 403, origin
    own = f"http://127.0.0.1:{shared.access.port}"
    assert upgrade_status(shared, f"{shared.access.path}ws", {"Origin": own}) == 101


def test_wrong_hosts_are_refused_on_http_and_on_the_upgrade(shared: Running) -> None:
    hosts = wrong_hosts(shared.access.port)
    assert len(hosts) >= 10
    for host in hosts:
        assert get(shared, shared.access.path, Host=host)[0] == 403, host
        assert upgrade_status(shared, f"{shared.access.path}ws", {"Host": host}) == 403, host


def test_a_page_is_greeted_and_then_gets_frames(shared: Running) -> None:
    with shared.page() as page:
        assert read(page, "hello")["version"] == m.VERSION
        assert read(page, "status")["task"] == "direction"
        first = read(page, "frame")["number"]
        assert read(page, "frame")["number"] > first


def test_what_cannot_be_read_is_refused_and_the_page_goes_on(shared: Running) -> None:
    with shared.page() as page:
        for junk in (b"", b"\xc1", b"junk", m.encode(m.Steer(1.0, 0.0))[:-1], "text", b"\x91" * 60_000):
            page.send(junk)
            assert "cannot be read" in read(page, "refused")["reason"]
        read(page, "frame")


def test_a_message_that_is_too_long_ends_the_connection(shared: Running) -> None:
    with shared.page() as page:
        page.send(b"\x00" * (m.MOST_BYTES + 1))
        with pytest.raises(ConnectionClosed, match="1009"):
            read(page, "nothing of that kind")
    with shared.page() as other:
        read(other, "frame")


@pytest.mark.parametrize("name", ["take.bvh", "take.glb"])
def test_a_take_comes_back_as_a_file(name: str, studio: Running, tmp_path: object) -> None:
    path = f"{studio.access.path}{name}"
    assert get(studio, path)[0] == 404
    with studio.page() as page:
        send(page, m.Take(True))
        while not read(page, "status")["taking"]:
            pass
        for _ in range(20):
            read(page, "frame")
        send(page, m.Take(False))
        taken = read(page, "status")["taken"]
    status, body, headers = get(studio, path)
    assert status == 200
    assert name in headers["content-disposition"]
    file = tmp_path / name  # type: ignore[operator]
    file.write_bytes(body)
    clip = load_clip(file, scale=1.0)
    assert clip.frame_count == taken
    take = studio.ask(lambda session: session.taken())
    own = take.clip()
    np.testing.assert_allclose(clip.root_position, own.root_position, atol=1e-4)


def test_two_pages_see_the_same(studio: Running) -> None:
    with studio.page() as one, studio.page() as other:
        while read(one, "frame")["number"] < 5:
            pass
        send(one, m.Clock(paused=True))
        for page in (one, other):
            while not read(page, "status")["paused"]:
                pass
            send(page, m.Look(3))
        frames = []
        for page in (one, other):
            frame = read(page, "frame")
            while frame["number"] != 3:
                frame = read(page, "frame")
            frames.append(frame)
        assert frames[0] == frames[1]


def test_connections_that_say_nothing_are_closed_and_stop_nobody(
    studio: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "OPEN_SECONDS", 1.0)
    half_open = [socket.create_connection(("127.0.0.1", studio.access.port), timeout=10.0) for _ in range(300)]
    half_open[-1].sendall(b"GET / HTTP/1.1\r\n")  # begun and never ended
    with studio.page() as page:
        read(page, "frame")
    deadline = time.monotonic() + 10.0
    for plain in half_open:
        plain.settimeout(max(0.1, deadline - time.monotonic()))
        with contextlib.suppress(ConnectionResetError):
            assert plain.recv(1) == b""
        plain.close()


def test_a_page_that_never_reads_is_cut_off_however_little_it_is_sent(shared: Running) -> None:
    port = shared.access.port
    with socket.create_connection(("127.0.0.1", port), timeout=10.0) as deaf, shared.page() as page:
        lines = [f"GET {shared.access.path}ws HTTP/1.1", f"Host: 127.0.0.1:{port}", *UPGRADE]
        deaf.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        began = time.monotonic()
        while deaf.getsockname() not in shared.server.pages:
            time.sleep(0.05)
        while deaf.getsockname() in shared.server.pages:
            assert time.monotonic() - began < 10.0
            read(page, "frame")


def test_refused_upgrades_leave_nothing_behind(studio: Running) -> None:
    for _ in range(20):
        assert upgrade_status(studio, "/wrong-token/ws", {}) == 403
    door, deadline = studio.server._door, time.monotonic() + 5.0
    while door._transports or door._waiting:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_page_that_joins_while_time_stands_still_sees_the_newest_frame(studio: Running) -> None:
    with studio.page() as page:
        send(page, m.Clock(paused=True))
        while not read(page, "status")["paused"]:
            pass
        before = studio.ask(lambda session: session.number)
        for _ in range(4):
            send(page, m.Step())
        while read(page, "frame")["number"] < before + 4:
            pass
        with studio.page() as other:
            assert read(other, "frame")["number"] == before + 4


def test_there_are_only_so_many_pages(studio: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("motionfields.studio.server.MOST_PAGES", 2)
    with studio.page() as one, studio.page() as two:
        read(one, "frame"), read(two, "frame")
        with pytest.raises(InvalidStatus):
            studio.page()
    with studio.page() as again:
        read(again, "frame")


def test_a_mailbox_keeps_answers_in_order_and_only_the_newest_frame() -> None:
    async def fill_and_take() -> list[bytes]:
        box = Mailbox()
        for number in range(5):
            box.put_frame(b"frame %d" % number)
        box.put(b"answer 1")
        box.put(b"answer 2")
        return [await box.take() for _ in range(3)]

    assert asyncio.run(fill_and_take()) == [b"answer 1", b"answer 2", b"frame 4"]
