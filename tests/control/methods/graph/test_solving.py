from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.control.grids import grid_points
from motionfields.control.methods.graph import GraphSettings
from motionfields.control.methods.graph.cutting import cut_steps
from motionfields.control.methods.graph.links import Joints
from motionfields.control.methods.graph.rollouts import Player, bell
from motionfields.control.methods.graph.solving import PIVOT_STEP, solve_graph
from motionfields.control.root_motion import measure_root_motion
from motionfields.control.tasks import Direction, Line, Motion, Task
from motionfields.field import MotionField
from tests.control.training.small import plain_grid_value


def player_of(field: MotionField, task: Task, settings: GraphSettings) -> Player:
    database = field.database
    return Player(task.adapted(database), measure_root_motion(database), cut_steps(database), settings, database)


def plain_play(player: Player, field: MotionField, clip: int, turn: float, stretch: float, params: FloatArray) -> float:
    """Reward of one clip, frame by frame; `params` is moved along in place."""
    root_motion, clips, use = measure_root_motion(field.database), player.clips, player.settings
    start, length = int(clips.start[clip]), int(clips.length[clip])
    half = int(clips.half[clip])
    total = -use.turn_cost * (turn / (half * root_motion.frame_time)) ** 2 - use.stretch_cost * abs(stretch - 1.0)
    for frame in range(length):
        row, warped = start + frame, frame < half
        share = float(bell(frame, np.array(half))) if warped else 0.0
        velocity = root_motion.velocity[row] * (stretch if warped else 1.0)
        motion = Motion(root_motion.turn[row, 0] + turn * share, velocity, root_motion.frame_time)
        total += use.discount**frame * (float(player.task.reward(params, motion)) - float(player._roughness[row]))
        params[:] = player.task.advance(params, motion)
    return total


@pytest.mark.parametrize("half", [1, 2, 3, 9, 20])
def test_a_warp_is_spread_over_its_half_and_is_whole(half: int) -> None:
    shares = bell(np.arange(half), np.array(half))
    assert shares.sum() == pytest.approx(1.0)
    assert (shares > 0.0).all()


@pytest.mark.parametrize("task", [Direction(), Line()])
def test_played_clips_are_those_played_frame_by_frame(field: MotionField, task: Task, rng: np.random.Generator) -> None:
    player = player_of(field, task, GraphSettings())
    clips = rng.integers(0, len(player.clips.start), 20)
    params = grid_points(player.task.axes)[rng.integers(0, len(grid_points(player.task.axes)), 20)]
    turns, stretches = rng.uniform(-0.7, 0.7, 20), rng.choice([0.85, 1.0, 1.15], 20)
    played = player.play(clips, turns, stretches, params)
    for i in range(20):
        after = params[i].copy()
        reward = plain_play(player, field, int(clips[i]), turns[i], stretches[i], after)
        assert played.reward[i] == pytest.approx(reward)
        np.testing.assert_allclose(played.params[i], after, atol=1e-9)


def test_one_of_the_warps_just_reaches_the_goal_if_it_can(field: MotionField) -> None:
    player = player_of(field, Direction(), GraphSettings())
    clips = np.arange(len(player.clips.start))
    params = (player.turns + 0.3)[:, np.newaxis]
    turns, stretches = player.warps(clips, params)
    assert turns.shape == stretches.shape == (len(clips), player.warp_count)
    aimed = np.abs(turns - 0.3).argmin(axis=1)
    own = np.arange(len(clips))
    played = player.play(clips, turns[own, aimed], np.ones(len(clips)), params)
    np.testing.assert_allclose(played.params[:, 0], 0.0, atol=1e-9)
    assert np.abs(turns).max() <= np.radians(45.0) + 1e-12


def test_values_satisfy_the_equation_of_value_iteration(field: MotionField) -> None:
    """For a few clips and nodes, by plain loops over all next clips and warps."""
    use = GraphSettings(turn_count=1, most_stretch=0.0)
    player = player_of(field, Direction(), use)
    root_motion, clips = measure_root_motion(field.database), player.clips
    joints = Joints.of(field.database, root_motion, half_life=use.half_life)
    links = joints.links(clips.end, clips.end_foot, clips)
    solution = solve_graph(player, links, tolerance=1e-4)
    assert solution.residual <= 1e-4
    nodes = player.task.axes[0].nodes
    changes = []
    for clip, node in ((0, 18), (3, 25), (11, 2)):
        best = -np.inf
        for following in np.flatnonzero(clips.follows()[clip]):
            turned = PIVOT_STEP * np.round(links.turns[clip, following] / PIVOT_STEP)
            asked = np.array([np.angle(np.exp(1j * (nodes[node] - turned)))])
            worth = plain_grid_value(solution.start_values[following], player.task, asked)
            best = max(best, worth - use.jump_cost * float(links.costs[clip, following]))
        changes.append(best - solution.values[clip, node])
    assert np.ptp(changes) < 2e-3
    for clip, node in ((2, 18), (5, 30)):
        turns, _ = player.warps(np.array([clip]), nodes[node : node + 1, np.newaxis])
        worths = []
        length = int(clips.length[clip])
        same = (1.0 - use.goal_change) ** length
        for turn in turns[0]:
            after = nodes[node : node + 1].copy()
            reward = plain_play(player, field, clip, float(turn), 1.0, after)
            value = plain_grid_value(solution.values[clip], player.task, after)
            mean = float(solution.values[clip].mean(dtype=np.float64))
            worths.append(reward + use.discount**length * (same * value + (1.0 - same) * mean))
        assert solution.start_values[clip, node] == pytest.approx(max(worths), abs=1e-3)


def test_the_residual_is_half_the_spread_of_the_changes(field: MotionField) -> None:
    player = player_of(field, Direction(), GraphSettings())
    joints = Joints.of(field.database, measure_root_motion(field.database), half_life=player.settings.half_life)
    links = joints.links(player.clips.end, player.clips.end_foot, player.clips)
    solution = solve_graph(player, links, tolerance=1e9)
    assert solution.sweeps == 1
    assert solution.residual == pytest.approx(0.5 * float(np.ptp(solution.values)))
