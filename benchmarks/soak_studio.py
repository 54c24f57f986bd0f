"""Soak-test the studio: simulated time without waiting, two pages that compete, recording, and errors in frames.

    python benchmarks/soak_studio.py [--hours 24] [--commands 100000] [--seed 0] [--quick]

The loop of the studio runs frame by frame on this thread. Two pages send random messages, some of them nonsense or
bytes that are no message, and ask about the past; takes are started, stopped and turned into clips. Now and then a
frame raises an error on purpose. Checked:

- every error in a frame reaches the pages as a message, and the next frame comes;
- every message gets at most one answer, and nothing but an answer of a known kind;
- all numbers of the frames are finite;
- after the first fifth, memory grows by less than 16 MiB (takes of up to ten minutes come and go).

--quick simulates two minutes, too short for the history of 30 s and the parts that load late to settle: memory may then
grow by 64 MiB.
"""

from __future__ import annotations

import logging
import sys
import time
from collections import Counter
from random import Random
from typing import Any

import msgspec
import numpy as np

from common import QUICK_CLIPS, Bounds, control_field, make_parser, sample_clips
from motionfields.control.tasks import Direction, Line, Velocity
from motionfields.control.training import train
from motionfields.studio import Loop, Session
from motionfields.studio import messages as m
from soak_crowd import resident_bytes

MOST_GROWTH, MOST_QUICK_GROWTH = 16 << 20, 64 << 20  # bytes
FAULTS = 50  # frames that fail on purpose
MOST_COUNT = 12  # characters
bounds = Bounds()


class Studio:
    """A loop without its thread, the messages that it publishes, and its frames that must fail."""

    def __init__(self) -> None:
        field = control_field(sample_clips((*QUICK_CLIPS, "walk_stop", "stand_idle")))
        self.session = Session([train(field, task, tolerance=0.05) for task in (Direction(), Velocity(), Line())])
        self.session.warm_pushes()
        self.published, self.answered = Counter[str](), Counter[str]()
        self.finite = True
        self.loop = Loop(lambda _: self.session, self._publish)

    def frame(self, *, fault: bool) -> None:
        """Carry out what was heard, and simulate one frame, which raises an error if `fault` says so."""
        session = self.session
        self.loop._obey(session)
        self.loop._answer(session)
        session.paused = False  # a paused studio would only wait
        if fault:
            session._advanced = _fails  # type: ignore[method-assign]
        self.loop._advance(session)
        if fault:
            del session._advanced

    def hear(self, page: str, data: bytes) -> None:
        """Hand in a message as the server does."""
        try:
            message = m.decode(data)
        except msgspec.MsgspecError:
            self.answered["not a message"] += 1
            return
        self.loop.hear(page, message, self._answer)

    def _answer(self, data: bytes) -> None:
        self.answered[str(msgspec.msgpack.decode(data)["type"])] += 1

    def _publish(self, data: bytes, is_frame: bool) -> None:
        decoded: dict[str, Any] = msgspec.msgpack.decode(data)
        self.published[str(decoded["type"])] += 1
        if is_frame:
            self.finite &= bool(np.isfinite(np.frombuffer(decoded["roots"], "<f8")).all())


def _fails() -> bytes:
    raise RuntimeError("an error on purpose")


def random_message(studio: Studio, chance: Random) -> bytes:
    """Return a message that a page may send, sensible or not."""
    number = chance.choice((0.0, 1.0, -1.0, 1e9, chance.uniform(-20.0, 20.0)))
    other, who = chance.uniform(-20.0, 20.0), chance.randrange(MOST_COUNT + 3)
    newest = studio.session.number
    kind = chance.randrange(16)
    messages: list[Any] = [
        m.Steer(chance.uniform(-1.0, 1.0), chance.uniform(-1.0, 1.0)),
        m.Steer(number, other),
        m.Go(number, other),
        m.Follow(number, other, chance.uniform(-4.0, 4.0)),
        m.Pace(number),
        m.Push(who, chance.randrange(-1, 25), (0.0, 0.1, 0.0), (number * 20.0, other, 50.0), chance.choice((0.1, 1.0))),
        m.Throw((other, 1.0, number), (number, 2.0, -other)),
        m.Gather(chance.randint(1, MOST_COUNT)),
        m.Select(who),
        m.Do(chance.choice((*studio.session.controllers, "fly"))),
        m.Clock(chance.random() < 0.5, chance.choice((0.05, 1.0, 2.0))),
        m.Step(),
        m.Look(max(0, newest - chance.randrange(2000))),
        m.Ask(max(0, newest - chance.randrange(2000)), who),
        m.Take(chance.random() < 0.8),
    ]
    if kind == len(messages):
        return chance.randbytes(chance.randrange(60))
    return m.encode(messages[kind])


def run(studio: Studio, frames: int, commands: int, chance: Random) -> tuple[int, list[float]]:
    """Simulate `frames` with `commands` random messages; return the growth in bytes, and the seconds of each fifth."""
    faults = {round((number + 0.5) * frames / FAULTS) for number in range(FAULTS)}
    before, seconds, clips, hour = 0, [0.0] * 5, 0, round(3600.0 / studio.session.frame_time)
    for number in range(frames):
        began = time.process_time()
        for _ in range((number + 1) * commands // frames - number * commands // frames):
            studio.hear(chance.choice(("first page", "second page")), random_message(studio, chance))
        studio.frame(fault=number in faults)
        if number % 50_000 == 49_999 and (take := studio.session.taken()) is not None:
            clips += take.clip().frame_count
        seconds[5 * number // frames] += time.process_time() - began
        if number == frames // 5:
            before = resident_bytes()
        if number % hour == hour - 1:
            print(f"  {number // hour + 1} h: {resident_bytes() / 2**20:.1f} MiB", flush=True)
    studio.session.apply(m.Take(on=True))  # the newest take is of any length
    return resident_bytes() - before, seconds


def main() -> int:
    parser = make_parser(__doc__, quick="two minutes and 2,000 commands")
    parser.add_argument("--hours", type=float, default=24.0, help="of simulated time")
    parser.add_argument("--commands", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)  # errors on purpose
    studio = Studio()
    hours, commands = (1 / 30, 2000) if options.quick else (options.hours, options.commands)
    frames = round(3600.0 * hours / studio.session.frame_time)
    growth, seconds = run(studio, frames, commands, Random(options.seed))
    told = studio.published["refused"]
    bounds.require(studio.finite, "a number is not finite")
    bounds.require(told >= FAULTS, f"{FAULTS} frames failed, and pages heard of {told}")
    bounds.require(
        growth < (MOST_QUICK_GROWTH if options.quick else MOST_GROWTH), f"memory grew by {growth / 2**20:.1f} MiB"
    )
    print(
        f"studio: {hours:g} h of simulated time, {frames:,} frames, {commands:,} messages of two pages, "
        f"{FAULTS} frames failed on purpose, {told} errors shown; memory {growth / 2**20:+.1f} MiB; "
        f"{1e6 * seconds[1] * 5 / frames:.0f} us per frame in the second fifth, {1e6 * seconds[4] * 5 / frames:.0f} "
        f"in the last\n  answers: {dict(sorted(studio.answered.items()))}"
    )
    return bounds.exit_code()


if __name__ == "__main__":
    sys.exit(main())
