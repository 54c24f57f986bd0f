"""Crowds without control: passive synthesis of the motion field, frame by frame, for any length of time."""

from __future__ import annotations

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.geometry import quat_normalize
from motionfields.field import MotionField
from motionfields.field.database import MotionState, Pose, copied, pose_difference
from motionfields.field.passive import Leaders, PassiveSettings
from motionfields.motion.planting import FootPlanter
from motionfields.runtime.checking import FURTHEST, check_motion_state
from motionfields.runtime.crowd import STANDS
from motionfields.runtime.follower import DisplayPose
from motionfields.runtime.frames import Frame
from motionfields.runtime.pushable import Pushable, exclusive
from motionfields.runtime.soundness import warn_of


class PassiveCrowd(Pushable):
    """Characters of a field without a task, which can be pushed; without pushes they equal `MotionField.synthesize`."""

    def __init__(
        self,
        field: MotionField,
        count: int = 1,
        *,
        seed: int = 0,
        settings: PassiveSettings | None = None,
        plant: bool = True,
    ) -> None:
        super().__init__(field, count)
        self.unplanted: DisplayPose | None = None  # displayed poses of the last frame, before foot locking
        self.state = copied(field.start(count, seed=seed, settings=settings))  # [n], of the next frame
        self.plant = plant
        self._seed = seed
        self._settings = settings or PassiveSettings()
        self._leaders = Leaders.none(count)
        self._frame = 0
        self._planter = FootPlanter(field.database.skeleton, field.stance, frame_time=field.database.frame_time)
        self._planting = self._planter.start(count)
        self._standing = np.zeros((count, 2), np.bool_)

    @exclusive
    def start_from(self, state: MotionState, characters: IntArray | BoolArray | slice = slice(None)) -> None:
        """Let `characters` continue from `state`, one state per character, with any poses and velocities."""
        chosen = self._chosen(characters)
        check_motion_state(state, len(chosen), self.field.database)
        self.state = copied(self.state)
        for tracks, fresh in zip(self.state, state, strict=True):
            for track, new in zip(tracks, fresh, strict=True):
                track[chosen] = new
        self._leaders.states[chosen] = -1
        self._planting = self._planting.restarted(chosen)
        self._stop_pushes(chosen)

    @exclusive
    def step(self) -> Frame:
        """Advance by one frame."""
        self._reset_unsound()
        state, root_push = self._pushed()
        drifted = self.field.drift_on(state, self._leaders, frame=self._frame, seed=self._seed, settings=self._settings)
        self.state, self._leaders, self._frame = drifted.state, drifted.leaders, self._frame + 1
        votes = np.clip(drifted.contact_votes, 0.0, 1.0)  # weights sum to 1 only up to rounding
        self._standing = votes >= STANDS
        frame = self._planted(_shown(state.pose), votes, drifted.found.indices[:, 0], root_push)
        self._end_frame(frame.root_position, frame.rotations)
        return frame

    def _reset_unsound(self) -> None:
        """Restart characters whose state is not finite at their current places, where these are known."""
        finite = [np.isfinite(track).reshape(self.count, -1).all(axis=1) for part in self.state for track in part]
        bad = np.flatnonzero(~np.logical_and.reduce(finite))
        if not len(bad):
            return
        warn_of(bad, self._frame)
        fresh = copied(self.field.start(self.count, seed=self._frame, settings=self._settings).take(bad))
        place = np.nan_to_num(self.state.pose.root_position[bad], nan=0.0)[:, ::2]
        fresh.pose.root_position[:, ::2] = np.clip(place, -FURTHEST, FURTHEST)
        self.start_from(fresh, bad)

    def _pushed(self) -> tuple[MotionState, FloatArray | None]:
        """Return the states [n] after pushes, and the displacement of each root, [n, 2] metres (eq. 15)."""
        pushed = self._moved_by_pushes()
        if not len(pushed):
            return self.state, None
        was = _shown(self.state.take(pushed).pose)
        now = was.take(slice(None))
        self.pushes.move(pushed, *now, self._standing[pushed])
        after = copied(self.state)
        for track, fresh in zip(after.pose, now.poses(), strict=True):
            track[pushed] = fresh
        # The push is added to the velocity, so that the field finds states that move like it.
        for track, more in zip(after.velocity, pose_difference(now.poses(), was.poses()), strict=True):
            track[pushed] += more
        root_push = np.zeros((self.count, 2))
        root_push[pushed] = (now.root_position - was.root_position)[:, ::2]
        return after, root_push

    def _planted(self, shown: DisplayPose, votes: FloatArray, states: IntArray, root_push: FloatArray | None) -> Frame:
        """Return the frame that displays `shown`, with feet locked if `plant` is set."""
        self.unplanted = shown
        variants = np.zeros(self.count, np.int64)
        if not self.plant:
            return Frame(*shown, np.zeros((self.count, 2), np.bool_), states, variants)
        posed = self._planter.step(self._planting, *shown, contact_votes=votes, root_push=root_push)
        self._planting = posed.state
        recovering = self._recovering
        self._keep_in_range(recovering, shown.rotations[recovering], posed.rotations)
        return Frame(posed.root_position, posed.rotations, posed.locked, states, variants)


def _shown(pose: Pose) -> DisplayPose:
    """Return `pose` for display, in float64 with unit quaternions."""
    return DisplayPose(np.asarray(pose.root_position, np.float64), quat_normalize(pose.rotations.astype(np.float64)))
