from __future__ import annotations

import contextlib
import math
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionfields.studio import messages as m
from motionfields.studio.typescript import typescript
from tests.conftest import REPO

EXAMPLES: list[m.FromClient] = [
    m.Steer(0.5, -1.0),
    m.Go(1.0, 2.0),
    m.Follow(1.0, 2.0, 0.3),
    m.Pace(1.2),
    m.Push(3, 4, (0.0, 0.1, 0.0), (100.0, 0.0, 0.0)),
    m.Throw((0.0, 1.0, 4.0), (0.0, 1.0, -9.0)),
    m.Gather(200),
    m.Select(0),
    m.Do("line"),
    m.Compare(on=True),
    m.Clock(True, 0.25),
    m.Step(),
    m.Look(12),
    m.Ask(12, 3),
    m.AskPlan(12, 3),
    m.Enter(True),
    m.Build("{}"),
    m.Order("cross"),
    m.Take(True),
    m.Load(["walk.bvh", "turn.bvh"], "velocity"),
    m.Retrain(0.8),
]


@pytest.mark.parametrize("message", EXAMPLES, ids=lambda message: type(message).__name__)
def test_messages_of_a_page_come_back_as_they_were(message: m.FromClient) -> None:
    assert m.decode(m.encode(message)) == message


def test_there_is_an_example_of_every_message_of_a_page() -> None:
    assert {type(example) for example in EXAMPLES} == set(m.FromClient.__args__)


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "steer", "x": math.nan, "z": 0.0},
        {"type": "steer", "x": 1.0, "z": math.inf},
        {"type": "steer", "x": 1.0},
        {"type": "steer", "x": 1.0, "z": 0.0, "more": 1},
        {"type": "steer", "x": "1", "z": 0.0},
        {"type": "gather", "count": 0},
        {"type": "gather", "count": 201},
        {"type": "select", "character": -1},
        {"type": "look", "number": 2**60},
        {"type": "clock", "paused": False, "speed": 0.0},
        {"type": "clock", "paused": False, "speed": math.nan},
        {"type": "push", "character": 0, "joint": 1, "point": [0.0, 0.0], "force": [1.0, 0.0, 0.0]},
        {"type": "push", "character": 0, "joint": 1, "point": [0.0, 0.0, 0.0], "force": [math.nan, 0.0, 0.0]},
        {"type": "build", "room": "x" * 40_001},
        {"type": "order", "what": "fly"},
        {"type": "load", "files": []},
        {"type": "load", "files": ["a.bvh"] * 501},
        {"type": "retrain", "agility": 1.1},
        {"type": "retrain", "agility": math.nan},
        {"type": "frame", "number": 1},
        {"type": "none of them"},
        {"x": 1.0, "z": 0.0},
        [1, 2, 3],
        None,
    ],
    ids=str,
)
def test_what_is_out_of_bounds_unknown_or_incomplete_is_refused(fields: Any) -> None:
    with pytest.raises(msgspec.MsgspecError):
        m.decode(msgspec.msgpack.encode(fields))


@given(st.binary(max_size=200))
def test_any_bytes_are_a_message_or_a_typed_error(data: bytes) -> None:
    with contextlib.suppress(msgspec.MsgspecError):
        m.decode(data)


def test_a_message_nested_beyond_all_bounds_is_a_typed_error() -> None:
    with pytest.raises(msgspec.DecodeError):
        m.decode(b"\x81\xa1a" + b"\x91" * 60_000)


def test_the_page_is_written_with_the_messages_as_they_are() -> None:
    assert (REPO / "studio" / "web" / "src" / "messages.ts").read_text() == typescript()
