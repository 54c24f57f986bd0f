"""`motionfields data`: the list, a fetch from a real server, and what is typed next."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from motionfields.motion.formats import save_clip
from motionfields.motion.samples import generate_samples
from tests.cli.conftest import Run
from tests.motion.test_datasets import SLIP, Server, entry, facts, serving


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as home:
        home.content = {"/slip.bvh": SLIP}
        yield home


@pytest.fixture
def catalogue(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write(tmp_path, facts(server.url, entry("slip.bvh", SLIP)))


def write(folder: Path, content: object) -> Path:
    path = folder / "sets.json"
    path.write_text(json.dumps(content))
    return path


def test_the_list_names_every_set_with_its_licence(run: Run) -> None:
    result = run("data", "list")
    assert result.code == 0
    assert "cmu-locomotion" in result.out
    assert "licence of all: This data is free for use in research and commercial projects worldwide." in result.out


def test_the_list_of_another_catalogue(run: Run, catalogue: Path) -> None:
    result = run("data", "list", "--catalogue", catalogue)
    assert "takes" in result.out
    assert "licence of all: CC0" in result.out


def test_a_fetch_says_the_licence_before_it_asks_for_anything(run: Run, catalogue: Path, server: Server) -> None:
    server.faults = ["500"]
    result = run("data", "fetch", "takes", "--catalogue", catalogue)
    assert result.code == 1
    assert "Licence: CC0" in result.out
    assert result.err.count("\n") == 1
    assert result.err.startswith(f"error: {server.url}slip.bvh: the server answered 500; try again later")


def test_what_a_fetch_says_to_type_next_works(
    run: Run, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    server.content = {}
    for sample in generate_samples(only=re.compile("walk_forward|walk_slow")):
        save_clip(sample.clip, "take.bvh", unit="cm")
        server.content[f"/{sample.clip.name}.bvh"] = Path("take.bvh").read_bytes()
    content = facts(server.url, *(entry(path[1:], bvh) for path, bvh in server.content.items()))
    content["sets"][0] |= {"scale": "cm", "credit": "Thank the lab."}
    result = run("data", "fetch", "takes", "--catalogue", write(tmp_path, content), "-o", "my takes")
    assert result.code == 0, result.err
    assert "Please acknowledge in publications: Thank the lab." in result.out
    assert not result.err
    told = next(line for line in result.out.splitlines() if line.startswith("next: "))
    assert told == "next: motionfields build 'my takes' -o takes.field --scale cm"
    assert run(*shlex.split(told)[2:]).code == 0
    assert (tmp_path / "takes.field").is_file()


def test_stopping_says_how_to_go_on(run: Run, catalogue: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("motionfields.motion.datasets.fetching.download", stop)
    result = run("data", "fetch", "takes", "--catalogue", catalogue)
    assert result.code == 130
    assert "stopped; partial files are in takes. To resume, run the same command again" in result.err


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal to send")
def test_ctrl_c_in_a_terminal_keeps_what_came(catalogue: Path, server: Server, tmp_path: Path) -> None:
    server.faults = ["silent"]
    words = [sys.executable, "-m", "motionfields", "data", "fetch", "takes", "--catalogue", str(catalogue)]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        part = tmp_path / "takes" / "slip.bvh.part"
        while process.poll() is None and not server.asked:
            time.sleep(0.01)
        time.sleep(0.2)  # until its first bytes are here
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=300.0)
    assert process.returncode == 130
    assert error == "stopped; partial files are in takes. To resume, run the same command again\n"
    assert part.read_bytes() == SLIP[:100]


def test_without_a_network_it_says_so_in_one_line(run: Run, tmp_path: Path) -> None:
    with serving() as gone:
        path = write(tmp_path, facts(gone.url, entry("slip.bvh", SLIP)))
    result = run("data", "fetch", "takes", "--catalogue", path, "-o", tmp_path / "out")
    assert result.code == 1
    assert result.err.count("\n") == 1
    assert "this computer seems to be offline or behind a proxy" in result.err


def test_an_unknown_set_is_told_with_those_there_are(run: Run) -> None:
    result = run("data", "fetch", "cmu-everything")
    assert result.code == 1
    assert "no set is called 'cmu-everything'; expected one of cmu-locomotion" in result.err
