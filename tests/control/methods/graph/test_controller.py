from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionfields.base.artifacts import read_artifact, write_artifact
from motionfields.base.errors import ArtifactError
from motionfields.base.geometry import angle_difference, wrap_angle
from motionfields.control.methods.graph import GraphController, GraphSettings, GraphState, train_graph
from motionfields.control.tasks import Direction, Velocity
from motionfields.field import MotionField
from motionfields.measure.testing import check_controller
from motionfields.motion.skeleton import forward_kinematics
from tests.control.training.small import observed


def test_it_decides_only_where_a_clip_ends(controller: GraphController) -> None:
    """Whatever the user says meanwhile."""
    rng = np.random.default_rng(3)
    crowd = controller.crowd(20, seed=1)
    crowd.step(0.0)
    changes = 0
    for _ in range(60):
        before = GraphState(*crowd.controller_state)
        row = crowd.followers.state.copy()
        crowd.step(rng.uniform(-3.0, 3.0, 20))
        after = GraphState(*crowd.controller_state)
        ended = row == controller.clips.end[before.clip]
        np.testing.assert_array_equal(after.clip[~ended], before.clip[~ended])
        np.testing.assert_array_equal(crowd.followers.state[~ended], row[~ended] + 1)
        started = controller.clips.start[after.clip]
        np.testing.assert_array_equal(crowd.followers.state[ended], started[ended] + 1)
        changes += int(ended.sum())
    assert 30 < changes < 200


def test_it_turns_where_it_is_told(controller: GraphController) -> None:
    crowd = controller.crowd(30, seed=0)
    for _ in range(60):
        crowd.step(0.0)
    for _ in range(90):
        crowd.step(1.5)
    assert np.abs(angle_difference(crowd.ground.facing, 1.5)).max() < np.radians(20.0)


def test_warps_stay_within_the_first_half_and_their_bounds(controller: GraphController) -> None:
    crowd = controller.crowd(20, seed=2)
    warped = 0
    for number in range(90):
        steps, controller_state = controller.decide(
            observed(controller, crowd.followers, crowd.controller_state, crowd.params(2.0 * np.sin(number // 30)))
        )
        known = GraphState(*controller_state)
        frame = steps.states[:, 0] - controller.clips.start[known.clip]
        assert (frame[steps.variant == 1] < controller.clips.half[known.clip][steps.variant == 1]).all()
        assert not steps.spin[steps.variant == 0].any()
        assert (np.abs(known.turn) <= np.radians(45.0) + 1e-12).all()
        warped += int(steps.variant.sum())
        crowd.step(2.0 * np.sin(number // 30))
    assert warped > 20


def test_a_planted_foot_stays_where_clips_meet(controller: GraphController) -> None:
    """What is followed, without what is still being shown, has the foot in the same place before and after."""
    clips = controller.clips
    body = controller._joints
    crowd = controller.crowd(20, seed=4, plant=False)
    checked = 0
    for number in range(40):
        followers = crowd.followers
        steps, controller_state = controller.decide(
            observed(controller, followers, crowd.controller_state, crowd.params(float(number // 20)))
        )
        due = np.flatnonzero(steps.states[:, 0] != followers.state)
        if steps.pivot is not None and len(due):
            foot = clips.foot[GraphState(*controller_state).clip[due]]
            places = []
            for rows, where, yaw in (
                (followers.state[due], followers.position[due], followers.yaw[due]),
                (
                    steps.states[:, 0][due],
                    followers.position[due] + steps.pivot.shift[due],
                    followers.yaw[due] + steps.pivot.turn[due],
                ),
            ):
                x, z = body.foot_place[rows, foot].T
                sine, cosine = np.sin(yaw), np.cos(yaw)
                places.append(where + np.stack([cosine * x + sine * z, cosine * z - sine * x], axis=-1))
            np.testing.assert_allclose(places[0], places[1], atol=1e-6)
            checked += len(due)
        crowd.step(float(number // 20))
    assert checked > 10


def test_what_is_shown_does_not_jump_where_clips_meet(controller: GraphController) -> None:
    crowd = controller.crowd(10, seed=5, plant=False)
    skeleton = controller.field.database.skeleton
    places = []
    for number in range(90):
        frame = crowd.step(1.0 * (number // 30))
        places.append(forward_kinematics(skeleton, frame.root_position, frame.rotations).positions)
    speeds = np.linalg.norm(np.diff(places, axis=0), axis=-1) / controller.field.database.frame_time
    assert speeds.max() < 8.0  # m/s; a jump of a hand's breadth in one frame would be 3 more
    accelerations = np.abs(np.diff(speeds, axis=0)) / controller.field.database.frame_time
    assert np.percentile(accelerations, 99.9) < 60.0


def test_a_saved_controller_decides_the_same(controller: GraphController, tmp_path: Path) -> None:
    controller.save(tmp_path / "graph.ctrl")
    loaded = GraphController.load(tmp_path / "graph.ctrl")
    assert (loaded.settings, loaded.task, loaded.sweeps) == (controller.settings, controller.task, controller.sweeps)
    crowds = [one.crowd(5, seed=1) for one in (controller, loaded)]
    for number in range(60):
        frames = [crowd.step(float(number // 20)) for crowd in crowds]
        np.testing.assert_array_equal(frames[0].rotations, frames[1].rotations)


def test_files_that_make_no_sense_are_refused(controller: GraphController, tmp_path: Path) -> None:
    controller.save(tmp_path / "graph.ctrl")
    artifact = read_artifact(tmp_path / "graph.ctrl", kind="graph", newest_version=GraphController.version)
    arrays, facts = dict(artifact.arrays), dict(artifact.facts)
    broken = {
        "short": ({**arrays, "values": arrays["values"][:-1]}, facts),
        "nan": ({**arrays, "outlooks": np.full_like(arrays["outlooks"], np.nan)}, facts),
        "settings": (arrays, {**facts, "settings": {"jump_cost": -1.0}}),
        "task": (arrays, {name: fact for name, fact in facts.items() if name != "task"}),
    }
    for name, (tracks, told) in broken.items():
        path = tmp_path / f"{name}.ctrl"
        write_artifact(path, kind="graph", version=GraphController.version, arrays=tracks, facts=told)
        with pytest.raises(ArtifactError, match=r"invalid controller|array"):
            GraphController.load(path)


def test_only_tasks_that_ask_for_a_speed_may_stand(field: MotionField) -> None:
    assert not train_graph(field, Direction()).settings.standing
    assert train_graph(field, Velocity(), tolerance=0.1).settings.standing


def test_motion_without_steps_is_refused(field: MotionField) -> None:
    standing = replace(field.database, contacts=np.ones_like(field.database.contacts))
    with pytest.raises(ValueError, match="expected walking motion"):
        train_graph(MotionField(standing, connectivity=field.connectivity), Direction())


@pytest.mark.parametrize(
    "wrong", [{"jump_cost": -1.0}, {"half_life": 0.0}, {"discount": 1.0}, {"turn_count": -1}, {"most_stretch": 1.0}]
)
def test_settings_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        GraphSettings(**wrong)  # type: ignore[arg-type]


def test_agility_makes_jumps_and_warps_cheaper() -> None:
    quick, slow = GraphSettings().agile(1.0), GraphSettings().agile(0.0)
    assert quick.jump_cost < GraphSettings().jump_cost < slow.jump_cost
    assert quick.turn_cost < GraphSettings().turn_cost < slow.turn_cost
    with pytest.raises(ValueError, match="agility"):
        GraphSettings().agile(1.5)


def test_choosing_ahead_hears_a_goal_later(field: MotionField, controller: GraphController) -> None:
    """Half a clip before its end the next one is fixed, by where the character will be then."""
    early = replace(controller, settings=replace(controller.settings, ahead=0.5))
    check_controller(early)
    crowd = early.crowd(20, seed=1)
    crowd.step(0.0)
    fixed = 0
    for number in range(60):
        before = GraphState(*crowd.controller_state)
        row = crowd.followers.state.copy()
        crowd.step(2.0 * (number % 3))
        after = GraphState(*crowd.controller_state)
        chosen = (before.next_clip >= 0) & (row < early.clips.end[before.clip])
        np.testing.assert_array_equal(after.next_clip[chosen], before.next_clip[chosen])
        fixed += int(chosen.sum())
    assert fixed > 300
    ahead = early._player.go_on(early.clips.start[:5], early.clips.end[:5], np.zeros((5, 1)))
    np.testing.assert_allclose(ahead[:, 0], wrap_angle(-early._player.turns[:5]), atol=1e-9)
