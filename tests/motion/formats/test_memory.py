"""Small files that claim long motion: reading one takes at most 64 MB and 10 times its size, or it is refused."""

from __future__ import annotations

import re
import tracemalloc
from collections.abc import Callable

import pytest

from motionfields.base.errors import FormatError
from motionfields.motion.formats.loading import clip_from_bytes
from tests.motion.formats.fbxs import Bone, Take, as_text, fbx_tree
from tests.motion.formats.gltfs import Builder

MOST_BYTES_PER_BYTE, MOST_BYTES_ALWAYS = 10, 64 << 20  # of SECURITY.md


def few_keys(frames: int, nodes: int) -> bytes:
    """Return a glTF file whose nodes turn between two keys; it is sampled at 30 frames/s."""
    builder = Builder()
    joints = [
        builder.node(f"n{node}", node - 1 if node else None, translation=(0.0, 0.1, 0.0)) for node in range(nodes)
    ]
    builder.skin(joints)
    animation = builder.animation("walk")
    times = builder.accessor([0.0, (frames - 1) / 30.0])
    turns = builder.accessor([(0.0, 0.0, 0.0, 1.0), (0.0, 0.6, 0.0, 0.8)])
    for joint in joints:
        animation.channel(joint, "rotation", turns, times)
    return builder.glb()


def long_span(frames: int, bones: int, moved: int) -> bytes:
    """Return an FBX file of two keys whose take states a later end."""
    chain = [Bone(f"b{joint}", joint - 1, (0.0, 20.0, 1.0)) for joint in range(bones)]
    turns = {joint: [(0.0, 0.0, 0.0), (10.0, 0.0, 0.0)] for joint in range(moved)}
    text = as_text(fbx_tree(chain, [Take("walk", turns)]))
    stop = round(frames / 30.0 * 46_186_158_000)
    return re.sub(rb'("LocalStop", "KTime", "Time", ""), \d+', rb"\1, %d" % stop, text)


def fixed_joints(frames: int, joints: int) -> bytes:
    """Return a BVH file in which only the root has channels."""
    head = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n"
    below = "".join(f"JOINT j{joint}\n{{\nOFFSET 0 1 0\nCHANNELS 0\n" for joint in range(joints))
    text = head + below + "}\n" * (joints + 1) + f"MOTION\nFrames: {frames}\nFrame Time: 0.033333\n"
    return (text + "0 0 9\n" * frames).encode()


@pytest.mark.parametrize(
    ("name", "joints", "made"),
    [
        ("x.glb", 1, lambda frames: few_keys(frames, 1)),
        ("x.glb", 80, lambda frames: few_keys(frames, 80)),
        ("x.fbx", 5, lambda frames: long_span(frames, 5, 5)),
        ("x.fbx", 200, lambda frames: long_span(frames, 200, 1)),
        ("x.bvh", 200, lambda frames: fixed_joints(frames, 200)),
    ],
    ids=["glTF, one node", "glTF, 80 nodes", "FBX, all bones move", "FBX, one bone moves", "BVH, one joint moves"],
)
def test_long_motion_in_a_small_file_fits_in_the_memory_promised_or_is_refused(
    name: str, joints: int, made: Callable[[int], bytes]
) -> None:
    if name == "x.fbx":
        pytest.importorskip("ufbx")
    accepted, refused, reason = 0, 0, ""
    clip_from_bytes(made(10), name)  # loads and compiles what reading needs
    frames = 150_000 // joints
    while refused - accepted > 0.2 * accepted or not refused:
        data = made(frames)
        tracemalloc.start()
        try:
            count = clip_from_bytes(data, name).frame_count
        except FormatError as error:
            count, reason = 0, str(error)
        finally:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        accepted, refused = (frames, refused) if count else (accepted, frames)
        assert abs(count - frames) <= 1 or re.search("proportion|longer than its size", reason)
        assert peak <= MOST_BYTES_ALWAYS + MOST_BYTES_PER_BYTE * len(data), f"{frames} frames"
        frames = (accepted + refused) // 2 if refused else 2 * frames
