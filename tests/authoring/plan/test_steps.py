"""Steps and links: measured on held feet, connected about the planted foot."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.authoring.plan import StepGraph, StepSettings
from motionfields.authoring.plan.steps import Links, composed, largest_core, relative
from motionfields.control.methods.graph.cutting import BOTH


def test_relative_undoes_composed() -> None:
    outer, inner = np.random.default_rng(1).normal(size=(2, 50, 3))
    np.testing.assert_allclose(relative(outer, composed(outer, inner)), inner, atol=1e-12)


def test_a_quarter_turn_to_the_left_takes_ahead_to_the_left() -> None:
    np.testing.assert_allclose(
        composed(np.array([1.0, 2.0, 0.5 * np.pi]), np.array([0.0, 3.0, 0.1])),
        [4.0, 2.0, 0.5 * np.pi + 0.1],
        atol=1e-12,
    )


def test_the_core_is_the_largest_set_of_steps_that_reach_each_other() -> None:
    source, target = np.array([0, 1, 2, 3, 4, 2]), np.array([1, 0, 3, 4, 2, 0])
    links = Links(source, target, np.zeros(6, np.float32), np.zeros((6, 3)))
    np.testing.assert_array_equal(largest_core(5, links.source, links.target), [False, False, True, True, True])


def test_every_step_is_followed_by_its_successor_without_a_jump(graph: StepGraph) -> None:
    links, steps = graph.links, graph.steps
    natural = steps.end[links.source] == steps.start[links.target]
    assert natural.sum() > 0.5 * graph.step_count
    assert (links.jump[natural] == 0.0).all()
    assert (links.pivot[natural] == 0.0).all()
    assert (links.jump[~natural] > 0.0).all()
    assert np.bincount(links.source[~natural]).max() <= graph.settings.branching
    assert links.jump.max() <= graph.settings.most_jump
    assert np.abs(links.pivot[:, 2]).max() <= graph.settings.most_pivot


def test_motions_begin_and_end_standing_on_both_feet(graph: StepGraph) -> None:
    assert graph.begins.any()
    assert graph.ends.any()
    assert (graph.steps.foot[graph.begins] == BOTH).all()
    assert (graph.steps.end_foot[graph.ends] == BOTH).all()


def test_places_of_a_take_follow_its_root(graph: StepGraph) -> None:
    database = graph.field.database
    for clip, (first, end) in zip(
        database.iter_source_clips(), zip(database.clip_starts, database.clip_starts[1:], strict=False), strict=True
    ):
        away = graph.places[first:end, :2] - clip.root_position[:-1, ::2]
        assert np.linalg.norm(away, axis=1).max() < 0.2


@pytest.mark.parametrize("name", ["longest", "branching", "most_jump", "warp_cost"])
def test_settings_refuse_numbers_that_mean_nothing(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        StepSettings(**{name: -1})  # type: ignore[arg-type]
