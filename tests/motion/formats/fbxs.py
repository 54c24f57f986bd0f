"""A small writer of FBX 7.4, as text and binary, for tests: bones with pre-rotation and takes of Euler curves."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

TICKS = 46_186_158_000  # of FBX time in a second
RATES = {120.0: 1, 60.0: 3, 30.0: 6, 24.0: 11, 24.0 / 1.001: 13}  # the numbers of FBX's time modes


class Bone(NamedTuple):
    name: str
    parent: int  # -1 for the scene
    offset: tuple[float, float, float]  # from the parent, in its frame
    pre_rotation: tuple[float, float, float] = (0.0, 0.0, 0.0)  # degrees, XYZ
    kind: str = "LimbNode"


class Take(NamedTuple):
    name: str
    rotations: Mapping[int, Sequence[Sequence[float]]]  # by bone: Euler angles [frame][3] in degrees, XYZ
    translations: Mapping[int, Sequence[Sequence[float]]] = MappingProxyType({})  # by bone: [frame][3]


class Node(NamedTuple):
    name: str
    values: tuple[Any, ...] = ()
    children: tuple[Node, ...] = ()


def fbx_tree(
    bones: Sequence[Bone], takes: Sequence[Take], *, rate: float = 30.0, unit_cm: float = 1.0, up: int = 1
) -> list[Node]:
    """Return the nodes of a file; `up` is the number of the axis."""
    objects, links = list[Node](), list[Node]()

    def link(child: int, parent: int, prop: str = "") -> None:
        links.append(Node("C", ("OP", child, parent, prop) if prop else ("OO", child, parent)))

    for number, bone in enumerate(bones):
        properties = [_vector("Lcl Translation", bone.offset), _vector("PreRotation", bone.pre_rotation)]
        properties.append(Node("P", ("RotationActive", "bool", "", "", 1)))
        flags = (Node("TypeFlags", ("Skeleton",)),)
        attribute = Node("NodeAttribute", (500 + number, "NodeAttribute::", bone.kind), flags)
        model = (Node("Version", (232,)), Node("Properties70", (), tuple(properties)))
        objects.append(Node("Model", (100 + number, f"Model::{bone.name}", bone.kind), model))
        link(100 + number, 0 if bone.parent < 0 else 100 + bone.parent)
        if bone.kind == "LimbNode":
            objects.append(attribute)
            link(500 + number, 100 + number)
    for number, take in enumerate(takes):
        _add_take(objects, link, 10_000 * (number + 1), take, rate)
    settings = [
        *(_whole("UpAxis", up), _whole("UpAxisSign", 1), _whole("FrontAxis", 2 if up == 1 else 1)),
        *(_whole("FrontAxisSign", 1 if up == 1 else -1), _whole("CoordAxis", 0), _whole("CoordAxisSign", 1)),
        Node("P", ("UnitScaleFactor", "double", "Number", "", float(unit_cm))),
        Node("P", ("TimeMode", "enum", "", "", RATES[rate])),
    ]
    return [
        Node("FBXHeaderExtension", (), (Node("FBXVersion", (7400,)),)),
        Node("GlobalSettings", (), (Node("Version", (1000,)), Node("Properties70", (), tuple(settings)))),
        Node("Objects", (), tuple(objects)),
        Node("Connections", (), tuple(links)),
    ]


def _add_take(objects: list[Node], link: Any, first: int, take: Take, rate: float) -> None:
    count = max(len(track) for track in (*take.rotations.values(), *take.translations.values()))
    times = tuple(round(frame * TICKS / rate) for frame in range(count))
    span = tuple(
        Node("P", (name, "KTime", "Time", "", ticks)) for name, ticks in (("LocalStart", 0), ("LocalStop", times[-1]))
    )
    objects += [
        Node("AnimationStack", (first, f"AnimStack::{take.name}", ""), (Node("Properties70", (), span),)),
        Node("AnimationLayer", (first + 1, "AnimLayer::Base", "")),
    ]
    link(first + 1, first)
    number = first + 2
    for prop, tracks in (("Lcl Rotation", take.rotations), ("Lcl Translation", take.translations)):
        for bone, track in tracks.items():
            curve_node = number
            objects.append(Node("AnimationCurveNode", (curve_node, f"AnimCurveNode::{prop[4]}", "")))
            link(curve_node, first + 1)
            link(curve_node, 100 + bone, prop)
            for axis, letter in enumerate("XYZ"):
                number += 1
                values = tuple(float(row[axis]) for row in track)
                keys = (
                    Node("KeyVer", (4009,)),
                    Node("KeyTime", (times,)),
                    Node("KeyValueFloat", (values,)),
                    Node("KeyAttrFlags", ((0x104,),)),  # linear
                    Node("KeyAttrDataFloat", ((0.0, 0.0, 0.0, 0.0),)),
                    Node("KeyAttrRefCount", ((count,),)),
                )
                objects.append(Node("AnimationCurve", (number, "AnimCurve::", ""), keys))
                link(number, curve_node, f"d|{letter}")
            number += 1


def _vector(name: str, values: Iterable[float]) -> Node:
    return Node("P", (name, "Vector3D", "Vector", "", *map(float, values)))


def _whole(name: str, value: int) -> Node:
    return Node("P", (name, "int", "Integer", "", value))


def as_text(nodes: Sequence[Node]) -> bytes:
    """Return the bytes of a text file."""
    return ("; FBX 7.4.0 project file\n" + "".join(_text(node, 0) for node in nodes)).encode()


def _text(node: Node, depth: int) -> str:
    indent = "\t" * depth
    if node.values and isinstance(node.values[0], tuple):
        values = node.values[0]
        return f"{indent}{node.name}: *{len(values)} {{\n{indent}\ta: {','.join(map(repr, values))}\n{indent}}}\n"
    words = ", ".join(f'"{value}"' if isinstance(value, str) else repr(value) for value in node.values)
    if not node.children:
        return f"{indent}{node.name}: {words}\n"
    return f"{indent}{node.name}: {words} {{\n{''.join(_text(one, depth + 1) for one in node.children)}{indent}}}\n"


def as_binary(nodes: Sequence[Node]) -> bytes:
    """Return the bytes of a binary file, with arrays that are not compressed."""
    data = bytearray(b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", 7400))
    for node in nodes:
        _append(data, node)
    return bytes(data) + bytes(13) + bytes(160)


def _append(data: bytearray, node: Node) -> None:
    start = len(data)
    values = b"".join(map(_value, node.values))
    data += bytes(12) + struct.pack("<B", len(node.name)) + node.name.encode() + values
    for child in node.children:
        _append(data, child)
    if node.children:
        data += bytes(13)
    data[start : start + 12] = struct.pack("<III", len(data), len(node.values), len(values))


def _value(value: Any) -> bytes:
    if isinstance(value, str):
        name, mark, kind = value.partition("::")[::-1] if "::" in value else (value, "", "")
        text = (name + "\0\x01" + kind if mark else value).encode()
        return b"S" + struct.pack("<I", len(text)) + text
    if isinstance(value, tuple):
        letter, code = ("l", "q") if isinstance(value[0], int) and max(value) > 2**31 else ("i", "i")
        letter, code = ("f", "f") if isinstance(value[0], float) else (letter, code)
        body = struct.pack(f"<{len(value)}{code}", *value)
        return letter.encode() + struct.pack("<III", len(value), 0, len(body)) + body
    if isinstance(value, float):
        return b"D" + struct.pack("<d", value)
    return b"L" + struct.pack("<q", value)
