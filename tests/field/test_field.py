"""The equations of the motion field, in the paper's order, each against a case worked by hand."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionfields.base.artifacts import read_artifact, write_artifact
from motionfields.base.errors import ArtifactError
from motionfields.base.geometry import quat_angle, quat_exp, quat_from_yaw, quat_multiply, quat_rotate
from motionfields.field import MotionField, actions, similarity_weights
from motionfields.field.connectivity import Connectivity
from motionfields.field.database import (
    MotionDatabase,
    MotionState,
    Pose,
    PoseDelta,
    apply_delta,
    blend_deltas,
    grounded,
    pose_difference,
)
from motionfields.field.field import FIELD_VERSION
from motionfields.field.neighbors import LEAST_RECALL, BoundedIndex, FaissIndex, Neighbors
from motionfields.field.passive import PAPER, Leaders, PassiveSettings
from motionfields.motion.clip import Clip
from motionfields.motion.samples import generate_samples


@pytest.fixture(scope="module")
def field() -> MotionField:
    wanted = re.compile("walk_(?!back).*|stand_idle|turn_.*_015_.*|turn_left_030_gentle")
    clips: list[Clip] = [sample.clip for sample in generate_samples(only=wanted)]
    return MotionField(MotionDatabase.build(clips))


def some_states(field: MotionField, count: int = 40) -> MotionState:
    """States near the data, off it by a few degrees a joint, standing and facing anywhere."""
    rng = np.random.default_rng(3)
    pose, velocity = field.database.states(rng.choice(field.findable, count))
    turn = quat_from_yaw(rng.uniform(-3.0, 3.0, count))
    return MotionState(
        Pose(
            pose.root_position + np.insert(rng.normal(size=(count, 2)), 1, 0.0, axis=1),
            quat_multiply(turn, pose.root_rotation),
            quat_multiply(quat_exp(rng.normal(0.0, 0.05, (*pose.joint_rotations.shape[:-1], 3))), pose.joint_rotations),
        ),
        velocity,
    )


def assert_close(first: MotionState, second: MotionState, tolerance: float = 1e-6) -> None:
    np.testing.assert_allclose(first.pose.root_position, second.pose.root_position, atol=tolerance)
    assert quat_angle(first.pose.root_rotation, second.pose.root_rotation).max() < 10 * tolerance
    assert quat_angle(first.pose.joint_rotations, second.pose.joint_rotations).max() < 1e-3
    for one, other in zip(first.velocity, second.velocity, strict=True):
        np.testing.assert_allclose(one, other, atol=tolerance)


def test_neighbours_are_the_nearest_states_under_equation_1(field: MotionField) -> None:
    state = some_states(field, 10)
    found = field.neighbors(state)
    assert found.indices.shape == (10, 15)
    gaps = np.linalg.norm(
        field.database.features[field.findable] - field.database.metric.embed(state)[:, None], axis=-1
    )
    np.testing.assert_allclose(found.distances, np.sort(gaps, axis=1)[:, :15], rtol=1e-4, atol=1e-6)


def test_passive_synthesis_does_not_find_dead_ends_and_control_does(field: MotionField) -> None:
    database = field.database
    lengths = np.diff(database.clip_starts)[database.clip_of]
    in_tail = database.frames_left < np.clip(lengths // 3, 1, 45)
    found = np.zeros(database.state_count, np.bool_)
    passive = field.passive_states()
    found[passive.states] = True
    assert not (found & in_tail).any()
    assert not (found & database.stands(0.5)).any()
    np.testing.assert_array_equal(found, ~in_tail & ~database.stands(0.5) & passive.connectivity.core)
    goes_on = database.frames_left >= 1
    np.testing.assert_array_equal(field.findable, np.flatnonzero(goes_on & field.connectivity.core))
    assert len(field.findable) >= database.state_count - 3 * database.clip_count
    np.testing.assert_array_equal(field.passive_states(PassiveSettings(standing=True, tail=1)).states, field.findable)


def test_what_passive_synthesis_finds_is_computed_on_first_use_and_kept(field: MotionField) -> None:
    fresh = MotionField(field.database, connectivity=field.connectivity)
    fresh.draw(2)
    fresh.neighbors(fresh.draw(2))
    assert list(fresh._passive) == [(1, True)]
    assert fresh.passive_states() is fresh.passive_states(PassiveSettings(softness=0.0))
    assert list(fresh._passive) == [(1, True), (45, False)]


def test_too_little_motion_for_passive_synthesis_is_refused_when_it_is_asked_for(field: MotionField) -> None:
    wide = MotionField(field.database, neighbor_count=len(field.findable), connectivity=field.connectivity)
    with pytest.raises(ValueError, match=r"settings: expected at least .* states for passive synthesis"):
        wide.start(1)


def as_version_1(path: Path, tail: int, standing: bool, connectivity: Connectivity) -> None:
    """Write the field in `path` again as version 1 did."""
    artifact = read_artifact(path, kind="field", newest_version=FIELD_VERSION)
    facts: dict[str, Any] = dict(artifact.facts)
    facts["field"] = {**facts["field"], "tail": tail, "standing": standing}
    facts["spacing"] = list(connectivity.spacing)
    names = [name for name in artifact.arrays if name != "core"]
    arrays = {name: np.array(artifact.arrays[name]) for name in names} | {"core": connectivity.core}
    write_artifact(path, kind="field", version=1, arrays=arrays, facts=facts)


def test_an_old_field_of_control_loads_as_it_was(field: MotionField, tmp_path: Path) -> None:
    field.save(tmp_path / "old.field")
    as_version_1(tmp_path / "old.field", 1, True, field.connectivity)
    again = MotionField.load(tmp_path / "old.field")
    assert again.spacing == field.spacing
    np.testing.assert_array_equal(again.findable, field.findable)


def test_an_old_field_of_passive_synthesis_keeps_its_core_for_that(field: MotionField, tmp_path: Path) -> None:
    passive = field.passive_states()
    field.save(tmp_path / "old.field")
    as_version_1(tmp_path / "old.field", 45, False, passive.connectivity)
    again = MotionField.load(tmp_path / "old.field")
    assert list(again._passive) == [(1, True), (45, False)]
    np.testing.assert_array_equal(again.passive_states().states, passive.states)
    assert again.passive_states().spacing == passive.spacing
    assert again.spacing == field.spacing
    np.testing.assert_array_equal(again.findable, field.findable)


@pytest.mark.parametrize("tail", [0, "long"])
def test_an_old_field_with_odd_settings_is_refused(field: MotionField, tmp_path: Path, tail: Any) -> None:
    field.save(tmp_path / "old.field")
    as_version_1(tmp_path / "old.field", tail, True, field.connectivity)
    with pytest.raises(ArtifactError, match="holds an invalid field"):
        MotionField.load(tmp_path / "old.field")


def test_a_loaded_field_has_the_connectivity_in_its_file(field: MotionField, tmp_path: Path) -> None:
    """Loading does not measure it again, which takes long for a large database."""
    core = field.connectivity.core.copy()
    core[field.findable[::10]] = False
    smaller = MotionField(field.database, connectivity=field.connectivity._replace(core=core))
    smaller.save(tmp_path / "smaller.field")
    again = MotionField.load(tmp_path / "smaller.field")
    np.testing.assert_array_equal(again.connectivity.core, core)
    np.testing.assert_array_equal(again.findable, smaller.findable)


def test_a_saved_field_comes_back_the_same(field: MotionField, tmp_path: Path) -> None:
    path = tmp_path / "walker.field"
    field.save(path)
    again = MotionField.load(path)
    assert again.spacing == field.spacing
    assert again.database.report == field.database.report
    start = field.database.states(field.findable[[5, 300]])
    one, other = field.synthesize(start, 0.5), again.synthesize(start, 0.5)
    np.testing.assert_array_equal(one.poses.joint_rotations, other.poses.joint_rotations)
    again.save(tmp_path / "again.field")
    assert (tmp_path / "again.field").read_bytes() == path.read_bytes()


def test_a_damaged_field_is_refused(field: MotionField, tmp_path: Path) -> None:
    path = tmp_path / "walker.field"
    field.save(path)
    whole = path.read_bytes()
    for place in (9, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        with pytest.raises(ArtifactError):
            MotionField.load(path)
    path.write_text("not a field")
    with pytest.raises(ArtifactError):
        MotionField.load(path)


def test_a_field_searched_by_faiss_is_nearly_the_exact_one(field: MotionField, tmp_path: Path) -> None:
    pytest.importorskip("faiss")
    ours = MotionField(field.database, search="ivf")
    assert field.connectivity.recall == 1.0
    assert ours.connectivity.recall >= LEAST_RECALL
    assert ours.spacing.median == pytest.approx(field.spacing.median, rel=0.02)
    assert np.mean(ours.connectivity.core == field.connectivity.core) > 0.98
    assert isinstance(ours.wide_index, FaissIndex)
    assert isinstance(ours.index, BoundedIndex)
    ours.save(tmp_path / "walker.field")
    again = MotionField.load(tmp_path / "walker.field")
    assert (again.search, again.connectivity.recall) == ("ivf", ours.connectivity.recall)
    wanted = field.database.features[:50]
    np.testing.assert_array_equal(
        again.wide_index.search(wanted, 60).indices, ours.wide_index.search(wanted, 60).indices
    )


def test_an_exact_field_has_one_index(field: MotionField) -> None:
    assert field.wide_index is field.index


def test_an_unknown_search_is_refused(field: MotionField) -> None:
    with pytest.raises(ValueError, match="search: expected one of exact, ivf, hnsw, got 'fast'"):
        MotionField(field.database, search="fast")  # type: ignore[arg-type]


def test_equation_2_worked_by_hand() -> None:
    np.testing.assert_allclose(similarity_weights(np.array([[1.0, 2.0, 2.0]])), [[4 / 6, 1 / 6, 1 / 6]])
    np.testing.assert_allclose(similarity_weights(np.array([[0.0, 0.0, 2.0]])), [[0.5, 0.5, 0.0]])


def test_equation_3_without_drift_follows_the_weighted_neighbours(field: MotionField) -> None:
    state = some_states(field, 5)
    near = field.neighbors(state)
    weights = similarity_weights(near.distances)
    database = field.database
    velocity = blend_deltas(database.velocities(near.indices), weights)
    expected = MotionState(
        apply_delta(state.pose, velocity), blend_deltas(database.next_velocities(near.indices), weights)
    )
    assert_close(field.integrate(state, near, weights, drift=0.0), expected)


def test_following_one_captured_state_replays_the_capture(field: MotionField) -> None:
    """Equations 4 to 6: on a state of the data, with all weight on itself, the next state is the next captured one."""
    rows = field.findable[::97]
    state = field.database.states(rows)
    near = Neighbors(rows[:, np.newaxis], np.zeros((len(rows), 1), np.float32))
    moved = field.integrate(state, near, np.ones((len(rows), 1)))
    following = field.database.states(rows + 1)
    np.testing.assert_allclose(moved.pose.root_position[:, 1], following.pose.root_position[:, 1], atol=1e-5)
    assert quat_angle(moved.pose.joint_rotations, following.pose.joint_rotations).max() < 2e-3
    for one, other in zip(moved.velocity, following.velocity, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)


def test_equations_5_and_6_mix_in_the_way_to_the_known_state(field: MotionField) -> None:
    state = some_states(field, 4)
    near = field.neighbors(state)
    weights = similarity_weights(near.distances)
    database, nearest = field.database, near.indices[:, 0]
    velocity = blend_deltas(database.velocities(near.indices), weights)
    next_velocity = blend_deltas(database.next_velocities(near.indices), weights)
    homing = pose_difference(apply_delta(database.poses(nearest), database.velocities(nearest)), grounded(state.pose))
    mixed = PoseDelta(*(0.7 * a + 0.3 * b for a, b in zip(velocity, homing, strict=True)))
    known = database.next_velocities(nearest)
    after = PoseDelta(*(0.7 * a + 0.3 * b for a, b in zip(next_velocity, known, strict=True)))
    expected = MotionState(apply_delta(state.pose, mixed), after)
    assert_close(field.integrate(state, near, weights, drift=0.3), expected)


def test_drift_corrects_the_pose_and_never_drags_it_over_the_floor(field: MotionField) -> None:
    """A frozen neighbour must not move a character that stands elsewhere and faces another way."""
    state = some_states(field, 6)
    near = field.neighbors(state)
    nearest = near.indices[:, 0]
    full = field.integrate(state, near, similarity_weights(near.distances), drift=1.0)
    step = full.pose.root_position - state.pose.root_position
    own = quat_rotate(quat_from_yaw(_yaw(state)), field.database.root_step[nearest])
    np.testing.assert_allclose(step[:, ::2], own[:, ::2], atol=1e-5)
    target = apply_delta(field.database.poses(nearest), field.database.velocities(nearest))
    assert quat_angle(full.pose.joint_rotations, target.joint_rotations).max() < 2e-3


def _yaw(state: MotionState) -> np.typing.NDArray[np.float64]:
    from motionfields.base.geometry import yaw_from_quat

    return yaw_from_quat(state.pose.root_rotation)  # type: ignore[return-value]


def test_equation_7_counts_the_votes(field: MotionField) -> None:
    standing = np.flatnonzero((field.state_votes == [1.0, 0.0]).all(axis=1))[:2]
    stepping = np.flatnonzero((field.state_votes == [0.0, 1.0]).all(axis=1))[:1]
    assert field.database.contacts[standing].tolist() == [[True, False]] * 2
    near = Neighbors(np.concatenate([standing, stepping])[np.newaxis], np.ones((1, 3), np.float32))
    np.testing.assert_allclose(field.contact_votes(near, np.array([[0.5, 0.2, 0.3]])), [[0.7, 0.3]])


def test_states_vote_for_contact_where_they_are_in_it(field: MotionField) -> None:
    agree = (field.state_votes >= 0.5) == field.database.contacts
    assert agree.mean() > 0.99


def test_equation_8_worked_by_hand() -> None:
    weights = np.array([[0.5, 0.3, 0.2]])
    np.testing.assert_allclose(actions(weights)[0, 1], np.array([0.5, 1.0, 0.2]) / 1.7)
    np.testing.assert_allclose(actions(weights, strength=4.0)[0, 0], np.array([4.0, 0.3, 0.2]) / 4.5)
    np.testing.assert_array_equal(actions(weights, strength=np.inf)[0], np.eye(3))
    np.testing.assert_allclose(actions(weights, strength=2.5).sum(axis=-1), 1.0)
    with pytest.raises(ValueError, match="strength"):
        actions(weights, strength=0.0)


def test_moving_the_character_moves_its_future_alike(field: MotionField) -> None:
    state = some_states(field, 8)
    turn, place = quat_from_yaw(2.1), np.array([3.0, 0.0, 1.0])
    pose = state.pose
    elsewhere = Pose(
        quat_rotate(turn, pose.root_position) + place, quat_multiply(turn, pose.root_rotation), pose.joint_rotations
    )
    here, there = (
        field.integrate(s, field.neighbors(s), similarity_weights(field.neighbors(s).distances))
        for s in (state, MotionState(elsewhere, state.velocity))
    )
    np.testing.assert_allclose(there.pose.root_position, quat_rotate(turn, here.pose.root_position) + place, atol=1e-5)


def test_a_batch_gives_each_state_the_same_bits_as_alone(field: MotionField) -> None:
    state = some_states(field, 20)

    def step(part: MotionState) -> MotionState:
        near = field.neighbors(part)
        return field.integrate(part, near, similarity_weights(near.distances))

    together = step(state)
    for row in (0, 7, 19):
        alone = step(state.take(slice(row, row + 1)))
        for one, many in zip((*alone.pose, *alone.velocity), (*together.pose, *together.velocity), strict=True):
            np.testing.assert_array_equal(one[0], many[row])


def test_passive_runs_are_repeatable_and_independent_of_their_batch(field: MotionField) -> None:
    start = field.database.states(field.passive_states().states[[5, 300, 700]])
    runs = field.synthesize(start, 2.0, seed=4)
    again = field.synthesize(start, 2.0, seed=4)
    first = field.synthesize(start.take(slice(0, 1)), 2.0, seed=4)
    other = field.synthesize(start, 2.0, seed=5)
    assert runs.poses.root_position.shape == (3, 60, 3)
    np.testing.assert_array_equal(runs.poses.joint_rotations, again.poses.joint_rotations)
    np.testing.assert_array_equal(runs.poses.joint_rotations[:1], first.poses.joint_rotations)
    assert not np.array_equal(runs.poses.joint_rotations, other.poses.joint_rotations)


@pytest.mark.parametrize("degrees", [15.0, 30.0])
def test_passive_runs_return_from_states_off_the_data(field: MotionField, degrees: float) -> None:
    rng = np.random.default_rng(11)
    pose, velocity = field.database.states(rng.choice(field.passive_states().states, 12))
    axes = rng.normal(size=(*pose.joint_rotations.shape[:-1], 3))
    axes *= np.radians(degrees) / np.linalg.norm(axes, axis=-1, keepdims=True)
    noisy = pose._replace(joint_rotations=quat_multiply(quat_exp(axes), pose.joint_rotations))
    runs = field.synthesize(MotionState(noisy, velocity), 2.0)
    spacing = field.passive_states().spacing
    assert np.isfinite(runs.poses.root_position).all()
    assert (runs.distances[:, 0] > 2.0 * spacing.p95).all()
    assert (runs.distances[:, 30:] < 2.0 * spacing.p95).all()


def test_the_papers_rule_is_the_field_with_everything_else_off(field: MotionField) -> None:
    state = field.database.states(field.findable[[40, 900]])
    runs = field.synthesize(state, 0.2, settings=replace(PAPER, standing=True, tail=1))
    for frame in range(runs.nearest.shape[1]):
        np.testing.assert_allclose(runs.poses.joint_rotations[:, frame], state.pose.joint_rotations, atol=1e-5)
        near = field.neighbors(state)
        state = field.integrate(state, near, similarity_weights(near.distances))


def test_options_that_make_no_sense_are_refused(field: MotionField) -> None:
    for options, reason in (
        ({"drift": 1.5}, "drift: expected a number from 0 to 1"),
        ({"neighbor_count": 10**6}, "characters can transition to"),
    ):
        with pytest.raises(ValueError, match=reason):
            MotionField(field.database, **options)


def near_states(field: MotionField, noise: float, count: int = 12) -> MotionState:
    """States off the data by `noise` radians a joint."""
    rng = np.random.default_rng(8)
    pose, velocity = field.database.states(rng.choice(field.findable, count))
    turns = quat_exp(rng.normal(0.0, noise, (*pose.joint_rotations.shape[:-1], 3)))
    return MotionState(pose._replace(joint_rotations=quat_multiply(turns, pose.joint_rotations)), velocity)


@pytest.mark.parametrize(("noise", "least", "most"), [(0.005, 0.0, 1.0), (0.2, 1.5, np.inf)], ids=["near", "far"])
def test_homing_drifts_as_the_field_does_near_the_data_and_more_farther_off(
    field: MotionField, noise: float, least: float, most: float
) -> None:
    states, state = field.passive_states(PAPER), near_states(field, noise)
    found = states.nearest(field.database.metric.embed(state), field.neighbor_count)
    off = found.distances[:, 0] / states.spacing.p95
    meant = np.flatnonzero((off > least) & (off < most))
    assert len(meant) >= 8
    state, near = state.take(meant), Neighbors(found.indices[meant], found.distances[meant])
    astray = off[meant]
    factors = np.clip(astray, 1.0, 1.5)
    after = field.drift_on(state, Leaders.none(len(meant)), frame=0, settings=replace(PAPER, homing=1.5)).state
    weights = similarity_weights(near.distances)
    assert_close(after, field.integrate(state, near, weights, drift=field.drift * factors), 1e-9)
    less = field.integrate(state, near, weights, drift=0.9 * field.drift * factors)
    assert quat_angle(after.pose.joint_rotations, less.pose.joint_rotations).max() > 1e-5
