"""`motionfields play` as it is typed."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from websockets.sync.client import connect

from motionfields.authoring.plan import StepGraph, StepSettings
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples
from tests.cli.conftest import Run
from tests.studio.conftest import read

QUIET = ("--port", "0", "--no-browser")


@pytest.fixture(scope="module")
def controller(tmp_path_factory: pytest.TempPathFactory) -> Path:
    clips = [sample.clip for sample in generate_samples(only=re.compile("walk_forward|turn_left_090_quick"))]
    path = tmp_path_factory.mktemp("play") / "walker.ctrl"
    made: FieldController = train(MotionField(MotionDatabase.build(clips)), Direction(), tolerance=0.1)
    made.save(path)
    return path


def motionfields(*arguments: str | Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "motionfields", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def error_of(run: Run, *arguments: str | Path) -> str:
    """The one line that a command which fails says."""
    result = run(*arguments)
    assert (result.code, result.out) == (1, "")
    assert "Traceback" not in result.err
    return " ".join(result.err.split())


def test_play_says_where_the_page_is_serves_and_streams_it_and_ends_with_ctrl_c(controller: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(600.0)
        stream = f"vmc://127.0.0.1:{receiver.getsockname()[1]}"
        play_and_stop(motionfields("play", controller, "--port", "0", "--no-browser", "--stream", stream))
        assert b"/VMC/Ext/OK" in receiver.recv(2000)


def play_and_stop(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    line = process.stdout.readline()
    url = re.fullmatch(r"the studio is at (http://127\.0\.0\.1:\d+/[\w-]+/)\n", line)
    assert url is not None
    assert process.stdout.readline() == "press Ctrl-C to stop\n"
    with connect(f"{url[1].replace('http', 'ws', 1)}ws", max_size=None) as page:
        assert read(page, "hello", timeout=600.0)["title"] == "walker"
        read(page, "frame")
        process.send_signal(signal.SIGINT)
        said, error = process.communicate(timeout=600.0)
    assert process.returncode == 130
    assert said == error == ""


def test_without_a_browser_the_address_is_what_to_open(controller: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "motionfields", "play", str(controller), "--port", "0"],
        env={"PATH": "", "BROWSER": "", "HOME": str(controller.parent)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(3)]
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=600.0)
    assert "no browser could be opened" in lines[2]


def test_a_port_that_is_taken_is_named(run: Run, controller: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"port {port}" in error_of(run, "play", controller, "--port", str(port), "--no-browser")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "0.0.0.0"], "set a token"),
        (["--host", "0.0.0.0", "--token", "long-enough-token"], "with --name"),
        (["--host", "somewhere"], "expected an address"),
        (["--token", "short"], "at least 8"),
        (["--stream", "http://127.0.0.1"], "expected vmc://HOST:PORT"),
    ],
)
def test_what_would_open_the_studio_to_others_is_refused(
    run: Run, controller: Path, options: list[str], said: str
) -> None:
    assert said in error_of(run, "play", controller, "--port", "0", "--no-browser", *options)


def test_what_is_no_controller_is_refused(run: Run, controller: Path, tmp_path: Path) -> None:
    assert "none.ctrl" in error_of(run, "play", tmp_path / "none.ctrl")
    (tmp_path / "text.ctrl").write_text("no controller")
    assert "text.ctrl" in error_of(run, "play", tmp_path / "text.ctrl")


def test_paint_serves_the_page_that_composes_with_the_timeline_given(run: Run, tmp_path: Path) -> None:
    clip = generate_samples(only=re.compile("walk_forward"))[0].clip
    MotionField(MotionDatabase.build([clip])).save(tmp_path / "walker.field")
    (tmp_path / "labels.csv").write_text(f"file,start_s,end_s,label,basis\n{clip.name},0,9,walk,\n")
    (tmp_path / "scene.json").write_text('{"timeline": 1, "seconds": 3}')
    files = ("--labels", tmp_path / "labels.csv", "--timeline", tmp_path / "scene.json")
    process = motionfields("paint", tmp_path / "walker.field", *files, *QUIET)
    assert process.stdout is not None
    url = process.stdout.readline().split()[-1]
    with connect(f"{url.replace('http', 'ws', 1)}ws", max_size=None) as page:
        scene = read(page, "scene", timeout=600.0)
        assert scene["title"] == "walker"
        assert '"seconds": 3.0' in scene["timeline"]
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=600.0)
    assert process.returncode == 130
    assert "missing.json" in error_of(run, "paint", tmp_path / "walker.field", *files[:3], tmp_path / "missing.json")


def test_the_demo_lets_phones_join_under_the_address_of_this_machine_with_a_random_token(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from motionfields import studio

    served: list[dict[str, object]] = []
    monkeypatch.setattr(studio, "serve", lambda _, **options: served.append(options))
    monkeypatch.setattr("motionfields.studio.access.own_address", lambda: "10.0.0.2")
    for _ in range(2):
        assert run("demo", "--host", "0.0.0.0", "--no-browser").code == 0
    first, second = served
    assert first["token"] != second["token"]
    for options in served:
        access = studio.Access.on("0.0.0.0", 8017, token=str(options["token"]), names=options["names"])  # type: ignore[arg-type]
        assert access.url == f"http://10.0.0.2:8017/{options['token']}/"
        assert not access.is_local


def test_draw_serves_the_page_that_plans_with_the_room_given(run: Run, tmp_path: Path) -> None:
    clips = [sample.clip for sample in generate_samples(only=re.compile("walk_stop$"))]
    settings = StepSettings(branching=2, most_jump=8.0)
    StepGraph.build(MotionField(MotionDatabase.build(clips)), settings=settings).save(tmp_path / "walker.steps")
    (tmp_path / "room.json").write_text('{"room": 1, "bounds_m": [-2, -1, 2, 3]}')
    process = motionfields("draw", tmp_path / "walker.steps", "--room", tmp_path / "room.json", *QUIET)
    assert process.stdout is not None
    url = process.stdout.readline().split()[-1]
    with connect(f"{url.replace('http', 'ws', 1)}ws", max_size=None) as page:
        scene = read(page, "planscene", timeout=600.0)
        assert scene["title"] == "walker"
        assert json.loads(scene["room"])["bounds_m"] == [-2.0, -1.0, 2.0, 3.0]
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=600.0)
    assert process.returncode == 130
    assert "none.json" in error_of(run, "draw", tmp_path / "walker.steps", "--room", tmp_path / "none.json", *QUIET)
