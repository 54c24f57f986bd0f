"""Composition behind the page: motions for timelines, answers about pieces, and source poses. It uses no threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

import numpy as np

from motionfields.authoring.compose.composing import Composer, ComposeSettings, Composition
from motionfields.authoring.compose.goals import LabelGoal, PoseGoal
from motionfields.authoring.compose.labels import YES, StateLabels, label_states, spans_of_states
from motionfields.authoring.compose.learning import learn_labels, window_features
from motionfields.authoring.compose.objective import Adherence, frames_of, shows
from motionfields.authoring.compose.posing import pose_state
from motionfields.authoring.compose.reaching import ReachSettings
from motionfields.authoring.compose.timeline import Timeline, format_timeline, parse_timeline
from motionfields.base.errors import ComposeError
from motionfields.base.geometry import quat_from_yaw, quat_multiply
from motionfields.base.runs import true_runs
from motionfields.field import MotionField
from motionfields.motion.annotations import Annotations, mirrored_label
from motionfields.studio.character import character_fields
from motionfields.studio.compose import messages as c
from motionfields.studio.messages import VERSION
from motionfields.studio.reasons import packed_roots, packed_rotations
from motionfields.studio.shelf import Shelf

DRAFT = ReachSettings(width=3000, endings=1000)  # a narrower beam, so that places are met within seconds
TOUCH = 1e-6  # seconds; pieces and goals that overlap by less do not meet

Progress = Callable[[str, float], None]


class ComposeSession:
    """Motions of one field for the timelines of its pages.

    With `learn`, unknown labels are learnt from the known ones (extra `learn`), and again for a label after each answer
    about it. `timeline` is the one that pages start with.
    """

    def __init__(
        self,
        motion_field: MotionField,
        annotations: Annotations,
        *,
        timeline: Timeline | None = None,
        learn: bool = False,
        title: str = "motionfields",
    ) -> None:
        self.title = title
        self.learn = learn
        self.annotations = annotations
        self.timeline = timeline or Timeline(20.0)
        labels = label_states(motion_field.database, annotations)
        self._features = window_features(motion_field.database) if learn else None
        if learn:
            labels = learn_labels(motion_field.database, labels, features=self._features)
        self._composer = Composer(motion_field, labels, settings=ComposeSettings(reach=DRAFT))
        self._character = character_fields(motion_field.database)
        self._shelf: Shelf[Composition] = Shelf()

    @property
    def field(self) -> MotionField:
        """Field that the motions are made of."""
        return self._composer.field

    @property
    def labels(self) -> StateLabels:
        """Labels of every state, with all answers so far."""
        return self._composer.labels

    def warm(self) -> None:
        """Compile the search by composing one second, so that the first stroke is not late."""
        self._composer.compose(Timeline(1.0))

    def scene(self) -> c.Scene:
        """Return the first message for a page: the character, the labels and the takes."""
        database, labels = self.field.database, self.labels
        seconds = (labels.values == YES).sum(axis=0) * database.frame_time
        return c.Scene(
            version=VERSION,
            title=self.title,
            frame_time=database.frame_time,
            labels=[c.LabelInfo(name, float(long)) for name, long in zip(labels.names, seconds, strict=True)],
            takes=[
                c.TakeInfo(name, float(count) * database.frame_time)
                for name, count in zip(database.clip_names, np.diff(database.clip_starts), strict=True)
            ],
            timeline=format_timeline(self.timeline).decode(),
            **self._character,  # type: ignore[arg-type]
        )

    def motions(self, asked: c.Compose, on_progress: Progress) -> Iterator[c.Motion]:
        """Yield the motions that `asked` asks for, best first; alternatives that are refused end it."""
        timeline = parse_timeline(asked.timeline.encode())
        composer = self._composer
        composer = composer.changed(settings=replace(composer.settings, forced=asked.forced))
        found = islice(composer.motions(timeline, on_progress=on_progress), asked.count)
        for rank in range(asked.count):
            try:
                motion = next(found)
            except ComposeError:
                if rank == 0:
                    raise
                return
            yield self._message(asked, timeline, motion, rank)

    def motion(self, number: int) -> Composition | None:
        """Return the motion `number`; None if it is not kept any more."""
        return self._shelf.get(number)

    def judge(self, answer: c.Judge) -> None:
        """Note whether a stretch of a motion is right to show a label; raise ValueError if there is no such motion."""
        motion, database, labels = self.motion(answer.number), self.field.database, self.labels
        labels.column_of(answer.label)
        first, last = (round(time / database.frame_time) for time in (answer.start, answer.end))
        states = motion.path[first:last] if motion is not None else np.zeros(0, np.int64)
        if not len(states):
            raise ValueError("number: this motion is not kept any more; compose it again")
        spans = spans_of_states(database, states, answer.label, basis="checked", present=answer.right)
        self.annotations = self.annotations.adding(spans)
        known = label_states(database, self.annotations)
        self._composer = self._composer.changed(labels=self._relearnt(known, answer.label))

    def pose(self, peek: c.Peek) -> c.SourcePose:
        """Return a pose of a take at the origin, facing +z; raise `ComposeError` if there is none."""
        database = self.field.database
        state = np.array([pose_state(database, PoseGoal(0.0, peek.take, peek.time))])
        pose, facing = database.poses(state), self._composer.root_motion.facing[state]
        turned = quat_multiply(quat_from_yaw(-facing), pose.root_rotation.astype(np.float64))
        rotations = np.concatenate([turned[:, np.newaxis], pose.joint_rotations], axis=1)
        root = pose.root_position.astype(np.float64) * [0.0, 1.0, 0.0]
        return c.SourcePose(peek.take, peek.time, packed_roots(root), packed_rotations(rotations))

    def _relearnt(self, known: StateLabels, label: str) -> StateLabels:
        """Return `known` with unknown states as before, but those of `label` and its mirror image learnt again."""
        if not self.learn:
            return known
        before = self.labels
        values, share = known.values.copy(), known.share.copy()
        for column, name in enumerate(known.names):
            part = StateLabels((name,), known.values[:, [column]], known.share[:, [column]])
            if name in (label, mirrored_label(label)):
                part = learn_labels(self.field.database, part, features=self._features)
                filled = part.values[:, 0], part.share[:, 0]
            else:
                unknown = known.values[:, column] < 0
                old = before.column_of(name)
                filled = (
                    np.where(unknown, before.values[:, old], known.values[:, column]),
                    np.where(unknown, before.share[:, old], known.share[:, column]),
                )
            values[:, column], share[:, column] = filled
        return StateLabels(known.names, values, share)

    def _message(self, asked: c.Compose, timeline: Timeline, motion: Composition, rank: int) -> c.Motion:
        clip = motion.clip
        return c.Motion(
            revision=asked.revision,
            rank=rank,
            last=rank + 1 == asked.count,
            number=self._shelf.add(motion),
            roots=packed_roots(clip.root_position),
            rotations=packed_rotations(clip.rotations),
            planted=motion.contacts.astype(np.uint8).tobytes(),
            cost=motion.costs.total,
            labels_met=motion.labels_met,
            shift_share=motion.warp.shift_share,
            pieces=[
                c.PieceInfo(*piece, labels=_labels_between(timeline, piece.start, piece.end)) for piece in motion.pieces
            ],
            missed=[self._missed(one, motion) for one in motion.missed],
        )

    def _missed(self, one: Adherence, motion: Composition) -> c.MissedInfo:
        frame_time = self.field.database.frame_time
        frames = frames_of(one.goal, frame_time)
        failing = ~shows(one.goal, self.labels)[motion.path[frames]]
        runs = [((frames.start + a) * frame_time, (frames.start + b) * frame_time) for a, b in true_runs(failing)]
        return c.MissedInfo(one.goal.label, one.goal.wanted, one.share, one.reason, runs)


def _labels_between(timeline: Timeline, start: float, end: float) -> list[str]:
    """Return the wanted labels that `timeline` asks for between two times, each once."""

    def meets(goal: LabelGoal) -> bool:
        return goal.wanted and min(goal.end, end) - max(goal.start, start) > TOUCH

    return list(dict.fromkeys(goal.label for goal in timeline.labels if meets(goal)))
