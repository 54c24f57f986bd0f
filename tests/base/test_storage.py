"""Files and objects by one set of functions, against a real S3-compatible server in its own process."""

from __future__ import annotations

import errno
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionfields.base import storage
from motionfields.base.artifacts import Artifact, artifact_kind, read_artifact, write_artifact
from motionfields.base.errors import ArtifactError, FormatError, MissingExtraError
from motionfields.base.files import DRAFT_NAME
from motionfields.cli import main
from motionfields.control.methods import load_controller
from motionfields.field import MotionField
from motionfields.motion.formats import save_clip
from motionfields.motion.samples import generate_samples

SECRET = "a-secret-that-no-message-may-show"

SERVER = """
import time
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print("port", server.get_host_and_port()[1], flush=True)
time.sleep(600)
"""

WRITE = """
import sys
from motionfields.base.storage import replacing
with replacing(sys.argv[1]) as file:
    file.write(bytes(int(sys.argv[2])))
"""

FETCH = """
import sys
from motionfields.base.storage import fetched
print("ready", flush=True)
sys.stdin.readline()
print(fetched(sys.argv[1]))
"""


Reconnect = Callable[..., None]


class Relay:
    """A way to the server that passes on so many bytes to it and back, then stalls or ends the connection."""

    def __init__(self, server_port: int, *, up: float = float("inf"), down: float = float("inf"), stall: bool) -> None:
        self.reached = threading.Event()  # one of the limits
        self._limits, self._stall, self._server_port = (up, down), stall, server_port
        self._sockets: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def close(self) -> None:
        """End all connections, as when a computer is cut off."""
        for one in (self._listener, *self._sockets):
            _shut(one)
        for thread in self._threads:
            thread.join(5.0)

    def _accept(self) -> None:
        while True:
            try:
                client = self._listener.accept()[0]
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._server_port))
            self._sockets += [client, server]
            for source, target, limit in ((client, server, self._limits[0]), (server, client, self._limits[1])):
                thread = threading.Thread(target=self._pump, args=(source, target, limit), daemon=True)
                self._threads.append(thread)
                thread.start()

    def _pump(self, source: socket.socket, target: socket.socket, limit: float) -> None:
        passed = 0
        try:
            while data := source.recv(65536):
                if passed + len(data) > limit:
                    self.reached.set()
                    if self._stall:
                        return
                    break
                target.sendall(data)
                passed += len(data)
        except OSError:
            pass
        _shut(source)
        _shut(target)


def _shut(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()


class Server:
    """A server that keeps objects in memory, and another library's way to them."""

    def __init__(self, port: int) -> None:
        import boto3

        self.port, self.url = port, f"http://127.0.0.1:{port}"
        keys = {"aws_access_key_id": "other", "aws_secret_access_key": "other"}
        self.client: Any = boto3.client("s3", endpoint_url=self.url, region_name="us-east-1", **keys)

    def put(self, url: str, content: bytes) -> None:
        self.client.put_object(**_place(url), Body=content)

    def seen(self, url: str) -> bytes:
        return bytes(self.client.get_object(**_place(url))["Body"].read())

    def ask_for_credentials(self, wanted: bool) -> None:
        """Whether only those are let in whom the server knows, which is nobody."""
        address, body = f"{self.url}/moto-api/reset-auth", b"0" if wanted else b"inf"
        question = urllib.request.Request(address, body, {"Content-Type": "text/plain"})
        with urllib.request.urlopen(question, timeout=5.0) as answer:
            assert answer.status == 200


def _place(url: str) -> dict[str, str]:
    name, _, key = url.removeprefix("s3://").partition("/")
    return {"Bucket": name, "Key": key}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    for name in ("moto.server", "flask_cors", "s3fs", "boto3"):
        pytest.importorskip(name, reason=f"needs {name.partition('.')[0]}, which the extra dev installs")
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        server = Server(next(int(line.split()[1]) for line in process.stdout if line.startswith("port")))
        yield server
        forget_connections()
        server.client.close()
        process.kill()


@pytest.fixture
def bucket(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A new bucket, as a URL, which the environment leads to; what is fetched goes to a folder of its own."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", server.url)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    monkeypatch.setenv("MOTIONFIELDS_CACHE", str(tmp_path / "cache"))
    for name in ("AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL_S3"):
        monkeypatch.delenv(name, raising=False)
    name = f"bucket-{time.monotonic_ns()}"
    server.client.create_bucket(Bucket=name)
    return f"s3://{name}"


@pytest.fixture
def reconnect(monkeypatch: pytest.MonkeyPatch) -> Iterator[Reconnect]:
    """Sets environment variables, or takes those given as None away, and connects by them from then on."""

    def change(**variables: str | None) -> None:
        for name, value in variables.items():
            if value is None:
                monkeypatch.delenv(name, raising=False)
            else:
                monkeypatch.setenv(name, value)
        forget_connections()

    yield change
    forget_connections()


def forget_connections() -> None:
    import s3fs

    s3fs.S3FileSystem.clear_instance_cache()


def write(location: str | Path, content: bytes) -> None:
    with storage.replacing(location) as file:
        file.write(content)


def drafts_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if DRAFT_NAME.fullmatch(path.name)]


def save(location: str | Path, rng: np.random.Generator, size: int = 300_000) -> dict[str, Any]:
    arrays: dict[str, Any] = {"a": rng.standard_normal(size), "b": rng.integers(0, 9, (7, 3))}
    write_artifact(location, kind="field", version=1, arrays=arrays, facts={"name": "walker"})
    return arrays


def load(location: str | Path, *, verify: bool = True) -> Artifact:
    return read_artifact(location, kind="field", newest_version=1, verify=verify)


class TestLocations:
    @pytest.mark.parametrize("location", ["s3://bucket/a.field", "gs://b/c", "memory://a", "S3://bucket/a"])
    def test_urls_are_remote(self, location: str) -> None:
        assert storage.is_remote(location)

    @pytest.mark.parametrize(
        "location", ["a.field", "/tmp/a", "c://a", "s3:/bucket/a", "a/s3://b", Path("s3://b/a"), ""]
    )
    def test_paths_are_not(self, location: str | Path) -> None:
        assert not storage.is_remote(location)

    def test_names_are_joined_to_folders_of_both_kinds(self, tmp_path: Path) -> None:
        assert storage.joined("s3://bucket/set/", "a/0.shard") == "s3://bucket/set/a/0.shard"
        assert Path(storage.joined(tmp_path, "a/0.shard")) == tmp_path / "a" / "0.shard"

    @pytest.mark.parametrize("name", ["../a", "/a", "a/../b", "", "a//b", "s3://other/a", "..\\a", "."])
    def test_names_that_lead_out_of_the_folder_are_refused(self, name: str) -> None:
        for folder in ("s3://bucket/set", "set"):
            with pytest.raises(ValueError, match="expected a file within the folder"):
                storage.joined(folder, name)

    def test_the_cache_is_where_the_environment_says(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MOTIONFIELDS_CACHE", str(tmp_path))
        assert storage.cache_folder() == tmp_path
        monkeypatch.delenv("MOTIONFIELDS_CACHE")
        assert storage.cache_folder().name == "motionfields"


class TestFiles:
    def test_a_file_is_read_where_it_is(self, tmp_path: Path) -> None:
        path = tmp_path / "sub" / "a.bin"
        storage.make_folder(path.parent)
        storage.make_folder(path.parent)
        assert not storage.exists(path)
        write(path, b"content")
        assert storage.exists(path)
        assert storage.fetched(path) == path
        assert storage.fetched(str(path)).read_bytes() == b"content"
        storage.forget(path)
        assert storage.exists(path)
        storage.remove(path)
        storage.remove(path)
        assert not storage.exists(path)

    def test_without_the_extra_an_error_names_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("fsspec", "fsspec.core"):
            monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(MissingExtraError, match=r"needs fsspec: pip install .motionfields\[storage\]"):
            storage.exists("s3://bucket/a")

    def test_without_the_package_for_s3_an_error_names_the_extra(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("fsspec")
        monkeypatch.setattr("fsspec.core.get_filesystem_class", lambda scheme: __import__("s3fs"))
        monkeypatch.setitem(sys.modules, "s3fs", None)
        with pytest.raises(MissingExtraError, match="needs s3fs"):
            storage.exists("s3://bucket/a")

    def test_unknown_kinds_of_storage_are_refused(self) -> None:
        pytest.importorskip("fsspec")
        with pytest.raises(FormatError, match=r"nosuch://bucket/a: cannot be read: .*not known"):
            storage.fetched("nosuch://bucket/a")

    def test_other_kinds_of_storage_work_alike(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("fsspec")
        monkeypatch.setenv("MOTIONFIELDS_CACHE", str(tmp_path))
        url = f"memory://folder-{time.monotonic_ns()}/a.bin"
        assert not storage.exists(url)
        for content in (b"old", b"the new one"):
            write(url, content)
            assert storage.exists(url)
            assert storage.fetched(url).read_bytes() == content
        storage.remove(url)
        storage.remove(url)
        with pytest.raises(FormatError, match="does not exist"):
            storage.fetched(url)

    def test_a_cache_that_cannot_be_made_is_told(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "file").write_bytes(b"")
        monkeypatch.setenv("MOTIONFIELDS_CACHE", str(tmp_path / "file"))
        with pytest.raises(FormatError, match=r"cannot be created: .*; set MOTIONFIELDS_CACHE to another folder"):
            storage.fetched("memory://a")


class TestObjects:
    @pytest.mark.parametrize("size", [0, 1, 1_000_003])
    def test_bits_come_back(self, bucket: str, server: Server, size: int, rng: np.random.Generator) -> None:
        url, content = storage.joined(bucket, "folder/a b+ü%20.bin"), rng.bytes(size)
        assert not storage.exists(url)
        write(url, content)
        assert storage.exists(url)
        assert server.seen(url) == content
        assert storage.fetched(url).read_bytes() == content
        storage.remove(url)
        storage.remove(url)
        assert not storage.exists(url)

    def test_large_objects_are_sent_in_parts(self, bucket: str, server: Server) -> None:
        content = np.arange(27_000_000, dtype=np.int32).tobytes()
        write(f"{bucket}/a.bin", content)
        tag = server.client.head_object(Bucket=bucket.removeprefix("s3://"), Key="a.bin")["ETag"]
        assert tag.strip('"').endswith("-3")  # which is how a server marks what came in three parts
        assert storage.fetched(f"{bucket}/a.bin").read_bytes() == content

    def test_an_unchanged_object_is_fetched_once(self, bucket: str, server: Server) -> None:
        url = f"{bucket}/a.bin"
        server.put(url, b"content")
        copy = storage.fetched(url)
        before = copy.stat()
        again = storage.fetched(url)
        assert again == copy
        assert again.stat().st_ino == before.st_ino

    def test_a_changed_object_is_fetched_again(self, bucket: str, server: Server) -> None:
        url = f"{bucket}/a.bin"
        server.put(url, b"old")
        old = storage.fetched(url)
        server.put(url, b"new")
        assert storage.fetched(url).read_bytes() == b"new"
        assert old.read_bytes() == b"old"  # for whoever is about to open it

    def test_copies_of_old_versions_go_in_the_end(self, bucket: str, server: Server) -> None:
        url = f"{bucket}/a.bin"
        for other in (url, f"{bucket}/b.bin"):
            server.put(other, b"old")
            os.utime(storage.fetched(other), (0, time.time() - storage.KEPT_SECONDS - 1))
        server.put(url, b"new")
        storage.fetched(url)
        kept = sorted(path.read_bytes() for path in (storage.cache_folder() / "objects").iterdir())
        assert kept == [b"new", b"old"]

    def test_a_copy_that_was_cut_short_is_fetched_again(self, bucket: str, server: Server) -> None:
        url = f"{bucket}/a.bin"
        server.put(url, b"content")
        storage.fetched(url).write_bytes(b"con")
        assert storage.fetched(url).read_bytes() == b"content"

    def test_an_object_that_changes_meanwhile_is_fetched_again(
        self, bucket: str, server: Server, monkeypatch: pytest.MonkeyPatch, reconnect: Reconnect
    ) -> None:
        import s3fs

        url, fetch, contents = f"{bucket}/a.bin", s3fs.S3FileSystem.get_file, [b"second", b"third!"]
        server.put(url, b"first.")

        def changed(system: Any, key: str, path: str) -> None:
            fetch(system, key, path)
            if contents:
                server.put(url, contents.pop(0))

        monkeypatch.setattr(s3fs.S3FileSystem, "get_file", changed)
        reconnect()
        assert storage.fetched(url).read_bytes() == b"third!"
        assert len(list((storage.cache_folder() / "objects").iterdir())) == 1
        contents += [b"fourth", b"fifth.", b"sixth.", b"seven!"]
        server.put(url, b"again.")
        with pytest.raises(FormatError, match="changed during every attempt to read it; try again"):
            storage.fetched(url)

    def test_an_error_in_the_block_leaves_the_old_object(self, bucket: str, server: Server, tmp_path: Path) -> None:
        url = f"{bucket}/a.bin"
        write(url, b"old")
        with pytest.raises(KeyError), storage.replacing(url) as file:  # noqa: PT012, what is tested is the block
            file.write(b"half of the new")
            raise KeyError
        assert server.seen(url) == b"old"
        assert not drafts_in(tmp_path)

    def test_two_processes_may_fetch_at_once(self, bucket: str, server: Server, tmp_path: Path) -> None:
        url, content = f"{bucket}/a.bin", np.arange(5_000_000).tobytes()
        server.put(url, content)
        command = [sys.executable, "-W", "error", "-c", FETCH, url]
        pipe = subprocess.PIPE
        both = [subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) for _ in range(2)]
        for one in both:
            assert one.stdout is not None
            assert one.stdout.readline() == "ready\n"
        said = [one.communicate("go\n") for one in both]
        assert [errors for _, errors in said] == ["", ""]
        assert said[0] == said[1]
        assert Path(said[0][0].strip()).read_bytes() == content
        assert not drafts_in(tmp_path)

    @pytest.mark.skipif(sys.platform == "win32", reason="about POSIX signals")
    @pytest.mark.parametrize("size", [30_000_000, 120_000_000])
    def test_a_kill_during_the_upload_leaves_the_old_object(
        self, bucket: str, server: Server, reconnect: Reconnect, tmp_path: Path, size: int
    ) -> None:
        url = f"{bucket}/a.bin"
        write(url, b"old")
        relay = Relay(server.port, up=2_000_000, stall=True)
        reconnect(AWS_ENDPOINT_URL=relay.url)
        with subprocess.Popen([sys.executable, "-c", WRITE, url, str(size)]) as writer:
            assert relay.reached.wait(30.0)
            assert drafts_in(tmp_path)
            writer.send_signal(signal.SIGKILL)
        relay.close()
        assert server.seen(url) == b"old"
        reconnect(AWS_ENDPOINT_URL=server.url)
        assert storage.fetched(url).read_bytes() == b"old"
        write(url, b"new")
        assert server.seen(url) == b"new"
        assert not drafts_in(tmp_path)  # the killed writer's is gone too


class TestErrors:
    def test_a_missing_object_is_told(self, bucket: str) -> None:
        with pytest.raises(FormatError, match=rf"^{bucket}/a.bin: does not exist$"):
            storage.fetched(f"{bucket}/a.bin")

    def test_a_folder_is_no_object(self, bucket: str, server: Server) -> None:
        server.put(f"{bucket}/folder/a.bin", b"content")
        assert not storage.exists(f"{bucket}/folder")
        with pytest.raises(FormatError, match="does not exist"):
            storage.fetched(f"{bucket}/folder")

    def test_a_missing_bucket_is_told(self, bucket: str) -> None:
        url = f"{bucket}-other/a.bin"
        match = rf"^{url}: cannot be .*: the bucket does not exist; create it first, or check its name$"
        for action in (storage.exists, storage.fetched, lambda url: write(url, b"content")):
            with pytest.raises(FormatError, match=match):
                action(url)
        storage.remove(url)

    def test_refused_credentials_are_told(self, bucket: str, server: Server) -> None:
        url = f"{bucket}/a.bin"
        server.put(url, b"content")
        server.ask_for_credentials(True)
        try:
            for action in (storage.exists, storage.fetched, lambda url: write(url, b"new"), storage.remove):
                with pytest.raises(FormatError, match="access was denied; check the credentials") as caught:
                    action(url)
                assert SECRET not in str(caught.value)
        finally:
            server.ask_for_credentials(False)
        assert server.seen(url) == b"content"

    def test_missing_credentials_are_told(self, bucket: str, reconnect: Reconnect, tmp_path: Path) -> None:
        reconnect(
            AWS_ACCESS_KEY_ID=None,
            AWS_SECRET_ACCESS_KEY=None,
            AWS_SHARED_CREDENTIALS_FILE=str(tmp_path / "none"),
            AWS_CONFIG_FILE=str(tmp_path / "none"),
        )
        with pytest.raises(FormatError, match="no credentials were found; set AWS_ACCESS_KEY_ID"):
            storage.fetched(f"{bucket}/a.bin")
        reconnect(AWS_ACCESS_KEY_ID="test")
        with pytest.raises(FormatError, match="the credentials are incomplete"):
            storage.fetched(f"{bucket}/a.bin")

    def test_passwords_in_urls_are_refused_and_not_shown(self, bucket: str) -> None:
        url = f"s3://user:{SECRET}@{bucket.removeprefix('s3://')}/a.field"
        for action in (
            storage.exists,
            storage.fetched,
            lambda url: write(url, b""),
            storage.remove,
            load,
            artifact_kind,
        ):
            with pytest.raises(
                FormatError, match=f"^{bucket}/a.field: expected a URL without user or password"
            ) as caught:
                action(url)
            assert SECRET not in str(caught.value)

    def test_a_full_disk_is_told(
        self, bucket: str, server: Server, monkeypatch: pytest.MonkeyPatch, reconnect: Reconnect
    ) -> None:
        import s3fs

        def fill(system: Any, key: str, path: str) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        server.put(f"{bucket}/a.bin", b"content")
        monkeypatch.setattr(s3fs.S3FileSystem, "get_file", fill)
        reconnect()
        with pytest.raises(FormatError, match=f"cannot be read: {storage.cache_folder()}: {os.strerror(errno.ENOSPC)}"):
            storage.fetched(f"{bucket}/a.bin")

    def test_a_server_that_is_gone_is_told(self, bucket: str, reconnect: Reconnect, tmp_path: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        reconnect(AWS_ENDPOINT_URL=f"http://127.0.0.1:{port}")
        for action in (storage.exists, storage.fetched, lambda url: write(url, b"content")):
            with pytest.raises(FormatError, match=r"the server does not answer; check .*AWS_ENDPOINT_URL$"):
                action(f"{bucket}/a.bin")
        reconnect(AWS_ENDPOINT_URL=f"http://user:{SECRET}@127.0.0.1:{port}")
        with pytest.raises(FormatError) as caught:
            storage.fetched(f"{bucket}/a.bin")
        assert SECRET not in str(caught.value)
        assert not drafts_in(tmp_path)

    def test_a_connection_that_ends_midway_is_told(
        self, bucket: str, server: Server, reconnect: Reconnect, tmp_path: Path
    ) -> None:
        url = f"{bucket}/a.bin"
        server.put(url, bytes(9_000_000))
        relay = Relay(server.port, up=2_000_000, down=1_000_000, stall=False)  # a few times, and then it is given up
        reconnect(AWS_ENDPOINT_URL=relay.url)
        with pytest.raises(FormatError, match=f"^{url}: cannot be read: the server "):
            storage.fetched(url)
        with pytest.raises(FormatError, match=f"^{url}: cannot be written: the server "):
            write(url, bytes(4_000_000))
        relay.close()
        reconnect(AWS_ENDPOINT_URL=server.url)
        assert len(storage.fetched(url).read_bytes()) == 9_000_000
        assert not drafts_in(tmp_path)


class TestArtifacts:
    def test_an_artifact_comes_back_mapped_and_bit_for_bit(
        self, bucket: str, server: Server, tmp_path: Path, rng: np.random.Generator
    ) -> None:
        url = f"{bucket}/a.field"
        arrays = save(url, rng)
        write_artifact(tmp_path / "a.field", kind="field", version=1, arrays=arrays, facts={"name": "walker"})
        assert server.seen(url) == (tmp_path / "a.field").read_bytes()
        artifact = load(url)
        assert artifact.path == url
        assert artifact_kind(url) == "field"
        for name, values in arrays.items():
            np.testing.assert_array_equal(artifact.array(name), values)
            assert not artifact.array(name).flags.owndata

    def test_an_open_artifact_keeps_its_content(self, bucket: str, rng: np.random.Generator) -> None:
        url = f"{bucket}/a.field"
        old = save(url, rng)
        artifact = load(url, verify=False)
        new = save(url, rng)
        np.testing.assert_array_equal(artifact.array("a"), old["a"])
        np.testing.assert_array_equal(load(url).array("a"), new["a"])

    @pytest.mark.parametrize("change", ["cut", "flip", "header", "empty"])
    def test_a_damaged_object_is_refused(
        self, bucket: str, server: Server, rng: np.random.Generator, change: str
    ) -> None:
        url = f"{bucket}/a.field"
        save(url, rng)
        good = server.seen(url)
        place = 20 if change == "header" else len(good) - 9
        flipped = good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :]
        server.put(url, {"cut": good[:-1000], "empty": b""}.get(change, flipped))
        with pytest.raises(ArtifactError, match=f"^{url}: .*(damaged|truncated|is empty)"):
            load(url)
        server.put(url, good)
        load(url)

    def test_a_damaged_copy_is_fetched_anew_the_next_time(self, bucket: str, rng: np.random.Generator) -> None:
        url = f"{bucket}/a.field"
        save(url, rng)
        copy = storage.fetched(url)
        for place in (30, copy.stat().st_size - 9):
            content = bytearray(storage.fetched(url).read_bytes())
            content[place] ^= 1
            copy.write_bytes(content)
            with pytest.raises(ArtifactError, match="damaged"):
                load(url)
            load(url)

    def test_what_storage_refuses_is_an_error_of_the_artifact(
        self, bucket: str, monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator
    ) -> None:
        for url in (f"{bucket}/none.field", f"{bucket}-other/none.field"):
            with pytest.raises(ArtifactError, match=f"^{url}: .*does not exist"):
                load(url)
        with pytest.raises(FormatError, match="bucket does not exist"):
            save(f"{bucket}-other/a.field", rng)


class TestCommands:
    def test_all_that_building_and_training_keep_may_be_urls(self, bucket: str, server: Server, tmp_path: Path) -> None:
        [walk] = generate_samples(only=re.compile("walk_forward"))
        save_clip(walk.clip, tmp_path / "walk.bvh")
        field, controller = f"{bucket}/walker.field", f"{bucket}/walker.ctrl"
        told = run(tmp_path, "build", "walk.bvh", "-o", field, "--memory", "1G", "--shards", f"{bucket}/shards")
        assert f"{field}: " in told
        run(tmp_path, "train", field, "--task", "direction", "--work", f"{bucket}/work", "-o", controller)
        found = server.client.list_objects_v2(Bucket=bucket.removeprefix("s3://"))["Contents"]
        assert {one["Key"].partition("/")[0] for one in found} == {"walker.ctrl", "walker.field", "work"}
        trained = load_controller(controller).field.database.features
        np.testing.assert_array_equal(trained, MotionField.load(field).database.features)

    @pytest.mark.parametrize(
        ("words", "reason"),
        [
            ("build a.bvh -o {}-other/a.field", "{}-other/a.field: cannot be accessed: the bucket does not exist"),
            ("train a.field --task line -o {}-other/a.ctrl", "{}-other/a.ctrl: cannot be accessed: the bucket"),
            ("build a.bvh -o {}/a.bin", "{}/a.bin: expected an output name that ends in .field"),
            ("synth {}/none.field -o a.bvh", "{}/none.field: does not exist"),
            ("record {}/none.ctrl --commands a.json -o a.bvh", "{}/none.ctrl: does not exist"),
            ("play {}/none.ctrl", "{}/none.ctrl: does not exist"),
            ("bench crowd {}/none.ctrl", "{}/none.ctrl: does not exist"),
        ],
    )
    def test_what_is_wrong_with_a_url_is_one_line(
        self,
        bucket: str,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        tmp_path: Path,
        words: str,
        reason: str,
    ) -> None:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["motionfields", *words.format(bucket).split()])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 1
        told = capsys.readouterr().err.strip()
        assert told.splitlines()[-1].startswith(f"error: {reason.format(bucket)}")


def run(folder: Path, *words: str) -> str:
    """What a command in a process of its own prints."""
    command = [sys.executable, "-m", "motionfields", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
