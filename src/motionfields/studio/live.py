"""Live measures of one character, by the definitions of `motion.quality` and `motion.footwork`."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np

from motionfields.base.geometry import angle_difference, quat_normalize
from motionfields.field import MotionField
from motionfields.field.database import MotionState, pose_difference
from motionfields.measure.evaluation.footing import FootTracks, foot_tracks, replayed_frames, replayed_share
from motionfields.motion import quality
from motionfields.motion.body import find_body
from motionfields.motion.clip import Clip
from motionfields.runtime import Frame as CrowdFrame
from motionfields.runtime.follower import DisplayPose
from motionfields.studio.messages import Figures, Goal

ANSWERED = np.radians(5.0)  # heading error below which the goal counts as reached
NEW_GOAL = np.radians(5.0)  # a desired heading that changes by more than this in one frame is a new goal
FRAMES = 4  # frames that a third difference needs
REPLAY_SECONDS = 1.0  # time over which replayed moments are counted


STILL = FootTracks(np.zeros(1, np.bool_), np.zeros(1), np.zeros(1), np.zeros(1), np.zeros(1, np.bool_))
"""Footwork of a single frame, which has no velocity yet."""


class LiveFigures:
    """Measures of the selected character at every frame."""

    def __init__(self, field: MotionField) -> None:
        self.field = field
        self.body = find_body(field.database.skeleton)
        self._recent: deque[CrowdFrame] = deque(maxlen=FRAMES)
        second = round(REPLAY_SECONDS / field.database.frame_time)
        self._states: deque[int] = deque(maxlen=2 * second)
        self._turning: deque[bool] = deque(maxlen=second)
        self._character = -1
        self._heading = 0.0
        self._response = 0.0
        self._answered = True

    def restart(self) -> None:
        """Discard the recent frames, because the crowd has changed."""
        self._recent.clear()
        self._forget_states()

    def measure(self, frame: CrowdFrame, character: int, goal: Goal) -> Figures:
        """Return the measures of `character` at `frame`, the frame after the last one given, with the goal `goal`."""
        self._recent.append(frame)
        if character != self._character:
            self._forget_states()
        clip = self._clip(character)
        facing = float(quality.facing_yaw(clip, body=self.body)[-1])
        error = 0.0 if goal.kind == "stand" else float(angle_difference(goal.heading, facing))
        self._time_response(character, goal.heading, error)
        steps = np.diff(clip.root_position[-2:, ::2], axis=0)
        feet = foot_tracks(clip, self.field.stance, body=self.body) if len(steps) else STILL
        return Figures(
            facing=float(angle_difference(facing, 0.0)),
            error=error,
            response=self._response,
            answered=self._answered,
            speed=float(np.linalg.norm(steps)) / clip.frame_time,
            foot=float(feet.speed[-1]),
            spin=float(feet.spin[-1]),
            twist=float(feet.twist[-1]),
            replayed=self._replayed(int(frame.states[character]), turning=bool(feet.turning[-1])),
            jerk=float(quality.jerk(clip)[-1]) if clip.frame_count == FRAMES else 0.0,
            distance=self._distance(character),
        )

    def _forget_states(self) -> None:
        self._states.clear()
        self._turning.clear()

    def _replayed(self, state: int, *, turning: bool) -> float:
        """Return the share of the turning frames of the last second that show moments of the data again."""
        self._states.append(state)
        self._turning.append(turning)
        again = replayed_frames(np.array(self._states), self.field.database.frame_time)[-len(self._turning) :]
        return replayed_share([again], [np.array(self._turning)])

    def _clip(self, character: int) -> Clip:
        """Return the recent frames of `character` as a clip."""
        database = self.field.database
        root = np.stack([frame.root_position[character] for frame in self._recent])
        rotations = np.stack([frame.rotations[character] for frame in self._recent])
        return Clip(database.skeleton, root, quat_normalize(rotations), database.frame_time, name="live")

    def _time_response(self, character: int, heading: float, error: float) -> None:
        """Update the time in seconds from a new goal until the facing reaches it (see `quality.response_time`)."""
        if character != self._character:
            self._character, self._answered, self._response = character, True, 0.0
        elif abs(angle_difference(heading, self._heading)) > NEW_GOAL:
            self._answered, self._response = False, 0.0
        elif not self._answered:
            self._response += self.field.database.frame_time
        self._heading = heading
        self._answered = self._answered or bool(abs(error) < ANSWERED)

    def _distance(self, character: int) -> float:
        """Return the distance from the displayed state to the nearest database state, over the median spacing."""
        if len(self._recent) < 2:
            return 0.0
        before, now = (DisplayPose(frame.root_position, frame.rotations) for frame in list(self._recent)[-2:])
        state = state_between(before, now, slice(character, character + 1))
        return float(self.field.neighbors(state, 1).distances[0, 0]) / self.field.spacing.median


class SourceMeans(NamedTuple):
    """Means over the source clips, as references for the live measures."""

    foot: float  # m/s, ground speed of the supporting foot
    spin: float  # rad/s, yaw speed of the supporting foot
    twist: float  # rad, of the torso against the pelvis
    jerk: float  # m/s3


def source_means(field: MotionField) -> SourceMeans:
    """Return the means of the live measures over the clips of `field`."""
    clips = [clip for clip in field.database.source_clips() if clip.frame_count >= FRAMES]
    feet = [foot_tracks(clip, field.stance) for clip in clips] or [STILL]
    speed, spin, twist = (float(np.concatenate(part).mean()) for part in list(zip(*feet, strict=True))[1:4])
    jerk = float(np.concatenate([quality.jerk(clip) for clip in clips] or [np.zeros(1)]).mean())
    return SourceMeans(speed, spin, twist, jerk)


def state_between(before: DisplayPose, now: DisplayPose, characters: slice) -> MotionState:
    """Return the states of the given `characters` from their displayed poses in two successive frames."""
    earlier = before.poses(characters)
    return MotionState(earlier, pose_difference(now.poses(characters), earlier))
