"""The physics engine's model of a body, made from any skeleton."""

from __future__ import annotations

from typing import Any

import numpy as np

from motionfields.base.engine import engine
from motionfields.base.geometry import quat_between, quat_identity
from motionfields.runtime.physics.ranges import JointRanges
from motionfields.runtime.physics.segments import LIMBS, Segment, SegmentedBody

LONGEST_STEP = 0.0045  # seconds: longest time step of the engine
JOINT_TIME = 0.06  # seconds in which damping alone removes 63 % of a joint's speed
ROOT_TIME = 0.5  # the same for the whole body; stands in for legs and ground
HEIGHT_TIME = 0.1  # the same for its height, where legs and weight have more effect
ARMATURE = 0.004  # kg m2 added to every joint, to keep light segments stable
PIN_FIRMNESS = (0.9999, 0.9999, 0.001, 0.5, 2.0)


class BodyModel:
    """A MuJoCo model of a `SegmentedBody`: a free root, ball joints, capsules, no gravity, feet that can be pinned.

    The engine limits a joint to a cone around its zero position, so the zero position is set to the middle of the
    joint's range. Without `ranges` there are no limits.
    """

    def __init__(self, body: SegmentedBody, *, frame_time: float, ranges: JointRanges | None = None) -> None:
        self.body = body
        self.frame_time = frame_time
        self.step_count = max(1, int(np.ceil(frame_time / LONGEST_STEP)))
        self.ranges = ranges
        self.middles = quat_identity(len(body.joints)) if ranges is None else ranges.middle  # [segment, 4]
        self.model = self._compiled()

    def _compiled(self) -> Any:
        """Return the compiled MuJoCo model."""
        mujoco, body = engine(), self.body
        spec = mujoco.MjSpec()
        spec.option.timestep = self.frame_time / self.step_count
        spec.option.gravity = (0.0, 0.0, 0.0)
        # There are few pins and limits: solving for their forces takes half the time of solving for all joints.
        spec.option.solver = mujoco.mjtSolver.mjSOL_PGS
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
        # A state that diverges must stay visible, and not become the pose at zero.
        spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
        bodies: list[Any] = []
        for number, segment in enumerate(body.segments):
            above = spec.worldbody if number == 0 else bodies[body.parents[number]]
            place = np.zeros(3) if number == 0 else body.places[segment.joint]
            item = above.add_body(name=body.skeleton.names[segment.joint], pos=place, quat=self.middles[number])
            self._add_joint(mujoco, item, number)
            _add_mass(mujoco, item, segment)
            bodies.append(item)
        for side, leg in zip(("left", "right"), body.body.legs, strict=True):
            spec.worldbody.add_body(name=f"{side} pin", mocap=True)
            spec.add_equality(
                type=mujoco.mjtEq.mjEQ_CONNECT,
                objtype=mujoco.mjtObj.mjOBJ_BODY,
                name1=f"{side} pin",
                name2=body.skeleton.names[leg.ankle],
                active=False,
                solref=(2.0 * spec.option.timestep, 1.0),
                solimp=PIN_FIRMNESS,
            )
        model = spec.compile()
        # `connect` joins one point of each body: the origin of the pin and the ball of the foot.
        model.eq_data[:, :3], model.eq_data[:, 3:6] = 0.0, body.balls
        _damp(mujoco, model)
        return model

    def _add_joint(self, mujoco: Any, item: Any, number: int) -> None:
        """Add the free joint of the root, or a ball joint limited to the cone of its range."""
        if number == 0:
            item.add_freejoint()
            return
        joint = item.add_joint(type=mujoco.mjtJoint.mjJNT_BALL, armature=ARMATURE)
        if self.ranges is not None:
            joint.range = (0.0, np.degrees(self.ranges.reach[number]))


def _add_mass(mujoco: Any, item: Any, segment: Segment) -> None:
    """Add the capsule of `segment` and its mass; limbs get the inertia of `LIMBS` instead of the capsule's."""
    bone = segment.end - segment.start
    length = float(np.linalg.norm(bone))
    item.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CAPSULE if length > 0.0 else mujoco.mjtGeom.mjGEOM_SPHERE,
        pos=0.5 * (segment.start + segment.end),
        quat=quat_between(np.array([0.0, 0.0, 1.0]), bone),
        size=(segment.radius, 0.5 * length, 0.0),
        mass=segment.mass,
        contype=0,
        conaffinity=0,
    )
    if segment.part in LIMBS and length > 0.0:
        inertia = LIMBS[segment.part]
        across, along = (segment.mass * (share * length) ** 2 for share in (inertia.across, inertia.along))
        item.explicitinertial = True
        item.mass = segment.mass
        item.ipos = segment.centre
        item.iquat = quat_between(np.array([0.0, 0.0, 1.0]), bone)
        item.inertia = (across, across, along)


def _damp(mujoco: Any, model: Any) -> None:
    """Set damping in proportion to the inertia at each joint, so that all parts slow down at the same rate."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    inertia, column = np.empty(model.nv), np.empty(model.nv)
    for freedom, unit in enumerate(np.eye(model.nv)):
        mujoco.mj_mulM(model, data, column, unit)
        inertia[freedom] = column[freedom]
    times = np.full(model.nv, JOINT_TIME)
    times[:6] = ROOT_TIME
    times[1] = HEIGHT_TIME
    model.dof_damping[:] = inertia / times
