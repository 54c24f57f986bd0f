"""Poses sent over VMC arrive at a receiver of this machine, which rebuilds the character from them."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import motionfields as mf
from motionfields.base.arrays import FloatArray
from motionfields.base.errors import SkeletonError
from motionfields.base.geometry import quat_identity, quat_multiply, quat_rotate
from motionfields.export.streaming import (
    DELAY,
    LARGEST_PACKET,
    UNITY_POSITION,
    UNITY_ROTATION,
    Pacer,
    Vmc,
    next_due,
    osc_bundles,
    osc_message,
)
from motionfields.motion.humanoid import humanoid_bones
from motionfields.motion.samples import generate_samples, sample_skeleton
from motionfields.motion.skeleton import Skeleton

# Parents of humanoid bones, nearest first; a rig may lack some of them.
ABOVE = {
    "Spine": ["Hips"], "Chest": ["Spine"], "UpperChest": ["Chest"], "Neck": ["UpperChest", "Chest", "Spine"],
    "Head": ["Neck", "UpperChest", "Chest", "Spine"],
} | {
    f"{side}{bone}": [f"{side}{one}" if one in ("Shoulder", "UpperArm", "LowerArm", "UpperLeg", "LowerLeg", "Foot")
                      else one for one in above]
    for side in ("Left", "Right")
    for bone, above in {
        "Shoulder": ["UpperChest", "Chest", "Spine"], "UpperArm": ["Shoulder", "UpperChest", "Chest"],
        "LowerArm": ["UpperArm"], "Hand": ["LowerArm"], "UpperLeg": ["Hips"], "LowerLeg": ["UpperLeg"],
        "Foot": ["LowerLeg"], "Toes": ["Foot"],
    }.items()
}  # fmt: skip


@pytest.fixture
def receiver() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.settimeout(60.0)
        yield listening


def unpacked(packet: bytes) -> list[tuple[object, ...]]:
    """The messages of an OSC bundle, read by the rules of OSC: address, then values."""
    assert packet[:16] == b"#bundle\0" + bytes(7) + b"\1"
    messages, at = [], 16
    while at < len(packet):
        (size,) = struct.unpack_from(">i", packet, at)
        messages.append(message(packet[at + 4 : at + 4 + size]))
        at += 4 + size
    return messages


def message(data: bytes) -> tuple[object, ...]:
    """An OSC message."""

    def text(at: int) -> tuple[str, int]:
        end = data.index(b"\0", at)
        return data[at:end].decode(), end + 4 - end % 4

    address, at = text(0)
    tags, at = text(at)
    values: list[object] = [address]
    for tag in tags[1:]:
        if tag == "s":
            value, at = text(at)
            values.append(value)
        else:
            values.append(struct.unpack_from(f">{tag}", data, at)[0])
            at += 4
    assert at == len(data)
    return tuple(values)


def rebuilt(bones: dict[str, tuple[FloatArray, FloatArray]]) -> dict[str, FloatArray]:
    """Where a receiver in Unity's axes puts the bones, in our axes."""
    world: dict[str, tuple[FloatArray, FloatArray]] = {}
    for name, (place, turn) in bones.items():
        above = next((one for one in ABOVE.get(name, []) if one in bones), None)
        place, turn = UNITY_POSITION * place, UNITY_ROTATION * turn  # a mirror image of both is the same arithmetic
        if above is not None:
            base, rotation = world[above]
            place, turn = base + quat_rotate(rotation, place), quat_multiply(rotation, turn)
        world[name] = (place, turn)
    return {name: place for name, (place, _) in world.items()}


def test_a_message_has_the_bytes_of_the_osc_specification() -> None:
    assert osc_message("/a/b", "hip", 1, 0.5) == b"/a/b\0\0\0\0,sif\0\0\0\0hip\0\0\0\0\1\x3f\0\0\0"
    assert osc_message("/VMC/Ext/OK", 1) == b"/VMC/Ext/OK\0,i\0\0\0\0\0\1"


def test_bundles_keep_the_order_and_fit_into_a_packet() -> None:
    messages = [osc_message("/VMC/Ext/T", float(number)) for number in range(200)]
    bundles = list(osc_bundles(messages))
    assert len(bundles) > 2
    assert max(map(len, bundles)) <= LARGEST_PACKET
    assert [value for bundle in bundles for _, value in unpacked(bundle)] == list(range(200))


def received(receiver: socket.socket, bone_count: int) -> tuple[float, dict[str, tuple[FloatArray, FloatArray]]]:
    """Time and bones of the next frame."""
    time, bones = 0.0, dict[str, tuple[FloatArray, FloatArray]]()
    while len(bones) < bone_count:
        for address, *values in unpacked(receiver.recv(65536)):
            if address == "/VMC/Ext/T":
                time = float(values[0])  # type: ignore[arg-type]
            elif address == "/VMC/Ext/Bone/Pos":
                place, (x, y, z, w) = np.array(values[1:4], float), np.array(values[4:], float)
                bones[str(values[0])] = (place, np.array([w, x, y, z]))
    return time, bones


def assert_arrives(clip: mf.Clip, receiver: socket.socket, bone_count: int) -> None:
    with Vmc(clip.skeleton, port=receiver.getsockname()[1]) as sender:
        assert len(sender.bones) == bone_count
        for frame in range(0, clip.frame_count, 7):
            sender.send(clip.root_position[frame], clip.rotations[frame], time=frame * clip.frame_time)
            time, bones = received(receiver, bone_count)
            assert time == pytest.approx(frame * clip.frame_time, abs=1e-5)
            places, world = rebuilt(bones), clip.world().positions[frame]
            for name, joint in sender.bones.items():
                assert np.linalg.norm(places[name] - world[joint]) < 1e-4  # 0.1 mm
        assert sender.dropped == 0


def test_a_receiver_rebuilds_a_generated_character(receiver: socket.socket) -> None:
    assert_arrives(generate_samples(frame_rate=30.0, only=["turn_left_090_quick"])[0].clip, receiver, 22)


def test_a_receiver_rebuilds_a_captured_character(shared_data: Path, receiver: socket.socket) -> None:
    clip = mf.load_clip(shared_data / "locomotion" / "69_17.bvh")
    assert_arrives(mf.trim(clip, 0, 200), receiver, 22)


def test_the_t_pose_is_zero_and_the_left_hand_is_where_unity_has_it() -> None:
    skeleton = sample_skeleton()
    with Vmc(skeleton) as sender:
        bones = {bone.name: bone for bone in sender.pose([0.0, 0.9, 0.0], quat_identity(skeleton.joint_count))}
    for bone in bones.values():
        np.testing.assert_allclose(np.abs(bone.rotation), [1.0, 0.0, 0.0, 0.0], atol=1e-12)
    assert bones["LeftLowerArm"].position[0] < -0.2  # Unity's x is to the right
    assert bones["LeftFoot"].position[1] < -0.3


def test_a_turn_to_the_left_is_negative_in_the_axes_of_unity() -> None:
    skeleton = sample_skeleton()
    rotations = quat_identity(skeleton.joint_count)
    rotations[0] = [np.cos(0.3), 0.0, np.sin(0.3), 0.0]
    with Vmc(skeleton) as sender:
        hips = sender.pose([0.5, 0.9, 2.0], rotations)[0]
    np.testing.assert_allclose(hips.rotation, [np.cos(0.3), 0.0, -np.sin(0.3), 0.0], atol=1e-12)
    np.testing.assert_allclose(hips.position, [-0.5, 0.9, 2.0])


def test_a_rig_that_rests_with_hanging_arms_sends_rotations_from_the_t_pose() -> None:
    straight = sample_skeleton()
    offsets = straight.offsets.copy()
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        for name in ("ForeArm", "Hand"):
            joint = straight.index(f"{side}{name}")
            offsets[joint] = np.linalg.norm(offsets[joint]) * np.array([sign * np.sin(0.5), -np.cos(0.5), 0.0])
    hanging = Skeleton(straight.names, straight.parents, offsets, straight.tip_joints, straight.tip_offsets)
    with Vmc(hanging) as sender:
        at_rest = {bone.name: bone for bone in sender.pose([0.0, 0.9, 0.0], quat_identity(hanging.joint_count))}
    # At rest the left arm hangs 61 degrees below the T-pose, which turns it about z, to the left of Unity's axes.
    turn = at_rest["LeftUpperArm"].rotation
    assert np.degrees(2.0 * np.arccos(abs(turn[0]))) == pytest.approx(90.0 - np.degrees(0.5), abs=3.0)
    assert abs(turn[3]) > 0.4


def test_bones_are_found_by_name_and_a_body_without_arms_is_refused(biped: Skeleton) -> None:
    bones = humanoid_bones(sample_skeleton())
    assert {"Hips", "Spine", "Chest", "UpperChest", "Neck", "Head", "LeftShoulder", "RightToes"} <= set(bones)
    with pytest.raises(SkeletonError, match="a head and two arms"):
        humanoid_bones(biped)


@pytest.mark.parametrize("address", ["udp://127.0.0.1", "vmc://127.0.0.1:0", "vmc://127.0.0.1:99999", "vmc://h/x", ""])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="stream: expected vmc://HOST:PORT"):
        Vmc.at(address, sample_skeleton())


def test_an_address_names_host_and_port_or_their_defaults() -> None:
    for address, expected in (("vmc://127.0.0.1:4000", ("127.0.0.1", 4000)), ("vmc://", ("127.0.0.1", 39539))):
        with Vmc.at(address, sample_skeleton()) as sender:
            assert sender.address == expected


def test_poses_that_come_unevenly_leave_evenly_and_never_before_they_came() -> None:
    frame_time, rng = 1.0 / 30.0, np.random.default_rng(3)
    came = 5.0 + frame_time * np.arange(600) + rng.uniform(0.0, 5e-3, 600)  # computed for up to 5 ms
    due = [-np.inf]
    for now in came:
        due.append(next_due(due[-1], float(now), frame_time))
    left = np.array(due[1:])
    assert (left >= came).all()
    assert (left - came).max() < 2.0 * DELAY * frame_time
    assert np.abs(np.diff(left)[50:] - frame_time).max() < 0.5e-3
    assert np.abs(np.diff(came) - frame_time).max() > 3e-3


def test_after_a_pause_and_at_another_speed_poses_leave_a_third_of_a_frame_after_they_came() -> None:
    assert next_due(-np.inf, 7.0, 0.03) == pytest.approx(7.01)
    assert next_due(7.01, 9.0, 0.03) == pytest.approx(9.01)
    assert next_due(9.01, 9.06, 0.03) == pytest.approx(9.07)  # half the speed
    assert next_due(9.01, 9.005, 0.03) == pytest.approx(9.015)  # much too early


def test_a_pacer_sends_every_pose_in_order_and_ends(receiver: socket.socket) -> None:
    [sample] = generate_samples(frame_rate=30.0, only=["walk_forward"])
    clip = sample.clip
    with Vmc(clip.skeleton, port=receiver.getsockname()[1]) as sender:
        pacer = Pacer(sender, 1e-3)
        for frame in range(5):
            pacer.send(clip.root_position[frame], clip.rotations[frame], time=frame * 0.5)
        pacer.close()
        assert [received(receiver, len(sender.bones))[0] for _ in range(5)] == [0.0, 0.5, 1.0, 1.5, 2.0]
