"""Program that turns an FBX file into binary glTF: run by `fbx.py` in a process of its own, within limits.

    python -P _fbx_child.py BYTES_OF_MEMORY SECONDS BYTES_OF_OUTPUT TAKE < x.fbx > out

The output is one line of JSON with facts about the file, and then a binary glTF file with the joints and one take, if
TAKE is 0 or more. It has keys at every frame of the take, 1/1024 s apart, which float32 holds exactly; the facts say
the true frame rate. An error is a line of JSON with a reason.

It imports neither numpy nor this package: it starts quickly, and little can go wrong beside the parser.
"""

from __future__ import annotations

import ctypes
import json
import os
import struct
import sys
from array import array
from collections.abc import Sequence
from typing import Any, BinaryIO, Final, NoReturn

MOST_NODES: Final = 10_000
KEY_RATE: Final = 1024  # keys per second in the output

# Matrices are three rows of four numbers, as lists.
Matrix = list[list[float]]


class RefusedError(Exception):
    """The file cannot be used."""


def main() -> None:
    """Convert standard input to standard output, within the limits in the arguments."""
    memory, seconds, output, take = map(int, sys.argv[1:])
    limit(memory, seconds, output)
    convert(sys.stdin.buffer.read(), take, output, sys.stdout.buffer)


def convert(data: bytes, take: int, output: int, target: BinaryIO) -> NoReturn:
    """Write what is found in `data` to `target`, and end this process."""
    try:
        facts, document = converted(data, take, output)
    except RefusedError as error:
        facts, document = {"error": str(error)}, b""
    except MemoryError:
        facts, document = {"error": "needs more memory than its size justifies"}, b""
    target.write(json.dumps(facts).encode() + b"\n" + document)
    target.flush()
    os._exit(0)  # without the destructors of ufbx, which free some objects twice


def limit(memory: int, seconds: int, output: int) -> None:
    """Limit this process, where the system can."""
    try:
        import resource
    except ImportError:  # on Windows; the caller ends the process after some time
        return
    for name, most in (("AS", memory), ("CPU", seconds), ("FSIZE", output), ("CORE", 0)):
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            hard = resource.getrlimit(kind)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            try:
                resource.setrlimit(kind, (most, hard))
            except (OSError, ValueError):  # a system without this limit
                continue


def converted(data: bytes, take: int, output: int) -> tuple[dict[str, Any], bytes]:
    """Return facts about a file and, if `take` is 0 or more, a binary glTF file of its joints and that take."""
    import ufbx

    try:
        # Scales that children do not inherit get a node of their own: glTF has no other way to hold them.
        scene = ufbx.load_memory(
            data,
            file_format=ufbx.FileFormat.FBX,
            ignore_geometry=True,
            ignore_embedded=True,
            inherit_mode_handling=ufbx.InheritModeHandling.HELPER_NODES,
        )
    except ufbx.UfbxError as error:
        raise RefusedError(f"cannot be read as FBX: {str(error)[:100].lower()}") from None
    nodes, stacks = listed(scene.nodes), listed(scene.anim_stacks)
    if len(nodes) > MOST_NODES:
        raise RefusedError(f"expected at most {MOST_NODES} nodes, got {len(nodes)}")
    settings = scene.settings
    rate = exact_rate(settings.frames_per_second)
    facts = {
        "takes": [stack.name for stack in stacks],
        "rate": rate,
        "unit": settings.unit_meters,
        "axes": [axis.name for axis in (settings.axes.right, settings.axes.up, settings.axes.front)],
    }
    if take < 0:
        return facts, b""
    return facts, glb(scene, nodes, stacks[take] if take < len(stacks) else None, rate, output)


def exact_rate(stated: float) -> float:
    """Return 24000/1001 for 23.976, and the like: ufbx has these rates to five digits."""
    exact = round(1.001 * stated) / 1.001
    return exact if abs(exact - stated) < 1e-5 * stated else stated


def glb(scene: Any, nodes: list[Any], stack: Any, rate: float, most: int) -> bytes:
    """Return a binary glTF file with `nodes`, the bones as skins, and the motion of `stack`, if there is one."""
    place = {node.typed_id: number for number, node in enumerate(nodes)}
    items = [node_item(node, place) for node in nodes]
    binary, views = bytearray(), list[dict[str, int]]()
    accessors = list[dict[str, Any]]()

    def add(values: array[float], kind: str, width: int) -> int:
        views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": 4 * len(values)})
        binary.extend(values.tobytes() if sys.byteorder == "little" else swapped(values))
        accessors.append({"bufferView": len(views) - 1, "componentType": 5126, "type": kind})
        accessors[-1]["count"] = len(values) // width
        if len(binary) > most:
            raise RefusedError("its motion is far longer than its size justifies")
        return len(accessors) - 1

    document: dict[str, Any] = {"asset": {"version": "2.0"}, "nodes": items}
    found = found_skins(scene, nodes, place)
    skins = [
        {"joints": joints, "inverseBindMatrices": add(array("f", matrices), "MAT4", 16)} for joints, matrices in found
    ]
    if skins:
        document["skins"] = skins
    if stack is not None:
        bones = {joint for joints, _ in found for joint in joints}
        document["animations"] = [animation(nodes, bones, stack, rate, most, add)]
    document |= {"accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": len(binary)}]}
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def listed(items: Any) -> list[Any]:
    """Return the items of a ufbx list.

    Lists of ufbx 0.0.5 do not count the reference that they return, so that items are freed while they are in use.
    Here each gets one that is never given back, which does no harm in a process that ends soon.
    """
    found = list[Any]()
    for number in range(len(items)):
        item = items[number]
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(item))
        found.append(item)
    return found


def node_item(node: Any, place: dict[int, int]) -> dict[str, Any]:
    """Return the glTF node of an FBX node."""
    local = node.local_transform
    item: dict[str, Any] = {
        "name": node.name,
        "translation": list(local.translation),
        "rotation": list(local.rotation),
        "scale": list(local.scale),
    }
    children = [place[child.typed_id] for child in listed(node.children)]
    if children:
        item["children"] = children
    if node.bone is None and (node.mesh or node.camera or node.light):
        item["mesh"] = 0  # marks nodes that are no bones; the reader of motion looks at no mesh
    return item


def animation(nodes: list[Any], bones: set[int], stack: Any, rate: float, most: int, add: Any) -> dict[str, Any]:
    """Return the animation of `stack`, sampled at `rate` per second; the reader has a pose for each of `bones`."""
    begin, end = span(stack)
    length = end - begin
    moved = moved_nodes(stack, nodes)
    if not 0.0 < rate < 1e6 or not 0.0 <= length * rate * len(bones.union(moved, [0])) * 40 <= most:
        raise RefusedError(f"its motion of {length:.4g} s at {rate:.4g} frames/s is far longer than its size justifies")
    count = int(length * rate + 0.01) + 1  # the last frame may be a rounding before the end
    times = array("f", (frame / KEY_RATE for frame in range(count)))
    clock = add(times, "SCALAR", 1)
    samplers, channels = list[dict[str, Any]](), list[dict[str, Any]]()
    for number in moved:
        transforms = [nodes[number].evaluate_transform(stack.anim, begin + frame / rate) for frame in range(count)]
        for path, kind, width in (("translation", "VEC3", 3), ("rotation", "VEC4", 4), ("scale", "VEC3", 3)):
            values = array("f", (value for one in transforms for value in getattr(one, path)))
            channels.append({"sampler": len(samplers), "target": {"node": number, "path": path}})
            samplers.append({"input": clock, "output": add(values, kind, width)})
    if not moved:  # a take without keys stands still
        channels.append({"sampler": 0, "target": {"node": 0, "path": "scale"}})
        samplers.append({"input": clock, "output": add(array("f", [1.0] * 3 * count), "VEC3", 3)})
    return {"name": stack.name, "samplers": samplers, "channels": channels}


def span(stack: Any) -> tuple[float, float]:
    """Return the first and last time of a take in seconds: as stated, or else those of its keys."""
    if stack.time_end > stack.time_begin:
        return stack.time_begin, stack.time_end
    values = [prop.anim_value for layer in listed(stack.layers) for prop in listed(layer.anim_props)]
    curves = [curve for value in values for curve in value.curves if curve is not None and len(curve.keyframes)]
    if not curves:
        return 0.0, 0.0
    return min(curve.min_time for curve in curves), max(curve.max_time for curve in curves)


def moved_nodes(stack: Any, nodes: list[Any]) -> list[int]:
    """Return the positions in `nodes` of those that a take has curves for, and of the helpers that hold their scale."""
    keyed = {prop.element.element_id for layer in listed(stack.layers) for prop in listed(layer.anim_props)}
    return [
        number
        for number, node in enumerate(nodes)
        if node.element_id in keyed or (node.is_scale_helper and node.parent.element_id in keyed)
    ]


def found_skins(scene: Any, nodes: list[Any], place: dict[int, int]) -> list[tuple[list[int], list[float]]]:
    """Return for each tree of bones its joints and the inverses of their bind matrices, column by column."""
    bound = dict[int, Matrix]()
    for pose in listed(scene.poses):
        if pose.is_bind_pose:
            bound |= {place[one.bone_node.typed_id]: rows(one.bone_to_world) for one in listed(pose.bone_poses)}
    clustered = [cluster for cluster in listed(scene.skin_clusters) if cluster.bone_node is not None]
    bound |= {place[one.bone_node.typed_id]: rows(one.bind_to_world) for one in clustered}
    bones = {number for number, node in enumerate(nodes) if node.bone is not None}
    bones |= {place[one.bone_node.typed_id] for one in clustered}
    trees = dict[int, list[int]]()
    for number in sorted(bones):
        trees.setdefault(top(nodes[number], nodes, place, bones), []).append(number)
    found = list[tuple[list[int], list[float]]]()
    for joints in trees.values():
        inverses = [inverse(bound_pose(nodes[joint], place, bound)) for joint in joints]
        found.append((joints, [value for matrix in inverses for value in columns(matrix)]))
    return found


def top(node: Any, nodes: list[Any], place: dict[int, int], bones: set[int]) -> int:
    """Return the highest bone above `node`, or itself."""
    highest = place[node.typed_id]
    while node.parent is not None:
        node = node.parent
        highest = place[node.typed_id] if place[node.typed_id] in bones else highest
    return highest


def bound_pose(node: Any, place: dict[int, int], bound: dict[int, Matrix]) -> Matrix:
    """Return the world matrix of `node` in the bind pose: stored, or that of its parent and the rest pose below it."""
    below, joint = identity(), node
    while joint is not None:
        stored = bound.get(place[joint.typed_id])
        if stored is not None:
            return product(stored, below)
        below, joint = product(rows(joint.node_to_parent), below), joint.parent
    return below


def rows(matrix: Any) -> Matrix:
    """Return the rows of a ufbx matrix."""
    columns_of = (matrix.c0, matrix.c1, matrix.c2, matrix.c3)
    return [[float(column[row]) for column in columns_of] for row in range(3)]


def columns(matrix: Matrix) -> list[float]:
    """Return the 16 numbers of a matrix column by column, as glTF has them."""
    return [value for column in range(4) for value in (*(row[column] for row in matrix), float(column == 3))]


def identity() -> Matrix:
    """Return the matrix that changes nothing."""
    return [[float(row == column) for column in range(4)] for row in range(3)]


def product(first: Matrix, second: Matrix) -> Matrix:
    """Return `first` after `second`."""
    return [
        [sum(row[k] * second[k][column] for k in range(3)) + (row[3] if column == 3 else 0.0) for column in range(4)]
        for row in first
    ]


def inverse(matrix: Matrix) -> Matrix:
    """Return the inverse of a matrix; zeros if there is none, which the reader ignores."""
    (a, b, c, x), (d, e, f, y), (g, h, i, z) = matrix
    cofactors = [
        [e * i - f * h, c * h - b * i, b * f - c * e],
        [f * g - d * i, a * i - c * g, c * d - a * f],
        [d * h - e * g, b * g - a * h, a * e - b * d],
    ]
    volume = a * cofactors[0][0] + b * cofactors[1][0] + c * cofactors[2][0]
    if not abs(volume) > 1e-30:
        return [[0.0] * 4 for _ in range(3)]
    turned = [[value / volume for value in row] for row in cofactors]
    return [[*row, -(row[0] * x + row[1] * y + row[2] * z)] for row in turned]


def swapped(values: Sequence[float]) -> bytes:
    """Return the little-endian bytes of numbers, on a big-endian machine."""
    return struct.pack(f"<{len(values)}f", *values)


if __name__ == "__main__":
    main()
