"""Motions that follow strokes, and the parts of the search beside plain ones."""

from __future__ import annotations

import math

import numpy as np
import pytest

from motionfields.authoring.plan import StepGraph
from motionfields.authoring.plan.lattice import ANGLE, CELL, COST_UNIT
from motionfields.authoring.sketch import Sketch, Stroke, sketch
from motionfields.authoring.sketch.aligning import match
from motionfields.authoring.sketch.following import (
    LIFTED,
    STROKE_COST,
    Followed,
    Parts,
    Targets,
    _guide,
    follow,
    measure_parts,
)
from motionfields.authoring.sketch.limbs import limb_of, move_hips, reach_with
from motionfields.base.arrays import FloatArray
from motionfields.base.errors import PlanError
from motionfields.base.world import Disc, Room
from motionfields.motion import quality
from motionfields.motion.body import find_body
from tests.authoring.plan.oracle import plain_landing

PATH = np.array([(0.0, 0.0), (0.3, 1.5), (0.2, 3.0)])


@pytest.fixture(scope="module")
def along(graph: StepGraph) -> Sketch:
    return sketch(graph, [Stroke.on_ground(PATH)], width=60)


def test_the_root_follows_a_path_over_the_ground(along: Sketch) -> None:
    (fit,) = along.fits
    assert fit.mean < 0.05
    track = along.clip.root_position[:, ::2]
    assert np.linalg.norm(track[0] - PATH[0]) < 0.15
    assert np.linalg.norm(track - PATH[-1], axis=1).min() < 0.15
    assert len(along.rows) == along.clip.frame_count


def test_a_path_through_an_obstacle_is_followed_around_it(graph: StepGraph, along: Sketch) -> None:
    room = Room((-3.0, -2.0, 3.0, 5.0), (Disc(0.28, 1.5, 0.25),), radius=0.2)
    assert along.clearance == np.inf
    assert room.clearance(along.clip.root_position[:, ::2]).min() < 0.0
    around = sketch(graph, [Stroke.on_ground(PATH)], room=room, width=200)
    assert around.clearance == room.clearance(around.clip.root_position[:, ::2]).min()
    assert around.clearance > room.radius - 0.02
    assert np.linalg.norm(around.clip.root_position[:, ::2] - PATH[-1], axis=1).min() < 0.2


def test_a_stroke_outside_the_room_is_refused(graph: StepGraph) -> None:
    with pytest.raises(PlanError, match="begins outside the room"):
        sketch(graph, [Stroke.on_ground(PATH)], room=Room((5.0, 5.0, 9.0, 9.0)), width=20)
    hand = graph.field.database.skeleton.names[_wrist(graph)]
    with pytest.raises(PlanError, match="clear of the obstacles"):
        sketch(graph, [Stroke.on_ground(PATH, joint=hand)], room=Room((5.0, 5.0, 9.0, 9.0)), width=20)


def test_a_stroke_pauses_where_it_rests_for_a_while() -> None:
    times = np.array([0.0, 0.6, 1.2, 1.3, 2.0, 2.5])
    drawn = Stroke.on_ground(np.stack([0.0 * times, [0.0, 0.0, 1.0, 1.0, 1.5, 1.5]], axis=1), times)
    frames = np.arange(90) / 30.0
    np.testing.assert_array_equal(drawn.pauses(frames), (frames < 0.61) | ((frames > 1.99) & (frames < 2.51)))


def test_a_foot_stands_where_its_stroke_pauses(graph: StepGraph) -> None:
    parts = measure_parts(graph, [find_body(graph.field.database.skeleton).legs[0].ankle])
    places = np.zeros((1, 60, 3))
    places[0, :, 2] = np.linspace(0.0, 2.0, 60)
    targets = targets_of(places, [1.0], 0.0)
    pauses = np.zeros((1, 60))

    def swings(found: Followed) -> FloatArray:
        """How far the foot is off the ground at each frame of the stroke."""
        out = np.zeros(60)
        for target, start in zip(found.path[1:, 0], found.path[:-1, 4], strict=True):
            out[np.minimum(start + parts.frames[target], 59)] += parts.lifted[0, target]
        return out

    free = follow(graph, parts, targets, width=200)
    pauses[0] = swings(free) > 0.5  # rests where the foot would have swung
    held = follow(graph, parts, targets._replace(pauses=pauses), width=200)
    assert pauses.any()
    assert (pauses[0] * swings(held)).sum() < 0.8 * (pauses[0] * swings(free)).sum()
    assert held.cost > free.cost


def test_feet_stay_in_place_on_the_way(graph: StepGraph, along: Sketch) -> None:
    assert quality.foot_skate(along.clip, graph.field.database.contacts[along.rows]).mean < 0.06


def test_a_hand_follows_a_stroke_within_its_reach(graph: StepGraph) -> None:
    joint = graph.field.database.skeleton.names[_wrist(graph)]
    times = np.array([0.0, 1.0, 2.0])
    walk = Stroke.on_ground(np.array([(0.0, 0.0), (0.0, 1.0), (0.0, 2.0)]), times)
    plain = sketch(graph, [walk], width=60)
    positions = plain.clip.world().positions[:, _wrist(graph)]
    at = np.round(times / plain.clip.frame_time).astype(int)
    drawn = Stroke.in_space(joint, positions[np.minimum(at, len(positions) - 1)] + (0.0, 0.05, 0.0), times)
    found = sketch(graph, [walk, drawn], width=60)
    assert found.fits[1].joint == joint
    assert found.fits[1].mean < 0.06
    again = sketch(graph, [walk, drawn], width=60)
    np.testing.assert_array_equal(found.clip.rotations, again.clip.rotations)


def test_hips_move_over_feet_that_stay_in_place(along: Sketch) -> None:
    clip = along.clip
    wanted = np.tile([0.02, -0.03, 0.0], (clip.frame_count, 1))
    moved = move_hips(clip, wanted, np.ones(clip.frame_count, np.bool_))
    np.testing.assert_allclose(moved.root_position - clip.root_position, wanted, atol=2e-3)
    ankles = [leg.ankle for leg in find_body(clip.skeleton).legs]
    np.testing.assert_allclose(moved.world().positions[:, ankles], clip.world().positions[:, ankles], atol=1e-6)


def _wrist(graph: StepGraph) -> int:
    arm = find_body(graph.field.database.skeleton).right_arm
    assert arm is not None
    return arm.wrist


def targets_of(places: FloatArray, rates: list[float], time_cost: float) -> Targets:
    weight = np.ones(places.shape[:2])
    return Targets(places, weight, 0.0 * weight, np.eye(3)[np.newaxis], 1.0 / 30.0, np.array(rates), time_cost)


@pytest.fixture(scope="module")
def parts(tiny: StepGraph) -> Parts:
    return measure_parts(tiny, [0])


def advance(frames: int, rate: float) -> int:
    return max(1, math.floor(frames * rate + 0.5))


def test_the_guide_equals_a_plain_recursion(tiny: StepGraph, parts: Parts, rng: np.random.Generator) -> None:
    parts = parts._replace(lifted=rng.uniform(size=parts.lifted.shape))
    places = np.zeros((1, 20, 3))
    places[0, :, 1], places[0, :, 2] = np.linspace(0.8, 1.0, 20), np.linspace(0.0, 1.0, 20)
    targets = targets_of(places, [0.7, 1.4], 1.0)._replace(pauses=rng.uniform(size=(1, 20)))
    found = _guide(tiny.moves, parts, targets, tiny.step_count)
    plain = np.zeros((tiny.step_count, 21))
    for time in range(19, -1, -1):
        for node in range(tiny.step_count):
            values = []
            for edge in np.flatnonzero((tiny.moves.source == node) & (tiny.moves.target < tiny.step_count)):
                target = tiny.moves.target[edge]
                length = int(parts.length[target])
                for rate in targets.rates.tolist():
                    seconds = length / 30.0
                    at = np.minimum(time + np.array([advance(int(f), rate) for f in parts.frames[target]]), 19)
                    high = parts.places[0, edge, :, 1] - places[0, at, 1]
                    last = min(time + advance(length, rate), 19)
                    way = np.hypot(*(parts.places[0, edge, -1, ::2] - parts.ends[0, node, ::2]))
                    off = way - (places[0, last, 2] - places[0, time, 2])
                    lifted = (targets.pauses[0, at] * parts.lifted[0, target]).mean() * LIFTED**2
                    away = (high**2).mean() + off**2 / 12.0 + lifted
                    cost = seconds + STROKE_COST * seconds * max(1.0, rate) * away
                    values.append(parts.base[edge] + cost + plain[target, min(time + advance(length, rate), 20)])
            plain[node, time] = min(values)
    np.testing.assert_allclose(found, plain, rtol=1e-5)


def test_the_steps_that_are_found_cost_what_they_say(tiny: StepGraph, parts: Parts, rng: np.random.Generator) -> None:
    parts = parts._replace(lifted=rng.uniform(size=parts.lifted.shape))
    places = np.zeros((1, 45, 3))
    places[0, :, 1], places[0, :, 2] = 0.9, np.linspace(0.0, 1.2, 45)
    targets = targets_of(places, [1.0], 0.0)._replace(pauses=rng.uniform(size=(1, 45)))
    found = follow(tiny, parts, targets, width=50)
    total = 0.0
    for number, edge in enumerate(found.edges.tolist()):
        node, x, z, heading, time = found.path[number].tolist()
        target, end = tiny.moves.target[edge], plain_landing(tiny, edge, heading)
        assert tiny.moves.source[edge] == node
        assert found.path[number + 1, :3].tolist() == [target, x + end[0], z + end[1]]
        assert found.path[number + 1, 4] == time + parts.length[target]
        sine, cosine = math.sin(ANGLE * heading), math.cos(ANGLE * heading)
        for sample, frame in enumerate(parts.frames[target].tolist()):
            a, height, b = parts.places[0, edge, sample]
            seen = (x * CELL + cosine * a + sine * b, height, z * CELL + cosine * b - sine * a)
            away = math.dist(seen, places[0, min(time + frame, 44)])
            lifted = targets.pauses[0, min(time + frame, 44)] * parts.lifted[0, target, sample]
            total += STROKE_COST / 30.0 * parts.length[target] / 6 * (away**2 + lifted * LIFTED**2)
        total += parts.base[edge] + (end[2] - tiny.moves.cost[edge]) / COST_UNIT
    assert found.path[-1, 4] >= 45 > found.path[-2, 4]
    assert found.cost == pytest.approx(total)


def test_frames_are_matched_with_the_nearest_points_in_order() -> None:
    rng = np.random.default_rng(1)
    points, track = rng.normal(size=(6, 3)), rng.normal(size=(5, 3))

    def best(frame: int, point: int) -> float:
        if frame == 0:
            return 0.0 if point == 0 else math.inf
        before = min(best(frame - 1, point - step) for step in range(3) if point - step >= 0)
        return before + float(((points[point] - track[frame]) ** 2).sum())

    found = match(points, track, 2)
    assert found[0] == 0
    assert found[-1] == 5
    assert set(np.diff(found)) <= {0, 1, 2}
    assert sum(((points[n] - t) ** 2).sum() for n, t in zip(found[1:], track[1:], strict=True)) == pytest.approx(
        best(4, 5)
    )


def test_a_limb_reaches_within_its_length_and_only_where_it_is_free(along: Sketch, graph: StepGraph) -> None:
    clip = along.clip
    limb = limb_of(clip.skeleton, _wrist(graph))
    assert limb is not None
    assert limb_of(clip.skeleton, 0) is None
    free = np.zeros(clip.frame_count, np.bool_)
    free[30:70] = True
    before = clip.world().positions
    after = reach_with(clip, limb, np.tile((0.0, 0.04, 0.02), (clip.frame_count, 1)), free).world().positions
    moved = after[:, limb.end] - before[:, limb.end]
    np.testing.assert_allclose(moved[48:52], np.tile((0.0, 0.04, 0.02), (4, 1)), atol=0.004)
    np.testing.assert_allclose(moved[:25], 0.0, atol=1e-6)
    np.testing.assert_allclose(moved[75:], 0.0, atol=1e-6)
    far = reach_with(clip, limb, np.tile((0.0, 0.0, 9.0), (clip.frame_count, 1)), free).world().positions
    length = np.linalg.norm(clip.skeleton.offsets[[limb.middle, limb.end]], axis=1).sum()
    assert np.linalg.norm(far[:, limb.end] - far[:, limb.upper], axis=1).max() < length


def test_odd_requests_are_refused(graph: StepGraph) -> None:
    path = Stroke.on_ground(PATH)
    with pytest.raises(ValueError, match="1 to 16"):
        sketch(graph, [])
    with pytest.raises(ValueError, match="times for each"):
        sketch(graph, [path, path])
    with pytest.raises(ValueError, match="expected one of"):
        sketch(graph, [Stroke.on_ground(PATH, joint="Tail")])
    with pytest.raises(ValueError, match="begins at 0"):
        sketch(graph, [Stroke.on_ground(PATH, np.array([1.0, 2.0, 3.0]))])
    with pytest.raises(ValueError, match="width"):
        sketch(graph, [path], width=0)
