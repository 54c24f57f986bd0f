"""Characters of the studio in a world: they go where they are sent, around what users build, and explain plans."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from motionfields.authoring.worlds import Futures
from motionfields.base.errors import FormatError, MotionFieldsError
from motionfields.base.world import Disc, Mover, Reach, Room, Start, Wall, World, format_room, format_world, parse_world
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Velocity
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples
from motionfields.studio import Session
from motionfields.studio import messages as m
from motionfields.studio.workshop import make_futures

CLIPS = re.compile("walk_stop$|turn_left_090_quick")
ROOM = Room((-5.0, -5.0, 5.0, 5.0), (Wall((-5.0, 0.0), (-0.7, 0.0)), Wall((0.7, 0.0), (5.0, 0.0))), radius=0.25)
MOVER = Mover(Disc(-3.0, -3.0, 0.3), ((3.0, -3.0),), speed=0.5)


@cache
def walker() -> tuple[FieldController, Futures]:
    clips = [sample.clip for sample in generate_samples(only=CLIPS)]
    controller = train(MotionField(MotionDatabase.build(clips)), Velocity(), tolerance=0.2)
    return controller, Futures.of(controller)


def entered(world: World | None = None) -> Session:
    session = Session(walker()[:1])
    session.enter(walker()[1], world)
    return session


def frame_of(message: bytes) -> dict[str, Any]:
    frame: dict[str, Any] = msgspec.msgpack.decode(message)
    return frame


def test_a_crowd_sent_to_one_point_passes_a_door_and_does_not_become_a_clump() -> None:
    starts = tuple(Start(x, z) for x in (-1.5, 0.0, 1.5) for z in (-3.5, -2.0))
    session = entered(World(ROOM, starts=starts))
    session.apply(m.Go(0.0, 3.0))
    least = np.inf
    for _ in range(700):
        frame = frame_of(session.tick())
        places = np.frombuffer(frame["roots"]).reshape(-1, 3)[:, ::2]
        least = min(least, float(ROOM.clearance(places).min()))
    assert np.frombuffer(frame["walks"]["reached"], np.uint8).all()
    assert least > ROOM.radius
    apart = np.linalg.norm(places[:, np.newaxis] - places, axis=-1) + 9.0 * np.eye(6)
    assert apart.min() > 2.0 * ROOM.radius
    assert (places[:, 1] > 0.5).all()


def test_the_reasons_of_a_plan_name_the_least_cost_and_what_is_in_the_way() -> None:
    session = entered(World(ROOM, movers=(MOVER,), starts=(Start(0.0, -3.0),), goals=(Reach(0.0, 3.0),)))
    session.apply(m.Build(format_room(Room(ROOM.bounds, (Disc(0.0, -1.5, 0.4),), 0.25)).decode()))
    for _ in range(40):
        frame = frame_of(session.tick())
    why = session.why_plan(session.number, 0)
    assert why.goal == "reach"
    assert why.decided <= session.number
    totals = [plan.total for plan in why.plans]
    assert totals[why.chosen] == pytest.approx(min(totals), abs=1e-6)
    assert any(plan.hit > 0.0 and plan.blocker == -1 for plan in why.plans)
    assert len(why.places) == 4 * len(why.plans) * m.PLAN_PLACES * 2
    assert len(frame["walks"]["plans"]) == 4 * m.PLAN_PLACES * 2
    assert np.frombuffer(frame["walks"]["movers"], "<f4")[0] > -3.0
    assert session.worlds.state.on


def test_orders_and_the_number_of_characters_may_change_at_any_time() -> None:
    session = entered(World(ROOM))
    for message in (
        *(m.Gather(5), m.Order("cross"), m.Gather(3), m.Order("chase"), m.Gather(6), m.Steer(1.0, 0.0)),
        *(m.Select(2), m.Order("wander"), m.Go(20.0, 20.0, everyone=False), m.Gather(1), m.Go(0.0, -2.0)),
    ):
        session.apply(message)
        for _ in range(7):
            frame = frame_of(session.tick())
        assert np.isfinite(np.frombuffer(frame["roots"])).all()
    saved = parse_world(format_world(session.world()))
    assert saved.room == ROOM
    assert len(saved.starts) == 1
    clips, room = session.crowd_clips()
    assert (len(clips), room) == (1, ROOM)
    session.apply(m.Enter(on=False))
    assert frame_of(session.tick())["walks"] is None
    with pytest.raises(ValueError, match="followed no plan"):
        session.why_plan(session.number, 0)


def test_what_cannot_be_done_is_refused() -> None:
    session = Session(walker()[:1])
    with pytest.raises(MotionFieldsError, match="not known yet"):
        session.apply(m.Enter(on=True))
    with pytest.raises(ValueError, match="enter it first"):
        session.apply(m.Order("cross"))
    with pytest.raises(FormatError):
        session.apply(m.Build("{}"))
    with pytest.raises(ValueError, match="60 m"):
        session.apply(m.Build(format_room(Room((0.0, 0.0, 100.0, 10.0))).decode()))


def test_futures_are_tabulated_with_progress(tmp_path: Path) -> None:
    told: list[tuple[str, float]] = []

    class Pipe:
        send = staticmethod(told.append)

    walker()[0].save(tmp_path / "walker.ctrl")
    pipe: Any = Pipe()
    make_futures(str(tmp_path / "walker.ctrl"), str(tmp_path / "walker.futures"), pipe)
    Futures.load(tmp_path / "walker.futures").check_controller(walker()[0])
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    make_futures(str(tmp_path / "none.ctrl"), str(tmp_path / "none.futures"), pipe)
    assert told[-1][1] < 0.0
