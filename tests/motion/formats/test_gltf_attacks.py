"""glTF files made to break the reader: each is refused with `GltfError`, soon, and in little memory."""

from __future__ import annotations

import contextlib
import copy
import json
import struct
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionfields as mf
from motionfields.base.errors import GltfError
from motionfields.motion.formats import read_gltf
from tests.motion.formats.gltfs import Builder, glb

MOST_SECONDS = 3.0
MOST_BYTES = 200_000_000
FRAMES = 6
Document = dict[str, Any]


def good() -> Builder:
    """Two joints under an armature, in a skin, with three channels."""
    builder = Builder()
    armature = builder.node("Armature", scale=[0.01] * 3)
    root = builder.node("Hips", armature, translation=[0, 100, 0])
    end = builder.node("Spine", root, translation=[0, 20, 0])
    times = builder.accessor(np.arange(FRAMES) / 30.0)
    animation = builder.animation("walk")
    animation.channel(root, "translation", builder.accessor(np.arange(3.0 * FRAMES).reshape(-1, 3)), times)
    animation.channel(root, "rotation", builder.accessor(np.tile([0, 0, 0, 1.0], (FRAMES, 1))), times)
    animation.channel(end, "rotation", builder.accessor(np.tile([1.0, 0, 0, 0], (FRAMES, 1))), times)
    builder.skin([root, end], np.tile(np.eye(4), (2, 1, 1)))
    return builder


def changed(change: Callable[[Document], object]) -> Callable[[], bytes]:
    """The good file with its document changed."""

    def make() -> bytes:
        builder = good()
        document = {**builder.document, "buffers": [{"byteLength": len(builder.blob)}]}
        change(document)
        return glb(document, builder.blob)

    return make


def put(place: str, value: object) -> Callable[[], bytes]:
    """The good file with `value` at a place like nodes.0.children; None takes away what is there."""

    def change(document: Document) -> None:
        *path, last = [int(part) if part.isdecimal() else part for part in place.split(".")]
        item: Any = document
        for part in path:
            item = item[part]
        if value is None:
            del item[last]
        else:
            item[last] = value

    return changed(change)


def numbers(index: int, values: object) -> Callable[[], bytes]:
    """The good file with other float32 numbers in an accessor."""

    def make() -> bytes:
        builder = good()
        start = builder.document["bufferViews"][index]["byteOffset"]
        data = np.asarray(values, "<f4").tobytes()
        builder.blob = builder.blob[:start] + data + builder.blob[start + len(data) :]
        return builder.glb()

    return make


def cut(size: int) -> Callable[[], bytes]:
    return lambda: good().glb()[:size]


def header(**fields: Any) -> Callable[[], bytes]:
    """The good file with another magic, version, length, or size or kind of its first chunk."""

    def make() -> bytes:
        data = good().glb()
        old = dict(
            zip(("magic", "version", "length", "size", "kind"), struct.unpack_from("<4sIII4s", data), strict=True)
        )
        return struct.pack("<4sIII4s", *{**old, **fields}.values()) + data[20:]

    return make


def sharing(document: Document) -> None:
    """Thousands of joints whose channels have the same keys."""
    document["nodes"] += [{"name": f"n{n}"} for n in range(3000)]
    document["nodes"][0]["children"] += list(range(3, 3003))
    document["skins"][0] = {"joints": list(range(1, 3003))}
    animation = document["animations"][0]
    for node in range(3, 3003):
        animation["channels"].append({"sampler": 1, "target": {"node": node, "path": "rotation"}})


def large_sharing() -> bytes:
    """The same over two megabytes of keys."""
    builder = good()
    count = 100_000
    times = builder.accessor(np.arange(count) / 1000.0)
    turns = builder.accessor(np.tile([0, 0, 0, 1.0], (count, 1)))
    animation = builder.document["animations"][0]
    animation["samplers"][1] |= {"input": times, "output": turns}
    sharing(builder.document)
    return builder.glb()


def chain(document: Document) -> None:
    """A chain of as many nodes as there may be."""
    document["nodes"] = [{"children": [n + 1]} for n in range(9999)] + [{}]


def sparse(**fields: Any) -> Callable[[], bytes]:
    part = {"count": 1, "indices": {"bufferView": 0, "componentType": 5125}, "values": {"bufferView": 1}}
    return put("accessors.1.sparse", {**part, **fields})


ATTACKS: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (lambda: b"", "expected glTF"),
    "noise": (lambda: bytes(range(256)) * 20, "expected glTF"),
    "a BVH file": (lambda: b"HIERARCHY\nROOT Hips\n", "expected glTF"),
    "the start of a header": (cut(10), "ends within its header"),
    "a file that is cut off": (cut(400), "bytes, as declared in its header"),
    "another magic": (header(magic=b"glTX"), "expected glTF"),
    "version 1": (header(version=1), "got version 1"),
    "a length of 4 GB": (header(length=2**32 - 1), "bytes, as declared in its header"),
    "a chunk of 4 GB": (header(size=2**32 - 1), "reaches beyond the end"),
    "a first chunk that is no JSON": (header(kind=b"BIN\0"), "expected JSON as the first chunk"),
    "JSON in other letters": (lambda: glb('{"asset": 1}'.encode("utf-16")), "expected glTF, which is JSON"),
    "brackets without end": (lambda: glb(b"[" * 1_000_000), "nested too deep"),
    "a number of a million digits": (lambda: glb(b'{"asset":' + b"1" * 1_000_000 + b"}"), "expected glTF"),
    "NaN in the JSON": (lambda: glb(b'{"asset": NaN}'), "NaN is not a number"),
    "a list": (lambda: glb(b"[]"), "a JSON object"),
    "no asset": (put("asset", None), "an asset of version None"),
    "glTF 3": (put("asset.version", "3.0"), "an asset of version '3.0'"),
    "nodes that are a number": (put("nodes", 7), "nodes: expected a list"),
    "a node that is a list": (put("nodes.0", []), "nodes: expected a list of objects"),
    "too many nodes": (put("nodes", [{}] * 10_001), "at most 10000"),
    "a child that is not there": (put("nodes.0.children", [99]), "expected each child to be another node"),
    "a child with two parents": (put("nodes.0.children", [1, 2]), "with one parent"),
    "a node below itself": (put("nodes.2.children", [1]), "with one parent"),
    "nodes in a ring": (
        changed(lambda d: d["nodes"].extend([{"children": [4]}, {"children": [3]}])),
        "their own descendants",
    ),
    "a joint that is not there": (put("skins.0.joints", [1, 99]), "expected joints below 3"),
    "a joint that is True": (put("skins.0.joints", [True]), "a list of nodes"),
    "a skin of nothing": (put("skins.0.joints", []), "a list of nodes"),
    "no skin and no animation": (changed(lambda d: (d.pop("skins"), d.pop("animations"))), "neither"),
    "a place of two numbers": (put("nodes.1.translation", [0, 1]), "expected 3 numbers up to"),
    "a place of words": (put("nodes.1.translation", ["0", "1", "2"]), "expected 3 numbers up to"),
    "a place at infinity": (
        lambda: good().glb().replace(b"[0, 100, 0]", b"[0,1e999,0]"),
        "expected 3 numbers up to",
    ),
    "a place beyond all": (put("nodes.0.scale", [1e12] * 3), "within 1e\\+12 units"),
    "a rotation of no length": (put("nodes.1.rotation", [0, 0, 0, 0]), "one of no length"),
    "a scale of 0": (put("nodes.0.scale", [0, 0, 0]), "no size at rest"),
    "a matrix that is moved": (put("nodes.1.matrix", [1.0] * 16), "size at rest|is given by a matrix"),
    "an accessor that is not there": (put("animations.0.samplers.0.input", 99), "expected one of 5 accessors"),
    "a negative accessor": (put("animations.0.samplers.0.input", -1), "expected a whole number from 0"),
    "half an accessor": (put("animations.0.samplers.0.input", 0.5), "expected a whole number from 0"),
    "a sampler that is not there": (put("animations.0.channels.0.sampler", 3), "expected"),
    "a sampler of words": (put("animations.0.samplers.0", "x"), "samplers: expected a list of objects"),
    "a node that is not there": (put("animations.0.channels.0.target.node", 3), "expected a whole number from 0 to 2"),
    "no target": (put("animations.0.channels.0.target", None), "expected a target"),
    "two channels for one thing": (
        put("animations.0.channels.2.target.node", 1),
        "got two for the rotation of node 1",
    ),
    "a way between keys that is none": (put("animations.0.samplers.0.interpolation", "WILD"), "expected LINEAR"),
    "splines without tangents": (put("animations.0.samplers.0.interpolation", "CUBICSPLINE"), "expected 18 rows"),
    "rotations of three numbers": (put("accessors.2.type", "VEC3"), "expected 4 numbers a row"),
    "a type that is none": (put("accessors.2.type", "VEC9"), "type: expected one of"),
    "a type that is a list": (put("accessors.2.type", []), "type: expected one of"),
    "numbers of a kind that is none": (put("accessors.2.componentType", 5124), "componentType: expected one of"),
    "an accessor of nothing": (put("accessors.0.count", 0), "at least 1"),
    "an accessor of too much": (put("accessors.1.count", 7), "reach beyond its view"),
    "an accessor of a thousand million": (put("accessors.1.count", 10**9), "far more numbers|beyond its view"),
    "an accessor of all there is": (put("accessors.1.count", 2**53), "far more numbers"),
    "an accessor from beyond": (put("accessors.1.byteOffset", 10**15), "reach beyond its view"),
    "an accessor without a view": (put("accessors.1.bufferView", None), "bufferView: expected one"),
    "a view that is not there": (put("accessors.1.bufferView", 44), "expected one of 5 bufferViews"),
    "a view beyond its buffer": (put("bufferViews.1.byteLength", 10**9), "reach beyond the buffer"),
    "a view from beyond": (put("bufferViews.1.byteOffset", 2**40), "reach beyond the buffer"),
    "rows that overlap": (put("bufferViews.1.byteStride", 4), "reach beyond its view"),
    "rows far apart": (put("bufferViews.1.byteStride", 10**9), "byteStride: expected a whole number"),
    "a buffer that is not there": (put("bufferViews.1.buffer", 5), "expected one of 1 buffers"),
    "a buffer of more than there is": (put("buffers.0.byteLength", 10**12), "as declared by byteLength"),
    "a buffer elsewhere": (put("buffers.0.uri", "https://example.org/x.bin"), "is not in the file"),
    "a buffer in the system": (put("buffers.0.uri", "file:///etc/passwd"), "is not in the file"),
    "a buffer that is a number": (put("buffers.0.uri", 7), "is not in the file"),
    "a buffer of bad letters": (put("buffers.0.uri", "data:;base64,%%%"), "cannot be decoded"),
    "compressed numbers": (
        put("bufferViews.1.extensions", {"EXT_meshopt_compression": {}}),
        "compressed with meshopt",
    ),
    "times that go back": (numbers(0, [0.0, 0.2, 0.1]), "times that increase"),
    "times that stand still": (numbers(0, [0.0, 0.0]), "times that increase"),
    "times that are none": (numbers(0, [np.nan]), "expected finite numbers"),
    "places at infinity": (numbers(1, [np.inf]), "expected finite numbers"),
    "places that are too far": (numbers(1, [1e30]), "expected finite numbers"),
    "turns that are none": (numbers(2, [0.0] * 4), "one of no length"),
    "a motion of a thousand years": (
        numbers(0, [0.0, 1e-3, 2e-3, 3e-3, 4e-3, 9e11]),
        "in proportion to the file|moves no joint",
    ),
    "sparse indices beyond": (sparse(count=6), "expected indices below"),
    "more sparse rows than rows": (sparse(count=7), "expected a whole number from 0 to 6"),
    "sparse parts that are none": (sparse(indices=3), "expected indices and values"),
    "sparse indices that are fractions": (
        sparse(indices={"bufferView": 0, "componentType": 5126}),
        "indices of whole numbers",
    ),
    "a sparse accessor of a thousand million": (
        changed(
            lambda d: d["accessors"][1].update(
                count=10**9, sparse={"count": 0, "indices": {"componentType": 5125}, "values": {}}
            )
        ),
        "far more numbers",
    ),
    "matrices of a skin that are too few": (put("accessors.4.count", 1), "expected 2, one for each joint"),
    "matrices of a skin that are numbers": (put("skins.0.inverseBindMatrices", 1), "expected 16 numbers a row"),
    "too many animations": (put("animations", [{}] * 1001), "animations: expected at most 1000"),
    "an animation of nothing": (put("animations.0.channels", []), "moves no joint"),
    "keys that thousands share": (large_sharing, "far more numbers"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_refused(name: str) -> None:
    make, reason = ATTACKS[name]
    data = make()
    began = time.process_time()
    tracemalloc.start()
    try:
        with pytest.raises(GltfError, match=reason):
            read_gltf(data, path="x.glb")
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES
    finally:
        tracemalloc.stop()
    assert time.process_time() - began < MOST_SECONDS


ODD: dict[str, tuple[Callable[[], bytes], int]] = {
    "the good file": (good().glb, FRAMES),
    "as text": (good().gltf, FRAMES),
    "with a mark of its letters": (lambda: b"\xef\xbb\xbf" + good().gltf(), FRAMES),
    "extensions that are required": (put("extensionsRequired", ["KHR_draco_mesh_compression"]), FRAMES),
    "meshes that mean nothing": (put("meshes", [{"primitives": "x"}]), FRAMES),
    "channels of other things": (put("animations.0.channels.1.target.path", "weights"), FRAMES),
    "channels of no node": (put("animations.0.channels.1.target", {"path": "rotation"}), FRAMES),
    "a skin named twice": (changed(lambda d: d["skins"].append(d["skins"][0])), FRAMES),
    "a joint named twice": (put("skins.0", {"joints": [1, 2, 2, 1]}), FRAMES),
    "a chain of all nodes there may be": (changed(chain), FRAMES),
    "a skin whose matrices have no inverse": (numbers(4, [0.0] * 32), FRAMES),
    "a skin whose matrices are huge": (numbers(4, [1e12, 1.0, 0.0, 1e-30] * 8), FRAMES),
    "many joints that share keys": (changed(sharing), FRAMES),
}


@pytest.mark.parametrize("name", ODD)
def test_what_is_odd_but_sound_is_read(name: str) -> None:
    make, frame_count = ODD[name]
    began = time.process_time()
    assert read_gltf(make()).frame_count == frame_count
    assert time.process_time() - began < 2 * MOST_SECONDS


@pytest.mark.parametrize(
    "uri",
    [
        "../secret.bin",
        "%2e%2e/secret.bin",
        "a/../../secret.bin",
        "..\\secret.bin",
        "/etc/passwd",
        "file:///etc/passwd",
        "http://127.0.0.1:9/x.bin",
        "C:\\x.bin",
        "con",
        "x\u202e.bin",
        "",
    ],
)
def test_no_path_leads_out_of_the_folder(uri: str, tmp_path: Path) -> None:
    builder = good()
    (tmp_path / "secret.bin").write_bytes(builder.blob)
    (tmp_path / "in").mkdir()
    text = json.loads(builder.gltf("x"))
    text["buffers"][0]["uri"] = uri
    (tmp_path / "in" / "x.gltf").write_text(json.dumps(text))
    with pytest.raises(mf.FormatError, match="expected a file beside this one"):
        mf.load_clip(tmp_path / "in" / "x.gltf")


def test_no_link_leads_out_of_the_folder(tmp_path: Path) -> None:
    builder = good()
    (tmp_path / "secret.bin").write_bytes(builder.blob)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "x.gltf").write_bytes(builder.gltf("x.bin"))
    (tmp_path / "in" / "x.bin").symlink_to(tmp_path / "secret.bin")
    with pytest.raises(mf.FormatError, match="a link that leads outside"):
        mf.load_clip(tmp_path / "in" / "x.gltf")
    (tmp_path / "in" / "x.bin").unlink()
    with pytest.raises(mf.FormatError, match="no such file"):
        mf.load_clip(tmp_path / "in" / "x.gltf")


def test_names_of_animations_do_not_lead_out_of_a_folder(tmp_path: Path) -> None:
    builder = good()
    animation = builder.document["animations"][0]
    builder.document["animations"] = [{**animation, "name": name} for name in ("../../x", "/etc/y", "..", "\x1b[2J")]
    (tmp_path / "x.glb").write_bytes(builder.glb())
    for clip in mf.load_clips(tmp_path):
        assert not set(clip.name) & set("/\\\x1b")


@pytest.mark.parametrize("text", [False, True])
def test_broken_files_meet_only_typed_errors(text: bool) -> None:
    rng = np.random.default_rng(11)
    builder = good()
    data = builder.gltf() if text else builder.glb()
    begin = 0 if text else 20
    refused = 0
    for _ in range(1500):
        broken = bytearray(data)
        for _ in range(rng.integers(1, 4)):
            at = int(rng.integers(begin, len(broken)))
            kind = rng.integers(4)
            if kind == 0:
                broken[at] = rng.integers(256)
            elif kind == 1:
                broken[at : at + 1] = rng.choice([b"0", b"-1", b"9999999999", b"1e99", b"[]", b"{}", b"null", b'"'])
            elif kind == 2:
                del broken[at : at + int(rng.integers(1, 30))]
            else:
                broken[at:at] = broken[max(0, at - 40) : at]
        if not text:
            broken[8:12] = struct.pack("<I", len(broken))
        try:
            read_gltf(bytes(broken))
        except GltfError:
            refused += 1
    assert 100 < refused < 1500


VALUES: tuple[Any, ...] = (
    *(
        None,
        0,
        1,
        -1,
        2,
        3,
        7,
        10**9,
        2**53,
        2**70,
        1.5,
        1e11,
        1e30,
        "x",
        "",
        [],
        {},
        [0],
        [1, 2, 3],
        [0, 0, 0, 1],
        True,
    ),
    *("translation", "scale", "rotation", "STEP", "CUBICSPLINE", "VEC3", "VEC4", "MAT4", "SCALAR", 5126, 5121, 5123),
)


def places(item: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to everything in a document."""
    if path:
        yield path
    keys = item if isinstance(item, dict) else range(len(item)) if isinstance(item, list) else ()
    for key in keys:
        yield from places(item[key], (*path, key))


def test_documents_with_wrong_values_meet_only_typed_errors() -> None:
    rng = np.random.default_rng(13)
    builder = good()
    document = {**builder.document, "buffers": [{"byteLength": len(builder.blob)}]}
    paths = list(places(document))
    refused = 0
    for _ in range(3000):
        broken = copy.deepcopy(document)
        for _ in range(rng.integers(1, 3)):
            *above, last = paths[rng.integers(len(paths))]
            item: Any = broken
            with contextlib.suppress(KeyError, IndexError, TypeError):  # one that an earlier change took away
                for key in above:
                    item = item[key]
                item[last] = copy.deepcopy(VALUES[rng.integers(len(VALUES))])
        try:
            read_gltf(glb(broken, builder.blob))
        except GltfError:
            refused += 1
    assert 1000 < refused < 3000


def test_broken_numbers_meet_only_typed_errors() -> None:
    rng = np.random.default_rng(12)
    builder = good()
    document = {**builder.document, "buffers": [{"byteLength": len(builder.blob)}]}
    for _ in range(500):
        blob = bytearray(builder.blob)
        at = 4 * int(rng.integers(len(blob) // 4))
        blob[at : at + 4] = rng.bytes(4)
        for data in (glb(document, bytes(blob)), json.dumps(document).encode()):
            try:
                motion = read_gltf(data)
            except GltfError:
                continue
            assert np.isfinite(motion.rotations).all()
            assert np.isfinite(motion.root_position).all()
