"""The motion database: every captured frame as a motion state, in plain arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import check_indices, checked_number
from motionfields.base.geometry import (
    quat_exp,
    quat_from_yaw,
    quat_multiply,
    quat_normalize,
    quat_rotate,
    yaw_from_quat,
)
from motionfields.field.database.building import BuildSettings, database_parts
from motionfields.field.database.columns import ClipColumns, Column, ColumnSource, checked_column
from motionfields.field.database.metric import MetricSettings
from motionfields.field.database.report import BuildReport
from motionfields.field.database.state_metric import StateMetric
from motionfields.field.database.states import MotionState, Pose, PoseDelta, apply_delta, clip_from_poses
from motionfields.field.database.validation import check_database
from motionfields.motion.clip import Clip
from motionfields.motion.clip.timing import LOW_PASS_CUTOFF
from motionfields.motion.contact_labels import ContactLabels
from motionfields.motion.contacts import ContactSettings
from motionfields.motion.quality import STILL_JOINT_SHARE, STILL_ROOT_SPEED
from motionfields.motion.skeleton import Skeleton

ROWS_AT_ONCE = 1 << 16  # states measured at a time, to avoid copies of large databases


@dataclass(frozen=True, eq=False)
class MotionDatabase:
    """The motion states of clips on one skeleton, one clip after the other, float32.

    State i of a clip is (x_i, v_i): its pose, grounded (at the origin, facing yaw 0), and its change to the next frame.
    The next state is state i + 1, and y_i is the velocity of that one. The last state of a clip has no next state, so
    the search never returns it. No transition or difference crosses a clip boundary.
    """

    skeleton: Skeleton
    frame_time: float  # seconds
    root_height: FloatArray  # [state], metres
    root_tilt: FloatArray  # [state, 4], yaw_from_root
    joint_rotations: FloatArray  # [state, joint - 1, 4], parent_from_joint
    root_step: FloatArray  # [state, 3], metres in the yaw frame
    root_turn: FloatArray  # [state, 3], rotation vector in the yaw frame
    joint_turns: FloatArray  # [state, joint - 1, 3], rotation vectors in the parents' frames
    contacts: BoolArray  # [state, 2], left and right foot
    features: FloatArray  # [state, dimension], see `Metric`
    clip_starts: IntArray  # [clip + 1], first state of each clip, then the state count
    clip_names: tuple[str, ...]
    metric: StateMetric
    report: BuildReport
    sources: tuple[tuple[str, str], ...] = field(default=())  # path and sha256 of the source files
    columns: Mapping[str, Column] = field(default_factory=dict)  # values of the user, each [state] or [state, k]

    def __post_init__(self) -> None:
        check_database(self)

    @classmethod
    def build(
        cls,
        clips: Iterable[Clip],
        *,
        frame_rate: float = 30.0,
        mirror: bool = True,
        cutoff: float | None = LOW_PASS_CUTOFF,
        metric: MetricSettings | StateMetric | None = None,
        contacts: ContactSettings | ContactLabels | None = None,
        columns: Mapping[str, ColumnSource] | None = None,
    ) -> MotionDatabase:
        """Build a database from `clips`, which must share one skeleton.

        Clips are low-pass filtered at `cutoff` Hz (None disables the filter) and resampled to `frame_rate`. With
        `mirror`, their mirror images are added. If left and right bones differ, mirroring first makes the skeleton
        symmetric and keeps the feet in place.

        `metric` is the weights of eq. 1, or a custom metric. `contacts` are the settings of the contact detector, or
        labels (`read_contacts`) for the files that they name. `columns` are values for every frame of the clips, by
        name: an array [frame] or [frame, k] for each clip, in a list or by file path (`ClipColumn`). A state takes the
        value of the frame nearest in time, and a mirror image by default takes the values of its clip.
        """
        settings = BuildSettings(frame_rate, mirror, cutoff, metric or MetricSettings(), contacts or ContactSettings())
        given = list(clips)
        if not all(isinstance(clip, Clip) for clip in given):
            raise TypeError("clips: expected clips, such as `load_clips` returns")
        return cls.assemble(given, settings, ClipColumns(columns))

    @classmethod
    def assemble(
        cls, clips: Sequence[Clip], settings: BuildSettings, columns: ClipColumns | None = None
    ) -> MotionDatabase:
        """Build a database as `build` does, with its options as `settings` and its `columns`."""
        return cls(**database_parts(clips, settings, columns))

    def with_column(self, name: str, values: ArrayLike) -> MotionDatabase:
        """Return this database with `values` [state] or [state, k] as column `name`, replacing any of that name."""
        column = checked_column(name, values)
        if len(column) != self.state_count:
            raise ValueError(f"column {name}: expected {self.state_count} values, one per state, got {len(column)}")
        return replace(self, columns={**self.columns, name: column})

    @property
    def state_count(self) -> int:
        """Number of states, including the last one of each clip."""
        return len(self.root_height)

    @property
    def clip_count(self) -> int:
        """Number of clips, including mirrored ones."""
        return len(self.clip_names)

    @cached_property
    def clip_of(self) -> IntArray:
        """Clip number [state] of each state."""
        return np.repeat(np.arange(self.clip_count), np.diff(self.clip_starts))

    @cached_property
    def frames_left(self) -> IntArray:
        """Number of states [state] that follow each one in its clip."""
        return np.asarray(self.clip_starts[self.clip_of + 1] - 1 - np.arange(self.state_count))

    @cached_property
    def joint_speed(self) -> FloatArray:
        """Mean angular speed [state] of the joints that move, in radians per second (see `quality.joint_speed`)."""
        parts = [slice(start, start + ROWS_AT_ONCE) for start in range(0, self.state_count, ROWS_AT_ONCE)]
        fastest = np.max([np.linalg.norm(self.joint_turns[part], axis=-1).max(axis=0) for part in parts], axis=0)
        means = [np.linalg.norm(self.joint_turns[part], axis=-1)[:, fastest > 1e-9].mean(axis=-1) for part in parts]
        return np.asarray(np.concatenate(means) / self.frame_time)

    def stands(self, seconds: float) -> BoolArray:
        """Return whether each state [state] begins `seconds` of standing still, or stands to the end of its clip."""
        checked_number("seconds", seconds, 0.0, 1e6)
        slow = self.joint_speed < STILL_JOINT_SHARE * np.median(self.joint_speed)
        still = slow & (np.linalg.norm(self.root_step[:, ::2], axis=-1) < STILL_ROOT_SPEED * self.frame_time)
        moves = np.flatnonzero(np.concatenate([~still, [True]]))
        next_move = moves[np.searchsorted(moves, np.arange(self.state_count))]
        ahead = np.minimum(round(seconds / self.frame_time), self.frames_left + 1)
        return np.asarray(next_move - np.arange(self.state_count) >= ahead)

    def source_clips(self) -> list[Clip]:
        """Return the clips as they went into the database: filtered, resampled, with mirror images.

        Each begins at the origin and has one more frame than states: the pose that its last state leads to.
        """
        return list(self.iter_source_clips())

    def iter_source_clips(self) -> Iterator[Clip]:
        """Yield the clips of `source_clips` one at a time."""
        for name, first, end in zip(self.clip_names, self.clip_starts[:-1], self.clip_starts[1:], strict=True):
            states = slice(first, end)
            tracks = (self.root_step[states], self.root_turn[states], self.root_tilt[states])
            steps, turns, tilts = (track.astype(np.float64) for track in tracks)
            yaw_turns = yaw_from_quat(quat_multiply(quat_exp(turns), tilts))
            world_from_yaw = quat_from_yaw(np.concatenate([[0.0], np.cumsum(yaw_turns)[:-1]]))
            place = np.cumsum(quat_rotate(world_from_yaw, steps), axis=0)
            place = np.concatenate([np.zeros((1, 3)), place[:-1]])
            place[:, 1] = self.root_height[states]
            joints = self.joint_rotations[states].astype(np.float64)
            poses = Pose(place, quat_multiply(world_from_yaw, tilts), joints)
            ending = apply_delta(Pose(*(track[-1:] for track in poses)), self.velocities(slice(end - 1, end)))
            poses = Pose(*(np.concatenate(pair) for pair in zip(poses, ending, strict=True)))
            yield clip_from_poses(self.skeleton, poses, frame_time=self.frame_time, name=name)

    @property
    def rotations(self) -> FloatArray:
        """Rotations [state, joint, 4] of all states as in a `Clip`, facing yaw 0, float64."""
        return quat_normalize(self.poses(slice(None)).rotations.astype(np.float64))

    def poses(self, states: IntArray | slice) -> Pose:
        """Return x: the grounded poses [...] of `states` [...]."""
        self._check_states(states)
        height = self.root_height[states].astype(np.float64)
        root_position = np.zeros((*height.shape, 3))
        root_position[..., 1] = height
        return Pose(root_position, self.root_tilt[states], self.joint_rotations[states])

    def velocities(self, states: IntArray | slice) -> PoseDelta:
        """Return v: the changes [...] from `states` [...] to the next frame."""
        self._check_states(states)
        return PoseDelta(self.root_step[states], self.root_turn[states], self.joint_turns[states])

    def next_velocities(self, states: IntArray) -> PoseDelta:
        """Return y: the velocities [...] of the states after `states` [...], each in the yaw frame of its own pose."""
        return self.velocities(self.successors(states))

    def states(self, states: IntArray | slice) -> MotionState:
        """Return m = (x, v): `states` [...], grounded."""
        return MotionState(self.poses(states), self.velocities(states))

    def successors(self, states: IntArray) -> IntArray:
        """Return the states [...] one frame after `states` [...]; ValueError if one is the last of its clip."""
        self._check_states(states)
        following = np.asarray(states) + 1
        if np.any(self.frames_left[states] < 1):
            raise ValueError("states: expected states with a next state, got the last state of a clip")
        return following

    def _check_states(self, states: IntArray | slice) -> None:
        """Raise ValueError unless `states` are states of this database."""
        if not isinstance(states, slice):
            check_indices("states", states, self.state_count)
