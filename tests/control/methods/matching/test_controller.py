"""Motion matching: what is followed, when it looks for something else, and its file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.base.artifacts import read_artifact, write_artifact
from motionfields.base.errors import ArtifactError
from motionfields.base.geometry import wrap_angle
from motionfields.control.methods.matching import MatchingController, MatchingSettings, train_matching
from motionfields.control.methods.matching.features import POSE_SIZE, searchable_states
from motionfields.control.tasks import Direction, Line, Task, Velocity
from motionfields.field import MotionField
from motionfields.field.neighbors import PlainIndex
from motionfields.measure.evaluation import direction_trials
from motionfields.runtime import Followers, Frame
from tests.control.training.small import observed

QUIET = 3  # frames between searches


@pytest.fixture(scope="module", params=[Direction(), Line(), Velocity()], ids=["direction", "line", "velocity"])
def any_task(request: pytest.FixtureRequest, field: MotionField) -> MatchingController:
    task: Task = request.param
    return train_matching(field, task)


def anywhere(controller: MatchingController, count: int, rng: np.random.Generator) -> tuple[Followers, FloatArray]:
    """Characters at states of all kinds, the last ones of clips among them, and parameters for them."""
    database = controller.field.database
    rows = rng.integers(0, database.state_count, count)
    rows[: database.clip_count] = database.clip_starts[1:] - 1
    params = np.stack([rng.uniform(axis.nodes[0], axis.nodes[-1], count) for axis in controller.task.axes], axis=-1)
    return Followers.at(database, rows), params


def plain_costs(controller: MatchingController, row: int, params: FloatArray) -> FloatArray:
    """Return the cost of following each searchable state, without any bounds."""
    query = controller.queries(np.array([row]), params[np.newaxis])[0].astype(np.float32)
    gaps = controller.features.values[controller.start_states].astype(np.float32) - query
    return np.asarray((gaps.astype(np.float64) ** 2).sum(axis=1))


def test_the_search_is_that_of_every_state(controller: MatchingController, rng: np.random.Generator) -> None:
    followers, params = anywhere(controller, 60, rng)
    found = controller.matches(followers.state, params, 5)
    plain = PlainIndex(controller.features.values[controller.start_states])
    expected = plain.search(controller.queries(followers.state, params), 5)
    np.testing.assert_array_equal(found.states, controller.start_states[expected.indices])
    np.testing.assert_array_equal(found.costs, expected.distances.astype(np.float64) ** 2)
    for i in range(0, 60, 7):
        costs = plain_costs(controller, int(followers.state[i]), params[i])
        assert costs.min() == pytest.approx(found.costs[i, 0], rel=1e-5, abs=1e-6)


def test_of_equals_the_first_is_found(field: MotionField) -> None:
    blind = MatchingSettings(
        foot_position=0.0,
        foot_velocity=0.0,
        hip_velocity=0.0,
        hip_turning=0.0,
        trajectory_position=0.0,
        trajectory_direction=0.0,
    )
    controller = train_matching(field, Direction(), settings=blind)
    last = field.database.clip_starts[1:] - 1
    assert (controller.matches(last, np.zeros((len(last), 1)), 1).states[:, 0] == controller.start_states[0]).all()


def test_a_query_is_the_pose_as_it_is_and_the_trajectory_as_wanted(controller: MatchingController) -> None:
    row = controller.start_states[:200:10]
    ahead, aside = (controller.queries(row, np.full((len(row), 1), angle)) for angle in (0.0, 1.0))
    for query in (ahead, aside):
        np.testing.assert_array_equal(query[:, :POSE_SIZE], controller.features.values[row, :POSE_SIZE])
    points = (aside[:, POSE_SIZE:] / controller.features.scales[POSE_SIZE:]).reshape(len(row), -1, 4)
    faced = np.arctan2(points[:, -1, 2], points[:, -1, 3]) - controller.root_motion.facing[row]
    np.testing.assert_allclose(faced, 1.0, atol=0.05)  # nearly there in the time of the last horizon
    left, forward = np.diff(points[:, 1:, :2], axis=1)[:, 0].T
    np.testing.assert_allclose(np.arctan2(left, forward) - controller.root_motion.facing[row], 1.0, atol=0.3)


def test_the_best_outlook_is_followed(any_task: MatchingController, rng: np.random.Generator) -> None:
    followers, params = anywhere(any_task, 120, rng)
    expected, waited = any_task.initial_state(120)
    expected[60:], waited[60:] = params[60:], 1
    action_values = any_task.action_values(observed(any_task, followers, (expected, waited), params))
    steps, _ = any_task.decide(observed(any_task, followers, (expected, waited), params))
    assert action_values.scores.shape == (*action_values.states.shape, 1)
    best = action_values.scores[:, :, 0].argmax(axis=1)
    np.testing.assert_array_equal(action_values.states[np.arange(120), best], steps.states[:, 0])
    open_ones = np.isfinite(action_values.scores)
    total = action_values.rewards - action_values.costs + action_values.futures
    np.testing.assert_allclose(action_values.scores[open_ones], total[open_ones], rtol=1e-12)
    quiet = any_task.field.database.frames_left[followers.state[60:]] >= 1
    assert (open_ones[60:, :, 0].sum(axis=1)[quiet] == 1).all()
    assert (open_ones[:60, :, 0].sum(axis=1) >= 30).all()
    assert (action_values.costs[open_ones] >= -1e-3).all()
    assert any_task.state_values(observed(any_task, followers, (expected, waited), params)) is None


def test_no_end_of_a_clip_is_ever_followed(any_task: MatchingController, rng: np.random.Generator) -> None:
    followers, params = anywhere(any_task, 300, rng)
    database = any_task.field.database
    controller_state = any_task.initial_state(300)
    for _ in range(40):
        steps, controller_state = any_task.decide(observed(any_task, followers, controller_state, params))
        assert (database.frames_left[steps.states[:, 0]] >= 1).all()
        followers = followers._replace(state=steps.states[:, 0] + 1)
    assert (database.frames_left[any_task.start_states] >= 1).all()


def test_who_has_nothing_to_search_for_goes_on(controller: MatchingController) -> None:
    crowd = controller.crowd(8, seed=2)
    searched: list[BoolArray] = []
    for _ in range(60):
        params = crowd.params(0.0)
        due = controller.due(crowd.followers.state, crowd.controller_state, params)
        before = crowd.followers.state.copy()
        frame = crowd.step(0.0)
        assert (frame.states[~due] == before[~due] + 1).all()
        searched.append(due)
    # All at the first frame, then every third; what holding the feet shifts is no surprise.
    assert np.array(searched)[::QUIET].all()
    assert np.mean(searched) < 1.05 / QUIET


def test_a_sudden_change_is_answered_at_once(controller: MatchingController) -> None:
    crowd = controller.crowd(5, seed=4)
    for _ in range(QUIET + 2):
        crowd.step(0.0)
    assert not controller.due(crowd.followers.state, crowd.controller_state, crowd.params(0.0)).any()
    told = np.array([0.0, 1.0, -1.0, 0.05, np.pi])
    due = controller.due(crowd.followers.state, crowd.controller_state, crowd.params(told))
    np.testing.assert_array_equal(due, [False, True, True, False, True])


def test_what_is_expected_is_what_comes(any_task: MatchingController) -> None:
    crowd = any_task.crowd(6, seed=5, plant=False)
    command = np.full((6, len(any_task.task.command_names)), 0.7)
    for _ in range(50):
        crowd.step(command)
        gap = crowd.params(command) - crowd.controller_state[0]
        gap[:, 0] = wrap_angle(gap[:, 0])
        np.testing.assert_allclose(gap, 0.0, atol=1e-5)


def test_turns_go_further_than_captured_towards_the_goal_alone(field: MotionField) -> None:
    settings = MatchingSettings(extra_turn=0.2, extra_limit=3.0)
    controller = train_matching(field, Direction(), settings=settings)
    turning = controller.features.paths.turning
    row = controller.start_states[np.abs(turning[controller.start_states]) > 1.0]
    for goal in (-2.0, 2.0):
        # Characters that go on: what is expected came, and they searched a frame ago.
        params = np.full((len(row), 1), goal)
        steps, _ = controller.decide(
            observed(controller, Followers.at(field.database, row), (params, np.ones(len(row))), params)
        )
        most = 0.2 * np.abs(turning[row]) * field.database.frame_time
        np.testing.assert_array_equal(steps.states[:, 0], row)
        assert (np.sign(goal) * steps.spin >= 0.0).all()
        assert (np.abs(steps.spin) <= most + 1e-12).all()
        assert (steps.spin[np.abs(turning[row]) >= 3.0] == 0.0).all()
        assert (steps.spin != 0.0).any()
    as_captured = train_matching(field, Direction(), settings=replace(settings, extra_turn=0.0))
    steps, _ = as_captured.decide(
        observed(as_captured, Followers.at(field.database, row), as_captured.initial_state(len(row)), params)
    )
    assert not steps.spin.any()


def test_the_remaining_angle_halves_in_a_half_life(field: MotionField) -> None:
    """Without limits of extra turning, a frame that is half a half-life long leaves 1/sqrt(2) of the angle."""
    frame_time = field.database.frame_time
    settings = MatchingSettings(extra_turn=1e6, extra_limit=1e6)

    def spin(half_life: float) -> FloatArray:
        controller = train_matching(field, Direction(), settings=replace(settings, spin_half_life=half_life))
        params = np.full((len(row), 1), 1.0)
        steps, _ = controller.decide(
            observed(controller, Followers.at(field.database, row), (params, np.ones(len(row))), params)
        )
        return steps.spin

    row = searchable_states(field, settings)[::20]
    whole = spin(0.001)  # leaves 1e-10 of the angle after a frame
    assert (np.abs(whole) > 0.1).all()
    np.testing.assert_allclose(spin(frame_time), whole / 2.0, rtol=1e-6)
    np.testing.assert_allclose(spin(2.0 * frame_time), whole * (1.0 - np.sqrt(0.5)), rtol=1e-6)


def test_nothing_given_is_changed(controller: MatchingController, rng: np.random.Generator) -> None:
    followers, params = anywhere(controller, 40, rng)
    controller_state = controller.initial_state(40)
    given = [array.copy() for array in (*followers, *controller_state, params)]
    controller.decide(observed(controller, followers, controller_state, params))
    controller.action_values(observed(controller, followers, controller_state, params))
    for before, after in zip(given, (*followers, *controller_state, params), strict=True):
        np.testing.assert_array_equal(before, after)


def test_a_character_does_the_same_alone_and_in_a_crowd(any_task: MatchingController) -> None:
    alone, together = any_task.crowd(1, seed=3), any_task.crowd(7, seed=3)
    columns = len(any_task.task.command_names)
    for frame in range(60):
        command = np.linspace(0.0, 2.0, 7)[:, np.newaxis] + np.full(columns, 1.5 if frame > 20 else 0.0)
        one, many = alone.step(command[:1]), together.step(command)
        for name in Frame._fields:
            np.testing.assert_array_equal(getattr(one, name)[0], getattr(many, name)[0], err_msg=name)


def test_characters_turn_where_they_are_told(field: MotionField) -> None:
    """Three turns to each side are all there is, so the last degrees need turns that go further than captured."""
    controller = train_matching(field, Direction(), settings=MatchingSettings().warped())
    trials = direction_trials(controller, count=6, change_count=2, seed=1)
    assert np.isfinite(trials.reached).all()
    assert trials.reached.mean() < 1.6


def test_more_agility_answers_sooner(field: MotionField) -> None:
    slow, fast = (
        direction_trials(train_matching(field, Direction(), agility=agility), count=8, change_count=2, seed=2)
        for agility in (0.0, 1.0)
    )
    assert np.minimum(fast.reached, 6.0).mean() < np.minimum(slow.reached, 6.0).mean()


def test_a_saved_controller_decides_the_same(any_task: MatchingController, tmp_path: Path) -> None:
    path = tmp_path / "walker.matching"
    any_task.save(path)
    again = MatchingController.load(path)
    assert (again.task, again.settings) == (any_task.task, any_task.settings)
    crowds = any_task.crowd(4, seed=1), again.crowd(4, seed=1)
    for frame in range(30):
        command = np.full((4, len(any_task.task.command_names)), 0.1 * frame)
        for mine, its in zip(*(crowd.step(command) for crowd in crowds), strict=True):
            np.testing.assert_array_equal(mine, its)
    again.save(tmp_path / "again.matching")
    assert (tmp_path / "again.matching").read_bytes() == path.read_bytes()
    assert MatchingController.load(path, task=any_task.task).task is any_task.task


def test_a_damaged_controller_is_refused(controller: MatchingController, tmp_path: Path) -> None:
    path = tmp_path / "walker.matching"
    controller.save(path)
    whole = path.read_bytes()
    for place in (9, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(ArtifactError):
            MatchingController.load(path)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ArtifactError):
        MatchingController.load(path)
    controller.field.save(path)
    with pytest.raises(ArtifactError, match="matching"):
        MatchingController.load(path)


@pytest.mark.parametrize(
    "change",
    [
        {"settings": None},
        {"settings": {"half_life": -1.0}},
        {"settings": {"horizons": 3.0}},
        {"settings": {"horizons": ["soon"]}},
        {"settings": {"tail": "long"}},
        {"settings": {"nonsense": 1.0}},
        {"task": {"name": "dance"}},
        {"task": {}},
    ],
)
def test_a_senseless_controller_is_refused(
    controller: MatchingController, tmp_path: Path, change: dict[str, object]
) -> None:
    path = tmp_path / "walker.matching"
    controller.save(path)
    artifact = read_artifact(path, kind="matching", newest_version=MatchingController.version)
    arrays = {name: artifact.arrays[name] for name in artifact.arrays}
    facts = {**artifact.facts, **change}
    write_artifact(path, kind="matching", version=MatchingController.version, arrays=arrays, facts=facts)  # type: ignore[arg-type]
    with pytest.raises(ArtifactError, match="invalid controller"):
        MatchingController.load(path)
