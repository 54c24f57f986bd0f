"""Controllers: what they choose, and their files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionfields.base.arrays import IntArray
from motionfields.base.artifacts import read_artifact, write_artifact
from motionfields.base.errors import ArtifactError
from motionfields.control.compression import compress
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Line, Motion
from motionfields.control.transitions import BLOCKED
from motionfields.control.values import ValueTable
from motionfields.runtime import Followers
from tests.control.training.small import direction_controller, observed, plain_grid_value


@pytest.fixture(scope="module", params=[False, True], ids=["captured", "warped"])
def controller(request: pytest.FixtureRequest) -> FieldController:
    return direction_controller(warped=request.param)


Asked = tuple[np.typing.NDArray[Any], np.typing.NDArray[Any], np.typing.NDArray[Any]]


def some_questions(controller: FieldController, count: int, rng: np.random.Generator) -> Asked:
    """States, the variants that led to them, and task parameters."""
    row = rng.integers(0, controller.field.database.state_count, count)
    return row, rng.integers(0, controller.root_motion.variant_count, count), rng.uniform(-3.1, 3.1, (count, 1))


def plain_score(
    controller: FieldController, row: int, variant: int, params: Any, transition: int, chosen_variant: int
) -> float:
    """Reward, costs and expected value of one choice (in eq. 12)."""
    root_motion, transitions, use = controller.root_motion, controller.transitions, controller.settings
    cost, followed = (
        float(transitions.costs[row, transition, variant, chosen_variant]),
        int(transitions.states[row, transition]),
    )
    if cost >= BLOCKED:
        return -np.inf
    motion = Motion(root_motion.turn[followed, chosen_variant], root_motion.velocity[followed], root_motion.frame_time)
    values = controller.values.table()[chosen_variant * len(root_motion.turn) + followed + 1]
    value = plain_grid_value(values, controller.task, controller.task.advance(params, motion))
    future = (1.0 - use.goal_change) * value + use.goal_change * float(values.mean(dtype=np.float64))
    reward = float(controller.task.reward(params, motion))
    return reward - cost - float(transitions.roughness[followed]) + use.discount * future


def at(controller: FieldController, row: IntArray, variant: IntArray) -> Followers:
    return Followers.at(controller.field.database, row)._replace(variant=variant)


def test_scores_are_those_of_equation_12(controller: FieldController, rng: np.random.Generator) -> None:
    row, variant, params = some_questions(controller, 8, rng)
    action_values = controller.action_values(observed(controller, at(controller, row, variant), (), params))
    np.testing.assert_array_equal(action_values.states, controller.transitions.states[row])
    for i in range(len(row)):
        for transition in range(action_values.states.shape[1]):
            for chosen_variant in range(controller.root_motion.variant_count):
                plain = plain_score(controller, int(row[i]), int(variant[i]), params[i], transition, chosen_variant)
                assert action_values.scores[i, transition, chosen_variant] == pytest.approx(plain, abs=1e-4)
    open_ones = np.isfinite(action_values.scores)
    total = action_values.rewards - action_values.costs + action_values.futures
    np.testing.assert_array_equal(action_values.scores[open_ones], total[open_ones])


def test_the_choice_with_the_best_outlook_is_followed(controller: FieldController, rng: np.random.Generator) -> None:
    row, variant, params = some_questions(controller, 200, rng)
    scores = controller.action_values(observed(controller, at(controller, row, variant), (), params)).scores
    steps, _ = controller.decide(observed(controller, at(controller, row, variant), (), params))
    rows, variants = steps.states[:, 0], steps.variant
    for i in range(len(row)):
        transition, best_variant = np.unravel_index(scores[i].argmax(), scores[i].shape)
        assert (rows[i], variants[i]) == (controller.transitions.states[row[i], transition], best_variant)
    assert (controller.field.database.frames_left[rows] >= 1).all()


def test_the_best_score_at_a_node_is_the_value_there(controller: FieldController) -> None:
    """Equation 12 and equation 13 agree, up to what all values change by in a sweep."""
    row = np.arange(0, controller.field.database.state_count, 50)
    nodes = controller.task.axes[0].nodes
    for node in (0, 9, 18, 30):
        best = controller.action_values(
            observed(controller, at(controller, row, np.zeros_like(row)), (), np.full((len(row), 1), nodes[node]))
        ).scores
        change = best.max(axis=(1, 2)) - controller.values.table()[row, node]
        assert 0.5 * np.ptp(change) < 2e-3  # the residual of training


def test_greedy_sees_what_pays_at_once_alone(controller: FieldController, rng: np.random.Generator) -> None:
    row, variant, params = some_questions(controller, 200, rng)
    greedy = controller.greedy()
    action_values = greedy.action_values(observed(greedy, at(controller, row, variant), (), params))
    assert not action_values.futures.any()
    now = controller.action_values(observed(controller, at(controller, row, variant), (), params))
    open_ones = np.isfinite(now.scores)
    np.testing.assert_array_equal(action_values.scores[open_ones], (now.rewards - now.costs)[open_ones])
    here = at(controller, row, variant)
    assert (
        greedy.decide(observed(greedy, here, (), params))[0].states
        != controller.decide(observed(controller, here, (), params))[0].states
    ).any()


def test_a_saved_controller_comes_back_the_same(
    controller: FieldController, tmp_path: Path, rng: np.random.Generator
) -> None:
    path = tmp_path / "walker.controller"
    controller.save(path)
    again = FieldController.load(path)
    assert (again.task, again.settings, again.warp) == (controller.task, controller.settings, controller.warp)
    assert (again.sweeps, again.residual) == (controller.sweeps, controller.residual)
    crowds = controller.crowd(4, seed=1), again.crowd(4, seed=1)
    for frame in range(30):
        one, other = (crowd.step(0.1 * frame) for crowd in crowds)
        for mine, its in zip(one, other, strict=True):
            np.testing.assert_array_equal(mine, its)
    again.save(tmp_path / "again.controller")
    assert (tmp_path / "again.controller").read_bytes() == path.read_bytes()
    given = FieldController.load(path, task=controller.task)
    assert given.task is controller.task


def test_a_compressed_controller_comes_back_the_same(controller: FieldController, tmp_path: Path) -> None:
    small = compress(controller, factor=8.0)
    small.save(tmp_path / "small.controller")
    again = FieldController.load(tmp_path / "small.controller")
    np.testing.assert_array_equal(again.values.table(), small.values.table())


def test_a_controller_that_no_training_ended_can_be_saved(controller: FieldController, tmp_path: Path) -> None:
    untrained = replace(controller, sweeps=0, residual=float("nan"))
    untrained.save(tmp_path / "untrained.controller")
    assert np.isnan(FieldController.load(tmp_path / "untrained.controller").residual)


def test_a_damaged_controller_is_refused(controller: FieldController, tmp_path: Path) -> None:
    path = tmp_path / "walker.controller"
    controller.save(path)
    whole = path.read_bytes()
    for place in (9, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        with pytest.raises(ArtifactError, match=r"walker\.controller"):
            FieldController.load(path)
    controller.field.save(path)
    with pytest.raises(ArtifactError):
        FieldController.load(path)


def changed_file(controller: FieldController, path: Path, arrays: dict[str, Any], facts: dict[str, Any]) -> None:
    """A sound file whose content is changed."""
    controller.save(path)
    artifact = read_artifact(path, kind="controller", newest_version=FieldController.version)
    all_arrays = {name: np.array(artifact.arrays[name]) for name in artifact.arrays} | arrays
    all_facts = {**artifact.facts, **facts}
    write_artifact(path, kind="controller", version=FieldController.version, arrays=all_arrays, facts=all_facts)


@pytest.mark.parametrize(
    "fault",
    [
        "rows too high",
        "rows below 0",
        "fewer rows",
        "costs of other variants",
        "roughness",
        "values",
        "not a number",
        "ends",
        "no transition",
        "nan costs",
        "all rough",
        "first variant blocked",
        "ends that are blocked",
        "huge values",
    ],
)
def test_arrays_that_do_not_fit_each_other_are_refused(controller: FieldController, tmp_path: Path, fault: str) -> None:
    rows, costs, roughness = (np.array(track) for track in controller.transitions)
    values = controller.values.table()
    bad_values = values.copy()
    bad_values[3, 3] = np.nan
    arrays: dict[str, Any] = {
        "rows too high": {"choices.rows": np.where(rows == rows[5, 0], len(rows), rows).astype(np.int32)},
        "rows below 0": {"choices.rows": np.where(rows == rows[5, 0], -1, rows).astype(np.int32)},
        "fewer rows": {"choices.rows": rows[:-1]},
        "costs of other variants": {"choices.costs": np.repeat(costs, 2, axis=2)},
        "roughness": {"choices.roughness": roughness[1:]},
        "values": {"values": values[1:]},
        "not a number": {"values": bad_values},
        "ends": {"choices.rows": np.where(rows == rows[5, 0], len(rows) - 1, rows).astype(np.int32)},
        "no transition": {"choices.costs": np.where(np.arange(len(rows)) == 5, BLOCKED, costs.T).T},
        "nan costs": {"choices.costs": np.where(np.arange(len(rows)) == 5, np.float32(np.nan), costs.T).T},
    }
    first_blocked, at_end, blocked = costs.copy(), rows.copy(), costs.copy()
    first_blocked[5, :, 0] = BLOCKED
    at_end[:, 0], blocked[:, 0] = len(rows) - 1, BLOCKED
    arrays["all rough"] = {"choices.roughness": np.full_like(roughness, 2e9)}
    arrays["first variant blocked"] = {"choices.costs": first_blocked}
    arrays["ends that are blocked"] = {"choices.rows": at_end, "choices.costs": blocked}
    arrays["huge values"] = {"values": np.full_like(values, 3e38)}
    path = tmp_path / "odd.controller"
    changed_file(controller, path, arrays[fault], {})
    with pytest.raises(ArtifactError, match=r"odd\.controller"):
        FieldController.load(path)


@pytest.mark.parametrize(
    "facts",
    [
        {"task": {"name": "nonsense"}},
        {"task": {"name": "direction", "speed": 1.0, "colour": 3}},
        {"settings": {"discount": 2.0}},
        {"settings": None},
        {"warp": {"turn": 0.0}},
        {"training": {}},
        {"training": {"sweeps": "x", "residual": None}},
        {"training": {"sweeps": 3, "residual": "inf"}},
        {"warp": {"turn": 1e300}},
        {"warp": {"turn": "x"}},
        {"warp": []},
        *({"task": {"name": "direction", "speed": speed}} for speed in ("fast", [1, 2], 1e308, True, {"a": 1})),
        *({"task": {"name": "direction", "pace_weight": weight}} for weight in ("x", [1], -1e308, None)),
        *({"task": {"name": "velocity", "top": top}} for top in (0, -1, 1e-320, 1e-45, 1e308, True, "a", [1.0])),
        *({"task": {"name": "velocity", "facing_speed": speed}} for speed in (0, -1, 1e-320, "a", None)),
        {"task": {"name": ["direction"]}},
        {"task": "direction"},
        *({"settings": {"half_life": half_life}} for half_life in (1e-300, True, "1", None, 10**18)),
        *({"settings": {"neighbor_count": count}} for count in (1.5, True, "1", None, 10**18)),
    ],
    ids=str,
)
def test_facts_that_make_no_sense_are_refused(
    controller: FieldController, tmp_path: Path, facts: dict[str, Any]
) -> None:
    path = tmp_path / "odd.controller"
    changed_file(controller, path, {}, facts)
    with pytest.raises(ArtifactError, match="holds an invalid controller"):
        FieldController.load(path)


def test_a_file_without_values_or_with_another_warp_is_refused(controller: FieldController, tmp_path: Path) -> None:
    path = tmp_path / "odd.controller"
    warp = {"turn": 1.2, "limit": 1.5, "cost": 0.3} if controller.warp is None else None
    changed_file(controller, path, {}, {"warp": warp})
    with pytest.raises(ArtifactError, match=r"choices\.costs"):
        FieldController.load(path)


@pytest.mark.parametrize("wrong", [10**6, -1])
def test_a_controller_is_checked_when_it_is_made(controller: FieldController, wrong: int) -> None:
    transitions = controller.transitions
    with pytest.raises(ValueError, match=r"choices\.rows: expected 0 to"):
        replace(controller, transitions=transitions._replace(states=np.full_like(transitions.states, wrong)))
    with pytest.raises(ValueError, match=r"choices\.rows: expected shape"):
        replace(controller, transitions=transitions._replace(states=transitions.states[:10]))
    with pytest.raises(ValueError, match="values: expected values of"):
        replace(controller, values=ValueTable(controller.task.axes, controller.values.table()[:1]))
    with pytest.raises(ValueError, match="values: expected values of"):
        replace(controller, task=Line())
    with pytest.raises(ValueError, match="states: expected 0 to"):
        controller.values.lookup(np.array([wrong]), np.zeros((1, 1)))
    with pytest.raises(ValueError, match="params: expected numbers"):
        controller.values.lookup(np.array([0]), np.full((1, 1), np.nan))
    with pytest.raises(ValueError, match="values: expected finite numbers"):
        ValueTable(controller.task.axes, np.full_like(controller.values.table(), np.nan))
