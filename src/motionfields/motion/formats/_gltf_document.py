"""The JSON and the buffers of a glTF file, from untrusted bytes; every access is checked."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn
from urllib.parse import unquote

from motionfields.base.errors import GltfError
from motionfields.motion.formats._names import member_name_fault, shown

LARGEST_JSON: Final = 256 * 1024**2
"""Largest size in bytes of a file's JSON, including embedded buffers."""

MOST_NODES: Final = 10_000
"""Largest number of nodes in a file."""

LARGEST_NUMBER: Final = 1e12
"""Largest position, size or time in a file."""

_JSON_CHUNK, _DATA_CHUNK = b"JSON", b"BIN\0"


@dataclass(frozen=True, eq=False)
class GltfDocument:
    """The content of a glTF file; `blob` is the buffer in a binary file, `path` is only for messages."""

    parts: dict[str, Any]
    blob: memoryview
    size: int  # bytes of the whole file
    path: str | None
    _buffers: dict[int, memoryview] = field(default_factory=dict)

    def fail(self, reason: str) -> NoReturn:
        """Raise the error for this file."""
        raise GltfError(reason, path=self.path)

    def items(self, name: str, *, most: int | None = None, within: dict[str, Any] | None = None) -> list[Any]:
        """Return the objects listed under `name`, of the document or of an object in it."""
        found = (self.parts if within is None else within).get(name, [])
        if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
            self.fail(f"{name}: expected a list of objects")
        if most is not None and len(found) > most:
            self.fail(f"{name}: expected at most {most}, got {len(found)}")
        return found

    def whole(self, item: dict[str, Any], name: str, *, default: int | None = None, most: int = 2**53) -> int:
        """Return the whole number `name` of an object, from 0 to `most`."""
        value = item.get(name, default)
        if type(value) is not int or not 0 <= value <= most:
            self.fail(f"{name}: expected a whole number from 0 to {most}, got {shown(repr(value))}")
        return value

    def one(self, name: str, item: dict[str, Any], key: str) -> dict[str, Any]:
        """Return the object of the list `name` whose index is in `item` under `key`."""
        listed = self.items(name)
        index = self.whole(item, key)
        if index >= len(listed):
            self.fail(f"{key}: expected one of {len(listed)} {name}, got {index}")
        chosen: dict[str, Any] = listed[index]
        return chosen

    def numbers(self, item: dict[str, Any], name: str, count: int) -> list[float] | None:
        """Return the `count` numbers under `name` of an object, or None if there are none."""
        values = item.get(name)
        if values is None:
            return None
        if not isinstance(values, list) or len(values) != count or not all(map(_is_finite, values)):
            self.fail(f"{name}: expected {count} numbers up to {LARGEST_NUMBER:g}")
        return [float(value) for value in values]

    def buffer(self, index: int) -> memoryview:
        """Return the bytes of a buffer."""
        if index not in self._buffers:
            self._buffers[index] = self._read_buffer(index)
        return self._buffers[index]

    def view(self, view: dict[str, Any]) -> memoryview:
        """Return the bytes of one of the bufferViews."""
        buffer = self.buffer(self.whole(view, "buffer"))
        start, length = self.whole(view, "byteOffset", default=0), self.whole(view, "byteLength")
        if start + length > len(buffer):
            self.fail(f"bufferView: its {length} bytes from {start} reach beyond the buffer's {len(buffer)}")
        return buffer[start : start + length]

    def _read_buffer(self, index: int) -> memoryview:
        listed = self.items("buffers")
        if index >= len(listed):
            self.fail(f"buffer: expected one of {len(listed)} buffers, got {index}")
        uri, length = listed[index].get("uri"), self.whole(listed[index], "byteLength")
        if uri is None and index == 0:
            data = self.blob
        elif isinstance(uri, str) and uri.startswith("data:"):
            data = self.embedded(uri)
        else:
            self.fail(f"buffer {index} is not in the file, but at {shown(repr(uri))}")
        if length > len(data):
            self.fail(f"buffer {index}: expected {length} bytes, as declared by byteLength, got {len(data)}")
        return data[:length]

    def embedded(self, uri: str) -> memoryview:
        """Return the bytes in a data URI."""
        head, comma, text = uri.partition(",")
        try:
            if not comma or not head.endswith(";base64"):
                raise ValueError("expected base64")
            return memoryview(base64.b64decode(text, validate=True))
        except ValueError as error:
            self.fail(f"a data URI in the file cannot be decoded: {error}")


def read_document(data: bytes, path: str | None) -> GltfDocument:
    """Parse the bytes of a `.glb` or `.gltf` file."""
    if data[:4] == b"glTF":
        text, blob = _chunks(data, path)
    else:
        text, blob = memoryview(data), memoryview(b"")
    document = GltfDocument(_json(text, path), blob, len(data), path)
    asset = document.parts.get("asset")
    version = asset.get("version") if isinstance(asset, dict) else None
    if not isinstance(version, str) or not version.startswith("2."):
        document.fail(f"expected glTF 2, got an asset of version {shown(repr(version))}; save it as glTF 2.0")
    return document


def standing_alone(data: bytes, path: str, beside: Callable[[str], bytes]) -> bytes:
    """Return `data` of a glTF file with buffers from other files embedded; unchanged if there are none.

    `beside` reads a file by its path relative to the folder of the glTF file. Paths that lead out of it, and URLs,
    raise `GltfError`.
    """
    if data[:4] == b"glTF":
        return data
    document = read_document(data, path)
    changed, room = False, LARGEST_JSON
    for buffer in document.items("buffers"):
        uri = buffer.get("uri")
        if not isinstance(uri, str) or uri.startswith("data:"):
            continue
        name = unquote(uri)
        if member_name_fault(name) or "\\" in name or ":" in name or not name:
            document.fail(f"buffers: expected a file beside this one, got {shown(repr(uri))}")
        content = beside(name)
        room -= 2 * len(content)
        if room < 0:
            document.fail(f"buffers: expected at most {LARGEST_JSON // 2} bytes in other files; save it as .glb")
        buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(content).decode()
        changed = True
    return json.dumps(document.parts).encode() if changed else data


def _chunks(data: bytes, path: str | None) -> tuple[memoryview, memoryview]:
    """Return the JSON and the buffer of a binary file."""
    view = memoryview(data)
    if len(data) < 20:
        raise GltfError("ends within its header", path=path)
    _, version, length = struct.unpack_from("<4sII", data)
    if version != 2:
        raise GltfError(f"expected glTF 2, got version {version}; save it as glTF 2.0", path=path)
    if length != len(data):
        raise GltfError(f"expected {length} bytes, as declared in its header, got {len(data)}", path=path)
    chunks, position = list[tuple[bytes, memoryview]](), 12
    while position < length and len(chunks) < 2:  # further chunks are ignored, as the format requires
        if position + 8 > length:
            raise GltfError("ends within the header of a chunk", path=path)
        size, kind = struct.unpack_from("<I4s", data, position)
        if position + 8 + size > length:
            raise GltfError(f"a chunk of {size} bytes reaches beyond the end of the file", path=path)
        chunks.append((kind, view[position + 8 : position + 8 + size]))
        position += 8 + size
    if chunks[0][0] != _JSON_CHUNK:
        raise GltfError(f"expected JSON as the first chunk, got {shown(repr(chunks[0][0]))}", path=path)
    has_data = len(chunks) > 1 and chunks[1][0] == _DATA_CHUNK
    return chunks[0][1], chunks[1][1] if has_data else memoryview(b"")


def _json(text: memoryview, path: str | None) -> dict[str, Any]:
    if len(text) > LARGEST_JSON:
        raise GltfError(f"expected at most {LARGEST_JSON} bytes of JSON, got {len(text)}; save it as .glb", path=path)
    try:
        parts = json.loads(str(text, "utf-8-sig"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else shown(str(error))
        raise GltfError(f"expected glTF, which is JSON: {reason}", path=path) from None
    if not isinstance(parts, dict):
        raise GltfError("expected glTF, a JSON object, got another value", path=path)
    return parts


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number in JSON")


def _is_finite(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST_NUMBER
