"""Jitter of the live link: a studio with an open page streams its character, and a UDP receiver times the frames.

    python benchmarks/bench_stream.py [--seconds 60] [--unpaced] [--quick]

The studio runs in a process of its own, as `motionfields play --stream` does. The kernel stamps the packets as they
arrive, so the receiver's own scheduling does not count. Jitter is the distance of the time between two frames from the
frame time. The target is a p99 of at most 2 ms at 30 Hz; it needs a free core.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import socket
import struct
import sys
import tempfile
import threading
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from motionfields.export.streaming import Pacer, Vmc
from motionfields.studio import Access, Session, StudioServer, listen
from motionfields.studio.demo import Demo

TARGET = 2e-3  # seconds, p99
STAMPS = 35  # SO_TIMESTAMPNS of Linux
WARM = 30  # frames that are not counted


def run_studio(folder: str, port: int, paced: bool, told: Connection) -> None:
    """Serve the demo's character and stream it to `port`; send the address of the page, and end when told to."""
    controller = Demo(Path(folder)).first()
    database = controller.field.database
    plain = Vmc(database.skeleton, port=port)
    receiver = Pacer(plain, database.frame_time) if paced else plain

    def prepare(_: object) -> Session:
        session = Session([controller])
        session.watchers.append(
            lambda frame, chosen, time: receiver.send(frame.root_position[chosen], frame.rotations[chosen], time=time)
        )
        return session

    with listen("127.0.0.1", 0) as listening:
        server = StudioServer(prepare, Access.on("127.0.0.1", listening.getsockname()[1]))
        with server.running(listening):
            told.send(server.access.url)
            told.recv()


def arrivals(receiver: socket.socket, count: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the times in seconds at which the first packets of `count` frames arrived, by the kernel's clock."""
    times: list[float] = []
    while len(times) < count:
        data, extra, _, _ = receiver.recvmsg(2000, 64)
        if b"/VMC/Ext/OK" not in data:
            continue
        seconds, nanoseconds = struct.unpack("qq", extra[0][2][:16])
        times.append(seconds + 1e-9 * nanoseconds)
    return np.array(times)


def read_page(url: str, ended: threading.Event) -> None:
    """Read all messages of a page until told to end."""
    with suppress(ConnectionClosed), connect(f"{url.replace('http', 'ws', 1)}ws", max_size=None) as page:
        while not ended.is_set():
            page.recv()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--unpaced", action="store_true", help="send frames as soon as they are computed")
    parser.add_argument("--quick", action="store_true", help="ten seconds, and no verdict")
    options = parser.parse_args()
    seconds = 10.0 if options.quick else options.seconds
    ended = threading.Event()
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.setsockopt(socket.SOL_SOCKET, STAMPS, 1)
        given = (folder, receiver.getsockname()[1], not options.unpaced, there)
        studio = context.Process(target=run_studio, args=given, daemon=True)
        studio.start()
        page = threading.Thread(target=read_page, args=(here.recv(), ended), daemon=True)
        page.start()
        times = arrivals(receiver, WARM + round(30.0 * seconds))[WARM:]
        ended.set()
        here.send(None)
        studio.join()
    steps = np.diff(times)
    jitter = np.abs(steps - 1.0 / 30.0)
    p50, p99 = np.percentile(jitter, [50, 99])
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    print(f"{len(times)} frames in {times[-1] - times[0]:.2f} s; load {load:.1f} per core")
    print(f"jitter: median {1e3 * p50:.2f} ms, p99 {1e3 * p99:.2f} ms, most {1e3 * jitter.max():.2f} ms")
    print(f"target: p99 of at most {1e3 * TARGET:g} ms: {'met' if p99 <= TARGET else 'not met'}")
    return 0 if options.quick or p99 <= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
