"""Sets come whole or not at all, from a real server with all the faults that servers have."""

from __future__ import annotations

import hashlib
import http.server
import io
import json
import re
import shutil
import ssl
import subprocess
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionfields.base.errors import DownloadError, FormatError
from motionfields.motion.datasets import Progress, fetch, list_sets
from motionfields.motion.datasets.catalogue import url_fault
from motionfields.motion.datasets.download import TRIES

WALK = np.random.default_rng(3).bytes(300_000)
SLIP = np.random.default_rng(4).bytes(1000)


@dataclass
class Server:
    """A server of `content` by path; `faults` are taken one for each request, and what is asked is in `asked`."""

    content: dict[str, bytes] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    asked: list[tuple[str, str | None, str | None]] = field(default_factory=list)  # path, Range, If-Range
    url: str = ""
    tag: str = '"v1"'


class Handler(http.server.BaseHTTPRequestHandler):
    """GET with ranges, and the fault that is due."""

    home: Server

    def do_GET(self) -> None:
        home = self.home
        home.asked.append((self.path, self.headers["Range"], self.headers["If-Range"]))
        fault = home.faults.pop(0) if home.faults else ""
        body = home.content.get(self.path)
        if fault == "hang up":
            self.close_connection = True
        elif fault.isdecimal() or body is None:
            self.send_error(int(fault or 404))
        elif fault.startswith("to "):
            self.send_response(302)
            self.send_header("Location", fault[3:])
            self.end_headers()
        else:
            self.send_file(body, fault)

    def send_file(self, body: bytes, fault: str) -> None:
        span = re.fullmatch(r"bytes=(\d+)-", self.headers["Range"] or "")
        fresh = self.headers["If-Range"] not in (None, self.home.tag)
        start = int(span[1]) if span and fault != "no ranges" and not fresh else 0
        self.send_response(206 if start else 200)
        shift = 7 if fault == "another part" else 0
        if start:
            self.send_header("Content-Range", f"bytes {start + shift}-{len(body) - 1}/{len(body)}")
        if fault not in ("endless", "no length"):
            self.send_header("Content-Length", str(len(body) - start + (9 if fault == "wrong length" else 0)))
        if fault == "packed":
            self.send_header("Content-Encoding", "gzip")
        self.send_header("ETag", self.home.tag)
        self.end_headers()
        self.send_body(body[start:], fault)

    def send_body(self, body: bytes, fault: str) -> None:
        if fault == "wrong bytes":
            body = bytes(len(body))
        elif fault == "cut":
            body = body[: len(body) // 2]
        elif fault == "silent":
            self.wfile.write(body[:100])
            time.sleep(1.0)
            body = body[100:]
        elif fault == "endless":
            body *= 3
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@contextmanager
def serving(context: ssl.SSLContext | None = None) -> Iterator[Server]:
    home = Server()
    handler = type("HomeHandler", (Handler,), {"home": home})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        server.handle_error = lambda *_: None  # type: ignore[method-assign]  # clients that hang up are expected
        if context is not None:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        home.url = f"{'http' if context is None else 'https'}://127.0.0.1:{server.server_port}/"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield home
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as home:
        home.content = {"/a/walk.bvh": WALK, "/slip.bvh": SLIP}
        yield home


def entry(path: str, content: bytes, **more: object) -> dict[str, object]:
    return {"path": path, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest(), **more}


def facts(base: str, *files: dict[str, object]) -> dict[str, Any]:
    one = {"name": "takes", "title": "Takes", "licence": "CC0", "source": "a lab", "base": base, "files": list(files)}
    return {"format": 1, "sets": [one]}


@pytest.fixture
def catalogue(server: Server, tmp_path: Path) -> Path:
    path = tmp_path / "sets.json"
    path.write_text(json.dumps(facts(server.url, entry("a/walk.bvh", WALK), entry("slip.bvh", SLIP))))
    return path


def test_a_fetched_set_is_what_the_catalogue_says_with_its_licence(
    server: Server, catalogue: Path, tmp_path: Path
) -> None:
    told: list[Progress] = []
    folder = fetch("takes", tmp_path / "out", catalogue=catalogue, on_progress=told.append)
    assert (folder / "walk.bvh").read_bytes() == WALK
    assert (folder / "slip.bvh").read_bytes() == SLIP
    assert "Licence: CC0" in (folder / "takes.LICENSE.txt").read_text()
    assert sorted(path.name for path in folder.iterdir()) == ["slip.bvh", "takes.LICENSE.txt", "walk.bvh"]
    assert [one.size for one in told] == sorted(one.size for one in told)
    assert told[-1] == ("slip.bvh", len(WALK) + len(SLIP), len(WALK) + len(SLIP))


def test_the_draft_that_a_killed_fetch_left_is_removed(server: Server, catalogue: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / ".takes.LICENSE.txt.0123abcd.motionfields-draft").write_bytes(b"Lice")
    fetch("takes", out, catalogue=catalogue)
    assert sorted(path.name for path in out.iterdir()) == ["slip.bvh", "takes.LICENSE.txt", "walk.bvh"]


def test_the_folder_is_called_as_the_set_is(
    server: Server, catalogue: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert fetch("takes", catalogue=catalogue) == Path("takes")
    assert (tmp_path / "takes" / "slip.bvh").read_bytes() == SLIP


def test_what_is_there_and_right_is_not_fetched_again(server: Server, catalogue: Path, tmp_path: Path) -> None:
    fetch("takes", tmp_path / "out", catalogue=catalogue)
    (tmp_path / "out" / "walk.bvh").unlink()
    server.asked.clear()
    fetch("takes", tmp_path / "out", catalogue=catalogue)
    assert [path for path, *_ in server.asked] == ["/a/walk.bvh"]


def test_what_is_there_and_wrong_is_never_replaced(server: Server, catalogue: Path, tmp_path: Path) -> None:
    (tmp_path / "slip.bvh").write_bytes(b"mine")
    with pytest.raises(FormatError, match=r"slip\.bvh: differs from the file of set takes.*another folder"):
        fetch("takes", tmp_path, catalogue=catalogue)
    assert (tmp_path / "slip.bvh").read_bytes() == b"mine"
    assert not server.asked


def test_an_interrupted_fetch_goes_on_where_it_was(server: Server, catalogue: Path, tmp_path: Path) -> None:
    (tmp_path / "walk.bvh.part").write_bytes(WALK[:123_456])
    fetch("takes", tmp_path, catalogue=catalogue)
    assert (tmp_path / "walk.bvh").read_bytes() == WALK
    assert server.asked[0] == ("/a/walk.bvh", "bytes=123456-", None)
    assert not (tmp_path / "walk.bvh.part").exists()


def test_a_whole_part_needs_no_request(server: Server, catalogue: Path, tmp_path: Path) -> None:
    (tmp_path / "walk.bvh.part").write_bytes(WALK)
    fetch("takes", tmp_path, catalogue=catalogue)
    assert [path for path, *_ in server.asked] == ["/slip.bvh"]


@pytest.mark.parametrize("part", [bytes(1000), bytes(len(WALK)), bytes(len(WALK) + 1)], ids=["short", "whole", "long"])
def test_a_part_that_was_of_another_file_costs_no_more_than_starting_anew(
    server: Server, catalogue: Path, tmp_path: Path, part: bytes
) -> None:
    (tmp_path / "walk.bvh.part").write_bytes(part)
    fetch("takes", tmp_path, catalogue=catalogue)
    assert (tmp_path / "walk.bvh").read_bytes() == WALK


def test_a_cut_connection_is_taken_up_again_from_the_same_version(
    server: Server, catalogue: Path, tmp_path: Path
) -> None:
    server.faults = ["cut"] * (TRIES + 2)  # each brings half of the rest
    fetch("takes", tmp_path, catalogue=catalogue)
    assert (tmp_path / "walk.bvh").read_bytes() == WALK
    half, more = len(WALK) // 2, len(WALK) // 4 * 3
    ranges = [(None, None), (f"bytes={half}-", '"v1"'), (f"bytes={more}-", '"v1"')]
    assert [asked[1:] for asked in server.asked[:3]] == ranges


def test_a_version_that_changes_meanwhile_is_fetched_from_its_start(
    server: Server, catalogue: Path, tmp_path: Path
) -> None:
    server.faults = ["cut"]
    told: list[int] = []

    def change(progress: Progress) -> None:
        told.append(progress.size)
        server.tag = '"v2"' if progress.size >= len(WALK) // 2 else server.tag

    fetch("takes", tmp_path, catalogue=catalogue, on_progress=change)
    assert (tmp_path / "walk.bvh").read_bytes() == WALK
    assert any(later < earlier for earlier, later in pairwise(told))


def test_a_server_without_ranges_starts_again(server: Server, catalogue: Path, tmp_path: Path) -> None:
    (tmp_path / "walk.bvh.part").write_bytes(b"x" + WALK[1:1000])
    server.faults = ["no ranges"]
    fetch("takes", tmp_path, catalogue=catalogue)
    assert (tmp_path / "walk.bvh").read_bytes() == WALK


@pytest.mark.parametrize("fault", ["no length", "silent", "hang up"])
def test_slow_or_vague_servers_are_put_up_with(server: Server, catalogue: Path, tmp_path: Path, fault: str) -> None:
    server.faults = [fault]
    fetch("takes", tmp_path, catalogue=catalogue, timeout=0.3)
    assert (tmp_path / "walk.bvh").read_bytes() == WALK


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("wrong bytes", r"expected SHA-256 [0-9a-f]{64}, got [0-9a-f]{64}; the download was deleted"),
        ("endless", r"expected 300000 bytes, the server sends more"),
        ("wrong length", r"expected 300000 bytes, the server has 300009: the file on the server has changed"),
        ("packed", r"got them encoded as 'gzip'"),
        ("404", r"answered 404: the file is no longer there"),
        ("403", r"answered 403: access is denied"),
        ("500", r"answered 500; try again later"),
        ("to http://example.com/walk.bvh", r"redirects to 'http://example\.com/walk\.bvh': expected https://"),
        ("to file:///etc/passwd", r"redirects to|answered 302"),
        ("to https://user:word@127.0.0.1/walk.bvh", r"redirects to .*without a user"),
    ],
)
def test_a_wrong_answer_is_refused_and_leaves_nothing(
    server: Server, catalogue: Path, tmp_path: Path, fault: str, message: str
) -> None:
    server.faults = [fault]
    with pytest.raises(DownloadError, match=message) as error:
        fetch("takes", tmp_path / "out", catalogue=catalogue)
    assert f"{server.url}a/walk.bvh" in str(error.value)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["takes.LICENSE.txt"]


def test_another_part_than_was_asked_for_is_refused(server: Server, catalogue: Path, tmp_path: Path) -> None:
    (tmp_path / "walk.bvh.part").write_bytes(WALK[:1000])
    server.faults = ["another part"]
    with pytest.raises(DownloadError, match="a part that was not requested"):
        fetch("takes", tmp_path, catalogue=catalogue)
    assert (tmp_path / "walk.bvh.part").read_bytes() == WALK[:1000]


def test_a_server_that_never_gets_on_is_given_up_and_what_came_is_kept(
    server: Server, catalogue: Path, tmp_path: Path
) -> None:
    (tmp_path / "walk.bvh.part").write_bytes(WALK[:-1])
    server.faults = ["cut"] * 100  # half of one byte is none
    with pytest.raises(DownloadError, match=r"broke after 299999 of 300000 bytes; run the same command again"):
        fetch("takes", tmp_path, catalogue=catalogue)
    assert len(server.asked) == TRIES
    assert (tmp_path / "walk.bvh.part").read_bytes() == WALK[:-1]


def test_a_redirection_on_this_computer_is_followed(server: Server, catalogue: Path, tmp_path: Path) -> None:
    server.content["/elsewhere"] = WALK
    server.faults = [f"to {server.url}elsewhere"]
    fetch("takes", tmp_path, catalogue=catalogue)
    assert (tmp_path / "walk.bvh").read_bytes() == WALK


def test_stopping_leaves_what_came(server: Server, catalogue: Path, tmp_path: Path) -> None:
    def stop(progress: Progress) -> None:
        if progress.size > 100_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch("takes", tmp_path, catalogue=catalogue, on_progress=stop)
    assert WALK.startswith((tmp_path / "walk.bvh.part").read_bytes())
    assert (tmp_path / "walk.bvh.part").stat().st_size > 100_000
    fetch("takes", tmp_path, catalogue=catalogue)
    assert (tmp_path / "walk.bvh").read_bytes() == WALK


def test_two_at_once_do_not_write_to_one_file(server: Server, catalogue: Path, tmp_path: Path) -> None:
    pytest.importorskip("fcntl")

    def fetch_too(_: Progress) -> None:
        fetch("takes", tmp_path, catalogue=catalogue)

    with pytest.raises(DownloadError, match="another process is downloading it"):
        fetch("takes", tmp_path, catalogue=catalogue, on_progress=fetch_too)


def test_a_server_that_is_not_there_is_told_as_being_offline(tmp_path: Path) -> None:
    with serving() as home:
        url = home.url
    path = tmp_path / "sets.json"
    path.write_text(json.dumps(facts(url, entry("walk.bvh", WALK))))
    with pytest.raises(
        DownloadError, match=r"127\.0\.0\.1 cannot be reached .*offline.*HTTPS_PROXY.*motionfields sample"
    ):
        fetch("takes", tmp_path / "out", catalogue=path)


def test_a_network_that_goes_away_meanwhile_is_told_with_what_is_kept(tmp_path: Path) -> None:
    with serving() as home:
        path = tmp_path / "sets.json"
        path.write_text(json.dumps(facts(home.url, entry("walk.bvh", WALK))))
    (tmp_path / "walk.bvh.part").write_bytes(WALK[:1000])
    with pytest.raises(DownloadError, match=r"cannot be reached .*; 1000 of 300000 bytes are kept"):
        fetch("takes", tmp_path, catalogue=path)
    assert (tmp_path / "walk.bvh.part").read_bytes() == WALK[:1000]


@pytest.mark.parametrize("timeout", [0.0, -1.0, float("nan"), float("inf")])
def test_a_timeout_that_is_none_is_refused(timeout: float) -> None:
    with pytest.raises(ValueError, match="timeout: expected more than 0"):
        fetch("cmu-locomotion", timeout=timeout)


def test_a_name_that_nobody_knows_is_told_as_being_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    path = tmp_path / "sets.json"
    path.write_text(json.dumps(facts("https://nowhere.invalid/", entry("walk.bvh", WALK))))
    with pytest.raises(DownloadError, match=r"the name nowhere\.invalid cannot be looked up.*offline"):
        fetch("takes", tmp_path / "out", catalogue=path)


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a certificate with")
    made = tmp_path / "server.pem"
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
    )
    run = subprocess.run(
        [*command.split(), "-keyout", str(made), "-out", str(tmp_path / "cert.pem")], capture_output=True, check=False
    )
    if run.returncode != 0:
        pytest.skip("this openssl makes no such certificate")
    made.write_bytes(made.read_bytes() + (tmp_path / "cert.pem").read_bytes())
    return made


def test_over_tls_the_server_must_be_trusted_and_must_not_send_us_to_plain_http(
    certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with serving(context) as home, serving() as plain:
        home.content = {"/walk.bvh": WALK}
        path = tmp_path / "sets.json"
        path.write_text(json.dumps(facts(home.url, entry("walk.bvh", WALK))))
        with pytest.raises(DownloadError, match=r"certificate of 127\.0\.0\.1 cannot be trusted"):
            fetch("takes", tmp_path / "out", catalogue=path)
        assert not home.asked
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        home.faults = [f"to {plain.url}walk.bvh"]
        with pytest.raises(DownloadError, match="expected https:// to be kept"):
            fetch("takes", tmp_path / "out", catalogue=path)
        assert not plain.asked
        home.faults = ["cut"]
        fetch("takes", tmp_path / "out", catalogue=path)
    assert (tmp_path / "out" / "walk.bvh").read_bytes() == WALK


# Archives.


def zipped(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


def a_link() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("link.bvh")
    info.external_attr = 0o120777 << 16
    return info


@pytest.fixture
def fetch_zip(server: Server, tmp_path: Path) -> Callable[[bytes], Path]:
    def run(archive: bytes) -> Path:
        server.content["/takes.zip"] = archive
        path = tmp_path / "sets.json"
        path.write_text(json.dumps(facts(server.url, entry("takes.zip", archive, unpack=True))))
        return fetch("takes", tmp_path / "out", catalogue=path)

    return run


def test_an_archive_is_unpacked_to_its_motion_files_and_what_they_need(
    fetch_zip: Callable[[bytes], Path], server: Server
) -> None:
    others = (("run.sh", b"rm"), ("__MACOSX/._slip.bvh", b"x"), ("b/slip.bin", SLIP), ("b/slip.gltf", b"{}"))
    archive = zipped(("a/walk.bvh", WALK), ("slip.bvh", SLIP), *others)
    folder = fetch_zip(archive)
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert found == {
        "takes.zip",
        "takes.LICENSE.txt",
        "takes/a/walk.bvh",
        "takes/slip.bvh",
        "takes/b/slip.bin",
        "takes/b/slip.gltf",
    }
    assert (folder / "takes" / "a" / "walk.bvh").read_bytes() == WALK
    server.asked.clear()
    fetch_zip(archive)
    assert not server.asked


def test_a_folder_in_the_place_of_an_unpacked_archive_is_never_replaced(fetch_zip: Callable[[bytes], Path]) -> None:
    archive = zipped(("walk.bvh", WALK), ("slip.bvh", SLIP))
    folder = fetch_zip(archive)
    (folder / "takes" / "slip.bvh").write_bytes(b"mine")
    with pytest.raises(FormatError, match=r"takes: differs from the content of .*takes\.zip, and is not replaced"):
        fetch_zip(archive)
    assert (folder / "takes" / "slip.bvh").read_bytes() == b"mine"


@pytest.mark.parametrize(
    "archive",
    [
        zipped(("good.bvh", SLIP), ("../evil.bvh", SLIP)),
        zipped(("good.bvh", SLIP), ("/tmp/evil.bvh", SLIP)),
        zipped(("good.bvh", SLIP), ("a\\..\\..\\evil.bvh", SLIP)),
        zipped(("good.bvh", SLIP), ("C:evil.bvh", SLIP)),
        zipped(("good.bvh", SLIP), ("a/./evil.bvh", SLIP)),
        zipped(("good.bvh", SLIP), (a_link(), b"/etc/passwd")),
        zipped(("good.bvh", SLIP), ("bomb.bvh", bytes(30_000_000))),
        zipped(("notes.txt", b"no motion here")),
        zipped(("good.bvh", SLIP), ("evil.bvh/a.bvh", SLIP), ("evil.bvh", SLIP)),
        b"PK\3\4 no archive at all",
    ],
    ids=["up", "root", "backslash", "drive", "dot", "link", "bomb", "nothing", "file and folder", "none"],
)
def test_an_archive_made_to_do_harm_leaves_nothing_unpacked(
    fetch_zip: Callable[[bytes], Path], tmp_path: Path, archive: bytes
) -> None:
    with pytest.raises(FormatError):
        fetch_zip(archive)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["takes.LICENSE.txt", "takes.zip"]
    assert not list(tmp_path.rglob("evil.bvh"))


# Catalogues.


def test_the_shipped_catalogue_is_of_one_fixed_version_over_https() -> None:
    sets = list_sets()
    assert len({one.name for one in sets}) == len(sets) == 10
    assert sum(len(one.files) for one in sets) == len({file.sha256 for one in sets for file in one.files}) == 108
    for file in (file for one in sets for file in one.files):
        assert re.fullmatch(
            r"https://raw\.githubusercontent\.com/una-dinosauria/cmu-mocap/[0-9a-f]{40}/data/\d{3}/\d+_\d\d\.bvh",
            file.url,
        )
        subject = int(file.name.split("_")[0])
        assert f"/data/{subject:03d}/" in file.url
    assert {(one.scale, one.frame_rate) for one in sets} == {("cmu", 120.0)}
    assert all("NSF EIA-0196217" in one.credit and "free for use" in one.licence for one in sets)


def test_the_shipped_pins_are_those_of_the_files_themselves(shared_data: Path) -> None:
    here = {path.name: path for path in shared_data.glob("locomotion/*.bvh")}
    here |= {path.name: path for path in shared_data.glob("perturbation/*/*.bvh")}
    for file in (file for one in list_sets() for file in one.files):
        content = here[file.name].read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file.size, file.sha256), file.name


def changed(path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    """A good catalogue with one value changed, or taken out if it is `...`."""
    whole = facts("https://example.org/takes/", entry("walk.bvh", WALK), entry("slip.bvh", SLIP))
    place: Any = whole
    for step in path[:-1]:
        place = place[step]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return whole


ONE = ("sets", 0)
FILE = ("sets", 0, "files", 0)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (changed(("format",), 2), r"format: expected 1, got 2"),
        (changed(("sets",), []), r"sets: expected a list of at least one"),
        (changed((*ONE, "licence"), ...), r"sets\[0\]: expected .*licence is missing"),
        (changed((*ONE, "command"), "rm"), r".command. is not one of them"),
        (changed((*ONE, "name"), "../up"), r"name: expected lower-case letters"),
        (changed((*ONE, "name"), "nul"), r"name: expected lower-case letters"),
        (changed((*ONE, "title"), "\x1b[2J"), r"title: expected a line of at most"),
        (changed((*ONE, "title"), "a" * 3000), r"title: expected a line of at most"),
        (changed((*ONE, "licence"), " "), r"licence: expected text"),
        (changed((*ONE, "base"), "http://example.org/"), r"base: expected https://"),
        (changed((*ONE, "base"), "file:///etc/"), r"base: expected https://"),
        (changed((*ONE, "base"), "https://a:b@example.org/"), r"base: .*without a user or password"),
        (changed((*ONE, "base"), "https://example.org/?q="), r"base: .*without \? or #"),
        (changed((*ONE, "base"), "https://example.org"), r"base: .*ends in /"),
        (changed((*ONE, "base"), "https://[::1/"), r"base: is not a valid address"),
        (changed((*ONE, "scale"), ["cm"]), r"scale: expected one of"),
        (changed((*ONE, "seconds"), True), r"seconds: expected a finite number"),
        (changed((*ONE, "frame_rate"), -1), r"frame_rate: expected a positive number"),
        (changed((*FILE, "path"), "../walk.bvh"), r"path: expected ASCII letters"),
        (changed((*FILE, "path"), "/walk.bvh"), r"path: expected ASCII letters"),
        (changed((*FILE, "path"), "a%2f..%2fwalk.bvh"), r"path: expected ASCII letters"),
        (changed((*FILE, "path"), "con.bvh"), r"path: expected ASCII letters"),
        (changed((*FILE, "path"), "walk.exe"), r"path: expected a name that ends in .bvh"),
        (changed((*FILE, "path"), "walk.zip"), r"path: expected a name that ends in .bvh"),
        (changed((*FILE, "path"), "other/SLIP.bvh"), "files: expected every name once, got .slip.bvh. twice"),
        (changed((*FILE, "unpack"), 1), r"unpack: expected true or false"),
        (changed((*FILE, "bytes"), 0), r"bytes: expected a whole number from 1"),
        (changed((*FILE, "bytes"), 10**12), r"bytes: expected a whole number from 1"),
        (changed((*FILE, "bytes"), 1.5), r"bytes: expected a whole number from 1"),
        (changed((*FILE, "sha256"), "A" * 64), r"sha256: expected 64 lower-case hexadecimal digits"),
        (changed((*FILE, "sha256"), None), r"sha256: expected 64 lower-case hexadecimal digits"),
        ([], r"the file: expected an object"),
    ],
)
def test_a_catalogue_that_breaks_the_rules_is_refused(tmp_path: Path, content: object, message: str) -> None:
    path = tmp_path / "sets.json"
    path.write_text(json.dumps(content))
    with pytest.raises(FormatError, match=message):
        list_sets(path)


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff", b"{", b'{"format": 1, "format": 1, "sets": []}', b"[" * 100_000, b'{"format": NaN}', b"9" * 10_000],
)
def test_a_file_that_is_no_catalogue_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "sets.json"
    path.write_bytes(content)
    with pytest.raises(FormatError):
        list_sets(path)


def test_a_set_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(FormatError, match="no set is called 'cmu'; expected one of cmu-locomotion, "):
        fetch("cmu")


@pytest.mark.parametrize("url", ["http://127.0.0.1:80/a", "http://[::1]/", "http://localhost/", "https://example.org/"])
def test_plain_http_is_for_this_computer_alone(url: str) -> None:
    assert url_fault(url) is None
    assert url_fault("http://localhost.example.org/")
    assert url_fault("http://127.0.0.1.example.org/")
    assert url_fault("http://192.168.0.1/")
