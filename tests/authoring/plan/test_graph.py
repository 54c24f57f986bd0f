"""The step graph as an artifact."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionfields.authoring.plan import StepGraph, state_effort
from motionfields.authoring.plan.lattice import COST_UNIT
from motionfields.base.errors import ArtifactError
from motionfields.field import MotionField


def test_a_graph_comes_back_from_its_file(graph: StepGraph, tmp_path: Path) -> None:
    graph.save(tmp_path / "walk.steps")
    found = StepGraph.load(tmp_path / "walk.steps")
    assert found.settings == graph.settings
    for one, other in (
        (found.steps, graph.steps),
        (found.links, graph.links),
        (found.tables, graph.tables),
        (found.back_tables, graph.back_tables),
        (found.moves, graph.moves),
    ):
        for mine, theirs in zip(one, other, strict=True):
            np.testing.assert_array_equal(mine, theirs)


def test_a_file_of_another_kind_is_refused(graph: StepGraph, tmp_path: Path) -> None:
    graph.field.save(tmp_path / "walk.field")
    with pytest.raises(ArtifactError, match="expected a steps, got a field"):
        StepGraph.load(tmp_path / "walk.field")
    graph.save(tmp_path / "walk.steps")
    with pytest.raises(ArtifactError, match="expected a field, got a steps"):
        MotionField.load(tmp_path / "walk.steps")


def test_links_and_steps_out_of_range_are_refused(graph: StepGraph) -> None:
    target = graph.links.target.copy()
    target[0] = graph.step_count
    with pytest.raises(ValueError, match="target"):
        replace(graph, links=graph.links._replace(target=target))
    with pytest.raises(ValueError, match="order"):
        replace(graph, links=graph.links._replace(source=graph.links.source[::-1].copy()))
    with pytest.raises(ValueError, match="each within a take"):
        replace(graph, steps=graph.steps._replace(end=graph.steps.start))
    with pytest.raises(ValueError, match="places"):
        replace(graph, places=np.full_like(graph.places, np.nan))
    with pytest.raises(ValueError, match="straight"):
        replace(graph, tables=graph.tables._replace(straight=graph.tables.straight[:3]))


def test_effort_adds_to_the_cost_of_steps_and_comes_back_from_the_file(tiny: StepGraph, tmp_path: Path) -> None:
    settings = replace(tiny.settings, effort_cost=0.1)
    with pytest.raises(ValueError, match="state_effort"):
        StepGraph.build(tiny.field, settings=settings)
    effort = state_effort(tiny.field)
    assert effort.shape == (tiny.field.database.state_count,)
    assert (effort > 0.0).all()
    field = MotionField(tiny.field.database.with_column("effort", effort))
    found = StepGraph.build(field, settings=settings)
    np.testing.assert_array_equal(found.steps.start, tiny.steps.start)
    time = field.database.frame_time
    added = [0.1 * time * effort[a:b].sum() for a, b in zip(found.steps.start, found.steps.end, strict=True)]
    target = found.moves.target
    extra = np.array([*added, 0.0, 0.0])[target]
    np.testing.assert_allclose((found.moves.cost - tiny.moves.cost) / COST_UNIT, extra, atol=2.0 / COST_UNIT)
    found.save(tmp_path / "effort.steps")
    np.testing.assert_array_equal(StepGraph.load(tmp_path / "effort.steps").moves.cost, found.moves.cost)
    bad = MotionField(field.database.with_column("effort", np.full(len(effort), -1.0)))
    with pytest.raises(ValueError, match="effort"):
        replace(found, field=bad)


def test_start_and_end_join_the_steps_that_may_begin_and_end(graph: StepGraph) -> None:
    moves = graph.moves
    starts = moves.target[moves.first[graph.start_node] : moves.first[graph.start_node + 1]]
    np.testing.assert_array_equal(starts, np.flatnonzero(graph.begins))
    np.testing.assert_array_equal(moves.source[moves.target == graph.end_node], np.flatnonzero(graph.ends))
    assert moves.first[graph.end_node] == moves.first[graph.end_node + 1]
    assert not (moves.target == graph.start_node).any()


def test_steps_can_be_found_by_take_and_time(graph: StepGraph) -> None:
    database, step = graph.field.database, int(np.flatnonzero(graph.ends)[0])
    clip = database.clip_of[graph.steps.end[step]]
    seconds = float(graph.steps.end[step] - database.clip_starts[clip]) * database.frame_time
    assert graph.step_near(database.clip_names[clip], seconds, end=True) == step
    with pytest.raises(ValueError, match="no take"):
        graph.step_near("nothing", 0.0, end=True)
