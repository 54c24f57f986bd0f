"""Balls: they fall, hit or miss, and give the body the momentum that they lose."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_identity, quat_normalize, quat_rotate
from motionfields.motion.skeleton import forward_kinematics
from motionfields.runtime.physics import Ball, BodyModel, SegmentedBody, Simulation
from motionfields.runtime.physics.balls import GRAVITY, Hit, find_hit, flown
from tests.control.training.small import small_field

FRAME_TIME = 1.0 / 30.0
STANDING = np.array([0.0, 0.95, 0.0])
CHEST = np.array([0.0, 1.3, 0.0])


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    return Simulation(BodyModel(SegmentedBody(small_field().database.skeleton), frame_time=FRAME_TIME))


def rest(simulation: Simulation, count: int = 1) -> FloatArray:
    return quat_identity(count, simulation.model.body.skeleton.joint_count)


def thrown(ball: Ball, simulation: Simulation, *, frame_count: int = 60) -> Hit | None:
    """The hit of `ball` on a character that stands, if it comes to one within so many frames."""
    for _ in range(frame_count):
        hit = find_hit(simulation, STANDING[np.newaxis], rest(simulation), ball, FRAME_TIME)
        if hit is not None:
            return hit
        ball = flown(ball, FRAME_TIME)
    return None


def at_chest(*, mass: float = 1.0, bounce: float = 0.4) -> Ball:
    """A ball from two metres ahead of the chest, fast enough to fall little on its way."""
    return Ball(CHEST + np.array([0.0, 0.0, 2.0]), np.array([0.0, 0.5, -20.0]), mass=mass, bounce=bounce)


def struck(ball: Ball, simulation: Simulation) -> Hit:
    hit = thrown(ball, simulation)
    assert hit is not None
    return hit


def test_a_ball_that_meets_nothing_falls_as_balls_do() -> None:
    ball = Ball(np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0]))
    later = flown(ball, 0.5)
    np.testing.assert_allclose(later.position, [3.0, 2.0 + 2.5 - 0.125 * 9.81, 6.0])
    np.testing.assert_allclose(later.velocity, [4.0, 5.0 - 0.5 * 9.81, 6.0])
    np.testing.assert_allclose(flown(flown(ball, 0.2), 0.3).position, later.position)
    np.testing.assert_allclose(flown(flown(ball, 0.2), -0.2).position, ball.position)
    np.testing.assert_array_equal(GRAVITY[::2], 0.0)


def test_a_ball_thrown_at_the_chest_hits_the_trunk_and_pushes_it_away(simulation: Simulation) -> None:
    hit = struck(at_chest(), simulation)
    assert hit.character == 0
    assert simulation.model.body.segments[hit.segment].part == "spine"
    assert hit.impulse[2] < 0.0
    assert np.linalg.norm(hit.impulse[:2]) < abs(hit.impulse[2])


def test_a_ball_thrown_past_misses(simulation: Simulation) -> None:
    past = at_chest()._replace(position=CHEST + np.array([0.0, 1.0, 2.0]))
    assert thrown(past, simulation) is None
    away = at_chest()._replace(velocity=np.array([0.0, 0.0, 20.0]))
    assert thrown(away, simulation) is None


def test_the_impulse_is_the_momentum_that_the_ball_loses(simulation: Simulation) -> None:
    for ball in (at_chest(), at_chest(mass=3.0), at_chest(bounce=0.0), at_chest(bounce=1.0)):
        hit = struck(ball, simulation)
        before = flown(ball, (ball.position[2] - hit.ball.position[2]) / 20.0)
        np.testing.assert_allclose(before.position, hit.ball.position, atol=1e-9)
        np.testing.assert_allclose(hit.impulse, ball.mass * (before.velocity - hit.ball.velocity), atol=1e-9)


def test_the_impulse_is_that_of_two_masses(simulation: Simulation) -> None:
    """Afterwards ball and body part at `bounce` times the speed at which they met."""
    for bounce in (0.0, 0.4, 1.0):
        ball = at_chest(mass=2.0, bounce=bounce)
        hit = struck(ball, simulation)
        body = simulation.model.body
        world = forward_kinematics(body.skeleton, STANDING, rest(simulation)[0])
        joint = body.joints[hit.segment]
        point = world.positions[joint] + quat_rotate(world.rotations[joint], hit.point)
        normal = -hit.impulse / np.linalg.norm(hit.impulse)
        np.testing.assert_allclose(point, hit.ball.position - ball.radius * normal, atol=1e-9)
        mass = simulation.struck(STANDING, rest(simulation)[0], hit.segment, point, normal).mass
        met = float((hit.ball.velocity + hit.impulse / ball.mass) @ normal)
        parted = float((hit.ball.velocity - hit.impulse / mass) @ normal)
        assert met < 0.0
        assert parted == pytest.approx(-bounce * met, abs=1e-9)


def test_a_heavier_and_a_bouncier_ball_push_harder(simulation: Simulation) -> None:
    sizes = [np.linalg.norm(struck(at_chest(mass=mass), simulation).impulse) for mass in (0.5, 1.0, 2.0, 5.0)]
    assert (np.diff(sizes) > 0.0).all()
    dull, lively = (np.linalg.norm(struck(at_chest(bounce=b), simulation).impulse) for b in (0.0, 1.0))
    assert lively == pytest.approx(2.0 * dull)


def test_a_ball_hits_the_first_of_several_and_the_others_not(simulation: Simulation) -> None:
    places = STANDING + np.array([[0.0, 0.0, -3.0], [0.0, 0.0, 0.0], [5.0, 0.0, 0.0]])
    ball = at_chest()
    for _ in range(20):
        hit = find_hit(simulation, places, rest(simulation, 3), ball, FRAME_TIME)
        if hit is not None:
            break
        ball = flown(ball, FRAME_TIME)
    assert hit is not None
    assert hit.character == 1
    alone = struck(at_chest(), simulation)
    np.testing.assert_array_equal(hit.impulse, alone.impulse)


def test_a_ball_that_flies_off_a_body_does_not_hit_it_again(simulation: Simulation) -> None:
    hit = struck(at_chest(bounce=1.0), simulation)
    assert thrown(hit.ball, simulation) is None


def test_who_is_out_of_reach_is_left_out_and_changes_nothing(
    simulation: Simulation, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    count, hits = 40, []
    roots = np.stack([rng.uniform(-4.0, 4.0, count), np.full(count, 0.95), rng.uniform(-4.0, 4.0, count)], axis=-1)
    turns = quat_normalize(rng.normal(size=(count, simulation.model.body.skeleton.joint_count, 4)))
    throws = [Ball(rng.uniform(-3.0, 3.0, 3), rng.normal(scale=8.0, size=3)) for _ in range(60)]
    for reach in (simulation.model.body.reach, np.inf):  # the shortcut, and everybody
        monkeypatch.setattr(simulation.model.body, "reach", reach)
        hits.append([find_hit(simulation, roots, turns, ball, FRAME_TIME) for ball in throws])
    assert any(hit is not None for hit in hits[0])
    for mine, its in zip(*hits, strict=True):
        assert (mine is None) == (its is None)
        if mine is not None and its is not None:
            assert (mine.character, mine.segment) == (its.character, its.segment)
            np.testing.assert_array_equal(mine.impulse, its.impulse)


def test_a_ball_at_rest_falls_on_a_character_within_the_time(simulation: Simulation) -> None:
    ball = Ball(STANDING + np.array([0.0, 4.0, 0.0]), np.zeros(3))
    assert find_hit(simulation, STANDING[np.newaxis], rest(simulation), ball, 1.0) is not None
    assert find_hit(simulation, STANDING[np.newaxis], rest(simulation), ball, 0.5) is None


def test_a_large_ball_hits_from_farther_off(simulation: Simulation) -> None:
    away = simulation.model.body.reach + 0.5
    ball = Ball(STANDING + np.array([0.0, 0.0, away]), np.array([0.0, 0.0, -0.1]), radius=away)
    assert find_hit(simulation, STANDING[np.newaxis], rest(simulation), ball, FRAME_TIME) is not None


def test_no_part_of_the_body_is_farther_from_the_root_than_its_reach(
    simulation: Simulation, rng: np.random.Generator
) -> None:
    body = simulation.model.body
    turns = quat_normalize(rng.normal(size=(300, body.skeleton.joint_count, 4)))
    world = forward_kinematics(body.skeleton, np.zeros((300, 3)), turns)
    for segment in body.segments:
        for end in (segment.start, segment.end):
            frame = world.rotations[:, segment.joint]
            place = world.positions[:, segment.joint] + quat_rotate(frame, np.broadcast_to(end, (300, 3)))
            assert np.linalg.norm(place, axis=-1).max() + segment.radius <= body.reach
