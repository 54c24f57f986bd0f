"""Conversion of nodes that rotate, move and stretch to joints that only rotate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_conjugate, quat_continuous, quat_multiply, quat_rotate
from motionfields.base.wording import counted
from motionfields.motion.formats._bvh_positions import STRETCH_TOLERANCE
from motionfields.motion.formats._gltf_animation import Sampling, Track
from motionfields.motion.formats._gltf_document import LARGEST_NUMBER, GltfDocument
from motionfields.motion.formats._gltf_nodes import Bones, NodeTree, Transform

_BLOCK_MATRICES: Final = 20_000  # matrices per block; keeps them small compared with the poses
_SHEAR: Final = 1e-4  # largest deviation from orthogonal axes; beyond it the nearest rotation is used

Tracks = Mapping[tuple[int, str], Track]


class Poses(NamedTuple):
    """Joints in the world of the file, lengths in its unit; rotations are relative to the rest pose."""

    positions: FloatArray  # [frame, joint, 3]
    rotations: FloatArray  # [frame, joint, 4], wxyz


class Rest(NamedTuple):
    """Joints and tips in the world of the file at rest."""

    frames: FloatArray  # [joint, 3, 3], the scaled axes of each joint
    positions: FloatArray  # [joint, 3]
    tips: FloatArray  # [tip, 3]


def rest_pose(document: GltfDocument, tree: NodeTree, bones: Bones) -> Rest:
    """Return the pose of the nodes without any animation."""
    with np.errstate(all="ignore"):  # overflow and NaN are refused below
        joints = rest_transforms(tree, [*bones.nodes, *bones.tips])
        frames, places = joints[: len(bones.nodes), :3, :3], joints[:, :3, 3]
        volumes = np.abs(np.linalg.det(frames))
        sizes = np.abs(frames).max(axis=(1, 2)) ** 3
    for node, size, volume in zip(bones.nodes, sizes, volumes, strict=True):
        if not (1e-9 * size < volume < np.inf):
            document.fail(
                f"joint {tree.names[node]!r} has no size at rest: its scale is 0 along some axis, or too large"
            )
    if not np.all(np.abs(places) <= LARGEST_NUMBER):
        document.fail(f"expected joints within {LARGEST_NUMBER:g} units of the origin at rest")
    return Rest(frames, places[: len(bones.nodes)], places[len(bones.nodes) :])


def rest_transforms(tree: NodeTree, nodes: list[int]) -> FloatArray:
    """Return the world transforms [node, 4, 4] of `nodes` at rest; no other of them may be an ancestor of the first."""
    return np.asarray(_World(tree, nodes[0], nodes, {}).at(np.zeros(1))[0])


def sample_poses(
    document: GltfDocument, tree: NodeTree, bones: Bones, rest: Rest, *, tracks: Tracks, sampling: Sampling
) -> Poses:
    """Return the positions of the joints at the times of `sampling`, and their rotations since the rest pose."""
    world = _World(tree, bones.nodes[0], bones.nodes, tracks)
    rest_from_world = np.linalg.inv(rest.frames)
    positions = np.empty((sampling.frame_count, len(bones.nodes), 3))
    rotations = np.empty((sampling.frame_count, len(bones.nodes), 4))
    step = max(1, _BLOCK_MATRICES // world.node_count)
    for start in range(0, sampling.frame_count, step):
        frames = np.arange(start, min(start + step, sampling.frame_count))
        with np.errstate(all="ignore"):
            joints = world.at(sampling.start + frames / sampling.rate)
            positions[frames] = joints[..., :3, 3]
            rotations[frames] = _turns(document, joints[..., :3, :3] @ rest_from_world, tree, bones)
    if not np.all(np.abs(positions) <= LARGEST_NUMBER):
        document.fail(f"expected joints within {LARGEST_NUMBER:g} units of the origin")
    return Poses(positions, rotations)


class _World:
    """World transforms of nodes at any time."""

    def __init__(self, tree: NodeTree, root: int, nodes: list[int], tracks: Tracks) -> None:
        self._tree = tree
        self._nodes = nodes
        self._tracks = tracks
        wanted = {*tree.above(root), *nodes}
        self._order = [node for node in tree.order if node in wanted]

    @property
    def node_count(self) -> int:
        """Number of nodes that are evaluated, including those above."""
        return len(self._order)

    def at(self, moments: FloatArray) -> FloatArray:
        """Return the transforms [moment, node, 4, 4] of the nodes at `moments` seconds."""
        found: dict[int, FloatArray] = {}
        for node in self._order:
            local = self._local(node, moments)
            parent = int(self._tree.parents[node])
            found[node] = local if parent < 0 else found[parent] @ local
        whole = (len(moments), 4, 4)
        return np.stack([np.broadcast_to(found[node], whole) for node in self._nodes], axis=1)

    def _local(self, node: int, moments: FloatArray) -> FloatArray:
        """Return the transform of a node in its parent: [moment, 4, 4], or [1, 4, 4] if it is constant."""
        from scipy.spatial.transform import Rotation

        rest = self._tree.rest[node]
        values = {"translation": rest.translation, "rotation": rest.rotation, "scale": rest.scale}
        moved = [name for name in values if (node, name) in self._tracks]
        if rest.matrix is not None and not moved:
            return rest.matrix[np.newaxis]
        for name in moved:
            values[name] = self._tracks[node, name].at(moments)
        count = len(moments) if moved else 1
        local = np.zeros((count, 4, 4))
        local[:, :3, :3] = Rotation.from_quat(values["rotation"], scalar_first=True).as_matrix()
        local[:, :3, :3] *= np.broadcast_to(values["scale"], (count, 3))[:, np.newaxis]
        local[:, :3, 3] = values["translation"]
        local[:, 3, 3] = 1.0
        return local


def refuse_moved_matrices(document: GltfDocument, tree: NodeTree, tracks: Tracks) -> None:
    """Raise if an animation moves a node that is given by a matrix, which the format forbids."""
    for node, path in tracks:
        rest: Transform = tree.rest[node]
        if rest.matrix is not None:
            document.fail(f"node {tree.names[node]!r} is given by a matrix; expected no animation of its {path}")


def _turns(document: GltfDocument, changes: FloatArray, tree: NodeTree, bones: Bones) -> FloatArray:
    """Return the rotations [frame, joint, 4] in `changes` [frame, joint, 3, 3]; the nearest ones if they shear too."""
    from scipy.spatial.transform import Rotation

    volume = np.linalg.det(changes)
    sound = (volume > 1e-18) & (volume < np.inf)
    if not sound.all():
        joint = int(np.argmin(sound) % len(bones.nodes))
        name = tree.names[bones.nodes[joint]]
        document.fail(f"joint {name!r} is scaled to zero or infinity, or mirrored, during the motion")
    turns = changes / np.cbrt(volume)[..., np.newaxis, np.newaxis]
    off = np.abs(turns.swapaxes(-1, -2) @ turns - np.eye(3)).max(axis=(-1, -2)) > _SHEAR
    if off.any():
        left, _, right = np.linalg.svd(turns[off])
        turns[off] = left @ right
    return Rotation.from_matrix(turns.reshape(-1, 3, 3)).as_quat(scalar_first=True).reshape(*volume.shape, 4)


class Bent(NamedTuple):
    """The poses as those of a skeleton with bones of constant length."""

    offsets: FloatArray  # [joint, 3], from the parent at rest; 0 for the root
    rotations: FloatArray  # [frame, joint, 4]: world_from_root for joint 0, else parent_from_joint
    notes: tuple[str, ...]


def bent(poses: Poses, rest: Rest, bones: Bones, names: tuple[str, ...]) -> Bent:
    """Return `poses` with the median length for each bone, and notes on the changes."""
    parents = np.array(bones.parents[1:], np.int64)
    offsets = np.zeros((len(bones.nodes), 3))
    offsets[1:] = rest.positions[1:] - rest.positions[parents]
    tolerance = STRETCH_TOLERANCE * float(np.abs(offsets).max(initial=0.0))
    strays = np.zeros(len(bones.nodes))
    rotations = np.empty_like(poses.rotations)
    rotations[:, 0] = poses.rotations[:, 0]
    for joint, parent in enumerate(bones.parents[1:], start=1):
        parent_from_world = quat_conjugate(poses.rotations[:, parent])
        rotations[:, joint] = quat_multiply(parent_from_world, poses.rotations[:, joint])
        if len(rotations):
            bone = quat_rotate(parent_from_world, poses.positions[:, joint] - poses.positions[:, parent])
            usual = np.median(bone, axis=0)
            strays[joint] = np.abs(bone - usual).max()
            if np.abs(usual - offsets[joint]).max() > 0.01 * tolerance:
                offsets[joint] = usual
    return Bent(offsets, quat_continuous(rotations), _stretch_notes(strays, names, tolerance))


def _stretch_notes(strays: FloatArray, names: tuple[str, ...], tolerance: float) -> tuple[str, ...]:
    stretched = int(np.sum(strays > tolerance))
    if not stretched:
        return ()
    worst = int(np.argmax(strays))
    return (
        f"bones of {counted(stretched, 'joint')} change length by up to {counted(strays[worst], 'unit', spec='.3g')} "
        f"(joint {names[worst]!r}); the median over all frames is used instead",
    )
