"""Blends of similar clips, aligned at events such as contacts, as in parametric motion synthesis.

Clips are stretched so that their events coincide. Poses are averaged relative to the facing, and the motion over the
ground is the average of what each clip covers from frame to frame. So a blend turns by the weighted mean of the turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionfields.authoring.plan.steps import accumulated, relative
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.geometry import quat_average, quat_from_yaw, quat_multiply, quat_slerp
from motionfields.motion.clip import Clip
from motionfields.motion.quality import facing_yaw


@dataclass(frozen=True, eq=False)
class Member:
    """One clip of a group, with the frames of the events that all members share."""

    clip: Clip
    events: IntArray  # [m], rising frames; the first and the last frame of the clip are the first and the last event
    contacts: BoolArray  # [frame, 2], left and right foot

    def __post_init__(self) -> None:
        frames = self.clip.frame_count
        if len(self.events) < 2 or self.events[0] != 0 or self.events[-1] != frames - 1:
            raise ValueError("events: expected the first and the last frame of the clip at the ends")
        if not (np.diff(self.events) > 0).all():
            raise ValueError(f"events: expected rising frames, got {np.asarray(self.events).tolist()}")
        if np.shape(self.contacts) != (frames, 2):
            raise ValueError(f"contacts: expected {(frames, 2)}, got {np.shape(self.contacts)}")

    def sampled(self, places: FloatArray) -> Sampled:
        """Return the poses at the fractional frames `places` [n], between the frames around them."""
        clip, low = self.clip, np.minimum(places.astype(np.int64), self.clip.frame_count - 2)
        share = places - low
        facing, ground = facing_yaw(clip), clip.root_position[:, ::2]
        local = clip.rotations.copy()
        local[:, 0] = quat_multiply(quat_from_yaw(-facing), local[:, 0])

        def at(track: FloatArray) -> FloatArray:
            part = share.reshape(-1, *(1,) * (track.ndim - 1))
            return np.asarray((1.0 - part) * track[low] + part * track[low + 1])

        path = np.column_stack([at(ground), at(facing)])
        rotations = quat_slerp(local[low], local[low + 1], np.broadcast_to(share[:, np.newaxis], local[low].shape[:2]))
        return Sampled(path, at(clip.root_position[:, 1]), rotations, at(self.contacts.astype(np.float64)))


class Sampled(NamedTuple):
    """Poses of a clip at some times [n]."""

    path: FloatArray  # [n, 3], ground pose: x and z in metres, facing in radians
    height: FloatArray  # [n], metres, of the root
    rotations: FloatArray  # [n, joint, 4]; that of the root is relative to the facing
    contacts: FloatArray  # [n, 2], 0 to 1


class Blend(NamedTuple):
    """A blended clip, which begins at the origin and faces +z, and its contacts."""

    clip: Clip
    contacts: BoolArray  # [frame, 2]
    events: IntArray  # [m], frames


def blend(members: Sequence[Member], weights: FloatArray) -> Blend:
    """Return the blend of `members` with `weights` [member], which are at least 0 and are normalised here."""
    shares = np.asarray(weights, dtype=np.float64)
    if shares.shape != (len(members),) or not len(members) or not (shares >= 0.0).all() or not shares.sum() > 0.0:
        raise ValueError(f"weights: expected one of at least 0 for each of {len(members)} members")
    if len({len(member.events) for member in members}) > 1:
        raise ValueError("members: expected the same events in all of them")
    shares = shares / shares.sum()
    events = np.round(shares @ np.array([member.events for member in members])).astype(np.int64)
    events = np.maximum(events, np.arange(len(events)))
    frames = np.arange(events[-1] + 1)
    parts = [member.sampled(np.interp(frames, events, member.events)) for member in members]
    steps = sum(share * relative(part.path[:-1], part.path[1:]) for share, part in zip(shares, parts, strict=True))
    path = accumulated(np.asarray(steps))
    rotations = quat_average(np.stack([part.rotations for part in parts], axis=-2), shares)
    rotations[:, 0] = quat_multiply(quat_from_yaw(path[:, 2]), rotations[:, 0])
    height = np.asarray(sum(share * part.height for share, part in zip(shares, parts, strict=True)))
    contacts = np.asarray(sum(share * part.contacts for share, part in zip(shares, parts, strict=True))) >= 0.5
    position = np.column_stack([path[:, 0], height, path[:, 1]])
    first = members[0].clip
    return Blend(Clip(first.skeleton, position, rotations, first.frame_time, name="blend"), contacts, events)


def move_of(clip: Clip) -> FloatArray:
    """Return the ground pose [3] of the last frame of `clip` as seen from the first: left, ahead, turn to the left."""
    path = np.column_stack([clip.root_position[[0, -1], ::2], facing_yaw(clip)[[0, -1]]])
    return relative(path[0], path[1])


def pose_distance(a: Member, b: Member, *, samples: int = 12) -> float:
    """Return the mean distance in metres of the joints of two members at the same phases, relative to the facing."""
    found = []
    phases = np.linspace(0.0, len(a.events) - 1.0, samples)
    for member in (a, b):
        part = member.sampled(np.interp(phases, np.arange(len(member.events)), member.events))
        root = np.column_stack([np.zeros(samples), part.height, np.zeros(samples)])
        clip = Clip(member.clip.skeleton, root, part.rotations, member.clip.frame_time)
        found.append(clip.world().positions)
    return float(np.linalg.norm(found[0] - found[1], axis=-1).mean())
