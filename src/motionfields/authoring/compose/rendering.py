"""From a sequence of states to a motion: pieces cross-faded at the cuts, placed on the ground, with feet held."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from motionfields.authoring.compose.solving import cut_frames
from motionfields.authoring.easing import smooth_share
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.geometry import (
    quat_conjugate,
    quat_exp,
    quat_from_yaw,
    quat_log,
    quat_multiply,
    quat_normalize,
    quat_slerp,
    turn_over_ground,
)
from motionfields.control.root_motion import RootMotion
from motionfields.field import MotionField
from motionfields.field.database import Pose
from motionfields.motion.clip import Clip
from motionfields.motion.planting.holding import hold_feet, root_shift

SEAM: Final = 0.5  # seconds on each side of a cut over which one piece fades into the next


class Track(NamedTuple):
    """A motion relative to the ground it moves over."""

    rotations: FloatArray  # [frame, joint, 4], the root's without yaw, the others relative to their parents
    height: FloatArray  # [frame], metres, of the root
    steps: FloatArray  # [frame, 2], metres: x and z to the next frame in the yaw frame of the root
    turns: FloatArray  # [frame], radians about the vertical to the next frame
    votes: FloatArray  # [frame, 2], contact votes of the feet, 0 to 1


class RootWarp(NamedTuple):
    """Changes of the root motion, added to every frame."""

    turns: FloatArray  # [frame], radians to the next frame
    shifts: FloatArray  # [frame, 2], metres to the next frame, x and z in the world

    @classmethod
    def none(cls, frame_count: int) -> RootWarp:
        """Return no change of `frame_count` frames."""
        return cls(np.zeros(frame_count), np.zeros((frame_count, 2)))


class GroundPath(NamedTuple):
    """Path of the root."""

    place: FloatArray  # [frame, 2], metres, x and z
    yaw: FloatArray  # [frame], radians


class Rendered(NamedTuple):
    """A motion, and the contacts in which its feet are held."""

    clip: Clip
    contacts: BoolArray  # [frame, 2]


def render(
    field: MotionField,
    root_motion: RootMotion,
    path: IntArray,
    *,
    seam: float = SEAM,
    start: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> Rendered:
    """Return the motion that shows the states `path` [frame].

    At each cut the old piece goes on and the new one begins earlier, and one fades into the other over `seam` seconds
    on both sides, in all joints, in the velocity of the root, and in its turning. The feet are held in their contacts.
    `start` is x and z in metres and the facing in radians of the first frame.
    """
    track = settled(field, crossfaded(field, root_motion, path, seam=seam))
    x, z, facing = start
    return show(field, track, place=(x, z), yaw=facing - float(root_motion.facing[path[0]]))


def show(
    field: MotionField,
    track: Track,
    *,
    place: tuple[float, float] = (0.0, 0.0),
    yaw: float = 0.0,
    warp: RootWarp | None = None,
    name: str = "composed",
) -> Rendered:
    """Return the motion of `track` from `place` (metres) and `yaw` (radians), with a `warp` added and feet held."""
    clip = _clip(field, track, ground_path(track, place, yaw, warp), name)
    contacts = track.votes >= 0.5
    return Rendered(hold_feet(clip, contacts, move_root=False).clip, contacts)


def settled(field: MotionField, track: Track) -> Track:
    """Return `track` with the steps of the root changed so that standing feet slide less (see `root_shift`)."""
    ground = ground_path(track)
    shift = root_shift(_clip(field, track, ground, ""), track.votes >= 0.5)
    change = np.diff(shift, axis=0, append=shift[-1:])
    return track._replace(steps=track.steps + turn_over_ground(change, -ground.yaw))


def pinned(track: Track, pose: Pose, frame: int, reach: int) -> Track:
    """Return `track` with `pose` [1] at `frame`; the change fades over `reach` frames on both sides."""
    frames = np.arange(len(track.turns))
    share = smooth_share(1.0 - np.abs(frames - frame) / (reach + 1.0))
    turn = quat_log(quat_multiply(pose.rotations[0].astype(np.float64), quat_conjugate(track.rotations[frame])))
    rotations = quat_multiply(quat_exp(turn * share[:, np.newaxis, np.newaxis]), track.rotations)
    height = track.height + share * (float(pose.root_position[0, 1]) - track.height[frame])
    return track._replace(rotations=quat_normalize(rotations), height=height)


def ground_path(
    track: Track, place: tuple[float, float] = (0.0, 0.0), yaw: float = 0.0, warp: RootWarp | None = None
) -> GroundPath:
    """Return the path of the root of `track` from `place` (metres) and `yaw` (radians), with a `warp` added."""
    use = warp or RootWarp.none(len(track.turns))
    yaws = yaw + np.concatenate([[0.0], np.cumsum(track.turns[:-1] + use.turns[:-1])])
    steps = turn_over_ground(track.steps, yaws) + use.shifts
    places = np.asarray(place) + np.concatenate([np.zeros((1, 2)), np.cumsum(steps[:-1], axis=0)])
    return GroundPath(places, yaws)


def crossfaded(field: MotionField, root_motion: RootMotion, path: IntArray, *, seam: float = SEAM) -> Track:
    """Return the states `path` [frame] as one track, each piece faded into the next (see `render`).

    A foot that is in contact in a state of `path` has all votes in its frame: where the other piece of a seam lifts it,
    it would slide over the ground.
    """
    database = field.database
    window = max(1, round(seam / database.frame_time))
    frame_count = len(path)
    out = track_of(field, root_motion, path)
    cuts = [*cut_frames(path).tolist(), frame_count]
    left, starts, clip_of = database.frames_left, database.clip_starts, database.clip_of
    # Each piece is written up to the end of the next seam, where it is the old piece.
    first = track_of(field, root_motion, _clamped(path[0], np.arange(min(frame_count, cuts[0] + window)), left))
    _put(out, slice(0, len(first.turns)), first)
    for number, cut in enumerate(cuts[:-1]):
        new, old = int(path[cut]), int(path[cut - 1]) + 1
        before = min(window, new - int(starts[clip_of[new]]), cut)
        after = min(window, int(left[old]))
        frames = np.arange(cut - before, min(frame_count, cuts[number + 1] + window))
        piece = track_of(field, root_motion, _clamped(new, frames - cut, left))
        share = smooth_share((frames - (cut - before - 1)) / (before + after + 1.0))
        _put(out, slice(int(frames[0]), int(frames[-1]) + 1), mixed(_part(out, frames), piece, share))
    return out._replace(votes=np.maximum(out.votes, database.contacts[path]))


def track_of(field: MotionField, root_motion: RootMotion, states: IntArray) -> Track:
    """Return the captured motion of `states` [frame], whatever their order."""
    database = field.database
    rotations = np.concatenate([database.root_tilt[states][:, np.newaxis], database.joint_rotations[states]], axis=1)
    return Track(
        rotations.astype(np.float64),
        database.root_height[states].astype(np.float64),
        database.root_step[states][:, ::2].astype(np.float64),
        root_motion.yaw_turn[states, 0].astype(np.float64),
        field.state_votes[states].astype(np.float64),
    )


def mixed(old: Track, new: Track, share: FloatArray) -> Track:
    """Return the blend of two tracks with the `share` [frame] of the new one, 0 to 1."""
    rest = []
    for before, after in zip(old[1:], new[1:], strict=True):
        part = share.reshape(-1, *[1] * (before.ndim - 1))
        rest.append((1.0 - part) * before + part * after)
    return Track(quat_slerp(old.rotations, new.rotations, share[:, np.newaxis]), *rest)


def _clip(field: MotionField, track: Track, ground: GroundPath, name: str) -> Clip:
    """Return `track` along `ground` as a clip."""
    rotations = track.rotations.copy()
    rotations[:, 0] = quat_multiply(quat_from_yaw(ground.yaw), rotations[:, 0])
    root = np.stack([ground.place[:, 0], track.height, ground.place[:, 1]], axis=1)
    return Clip(field.database.skeleton, root, quat_normalize(rotations), field.database.frame_time, name=name)


def _clamped(state: int, frames: IntArray, left: IntArray) -> IntArray:
    """Return the states at `frames` [n] relative to `state`, the last one of its clip where that has ended."""
    return np.asarray(state + np.minimum(frames, left[state]))


def _part(track: Track, frames: IntArray) -> Track:
    return Track(*(values[frames] for values in track))


def _put(track: Track, frames: slice, part: Track) -> None:
    for values, new in zip(track, part, strict=True):
        values[frames] = new
