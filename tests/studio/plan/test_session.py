from __future__ import annotations

import json

import msgspec
import numpy as np
import pytest

from motionfields.authoring.plan import SearchView
from motionfields.authoring.sketch import Stroke, format_sketch, parse_sketch
from motionfields.base.errors import FormatError, PlanError
from motionfields.base.world import Box, Room, format_room, parse_room
from motionfields.studio import PlanSession
from motionfields.studio.plan import messages as p
from motionfields.studio.plan.session import first_places
from tests.studio.plan.conftest import ROOM

TEXT = format_room(ROOM).decode()
PATH = Stroke.on_ground(np.array([(0.0, 0.0), (0.3, 1.5), (0.2, 3.0)]))


def asked(*, count: int = 1, room: str = TEXT, to: tuple[float, float] = (0.5, 4.0)) -> p.PlanTo:
    return p.PlanTo(1, room, (0.0, 0.0), 0.0, to, within=0.2, count=count)


def drawn(*strokes: Stroke) -> p.Draw:
    return p.Draw(1, TEXT, format_sketch(strokes).decode())


def blind(rank: int, view: SearchView) -> None:
    pass


def roots_of(motion: p.Planned) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.frombuffer(motion.roots).reshape(-1, 3)


@pytest.mark.parametrize("message", [asked(count=2), drawn(PATH), p.Redraw(2, TEXT, 3, 1.0, 2.0, [(0.5, 1.0)])])
def test_messages_of_a_page_come_back_as_they_were(message: p.ToPlanner) -> None:
    assert p.decode(p.encode(message)) == message


@pytest.mark.parametrize(
    "changed",
    [
        {"to": (float("nan"), 0.0)},
        {"to": (0.0, 1.0, 2.0)},
        {"through": [(0.0, 0.0)] * 33},
        {"within": 1e9},
        {"count": 6},
        {"room": "x" * 50_000},
        {"type": "planscene"},
    ],
    ids=str,
)
def test_messages_out_of_bounds_are_refused(changed: dict[str, object]) -> None:
    fields = {"type": "planto", **msgspec.to_builtins(asked()), **changed}
    with pytest.raises(msgspec.MsgspecError):
        p.decode(msgspec.msgpack.encode(fields))


def test_a_page_starts_with_a_room_a_start_a_goal_and_joints_to_draw_for(session: PlanSession) -> None:
    scene = session.scene()
    assert parse_room(scene.room.encode()) == ROOM
    assert ROOM.clearance(np.array([scene.start, scene.goal])).min() > ROOM.radius
    names = [scene.joint_names[joint] for joint in scene.drawable]
    assert names == ["Hips", "Head", "LeftHand", "RightHand", "LeftFoot", "RightFoot"]
    away = Room((4.0, 4.0, 9.0, 9.0), (Box(6.5, 6.5, 1.0, 1.0),))
    assert away.clearance(np.array(first_places(away))).min() > away.radius


def test_plans_come_with_their_search_and_lead_to_the_goal(session: PlanSession) -> None:
    seen: list[tuple[int, float]] = []
    found = list(session.motions(asked(count=2), lambda rank, view: seen.append((rank, view.progress().bound))))
    assert [motion.rank for motion in found] == [0, 1]
    assert {rank for rank, _ in seen} == {0, 1}
    for motion in found:
        np.testing.assert_allclose(roots_of(motion)[-1, ::2], (0.5, 4.0), atol=0.02)
        assert motion.bound is not None
        assert motion.bound <= motion.cost
        assert motion.limits == []
        kept = session.motion(motion.number)
        assert kept is not None
        assert kept.clip.frame_count == len(motion.planted) // 2 == len(roots_of(motion))


def test_a_part_of_a_plan_is_redrawn(session: PlanSession) -> None:
    (first,) = session.motions(asked(), blind)
    seconds = (len(roots_of(first)) - 1) * session.scene().frame_time
    x, z = (roots_of(first)[len(roots_of(first)) // 2, ::2] + (-0.5, 0.0)).tolist()
    redraw = p.Redraw(2, TEXT, first.number, 0.4 * seconds, 0.6 * seconds, [(x, z)], 0.2)
    (second,) = session.motions(redraw, blind)
    assert np.linalg.norm(roots_of(second)[:, ::2] - (x, z), axis=1).min() < 0.3
    (sketched,) = session.motions(drawn(PATH), blind)
    for number in (999, sketched.number):
        with pytest.raises(ValueError, match="no plan"):
            list(session.motions(msgspec.structs.replace(redraw, number=number), blind))


def test_a_sketch_says_what_limits_it(session: PlanSession) -> None:
    (motion,) = session.motions(drawn(PATH), blind)
    assert motion.bound is None
    assert motion.clearance > ROOM.radius - 0.02  # around the box, which lies on the path
    (timed,) = parse_sketch(motion.strokes.encode())
    assert timed.times is not None
    assert timed.length > PATH.length + 0.5
    high = Stroke.in_space("RightHand", np.array([(0.0, 3.0, 0.0), (0.0, 3.0, 1.0)]), timed.times[[0, -1]])
    (reaching,) = session.motions(drawn(timed, high), blind)
    assert any("RightHand" in text and "drawn 3.00 m above the ground" in text for text in reaching.limits)


def test_requests_that_cannot_be_met_say_why(session: PlanSession) -> None:
    with pytest.raises(PlanError, match="the goal is outside the room or nearer"):
        list(session.motions(asked(to=(0.3, 2.0)), blind))
    with pytest.raises(FormatError):
        list(session.motions(asked(room=json.dumps({"room": 1})), blind))
    with pytest.raises(FormatError):
        list(session.motions(p.Draw(1, TEXT, "{}"), blind))
