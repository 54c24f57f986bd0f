"""Characters with a mesh: a skinned glTF file, read into a skeleton and surfaces that motion of ours can drive.

`load_character` takes any skinned .glb or .gltf file: units, axes, bone rotations and scales of the file are folded
into the vertices, so that a character rests unrotated in metres, y up, facing +z, as `Clip` needs. `retarget` carries
motion to its skeleton, and `save_clip` writes it with the surfaces.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.errors import GltfError
from motionfields.base.wording import counted
from motionfields.motion.body import find_body
from motionfields.motion.clip import Clip, change_axes, rescale
from motionfields.motion.clip.resting import rest_positions
from motionfields.motion.formats._gltf_accessors import Accessors
from motionfields.motion.formats._gltf_bind import bind_pose
from motionfields.motion.formats._gltf_document import GltfDocument, read_document
from motionfields.motion.formats._gltf_images import Looks, has_texture, normalized, read_looks
from motionfields.motion.formats._gltf_nodes import Bones, NodeTree, each_once, find_bones, read_nodes
from motionfields.motion.formats._gltf_poses import Rest, rest_pose, rest_transforms
from motionfields.motion.formats.guessing import facing_ahead, guess_facing, guess_scale, guess_up
from motionfields.motion.formats.loading import GLTF_SUFFIXES, read_named
from motionfields.motion.skeleton import Skeleton

MOST_VERTICES: Final = 1_000_000
MOST_TRIANGLES: Final = 2_000_000
"""Largest numbers of vertices and triangles of a character."""
MOST_PRIMITIVES: Final = 2000

_TRIANGLES: Final = 4  # the mode of glTF; others are points, lines, strips and fans


class Surface(NamedTuple):
    """A part of a mesh at rest, with one material; y up, metres, root at the origin."""

    positions: FloatArray  # [vertex, 3], metres
    normals: FloatArray  # [vertex, 3], unit
    texture_places: FloatArray | None  # [vertex, 2]
    joints: IntArray  # [vertex, 4], joints of the skeleton
    weights: FloatArray  # [vertex, 4], their shares, with a sum of 1
    triangles: IntArray  # [triangle, 3], vertices, counter-clockwise seen from outside
    material: int | None  # number of `Looks.materials`


@dataclass(frozen=True, eq=False)
class Character:
    """A skeleton that rests unrotated in metres, y up, facing +z, and the surfaces that it moves."""

    skeleton: Skeleton
    surfaces: tuple[Surface, ...]
    looks: Looks
    name: str = ""
    notes: tuple[str, ...] = ()  # on what was left out of the file

    @property
    def vertex_count(self) -> int:
        """Number of vertices of all surfaces."""
        return sum(len(surface.positions) for surface in self.surfaces)


def load_character(path: str | Path) -> Character:
    """Return the character in a skinned .glb or .gltf file; raises `FormatError` for any file that cannot be used.

    Unit, up axis and facing are guessed as for motion. Animations, morph targets, cameras and meshes that no joint
    carries are left out. Legs must be recognised by name, or the character could not be given motion.
    """
    name = str(path)
    if not name.lower().endswith(GLTF_SUFFIXES):
        raise GltfError("expected a character as a skinned .glb or .gltf file", path=name)
    return read_character(read_named(name), path=name)


def read_character(data: bytes, *, path: str | None = None) -> Character:
    """Return the character in the bytes of a glTF file, see `load_character`; `path` is for its name and messages."""
    document = read_document(data, path)
    try:
        return _character(document, Path(path or "").stem)
    except GltfError as error:
        if error.path is None and path is not None:
            raise GltfError(error.reason, path=path) from None
        raise


def _character(document: GltfDocument, name: str) -> Character:
    required = document.parts.get("extensionsRequired", [])
    packed = [one for one in ("KHR_draco_mesh_compression", "EXT_meshopt_compression") if one in required]
    if packed:
        document.fail(f"its meshes are compressed ({packed[0]}); export it without compression")
    tree = read_nodes(document)
    if not document.items("skins"):
        document.fail("expected a mesh that is bound to a skeleton, got no skin; export it with its armature")
    bones, notes = find_bones(document, tree, set())
    accessors = Accessors(document)
    rest = bind_pose(document, tree, bones, rest_pose(document, tree, bones), accessors=accessors)
    skeleton, ours_from_file = _placed(document, tree, bones, rest)
    looks, more = read_looks(document)
    reader = _MeshReader(document, tree, bones, rest, accessors, ours_from_file, looks)
    surfaces = reader.surfaces()
    if not surfaces:
        document.fail("expected a mesh that is bound to the skeleton, got none")
    return Character(skeleton, surfaces, looks, name, (*notes, *more, *reader.notes))


def _placed(document: GltfDocument, tree: NodeTree, bones: Bones, rest: Rest) -> tuple[Skeleton, FloatArray]:
    """Return the skeleton in our conventions, and the matrix [4, 4] to our rest pose from the file's world at rest."""
    parents = np.array(bones.parents, np.int64)
    offsets = np.zeros((len(parents), 3))
    offsets[1:] = rest.positions[1:] - rest.positions[parents[1:]]
    tips = rest.tips - rest.positions[bones.tip_parents]
    long = np.linalg.norm(tips, axis=-1) > 0.0
    names = each_once([tree.names[node] for node in bones.nodes])
    raw = Skeleton(names, parents, offsets, np.array(bones.tip_parents, np.int64)[long], tips[long])
    clip = Clip(raw, np.zeros((0, 3)), np.zeros((0, len(names), 4)), 1.0)
    body = find_body(raw)
    turned = facing_ahead(clip, body)
    up = str(guess_up(turned, body, 0).value)
    facing = str(guess_facing(turned, body, up).value)
    scale = float(guess_scale(turned, body).value)
    clip = rescale(change_axes(turned, up=up, facing=facing), scale)
    linear = scale * _rotation(rest_positions(raw), rest_positions(clip.skeleton))
    matrix = np.eye(4)
    matrix[:3, :3] = linear
    matrix[:3, 3] = -linear @ rest.positions[0]
    return clip.skeleton, matrix


def _rotation(before: FloatArray, after: FloatArray) -> FloatArray:
    """Return the rotation [3, 3] that takes the points `before` [n, 3] to the directions of `after`."""
    left, _, right = np.linalg.svd(after.T @ before)
    return np.asarray(left @ np.diag([1.0, 1.0, np.linalg.det(left @ right)]) @ right)


class _MeshReader:
    """Reader of the meshes of a document, with vertices moved to our rest pose."""

    def __init__(
        self,
        document: GltfDocument,
        tree: NodeTree,
        bones: Bones,
        rest: Rest,
        accessors: Accessors,
        ours_from_file: FloatArray,
        looks: Looks,
    ) -> None:
        self._looks = looks
        self._document, self._tree, self._bones, self._accessors = document, tree, bones, accessors
        self._joint_of = self._nearest_joints()
        self._frames = np.tile(np.eye(4), (len(bones.nodes), 1, 1))
        self._frames[:, :3, :3], self._frames[:, :3, 3] = rest.frames, rest.positions
        self._frames = ours_from_file @ self._frames
        self._room = {"vertices": MOST_VERTICES, "triangles": MOST_TRIANGLES, "primitives": MOST_PRIMITIVES}
        self.notes: list[str] = []

    def _nearest_joints(self) -> dict[int, int]:
        """Return for each node that is a joint or below one the number of that joint."""
        found = {node: joint for joint, node in enumerate(self._bones.nodes)}
        for node in self._tree.order:
            parent = int(self._tree.parents[node])
            if node not in found and parent in found:
                found[node] = found[parent]
        return found

    def surfaces(self) -> tuple[Surface, ...]:
        """Return all surfaces that joints move."""
        made, static = list[Surface](), 0
        for node in self._tree.order:
            item = self._tree.items[node]
            if "mesh" not in item:
                continue
            mesh = self._document.one("meshes", item, "mesh")
            matrices = self._matrices(node, item)
            if matrices is None:
                static += 1
                continue
            for primitive in self._document.items("primitives", within=mesh):
                surface = self._surface(primitive, *matrices)
                made += [] if surface is None else [surface]
        if static:
            self.notes.append(f"{counted(static, 'mesh', 'meshes')} that no joint carries left out")
        return tuple(made)

    def _matrices(self, node: int, item: dict[str, Any]) -> tuple[FloatArray, IntArray] | None:
        """Return to our rest pose from the mesh of a node [influence, 4, 4], and the joint of each influence.

        A mesh without a skin moves with the joint that it hangs from; None if it hangs from none.
        """
        if "skin" in item:
            skin = self._document.one("skins", item, "skin")
            return self._skin(skin)
        if node not in self._joint_of:
            return None
        joint = self._joint_of[node]
        upper, lower = rest_transforms(self._tree, [self._bones.nodes[joint], node])
        return (self._frames[joint] @ np.linalg.inv(upper) @ lower)[np.newaxis], np.array([joint])

    def _skin(self, skin: dict[str, Any]) -> tuple[FloatArray, IntArray] | None:
        document = self._document
        nodes = skin["joints"]
        if any(node not in self._joint_of for node in nodes):
            return None  # of another skeleton
        joints = np.array([self._joint_of[node] for node in nodes])
        if "inverseBindMatrices" not in skin:
            inverse = np.tile(np.eye(4), (len(nodes), 1, 1))
        else:
            rows = self._accessors.read(skin, "inverseBindMatrices", 16)
            if len(rows) < len(nodes):
                document.fail(f"inverseBindMatrices: expected {len(nodes)}, one for each joint, got {len(rows)}")
            inverse = np.asarray(rows[: len(nodes)].reshape(-1, 4, 4).swapaxes(1, 2), np.float64)
        frames = self._frames[joints].copy()
        for place, node in enumerate(nodes):  # a joint that the skeleton leaves out moves with the one above it
            joint = self._bones.nodes[joints[place]]
            if node != joint:
                upper, lower = rest_transforms(self._tree, [joint, node])
                frames[place] = frames[place] @ np.linalg.inv(upper) @ lower
        return frames @ inverse, joints

    def _surface(self, item: dict[str, Any], matrices: FloatArray, joints: IntArray) -> Surface | None:
        document, accessors = self._document, self._accessors
        self._take("primitives", 1)
        if document.whole(item, "mode", default=_TRIANGLES) != _TRIANGLES:
            self._note("points, lines, strips and fans are left out")
            return None
        attributes = item.get("attributes")
        if not isinstance(attributes, dict) or "POSITION" not in attributes:
            document.fail("attributes: expected POSITION in each mesh")
        if item.get("targets"):
            self._note("morph targets are left out")
        places = accessors.read(attributes, "POSITION", 3)
        count = len(places)
        self._take("vertices", count)
        triangles = self._triangles(item, count)
        chosen, weights = self._influences(attributes, count, len(joints))
        blend = np.zeros((count, 4, 4))
        for place in range(4):
            blend += weights[:, place, np.newaxis, np.newaxis] * matrices[chosen[:, place]]
        moved = np.einsum("vkl,vl->vk", blend[:, :3, :3], places) + blend[:, :3, 3]
        if np.mean(np.linalg.det(blend[:, :3, :3])) < 0.0:
            triangles = triangles[:, ::-1]
        normals = _normals(moved, triangles)
        if "NORMAL" in attributes:
            given = np.einsum("vkl,vl->vk", blend[:, :3, :3], self._rows(attributes, "NORMAL", 3, count))
            length = np.linalg.norm(given, axis=-1, keepdims=True)
            normals = np.where(length > 1e-9, given / np.where(length > 1e-9, length, 1.0), normals)
        if not np.isfinite(moved).all() or np.abs(moved).max() > 1e6:
            document.fail("expected vertices within 1000 km of the character")
        material = document.whole(item, "material", most=len(self._looks.materials) - 1) if "material" in item else None
        pictured = material is not None and has_texture(self._looks.materials[material])
        textured = self._rows(attributes, "TEXCOORD_0", 2, count) if pictured and "TEXCOORD_0" in attributes else None
        return Surface(moved, normals, textured, *self._merged(joints[chosen], weights), triangles, material)

    def _triangles(self, item: dict[str, Any], count: int) -> IntArray:
        document = self._document
        places = self._accessors.column(item, "indices") if "indices" in item else np.arange(count, dtype=np.float64)
        self._take("triangles", len(places) // 3)
        if len(places) % 3 or np.any((places < 0) | (places >= count) | (places % 1 != 0)):
            document.fail(f"indices: expected triangles of vertices below {count}")
        return np.asarray(places.astype(np.int64).reshape(-1, 3))

    def _influences(self, attributes: dict[str, Any], count: int, joint_count: int) -> tuple[IntArray, FloatArray]:
        """Return the four influences of each vertex [vertex, 4], and their weights with a sum of 1."""
        if "JOINTS_0" not in attributes or "WEIGHTS_0" not in attributes:
            first = np.zeros((count, 4))
            first[:, 0] = 1.0
            return np.zeros((count, 4), np.int64), first
        sets = [number for number in range(2) if f"JOINTS_{number}" in attributes and f"WEIGHTS_{number}" in attributes]
        places = np.concatenate([self._rows(attributes, f"JOINTS_{number}", 4, count) for number in sets], axis=1)
        weights = np.concatenate([self._rows(attributes, f"WEIGHTS_{number}", 4, count) for number in sets], axis=1)
        if np.any((places < 0) | (places >= joint_count) | (places % 1 != 0)) or np.any(weights < 0.0):
            self._document.fail(f"expected vertices bound to joints below {joint_count}, with weights of 0 or more")
        if len(sets) > 1:
            self._note("of more than four joints for a vertex, the four largest weights are used")
        largest = np.argsort(-weights, axis=1, kind="stable")[:, :4]
        places, weights = (np.take_along_axis(values, largest, axis=1) for values in (places, weights))
        return places.astype(np.int64), normalized(weights)

    @staticmethod
    def _merged(joints: IntArray, weights: FloatArray) -> tuple[IntArray, FloatArray]:
        """Return influences [vertex, 4] with each joint once, and joint 0 where the weight is 0, as glTF requires."""
        weights = weights.copy()
        for later in range(1, 4):
            for earlier in range(later):
                same = joints[:, earlier] == joints[:, later]
                weights[:, earlier] += np.where(same, weights[:, later], 0.0)
                weights[same, later] = 0.0
        return np.where(weights > 0.0, joints, 0), weights

    def _rows(self, attributes: dict[str, Any], name: str, width: int, count: int) -> FloatArray:
        rows = self._accessors.read(attributes, name, width)
        if len(rows) != count:
            self._document.fail(f"{name}: expected {count} rows, as many as positions, got {len(rows)}")
        return rows

    def _take(self, what: str, count: int) -> None:
        self._room[what] -= count
        if self._room[what] < 0:
            limits = {"vertices": MOST_VERTICES, "triangles": MOST_TRIANGLES, "primitives": MOST_PRIMITIVES}
            self._document.fail(f"expected at most {limits[what]} {what}; reduce the mesh")

    def _note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)


def _normals(positions: FloatArray, triangles: IntArray) -> FloatArray:
    """Return unit normals [vertex, 3], the mean of the triangles around each vertex; up where there are none."""
    corners = positions[triangles]
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(positions)
    for corner in range(3):
        np.add.at(normals, triangles[:, corner], faces)
    length = np.linalg.norm(normals, axis=-1, keepdims=True)
    return np.where(length > 1e-12, normals / np.where(length > 1e-12, length, 1.0), (0.0, 1.0, 0.0))
