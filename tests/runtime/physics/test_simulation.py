"""A frame of physics: nothing from nothing, momentum from force, feet that stay, and the same bits in any batch."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.engine import engine
from motionfields.base.geometry import quat_angle, quat_conjugate, quat_identity, quat_multiply
from motionfields.motion.skeleton import forward_kinematics
from motionfields.runtime.physics import BodyModel, JointRanges, Load, SegmentedBody, Simulation, measure_ranges
from motionfields.runtime.physics.body_model import HEIGHT_TIME, ROOT_TIME
from motionfields.runtime.physics.simulation import bounded
from tests.control.training.small import small_field, threads

FRAME_TIME = 1.0 / 30.0
DAMPING_TIMES = np.array([ROOT_TIME, HEIGHT_TIME, ROOT_TIME])
mujoco = engine()


@pytest.fixture(scope="module")
def simulation(body: SegmentedBody, ranges: JointRanges) -> Simulation:
    return Simulation(BodyModel(body, frame_time=FRAME_TIME, ranges=ranges))


@pytest.fixture(scope="module")
def loose(body: SegmentedBody) -> Simulation:
    """Without limits, so that momentum is the force's alone."""
    return Simulation(BodyModel(body, frame_time=FRAME_TIME))


def poses_of(data: FloatArray, count: int) -> tuple[FloatArray, FloatArray]:
    """Roots [n, 3] and rotations [n, joint, 4] of `count` poses of the data."""
    rows = np.linspace(0, len(data) - 1, count).astype(np.int64)
    places = np.random.default_rng(3).normal(size=(count, 3)) + np.array([0.0, 1.0, 0.0])
    return places, data[rows].copy()


def load_on(
    body: SegmentedBody, count: int, joint: str, force: FloatArray, *, seconds: float = 1.0, pinned: bool = False
) -> Load:
    """The same `force` [3] on the centre of mass of one part of all characters."""
    segment = body.segment_of(body.skeleton.index(joint))
    return Load(
        np.full(count, segment),
        np.tile(body.centres[segment], (count, 1)),
        np.tile(force, (count, 1)).astype(np.float64),
        np.full(count, seconds),
        np.full((count, 2), pinned),
    )


def momentum(simulation: Simulation, root_position: FloatArray, pose: FloatArray, velocity: FloatArray) -> FloatArray:
    """The linear momentum [3] of one character, kg m/s."""
    model = simulation.model
    state = mujoco.MjData(model.model)
    turns = model.body.turns(pose[np.newaxis])[0]
    state.qpos[:3] = root_position
    state.qpos[3:] = quat_multiply(quat_conjugate(model.middles), turns).ravel()
    state.qvel[:] = velocity
    mujoco.mj_forward(model.model, state)
    mujoco.mj_subtreeVel(model.model, state)
    return np.asarray(model.body.mass * state.subtree_linvel[1])


@pytest.mark.parametrize(("pinned", "tolerance"), [(False, 1e-12), (True, 1e-9)])
def test_without_force_and_velocity_nothing_moves(
    simulation: Simulation, data: FloatArray, pinned: bool, tolerance: float
) -> None:
    body = simulation.model.body
    root, rotations = poses_of(data, 20)
    velocity = np.zeros((20, simulation.freedom_count))
    places, before = root.copy(), rotations.copy()
    load = load_on(body, 20, "Spine2", np.zeros(3), pinned=pinned)
    simulation.move(root, rotations, velocity, load, shares=np.ones(20))
    np.testing.assert_allclose(root, places, rtol=0.0, atol=tolerance)
    np.testing.assert_allclose(rotations, before, rtol=0.0, atol=tolerance)
    np.testing.assert_allclose(velocity, 0.0, atol=tolerance / FRAME_TIME)


def test_a_share_of_zero_moves_nothing(simulation: Simulation, data: FloatArray) -> None:
    body = simulation.model.body
    root, rotations = poses_of(data, 5)
    velocity = np.zeros((5, simulation.freedom_count))
    places, before = root.copy(), rotations.copy()
    load = load_on(body, 5, "Spine2", np.array([200.0, 0.0, 50.0]))
    simulation.move(root, rotations, velocity, load, shares=np.zeros(5))
    np.testing.assert_array_equal(root, places)
    np.testing.assert_allclose(rotations, before, atol=1e-12)
    assert np.abs(velocity).max() > 0.1


def test_half_a_share_goes_half_the_way(simulation: Simulation, data: FloatArray) -> None:
    body = simulation.model.body
    place, pose = poses_of(data, 1)
    root, rotations = np.repeat(place, 2, axis=0), np.repeat(pose, 2, axis=0)
    velocity = np.zeros((2, simulation.freedom_count))
    load = load_on(body, 2, "Hips", np.array([300.0, 0.0, 0.0]))
    simulation.move(root, rotations, velocity, load, shares=np.array([1.0, 0.5]))
    np.testing.assert_allclose(2.0 * (root[1] - place[0]), root[0] - place[0], atol=1e-12)
    np.testing.assert_array_equal(velocity[0], velocity[1])
    whole, half = quat_angle(rotations, np.repeat(pose, 2, axis=0))
    np.testing.assert_allclose(2.0 * half[0], whole[0], atol=1e-7)


@pytest.mark.parametrize("joint", ["Hips", "Spine2", "LeftHand"])
def test_a_free_body_gets_the_force_times_its_time_less_what_damping_takes(
    loose: Simulation, data: FloatArray, joint: str
) -> None:
    """Damping acts on the root alone, so all in all it takes mass / time times the way of the root."""
    body = loose.model.body
    for force in 10.0 * np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.3, 0.2, 0.9]]):
        root, rotations = poses_of(data, 1)
        start, velocity, frame_count = root[0].copy(), np.zeros((1, loose.freedom_count)), 2
        for _ in range(frame_count):
            loose.move(root, rotations, velocity, load_on(body, 1, joint, force), shares=np.ones(1))
        given = force * frame_count * FRAME_TIME
        taken = body.mass / DAMPING_TIMES * (root[0] - start)
        np.testing.assert_allclose(
            momentum(loose, root[0], rotations[0], velocity[0]), given - taken, atol=0.02 * float(np.linalg.norm(given))
        )


def test_a_force_that_ends_within_the_frame_counts_for_its_time(loose: Simulation, data: FloatArray) -> None:
    body, force = loose.model.body, np.array([60.0, 0.0, 0.0])
    place, pose = poses_of(data, 1)
    seconds = FRAME_TIME * np.array([0.0, 0.25, 0.5, 1.0, 2.0])
    root, rotations = np.repeat(place, 5, axis=0), np.repeat(pose, 5, axis=0)
    velocity = np.zeros((5, loose.freedom_count))
    load = load_on(body, 5, "Hips", force)._replace(seconds=seconds)
    loose.move(root, rotations, velocity, load, shares=np.ones(5))
    np.testing.assert_allclose(root[0], place[0], atol=1e-12)
    np.testing.assert_array_equal(root[3], root[4])  # no frame lasts longer than itself
    np.testing.assert_array_equal(velocity[3], velocity[4])
    got = np.array([momentum(loose, root[i], rotations[i], velocity[i]) for i in range(5)])
    taken = body.mass / DAMPING_TIMES * (root - place)
    np.testing.assert_allclose((got + taken)[1:4, 0], force[0] * seconds[1:4], rtol=0.02)


def test_a_force_off_the_centre_of_mass_turns_the_body(loose: Simulation, data: FloatArray) -> None:
    body = loose.model.body
    root, rotations = np.tile([0.0, 1.0, 0.0], (3, 1)), quat_identity(3, body.skeleton.joint_count)
    velocity = np.zeros((3, loose.freedom_count))
    load = load_on(body, 3, "Hips", np.array([0.0, 0.0, 100.0]))
    load.points[1:, 0] += [0.1, -0.1]
    loose.move(root, rotations, velocity, load, shares=np.ones(3))
    turn = 2.0 * np.arctan2(rotations[:, 0, 2], rotations[:, 0, 0])  # about the vertical
    # A push ahead on the left turns to the right, which is negative about the axis that points up.
    assert turn[1] < -1e-3
    assert turn[2] > 1e-3
    assert abs(turn[0]) < 0.1 * turn[2]


def test_a_pinned_foot_stays_where_it_is_while_the_trunk_is_pushed(simulation: Simulation, data: FloatArray) -> None:
    body = simulation.model.body
    standing = np.flatnonzero(small_field().database.contacts[:, 0])[::60]
    rotations = data[standing].copy()
    count = len(standing)
    root = np.tile([0.0, 1.0, 0.0], (count, 1))
    velocity = np.zeros((count, simulation.freedom_count))
    load = load_on(body, count, "Spine2", np.array([100.0, 0.0, 60.0]))
    load.pinned[:, 0] = True
    ball = body.body.left_leg.toe
    before = forward_kinematics(body.skeleton, root, rotations).positions[:, ball]
    for _ in range(4):
        start = forward_kinematics(body.skeleton, root, rotations).positions[:, ball]
        simulation.move(root, rotations, velocity, load, shares=np.ones(count))
        after = forward_kinematics(body.skeleton, root, rotations).positions[:, ball]
        assert np.linalg.norm(after - start, axis=-1).max() < 1e-4
    assert (root[:, 0] > 0.01).all()
    assert np.linalg.norm(after - before, axis=-1).max() < 4e-4


def test_a_pushed_foot_that_is_free_moves_and_one_that_is_not_goes_with_its_hip(
    simulation: Simulation, data: FloatArray
) -> None:
    """A leg that is neither pinned nor pushed keeps its bearing in the world: it is about to step."""
    body = simulation.model.body
    root, rotations = poses_of(data, 6)
    world = forward_kinematics(body.skeleton, root, rotations)
    velocity = np.zeros((6, simulation.freedom_count))
    load = load_on(body, 6, "LeftFoot", np.array([0.0, 0.0, 60.0]))
    simulation.move(root, rotations, velocity, load, shares=np.ones(6))
    now = forward_kinematics(body.skeleton, root, rotations)
    left, right = body.body.legs
    assert (now.positions[:, left.ankle, 2] - world.positions[:, left.ankle, 2] > 0.005).all()
    chain = [right.hip, right.knee, right.ankle]
    assert quat_angle(now.rotations[:, chain], world.rotations[:, chain]).max() < 1e-6


def test_joints_stay_in_range_under_a_hard_push(simulation: Simulation, data: FloatArray) -> None:
    body, ranges = simulation.model.body, simulation.model.ranges
    assert ranges is not None
    for joint in ("LeftLeg", "RightHand", "Head"):
        root, rotations = poses_of(data, 10)
        velocity = np.zeros((10, simulation.freedom_count))
        for _ in range(10):
            load = load_on(body, 10, joint, np.array([0.0, 100.0, 400.0]))
            simulation.move(root, rotations, velocity, load, shares=np.ones(10))
            assert ranges.excess(body.turns(rotations))[:, 1:].max() < 1e-6, joint
        assert np.isfinite(velocity).all()


def pushed_run(simulation: Simulation, data: FloatArray, chosen: list[int]) -> list[FloatArray]:
    """Root, rotations and velocity of some of 9 characters, each with a push of its own, after four frames."""
    body = simulation.model.body
    root, rotations = (track[chosen] for track in poses_of(data, 9))
    rng = np.random.default_rng(11)
    forces, segments = rng.normal(0.0, 200.0, (9, 3)), rng.integers(0, len(body.joints), 9)
    pinned, seconds = rng.random((9, 2)) < 0.5, rng.uniform(0.0, 2.0 * FRAME_TIME, 9)
    load = Load(segments, body.centres[segments], forces, seconds, pinned).of(np.array(chosen), pinned[chosen])
    velocity = np.zeros((len(chosen), simulation.freedom_count))
    for _ in range(4):
        simulation.move(root, rotations, velocity, load, shares=np.linspace(0.2, 1.0, 9)[chosen])
    return [root, rotations, velocity]


def test_what_happens_to_one_does_not_depend_on_the_others(simulation: Simulation, data: FloatArray) -> None:
    together = pushed_run(simulation, data, list(range(9)))
    for chosen in ([0], [8, 2, 5], [6, 6]):
        for track, whole in zip(pushed_run(simulation, data, chosen), together, strict=True):
            np.testing.assert_array_equal(track, whole[chosen])


def test_any_number_of_threads_gives_the_same_bits(body: SegmentedBody, data: FloatArray) -> None:
    runs = []
    for count in (1, 2):
        with threads(count):
            model = BodyModel(body, frame_time=FRAME_TIME, ranges=measure_ranges(body, data))
            runs.append(pushed_run(Simulation(model), data, list(range(9))))
    for one, other in zip(*runs, strict=True):
        np.testing.assert_array_equal(one, other)


def test_no_body_is_faster_than_bodies_are() -> None:
    fast = [1.0, -99.0, 2.0, 99.0, 0.0, -1.0, 5.0, -99.0]
    lost = [np.nan, np.inf, -np.inf, 0.0, 1.0, 2.0, 3.0, 4.0]
    kept = bounded(np.array([fast, lost]))
    np.testing.assert_array_equal(kept[0], [1.0, -8.0, 2.0, 12.0, 0.0, -1.0, 5.0, -40.0])
    np.testing.assert_array_equal(kept[1], [0.0, 8.0, -8.0, 0.0, 1.0, 2.0, 3.0, 4.0])


def test_a_blow_gives_the_body_its_impulse(simulation: Simulation) -> None:
    mujoco, model = engine(), simulation.model.model
    body = simulation.model.body
    rest = quat_identity(body.skeleton.joint_count)
    world = forward_kinematics(body.skeleton, np.zeros(3), rest)
    for joint in ("Hips", "Spine2", "LeftHand"):
        segment = body.segment_of(body.skeleton.index(joint))
        direction = np.array([0.6, 0.0, 0.8])
        answer = simulation.struck(np.zeros(3), rest, segment, world.positions[body.joints[segment]], direction)
        data = mujoco.MjData(model)
        data.qpos[3:] = quat_conjugate(simulation.model.middles).ravel()
        data.qvel[:] = answer.change
        mujoco.mj_forward(model, data)
        mujoco.mj_subtreeVel(model, data)
        np.testing.assert_allclose(body.mass * data.subtree_linvel[1], direction, atol=1e-9)


def test_a_body_weighs_less_where_it_is_struck_than_all_in_all(simulation: Simulation) -> None:
    body, skeleton = simulation.model.body, simulation.model.body.skeleton
    rest = quat_identity(skeleton.joint_count)
    world = forward_kinematics(skeleton, np.zeros(3), rest)

    def mass(joint: str, direction: FloatArray) -> float:
        number = skeleton.index(joint)
        segment = body.segment_of(number)
        point = world.positions[number] + body.centres[segment]
        return simulation.struck(np.zeros(3), rest, segment, point, direction).mass

    ahead, left = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])
    for joint in skeleton.names:
        if body.owner[skeleton.index(joint)] == skeleton.index(joint):
            assert 0.0 < mass(joint, ahead) < body.mass, joint
    assert mass("Hips", ahead) > body.segments[0].mass
    assert mass("LeftHand", ahead) < mass("Spine2", ahead)
    assert mass("Spine2", ahead) == pytest.approx(mass("Spine2", -ahead))
    for part in ("Arm", "Hand", "UpLeg", "Foot"):
        assert mass(f"Left{part}", ahead) == pytest.approx(mass(f"Right{part}", ahead), rel=1e-6)
        assert mass(f"Left{part}", left) == pytest.approx(mass(f"Right{part}", -left), rel=1e-6)
