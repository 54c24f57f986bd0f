"""Bind pose of a character, from the inverse bind matrices of its skin.

Tools leave nodes in the pose in which the file was written, maybe in the middle of a step. A skin stores the pose in
which the mesh was bound to its joints, usually with the arms out, which is a better rest pose. It does not store the
position of that pose in the world, so this module tries the few placements that tools use.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.motion.formats._gltf_accessors import Accessors
from motionfields.motion.formats._gltf_document import LARGEST_NUMBER, GltfDocument
from motionfields.motion.formats._gltf_nodes import Bones, NodeTree
from motionfields.motion.formats._gltf_poses import Rest, rest_transforms

SAME_LENGTH: Final = 0.02  # largest difference of a bone's length from that of the nodes, as a share
SAME_SHARE: Final = 0.9  # share of the bones that must have the same length
SAME_TURN: Final = np.radians(0.1)  # radians below which the nodes count as being in the bind pose


def bind_pose(document: GltfDocument, tree: NodeTree, bones: Bones, rest: Rest, *, accessors: Accessors) -> Rest:
    """Return the bind pose of the skin, or `rest`, the pose of the nodes, if there is none or it does not fit."""
    skins = document.items("skins")
    sizes = [len(set(skin.get("joints", [])) & set(bones.nodes)) for skin in skins]
    if not skins or "inverseBindMatrices" not in skins[int(np.argmax(sizes))]:
        return rest
    largest = int(np.argmax(sizes))
    try:
        with np.errstate(all="ignore"):
            found = _skin_frames(document, skins[largest], accessors)
            return rest if bones.nodes[0] not in found else _nearest(tree, bones, rest, largest, found)
    except np.linalg.LinAlgError:  # from singular matrices
        return rest


def _nearest(tree: NodeTree, bones: Bones, rest: Rest, skin: int, found: dict[int, FloatArray]) -> Rest:
    """Return the bind pose at the likely placement that is rotated least from the nodes; `rest` if none fits."""
    best, least = rest, np.inf
    for world_from_skin in _likely_places(tree, bones, skin):
        pose = _posed(tree, bones, {node: world_from_skin @ frame for node, frame in found.items()})
        off = _mean_turn(pose, rest) if _fits(pose, rest, bones) else np.inf
        if off < least:
            best, least = pose, off
    return best if least > SAME_TURN else rest


def _skin_frames(document: GltfDocument, skin: dict[str, Any], accessors: Accessors) -> dict[int, FloatArray]:
    """Return the transform [4, 4] of each joint of `skin` in the space of its mesh, by node."""
    joints = skin["joints"]
    rows = accessors.read(skin, "inverseBindMatrices", 16)
    if len(rows) < len(joints):
        document.fail(f"inverseBindMatrices: expected {len(joints)}, one for each joint, got {len(rows)}")
    frames = np.linalg.inv(rows[: len(joints)].reshape(-1, 4, 4).swapaxes(1, 2))
    return dict(zip(joints, frames, strict=True))


def _likely_places(tree: NodeTree, bones: Bones, skin: int) -> list[FloatArray]:
    """Return likely transforms [4, 4] of the mesh in the world: of its node, of the root's parent, the identity."""
    nodes = [node for node, item in enumerate(tree.items) if item.get("skin") == skin][:4]
    nodes += tree.above(bones.nodes[0])[-1:]
    return [*(rest_transforms(tree, [node])[0] for node in nodes), np.eye(4)]


def _posed(tree: NodeTree, bones: Bones, known: dict[int, FloatArray]) -> Rest:
    """Return the pose with the `known` joints in place and the others as at rest relative to their parents."""
    at_rest = rest_transforms(tree, [*bones.nodes, *bones.tips])
    joints = list[FloatArray]()
    for place, node in enumerate(bones.nodes):
        parent = bones.parents[place]
        following = known.get(node)
        if following is None:
            following = joints[parent] @ np.linalg.inv(at_rest[parent]) @ at_rest[place]
        joints.append(following)
    tips = [
        (joints[parent] @ np.linalg.inv(at_rest[parent]) @ at_rest[len(joints) + tip])[:3, 3]
        for tip, parent in enumerate(bones.tip_parents)
    ]
    frames = np.stack(joints)
    return Rest(frames[:, :3, :3], frames[:, :3, 3], np.reshape(tips, (-1, 3)))


def _fits(pose: Rest, rest: Rest, bones: Bones) -> bool:
    """Return whether the bones of `pose` have the lengths of the nodes, and its joints are not degenerate."""
    sizes = np.abs(pose.frames).max(axis=(1, 2)) ** 3
    ratio = np.linalg.det(pose.frames) / np.linalg.det(rest.frames)
    if not (np.all(np.abs(np.linalg.det(pose.frames)) > 1e-9 * sizes) and np.all((ratio > 0.0) & (ratio < np.inf))):
        return False
    if not np.all(np.abs(pose.positions) <= LARGEST_NUMBER) or not np.all(np.abs(pose.tips) <= LARGEST_NUMBER):
        return False
    parents = np.array(bones.parents[1:], np.int64)
    theirs, ours = (np.linalg.norm(one.positions[1:] - one.positions[parents], axis=-1) for one in (rest, pose))
    same = np.abs(ours - theirs) <= SAME_LENGTH * theirs.max(initial=0.0)
    return bool(np.mean(same) >= SAME_SHARE) if len(same) else False


def _mean_turn(pose: Rest, rest: Rest) -> float:
    """Return the mean rotation in radians of the joints of `pose` from those of the nodes."""
    from scipy.spatial.transform import Rotation

    change = pose.frames @ np.linalg.inv(rest.frames)
    change /= np.cbrt(np.linalg.det(change))[:, np.newaxis, np.newaxis]
    left, _, right = np.linalg.svd(change)
    return float(Rotation.from_matrix(left @ right).magnitude().mean())
