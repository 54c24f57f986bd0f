"""Groups of similar steps that are found automatically: same foot, similar poses, neighbours in their turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from motionfields.authoring.groups.blending import Blend, Member, blend, pose_distance
from motionfields.authoring.groups.clips import StepActions
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import checked_count, checked_number
from motionfields.field import MotionField
from motionfields.motion.clip import trim

SIMILAR: Final = 0.04  # metres of mean distance between joints up to which steps are blended
OPTIONS: Final = 9  # blends of a group that a controller chooses from


def step_members(field: MotionField, actions: StepActions) -> list[Member]:
    """Return the clip of each step with its events: start, the swinging foot lands, the other lifts, end."""
    database = field.database
    takes = list(database.iter_source_clips())
    members = []
    for start, end, foot in zip(actions.steps.start, actions.steps.end, actions.steps.foot, strict=True):
        take = int(database.clip_of[start])
        first = int(start - database.clip_starts[take])
        contacts = database.contacts[start : end + 1]
        clip = trim(takes[take], first, first + int(end - start) + 1)
        members.append(Member(clip, contact_events(contacts[:, 1 - foot], contacts[:, foot]), contacts))
    return members


def contact_events(landing: BoolArray, leaving: BoolArray) -> IntArray:
    """Return the frames of a step [4]: start, first contact of the foot that lands, last of the other, and end.

    `landing` and `leaving` [frame] are contacts of the two feet. Where the order is another, as in a run, the events
    are kept apart by at least one frame.
    """
    last = len(landing) - 1
    if last < 3:
        raise ValueError(f"landing: expected a step of at least 4 frames, got {last + 1}")
    lands = int(np.argmax(landing)) if np.any(landing) else last // 2
    lifts = last - int(np.argmax(leaving[::-1])) if np.any(leaving) else last // 2
    first = min(max(lands, 1), last - 2)
    return np.array([0, first, min(max(lifts, first + 1), last - 1), last])


@dataclass(frozen=True, eq=False)
class Groups:
    """Overlapping groups of steps, each in the order of its turns."""

    members: tuple[IntArray, ...]  # [group][member], steps
    moves: FloatArray  # [step, 3]

    def options(self, count: int = OPTIONS) -> FloatArray:
        """Return the turns [group, option] in radians that the blends of each group can make, evenly spaced."""
        checked_count("count", count, 1)
        ends = [self.moves[rows[[0, -1]], 2] for rows in self.members]
        return np.stack([np.linspace(low, high, count) for low, high in ends])

    def weights(self, group: int, turn: float) -> FloatArray:
        """Return the weights [member] with which `group` turns by `turn` radians, as nearly as it can.

        Only the two members whose turns are around it are blended.
        """
        turns = self.moves[self.members[group], 2]
        out = np.zeros(len(turns))
        if len(turns) == 1:
            out[0] = 1.0
            return out
        above = min(max(int(np.searchsorted(turns, turn)), 1), len(turns) - 1)
        span = turns[above] - turns[above - 1]
        share = 0.0 if span <= 0.0 else float(np.clip((turn - turns[above - 1]) / span, 0.0, 1.0))
        out[above - 1], out[above] = 1.0 - share, share
        return out

    def costs(self, jumps: FloatArray) -> FloatArray:
        """Return the mean jump [group, next group] between the members of two groups, from `jumps` [step, step]."""
        return np.array([[jumps[np.ix_(a, b)].mean() for b in self.members] for a in self.members])


def group_steps(actions: StepActions, members: Sequence[Member], *, similar: float = SIMILAR) -> Groups:
    """Return groups of steps of the same foot that follow each other in their turns, and are similar in every pair.

    A group begins with the last step of the one before where the two are similar, so that no turns between them are
    missing. A step that is similar to no neighbour is a group of its own.
    """
    checked_number("similar", similar, 0.0, 10.0)
    found: list[IntArray] = []
    for foot in np.unique(actions.steps.foot):
        own = np.flatnonzero(actions.steps.foot == foot)
        order = own[np.argsort(actions.turns[own], kind="stable")]
        run: list[int] = []
        for step in order.tolist():
            if all(pose_distance(members[step], members[other]) <= similar for other in run):
                run.append(step)
                continue
            found.append(np.array(run))
            near = pose_distance(members[step], members[run[-1]]) <= similar
            run = [run[-1], step] if near else [step]
        found.append(np.array(run))
    return Groups(tuple(found), actions.moves)


def blended_step(groups: Groups, members: Sequence[Member], group: int, turn: float) -> Blend:
    """Return a step of `group` that turns by `turn` radians to the left, as nearly as it can."""
    weights = groups.weights(group, turn)
    used = np.flatnonzero(weights > 0.0)
    return blend([members[groups.members[group][i]] for i in used], weights[used])
