"""Composition of timelines: what comes back, alternatives, and what is refused."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import motionfields as mf
from motionfields.authoring.compose.composing import Composer, ComposeSettings
from motionfields.authoring.compose.cuts import COST_UNIT, CutSettings
from motionfields.authoring.compose.goals import JointGoal, LabelGoal, PathGoal, PlaceGoal, PoseGoal
from motionfields.authoring.compose.pieces import mirror_images, unmirrored
from motionfields.authoring.compose.posing import goal_pose, joint_heights, pose_distance
from motionfields.authoring.compose.solving import solve
from motionfields.authoring.compose.timeline import Timeline
from motionfields.base.errors import ComposeError
from motionfields.base.geometry import quat_angle
from motionfields.control.transitions import joint_places
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.field.database.takes import shown_again
from motionfields.measure.evaluation.composing import compose_figures, source_tracks
from motionfields.measure.testing import check_timeline
from motionfields.motion import quality
from motionfields.motion.annotations import Annotations, Span
from motionfields.motion.samples import generate_samples
from motionfields.motion.skeleton import forward_kinematics

TURNS = Timeline(4.0, (LabelGoal("turn_left", 0.5, 1.0), LabelGoal("turn_right", 2.5, 3.0)))


@pytest.fixture(scope="module")
def composer(field: MotionField, labels: Annotations) -> Composer:
    return Composer(field, labels, settings=ComposeSettings(cuts=CutSettings(neighbor_count=32)))


def test_timelines_keep_their_contract(composer: Composer) -> None:
    found = check_timeline(composer, TURNS, alternatives=2)
    assert found.labels_met > 0.8
    assert found.costs.total <= found.alternatives[0].costs.total
    takes = {piece.mirrored for piece in found.pieces}
    assert takes == {True, False}
    assert found.pieces[0].start == 0.0
    assert found.pieces[-1].end == pytest.approx(4.0)


def test_alternatives_show_other_moments(composer: Composer) -> None:
    found = composer.compose(TURNS, alternatives=2)
    shared = found.alternatives[0].shared_moments(found, composer.field.database)
    assert shared < found.shared_moments(found, composer.field.database) == 1.0


def test_compose_is_the_composer_for_one_timeline(composer: Composer, labels: Annotations) -> None:
    one = mf.compose(composer.field, labels, TURNS, settings=composer.settings)
    np.testing.assert_array_equal(one.path, composer.compose(TURNS).path)


def test_a_seed_varies_the_motion_and_nothing_else(composer: Composer) -> None:
    plain, other, again = (composer.compose(TURNS, seed=seed) for seed in (0, 3, 3))
    np.testing.assert_array_equal(other.path, again.path)
    assert other.costs.total >= plain.costs.total
    assert other.costs.total <= plain.costs.total + 0.05 * len(plain.path)


def test_a_label_is_not_held_by_showing_the_same_frames_again(field: MotionField) -> None:
    """A label of 0.3 s in each clip, painted for 8 s: the cheapest path of all returns at once, the motion does not."""
    spans = [Span(name, 0.8, 1.1, "short") for name in field.database.clip_names if not name.endswith(".mirror")]
    settings = ComposeSettings(label_weight=10.0, cuts=CutSettings(neighbor_count=32, loop=0.0))
    composer = Composer(field, Annotations(tuple(spans)), settings=settings)
    timeline = Timeline(8.0, (LabelGoal("short", 0.0, 8.0),))
    free = solve(composer.cuts, field.database.frames_left, composer.state_costs(timeline), stay=composer.stay)
    found = composer.compose(timeline)
    assert shown_again(free.path, field.database.frame_time).any()
    assert not shown_again(found.path, field.database.frame_time).any()
    assert free.cost / COST_UNIT < found.costs.total < 1.01 * free.cost / COST_UNIT


def test_frames_are_shown_again_where_the_takes_leave_no_other_way() -> None:
    """A clip of 2 s fills 6 s only by going back within 0.7 s; leaving out these cuts must not refuse the timeline."""
    clip = generate_samples(only=re.compile("walk_forward"))[0].clip
    short = replace(clip, root_position=clip.root_position[:60], rotations=clip.rotations[:60])
    alone = MotionField(MotionDatabase.build([short], mirror=False))
    labels = Annotations((Span(short.name, 0.0, 0.5, "walk"),))
    composer = Composer(alone, labels, settings=ComposeSettings(cuts=CutSettings(loop=0.0)))
    found = composer.compose(Timeline(6.0, (LabelGoal("walk", 0.0, 6.0),)))
    assert len(found.path) == 180
    assert shown_again(found.path, alone.database.frame_time).any()


def test_what_cannot_be_met_is_refused_by_name(composer: Composer) -> None:
    impossible = Timeline(2.0, (LabelGoal("walk", 0.5, 1.0, wanted=False, hard=True),))
    with pytest.raises(ComposeError, match=r"no walk from 0\.5 to 1 s cannot be met: 0\.50 s fail; no frame"):
        composer.compose(impossible)
    with pytest.raises(ValueError, match="got 'fly'"):
        composer.compose(Timeline(2.0, (LabelGoal("fly", 0.0, 1.0),)))
    with pytest.raises(ValueError, match="alternatives: expected"):
        composer.compose(TURNS, alternatives=0)


WALK = (LabelGoal("walk", 0.0, 3.0),)


def test_places_are_met_exactly_or_refused(composer: Composer) -> None:
    """The goal is where a free walk ends, moved by 5 cm; a goal out of reach is refused by name."""
    free = composer.compose(Timeline(3.0, WALK)).clip
    x, z = (float(value) for value in free.root_position[-1, ::2] + 0.05)
    heading = float(quality.facing_yaw(free)[-1])
    goal = PlaceGoal(3.0, x, z, heading)
    found = composer.compose(Timeline(3.0, WALK, (goal,)))
    np.testing.assert_allclose(found.clip.root_position[-1, ::2], [x, z], atol=1e-6)
    assert quality.facing_yaw(found.clip)[-1] == pytest.approx(heading, abs=1e-6)
    assert quality.facing_yaw(found.clip)[0] == pytest.approx(0.0, abs=1e-6)
    assert found.warp.shift_share < 0.15
    assert quality.foot_skate(found.clip, found.contacts).mean < 1e-3
    with pytest.raises(ComposeError, match=r"place \(50, 0\) m at 3 s cannot be met: .* misses it by 4\d\.\d\d m"):
        composer.compose(Timeline(3.0, WALK, (PlaceGoal(3.0, 50.0, 0.0),)))


def test_a_path_is_followed(composer: Composer) -> None:
    path = PathGoal(((0.0, 0.0), (0.3, 3.0)), 0.0, 3.0)
    settings = replace(composer.settings, forced=True)
    free = Composer(composer.field, composer.labels, settings=settings, cuts=composer.cuts)
    found = free.compose(Timeline(3.0, WALK, path=path)).clip
    times = np.arange(found.frame_count) * found.frame_time
    gap = np.linalg.norm(found.root_position[:, ::2] - path.at(times)[0], axis=-1)
    assert gap.mean() < 0.3


def test_poses_and_heights_draw_the_motion(composer: Composer) -> None:
    """The pose of a frame is shown exactly, before its feet are held; a joint goal picks the frame with its height."""
    database = composer.field.database
    goal = PoseGoal(1.5, database.clip_names[2], 1.0)
    found = composer.compose(Timeline(3.0, poses=(goal,)))
    state = int(database.clip_starts[2]) + 30
    assert found.path[45] == state
    arms = database.skeleton.names.index(next(n for n in database.skeleton.names if "Arm" in n))
    shown = found.clip.rotations[45, arms]
    assert abs(float(shown @ database.joint_rotations[state, arms - 1])) == pytest.approx(1.0, abs=1e-6)
    heights = joint_heights(database, arms)
    lowest = composer.compose(Timeline(2.0, joints=(JointGoal(1.0, database.skeleton.names[arms], 0.0, 10.0),)))
    assert heights[lowest.path[30]] < np.percentile(heights, 10.0)
    with pytest.raises(ComposeError, match="expected the name of a clip"):
        composer.compose(Timeline(3.0, poses=(PoseGoal(1.5, "elsewhere", 1.0),)))


def test_a_joint_is_brought_to_a_place(composer: Composer) -> None:
    plain = composer.compose(Timeline(3.0, (LabelGoal("walk", 0.0, 3.0),)))
    hand = composer.field.database.skeleton.names[-1]
    x, y, z = forward_kinematics(plain.clip.skeleton, plain.clip.root_position[-1], plain.clip.rotations[-1]).positions[
        -1
    ]
    there = float(x) + 0.05, float(z) - 0.1
    goal = JointGoal(3.0, hand, float(y), x=there[0], z=there[1])
    found = composer.compose(Timeline(3.0, (LabelGoal("walk", 0.0, 3.0),), joints=(goal,)))
    shown = forward_kinematics(found.clip.skeleton, found.clip.root_position[-1], found.clip.rotations[-1])
    np.testing.assert_allclose(shown.positions[-1][[0, 2]], there, atol=0.01)
    assert found.warp.shift_share < 0.15


def test_a_pose_of_a_clip_that_was_left_out_is_met(composer: Composer) -> None:
    clip = next(one.clip for one in generate_samples(only=re.compile("walk_fast")))
    goal = PoseGoal(1.5, clip.name, 0.5, source=clip)
    pose = goal_pose(composer.field.database, goal)
    found = composer.compose(Timeline(3.0, poses=(goal,)))
    frame = round(1.5 / found.clip.frame_time)
    apart = pose_distance(composer.field.database, joint_places(composer.field.database, pose)[0])
    assert apart[found.path[frame]] <= 1.3 * apart.min()
    arm = next(i for i, name in enumerate(found.clip.skeleton.names) if "Arm" in name)  # feet are held afterwards
    assert abs(float(found.clip.rotations[frame, arm] @ pose.joint_rotations[0, arm - 1])) > 1.0 - 1e-6
    other = replace(clip, skeleton=replace(clip.skeleton, names=tuple(f"{name}_" for name in clip.skeleton.names)))
    strict = Composer(
        composer.field, composer.labels, settings=replace(composer.settings, most_pose=1e-4), cuts=composer.cuts
    )
    with pytest.raises(ComposeError, match=r"pose of walk_fast at 0\.5 s, at 1\.5 s cannot be met: .* 0\.\d\d m away"):
        strict.compose(Timeline(3.0, poses=(goal,)))
    with pytest.raises(ComposeError, match="joints of the database"):
        goal_pose(composer.field.database, PoseGoal(1.0, "other", 0.5, source=other))


def test_a_free_length_ends_where_the_motion_costs_least(composer: Composer) -> None:
    free = Timeline(3.0, (LabelGoal("walk", 0.0, 2.0), LabelGoal("turn_left", 2.0, 3.0)), shortest=2.0)
    found = composer.compose(free)
    frame_time = composer.field.database.frame_time
    assert 2.0 - 1e-9 <= len(found.path) * frame_time <= 3.0 + 1e-9
    fixed = [composer.compose(free.ending_at(seconds)).costs.total for seconds in (2.0, 3.0)]
    assert found.costs.total <= min(fixed)


def test_loops_close_exactly(composer: Composer) -> None:
    """The last frame leads to the first as one frame leads to the next: the step over the seam is like the others."""
    found = composer.compose(Timeline(2.0, (LabelGoal("walk", 0.0, 2.0),), loop=True))
    turns = quat_angle(found.clip.rotations[1:, 1:], found.clip.rotations[:-1, 1:]).max(axis=1)
    closing = quat_angle(found.clip.rotations[0, 1:], found.clip.rotations[-1, 1:]).max()
    assert closing <= 1.2 * turns.max()
    assert found.clip.frame_count == 60


def test_figures_compare_with_the_captured_frames(composer: Composer) -> None:
    source = source_tracks(composer.field)
    figures = compose_figures(composer.field, composer.compose(TURNS), source)
    assert 0.8 < figures.jerk < 1.3
    assert 0.9 < figures.joint_speed < 1.15
    assert figures.skate < 0.01
    assert figures.replayed == 0.0
    assert figures.cuts_per_second > 0.0


def test_mirror_images_are_found_in_both_directions(field: MotionField) -> None:
    images = mirror_images(field.database)
    np.testing.assert_array_equal(images[images], np.arange(field.database.state_count))
    assert (images != np.arange(field.database.state_count)).all()
    states = np.arange(5)
    np.testing.assert_array_equal(unmirrored(field.database, images[states]), states)


@pytest.mark.parametrize("wrong", [{"label_weight": 0.0}, {"seam": -1.0}, {"shortest_piece": np.inf}])
def test_settings_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="expected more than 0"):
        ComposeSettings(**wrong)  # type: ignore[arg-type]
