"""Recorded commands: what is read, what is refused and how, and that a character follows them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionfields.base.errors import FormatError
from motionfields.base.json_files import MOST_BYTES
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction, Lane, Line, Velocity
from motionfields.control.training import train
from motionfields.control.transitions import ControlSettings
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion import quality
from motionfields.motion.samples import generate_samples
from motionfields.runtime.recording import Commands, TimedPush, parse_commands, read_commands, record

NAMES = ("walk_forward", "turn_left_090_quick")
PUSH = {"time": 1.0, "joint": "Spine2", "force": [200, 0, 0]}
START = {"time": 0, "heading": 0}


@pytest.fixture(scope="module")
def walker() -> FieldController:
    clips = [sample.clip for sample in generate_samples(only=NAMES)]
    field = MotionField(MotionDatabase.build(clips))
    return train(field, Direction(), settings=ControlSettings(neighbor_count=40), tolerance=0.02)


def written(folder: Path, facts: Any) -> Path:
    path = folder / "commands.json"
    path.write_text(facts if isinstance(facts, str) else json.dumps(facts))
    return path


def told(*commands: Any, **other: Any) -> dict[str, Any]:
    return {"task": "direction", "seconds": 6, "commands": list(commands), **other}


def test_headings_are_degrees_in_the_file_and_the_rest_as_it_is(tmp_path: Path) -> None:
    entry = {"time": 0, "point_x": 1.5, "point_z": -2, "heading": -90}
    commands = read_commands(written(tmp_path, {"task": "line", "seconds": 2.5, "commands": [entry]}), Line())
    np.testing.assert_allclose(commands.values, [[1.5, -2.0, -np.pi / 2]])
    assert commands.seconds == 2.5
    assert commands.names == Line().command_names


def test_a_lane_is_told_its_speed_beside_its_line(tmp_path: Path) -> None:
    entry = {"time": 0, "point_x": 1.5, "point_z": -2, "heading": -90, "speed": 0.8}
    commands = read_commands(written(tmp_path, {"task": "lane", "seconds": 2.5, "commands": [entry]}), Lane())
    np.testing.assert_allclose(commands.values, [[1.5, -2.0, -np.pi / 2, 0.8]])
    assert commands.names == Lane().command_names


def test_every_entry_holds_until_the_next() -> None:
    commands = Commands(("heading",), np.array([0.0, 0.1, 0.2]), np.array([[1.0], [2.0], [3.0]]), 1.0)
    times = np.arange(9) / 30.0
    np.testing.assert_array_equal(commands.at(times)[:, 0], [1, 1, 1, 2, 2, 2, 3, 3, 3])


def test_a_character_turns_where_it_is_told_to_when_it_is_told(walker: FieldController, tmp_path: Path) -> None:
    path = written(tmp_path, told(START, {"time": 3.0, "heading": 90}, seconds=7))
    clip = record(walker, read_commands(path, walker.task), seed=2)
    assert clip.frame_count == 210
    off = np.degrees(np.abs(quality.facing_yaw(clip)))
    assert off[60:90].max() < 20.0
    assert abs(off[-1] - 90.0) < 15.0


def test_a_recording_is_what_the_crowd_does(walker: FieldController) -> None:
    commands = Commands(("heading",), np.array([0.0, 0.5]), np.array([[0.0], [1.0]]), 1.0)
    crowd = walker.crowd(1, seed=5, plant=False)
    root = [crowd.step([0.0 if frame < 15 else 1.0]).root_position[0] for frame in range(30)]
    np.testing.assert_array_equal(record(walker, commands, seed=5, plant=False).root_position, root)


def test_a_push_in_the_file_pushes_at_its_time(walker: FieldController, tmp_path: Path) -> None:
    told_alone = read_commands(written(tmp_path, told(START)), Direction())
    told_both = read_commands(written(tmp_path, told(START, pushes=[PUSH])), Direction())
    assert told_both.pushes == (TimedPush(1.0, "Spine2", (200.0, 0.0, 0.0), 0.1),)
    alone, pushed = record(walker, told_alone), record(walker, told_both)
    apart = np.abs(pushed.root_position - alone.root_position).max(axis=-1)
    first = round(1.0 / alone.frame_time)
    assert np.all(apart[:first] == 0.0)
    assert np.all(apart[first : first + 15] > 0.0)
    assert pushed.root_position[first + 15, 0] > alone.root_position[first + 15, 0]


def test_a_push_in_the_last_half_frame_counts(walker: FieldController) -> None:
    frame_time = walker.field.database.frame_time
    times, values, seconds = np.array([0.0]), np.array([[0.0]]), 10 * frame_time
    pushes = (TimedPush(9.8 * frame_time, "Spine2", (400.0, 0.0, 0.0), 0.1),)
    alone = record(walker, Commands(("heading",), times, values, seconds))
    pushed = record(walker, Commands(("heading",), times, values, seconds, pushes))
    np.testing.assert_array_equal(alone.rotations[:9], pushed.rotations[:9])
    assert not np.array_equal(alone.rotations[9], pushed.rotations[9])


def test_commands_of_another_task_are_refused(walker: FieldController) -> None:
    other = Commands(("heading", "speed"), np.zeros(1), np.zeros((1, 2)), 1.0)
    with pytest.raises(ValueError, match="commands: expected heading, got heading, speed"):
        record(walker, other)


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ("{", r"commands\.json:1: expected JSON"),
        ("[" * 100_000, "expected plain JSON"),
        ('{"task": "direction", "seconds": NaN, "commands": []}', "expected finite numbers, got NaN"),
        ('{"task": "direction", "task": "line"}', 'fields: expected every name once, got "task" twice'),
        (f'{{"task": {"9" * 5000}}}', "expected plain JSON"),
        ([], "the file: expected an object with task, seconds, commands, got a list of 0"),
        ({"task": "direction", "seconds": 6}, "the file: expected task, seconds, commands; commands is missing"),
        (told(START, speed=3), 'the file: .*; "speed" is not one of them'),
        (told(START, task="line"), "task: expected 'direction', the task of the controller, got \"line\""),
        (told(START, task=["direction"]), "task: expected 'direction'.* got a list of 1"),
        (told(START, seconds="6"), 'seconds: expected a finite number, got "6"'),
        (told(START, seconds=0), "seconds: expected more than 0"),
        (told(START, seconds=1e9), "seconds: expected more than 0 and at most 3600"),
        (told(), "commands: expected a list of at least one entry, got a list of 0"),
        (told(START, commands={}), "commands: expected a list .* got an object"),
        (told(START, 5), r"commands\[1\]: expected an object with time, heading, got 5"),
        (told({"time": 0}), r"commands\[0\]: expected time, heading; heading is missing"),
        (told({**START, "speed": 1}), r'commands\[0\]: expected time, heading; "speed" is not one of them'),
        (told(START, {"time": 1, "heading": "left"}), r'commands\[1\]\.heading: expected a finite number, got "left"'),
        (told(START, {"time": 1, "heading": True}), r"commands\[1\]\.heading: expected a finite number, got true"),
        (told(START, {"time": 1, "heading": None}), r"commands\[1\]\.heading: expected a finite number, got null"),
        (told({"time": 0, "heading": 10**400}), r"commands\[0\]\.heading: .* got a number that is too large"),
        (
            '{"task": "direction", "seconds": 6, "commands": [{"time": 0, "heading": 1e999}]}',
            r"commands\[0\]\.heading: expected a finite number, got Infinity",
        ),
        (told({"time": 1, "heading": 0}), r"commands\[0\]\.time: expected 0"),
        (told(START, {"time": 2, "heading": 0}, {"time": 2, "heading": 1}), r"commands\[2\]\.time: .* more than 2"),
        (told(START, {"time": 6, "heading": 0}), r"commands\[1\]\.time: expected less than 6, the length"),
        (told(START, pushes=3), "pushes: expected a list, got 3"),
        (told(START, pushes=[{"time": 1}]), r"pushes\[0\]: expected time, joint, force; joint is missing"),
        (told(START, pushes=[{**PUSH, "by": 1}]), r'pushes\[0\]: .* duration; "by" is not one of them'),
        (told(START, pushes=[{**PUSH, "time": 6}]), r"pushes\[0\]\.time: expected at least 0 and less than 6"),
        (told(START, pushes=[{**PUSH, "joint": 3}]), r"pushes\[0\]\.joint: expected the name of a joint, got 3"),
        (told(START, pushes=[{**PUSH, "force": 3}]), r"pushes\[0\]\.force: expected three numbers, got 3"),
        (told(START, pushes=[{**PUSH, "force": [1, 2, "x"]}]), r'pushes\[0\]\.force\[2\]: expected a finite .* "x"'),
        (told(START, pushes=[{**PUSH, "duration": None}]), r"pushes\[0\]\.duration: expected a finite number"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(tmp_path: Path, facts: Any, reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as caught:
        read_commands(written(tmp_path, facts), Direction())
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300 + len(str(tmp_path))


def test_typed_commands_are_those_of_a_file(tmp_path: Path) -> None:
    typed = parse_commands(["0:heading=0", "2.5:heading=-90"], Direction())
    read = read_commands(written(tmp_path, told(START, {"time": 2.5, "heading": -90}, seconds=5.5)), Direction())
    assert (typed.names, typed.seconds, typed.pushes) == (read.names, read.seconds, read.pushes)
    np.testing.assert_array_equal(typed.times, read.times)
    np.testing.assert_array_equal(typed.values, read.values)


def test_a_typed_command_keeps_what_it_leaves_out() -> None:
    commands = parse_commands(["0: heading=90, speed=1.2", "1:speed=0", "2:heading=0"], Velocity(), seconds=2.5)
    np.testing.assert_allclose(commands.values, [[np.pi / 2, 1.2], [np.pi / 2, 0.0], [0.0, 0.0]])
    assert commands.seconds == 2.5


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (["heading=90"], 'expected TIME:NAME=VALUE, such as 2:heading=0,speed=0, got "heading=90"'),
        (["0:90"], "expected TIME:NAME=VALUE"),
        (["0:"], "expected TIME:NAME=VALUE"),
        ([""], "expected TIME:NAME=VALUE"),
        (["0:heading=1,heading=2"], 'expected every name once, got "heading" twice'),
        (["0:time=1"], 'expected heading, speed, got "time"'),
        (["0:headin=1"], 'expected heading, speed, got "headin"'),
        (["0:heading=left,speed=1"], 'heading in .*: expected a number, got "left"'),
        (["soon:heading=1,speed=1"], 'time in .*: expected a number, got "soon"'),
        (["0:heading=nan,speed=1"], r"commands\[0\]\.heading: expected a finite number"),
        (["0:heading=1"], r"commands\[0\]: expected time, heading, speed; speed is missing"),
        (["1:heading=1,speed=1"], r"commands\[0\]\.time: expected 0"),
        (["0:heading=1,speed=1", "0:speed=2"], r"commands\[1\]\.time: expected more than 0"),
        (["0:heading=1,speed=1", "9e9:speed=2"], "seconds: expected more than 0 and at most 3600"),
    ],
)
def test_what_is_wrong_with_typed_commands_is_told(texts: list[str], reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as caught:
        parse_commands(texts, Velocity())
    assert "\n" not in str(caught.value)


def test_a_length_that_ends_before_the_last_typed_command_is_refused() -> None:
    with pytest.raises(FormatError, match="expected less than 1, the length"):
        parse_commands(["0:heading=1", "2:heading=0"], Direction(), seconds=1.0)
    with pytest.raises(ValueError, match="texts: expected at least one command"):
        parse_commands([], Direction())


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="there is no such file"):
        read_commands(tmp_path / "none.json", Velocity())
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe{")
    with pytest.raises(FormatError, match="expected JSON in UTF-8"):
        read_commands(tmp_path / "bytes.json", Velocity())
    (tmp_path / "large.json").write_bytes(b" " * (MOST_BYTES + 1))
    with pytest.raises(FormatError, match="at most 16 MB"):
        read_commands(tmp_path / "large.json", Velocity())


@pytest.mark.parametrize(
    ("times", "values", "seconds", "reason"),
    [
        ([0.0], [[0.0, 1.0]], 1.0, r"values: expected \[1, 1\]"),
        ([0.0, 0.0], [[0.0], [1.0]], 1.0, "times: expected seconds that rise from 0"),
        ([1.0], [[0.0]], 2.0, "times: expected seconds that rise from 0"),
        ([0.0], [[np.nan]], 1.0, "expected finite numbers"),
        ([0.0], [[0.0]], np.nan, "seconds: expected more than 0"),
    ],
)
def test_commands_that_exist_are_valid(times: list[float], values: list[Any], seconds: float, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Commands(("heading",), np.array(times), np.array(values), seconds)
