"""One frame of physics for many characters at once, on the engine's threads: D of Lee et al. 2010, eq. 15."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.compiled import kernel
from motionfields.base.engine import engine
from motionfields.base.geometry import quat_conjugate, quat_multiply
from motionfields.base.geometry.vectors import (
    add,
    conjugate,
    cross,
    exponential,
    logarithm,
    multiply,
    normalized,
    put,
    quat_of,
    rotate,
    scale,
    subtract,
    vector_of,
)
from motionfields.base.parallel import check_process
from motionfields.runtime.physics.body_model import BodyModel
from motionfields.runtime.physics.ranges import JointRanges, endless_ranges, keep_in_range
from motionfields.runtime.physics.segments import read_turns, write_turns

MOST_ROOT_SPEED = 8.0  # m/s along each axis
MOST_ROOT_TURN = 12.0  # rad/s about each axis
MOST_JOINT_SPEED = 40.0  # rad/s about each axis


class Load(NamedTuple):
    """The forces and foot pins that act on each character during a frame."""

    segments: IntArray  # [n], the segment of the body that is pushed
    points: FloatArray  # [n, 3], point of application, in the frame of that segment's joint, metres
    forces: FloatArray  # [n, 3], newtons, in the world
    seconds: FloatArray  # [n], seconds that the force acts, from the start of the frame
    pinned: BoolArray  # [n, 2], whether the left and the right foot are pinned to the ground

    def of(self, characters: IntArray, pinned: BoolArray) -> Load:
        """Return the load on some `characters` [m], with their feet `pinned` [m, 2]."""
        return Load(
            self.segments[characters],
            self.points[characters],
            self.forces[characters],
            self.seconds[characters],
            pinned,
        )


class Struck(NamedTuple):
    """The response of a body to an impulse."""

    mass: float  # kg, effective mass at the point and in the direction of the impulse
    change: FloatArray  # [freedom], change of velocity in the engine's coordinates for an impulse of 1 N s


class Shape(NamedTuple):
    """The body's properties that the compiled loops read."""

    paths: IntArray  # [segment, depth]
    parents: IntArray  # [segment]
    places: FloatArray  # [segment, 3], position of each segment's joint in the frame of the parent segment
    middles: FloatArray  # [segment, 4], rotations at which the engine's joints are at zero
    masses: FloatArray  # [segment, 3], centres of mass
    legs: IntArray  # [2, 3], the segments of thigh, shank and foot
    balls: FloatArray  # [2, 3], balls of the feet, in the frames of the ankles


class Simulation:
    """The physics engine, run one frame at a time; the result for a character does not depend on its batch."""

    def __init__(self, model: BodyModel) -> None:
        from numba import get_num_threads

        mujoco, rollout = engine(), engine("mujoco.rollout")
        self.model = model
        body = model.body
        self.shape = Shape(
            body.paths,
            body.parents,
            np.ascontiguousarray(body.places[body.joints]),
            np.ascontiguousarray(model.middles),
            body.centres,
            np.array([[body.segment_of(joint) for joint in (leg.hip, leg.knee, leg.ankle)] for leg in body.body.legs]),
            body.balls,
        )
        kinds = mujoco.mjtState
        inputs = (kinds.mjSTATE_XFRC_APPLIED, kinds.mjSTATE_EQ_ACTIVE, kinds.mjSTATE_MOCAP_POS)
        self._spec = sum(int(kind.value) for kind in inputs)
        self._input_count = mujoco.mj_stateSize(model.model, self._spec)
        self._state_count = mujoco.mj_stateSize(model.model, kinds.mjSTATE_FULLPHYSICS.value)
        thread_count = get_num_threads()
        self._data = [mujoco.MjData(model.model) for _ in range(thread_count)]
        self._alone: Any = rollout.Rollout(nthread=0)  # for one character, because waking threads would only cost time
        self._pool: Any = rollout.Rollout(nthread=thread_count) if thread_count > 1 else self._alone

    @property
    def freedom_count(self) -> int:
        """Number of degrees of freedom: the length of a velocity."""
        return int(self.model.model.nv)

    def move(
        self,
        root_position: FloatArray,
        rotations: FloatArray,
        velocity: FloatArray,
        load: Load,
        *,
        shares: FloatArray,
    ) -> None:
        """Move the poses `root_position` [n, 3], `rotations` [n, joint, 4] by one frame of physics, in place.

        `velocity` [n, freedom] is the velocity that earlier pushes left, in the engine's coordinates; it is updated in
        place. The engine does not simulate the characters' own motion: without velocity and force nothing moves. Poses
        move by the share `shares` [n], from 0 to 1, of the simulated displacement, and no joint leaves its range.
        """
        model, count = self.model, len(root_position)
        ranges = model.ranges or endless_ranges(len(model.body.joints))
        state = np.zeros((count, self._state_count))
        turns = np.empty((count, len(model.body.joints), 4))
        control = np.zeros((count, model.step_count, self._input_count))
        timestep = float(model.model.opt.timestep)
        _prepare(self.shape, root_position, rotations, velocity, load, timestep, turns, state, control)
        last = self.run_engine(state, control)
        velocity[:] = bounded(last[:, 1 + model.model.nq :])
        # Within a frame the engine may exceed the bounds of speed, for example where joints are forced out of range.
        furthest = MOST_ROOT_SPEED * model.frame_time
        last[:, 1:4] = state[:, 1:4] + np.clip(last[:, 1:4] - state[:, 1:4], -furthest, furthest)
        # A simulation that diverged is discarded: the character keeps its pose.
        lost = ~np.isfinite(last).all(axis=1)
        last[lost] = state[lost]
        _displace(self.shape, ranges, load, shares, turns, last[:, 1:], root_position, rotations)

    def run_engine(self, state: FloatArray, control: FloatArray) -> FloatArray:
        """Return the engine states [n, ...] at the end of a frame from `state` [n, ...] and `control` [n, step, ...].

        The engine's state is time, positions and velocities. Its control is wrenches, active pins and their positions.
        """
        count, step_count = control.shape[:2]
        after, sensors = np.empty((count, step_count, self._state_count)), np.empty((count, step_count, 0))
        pool = self._alone if count == 1 else self._pool
        if pool is not self._alone:
            check_process()
        pool.rollout(
            [self.model.model] * count,
            self._data if pool is self._pool else self._data[:1],
            state,
            control,
            control_spec=self._spec,
            skip_checks=True,
            nstep=step_count,
            state=after,
            sensordata=sensors,
        )
        return after[:, -1]

    def struck(
        self, root_position: FloatArray, rotations: FloatArray, segment: int, point: FloatArray, direction: FloatArray
    ) -> Struck:
        """Return the response to an impulse at `point` [3] of `segment` along the unit `direction` [3], in the world.

        The body is in the pose `root_position` [3], `rotations` [joint, 4], with all joints loose and its feet free.
        """
        mujoco, model = engine(), self.model.model
        data = mujoco.MjData(model)
        turns = self.model.body.turns(rotations[np.newaxis])[0]
        data.qpos[:3] = root_position
        data.qpos[3:] = quat_multiply(quat_conjugate(self.model.middles), turns).ravel()
        mujoco.mj_forward(model, data)
        jacobian, response = np.zeros((3, model.nv)), np.zeros((1, model.nv))
        mujoco.mj_jac(model, data, jacobian, None, np.asarray(point, dtype=np.float64), segment + 1)
        along = direction @ jacobian
        mujoco.mj_solveM(model, data, response, along[np.newaxis])
        return Struck(float(1.0 / (response[0] @ along)), response[0])


def bounded(velocity: FloatArray) -> FloatArray:
    """Return `velocity` [n, freedom] limited to plausible speeds; values that are not numbers become 0."""
    bounds = np.full(velocity.shape[1], MOST_JOINT_SPEED)
    bounds[:3], bounds[3:6] = MOST_ROOT_SPEED, MOST_ROOT_TURN
    return np.clip(np.nan_to_num(velocity, nan=0.0), -bounds, bounds)


@kernel
def _prepare(
    shape: Shape,
    root_position: FloatArray,
    rotations: FloatArray,
    velocity: FloatArray,
    load: Load,
    timestep: float,
    turns: FloatArray,
    state: FloatArray,
    control: FloatArray,
) -> None:
    """Fill `turns`, the engine's `state` [n, ...] and its input at each step, `control` [n, step, ...].

    A state is time, positions and velocity. An input is a wrench on each body (the world first), the active pins, and
    the positions of the pins.
    """
    segment_count = len(shape.parents)
    wrench_count = 6 * (segment_count + 3)
    for i in range(len(root_position)):
        places, worlds = np.empty((segment_count, 3)), np.empty((segment_count, 4))
        read_turns(shape.paths, rotations[i], turns[i])
        state[i, 1:4] = root_position[i]
        for segment in range(segment_count):
            own = multiply(conjugate(quat_of(shape.middles[segment])), quat_of(turns[i, segment]))
            put(own, state[i, 4 + 4 * segment :])
        state[i, 4 + 4 * segment_count :] = velocity[i]
        _place_segments(shape, root_position[i], turns[i], places, worlds)
        pushed = load.segments[i]
        arm = rotate(quat_of(worlds[pushed]), subtract(vector_of(load.points[i]), vector_of(shape.masses[pushed])))
        # The engine applies forces at the centre of mass, so a force elsewhere adds a torque.
        torque = cross(arm, vector_of(load.forces[i]))
        for step in range(control.shape[1]):
            # Share of this step during which the force still acts.
            share = min(max(load.seconds[i] / timestep - step, 0.0), 1.0)
            for c in range(3):
                control[i, step, 6 * (pushed + 1) + c] = share * load.forces[i, c]
                control[i, step, 6 * (pushed + 1) + 3 + c] = share * torque[c]
            for side in range(2):
                ankle = shape.legs[side, 2]
                ball = add(vector_of(places[ankle]), rotate(quat_of(worlds[ankle]), vector_of(shape.balls[side])))
                control[i, step, wrench_count + side] = 1.0 if load.pinned[i, side] else 0.0
                put(ball, control[i, step, wrench_count + 2 + 3 * side :])


@kernel
def _place_segments(shape: Shape, root: FloatArray, turns: FloatArray, places: FloatArray, worlds: FloatArray) -> None:
    """Fill the positions `places` [segment, 3] and rotations `worlds` [segment, 4] of one pose's segments."""
    for segment in range(len(shape.parents)):
        # Parents come before children, so the parent's entries are filled already.
        parent = shape.parents[segment]
        turn, place = quat_of(turns[segment]), vector_of(root)
        if parent >= 0:
            above = quat_of(worlds[parent])
            turn = multiply(above, turn)
            place = add(vector_of(places[parent]), rotate(above, vector_of(shape.places[segment])))
        put(place, places[segment])
        put(turn, worlds[segment])


@kernel
def _displace(
    shape: Shape,
    ranges: JointRanges,
    load: Load,
    shares: FloatArray,
    turns: FloatArray,
    after: FloatArray,
    root_position: FloatArray,
    rotations: FloatArray,
) -> None:
    """Move poses by the share `shares` [n] of the way to `after` [n, position], where the engine moved them."""
    for i in range(len(root_position)):
        moved = np.empty_like(turns[i])
        for c in range(3):
            root_position[i, c] += shares[i] * (after[i, c] - root_position[i, c])
        for segment in range(turns.shape[1]):
            own = quat_of(turns[i, segment])
            there = multiply(quat_of(shape.middles[segment]), quat_of(after[i, 3 + 4 * segment :]))
            turn = scale(logarithm(multiply(there, conjugate(own))), shares[i])
            put(normalized(multiply(exponential(turn), own)), moved[segment])
        for side in range(2):
            if not load.pinned[i, side] and not _within(load.segments[i], shape.legs[side]):
                _swing_on(shape, shape.legs[side], turns[i], moved)
        # Ranges are enforced last, on the rotations that are written to the pose.
        keep_in_range(ranges, turns[i], moved)
        write_turns(shape.paths, moved, rotations[i])


@kernel
def _within(segment: int, leg: IntArray) -> bool:
    """Return whether `segment` is part of `leg` [3]."""
    return bool(segment == leg[0] or segment == leg[1] or segment == leg[2])


@kernel
def _swing_on(shape: Shape, leg: IntArray, turns: FloatArray, moved: FloatArray) -> None:
    """Keep the orientation of a free leg in the world, as in a leg about to step; it moves with its hip."""
    before, now = (1.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
    above = shape.parents[leg[0]]
    while above >= 0:
        before = multiply(quat_of(turns[above]), before)
        now = multiply(quat_of(moved[above]), now)
        above = shape.parents[above]
    thigh = normalized(multiply(conjugate(now), multiply(before, quat_of(turns[leg[0]]))))
    for c in range(4):
        moved[leg[0], c] = thigh[c]
        moved[leg[1], c] = turns[leg[1], c]
        moved[leg[2], c] = turns[leg[2], c]
