from __future__ import annotations

import re
from typing import Any

import msgspec
import numpy as np
import pytest

from motionfields.base.errors import MotionFieldsError
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Velocity
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples
from motionfields.studio import Session
from motionfields.studio import messages as m


def frame_of(message: bytes) -> dict[str, Any]:
    frame: dict[str, Any] = msgspec.msgpack.decode(message)
    return frame


def run(session: Session, count: int) -> dict[str, Any]:
    """The last of `count` frames."""
    for _ in range(count):
        message = session.tick()
    return frame_of(message)


def roots(frame: dict[str, Any]) -> np.ndarray[Any, Any]:
    return np.frombuffer(frame["roots"]).reshape(-1, 3)


def test_a_frame_holds_what_the_crowd_shows(controllers: list[FieldController]) -> None:
    session, crowd = Session(controllers, seed=3), controllers[0].crowd(1, seed=3)
    heading = crowd.ground.facing.copy()
    for number in range(20):
        shown = crowd.step(heading)
        frame = frame_of(session.look(0) if number == 0 else session.tick())
        assert frame["number"] == number
        np.testing.assert_array_equal(roots(frame), shown.root_position)
        rotations = np.frombuffer(frame["rotations"], "<i2").reshape(1, -1, 4) / m.ROTATION_UNIT
        np.testing.assert_allclose(rotations, shown.rotations, atol=0.6 / m.ROTATION_UNIT)
        np.testing.assert_array_equal(np.frombuffer(frame["states"], "<i4"), shown.states)
        np.testing.assert_array_equal(np.frombuffer(frame["planted"], np.uint8).reshape(1, 2), shown.planted)


def test_hello_describes_the_skeleton_and_the_data(session: Session) -> None:
    hello, database = session.hello(), session.field.database
    assert hello.joint_names == list(database.skeleton.names)
    assert [task.name for task in hello.tasks] == ["direction", "velocity", "line"]
    assert hello.tasks[0].top_speed == 0.0
    assert hello.tasks[1].top_speed > 0.5
    assert [clip.start for clip in hello.clips] == database.clip_starts[:-1].tolist()
    assert {part.name for part in hello.parts} >= {"pelvis", "thigh", "shank", "foot", "neck"}
    assert {part.joint for part in hello.parts} >= set(hello.feet)


def test_steering_to_the_right_turns_the_character_and_stops_the_watch(session: Session) -> None:
    run(session, 30)
    session.apply(m.Steer(-1.0, 0.0))  # facing +z, -x is to the right
    frame = frame_of(session.tick())
    assert frame["goal"]["kind"] == "heading"
    assert frame["goal"]["heading"] == pytest.approx(-np.pi / 2)
    assert not frame["figures"]["answered"]
    figures = run(session, 120)["figures"]
    assert figures["answered"]
    assert 0.1 < figures["response"] < 3.0
    assert abs(figures["error"]) < np.radians(10.0)
    assert figures["facing"] == pytest.approx(-np.pi / 2, abs=np.radians(10.0))


def test_letting_go_stands_where_the_task_can_and_goes_on_where_it_cannot(session: Session) -> None:
    session.apply(m.Steer(0.0, 1.0))
    session.apply(m.Steer(0.0, 0.0))
    assert run(session, 60)["figures"]["speed"] > 0.3
    session.apply(m.Do("velocity"))
    session.apply(m.Steer(0.0, 0.0))
    frame = run(session, 150)
    assert frame["goal"]["kind"] == "stand"
    assert frame["figures"]["speed"] < 0.2


@pytest.mark.parametrize("task", ["direction", "velocity", "line"])
def test_a_point_on_the_ground_is_reached(session: Session, task: str) -> None:
    session.apply(m.Do(task))
    session.apply(m.Go(2.0, 3.0))
    distances = [np.hypot(*(roots(frame_of(session.tick()))[0, ::2] - (2.0, 3.0))) for _ in range(300)]
    assert min(distances) < 0.7
    if task == "velocity":
        assert distances[-1] < 1.2  # and it waits there


def test_a_line_is_followed(session: Session) -> None:
    session.apply(m.Do("line"))
    session.apply(m.Follow(1.0, 0.0, 0.0))
    frame = run(session, 200)
    assert frame["goal"] == {"kind": "line", "x": 1.0, "z": 0.0, "heading": 0.0, "speed": 0.0}
    assert abs(roots(frame)[0, 0] - 1.0) < 0.35


def test_the_pace_is_kept_between_standing_and_the_fastest_of_the_data(session: Session) -> None:
    session.apply(m.Do("velocity"))
    top = session.hello().tasks[1].top_speed
    for asked, kept in ((99.0, top), (-1.0, 0.0), (0.5, 0.5)):
        session.apply(m.Pace(asked))
        assert session.status().pace == pytest.approx(kept)


def test_tasks_change_without_a_jump(session: Session) -> None:
    before = roots(run(session, 30))
    session.apply(m.Do("line"))
    frame = frame_of(session.tick())
    assert frame["task"] == "line"
    assert np.linalg.norm(roots(frame) - before) < 0.1


def test_a_crowd_gathers_round_those_who_are_there(session: Session) -> None:
    before = roots(run(session, 30))
    session.apply(m.Gather(100))
    frame = frame_of(session.tick())
    places = roots(frame)
    assert places.shape == (100, 3)
    assert np.linalg.norm(places[0] - before[0]) < 0.15
    between = np.linalg.norm(places[:, np.newaxis, ::2] - places[:, ::2], axis=-1)
    assert between[~np.eye(100, dtype=bool)].min() > 0.5
    session.apply(m.Select(99))
    assert frame_of(session.tick())["selected"] == 99
    session.apply(m.Gather(3))
    assert session.selected == 2
    after = roots(frame_of(session.tick()))
    np.testing.assert_allclose(after[:, ::2], roots(frame_of(session.look(session.number - 1)))[:3, ::2], atol=0.15)


def test_those_who_stay_go_on_as_if_nobody_had_come(controllers: list[FieldController]) -> None:
    alone, joined = Session(controllers), Session(controllers)
    run(alone, 20), run(joined, 20)
    for count in (50, 7, 120):  # without a frame in between, too
        joined.apply(m.Gather(count))
    for _ in range(60):
        np.testing.assert_array_equal(roots(frame_of(alone.tick()))[0], roots(frame_of(joined.tick()))[0])


def test_sizes_set_one_after_the_other_put_nobody_into_another(session: Session) -> None:
    for count in (2, 50, 100):
        session.apply(m.Gather(count))
    session.apply(m.Select(90))
    session.apply(m.Gather(120))
    places = roots(frame_of(session.tick()))[:, ::2]
    assert len(np.unique(places.round(2), axis=0)) == 120


def test_newcomers_face_as_the_selected_one_does(session: Session) -> None:
    session.apply(m.Steer(1.0, 0.0))
    run(session, 90)
    facing = session._crowd.ground.facing[0]
    session.apply(m.Gather(5))
    np.testing.assert_allclose(session._crowd.ground.facing, facing, atol=1e-6)


def test_controllers_of_one_task_are_told_apart(controllers: list[FieldController]) -> None:
    session = Session([controllers[0], controllers[0].greedy(), controllers[1]])
    assert list(session.controllers) == ["direction", "direction 2", "velocity"]
    session.apply(m.Do("direction 2"))
    assert frame_of(session.tick())["task"] == "direction 2"


def test_a_take_ends_by_itself_when_it_is_long(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("motionfields.studio.recording.LONGEST_TAKE", 0.5)
    session.apply(m.Take(True))
    run(session, 40)
    assert (session.status().taken, session.status().taking) == (15, False)


def test_a_push_acts_and_is_told(session: Session) -> None:
    pytest.importorskip("mujoco")
    twin = Session(list(session.controllers.values()))
    run(session, 30), run(twin, 30)
    chest = session.field.database.skeleton.names.index("Spine1") if "Spine1" in session.hello().joint_names else 0
    session.apply(m.Push(0, chest, (0.0, 0.0, 0.0), (300.0, 0.0, 0.0)))
    pushed = [frame_of(session.tick()) for _ in range(12)]
    alone = [frame_of(twin.tick()) for _ in range(12)]
    assert [len(frame["pushes"]) for frame in pushed] == [1] * 3 + [0] * 9
    assert pushed[0]["pushes"][0]["force"] == [300.0, 0.0, 0.0]
    assert roots(pushed[-1])[0, 0] - roots(alone[-1])[0, 0] > 0.02


def test_a_ball_flies_and_hits(session: Session) -> None:
    pytest.importorskip("mujoco")
    place = roots(run(session, 10))[0]
    session.apply(m.Throw((place[0] + 2.0, place[1] + 0.3, place[2]), (-8.0, 1.0, 0.0)))
    frames = [frame_of(session.tick()) for _ in range(60)]
    assert len(frames[0]["balls"]) == 1
    assert len(frames[-1]["balls"]) == 0
    hits = [frame["pushes"] for frame in frames if frame["pushes"]]
    assert len(hits) == 1  # told in the frame in which it hit
    assert hits[0][0]["character"] == 0
    assert hits[0][0]["force"][0] < 0.0  # the way the ball flew


def test_only_so_many_balls_are_in_the_air(session: Session) -> None:
    pytest.importorskip("mujoco")
    ball = m.Throw((0.0, 5.0, 20.0), (0.0, 5.0, 5.0))
    for _ in range(20):
        session.apply(ball)
    with pytest.raises(ValueError, match="20 balls"):
        session.apply(ball)


@pytest.mark.parametrize(
    "message",
    [
        m.Push(5, 1, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
        m.Push(0, 999, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
        m.Push(0, -1, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
        m.Push(0, 1, (0.0, 0.0, 0.0), (1e9, 0.0, 0.0)),
        m.Select(7),
        m.Do("dance"),
        m.Throw((1e6, 1.0, 0.0), (0.0, 0.0, 1.0)),
        m.Throw((0.0, 1.0, 0.0), (0.0, 1e6, 1.0)),
    ],
    ids=lambda message: f"{type(message).__name__} {message}",
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(session: Session, message: m.FromClient) -> None:
    before = session.status()
    with pytest.raises(ValueError):
        session.apply(message)
    assert session.status() == before


def test_the_last_half_minute_can_be_looked_at_as_it_was(session: Session) -> None:
    sent = [session.look(0)] + [session.tick() for _ in range(950)]
    status = session.status()
    assert (status.oldest, status.newest) == (951 - 900, 950)
    for number in (51, 500, 950):
        assert session.look(number) == sent[number]
    assert session.look(0) == sent[51]
    assert session.look(10**9) == sent[950]


def test_a_step_pauses_and_goes_one_frame_on(session: Session) -> None:
    session.apply(m.Step())
    assert session.paused
    assert session.number == 1


def test_a_take_is_the_motion_that_was_shown(session: Session) -> None:
    assert session.taken() is None
    run(session, 5)
    session.apply(m.Take(True))
    frames = [frame_of(session.tick()) for _ in range(40)]
    session.apply(m.Take(False))
    run(session, 5)
    take = session.taken()
    assert take is not None
    clip = take.clip()
    assert clip.frame_count == 40 == session.status().taken
    np.testing.assert_array_equal(clip.root_position, np.concatenate([roots(frame) for frame in frames]))


def test_controllers_of_other_data_are_refused(controllers: list[FieldController]) -> None:
    clips = [sample.clip for sample in generate_samples(only=re.compile("walk_(forward|fast)"))]
    other = train(MotionField(MotionDatabase.build(clips)), Velocity(), tolerance=1.0)
    with pytest.raises(MotionFieldsError, match="trained on another field"):
        Session([controllers[0], other])
