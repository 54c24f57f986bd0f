"""Clips of one step as input of decisions: turn and travel of each clip after each other clip, and their cost."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import turn_over_ground, wrap_angle
from motionfields.control.methods.graph.cutting import BOTH, LEFT, RIGHT, StepClips
from motionfields.control.methods.graph.links import Joints, standing_foot
from motionfields.control.root_motion import RootMotion, measure_root_motion
from motionfields.control.transitions import BLOCKED
from motionfields.field.database import MotionDatabase
from motionfields.field.database.building import MIRROR

HALF_LIFE = 0.18  # seconds, of the spring that spreads the jump between two clips
JUMP_COST = 0.1  # radians for each m/s2 by which the acceleration of the joints jumps
WARP_COST = 0.5  # radians for each radian that a clip is turned further, and for each unit of its stretch


class Steps(NamedTuple):
    """Outcomes of playing clips of one step, one after the other. An action plays a clip, as captured or warped.

    Lengths are metres to the left and ahead of the facing at the end of the clip before.
    """

    clip: IntArray  # [action], the clip that it plays
    turn: FloatArray  # [clip, action], radians that the facing turns to the left until the action ends
    travel: FloatArray  # [clip, action, 2]
    cost: FloatArray  # [clip, action], radians, of the blend and the warp; infinite if the clip cannot follow
    seconds: FloatArray  # [action]
    landing: FloatArray  # [action, 2], metres, the standing foot at the end, from the root and its facing there

    @property
    def clip_count(self) -> int:
        """Number of clips."""
        return len(self.turn)

    def only(self, clips: IntArray) -> Steps:
        """Return these `clips` [n] alone, in this order; only for actions without warps."""
        number = np.full(self.clip_count, -1)
        number[clips] = np.arange(len(clips))
        table = np.ix_(clips, clips)
        return Steps(
            number[self.clip[clips]],
            self.turn[table],
            self.travel[table],
            self.cost[table],
            self.seconds[clips],
            self.landing[clips],
        )

    def warped(self, turns: tuple[float, ...], stretches: tuple[float, ...]) -> Steps:
        """Return the actions that also turn by one of `turns`, radians, and travel one of `stretches` times as far.

        The extra turn is spread over the step: its travel turns by half of it (Lee's thesis, section 3.4).
        """
        extra, stretch = (part.ravel() for part in np.meshgrid(turns, stretches, indexing="ij"))
        actions = np.repeat(np.arange(len(self.clip)), len(extra))
        extra, stretch = np.tile(extra, len(self.clip)), np.tile(stretch, len(self.clip))
        warp = WARP_COST * (np.abs(extra) + np.abs(stretch - 1.0))
        moved = turn_over_ground(self.travel[:, actions], np.broadcast_to(0.5 * extra, (self.clip_count, len(extra))))
        return Steps(
            self.clip[actions],
            self.turn[:, actions] + extra,
            moved * stretch[:, np.newaxis],
            self.cost[:, actions] + warp,
            self.seconds[actions],
            self.landing[actions],
        )


def varied_clips(database: MotionDatabase, clips: StepClips, count: int) -> IntArray:
    """Return `count` clips [2, count / 2] that differ most in turn, travel and time, and their mirror images.

    All begin on the left foot and end on the right one, the mirror images in the second row the other way round. The
    first is the straightest; each further one is the farthest from those before. There are fewer if `clips` are few.
    """
    members, images = mirror_pairs(database, clips)
    if not len(members):
        raise ValueError("clips: expected steps from the left to the right foot, and their mirror images; got none")
    turn, travel = whole_clips(measure_root_motion(database), clips)
    looks = np.column_stack([turn, travel, clips.length * database.frame_time])[members]
    picked = [int(np.abs(turn[members]).argmin())]
    gaps = np.full(len(members), np.inf)
    while len(picked) < min(count // 2, len(members)):
        gaps = np.minimum(gaps, np.linalg.norm(looks - looks[picked[-1]], axis=-1))
        picked.append(int(gaps.argmax()))
    return np.stack([members[picked], images[picked]])


def mirror_pairs(database: MotionDatabase, clips: StepClips) -> tuple[IntArray, IntArray]:
    """Return the clips [pair] from the left to the right foot, and the mirror image [pair] of each."""
    takes = database.clip_of[clips.start]
    names = [database.clip_names[take] for take in takes.tolist()]
    frames = (clips.start - database.clip_starts[takes]).tolist()
    known = {key: clip for clip, key in enumerate(zip(names, frames, strict=True))}
    pairs = []
    for clip in np.flatnonzero((clips.foot == LEFT) & (clips.end_foot == RIGHT)).tolist():
        name = names[clip].removesuffix(MIRROR) if names[clip].endswith(MIRROR) else names[clip] + MIRROR
        image = known.get((name, frames[clip]))
        if image is not None and clips.foot[image] == RIGHT and clips.end_foot[image] == LEFT:
            pairs.append((clip, image))
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def step_table(database: MotionDatabase, clips: StepClips) -> Steps:
    """Return the outcomes of playing `clips` of `database` after each other, without warps.

    A clip is turned and moved so that the standing foot stays (`Joints`).
    """
    motion = measure_root_motion(database)
    joints = Joints.of(database, motion, half_life=HALF_LIFE)
    links = joints.links(clips.end, clips.end_foot, clips)
    count = len(clips.start)
    before, after = (index.ravel() for index in np.meshgrid(np.arange(count), np.arange(count), indexing="ij"))
    foot = standing_foot(clips.end_foot[before], clips.foot[after])
    pivot = links.turns.ravel().astype(np.float64)
    shift = joints.shift(clips.end[before], clips.start[after], foot, pivot)
    facing = motion.facing[clips.end[before]]
    change = pivot + motion.facing[clips.start[after]] - facing
    turn, travel = whole_clips(motion, clips)
    moved = turn_over_ground(shift, -facing) + turn_over_ground(travel[after], change)
    last_foot = np.where(clips.end_foot == BOTH, LEFT, clips.end_foot)
    landing = turn_over_ground(joints.foot_place[clips.end, last_foot].astype(np.float64), -motion.facing[clips.end])
    return Steps(
        np.arange(count),
        wrap_angle(change + turn[after]).reshape(count, count),
        moved.reshape(count, count, 2),
        np.where(links.costs >= BLOCKED, np.inf, JUMP_COST * links.costs),
        clips.length * database.frame_time,
        landing,
    )


def whole_clips(motion: RootMotion, clips: StepClips) -> tuple[FloatArray, FloatArray]:
    """Return the turn [clip] and travel [clip, 2] of whole clips, in the frame of the facing at their start."""
    turn, travel = np.zeros(len(clips.start)), np.zeros((len(clips.start), 2))
    for frame in range(int(clips.length.max(initial=0))):
        states = np.minimum(clips.start + frame, clips.end - 1)
        on = frame < clips.length
        travel += on[:, np.newaxis] * turn_over_ground(motion.velocity[states], turn) * motion.frame_time
        turn += on * motion.turn[states, 0]
    return turn, travel
