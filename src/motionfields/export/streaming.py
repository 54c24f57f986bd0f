"""Live poses for other programs: the VMC protocol, which receivers in Unity, Unreal, Blender and Godot understand.

VMC sends OSC messages over UDP (https://protocol.vmc.info): one for each bone of a humanoid, with its position and
rotation relative to the bone above it. Axes are those of Unity: x to the right, y up, z ahead, left-handed. In the
T-pose all rotations are zero.
"""

from __future__ import annotations

import socket
import struct
import threading
import time as clock
from collections.abc import Iterator, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import quat_conjugate, quat_multiply, quat_rotate
from motionfields.motion.body import find_body
from motionfields.motion.clip.mapping import map_joints
from motionfields.motion.clip.resting import rest_corrections
from motionfields.motion.humanoid import humanoid_bones
from motionfields.motion.samples import sample_skeleton
from motionfields.motion.skeleton import Skeleton, forward_kinematics

PORT = 39539  # at which receivers of VMC listen by default
DELAY = 1.0 / 3.0  # of a frame time, by which `Pacer` sends later than it is given a pose
FOLLOWING = 0.05  # share of the difference by which its clock follows that of the poses, each frame
LARGEST_PACKET = 1400  # bytes; fits into one Ethernet frame
AT_ONCE = struct.pack(">Q", 1)  # OSC time of a bundle that is meant now
UNITY_POSITION = np.array([-1.0, 1.0, 1.0])  # our +x is to the left
UNITY_ROTATION = np.array([1.0, 1.0, -1.0, -1.0])  # wxyz, mirrored in x


class Bone(NamedTuple):
    """One bone of a pose, in Unity's axes, relative to the bone above it; the hips relative to the world."""

    name: str
    position: FloatArray  # [3], metres
    rotation: FloatArray  # [4], wxyz; zero in the T-pose


class Vmc:
    """Sender of the poses of one character to a VMC receiver at `host` and `port`.

    The joints of `skeleton` are found by name (see `humanoid_bones`). Rotations are relative to a T-pose, whatever the
    rest pose of the skeleton is. Packets are sent without waiting, and whether they arrive is not known: a frame that
    cannot be sent is counted in `dropped`.
    """

    def __init__(self, skeleton: Skeleton, *, host: str = "127.0.0.1", port: int = PORT) -> None:
        self.skeleton = skeleton
        self.bones = humanoid_bones(skeleton)
        self.dropped = 0
        self._joints = np.array(list(self.bones.values()))
        self._above = _bones_above(skeleton, self._joints)
        self._rest = _t_pose(skeleton, self.bones)[self._joints]
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
        self.address: tuple[Any, ...] = address  # host and port, and more of IPv6
        self._socket = socket.socket(family, kind, protocol)
        self._socket.setblocking(False)

    @classmethod
    def at(cls, address: str, skeleton: Skeleton) -> Self:
        """Return the sender for an `address` such as vmc://127.0.0.1:39539; raise ValueError if it is none.

        Without a port it is 39539, and without a host this machine.
        """
        parts = urlsplit(address)
        try:
            port = parts.port
        except ValueError:
            port = 0
        if parts.scheme != "vmc" or port == 0 or parts.path or parts.query or parts.username is not None:
            raise ValueError(f"stream: expected vmc://HOST:PORT, such as vmc://127.0.0.1:{PORT}, got {address!r}")
        try:
            return cls(skeleton, host=parts.hostname or "127.0.0.1", port=port or PORT)
        except OSError as error:
            raise ValueError(f"stream: there is no host {parts.hostname!r} ({error})") from None

    def pose(self, root_position: ArrayLike, rotations: ArrayLike) -> list[Bone]:
        """Return the bones of one pose: `root_position` [3] in metres, `rotations` [joint, 4] as in a `Clip`."""
        world = forward_kinematics(self.skeleton, np.asarray(root_position), np.asarray(rotations))
        places = world.positions[self._joints]
        turned = quat_multiply(world.rotations[self._joints], quat_conjugate(self._rest))
        local_places, local_turns = places.copy(), turned.copy()
        below = self._above >= 0
        above = self._above[below]
        back = quat_conjugate(turned[above])
        local_places[below] = quat_rotate(back, places[below] - places[above])
        local_turns[below] = quat_multiply(back, turned[below])
        return [
            Bone(name, UNITY_POSITION * place, UNITY_ROTATION * turn)
            for name, place, turn in zip(self.bones, local_places, local_turns, strict=True)
        ]

    def send(self, root_position: ArrayLike, rotations: ArrayLike, *, time: float) -> None:
        """Send one pose (see `pose`) that is shown at `time` seconds."""
        self.send_packets(self.packets(root_position, rotations, time=time))

    def packets(self, root_position: ArrayLike, rotations: ArrayLike, *, time: float) -> list[bytes]:
        """Return the packets that `send` sends for one pose."""
        messages = [
            osc_message("/VMC/Ext/OK", 1),
            osc_message("/VMC/Ext/T", float(time)),
            osc_message("/VMC/Ext/Root/Pos", "root", *(0.0,) * 6, 1.0),
        ]
        for name, place, (w, x, y, z) in self.pose(root_position, rotations):
            values = [float(value) for value in (*place, x, y, z, w)]
            messages.append(osc_message("/VMC/Ext/Bone/Pos", name, *values))
        return list(osc_bundles(messages))

    def send_packets(self, packets: Sequence[bytes]) -> None:
        """Send the packets of one pose."""
        try:
            for packet in packets:
                self._socket.sendto(packet, self.address)
        except OSError:
            self.dropped += 1

    def close(self) -> None:
        """Close the socket."""
        with suppress(OSError):
            self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Pacer:
    """Sender of poses at even times: a thread sends each a third of a frame after it was given.

    The time that it takes to compute a frame varies from frame to frame, and receivers show that as jitter. Poses that
    come `frame_time` seconds apart, give or take a third of it, leave evenly; after a pause the clock starts anew.
    """

    def __init__(self, sender: Vmc, frame_time: float) -> None:
        self.sender = sender
        self.frame_time = frame_time
        self._due = -np.inf  # seconds of the monotonic clock
        self._waiting: SimpleQueue[tuple[float, list[bytes]] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="motionfields stream", daemon=True)
        self._thread.start()

    def send(self, root_position: ArrayLike, rotations: ArrayLike, *, time: float) -> None:
        """Send one pose (see `Vmc.send`) when it is due."""
        packets = self.sender.packets(root_position, rotations, time=time)
        self._due = next_due(self._due, clock.monotonic(), self.frame_time)
        self._waiting.put((self._due, packets))

    def close(self) -> None:
        """Send what waits, and end the thread."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (given := self._waiting.get()) is not None:
            due, packets = given
            clock.sleep(max(due - clock.monotonic(), 0.0))
            self.sender.send_packets(packets)


def next_due(last: float, now: float, frame_time: float) -> float:
    """Return when to send a pose that came at `now`, after one that was due at `last`; all in seconds."""
    wanted = now + DELAY * frame_time
    regular = last + frame_time
    if not abs(wanted - regular) < DELAY * frame_time:  # the first pose, a pause, or another speed
        return wanted
    return regular + FOLLOWING * (wanted - regular)


def osc_message(address: str, *values: str | int | float) -> bytes:
    """Return the OSC message of text, 32-bit integers and 32-bit floats for `address`."""
    tags, body = ",", b""
    for value in values:
        if isinstance(value, str):
            tags, body = tags + "s", body + _osc_text(value)
        elif isinstance(value, int):
            tags, body = tags + "i", body + struct.pack(">i", value)
        else:
            tags, body = tags + "f", body + struct.pack(">f", value)
    return _osc_text(address) + _osc_text(tags) + body


def osc_bundles(messages: Sequence[bytes]) -> Iterator[bytes]:
    """Yield `messages` as OSC bundles of at most `LARGEST_PACKET` bytes, in order."""
    start = bundle = b"#bundle\0" + AT_ONCE
    for message in messages:
        part = struct.pack(">i", len(message)) + message
        if len(bundle) + len(part) > LARGEST_PACKET and len(bundle) > len(start):
            yield bundle
            bundle = start
        bundle += part
    yield bundle


def _osc_text(text: str) -> bytes:
    """Return `text`, ended by at least one zero and filled up to a multiple of 4 bytes."""
    data = text.encode("ascii")
    return data + b"\0" * (4 - len(data) % 4)


def _bones_above(skeleton: Skeleton, joints: IntArray) -> IntArray:
    """Return for each of the `joints` [bone] the bone of the nearest of them above it; -1 for the first."""
    bone_of = {joint: bone for bone, joint in enumerate(joints.tolist())}
    above = [next((bone_of[up] for up in skeleton.path_to(j)[-2::-1] if up in bone_of), -1) for j in joints.tolist()]
    return np.array(above)


def _t_pose(skeleton: Skeleton, bones: dict[str, int]) -> FloatArray:
    """Return the rotations [joint, 4] in the world that bring the bones of `skeleton` into the T-pose."""
    model = sample_skeleton()  # is in T-pose at rest
    of_model = humanoid_bones(model)
    names = {model.names[of_model[bone]]: skeleton.names[joint] for bone, joint in bones.items() if bone in of_model}
    return rest_corrections(model, skeleton, map_joints(model, skeleton, names=names), find_body(skeleton))
