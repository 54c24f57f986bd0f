"""The engine's body: it stands as the skeleton does, weighs what tables say, and is held by its ranges."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.engine import engine
from motionfields.base.errors import MissingExtraError
from motionfields.base.geometry import quat_conjugate, quat_multiply, quat_normalize, quat_rotate
from motionfields.motion.formats import load_clip
from motionfields.motion.skeleton import Skeleton, forward_kinematics
from motionfields.runtime.physics import BodyModel, JointRanges, SegmentedBody, measure_ranges
from motionfields.runtime.physics.body_model import ARMATURE, HEIGHT_TIME, JOINT_TIME, LONGEST_STEP, ROOT_TIME
from motionfields.runtime.physics.segments import LIMBS, mean_rotations

FRAME_TIME = 1.0 / 30.0
mujoco = engine()


@pytest.fixture(scope="module")
def model(body: SegmentedBody, ranges: JointRanges) -> BodyModel:
    return BodyModel(body, frame_time=FRAME_TIME, ranges=ranges)


def reference_poses(body: SegmentedBody, data: FloatArray, count: int, rng: np.random.Generator) -> FloatArray:
    """Poses [n, joint, 4] turned any way, but for the rigid joints, which are as they are on average."""
    poses = np.tile(mean_rotations(data), (count, 1, 1))
    poses[:, body.joints] = quat_normalize(rng.normal(size=(count, len(body.joints), 4)))
    return poses


def posed(model: BodyModel, root_position: FloatArray, pose: FloatArray) -> Any:
    """The engine's data with its body in the pose `root_position` [3], `pose` [joint, 4]."""
    state = mujoco.MjData(model.model)
    state.qpos[:3] = root_position
    turns = model.body.turns(pose[np.newaxis])[0]
    state.qpos[3:] = quat_multiply(quat_conjugate(model.middles), turns).ravel()
    mujoco.mj_forward(model.model, state)
    return state


def assert_stands_alike(model: BodyModel, data: FloatArray, rng: np.random.Generator) -> None:
    body = model.body
    for pose in reference_poses(body, data, 10, rng):
        place = rng.normal(size=3)
        state, world = posed(model, place, pose), forward_kinematics(body.skeleton, place, pose)
        count = len(body.joints)
        np.testing.assert_allclose(state.xpos[1 : count + 1], world.positions[body.joints], atol=1e-9)
        centres = world.positions[body.joints] + quat_rotate(world.rotations[body.joints], body.centres)
        np.testing.assert_allclose(state.xipos[1 : count + 1], centres, atol=1e-9)


def test_the_engine_puts_joints_and_centres_of_mass_where_forward_kinematics_does(
    body: SegmentedBody, ranges: JointRanges, data: FloatArray, rng: np.random.Generator
) -> None:
    for limits in (None, ranges):
        assert_stands_alike(BodyModel(body, frame_time=FRAME_TIME, ranges=limits), data, rng)


def test_so_it_does_for_a_skeleton_without_arms(biped: Skeleton, rng: np.random.Generator) -> None:
    data = quat_normalize(rng.normal(size=(8, biped.joint_count, 4)))
    body = SegmentedBody(biped, rotations=data)
    assert_stands_alike(BodyModel(body, frame_time=FRAME_TIME, ranges=measure_ranges(body, data)), data, rng)


def test_so_it_does_for_a_captured_skeleton(locomotion: list[Path], rng: np.random.Generator) -> None:
    clip = load_clip(locomotion[0])
    body = SegmentedBody(clip.skeleton, rotations=clip.rotations[::40])
    model = BodyModel(body, frame_time=FRAME_TIME, ranges=measure_ranges(body, clip.rotations[::40]))
    assert_stands_alike(model, clip.rotations[::40], rng)


def test_masses_and_inertias_are_those_of_the_tables(model: BodyModel) -> None:
    compiled, body = model.model, model.body
    for number, segment in enumerate(body.segments, start=1):
        assert compiled.body_mass[number] == pytest.approx(segment.mass)
        np.testing.assert_allclose(compiled.body_ipos[number], segment.centre, atol=1e-9)
        if segment.part in LIMBS:
            bone = segment.end - segment.start
            table, length = LIMBS[segment.part], float(np.linalg.norm(bone))
            across, along = (segment.mass * (share * length) ** 2 for share in (table.across, table.along))
            np.testing.assert_allclose(compiled.body_inertia[number], [across, across, along], rtol=1e-9)
            axis = quat_rotate(compiled.body_iquat[number], np.array([0.0, 0.0, 1.0]))
            np.testing.assert_allclose(np.cross(axis, bone / length), 0.0, atol=1e-9)
    assert compiled.body_mass.sum() == pytest.approx(body.mass)


def test_the_thigh_worked_out_by_hand(model: BodyModel) -> None:
    thigh = model.body.segment_of(model.body.skeleton.index("LeftUpLeg")) + 1
    mass = 0.1416 * model.body.mass
    assert model.model.body_mass[thigh] == pytest.approx(mass, rel=1e-3)
    np.testing.assert_allclose(model.model.body_ipos[thigh], [0.0, -0.4095 * 0.42, 0.0], atol=1e-9)
    assert model.model.body_inertia[thigh].max() == pytest.approx(mass * (0.329 * 0.42) ** 2, rel=1e-3)


def test_every_joint_but_the_root_is_limited_to_its_reach(model: BodyModel, ranges: JointRanges) -> None:
    compiled = model.model
    assert compiled.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE
    assert not compiled.jnt_limited[0]
    assert (compiled.jnt_type[1:] == mujoco.mjtJoint.mjJNT_BALL).all()
    assert compiled.jnt_limited[1:].all()
    np.testing.assert_allclose(compiled.jnt_range[1:, 1], ranges.reach[1:], rtol=1e-9)
    np.testing.assert_array_equal(compiled.jnt_range[1:, 0], 0.0)


def test_without_ranges_nothing_is_limited(body: SegmentedBody) -> None:
    assert not BodyModel(body, frame_time=FRAME_TIME).model.jnt_limited.any()


def test_a_pose_of_the_data_meets_no_limit_and_one_far_out_does(
    model: BodyModel, ranges: JointRanges, data: FloatArray
) -> None:
    body = model.body
    for pose in data[::100]:
        assert posed(model, np.zeros(3), pose).nefc == 0
    pose = data[0].copy()
    knee = body.segment_of(body.skeleton.index("LeftLeg"))
    turns = body.turns(pose[np.newaxis])
    turns[0, knee] = quat_multiply(
        np.array([np.cos(-0.75), *(np.sin(-0.75) * ranges.axes[knee, 0])]), ranges.neutral[knee]
    )  # bent back by 86 degrees
    assert posed(model, np.zeros(3), body.rotations(turns, pose[np.newaxis])[0]).nefc > 0


def test_damping_takes_the_speed_of_each_joint_in_its_own_time(model: BodyModel) -> None:
    compiled = model.model
    state = mujoco.MjData(compiled)
    mujoco.mj_forward(compiled, state)
    inertia = np.zeros((compiled.nv, compiled.nv))
    for freedom, unit in enumerate(np.eye(compiled.nv)):
        mujoco.mj_mulM(compiled, state, inertia[freedom], unit)
    times = np.diag(inertia) / compiled.dof_damping
    np.testing.assert_allclose(times[[0, 2, 3, 4, 5]], ROOT_TIME)
    np.testing.assert_allclose(times[1], HEIGHT_TIME)
    np.testing.assert_allclose(times[6:], JOINT_TIME)
    np.testing.assert_allclose(compiled.dof_damping[[0, 2]], model.body.mass / ROOT_TIME)
    np.testing.assert_array_equal(compiled.dof_armature[6:], ARMATURE)


def test_there_is_no_gravity_no_contact_and_no_pin_by_itself(model: BodyModel, data: FloatArray) -> None:
    state = posed(model, np.array([0.0, 1.0, 0.0]), data[0])
    before = state.qpos.copy()
    for _ in range(100):
        mujoco.mj_step(model.model, state)
    np.testing.assert_allclose(state.qpos, before, atol=1e-12)
    assert not model.model.eq_active0.any()


@pytest.mark.parametrize("rate", [24.0, 30.0, 60.0, 120.0, 1000.0])
def test_steps_of_the_engine_fill_a_frame(body: SegmentedBody, rate: float) -> None:
    model = BodyModel(body, frame_time=1.0 / rate)
    assert model.step_count >= 1
    assert model.model.opt.timestep * model.step_count == pytest.approx(1.0 / rate)
    assert model.model.opt.timestep <= LONGEST_STEP * (1.0 + 1e-9)


def test_without_the_engine_the_error_names_the_extra(body: SegmentedBody, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(MissingExtraError, match=r"mujoco: pip install \"motionfields\[physics\]\""):
        BodyModel(body, frame_time=FRAME_TIME)
