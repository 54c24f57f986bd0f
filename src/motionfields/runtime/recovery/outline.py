"""The outline of a pose in motion: joints and their velocities, and the capture point, in the yaw frame of the root.

The capture point, or extrapolated centre of mass, is the point on the ground where a foot must land to bring the body
to a stop: c + v sqrt(h / g), for a centre of mass at c over the ground, at the height h, with the velocity v (Hof et
al., "The condition for dynamic stability", Journal of Biomechanics 38, 2005).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray, read_only
from motionfields.base.compiled import kernel, lean_kernel
from motionfields.base.geometry.vectors import add, multiply, normalized, put, quat_of, rotate, scale, vector_of
from motionfields.base.springs import spring_stiffness
from motionfields.field.database import MotionDatabase
from motionfields.motion.body import find_body
from motionfields.motion.quality import distinct_joints
from motionfields.runtime.physics.segments import SegmentedBody

GRAVITY = 9.81  # m/s2
LOWEST_CENTRE = 0.5  # metres: a centre of mass below this height counts as at this height


class Figure(NamedTuple):
    """The facts about a skeleton that outlines need; all arrays are read-only."""

    parents: IntArray  # [joint]
    offsets: FloatArray  # [joint, 3], metres
    counted: IntArray  # [k], the joints that have a bone
    segments: IntArray  # [segment], the joint of each rigid segment
    centres: FloatArray  # [segment, 3], centre of mass in the frame of that joint, metres
    shares: FloatArray  # [segment], share of the body's mass
    feet: IntArray  # [2, 2], ankle and ball of the left and the right foot
    stiffness: float  # per second, of the springs that smooth a change of pose
    frame_time: float  # seconds

    @classmethod
    def of(cls, database: MotionDatabase, half_life: float) -> Figure:
        """Return the figure of the skeleton of `database`; `half_life` of the springs is in seconds."""
        skeleton = database.skeleton
        body = SegmentedBody(skeleton, rotations=database.rotations[:: max(1, database.state_count // 2048)])
        masses = np.array([segment.mass for segment in body.segments])
        legs = find_body(skeleton).legs
        return cls(
            read_only(np.asarray(skeleton.parents, dtype=np.int64)),
            read_only(np.ascontiguousarray(skeleton.offsets, dtype=np.float64)),
            read_only(np.flatnonzero(distinct_joints(skeleton))),
            read_only(body.joints.astype(np.int64)),
            read_only(np.ascontiguousarray(body.centres)),
            read_only(masses / masses.sum()),
            read_only(np.array([[leg.ankle, leg.toe] for leg in legs])),
            spring_stiffness(half_life),
            database.frame_time,
        )

    @property
    def feature_count(self) -> int:
        """Number of features of a state: position and velocity of each counted joint."""
        return 6 * len(self.counted)


def placed_joints(figure: Figure, root_position: FloatArray, rotations: FloatArray) -> FloatArray:
    """Return the joints and, last, the centre of mass [n, joint + 1, 3] of poses, in metres in the world.

    `root_position` is [n, 3] and `rotations` [n, joint, 4].
    """
    places = np.empty((len(rotations), rotations.shape[1] + 1, 3))
    _place_all(figure, root_position.astype(np.float64), rotations.astype(np.float64), places)
    return places


@kernel
def _place_all(figure: Figure, root_position: FloatArray, rotations: FloatArray, places: FloatArray) -> None:
    worlds = np.empty((len(figure.parents), 4))
    for i in range(len(places)):
        place_joints(figure, root_position[i], rotations[i], places[i], worlds)


@lean_kernel
def place_joints(
    figure: Figure, root: FloatArray, rotations: FloatArray, places: FloatArray, worlds: FloatArray
) -> None:
    """Fill `places` [joint + 1, 3], metres, with the joints of a pose and, last, its centre of mass.

    `root` is [3] and `rotations` [joint, 4], as in a `Clip`. `worlds` [joint, 4] is scratch memory.
    """
    count = len(figure.parents)
    put(vector_of(root), places[0])
    put(normalized(quat_of(rotations[0])), worlds[0])
    for joint in range(1, count):
        above = figure.parents[joint]
        turn = quat_of(worlds[above])
        put(add(vector_of(places[above]), rotate(turn, vector_of(figure.offsets[joint]))), places[joint])
        put(multiply(turn, normalized(quat_of(rotations[joint]))), worlds[joint])
    centre = (0.0, 0.0, 0.0)
    for segment in range(len(figure.segments)):
        joint = figure.segments[segment]
        place = add(vector_of(places[joint]), rotate(quat_of(worlds[joint]), vector_of(figure.centres[segment])))
        centre = add(centre, scale(place, figure.shares[segment]))
    put(centre, places[count])


@lean_kernel
def capture_point(x: float, height: float, z: float, velocity_x: float, velocity_z: float) -> tuple[float, float]:
    """Return the capture point over the ground, metres, of a centre of mass with a velocity in m/s."""
    pace = math.sqrt(max(height, LOWEST_CENTRE) / GRAVITY)
    return x + pace * velocity_x, z + pace * velocity_z


@lean_kernel
def write_outline(
    figure: Figure, places: FloatArray, rates: FloatArray, yaw: float, features: FloatArray, capture: FloatArray
) -> None:
    """Fill the `features` [feature] and the `capture` point [2] of one pose in motion.

    `places` [joint + 1, 3] are metres in the world, `rates` their velocities in m/s, `yaw` that of the root. Both
    results are in the yaw frame, from the point of the ground below the root. The features of each joint are its
    position times y^2 and its velocity times 2 y, over the number of joints, where y is the stiffness of the springs.
    The sum over joints of the norms of their differences is a bound on the mean jump of the displayed acceleration
    (see `jump_features`).
    """
    sine, cosine = math.sin(yaw), math.cos(yaw)
    count = len(figure.counted)
    near, fast = figure.stiffness * figure.stiffness / count, 2.0 * figure.stiffness / count
    for k in range(count):
        joint = figure.counted[k]
        x, z = places[joint, 0] - places[0, 0], places[joint, 2] - places[0, 2]
        features[3 * k] = near * (cosine * x - sine * z)
        features[3 * k + 1] = near * places[joint, 1]
        features[3 * k + 2] = near * (sine * x + cosine * z)
        rate = rates[joint]
        features[3 * (count + k)] = fast * (cosine * rate[0] - sine * rate[2])
        features[3 * (count + k) + 1] = fast * rate[1]
        features[3 * (count + k) + 2] = fast * (sine * rate[0] + cosine * rate[2])
    last = len(figure.parents)
    centre, rate = places[last], rates[last]
    ahead = capture_point(centre[0] - places[0, 0], centre[1], centre[2] - places[0, 2], rate[0], rate[2])
    capture[0] = cosine * ahead[0] - sine * ahead[1]
    capture[1] = sine * ahead[0] + cosine * ahead[1]
