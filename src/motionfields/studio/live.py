"""Live measures of one character, by the definitions of `motion.quality`."""

from __future__ import annotations

from collections import deque

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.base.geometry import angle_difference, quat_normalize
from motionfields.field import MotionField
from motionfields.field.database import MotionState, pose_difference
from motionfields.motion import quality
from motionfields.motion.body import find_body
from motionfields.motion.clip import Clip
from motionfields.runtime import Frame as CrowdFrame
from motionfields.runtime.follower import DisplayPose
from motionfields.studio.messages import Figures, Goal

ANSWERED = np.radians(5.0)  # heading error below which the goal counts as reached
NEW_GOAL = np.radians(5.0)  # a desired heading that changes by more than this in one frame is a new goal
FRAMES = 4  # frames that a third difference needs


class LiveFigures:
    """Measures of the selected character at every frame."""

    def __init__(self, field: MotionField) -> None:
        self.field = field
        self.body = find_body(field.database.skeleton)
        self._recent: deque[CrowdFrame] = deque(maxlen=FRAMES)
        self._character = -1
        self._heading = 0.0
        self._response = 0.0
        self._answered = True

    def restart(self) -> None:
        """Discard the recent frames, because the crowd has changed."""
        self._recent.clear()

    def measure(self, frame: CrowdFrame, character: int, goal: Goal) -> Figures:
        """Return the measures of `character` at `frame`, the frame after the last one given, with the goal `goal`."""
        self._recent.append(frame)
        clip, planted = self._clip(character)
        facing = float(quality.facing_yaw(clip, body=self.body)[-1])
        error = 0.0 if goal.kind == "stand" else float(angle_difference(goal.heading, facing))
        self._time_response(character, goal.heading, error)
        steps = np.diff(clip.root_position[-2:, ::2], axis=0)
        skate = quality.contact_skate(clip, planted, body=self.body) if len(steps) else np.zeros(0)
        return Figures(
            facing=float(angle_difference(facing, 0.0)),
            error=error,
            response=self._response,
            answered=self._answered,
            speed=float(np.linalg.norm(steps)) / clip.frame_time,
            skate=float(skate.mean()) if skate.size else 0.0,
            jerk=float(quality.jerk(clip)[-1]) if clip.frame_count == FRAMES else 0.0,
            distance=self._distance(character),
        )

    def _clip(self, character: int) -> tuple[Clip, BoolArray]:
        """Return the recent frames of `character` as a clip, and whether its feet were planted, [frame, 2]."""
        database = self.field.database
        root = np.stack([frame.root_position[character] for frame in self._recent])
        rotations = np.stack([frame.rotations[character] for frame in self._recent])
        planted = np.stack([frame.planted[character] for frame in self._recent])
        return Clip(database.skeleton, root, quat_normalize(rotations), database.frame_time, name="live"), planted

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


def source_figures(field: MotionField) -> tuple[float, float]:
    """Return the mean skate of standing feet (m/s) and the mean jerk (m/s3) of the clips of `field`, as references."""
    database = field.database
    skates: list[FloatArray] = [np.zeros(1)]
    jerks: list[FloatArray] = [np.zeros(1)]
    labels = np.split(database.contacts, database.clip_starts[1:-1])
    for clip, standing in zip(database.source_clips(), labels, strict=True):
        skates.append(quality.contact_skate(clip, np.concatenate([standing, standing[-1:]])))
        if clip.frame_count >= FRAMES:
            jerks.append(quality.jerk(clip))
    return float(np.concatenate(skates).mean()), float(np.concatenate(jerks).mean())


def state_between(before: DisplayPose, now: DisplayPose, characters: slice) -> MotionState:
    """Return the states of the given `characters` from their displayed poses in two successive frames."""
    earlier = before.poses(characters)
    return MotionState(earlier, pose_difference(now.poses(characters), earlier))
