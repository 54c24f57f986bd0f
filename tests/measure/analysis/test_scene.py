from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionfields.measure.analysis.figure import body_figure
from motionfields.measure.analysis.scene import COLORS, Marks, build_scene, hull_outlines, mixed
from motionfields.motion.body import Body, find_body
from motionfields.motion.clip import Clip
from motionfields.motion.skeleton import Skeleton


@pytest.fixture
def plain(rng: np.random.Generator) -> Clip:
    """Six frames of three bones whose names mean nothing."""
    skeleton = Skeleton(
        ("a", "b", "left_c"), np.array([-1, 0, 1]), np.eye(3), np.array([2]), np.array([[0.0, 0.0, 0.2]])
    )
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (6, 3, 1))
    return Clip(skeleton, rng.normal(size=(6, 3)), rotations, 0.1)


def test_the_hull_of_one_disc_is_its_circle() -> None:
    outline = hull_outlines(np.array([[2.0, 1.0]]), np.array([0.5]))
    np.testing.assert_allclose(np.linalg.norm(outline - [2.0, 1.0], axis=-1), 0.5)


def test_the_hull_of_two_discs_touches_both_ends_and_covers_the_middle() -> None:
    outline = hull_outlines(np.array([[0.0, 0.0], [4.0, 0.0]]), np.array([1.0, 0.5]))
    assert outline[:, 0].min() == pytest.approx(-1.0)
    assert outline[:, 0].max() == pytest.approx(4.5)
    assert outline[:, 1].max() == pytest.approx(1.0)


def test_a_disc_inside_another_changes_nothing() -> None:
    large = hull_outlines(np.array([[0.0, 0.0]]), np.array([1.0]))
    both = hull_outlines(np.array([[0.0, 0.0], [0.2, 0.1]]), np.array([1.0, 0.3]))
    np.testing.assert_allclose(large, both)


def test_colours_mix_channel_by_channel() -> None:
    assert mixed("#000000", "#ffff00", 0.0) == "#000000"
    assert mixed("#000000", "#ffff00", 0.5) == "#808000"


def test_the_body_is_drawn_from_far_to_near(wobble: Clip) -> None:
    scene = build_scene(wobble)
    colors = [shape.color for shape in scene.body_shapes(0, scene.below_root(0))]
    # The right side faces the viewer of a walk to the right, so its limbs come last and unpaled.
    assert colors.index(COLORS["right"]) > next(i for i, color in enumerate(colors) if _is_blue(color))


def test_the_heel_lies_as_low_as_the_ball_and_behind_the_ankle(wobble: Clip) -> None:
    standing = replace(wobble, rotations=np.tile([1.0, 0.0, 0.0, 0.0], (wobble.frame_count, 12, 1)))
    scene = build_scene(standing, contacts=np.ones((standing.frame_count, 2), np.bool_))
    assert scene.figure.feet is not None
    heel, ball, tip = scene.centers[0, scene.figure.feet[0]]
    assert heel[1] == pytest.approx(ball[1])
    assert heel[2] == pytest.approx(standing.world().positions[0, 3, 2] - 0.13 / 3.0)
    assert tip[2] == pytest.approx(ball[2] + 0.06)


def test_a_footprint_lies_where_the_foot_stood_and_for_as_long(wobble: Clip) -> None:
    contacts = np.zeros((wobble.frame_count, 2), np.bool_)
    contacts[10:31, 1] = True
    scene = build_scene(wobble, contacts=contacts)
    assert scene.prints.sides.tolist() == [1]
    assert (scene.prints.starts[0], scene.prints.stops[0]) == (10, 31)
    toes = wobble.world().positions[10:31, 8]
    np.testing.assert_allclose(scene.prints.discs[0, 1], np.median(toes[:, ::2], axis=0))
    origin = scene.below_root(20)
    assert len(scene.print_shapes(20, origin)) == 2
    assert scene.print_shapes(40, origin) == []
    assert len(scene.print_shapes(40, origin, trail=True)) == 2


def test_the_ground_is_under_the_soles_of_standing_feet_unless_given(wobble: Clip) -> None:
    contacts = np.ones((wobble.frame_count, 2), np.bool_)
    scene = build_scene(wobble, contacts=contacts)
    assert scene.figure.feet is not None
    soles = scene.centers[:, scene.figure.feet[:, :2], 1].min(axis=-1) - scene.figure.sole
    assert scene.ground_height == pytest.approx(float(np.median(soles)))
    assert build_scene(wobble, ground_height=0.25).ground_height == 0.25


def test_bones_without_known_legs_are_drawn_plainly(plain: Clip) -> None:
    scene = build_scene(plain)
    assert scene.figure.tones == ("trunk", "left", "left")
    assert scene.figure.feet is None
    assert not scene.contacts.any()
    assert len(scene.body_shapes(0, scene.below_root(0))) == 6


def test_a_lone_joint_is_drawn_as_a_ball() -> None:
    skeleton = Skeleton(("only",), np.array([-1]), np.zeros((1, 3)))
    clip = Clip(skeleton, np.zeros((1, 3)), np.array([[[1.0, 0.0, 0.0, 0.0]]]), 0.1)
    scene = build_scene(clip)
    assert len(scene.body_shapes(0, scene.below_root(0))) == 2


def test_a_body_without_arms_or_head_leaves_them_out(biped: Skeleton, wobble: Clip) -> None:
    whole = find_body(biped)
    headless = Body(whole.left_leg, whole.right_leg)
    contacts = np.zeros((wobble.frame_count, 2), np.bool_)
    figure = body_figure(biped, headless, wobble.world(), contacts)
    assert "head" not in figure.tones
    assert "head" in body_figure(biped, whole, wobble.world(), contacts).tones


def test_marks_are_drawn_where_they_are_and_only_when_they_are(wobble: Clip) -> None:
    ends = np.full((wobble.frame_count, 2, 2, 3), np.nan)
    ends[3, 0] = wobble.root_position[3]
    scene = build_scene(wobble, marks=Marks(ends, np.array([[0.1, 0.1], [0.04, 0.0]])))
    edge, fill = scene.mark_shapes(3, wobble.root_position[3])
    np.testing.assert_allclose(np.linalg.norm(fill.points, axis=-1), 0.1)
    assert np.linalg.norm(edge.points, axis=-1).min() > 0.1
    assert scene.mark_shapes(4, wobble.root_position[4]) == []
    assert build_scene(wobble).mark_shapes(3, wobble.root_position[3]) == []


def test_marks_of_another_length_are_refused(wobble: Clip) -> None:
    with pytest.raises(ValueError, match=r"marks: expected ends \[\d+, mark, 2, 3\]"):
        build_scene(wobble, marks=Marks(np.zeros((wobble.frame_count + 1, 1, 2, 3)), np.zeros((1, 2))))


def test_contacts_of_the_wrong_shape_and_empty_clips_are_refused(wobble: Clip) -> None:
    with pytest.raises(ValueError, match="contacts"):
        build_scene(wobble, contacts=np.zeros((3, 2), np.bool_))
    with pytest.raises(ValueError, match="at least one frame"):
        build_scene(replace(wobble, root_position=np.zeros((0, 3)), rotations=np.zeros((0, 12, 4))))


def _is_blue(color: str) -> bool:
    return int(color[5:7], 16) > int(color[1:3], 16) + 60
