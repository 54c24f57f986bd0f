"""Motions that follow strokes, and the parts of the search beside plain ones."""

from __future__ import annotations

import math

import numpy as np
import pytest

from motionfields.authoring.plan import StepGraph
from motionfields.authoring.plan.lattice import ANGLE, CELL, COST_UNIT
from motionfields.authoring.sketch import Sketch, Stroke, sketch
from motionfields.authoring.sketch.aligning import match
from motionfields.authoring.sketch.following import STROKE_COST, Parts, Targets, _guide, follow, measure_parts
from motionfields.authoring.sketch.limbs import limb_of, move_hips, reach_with
from motionfields.base.arrays import FloatArray
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
    return Targets(places, weight, np.eye(3)[np.newaxis], 1.0 / 30.0, np.array(rates), time_cost)


@pytest.fixture(scope="module")
def parts(tiny: StepGraph) -> Parts:
    return measure_parts(tiny, [0])


def advance(frames: int, rate: float) -> int:
    return max(1, math.floor(frames * rate + 0.5))


def test_the_guide_equals_a_plain_recursion(tiny: StepGraph, parts: Parts) -> None:
    places = np.zeros((1, 20, 3))
    places[0, :, 1], places[0, :, 2] = np.linspace(0.8, 1.0, 20), np.linspace(0.0, 1.0, 20)
    targets = targets_of(places, [0.7, 1.4], 1.0)
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
                    cost = seconds + STROKE_COST * seconds * max(1.0, rate) * ((high**2).mean() + off**2 / 12.0)
                    values.append(parts.base[edge] + cost + plain[target, min(time + advance(length, rate), 20)])
            plain[node, time] = min(values)
    np.testing.assert_allclose(found, plain, rtol=1e-5)


def test_the_steps_that_are_found_cost_what_they_say(tiny: StepGraph, parts: Parts) -> None:
    places = np.zeros((1, 45, 3))
    places[0, :, 1], places[0, :, 2] = 0.9, np.linspace(0.0, 1.2, 45)
    targets = targets_of(places, [1.0], 0.0)
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
            total += STROKE_COST / 30.0 * parts.length[target] / 6 * away**2
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
