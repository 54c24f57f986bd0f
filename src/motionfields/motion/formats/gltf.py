"""glTF files: skeletons of nodes with animations, read into quaternions; and clips written with a body.

`read_gltf` keeps the file's own unit. It takes arbitrary bytes and either returns a motion or raises `GltfError`, in
time and memory bounded by the size of the file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NoReturn

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.errors import GltfError
from motionfields.motion.formats._gltf_accessors import Accessors
from motionfields.motion.formats._gltf_animation import (
    Animation,
    Sampling,
    animation_labels,
    choose_sampling,
    read_animation,
)
from motionfields.motion.formats._gltf_bind import bind_pose
from motionfields.motion.formats._gltf_crowd import format_crowd_glb
from motionfields.motion.formats._gltf_document import GltfDocument, read_document
from motionfields.motion.formats._gltf_nodes import Bones, NodeTree, each_once, find_bones, read_nodes, without_top
from motionfields.motion.formats._gltf_poses import Poses, Rest, bent, refuse_moved_matrices, rest_pose, sample_poses
from motionfields.motion.formats._gltf_writer import format_glb, save_glb
from motionfields.motion.formats._names import shown

__all__ = ["GltfMotion", "animation_names", "format_crowd_glb", "format_glb", "read_gltf", "save_glb"]

FRAME_BYTES_PER_BYTE: Final = 16
FRAME_BYTES_ALWAYS: Final = 12_000_000
"""Limit on the poses in bytes: the first constant times the file size, plus the second.

Without it, two keys far apart could make gigabytes.
"""

_NODE_BYTES: Final = 56  # bytes of a joint in a pose: its position and rotation


@dataclass(frozen=True, eq=False)
class GltfMotion:
    """One skeleton and its motion from a glTF file, with lengths in the file's unit, in the world of the file.

    Joints are in depth-first order. The rest pose is the bind pose of the skin, or else the pose of the nodes, and all
    rotations are identity there: the rotations, scales and parents of the root in the file are folded into `offsets`
    and `root_position`.
    """

    names: tuple[str, ...]
    parents: IntArray  # [joint], -1 for the root
    offsets: FloatArray  # [joint, 3], from the parent, in the world at rest
    tip_joints: IntArray  # [tip]
    tip_offsets: FloatArray  # [tip, 3], in the world at rest
    root_position: FloatArray  # [frame, 3]
    rotations: FloatArray  # [frame, joint, 4], wxyz unit: world_from_root for joint 0, else parent_from_joint
    frame_time: float  # seconds
    rate_evidence: str  # how the frame time was found
    animation: str | None  # its name; None if the file has only a skeleton
    notes: tuple[str, ...]  # messages for the user about ignored or unusual content

    @property
    def frame_count(self) -> int:
        """Number of poses; may be 0."""
        return len(self.root_position)


def animation_names(data: bytes, *, path: str | None = None) -> tuple[str, ...]:
    """Return the names of the animations in the bytes of a glTF file, by which `read_gltf` finds them.

    Characters that file names cannot have are replaced, and missing or repeated names get a number.
    """
    return tuple(animation_labels(read_document(data, path)))


def read_gltf(data: bytes, *, path: str | None = None, animation: str | None = None) -> GltfMotion:
    """Return the motion in the bytes of a `.glb` or `.gltf` file; `path` is only for messages. Raises only `GltfError`.

    If there are several animations, `animation` selects one; see `animation_names`. A file without any gives a skeleton
    with no frames. Buffers must be in the file. Motion is sampled at the spacing of its keys, see `rate_evidence`.
    """
    document = read_document(data, path)
    try:
        return _motion(document, animation)
    except GltfError as error:
        if error.path is None and path is not None:
            raise GltfError(error.reason, path=path) from None
        raise


def _motion(document: GltfDocument, animation: str | None) -> GltfMotion:
    tree = read_nodes(document)
    number = chosen(animation_labels(document), animation, document.fail)
    accessors = Accessors(document)
    read = None if number is None else read_animation(document, number, accessors)
    bones, notes = _bones(document, tree, accessors)
    names = each_once([tree.names[node] for node in bones.nodes])
    rest = bind_pose(document, tree, bones, rest_pose(document, tree, bones), accessors=accessors)
    if read is None:
        sampling = Sampling(0.0, 30.0, 0, "no animation; 30 frames/s assumed")
        poses = Poses(np.zeros((0, len(names), 3)), np.zeros((0, len(names), 4)))
        notes.append("has a skeleton but no animation, so no frames")
    else:
        sampling, poses = _sampled(document, tree, bones, rest, animation=read)
    bones_kept = bent(poses, rest, bones, names)
    tips = rest.tips - rest.positions[bones.tip_parents]
    long = np.linalg.norm(tips, axis=-1) > 0.0
    return GltfMotion(
        names=names,
        parents=np.array(bones.parents, np.int64),
        offsets=bones_kept.offsets,
        tip_joints=np.array(bones.tip_parents, np.int64)[long],
        tip_offsets=tips[long],
        root_position=poses.positions[:, 0],
        rotations=bones_kept.rotations,
        frame_time=1.0 / sampling.rate,
        rate_evidence=sampling.evidence,
        animation=None if read is None else read.label,
        notes=(*notes, *bones_kept.notes),
    )


def chosen(labels: list[str], animation: str | None, fail: Callable[[str], NoReturn]) -> int | None:
    """Return the position in `labels` of the selected animation, None if there is none; `fail` raises the errors."""
    listed = shown(", ".join(labels))
    if animation is not None:
        if animation not in labels:
            known = f"expected one of {listed}" if labels else "the file has none"
            fail(f"no animation is called {shown(str(animation))!r}; {known}")
        return labels.index(animation)
    if len(labels) > 1:
        fail(f"has {len(labels)} animations; add # and one of these names to the file name: {listed}")
    return 0 if labels else None


def _bones(document: GltfDocument, tree: NodeTree, accessors: Accessors) -> tuple[Bones, list[str]]:
    """Return the skeleton, which is the same for all animations of the file, and notes."""
    animated, moving = set[int](), set[int]()
    for item in document.items("animations"):
        samplers = document.items("samplers", within=item)
        for channel in document.items("channels", within=item):
            target = channel.get("target")
            path = target.get("path") if isinstance(target, dict) else None
            if path not in ("translation", "rotation", "scale") or "node" not in target:
                continue
            node = document.whole(target, "node", most=len(tree.items) - 1)
            animated.add(node)
            if path == "translation" and node not in moving:
                number = document.whole(channel, "sampler", most=len(samplers) - 1)
                values = accessors.read(samplers[number], "output", 3)
                if np.ptp(values, axis=0).max() > 1e-6 * np.abs(values).max():
                    moving.add(node)
    bones, notes = find_bones(document, tree, animated)
    return without_top(bones, moving), notes


def _sampled(
    document: GltfDocument, tree: NodeTree, bones: Bones, rest: Rest, *, animation: Animation
) -> tuple[Sampling, Poses]:
    """Return the sample times and the poses of `animation`."""
    nodes = {*tree.above(bones.nodes[0]), *bones.nodes}
    tracks = {key: track for key, track in animation.tracks.items() if key[0] in nodes}
    if not tracks:
        document.fail(f"the animation {animation.label!r} moves no joint")
    refuse_moved_matrices(document, tree, tracks)
    allowed = FRAME_BYTES_PER_BYTE * document.size + FRAME_BYTES_ALWAYS
    sampling = choose_sampling(list(tracks.values()), longest=allowed // (_NODE_BYTES * len(nodes)))
    return sampling, sample_poses(document, tree, bones, rest, tracks=tracks, sampling=sampling)
