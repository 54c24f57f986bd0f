"""Blends: a single member comes back, turns are weighted means, events and contacts stay aligned; groups by hand."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from motionfields.authoring.groups import StepActions, walking_steps
from motionfields.authoring.groups.blending import Member, blend, move_of, pose_distance
from motionfields.authoring.groups.grouping import (
    Groups,
    blended_step,
    contact_events,
    group_steps,
    step_members,
)
from motionfields.base.geometry import quat_angle
from motionfields.motion.quality import facing_yaw
from tests.authoring.worlds.conftest import trained


@cache
def found() -> tuple[StepActions, list[Member]]:
    controller = trained()[0]
    actions = walking_steps(controller.field, controller.root_motion)
    return actions, step_members(controller.field, actions)


def pair() -> tuple[Member, Member]:
    """A straight and a turning step of the left foot."""
    actions, members = found()
    own = np.flatnonzero(actions.steps.foot == 0)
    order = own[np.argsort(np.abs(actions.turns[own]))]
    return members[order[0]], members[order[-1]]


def test_a_blend_of_one_member_is_that_member() -> None:
    member = pair()[1]
    for made in (blend([member], np.ones(1)), blend([member, pair()[0]], np.array([3.0, 0.0]))):
        assert made.clip.frame_count == member.clip.frame_count
        assert np.array_equal(made.contacts, member.contacts)
        assert move_of(made.clip) == pytest.approx(move_of(member.clip), abs=1e-6)
        assert quat_angle(made.clip.rotations[:, 1:], member.clip.rotations[:, 1:]).max() < 1e-6
        assert made.clip.root_position[:, 1] == pytest.approx(member.clip.root_position[:, 1])
        assert facing_yaw(made.clip)[0] == pytest.approx(0.0, abs=1e-6)


def test_a_blend_turns_by_the_weighted_mean_and_lasts_as_long() -> None:
    members = pair()
    turns = [move_of(member.clip)[2] for member in members]
    assert abs(turns[1] - turns[0]) > 0.3
    for share in (0.25, 0.5, 0.9):
        weights = np.array([1.0 - share, share])
        made = blend(members, weights)
        assert move_of(made.clip)[2] == pytest.approx(weights @ turns, abs=0.01)
        wanted = weights @ np.array([member.events for member in members])
        assert np.abs(made.events - wanted).max() <= 0.5
        assert made.clip.frame_count == made.events[-1] + 1
        landed = made.contacts[:, 1]  # the right foot lands at the second event
        assert abs(int(np.argmax(landed)) - int(made.events[1])) <= 1


def test_members_are_as_far_from_each_other_as_their_joints() -> None:
    first, second = pair()
    assert pose_distance(first, first) == 0.0
    assert pose_distance(first, second) == pytest.approx(pose_distance(second, first))
    assert 0.0 < pose_distance(first, second) < 1.0


def test_events_of_a_step_are_contacts_in_rising_order() -> None:
    landing, leaving = np.zeros(12, np.bool_), np.zeros(12, np.bool_)
    landing[5:], leaving[:8] = True, True
    assert contact_events(landing, leaving).tolist() == [0, 5, 7, 11]
    assert contact_events(np.zeros(12, np.bool_), np.zeros(12, np.bool_)).tolist() == [0, 5, 6, 11]
    assert contact_events(np.ones(4, np.bool_), np.ones(4, np.bool_)).tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="4 frames"):
        contact_events(landing[:3], leaving[:3])


def test_groups_hold_similar_steps_of_one_foot_and_cover_all() -> None:
    actions, members = found()
    groups = group_steps(actions, members, similar=0.05)
    assert set(np.concatenate(groups.members).tolist()) == set(range(len(actions.turns)))
    for rows in groups.members:
        assert len(set(actions.steps.foot[rows].tolist())) == 1
        assert (np.diff(actions.turns[rows]) >= 0.0).all()
        assert max(pose_distance(members[a], members[b]) for a in rows for b in rows) <= 0.05
    alone = group_steps(actions, members, similar=0.0)
    assert all(len(rows) == 1 for rows in alone.members if len(set(actions.steps.start[rows].tolist())) == 1)


def test_weights_give_the_wanted_turn_and_costs_are_means() -> None:
    moves = np.zeros((4, 3))
    moves[:, 2] = [-0.4, 0.0, 0.6, 0.2]
    groups = Groups((np.array([0, 1, 2]), np.array([3])), moves)
    assert groups.weights(0, -0.1) == pytest.approx([0.25, 0.75, 0.0])
    assert groups.weights(0, 0.3) == pytest.approx([0.0, 0.5, 0.5])
    assert groups.weights(0, 9.0) == pytest.approx([0.0, 0.0, 1.0])
    assert groups.weights(1, 9.0).tolist() == [1.0]
    assert groups.options(3) == pytest.approx(np.array([[-0.4, 0.1, 0.6], [0.2, 0.2, 0.2]]))
    jumps = np.arange(16.0).reshape(4, 4)
    assert groups.costs(jumps) == pytest.approx(np.array([[5.0, 7.0], [13.0, 15.0]]))


def test_a_step_of_a_group_turns_as_it_is_asked_to() -> None:
    actions, members = found()
    groups = group_steps(actions, members, similar=10.0)
    for group, rows in enumerate(groups.members):
        for turn in np.linspace(actions.turns[rows[0]], actions.turns[rows[-1]], 4):
            made = blended_step(groups, members, group, float(turn))
            assert move_of(made.clip)[2] == pytest.approx(turn, abs=0.01)


def test_odd_members_are_refused() -> None:
    first, second = pair()
    with pytest.raises(ValueError, match="weights"):
        blend([first, second], np.array([1.0, -1.0]))
    with pytest.raises(ValueError, match="events"):
        Member(first.clip, first.events[::-1], first.contacts)
    with pytest.raises(ValueError, match="contacts"):
        Member(first.clip, first.events, first.contacts[1:])
    fewer = Member(second.clip, second.events[[0, -1]], second.contacts)
    with pytest.raises(ValueError, match="same events"):
        blend([first, fewer], np.ones(2))
