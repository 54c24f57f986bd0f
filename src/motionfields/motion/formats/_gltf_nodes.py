"""The node tree of a glTF file, and the choice of nodes that are the joints of a skeleton."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.motion.formats._bvh_text import name_fault
from motionfields.motion.formats._gltf_document import MOST_NODES, GltfDocument
from motionfields.motion.formats._gltf_writer import TIP

LONGEST_NODE_NAME: Final = 200
"""Number of characters of a node's name that are kept."""

_NOT_IN_NAMES: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff{}]")
_HELPER: Final = re.compile(r"(^|[-_. ])ik([-_. ]|$)|^(interaction|center_of_mass)$", re.IGNORECASE)
"""Names of control nodes that are not part of a body, as in rigs from Unreal."""
_CARRIES: Final = ("mesh", "camera", "skin")  # keys of nodes that are more than a transform


class Transform(NamedTuple):
    """Transform of a node relative to its parent at rest."""

    translation: FloatArray  # [3]
    rotation: FloatArray  # [4], wxyz, of any length except 0
    scale: FloatArray  # [3]
    matrix: FloatArray | None  # [4, 4] instead of the three


@dataclass(frozen=True, eq=False)
class NodeTree:
    """The nodes of a document; `order` lists them depth first, parents before children."""

    items: list[dict[str, Any]]
    names: list[str]  # valid in any file format, but maybe repeated
    parents: IntArray  # [node], -1 for nodes without a parent
    children: list[list[int]]
    order: list[int]
    rest: list[Transform]

    def above(self, node: int) -> list[int]:
        """Return the nodes from the top of the tree down to `node`, which is excluded."""
        path = list[int]()
        while (node := int(self.parents[node])) >= 0:
            path.append(node)
        return path[::-1]


class Bones(NamedTuple):
    """The joints of a skeleton, parents before children, and the ends of bones that have no joint."""

    nodes: list[int]
    parents: list[int]  # positions in `nodes`, -1 for the root
    tips: list[int]  # nodes
    tip_parents: list[int]  # positions in `nodes`


def read_nodes(document: GltfDocument) -> NodeTree:
    """Return all nodes of `document`, which must form trees."""
    items = document.items("nodes", most=MOST_NODES)
    parents = np.full(len(items), -1)
    children: list[list[int]] = []
    for number, item in enumerate(items):
        below = item.get("children", [])
        if not isinstance(below, list) or not all(type(child) is int for child in below):
            document.fail(f"node {number}: expected children as a list of whole numbers")
        for child in below:
            if not 0 <= child < len(items) or parents[child] >= 0 or child == number:
                document.fail(f"node {number}: expected each child to be another node with one parent, got {child}")
            parents[child] = number
        children.append(below)
    order, waiting = list[int](), [int(top) for top in np.flatnonzero(parents < 0)[::-1]]
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(children[order[-1]])
    if len(order) != len(items):
        document.fail("nodes: expected trees, got nodes that are their own descendants")
    return NodeTree(
        items,
        [_name(item, number) for number, item in enumerate(items)],
        parents,
        children,
        order,
        [_transform(document, item) for item in items],
    )


def find_bones(document: GltfDocument, tree: NodeTree, animated: set[int]) -> tuple[Bones, list[str]]:
    """Return the joints that the skins of `document` name, or else the nodes `animated`; and notes for the user.

    Nodes between joints count as joints too. Of several skins, those that share joints with the largest one are used.
    """
    skins = sorted((_joints_of(document, skin, len(tree.items)) for skin in document.items("skins")), key=len)
    notes = list[str]()
    if skins:
        largest = _between(tree, skins[-1])
        together = [skin for skin in skins if largest & skin]
        bones = _bones(tree, _without_helpers(tree, _between(tree, set.union(*together))))
        if len(together) < len(skins):
            notes.append(f"of several skeletons, the largest is read, under {tree.names[bones.nodes[0]]!r}")
    elif animated:
        found = _between(tree, animated)
        for node in tree.order:
            if int(tree.parents[node]) in found and not _carries(tree.items[node]):
                found.add(node)
        bones = _bones(tree, _without_helpers(tree, found))
    else:
        document.fail("expected a skin or an animation of nodes, got neither; export it with its skeleton")
    return bones, notes


def without_top(bones: Bones, moving: set[int]) -> Bones:
    """Return `bones` without the joints above the one that carries the motion: the lowest `moving` one before a fork.

    Many rigs have a joint on the ground above the hips, and move both. Bones have a constant length here, so the hips
    must be the root.
    """
    child_counts = Counter(bones.parents)
    start = last = 0
    while child_counts[last] == 1:
        last += 1  # the order is depth first, so the only child comes next
        start = last if bones.nodes[last] in moving else start
    kept = [place for place, joint in enumerate(bones.tip_parents) if joint >= start]
    return Bones(
        bones.nodes[start:],
        [max(parent - start, -1) for parent in bones.parents[start:]],
        [bones.tips[place] for place in kept],
        [bones.tip_parents[place] - start for place in kept],
    )


def each_once(names: list[str]) -> tuple[str, ...]:
    """Return `names` with a number appended to repeated ones."""
    taken, unique = set(names), list[str]()
    seen = set[str]()
    for name in names:
        number, another = 1, name
        while another in seen or (another != name and another in taken):
            number += 1
            another = f"{name}.{number}"
        seen.add(another)
        unique.append(another)
    return tuple(unique)


def _bones(tree: NodeTree, found: set[int]) -> Bones:
    nodes = [node for node in tree.order if node in found]
    nodes = [nodes[0], *(node for node in nodes[1:] if not _is_tip(tree, node))]
    place = {node: number for number, node in enumerate(nodes)}
    parents = [-1, *(place[int(tree.parents[node])] for node in nodes[1:])]
    tips = [
        node
        for node in tree.order
        if node not in place
        and int(tree.parents[node]) in place
        and not tree.children[node]
        and not _carries(tree.items[node])
        and not _HELPER.search(tree.names[node])
    ]
    return Bones(nodes, parents, tips, [place[int(tree.parents[node])] for node in tips])


def _between(tree: NodeTree, wanted: set[int]) -> set[int]:
    """Return `wanted` and all nodes between them, below their lowest common ancestor.

    If there is no common ancestor, only the tree that contains most of them counts.
    """
    counts = np.zeros(len(tree.items), np.int64)
    counts[list(wanted)] = 1
    for node in reversed(tree.order):
        if tree.parents[node] >= 0:
            counts[tree.parents[node]] += counts[node]
    root = max((node for node in tree.order if tree.parents[node] < 0), key=lambda top: counts[top])
    while root not in wanted:
        inner = [child for child in tree.children[root] if counts[child]]
        if len(inner) > 1:
            break
        root = inner[0]
    inside = {root}
    for node in tree.order:
        if counts[node] and int(tree.parents[node]) in inside:
            inside.add(node)
    return inside


def _without_helpers(tree: NodeTree, found: set[int]) -> set[int]:
    """Return `found` without control nodes, unless other nodes are below them; the root stays."""
    kept = set[int]()
    for node in reversed(tree.order):
        if node in found and not (_HELPER.search(tree.names[node]) and kept.isdisjoint(tree.children[node])):
            kept.add(node)
    return kept or found


def _is_tip(tree: NodeTree, node: int) -> bool:
    """Return whether a node is marked as the end of a bone, as in the files that this package writes."""
    return tree.items[node].get("extras") == {TIP: True} and not tree.children[node]


def _carries(item: dict[str, Any]) -> bool:
    return any(name in item for name in _CARRIES)


def _joints_of(document: GltfDocument, skin: dict[str, Any], node_count: int) -> set[int]:
    joints = skin.get("joints")
    if not isinstance(joints, list) or not joints or not all(type(joint) is int for joint in joints):
        document.fail("skins: expected joints, a list of nodes")
    if not all(0 <= joint < node_count for joint in joints):
        document.fail(f"skins: expected joints below {node_count}, the number of nodes")
    return set(joints)


def _name(item: dict[str, Any], number: int) -> str:
    """Return a name for a node that any file format can hold: its own, or its number."""
    given = item.get("name")
    name = _NOT_IN_NAMES.sub("_", given[:LONGEST_NODE_NAME]) if isinstance(given, str) else ""
    name = " ".join(name.split())
    return name if not name_fault(name) else f"node {number}"


def _transform(document: GltfDocument, item: dict[str, Any]) -> Transform:
    columns = document.numbers(item, "matrix", 16)
    matrix = None if columns is None else np.reshape(columns, (4, 4)).T
    x, y, z, w = document.numbers(item, "rotation", 4) or (0.0, 0.0, 0.0, 1.0)
    if max(map(abs, (x, y, z, w))) < 1e-6:
        document.fail("rotation: expected a quaternion, got one of no length")
    return Transform(
        np.array(document.numbers(item, "translation", 3) or (0.0, 0.0, 0.0)),
        np.array((w, x, y, z)),
        np.array(document.numbers(item, "scale", 3) or (1.0, 1.0, 1.0)),
        matrix,
    )
