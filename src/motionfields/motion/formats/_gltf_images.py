"""Materials, textures and images of a glTF file, from untrusted bytes: known properties only, with bounds."""

from __future__ import annotations

import struct
from typing import Any, Final, NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.motion.formats._gltf_document import GltfDocument

MOST_MATERIALS: Final = 1000
LARGEST_IMAGE: Final = 64 * 1024**2
"""Largest size of an image in bytes, as it is in the file."""
MOST_PIXELS: Final = 8192 * 8192
"""Largest number of pixels of an image, which viewers unpack to four bytes each."""

_KINDS: Final = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
_ALPHA: Final = ("OPAQUE", "MASK", "BLEND")
_WRAPS: Final = (33071, 33648, 10497)
_FILTERS: Final = (9728, 9729, 9984, 9985, 9986, 9987)
# Start-of-frame markers of JPEG, which are followed by the size; 0xC4, 0xC8 and 0xCC are others.
_JPEG_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


class Image(NamedTuple):
    """A picture as it was in the file."""

    kind: str  # "image/png" or "image/jpeg"
    data: bytes


class Looks(NamedTuple):
    """Materials as glTF, and what they refer to."""

    materials: tuple[dict[str, Any], ...]
    textures: tuple[dict[str, Any], ...]
    samplers: tuple[dict[str, Any], ...]
    images: tuple[Image, ...]


def read_looks(document: GltfDocument) -> tuple[Looks, list[str]]:
    """Return the materials of `document` with their textures, and notes on what was left out."""
    reader = _Reader(document)
    materials = tuple(reader.material(item) for item in document.items("materials", most=MOST_MATERIALS))
    looks = Looks(materials, tuple(reader.textures), tuple(reader.samplers), tuple(reader.images))
    return looks, sorted(reader.notes)


class _Reader:
    def __init__(self, document: GltfDocument) -> None:
        self._document = document
        self.textures: list[dict[str, Any]] = []
        self.samplers: list[dict[str, Any]] = []
        self.images: list[Image] = []
        self.notes: set[str] = set()
        self._texture_of: dict[int, int] = {}
        self._image_of: dict[int, int] = {}
        self._room = 4 * document.size

    def material(self, item: dict[str, Any]) -> dict[str, Any]:
        """Return one material with the properties of glTF's core, checked."""
        document = self._document
        made: dict[str, Any] = {}
        if isinstance(item.get("name"), str):
            made["name"] = item["name"][:200]
        surface = self._object(item, "pbrMetallicRoughness")
        color = self._shares(surface, "baseColorFactor", 4)
        pbr: dict[str, Any] = {} if color is None else {"baseColorFactor": color}
        for name in ("metallicFactor", "roughnessFactor"):
            if name in surface:
                pbr[name] = self._share(surface, name)
        for name in ("baseColorTexture", "metallicRoughnessTexture"):
            self._add_texture(pbr, surface, name)
        if pbr:
            made["pbrMetallicRoughness"] = pbr
        for name, factor in (("normalTexture", "scale"), ("occlusionTexture", "strength"), ("emissiveTexture", "")):
            self._add_texture(made, item, name, factor)
        emitted = self._shares(item, "emissiveFactor", 3)
        made |= {} if emitted is None else {"emissiveFactor": emitted}
        if "alphaMode" in item:
            if item["alphaMode"] not in _ALPHA:
                document.fail(f"alphaMode: expected one of {', '.join(_ALPHA)}, got {str(item['alphaMode'])[:40]!r}")
            made["alphaMode"] = item["alphaMode"]
            if made["alphaMode"] == "MASK" and "alphaCutoff" in item:
                made["alphaCutoff"] = self._share(item, "alphaCutoff")
        if item.get("doubleSided") is True:
            made["doubleSided"] = True
        if "KHR_materials_unlit" in self._object(item, "extensions"):
            made["extensions"] = {"KHR_materials_unlit": {}}
        return made

    def _add_texture(self, made: dict[str, Any], item: dict[str, Any], name: str, factor: str = "") -> None:
        if name not in item:
            return
        document = self._document
        told = self._object(item, name)
        if document.whole(told, "texCoord", default=0) != 0:
            self.notes.add("textures with a second set of coordinates are left out")
            return
        if "KHR_texture_transform" in self._object(told, "extensions"):
            self.notes.add("transforms of textures are left out")
        number = self._texture(document.whole(told, "index"))
        if number is None:
            return
        made[name] = {"index": number}
        if factor and factor in told:
            values = document.numbers({factor: [told[factor]]}, factor, 1)
            assert values is not None
            made[name][factor] = min(max(values[0], 0.0), 1.0) if factor == "strength" else values[0]

    def _texture(self, index: int) -> int | None:
        """Return the number of a texture in the result; None if its picture is of a kind that is left out."""
        document = self._document
        if index in self._texture_of:
            return self._texture_of[index]
        item = document.one("textures", {"index": index}, "index")
        if "source" not in item:
            self.notes.add("textures that are neither PNG nor JPEG are left out")
            return None
        image = self._image(document.whole(item, "source"))
        made = {"source": image}
        if "sampler" in item:
            made["sampler"] = self._sampler(document.one("samplers", item, "sampler"))
        self.textures.append(made)
        self._texture_of[index] = len(self.textures) - 1
        return self._texture_of[index]

    def _sampler(self, item: dict[str, Any]) -> int:
        made = {}
        known = (("magFilter", _FILTERS[:2]), ("minFilter", _FILTERS), ("wrapS", _WRAPS), ("wrapT", _WRAPS))
        for name, allowed in known:
            if name in item:
                if item[name] not in allowed or isinstance(item[name], bool):
                    self._document.fail(f"{name}: expected one of {', '.join(map(str, allowed))}")
                made[name] = item[name]
        if made not in self.samplers:
            self.samplers.append(made)
        return self.samplers.index(made)

    def _image(self, index: int) -> int:
        document = self._document
        if index in self._image_of:
            return self._image_of[index]
        item = document.one("images", {"source": index}, "source")
        data = bytes(self._image_bytes(item))
        self._room -= len(data)
        if len(data) > LARGEST_IMAGE or self._room < 0:
            document.fail(f"images: expected at most {LARGEST_IMAGE} bytes in each and none twice, got {len(data)}")
        kind = next((kind for mark, kind in _KINDS.items() if data.startswith(mark)), None)
        if kind is None:
            document.fail("images: expected PNG or JPEG, got other bytes")
        width, height = _size(data, kind)
        if not 0 < width * height <= MOST_PIXELS:
            document.fail(f"images: expected a picture of at most {MOST_PIXELS} pixels, got {width} x {height}")
        self.images.append(Image(kind, data))
        self._image_of[index] = len(self.images) - 1
        return self._image_of[index]

    def _image_bytes(self, item: dict[str, Any]) -> memoryview:
        document = self._document
        if "bufferView" in item:
            return document.view(document.one("bufferViews", item, "bufferView"))
        uri = item.get("uri")
        if not isinstance(uri, str) or not uri.startswith("data:"):
            document.fail("images: expected pictures inside the file; save it as .glb")
        return document.embedded(uri)

    def _object(self, item: dict[str, Any], name: str) -> dict[str, Any]:
        value = item.get(name, {})
        if not isinstance(value, dict):
            self._document.fail(f"{name}: expected an object")
        return value

    def _share(self, item: dict[str, Any], name: str) -> float:
        values = self._document.numbers({name: [item[name]]}, name, 1)
        assert values is not None
        return min(max(values[0], 0.0), 1.0)

    def _shares(self, item: dict[str, Any], name: str, count: int) -> list[float] | None:
        values = self._document.numbers(item, name, count)
        return None if values is None else [min(max(value, 0.0), 1.0) for value in values]


def _size(data: bytes, kind: str) -> tuple[int, int]:
    """Return width and height in pixels from the header of a picture; 0 if it has none."""
    if kind == "image/png":
        return struct.unpack(">II", data[16:24]) if len(data) >= 24 and data[12:16] == b"IHDR" else (0, 0)
    place = 2
    while place + 9 <= len(data) and data[place] == 0xFF:
        marker, length = data[place + 1], int.from_bytes(data[place + 2 : place + 4], "big")
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return width, height
        place += 2 + length if marker != 0xFF else 1
    return 0, 0


def has_texture(material: dict[str, Any]) -> bool:
    """Return whether a material of `Looks` uses a texture."""
    return any(name.endswith("Texture") for name in (*material, *material.get("pbrMetallicRoughness", {})))


def normalized(weights: FloatArray) -> FloatArray:
    """Return `weights` [vertex, influence] with a sum of 1; the first influence alone where all are 0."""
    total = weights.sum(axis=1, keepdims=True)
    first = np.zeros_like(weights)
    first[:, 0] = 1.0
    return np.where(total > 1e-8, weights / np.where(total > 1e-8, total, 1.0), first)
