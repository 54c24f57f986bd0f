"""Load-test the studio server: many pages, pages that do not read, silent connections, and noise.

    python benchmarks/bench_studio.py            # 64 pages x 100 characters for a minute, 100,000 messages of noise
    python benchmarks/bench_studio.py --quick    # the same, shorter, as in CI

The server runs in this process, its clients in others. A tick is late if its frame is ready only after the next one is
due. The full run, on a computer that does nothing else, allows no late tick. The quick run compares: pages may not make
more ticks late than the same studio has without them just before. Exits with 1 if a bound is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from common import Bounds, control_field, make_parser
from motionfields.control.tasks import Velocity
from motionfields.control.training import train
from motionfields.motion.samples import generate_samples
from motionfields.studio import Access, Session, StudioServer, listen
from motionfields.studio import messages as m

ATTEMPTS = 3  # load from pages delays ticks in every attempt; a momentary stall of the computer does not
PAGES, CHARACTERS, HALF_OPEN = 64, 100, 500
CLIPS = re.compile(r"walk_(forward|fast|slow|stop)|stand_idle|turn_left_(045|090|135|180)_quick")
MORE_LATE = 0.1  # share of ticks by which pages may make more of them late in a quick run
DROPPED = 10.0  # seconds within which a page that does not read must be disconnected
SERVED, CLOSED = 5.0, 8.0  # seconds within which a page beside half-open connections gets a frame, and they are closed
TCP_ESTABLISHED = 1  # first byte of TCP_INFO


class Studio:
    """A running server, with a list of all unexpected errors."""

    def __init__(self, server: StudioServer) -> None:
        self.server = server
        self.errors: list[str] = []
        logging.getLogger().addHandler(_Collector(self.errors))
        threading.excepthook = lambda given: self.errors.append(repr(given.exc_value))

    @property
    def url(self) -> str:
        """WebSocket address that pages connect to."""
        return f"{self.server.access.url.replace('http', 'ws', 1)}ws"

    def watch(self, seconds: float) -> dict[str, float]:
        """Count ticks and late ticks over `seconds`, and return them with their delays in milliseconds."""
        loop = self.server.loop
        time.sleep(0.2)
        loop.delays.clear()
        time.sleep(seconds)
        step = 1e3 * loop.session.frame_time  # type: ignore[union-attr]
        taken = 1e3 * np.array(loop.delays or [np.inf])  # not a single tick is as late as can be
        return {
            "ticks": len(taken),
            "late": int((taken > step).sum()),
            "p50_ms": float(np.median(taken)),
            "p99_ms": float(np.percentile(taken, 99)),
            "worst_ms": float(taken.max()),
        }


class _Collector(logging.Handler):
    def __init__(self, errors: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._errors = errors

    def emit(self, record: logging.LogRecord) -> None:
        self._errors.append(self.format(record))


def client(job: str, *given: str) -> subprocess.Popen[str]:
    """Start a process of clients that does `job`; closing its standard input ends it."""
    command = [sys.executable, __file__, "--client", job, *given]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def result(process: subprocess.Popen[str]) -> dict[str, Any]:
    said, _ = process.communicate()
    found: dict[str, Any] = json.loads(said)
    return found


async def read_pages(url: str, count: int) -> dict[str, Any]:
    """Open `count` pages that read everything until standard input closes.

    Return the frames per second of the slowest and of the fastest page.
    """
    frames, began = [0] * count, time.perf_counter()
    stop = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)

    async def page(number: int) -> None:
        async with connect(url, max_size=None, compression=None) as socket:
            while not stop.done():
                await socket.recv()
                frames[number] += 1

    await asyncio.gather(*(page(number) for number in range(count)))
    seconds = time.perf_counter() - began
    return {"least": min(frames) / seconds, "most": max(frames) / seconds}


async def never_read(url: str) -> dict[str, Any]:
    """Open a page that reads nothing; return the seconds until the server disconnects it."""
    host, path = url.removeprefix("ws://").split("/", 1)
    name, port = host.split(":")
    plain = socket.create_connection((name, int(port)))
    plain.sendall(
        f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    began = time.perf_counter()
    while time.perf_counter() - began < 60.0:
        await asyncio.sleep(0.1)
        if not _is_open(plain):
            return {"seconds": time.perf_counter() - began}
    return {"seconds": float("inf")}


def _is_open(plain: socket.socket) -> bool:
    """Return whether neither side has closed a connection, without reading from it."""
    return plain.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == TCP_ESTABLISHED


async def half_open(url: str, count: int) -> dict[str, Any]:
    """Open `count` silent connections, half of them with a partial request, then a new page.

    Return the seconds that page waits for a frame, and the seconds until the server has closed all silent connections.
    """
    name, port = url.removeprefix("ws://").split("/", 1)[0].split(":")
    opened = [socket.create_connection((name, int(port))) for _ in range(count)]
    for plain in opened[::2]:
        plain.sendall(b"GET / HTTP/1.1\r\nHost:")
    began = time.perf_counter()
    async with connect(url, max_size=None, compression=None) as page:
        while msgspec.msgpack.decode(await page.recv(decode=False))["type"] != "frame":
            pass
    waited = time.perf_counter() - began
    while any(map(_is_open, opened)) and time.perf_counter() - began < 60.0:
        await asyncio.sleep(0.1)
    closed = float("inf") if any(map(_is_open, opened)) else time.perf_counter() - began
    return {"seconds": waited, "closed": closed}


async def make_noise(url: str, count: int) -> dict[str, Any]:
    """Send `count` messages of noise: random bytes, cut or changed messages, text, some too long; return the counts."""
    rng = np.random.default_rng(0)
    good = [
        m.encode(message)
        for message in (
            m.Steer(1.0, 0.0), m.Go(3.0, 4.0), m.Follow(0.0, 0.0, 1.0), m.Pace(1.0), m.Select(5), m.Do("velocity"),
            m.Push(0, 3, (0.0, 0.0, 0.0), (50.0, 0.0, 0.0)), m.Throw((0.0, 1.0, 2.0), (0.0, 0.0, -5.0)),
            m.Clock(False), m.Step(), m.Gather(90), m.Gather(100), m.Look(10), m.Ask(10, 0),
            m.Take(True), m.Take(False),
        )
    ]  # fmt: skip
    sent = connections = 0
    while sent < count:
        connections += 1
        try:
            async with connect(url, max_size=None, compression=None, ping_interval=None) as page:
                reading = asyncio.create_task(_drain(page))
                while sent < count:
                    kind = rng.integers(1000)
                    if kind < 2:
                        noise: bytes | str = rng.bytes(m.MOST_BYTES + 1 + int(rng.integers(1000)))
                    elif kind < 20:
                        noise = "text " * int(rng.integers(1, 9))
                    elif kind < 25:
                        noise = b"\x81\xa1a" + b"\x91" * int(rng.integers(m.MOST_BYTES - 10))
                    elif kind < 400:
                        noise = rng.bytes(int(rng.integers(0, 300)))
                    else:
                        noise = _changed(good[rng.integers(len(good))], rng)
                    await page.send(noise)
                    sent += 1
                reading.cancel()
        except ConnectionClosed:
            pass
    return {"sent": sent, "connections": connections}


def _changed(message: bytes, rng: np.random.Generator) -> bytes:
    """Return `message` unchanged, cut, or with some bytes changed."""
    kind = rng.integers(3)
    if kind == 0:
        return message
    if kind == 1:
        return message[: int(rng.integers(len(message)))]
    changed = bytearray(message)
    for _ in range(int(rng.integers(1, 5))):
        changed[int(rng.integers(len(changed)))] = int(rng.integers(256))
    return bytes(changed)


async def _drain(page: Any) -> None:
    with contextlib.suppress(ConnectionClosed):
        async for _ in page:
            pass


CLIENTS: dict[str, Callable[..., Any]] = {
    "pages": lambda url, count: read_pages(url, int(count)),
    "deaf": never_read,
    "half-open": lambda url, count: half_open(url, int(count)),
    "noise": lambda url, count: make_noise(url, int(count)),
}


def bench(studio: Studio, *, seconds: float, noise: int, quick: bool) -> Bounds:
    """Run every part, print its figures, and return the bounds."""
    bounds = Bounds()
    check = bounds.require
    slack = 4.0 if quick else 1.0  # CI runs beside other work

    def on_time(watched: dict[str, float], before: dict[str, float]) -> bool:
        return _late_share(watched) <= (_late_share(before) + MORE_LATE if quick else 0.0)

    for _ in range(ATTEMPTS):
        alone = studio.watch(min(seconds, 15.0))
        print(f"no pages: {_told(alone)}", flush=True)
        pages = client("pages", studio.url, str(PAGES))
        while len(studio.server.pages) < PAGES:
            time.sleep(0.1)
        served = studio.watch(seconds)
        print(f"{PAGES} pages x {CHARACTERS} characters, {seconds:g} s: {_told(served)}", flush=True)
        if on_time(served, alone):
            break
        result(pages)
        while studio.server.pages:
            time.sleep(0.1)
    check(on_time(served, alone), f"{served['late']:g} ticks were late with {PAGES} pages")
    if not on_time(served, alone):
        return bounds

    for _ in range(ATTEMPTS):
        before = studio.watch(min(seconds, 12.0))
        deaf = client("deaf", studio.url)
        beside = studio.watch(12.0)
        gone = result(deaf)["seconds"]
        print(f"a page that never reads is cut off after {gone:.1f} s; meanwhile {_told(beside)}", flush=True)
        check(gone <= slack * DROPPED, f"a page that never reads was cut off after {gone:.1f} s only")
        if on_time(beside, before):
            break
    check(on_time(beside, before), f"{beside['late']:g} ticks were late beside a page that never reads")
    assert pages.stdin is not None
    got = result(pages)
    print(f"each page got {got['least']:.1f} to {got['most']:.1f} frames a second", flush=True)
    expected = 28.5 if not quick else 0.9 * got["most"]
    check(got["least"] > expected, f"a page got only {got['least']:.1f} frames a second, {expected:.1f} were expected")

    silent = result(client("half-open", studio.url, str(HALF_OPEN)))
    waited, closed = silent["seconds"], silent["closed"]
    print(
        f"{HALF_OPEN} half-open connections: a new page waits {waited:.2f} s; all closed after {closed:.1f} s",
        flush=True,
    )
    check(waited < slack * SERVED, f"a new page waited {waited:.1f} s beside half-open connections")
    check(closed <= slack * CLOSED, f"half-open connections were closed after {closed:.1f} s only")

    began = time.perf_counter()
    noisy = result(client("noise", studio.url, str(noise)))
    took, errors = time.perf_counter() - began, len(studio.errors)
    where = f"over {noisy['connections']} connections in {took:.0f} s"
    print(f"{noisy['sent']} messages of noise {where}: {errors} uncaught errors", flush=True)
    check(not studio.errors, f"errors that nobody caught: {studio.errors[:3]}")
    studio.server.loop.hear("bench", m.Clock(paused=False), lambda _: None)  # the noise may have paused it
    after = studio.watch(3.0)
    check(after["ticks"] > 60, "the simulation stopped")
    return bounds


def _late_share(watched: dict[str, float]) -> float:
    return watched["late"] / max(1.0, watched["ticks"])


def _told(watched: dict[str, float]) -> str:
    return (
        f"{watched['ticks']} ticks, {watched['late']} late, ready after {watched['p50_ms']:.1f} ms "
        f"(99 % {watched['p99_ms']:.1f}, worst {watched['worst_ms']:.1f})"
    )


def main() -> int:
    parser = make_parser(__doc__, quick="shorter, as in CI")
    parser.add_argument("--client", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.client:
        job, *given = options.client
        print(json.dumps(asyncio.run(CLIENTS[job](*given))))
        return 0
    clips = [sample.clip for sample in generate_samples(only=CLIPS)]
    field = control_field(clips)
    controller = train(field, Velocity(), tolerance=0.05)

    def prepare(_: object) -> Session:
        session = Session([controller])
        session.apply(m.Gather(CHARACTERS))
        session.warm_pushes()
        return session

    seconds, noise = (10.0, 5_000) if options.quick else (60.0, 100_000)
    with listen("127.0.0.1", 0) as listening:
        server = StudioServer(prepare, Access.on("127.0.0.1", listening.getsockname()[1]))
        with server.running(listening):
            bounds = bench(Studio(server), seconds=seconds, noise=noise, quick=options.quick)
    return bounds.exit_code()


if __name__ == "__main__":
    sys.exit(main())
