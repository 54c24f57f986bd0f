"""Artifact files: what goes in comes out bit for bit, and nothing damaged or foreign comes out at all."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle
import sys
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

import motionfields as mf
from motionfields.base.artifacts import Artifact, JsonValue, artifact_kind, read_artifact, write_artifact, writing
from motionfields.base.artifacts.layout import (
    BLOCK_BYTES,
    DEEPEST_FACTS,
    DTYPES,
    HEADER_START,
    LENGTH_BYTES,
    MOST_HEADER_BYTES,
    header_digest,
)
from motionfields.base.errors import ArtifactError

Arrays = dict[str, NDArray[Any]]
FACTS: dict[str, JsonValue] = {"skeleton": {"names": ["Hips", "Fuß"], "tips": []}, "k": 15, "scale": 0.1, "note": None}


def some_arrays() -> Arrays:
    rng = np.random.default_rng(3)
    return {
        "poses": rng.normal(size=(5, 3, 4)).astype(np.float32),
        "root": rng.normal(size=(5, 3)),
        "contact": rng.random((5, 2)) < 0.5,
        "next": rng.integers(-9, 9, 5),
        "empty": np.zeros((0, 7), np.int16),
        "one": np.array(2.5),
    }


def save(
    path: Path, arrays: Arrays | None = None, *, version: int = 1, facts: Mapping[str, JsonValue] | None = None
) -> Path:
    """`path`, at which the given arrays, or a few small ones, have been saved as a field."""
    write_artifact(
        path,
        kind="field",
        version=version,
        arrays=some_arrays() if arrays is None else arrays,
        facts=FACTS if facts is None else facts,
    )
    return path


def load(path: Path, *, verify: bool = False) -> Artifact:
    return read_artifact(path, kind="field", newest_version=1, verify=verify)


def assert_same(arrays: Arrays, artifact: Artifact) -> None:
    assert artifact.arrays.keys() == arrays.keys()
    for name, array in arrays.items():
        assert artifact.arrays[name].dtype == array.dtype.newbyteorder("<")
        np.testing.assert_array_equal(artifact.arrays[name], array, strict=array.dtype.isnative)


def read_safetensors(path: Path) -> tuple[Arrays, dict[str, str]]:
    """Return the arrays and the metadata of a safetensors file, read by the published layout and without any check."""
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    metadata = header.pop("__metadata__")
    types = {"F64": "<f8", "F32": "<f4", "I64": "<i8", "I16": "<i2", "BOOL": "?"}
    arrays = {}
    for name, entry in header.items():
        begin, end = (start + offset for offset in entry["data_offsets"])
        arrays[name] = np.frombuffer(content[begin:end], types[entry["dtype"]]).reshape(entry["shape"])
    return arrays, metadata


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return save(tmp_path / "a.field")


class TestRoundTrip:
    def test_everything_comes_back(self, saved: Path) -> None:
        artifact = load(saved)
        assert (artifact.kind, artifact.version, artifact.path) == ("field", 1, saved)
        assert artifact.facts == FACTS
        assert_same(some_arrays(), artifact)
        artifact.verify()

    @given(data=st.data())
    def test_any_type_shape_order_and_layout_comes_back(
        self, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
    ) -> None:
        dtype = data.draw(st.sampled_from(list(DTYPES.values())))
        if data.draw(st.booleans()):
            dtype = dtype.newbyteorder(">")
        array = data.draw(hnp.arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5)))
        arrays = {"a": array, "b.T": array.T, "c": array[..., ::2] if array.ndim else array}
        assert_same(arrays, load(save(tmp_path_factory.getbasetemp() / "any.field", arrays)))

    def test_many_blocks_come_back_from_any_layout(self, tmp_path: Path) -> None:
        wide = np.arange(3 * BLOCK_BYTES // 4 + 5, dtype=np.float32).reshape(1, -1)
        tall = np.arange(BLOCK_BYTES + 3, dtype=np.int32)[::-1].reshape(-1, 1)
        arrays = {"wide": wide, "backwards": wide[:, ::-1], "tall": tall, "swapped": tall.astype(">i4")}
        assert_same(arrays, load(save(tmp_path / "a.field", arrays)))

    def test_no_arrays_and_no_facts_come_back(self, tmp_path: Path) -> None:
        write_artifact(tmp_path / "a.field", kind="field", version=1, arrays={}, facts={})
        artifact = load(tmp_path / "a.field", verify=True)
        assert (dict(artifact.arrays), artifact.facts) == ({}, {})

    def test_a_reader_of_the_safetensors_layout_reads_the_same(self, saved: Path) -> None:
        arrays, metadata = read_safetensors(saved)
        assert arrays.keys() == some_arrays().keys()
        for name, array in some_arrays().items():
            np.testing.assert_array_equal(arrays[name], array, strict=True)
        assert (metadata["format"], metadata["kind"], metadata["version"]) == ("motionfields", "field", "1")
        assert json.loads(metadata["facts"]) == FACTS

    def test_equal_input_gives_equal_bytes(self, saved: Path, tmp_path: Path) -> None:
        arrays = {name: np.array(array, order="F") for name, array in reversed(some_arrays().items())}
        arrays["root"] = arrays["root"].astype(">f8")
        other = save(tmp_path / "b.field", arrays, facts=dict(reversed(FACTS.items())))
        assert other.read_bytes() == saved.read_bytes()

    def test_the_digest_stands_for_the_content(self, saved: Path, tmp_path: Path) -> None:
        digest = load(saved).digest
        assert load(save(tmp_path / "same.field")).digest == digest
        arrays = some_arrays()
        arrays["root"][4, 2] = np.nextafter(arrays["root"][4, 2], 9.0)
        assert load(save(tmp_path / "other.field", arrays)).digest != digest
        assert load(save(tmp_path / "facts.field", facts={"k": 16})).digest != digest

    def test_arrays_are_views_of_the_file_that_nobody_can_change(self, saved: Path) -> None:
        for array in load(saved).arrays.values():
            assert array.flags.aligned
            assert array.flags.c_contiguous
            assert not array.flags.owndata
            with pytest.raises(ValueError):
                array.setflags(write=True)

    def test_an_open_artifact_keeps_its_content_when_the_file_is_saved_over(self, saved: Path) -> None:
        artifact = load(saved)
        save(saved, {"other": np.zeros(100_000)})
        assert_same(some_arrays(), artifact)
        assert list(load(saved).arrays) == ["other"]

    def test_arrays_outlive_the_artifact(self, saved: Path) -> None:
        array = load(saved).array("poses")
        np.testing.assert_array_equal(array, some_arrays()["poses"])


class TestArray:
    def test_type_and_shape_are_checked(self, saved: Path) -> None:
        artifact = load(saved)
        poses = artifact.array("poses", dtype=np.float32, shape=(None, 3, 4))
        np.testing.assert_array_equal(poses, some_arrays()["poses"])
        with pytest.raises(ArtifactError, match="'poses': expected float64, got float32"):
            artifact.array("poses", dtype=np.float64)
        for shape in ((None, 3), (None, 4, 4), ()):
            with pytest.raises(ArtifactError, match=r"'poses': expected shape .*, got \[5, 3, 4\]"):
                artifact.array("poses", shape=shape)

    def test_a_missing_one_is_an_error_that_names_the_file(self, saved: Path) -> None:
        with pytest.raises(ArtifactError, match=r"a\.field: expected an array 'velocity', which is missing"):
            load(saved).array("velocity")


def assert_refused_before_seen(path: Path, whole: Arrays) -> None:
    """That at least one array, or the file, is refused, and that whatever can be seen is right."""
    refused = 0
    try:
        artifact = load(path)
        for name, array in whole.items():
            try:
                np.testing.assert_array_equal(artifact.array(name), array, strict=True)
            except ArtifactError:
                refused += 1
    except ArtifactError:
        refused += 1
    assert refused


class TestDamage:
    def test_a_flipped_bit_in_any_byte_is_refused(self, tmp_path: Path) -> None:
        arrays = {"a": np.arange(5, dtype=np.float32), "b": np.array([True, False])}
        whole = save(tmp_path / "whole.field", arrays, facts={"k": 1}).read_bytes()
        damaged = tmp_path / "damaged.field"
        for place in range(len(whole)):
            content = bytearray(whole)
            content[place] ^= 1 << 3 * place % 8  # test_artifact_attacks.py flips them all
            damaged.write_bytes(content)
            assert_refused_before_seen(damaged, arrays)

    def test_each_length_but_the_right_one_is_refused_at_once(self, saved: Path) -> None:
        size = saved.stat().st_size
        for length in (2 * size, size + 1, *reversed(range(size))):
            os.truncate(saved, length)
            with pytest.raises(ArtifactError):
                load(saved)

    @pytest.mark.parametrize("block", [0, 1, 9, 10])
    def test_each_block_of_a_large_array_is_checked(self, tmp_path: Path, block: int) -> None:
        path = save(tmp_path / "a.field", {"large": np.zeros(10 * BLOCK_BYTES + 9, np.uint8)})
        start = path.stat().st_size - (10 * BLOCK_BYTES + 9)
        with path.open("r+b") as file:
            file.seek(start + block * BLOCK_BYTES + 8)
            file.write(b"\1")
        with pytest.raises(ArtifactError, match=f"'large' is damaged .* from byte {start + block * BLOCK_BYTES};"):
            load(path).array("large")

    def test_only_the_damaged_array_is_refused_and_each_time(self, saved: Path) -> None:
        content = saved.read_bytes()
        root = some_arrays()["root"].tobytes()
        saved.write_bytes(content.replace(root, root[:-1] + bytes([root[-1] ^ 1])))
        artifact = load(saved)
        np.testing.assert_array_equal(artifact.array("poses"), some_arrays()["poses"])
        for use in (lambda: artifact.array("root"), lambda: artifact.arrays["root"], artifact.verify):
            with pytest.raises(ArtifactError, match=r"a\.field: array 'root' is damaged .* restore"):
                use()
        with pytest.raises(ArtifactError, match="'root' is damaged"):
            dict(artifact.arrays)
        with pytest.raises(ArtifactError, match="'root' is damaged"):
            load(saved, verify=True)

    def test_a_file_that_shrinks_while_open_is_refused(self, saved: Path) -> None:
        artifact = load(saved)
        os.truncate(saved, 64)
        with pytest.raises(ArtifactError, match="was changed while it was open"):
            artifact.array("poses")


class Bomb:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str, str]]:
        return open, (str(self.path), "w")


class TestForeignFiles:
    @pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
    def test_a_pickle_is_refused_and_never_runs(self, tmp_path: Path, protocol: int) -> None:
        bomb, path = pickle.dumps(Bomb(tmp_path / "went off"), protocol), tmp_path / "a.field"
        path.write_bytes(bomb)
        with pytest.raises(ArtifactError, match="expected a motionfields artifact"):
            load(path)
        held = {"bomb": np.frombuffer(bomb, np.uint8)}
        assert_same(held, load(save(path, held, facts={"bomb": bomb.decode("latin-1")})))
        assert not (tmp_path / "went off").exists()
        pickle.loads(bomb).close()
        assert (tmp_path / "went off").exists()

    def test_other_files_are_told_apart(self, tmp_path: Path) -> None:
        path = tmp_path / "a.field"
        zipped, array = io.BytesIO(), io.BytesIO()
        np.savez(zipped, a=np.zeros(3))
        np.save(array, np.zeros(3))
        for content, found in (
            (zipped.getvalue(), "a zip archive"),
            (array.getvalue(), "a numpy array"),
            (pickle.dumps([1]), "a pickle, which is never loaded"),
            (b"HIERARCHY\nROOT Hips\n", "a BVH file"),
            (b"{}", "something else"),
            (b"\0" * 4096, "something else"),
        ):
            path.write_bytes(content)
            with pytest.raises(ArtifactError, match=f"expected a motionfields artifact, got {found}"):
                load(path)
        path.write_bytes(b"")
        with pytest.raises(ArtifactError, match="is empty"):
            load(path)

    def test_a_file_says_what_kind_it_is(self, saved: Path, tmp_path: Path) -> None:
        assert artifact_kind(saved) == "field"
        (tmp_path / "b.field").write_bytes(b"HIERARCHY")
        with pytest.raises(ArtifactError, match="expected a motionfields artifact") as caught:
            artifact_kind(tmp_path / "b.field")
        assert caught.value.path == str(tmp_path / "b.field")
        with pytest.raises(ArtifactError, match="there is no such file"):
            artifact_kind(tmp_path / "c.field")

    def test_a_plain_safetensors_file_is_refused(self, tmp_path: Path) -> None:
        entry = {"dtype": "F64", "shape": [3], "data_offsets": [0, 24]}
        header = json.dumps({"__metadata__": {"made_by": "motionfields"}, "a": entry}).encode()
        (tmp_path / "a.field").write_bytes(len(header).to_bytes(8, "little") + header + bytes(24))
        with pytest.raises(ArtifactError, match="expected a motionfields artifact, got something else"):
            load(tmp_path / "a.field")

    def test_a_folder_a_pipe_and_nothing_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ArtifactError, match="expected a file, got a folder"):
            load(tmp_path)
        with pytest.raises(ArtifactError, match="there is no such file"):
            load(tmp_path / "a.field")
        if sys.platform != "win32":
            os.mkfifo(tmp_path / "pipe")
            with pytest.raises(ArtifactError, match="got a device or pipe"):
                load(tmp_path / "pipe")

    def test_another_kind_is_refused(self, saved: Path) -> None:
        with pytest.raises(ArtifactError, match="expected a controller, got a field"):
            read_artifact(saved, kind="controller", newest_version=1)

    def test_a_newer_version_asks_for_an_upgrade(self, tmp_path: Path) -> None:
        path = save(tmp_path / "a.field", version=3)
        assert read_artifact(path, kind="field", newest_version=4).version == 3
        with pytest.raises(
            ArtifactError, match="version 3 of the field format; this version reads up to 2; upgrade with"
        ):
            read_artifact(path, kind="field", newest_version=2)
        path.write_bytes(path.read_bytes().replace(b'"layout":"1"', b'"layout":"2"'))
        with pytest.raises(ArtifactError, match="layout that this version does not know; upgrade"):
            load(path)

    def test_the_error_is_one_of_ours(self) -> None:
        assert mf.ArtifactError is ArtifactError
        assert issubclass(ArtifactError, mf.FormatError)


def signed(header: bytes) -> bytes:
    """The start of a file with this header, made to begin as ours do and to have the right checksum."""
    header += b" " * (-(LENGTH_BYTES + len(header)) % 64)
    rest = header[len(HEADER_START) + 64 :]
    digest = header_digest(HEADER_START + b"0" * 64 + rest).encode()
    return len(header).to_bytes(LENGTH_BYTES, "little") + HEADER_START + digest + rest


def header_of(path: Path) -> bytes:
    content = path.read_bytes()
    return content[LENGTH_BYTES : LENGTH_BYTES + int.from_bytes(content[:LENGTH_BYTES], "little")].rstrip(b" ")


HUGE = "9223372036854775807"
LIES: dict[str, list[str]] = {
    '"shape":[4]': [
        *(
            f'"shape":[{lengths}]'
            for lengths in ("5", "2", "-4", "4.0", "true", "null", "[4]", "9" * 5000, "1," * 40 + "4")
        ),
        *('"shape":4', '"shape":{}', f'"shape":[{HUGE},{HUGE}]', f'"shape":[0,{HUGE},{HUGE}]'),
    ],
    '"data_offsets":[0,32]': [
        *(
            f'"data_offsets":[{extent}]'
            for extent in ("0,33", "8,40", "32,0", "-32,0", "0", "0,32,32", "0,1e999", "0,32.0")
        ),
        *('"data_offsets":"0,32"', '"data_offsets":[18446744073709551584,18446744073709551616]'),
    ],
    '"data_offsets":[32,48]': ['"data_offsets":[0,16]', '"data_offsets":[16,32]', '"data_offsets":[33,49]'],
    '"dtype":"F64"': [
        *(f'"dtype":{dtype}' for dtype in ('"F32"', '"C64"', '"object"', "null", '["F64"]', '"F64","dtype":"F64"')),
        *('"type":"F64"', '"dtype":"F64","more":1'),
    ],
    '"a":{': ['"b":{', '"c":{', '"":{', '"__metadata__":{', r'"a/../\u0000":{', '"\xff":{', r'"\ud800":{'],
    '"kind":"field"': [
        '"kind":1',
        '"kind":"field","kind":"field"',
        '"kind":{}',
        '"sort":"field"',
        r'"kind":"a\nb"',
        f'"kind":"{"a" * 9999}"',
    ],
    '"version":"1"': [
        *(f'"version":"{version}"' for version in ("0", "-1", "1.0", "", "01", "1\xb2", "9" * 10_000)),
        '"version":1',
    ],
    r'"facts":"{\"k\":1}"': [
        *(f'"facts":"{facts}"' for facts in ("", "{", "[1]", "1", "[" * 100_000, r"{\"k\":1,\"k\":1}")),
        *(rf'"facts":"{{\"k\":{value}}}"' for value in ("NaN", "-Infinity", "1e999", "1" * 9999, r"\"\\ud800\"")),
        rf'"facts":"{{\"k\":{"[" * DEEPEST_FACTS}{"]" * DEEPEST_FACTS}}}"',
        *('"facts":{}', '"fact":"{}"'),
    ],
    '"block_sha256":"{': ['"block_sha256":"[', r'"block_sha256":"{\"z\":\"\",', '"block_sha256":1,"x":"{'],
    r"\"b\":\"": [r"\"b\":\"0", r"\"c\":\"", r"\"b\":\"\",\"b\":\""],
    "}}": ["}", "}},1", "}}}", "}}\0", "}}" + "[" * 100_000],
}


class TestLyingHeaders:
    """Headers whose checksum is right, as somebody who means harm would write them."""

    @pytest.fixture
    def honest(self, tmp_path: Path) -> Path:
        return save(tmp_path / "a.field", {"a": np.arange(4.0), "b": np.arange(4, dtype=np.float32)}, facts={"k": 1})

    def test_signing_is_what_the_writer_does(self, honest: Path) -> None:
        content = honest.read_bytes()
        assert content.startswith(signed(header_of(honest)))

    @pytest.mark.parametrize(
        ("truth", "lie"),
        [(truth, lie) for truth, lies in LIES.items() for lie in lies],
        ids=lambda text: ascii(text)[1:40],
    )
    def test_each_lie_is_refused(self, honest: Path, truth: str, lie: str) -> None:
        header, data = header_of(honest), honest.read_bytes()[-48:]
        before, _, after = header.rpartition(truth.encode())
        honest.write_bytes(signed(before + lie.encode("latin-1") + after) + data)
        with pytest.raises(ArtifactError) as error:
            load(honest)
        assert len(str(error.value)) < 500
        assert str(error.value).startswith(str(honest))
        assert str(error.value).isprintable()

    @pytest.mark.parametrize("length", [0, 1, 127, 2**31, 2**63, 2**64 - 1, MOST_HEADER_BYTES + 1])
    def test_lengths_of_the_header_that_cannot_be_are_refused(self, honest: Path, length: int) -> None:
        honest.write_bytes(length.to_bytes(LENGTH_BYTES, "little") + honest.read_bytes()[LENGTH_BYTES:])
        with pytest.raises(ArtifactError, match="damaged or truncated"):
            load(honest)

    def test_booleans_that_are_neither_are_refused(self, tmp_path: Path) -> None:
        path = save(tmp_path / "a.field", {"flags": np.array([0, 1, 2], np.uint8)})
        path.write_bytes(signed(header_of(path).replace(b'"U8"', b'"BOOL"')) + bytes([0, 1, 2]))
        with pytest.raises(ArtifactError, match="neither true nor false"):
            load(path).array("flags")

    @given(data=st.data())
    def test_any_change_of_the_header_is_read_or_refused(
        self, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
    ) -> None:
        arrays: Arrays = {"a": np.arange(4.0), "b": np.zeros((2, 3))}
        path = save(tmp_path_factory.getbasetemp() / "fuzz.field", arrays, facts={"k": 1})
        header, values = header_of(path), path.read_bytes()[-80:]
        words = st.sampled_from([b"", b"0", b"9" * 30, b'"', b"{", b"}", b"[", b"]", b",", b"\xff", b"null", b"1e9"])
        for _ in range(data.draw(st.integers(1, 3))):
            start = data.draw(st.integers(len(HEADER_START) + 64, len(header)))
            header = header[:start] + data.draw(words) + header[start + data.draw(st.integers(0, 8)) :]
        path.write_bytes(signed(header) + values)
        with contextlib.suppress(ArtifactError):
            load(path, verify=True)


class TestWriting:
    @pytest.mark.parametrize("name", ["", "__metadata__", "1a", "a b", "a\n", "ä", "a" * 200, 3])
    def test_odd_names_are_refused(self, tmp_path: Path, name: Any) -> None:
        with pytest.raises(ValueError, match="arrays: expected names"):
            save(tmp_path / "a.field", {name: np.zeros(3)})
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize(
        "array",
        [np.array([None]), np.array(["a"]), np.zeros(2, complex), np.zeros(2, "f4,i4"), np.array([], "M8[s]"), [1.0]],
        ids=lambda array: str(getattr(array, "dtype", "list")),
    )
    def test_arrays_that_are_no_numbers_are_refused(self, tmp_path: Path, array: Any) -> None:
        with pytest.raises(ValueError, match="arrays: expected a to be an array of real numbers or booleans, got"):
            save(tmp_path / "a.field", {"a": array})

    def test_shapes_that_could_not_be_read_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match="fewer axes or elements"):
            save(tmp_path / "a.field", {"a": np.zeros((1,) * 20)})

    @pytest.mark.parametrize(
        "value",
        [np.nan, np.inf, np.arange(3), np.float32(1.0), {1: 2}, {"a": {3}}, b"bytes", "\ud800", {"\udfff": 1}, 1j],
        ids=repr,
    )
    def test_facts_that_json_does_not_hold_are_refused(self, tmp_path: Path, value: Any) -> None:
        with pytest.raises(ValueError, match="facts"):
            save(tmp_path / "a.field", facts={"odd": value})

    def test_facts_without_end_are_refused(self, tmp_path: Path) -> None:
        circle: list[Any] = []
        circle.append(circle)
        with pytest.raises(ValueError, match=r"facts\.circle: expected at most 32 levels"):
            save(tmp_path / "a.field", facts={"circle": circle})
        with pytest.raises(ValueError, match="expected a header of at most"):
            save(tmp_path / "a.field", facts={"long": "x" * MOST_HEADER_BYTES})

    def test_facts_keep_their_values(self, tmp_path: Path) -> None:
        facts: dict[str, Any] = {"seed": 2**127, "tiny": 5e-324, "pi": np.float64(np.pi), "emoji": "🏃", "yes": True}
        nested: dict[str, Any] = {"tuple": (1, 2), "view": MappingProxyType({"a": 1})}
        artifact = load(save(tmp_path / "a.field", facts={**facts, **nested}))
        assert artifact.facts == {**facts, "tuple": [1, 2], "view": {"a": 1}}

    @pytest.mark.parametrize(("kind", "version"), [("", 1), ("Field", 1), ("a b", 1), ("field", 0), ("field", True)])
    def test_odd_kinds_and_versions_are_refused(self, tmp_path: Path, kind: str, version: int) -> None:
        with pytest.raises(ValueError, match=r"(kind|version): expected"):
            write_artifact(tmp_path / "a.field", kind=kind, version=version, arrays={}, facts={})

    def test_a_failure_leaves_the_old_file_and_nothing_else(self, saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(*_: object) -> str:
            raise OSError(28, "No space left on device")

        before = saved.read_bytes()
        monkeypatch.setattr(writing, "_write_array", full)
        with pytest.raises(OSError, match="No space"):
            save(saved, {"a": np.zeros(3)})
        assert saved.read_bytes() == before
        assert list(saved.parent.iterdir()) == [saved]

    def test_a_save_removes_what_killed_ones_left_in_the_folder(self, saved: Path) -> None:
        saved.with_name(".b.field.0123abcd.motionfields-draft").write_bytes(b"half")
        save(saved)
        assert list(saved.parent.iterdir()) == [saved]

    def test_writing_takes_no_second_copy_of_the_arrays(self, tmp_path: Path) -> None:
        square = np.zeros((2048, 2048), np.float32)
        arrays = {"plain": square, "turned": square.T, "swapped": square.view(">f4")}
        tracemalloc.start()
        save(tmp_path / "a.field", arrays)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 3 * BLOCK_BYTES < square.nbytes
